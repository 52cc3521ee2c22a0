"""A pending hit: verified step by step, then paid once, or rejected with its meter put back."""

from domain import streams
from domain.acts.progressive_day import record
from domain.commands import PayHit, RejectHit, TakeHitStep
from domain.events.jackpot import JackpotPaid
from domain.events.progressive import HitPaid, HitRejected, HitStepTaken
from domain.money import MICRO
from domain.progressive.meters import Meters, PendingHit
from domain.progressive.port import MeterNeededError
from domain.refusals import Refusal
from domain.request import Reply
from domain.work import Work


def step(work: Work, progressive_id: str, hit: str, command: TakeHitStep) -> Reply:
    """One step of the verification. Refuses `step_taken` for one that was taken before."""
    _waiting(work, progressive_id, hit)
    taken = work.progressive(progressive_id).steps.get(hit, [])
    if any(name == command.step for name, _ in taken):
        raise Refusal("step_taken", f"`{command.step}` of hit {hit} was taken before")
    event = HitStepTaken(progressive=progressive_id, hit=hit, step=command.step, note=command.note)
    record(work, streams.progressive(progressive_id), event)
    return Reply({"hit": hit, "steps": [name for name, _ in taken] + [command.step]})


def pay(work: Work, progressive_id: str, hit: str, command: PayHit) -> Reply:
    """Pay a pending hit once, from the cage or from the tray of its table; the amount stands in the hit.

    Refuses `unknown_hit`, `already_paid`, `hit_rejected`.
    """
    waiting, _ = _waiting(work, progressive_id, hit)
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
    return Reply({"hit": hit, "amount": waiting.award, "paid_by": command.paid_by})


def reject(work: Work, progressive_id: str, hit: str, command: RejectHit) -> Reply:
    """The hit was none: its award goes back on the meter and the new seed to where it came from.

    By another person than any who verified it. Refuses `same_person`.
    """
    waiting, meters = _waiting(work, progressive_id, hit)
    steps = work.progressive(progressive_id).steps.get(hit, [])
    if any(actor == work.request.actor for _, actor in steps):
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
