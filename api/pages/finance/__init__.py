"""Finance: the gaming day from its first table to its audit, every figure a link to the events that make it."""
