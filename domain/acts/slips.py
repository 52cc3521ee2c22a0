"""Fills and credits: requested by one person, then four more signatures; only the last one moves the tray.

Numbers have no gap within kind and gaming day, and no person may sign one slip twice (WAC 230-15-520/525,
N.J.A.C. 13:69D-1.23).
"""

from domain import streams
from domain.acts import cage_slips, late
from domain.acts.chip_lists import check_chips
from domain.commands import MoveChips, PrepareSlip, SignSlip, VoidSlip
from domain.duties import on_duty
from domain.events.base import Event, chips_total
from domain.events.chips import CreditSent, FillReceived
from domain.events.slips import SlipPrepared, SlipRequested, SlipVoided
from domain.refusals import Refusal
from domain.request import Reply
from domain.slips import STEPS, Slip
from domain.work import Work


def request_fill(work: Work, table: str, command: MoveChips) -> Reply:
    """Ask the cage for chips. Answers the slip, state `requested`."""
    return _request(work, "fill", table, command)


def request_credit(work: Work, table: str, command: MoveChips) -> Reply:
    """Offer chips to the cage. Refuses `tray_short` where the tray should not hold so much."""
    _, session = work.open_session(table)
    amount = chips_total(command.chips)
    if amount > session.tray:
        raise Refusal("tray_short", f"the tray should hold {session.tray}; a credit of {amount} cannot leave it")
    return _request(work, "credit", table, command)


def _request(work: Work, kind: str, table: str, command: MoveChips) -> Reply:
    _, session = work.open_session(table)
    check_chips(command.chips, "chips")
    day = session.opened.gaming_day
    book = work.slips(kind, day)
    number = len(book.slips) + 1
    slip = f"{kind}-{day}-{number:04d}"
    event = SlipRequested(
        slip=slip,
        kind=kind,
        number=number,
        table=table,
        session=session.opened.session,
        chips=command.chips,
        amount=chips_total(command.chips),
    )
    work.record(streams.slips(kind, day), [event], gaming_day=day, shift=session.opened.shift)
    return Reply({"slip": slip, "state": "requested"})


def sign(work: Work, slip_id: str, step: str, command: SignSlip) -> Reply:
    """The next signature: prepare (cashier), carry (security), count (dealer), receive (supervisor).

    A cage window may prepare a fill, or take a credit: `window` of the prepare step says so; else the main bank does.

    Refuses `unknown_slip`, `slip_state` out of order, `same_person` for a second signature of one person, and
    `role_required` for a step of another role.
    """
    stream, slip = _find(work, slip_id)
    needs, event_type = STEPS[step]
    if slip.state != needs:
        raise Refusal("slip_state", f"slip {slip_id} is {slip.state}; `{step}` needs it {needs}")
    _other_person(slip, work.request.actor, step)
    on_duty(work, f"{step} a slip")
    signature: Event = event_type(slip=slip_id)
    told: dict[str, str | None] = {}
    if isinstance(command, PrepareSlip) and command.window is not None:
        cage_slips.serve(work, slip, command.window)
        signature, told = SlipPrepared(slip=slip_id, window=command.window), {"window": command.window}
    elif step == "receive":
        _arrive(work, slip)
        if slip.window is not None and slip.requested.kind == "credit":
            told = {"window": cage_slips.take_credit(work, slip)}
    work.record(stream, [signature], gaming_day=_day(slip_id))
    state = {"prepare": "prepared", "carry": "carried", "count": "counted", "receive": "received"}[step]
    return Reply({"slip": slip_id, "state": state, **told}, status=200)


def void(work: Work, slip_id: str, command: VoidSlip) -> Reply:
    """Void a slip before transport, with a reason, by somebody other than who requested it.

    A slip that its session's closing has overtaken can no longer be received; its chips go back to where they came from
    and it may be voided from any state but received.
    """
    stream, slip = _find(work, slip_id)
    overtaken = work.registry(slip.requested.table).open_session != slip.requested.session
    if slip.state not in ("requested", "prepared") and not (overtaken and slip.state in ("carried", "counted")):
        raise Refusal("slip_state", f"slip {slip_id} is {slip.state}; only before transport can it be voided")
    if work.request.actor == slip.signed[0]:
        raise Refusal("same_person", f"{work.request.actor} requested slip {slip_id} and may not void it")
    on_duty(work, "void a slip")
    cage_slips.take_back(work, slip)
    work.record(stream, [SlipVoided(slip=slip_id, reason=command.reason)], gaming_day=_day(slip_id))
    return Reply({"slip": slip_id, "state": "void"}, status=200)


def _find(work: Work, slip_id: str) -> tuple[str, Slip]:
    kind, _, rest = slip_id.partition("-")
    day = rest[:10]
    if kind in ("fill", "credit"):
        book = work.slips(kind, day)
        if slip_id in book.slips:
            return streams.slips(kind, day), book.slips[slip_id]
    raise Refusal("unknown_slip", f"there is no slip {slip_id!r}; slips are named like fill-2026-03-14-0001")


def _day(slip_id: str) -> str:
    return slip_id.partition("-")[2][:10]


def _other_person(slip: Slip, actor: str, step: str) -> None:
    if actor in slip.signed:
        raise Refusal(
            "same_person", f"{actor} has signed slip {slip.requested.slip} already; `{step}` needs another person"
        )


def _arrive(work: Work, slip: Slip) -> None:
    """The tray moves, in the slip's own session. Refuses `session_over`.

    Chips that came before the table rolled may be signed for afterwards, with the `at` at which they came.
    """
    requested = slip.requested
    stream, session = work.open_session(requested.table)
    past = late.past_of(work, session)
    meant = (past or session).opened.session
    if meant != requested.session:
        now = "; if the chips came before it closed, say when (`at`)"
        then = f", and `at` lies in {meant}"
        raise Refusal(
            "session_over",
            f"slip {requested.slip} belongs to session {requested.session}{now if past is None else then}",
        )
    moved = FillReceived if requested.kind == "fill" else CreditSent
    arrived = moved(slip=requested.slip, chips=requested.chips, amount=requested.amount)
    late.record(work, stream, session, [arrived], past)
