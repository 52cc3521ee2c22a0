"""The exceptions inbox: what somebody should look at, and who has."""
