"""Simulated players, dealers and staff: rounds, chips and jackpots for demonstrations, measurements and tests.

Everything goes into the log through `domain.application` and so by the same rules as a real table. Chance comes from
one seed: the same seed on an empty log gives the same events, ids and times apart.

| module | what |
|---|---|
| `house` | the application as simulated people use it; who they are |
| `terms` | what stands on a table's sign, and its chips |
| `players` | who sits where, what they stake and how they decide |
| `felt`, `choices`, `live` | a round of boxes: finished, or live step by step; how players decide |
| `spins` | the same for roulette |
| `table` | one table: opener, rounds, fills and credits, the gaming day, closer |
| `progressives` | the jackpot that tables of one currency share; its hits paid |
| `floor` | all tables in one fixed order; `run` the command `simulate` |
"""
