"""The table aggregate: `registry` knows which session is open, `session` is all play from opener to closer.

Both are folds: `evolve(state, meta, event)` moves a state that the fold owns; deciding reads it and never writes.
"""
