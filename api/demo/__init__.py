"""The demonstration: a simulated floor behind the real doors. `show` runs it, `pace` keeps time, `tokens` lets in."""
