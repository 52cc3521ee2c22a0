"""Progressive jackpots: the meter as a fold of the log, and the award as that fold at the hit's position.

`meters` holds balances and the pure fold, `award` what a hit takes, `port` joins both to the round engine,
`decide` the life of a progressive (proposed, approved, hits paid). The same fold serves the award under the commit
lock, the projection, and replay.
"""
