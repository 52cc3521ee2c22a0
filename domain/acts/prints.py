"""Prints of slips as facts: said before paper is made, so that no second original exists without the log knowing.

One act for every kind of slip. A page that prints one asks the door for a print first, then shows `label(number)`
large, with who and when: the first print is the original, all later ones say REPRINT and their number.
"""

from domain import streams
from domain.acts.hits import check_known
from domain.acts.progressive_day import record
from domain.commands import PrintSlip
from domain.events.slips import SlipPrinted
from domain.prints import label
from domain.refusals import Refusal
from domain.request import Reply
from domain.work import Work


def print_slip(work: Work, slip: str, _command: PrintSlip) -> Reply:
    """One more print of a fill, a credit or a hand-pay, by the slip's number. Refuses `unknown_slip`."""
    kind, _, rest = slip.partition("-")
    if kind not in ("fill", "credit", "hand_pay"):
        raise _unknown(slip)
    if not work.prints(kind, slip).count:
        book = work.slips(kind, rest[:10])
        if slip not in book.slips and all(issued.slip != slip for issued in book.hand_pays):
            raise _unknown(slip)
    return _print(work, kind, slip)


def print_hit(work: Work, progressive_id: str, hit: str, _command: PrintSlip) -> Reply:
    """One more print of a hit's jackpot slip, whatever has become of the hit. Refuses `unknown_hit`."""
    check_known(work, progressive_id, hit)
    return _print(work, "jackpot", hit)


def _print(work: Work, kind: str, slip: str) -> Reply:
    number = work.prints(kind, slip).count + 1
    record(work, streams.prints(kind, slip), SlipPrinted(kind=kind, slip=slip, number=number))
    return Reply({"slip": slip, "kind": kind, "number": number, "label": label(number)})


def _unknown(slip: str) -> Refusal:
    return Refusal("unknown_slip", f"there is no slip {slip!r}; slips are named like fill-2026-03-14-0001")
