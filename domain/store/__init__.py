"""The log in PostgreSQL: what a save is, how it is made in one transaction, and how it can fail."""
