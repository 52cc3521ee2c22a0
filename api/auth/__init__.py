"""Who is calling: bearer tokens, the roles they carry, and which role may use which door."""
