"""The rules of the house and the ledger of its tables.

Pure at the core: `decide(state, command) -> events` and `evolve(state, event) -> state` over plain values, with no
clock, no randomness and no I/O; times, ids and shuffles come in as arguments. A command reaches
`application.handle`, which loads the stream, decides, and saves the events through `recorder`. Nothing here imports
`projections`, `api` or `deploy`.
"""
