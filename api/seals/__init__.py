"""Seals: checkpoints of the log, signed with the house's key.

keys      the signing key: made on first use, kept in a file of its owner's alone
issue     sign the tree as it stands, but never one that does not continue what was signed before
sealer    a checkpoint for every close of a table session, in the service
witness   countersignatures of others
"""
