"""Read models: what the log adds up to, kept by folds and never a source of truth.

    from projections.runner import RunnerThread       # folds; leads or stands by
    runner = RunnerThread(database_url).start()       # .state: starting|leading|standby|reconnecting|stopped
    runner.stop()                                     # True when it has ended within 2 s

    from projections.catch_up import run_until        # run_until(database_url, position=None) -> position
    from projections.lag import lag                   # lag(database_url) -> {"head", "projections"}
    from projections.replay import replay             # replay(database_url, table=, day=, start=, stop=, jobs=,
                                                      #        progress=) -> {"rounds", "events", ...}
    from projections.check import check               # check(database_url) -> {"ok", "position", "identities"}
    from projections.rebuild import rebuild           # rebuild(database_url, name) -> RebuildResult

Everything that folds opens its own connections, as the service role. Reads (`projections.reads`) take a psycopg
connection and return structs in the shapes of the doors, with the position they are true at.

How one event gets into a view: `log_reader` reads a batch, each projection's pure `fold` says what it changes, and
`advance` writes changes and position in one transaction. `runner` adds leadership, waking and recovery.
"""
