"""Rounds dealt to find faults, and faults put in on purpose to see that they are found."""
