"""Do the identities hold that must always hold? One pass over the log beside the views, in one snapshot.

    run         brings the views to the head, reads the log once, gives every event to every examiner
    examiner    what an examiner is: takes events, and says at the end whether its identity holds
    rounds      stakes settled, box nets, caps
    sessions    expected tray and over/short, win in two ways, balanced postings
    jackpots    the jackpot identity of every level
    keys        each idempotency key belongs to one save
    plain*      every view equals a plain fold of the log, written apart from the projections

Replay, the last identity, is `projections.replay`.
"""

from projections.check.run import CheckResult, check

__all__ = ["CheckResult", "check"]
