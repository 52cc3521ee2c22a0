"""Progressive jackpots: the meter as a fold of the log, and the award as that fold at the hit's position.

`meters` holds the balances, `folding` the pure fold that moves them, `award` what a hit takes, `port` joins them to the
round engine, `config` is the life of a progressive as its own stream tells it, `checkpoint` reads the meter under the
commit lock. The same fold serves the award, the projection, and replay.
"""
