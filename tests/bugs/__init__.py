"""Faults found by settling rounds twice, each shown by the smallest round that has it."""
