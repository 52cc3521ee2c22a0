"""A pending hit: shown, verified step by step, then paid once, or rejected with its meter put back."""

from collections.abc import Mapping
from datetime import datetime

from domain import streams
from domain.acts.progressive_day import day_of, record
from domain.commands import PayHit, RejectHit, TakeHitStep
from domain.events.jackpot import JackpotHit, JackpotPaid
from domain.events.progressive import HitPaid, HitRejected, HitShown, HitStepTaken, Showing
from domain.events.slips import HandPaySlipIssued
from domain.money import MICRO
from domain.progressive.config import Step
from domain.progressive.meters import Meters, PendingHit, hit_id
from domain.progressive.port import MeterNeededError
from domain.refusals import Refusal
from domain.request import Reply
from domain.work import Work


def step(work: Work, progressive_id: str, hit: str, command: TakeHitStep) -> Reply:
    """One step of the verification, or of a dispute.

    Refuses `step_taken` for one that was taken before and did not fail, `hit_disputed`, `not_disputed`, and for the end
    of a dispute `same_person`.
    """
    _waiting(work, progressive_id, hit)
    taken = work.progressive(progressive_id).steps.get(hit, [])
    if command.step in _DISPUTE:
        _check_dispute(work, hit, taken, command)
    elif any(one.step == command.step and one.result == "passed" for one in taken):
        raise Refusal("step_taken", f"`{command.step}` of hit {hit} was taken before")
    event = HitStepTaken(
        progressive=progressive_id,
        hit=hit,
        step=command.step,
        note=command.note,
        role=work.request.role,
        result=command.result,
    )
    record(work, streams.progressive(progressive_id), event)
    return Reply({"hit": hit, "steps": [one.step for one in taken] + [command.step]})


_DISPUTE = ("disputed", "dispute_settled")


def _check_dispute(work: Work, hit: str, taken: list[Step], command: TakeHitStep) -> None:
    begun = _dispute(taken)
    if len(command.note.strip()) < 3:
        raise Refusal(
            "reason_required",
            f"`{command.step}` needs a note of 3 characters or more: what is disputed, or how it was settled",
        )
    if command.step == "disputed" and begun is not None:
        raise Refusal("hit_disputed", f"hit {hit} is in dispute already, begun by {begun.actor}; settle it first")
    if command.step == "dispute_settled" and begun is None:
        raise Refusal("not_disputed", f"hit {hit} is not in dispute")
    if command.step == "dispute_settled" and begun is not None and begun.actor == work.request.actor:
        raise Refusal("same_person", f"{begun.actor} began the dispute of hit {hit}; another person settles it")


def _dispute(taken: list[Step]) -> Step | None:
    """The step that began a dispute which is not settled."""
    last = next((one for one in reversed(taken) if one.step in _DISPUTE), None)
    return last if last is not None and last.step == "disputed" else None


class AlreadyShownError(Exception):
    """Every display of the act has said so before; `shown` has the times that stand."""

    def __init__(self, shown: Mapping[str, datetime]) -> None:
        super().__init__("nothing new is shown")
        self.shown = shown


def show(work: Work, progressive_id: str, hit: str, displays: Mapping[str, datetime]) -> Reply:
    """Displays (name -> since when) have the winning value on them; the first word of each stands.

    Refuses `unknown_hit`. Raises AlreadyShownError where no display is new.
    """
    known = work.displays(hit).shown
    new = tuple(Showing(display, at) for display, at in displays.items() if display not in known)
    shown = {display: known.get(display, at) for display, at in displays.items()}
    if not new:
        raise AlreadyShownError(shown)
    check_known(work, progressive_id, hit)
    record(work, streams.displays(hit), HitShown(progressive=progressive_id, hit=hit, displays=new))
    return Reply({"hit": hit, "shown": shown})


def check_known(work: Work, progressive_id: str, hit: str) -> None:
    """Refuses `unknown_hit` for a hit that never was, whatever has become of it.

    One that waits stands on the meters, one that is done on the progressive; only for a prize that was paid at once the
    table's stream is read.
    """
    progressive = work.progressive(progressive_id)
    if hit in progressive.paid or hit in progressive.rejected:
        return
    if progressive.opened is not None:
        meters = work.meters(progressive_id)
        if meters is None:
            raise MeterNeededError(progressive_id)
        if hit in meters.pending or _is_at_table(work, progressive_id, hit):
            return
    raise Refusal("unknown_hit", f"jackpot {progressive_id!r} was never hit as {hit!r}")


def _is_at_table(work: Work, progressive_id: str, hit: str) -> bool:
    parts = hit.rsplit(".", 2)[0].rsplit("-", 5)
    if len(parts) != 6 or not parts[4].isdigit() or "/" in hit:
        return False
    stream = streams.session(parts[0], "-".join(parts[1:4]), int(parts[4]))
    return work.is_recorded(
        stream, lambda e: isinstance(e, JackpotHit) and e.progressive == progressive_id and hit_id(e) == hit
    )


def pay(work: Work, progressive_id: str, hit: str, command: PayHit) -> Reply:
    """Pay a pending hit once, from the cage or from the tray of its table; the amount stands in the hit.

    Answers the number of the payment's slip. Refuses `unknown_hit`, `already_paid`, `hit_rejected`, `hit_disputed`,
    `check_failed`, and `same_person`: who verified the hand does not pay it.
    """
    waiting, _ = _waiting(work, progressive_id, hit)
    _may_be_paid(work, hit, work.progressive(progressive_id).steps.get(hit, []))
    instrument = command.instrument or ("chips" if command.paid_by == "tray" else "cash")
    if command.paid_by == "tray" and instrument != "chips":
        raise Refusal("bad_terms", f"a tray pays in chips, not by {instrument}; let the cage pay hit {hit}")
    round_id, box, _ = hit.rsplit(".", 2)
    table = round_id.rsplit("-", 5)[0]
    paid = HitPaid(
        progressive=progressive_id,
        level=waiting.level,
        hit=hit,
        table=table,
        round=round_id,
        amount=waiting.award,
        paid_by=command.paid_by,
    )
    if command.paid_by == "tray":
        stream, session = work.open_session(table)
        at_table = JackpotPaid(
            round=round_id,
            box=int(box),
            progressive=progressive_id,
            level=waiting.level,
            hit=hit,
            amount=waiting.award,
            paid_by="tray",
        )
        work.record_at_table(stream, session, [at_table])
    record(work, streams.progressive(progressive_id), paid)
    slip = _issue_slip(work, paid, instrument)
    return Reply({"hit": hit, "amount": waiting.award, "paid_by": command.paid_by, "slip": slip})


def _may_be_paid(work: Work, hit: str, taken: list[Step]) -> None:
    begun = _dispute(taken)
    if begun is not None:
        raise Refusal("hit_disputed", f"hit {hit} is in dispute, begun by {begun.actor}; settle it first")
    results = {one.step: one.result for one in taken}
    failed = [step for step, result in results.items() if result == "failed"]
    if failed:
        raise Refusal("check_failed", f"`{failed[0]}` of hit {hit} failed; take it again, or reject the hit")
    if any(one.step == "hand_verified" and one.actor == work.request.actor for one in taken):
        raise Refusal("same_person", f"{work.request.actor} verified the hand of hit {hit} and may not pay it")


def _issue_slip(work: Work, paid: HitPaid, instrument: str) -> str:
    """The payment's slip, with the next number of the gaming day."""
    day = day_of(work)
    number = len(work.slips("hand_pay", day).hand_pays) + 1
    issued = HandPaySlipIssued(
        slip=f"hand_pay-{day}-{number:04d}",
        number=number,
        progressive=paid.progressive,
        hit=paid.hit,
        amount=paid.amount,
        instrument=instrument,
        paid_by=paid.paid_by,
    )
    record(work, streams.slips("hand_pay", day), issued)
    return issued.slip


def reject(work: Work, progressive_id: str, hit: str, command: RejectHit) -> Reply:
    """The hit was none: its award goes back on the meter and the new seed to where it came from.

    By another person than any who verified it. Refuses `same_person`.
    """
    waiting, meters = _waiting(work, progressive_id, hit)
    steps = work.progressive(progressive_id).steps.get(hit, [])
    if any(one.actor == work.request.actor for one in steps):
        raise Refusal("same_person", f"{work.request.actor} verified hit {hit} and may not reject it")
    level = meters.levels[waiting.level]
    seed_u = waiting.reset_from_reserve_u + waiting.reset_from_house_u
    event = HitRejected(
        progressive=progressive_id,
        level=waiting.level,
        hit=hit,
        award=waiting.award,
        meter_before_u=level.display_u,
        meter_after_u=level.display_u + waiting.award * MICRO - seed_u,
        to_reserve_u=waiting.reset_from_reserve_u,
        to_house_u=waiting.reset_from_house_u,
        base_u=waiting.base_u,
        reason=command.reason,
    )
    assert event.meter_after_u >= 0, "an award covers the seed that followed it"
    record(work, streams.progressive(progressive_id), event)
    return Reply({"hit": hit, "restored": waiting.award})


def _waiting(work: Work, progressive_id: str, hit: str) -> tuple[PendingHit, Meters]:
    progressive = work.progressive(progressive_id)
    if hit in progressive.paid:
        raise Refusal("already_paid", f"hit {hit} is paid")
    if hit in progressive.rejected:
        raise Refusal("hit_rejected", f"hit {hit} was rejected")
    if progressive.opened is None:
        raise Refusal("unknown_hit", f"there is no progressive {progressive_id!r}")
    meters = work.meters(progressive_id)
    if meters is None:
        raise MeterNeededError(progressive_id)
    if hit not in meters.pending:
        raise Refusal("unknown_hit", f"no hit {hit!r} of {progressive_id} waits for payment")
    return meters.pending[hit], meters
