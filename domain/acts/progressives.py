"""Progressives: proposed by one person, approved by another; pending hits paid once."""

from domain import streams
from domain.acts.consent import refused_with_reason
from domain.commands import DecideApproval, PayHit, ProposeProgressive
from domain.events.jackpot import JackpotPaid
from domain.events.progressive import HitPaid, LevelTerms, ProgressiveOpened, ProgressiveProposed, ProgressiveRefused
from domain.money import CURRENCIES, MICRO
from domain.progressive.port import MeterNeededError
from domain.refusals import Refusal
from domain.request import Reply
from domain.work import Work


def propose(work: Work, command: ProposeProgressive) -> Reply:
    """Ask for a new progressive; finance must approve. Refuses `already_exists` and `bad_terms`."""
    progressive = work.progressive(command.id)
    if progressive.opened is not None:
        raise Refusal("already_exists", f"progressive {command.id} is running; choose another id")
    if command.currency not in CURRENCIES:
        raise Refusal("bad_terms", f"currency {command.currency} is not dealt here; one of {', '.join(CURRENCIES)}")
    _check_terms(command.levels)
    approval = f"progressive.{command.id}.{progressive.proposed + 1}"
    event = ProgressiveProposed(
        progressive=command.id,
        currency=command.currency,
        levels=command.levels,
        fixed_prizes_from=command.fixed_prizes_from,
        approval=approval,
    )
    work.record(streams.progressive(command.id), [event])
    return Reply({"approval": approval, "needs": "finance"}, status=202)


def _check_terms(levels: tuple[LevelTerms, ...]) -> None:
    if [t.level for t in levels] != list(range(1, len(levels) + 1)):
        raise Refusal("bad_terms", "levels are numbered 1, 2, 3 ... in order")
    for t in levels:
        if t.seed < 0 or t.increment_ppm < 0 or t.reserve_ppm < 0 or t.increment_ppm + t.reserve_ppm > MICRO:
            raise Refusal(
                "bad_terms", f"level {t.level}: seed and shares are not negative, shares at most 1000000 in all"
            )
        if t.limit is not None and t.limit < t.seed:
            raise Refusal("bad_terms", f"level {t.level}: the limit {t.limit} lies under the seed {t.seed}")
    if sum(t.increment_ppm + t.reserve_ppm for t in levels) > MICRO:
        raise Refusal("bad_terms", "all levels together take more than the whole stake")


def decide(work: Work, approval: str, command: DecideApproval) -> Reply:
    """Approve or refuse a proposal, as another person than who made it. Approved, the meters run from the seed."""
    progressive_id = _of_approval(approval)
    progressive = work.progressive(progressive_id)
    if approval not in progressive.proposals:
        raise Refusal("unknown_approval", f"nothing waits for approval {approval!r}; it may be decided already")
    proposal, proposer = progressive.proposals[approval]
    stream = streams.progressive(progressive_id)
    reason = refused_with_reason(work, proposer, command)
    if reason is not None:
        refused = ProgressiveRefused(progressive=progressive_id, approval=approval, reason=reason)
        work.record(stream, [refused], approver=work.request.actor)
        return Reply({"approval": approval, "decision": "refused"}, status=200)
    opened = ProgressiveOpened(
        progressive=progressive_id,
        currency=proposal.currency,
        levels=proposal.levels,
        fixed_prizes_from=proposal.fixed_prizes_from,
        approval=approval,
    )
    work.record(stream, [opened], approver=work.request.actor)
    return Reply({"progressive": progressive_id})


def _of_approval(approval: str) -> str:
    kind, _, rest = approval.partition(".")
    progressive_id, _, number = rest.rpartition(".")
    if kind != "progressive" or not progressive_id or not number.isdigit():
        raise Refusal("unknown_approval", f"nothing waits for approval {approval!r}")
    return progressive_id


def pay_hit(work: Work, progressive_id: str, hit: str, command: PayHit) -> Reply:
    """Pay a pending hit once, from the cage or from the tray of its table; the amount stands in the hit.

    Refuses `unknown_hit` and `already_paid`.
    """
    progressive = work.progressive(progressive_id)
    if hit in progressive.paid:
        raise Refusal("already_paid", f"hit {hit} is paid")
    meters = work.meters(progressive_id)
    if meters is None:
        if progressive.opened is None:
            raise Refusal("unknown_hit", f"there is no progressive {progressive_id!r}")
        raise MeterNeededError(progressive_id)
    if hit not in meters.pending:
        raise Refusal("unknown_hit", f"no hit {hit!r} of {progressive_id} waits for payment")
    level, amount = meters.pending[hit].level, meters.pending[hit].award
    round_id, box, _ = hit.rsplit(".", 2)
    table = round_id.rsplit("-", 5)[0]
    paid = HitPaid(
        progressive=progressive_id,
        level=level,
        hit=hit,
        table=table,
        round=round_id,
        amount=amount,
        paid_by=command.paid_by,
    )
    if command.paid_by == "tray":
        stream, session = work.open_session(table)
        at_table = JackpotPaid(
            round=round_id,
            box=int(box),
            progressive=progressive_id,
            level=level,
            hit=hit,
            amount=amount,
            paid_by="tray",
        )
        work.record_at_table(stream, session, [at_table])
    work.record(streams.progressive(progressive_id), [paid])
    return Reply({"hit": hit, "amount": amount, "paid_by": command.paid_by})
