"""Fills and credits that a window serves instead of the main bank: what it should hold moves with the slip.

A fill leaves the window when it is prepared, and comes back to it when the slip is voided. A credit comes in when its
last signature moves the tray. A window that nobody works by then, or that is counted out for a handover, is passed by:
the chips are the main bank's.
"""

from domain import streams
from domain.acts.cage import at_window, record
from domain.events.base import Event
from domain.events.cage import CreditTaken, FillServed, FillTakenBack
from domain.refusals import Refusal
from domain.slips import Slip
from domain.work import Work


def serve(work: Work, slip: Slip, window: str) -> None:
    """The cashier who prepares the slip does so at the window they work; a fill's chips leave it.

    Refuses `window_closed`, `window_of_another`, `window_short`, and `bad_terms` for a window of another currency.
    """
    requested = slip.requested
    stream, shift, opened = at_window(work, window)
    currency = _currency(work, slip)
    if opened.currency != currency:
        raise Refusal("bad_terms", f"window {window} is in {opened.currency}, slip {requested.slip} in {currency}")
    if requested.kind != "fill":
        return
    if requested.amount > shift.chips:
        held = f"window {window} should hold chips of {shift.chips}"
        raise Refusal("window_short", f"{held}; it cannot prepare a fill of {requested.amount}")
    record(work, stream, opened, FillServed(slip=requested.slip, amount=requested.amount))


def take_back(work: Work, slip: Slip) -> str | None:
    """A fill that is voided goes back to the window that prepared it; the window, None: to the main bank."""
    requested = slip.requested
    if requested.kind != "fill" or slip.window is None:
        return None
    return _into(work, slip, FillTakenBack(slip=requested.slip, amount=requested.amount))


def take_credit(work: Work, slip: Slip) -> str | None:
    """A credit that has left the table comes to the window it was prepared for; the window, None: to the main bank."""
    requested = slip.requested
    if requested.kind != "credit" or slip.window is None:
        return None
    return _into(work, slip, CreditTaken(slip=requested.slip, amount=requested.amount))


def _into(work: Work, slip: Slip, event: Event) -> str | None:
    assert slip.window is not None, "asked for slips of a window only"
    stream = work.window(slip.window).open_stream
    if stream is None:
        return None
    shift = work.cage_shift(stream)
    assert shift.opened is not None, "a shift's stream begins with its opening"
    if shift.offered is not None or shift.opened.currency != _currency(work, slip):
        return None
    record(work, stream, shift.opened, event)
    return slip.window


def _currency(work: Work, slip: Slip) -> str:
    requested = slip.requested
    table = work.registry(requested.table)
    number = int(requested.session.rpartition("-")[2])
    day = requested.slip.partition("-")[2][:10]
    return work.session(table.streams.get(number, streams.session(requested.table, day, number))).opened.currency
