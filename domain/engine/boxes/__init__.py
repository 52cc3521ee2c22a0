"""What the stud and hold'em families share: boxes against the dealer, from the stakes to the settlement."""
