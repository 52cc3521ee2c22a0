"""The money room on a real PostgreSQL: days, counts, cage, journal, exceptions, explanations."""
