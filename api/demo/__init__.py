"""The demonstration: a simulated floor behind the real doors.

`show` runs it, `pace` keeps time; `people` and `tokens` let in, `private` writes what lets in; `cage` adopts its
windows, `days` begins a gaming day where the newest was closed.
"""
