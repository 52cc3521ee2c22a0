"""Changes of a running progressive. Stopping and starting is one person's; whatever moves money or rules needs two.

A change is judged when it is proposed and again, under the commit lock, when it is approved: what counts is the meter
as it stands then.
"""

from domain import streams
from domain.acts.consent import refused_with_reason
from domain.acts.progressive_day import limits_of, record
from domain.acts.progressive_stops import check_may_end, check_recoverable, orphaned
from domain.commands import (
    AdjustMeter,
    ChangeTerms,
    DecideApproval,
    ImposeLimit,
    RegisterOrphans,
    RetireProgressive,
    StartProgressive,
    StopProgressive,
    TransferFunds,
)
from domain.events.base import Event
from domain.events.progressive import (
    Adjustment,
    Change,
    ChangeProposed,
    ChangeRefused,
    FundsReceived,
    FundsSent,
    Limit,
    LimitImposed,
    MeterAdjusted,
    Orphaning,
    ProgressiveRetired,
    ProgressiveStarted,
    ProgressiveStopped,
    Retirement,
    Terms,
    TermsChanged,
    Transfer,
)
from domain.money import MICRO
from domain.progressive.config import Progressive
from domain.progressive.meters import Level, Meters
from domain.progressive.port import MeterNeededError
from domain.progressive.terms import check_limits, check_terms
from domain.refusals import Refusal
from domain.request import Reply
from domain.work import Work

REDUCES = {"above_limit", "undisplayed_to_receipts", "seed_recovery"}
"""Causes for which a balance may only go down; the others move it either way, but for a gift, which only raises it."""
RAISES = {"house_gift"}


def stop(work: Work, progressive_id: str, command: StopProgressive) -> Reply:
    """No more jackpot stakes. Refuses `progressive_stopped` where it stands still already."""
    progressive = _running(work, progressive_id)
    if progressive.stopped:
        raise Refusal("progressive_stopped", f"progressive {progressive_id} is stopped already")
    event = ProgressiveStopped(progressive=progressive_id, reason=command.reason)
    record(work, streams.progressive(progressive_id), event)
    return Reply({"progressive": progressive_id, "state": "stopped"})


def start(work: Work, progressive_id: str, _command: StartProgressive) -> Reply:
    """Stakes are taken again."""
    if not _running(work, progressive_id).stopped:
        raise Refusal("progressive_running", f"progressive {progressive_id} is not stopped")
    record(work, streams.progressive(progressive_id), ProgressiveStarted(progressive=progressive_id))
    return Reply({"progressive": progressive_id, "state": "running"})


def impose_limit(work: Work, progressive_id: str, command: ImposeLimit) -> Reply:
    """A limit at or above the meter."""
    return _propose(work, progressive_id, Limit(command.level, command.limit), command.reason)


def change_terms(work: Work, progressive_id: str, command: ChangeTerms) -> Reply:
    """Other rates, seeds and rules, while stopped."""
    check_terms(command.levels)
    opened = _running(work, progressive_id).opened
    assert opened is not None, "a running progressive is open"
    check_limits(limits_of(work), opened.currency, command.levels)
    terms = Terms(command.levels, command.fixed_prizes_from, command.same_deal)
    return _propose(work, progressive_id, terms, command.reason)


def adjust(work: Work, progressive_id: str, command: AdjustMeter) -> Reply:
    """A balance moved by hand, for a lawful cause."""
    change = Adjustment(command.level, command.balance, int(command.amount_u), command.cause)
    return _propose(work, progressive_id, change, command.reason)


def transfer(work: Work, progressive_id: str, command: TransferFunds) -> Reply:
    """All a stopped level holds, to another progressive."""
    return _propose(work, progressive_id, Transfer(command.level, command.to, command.to_level), command.reason)


def retire(work: Work, progressive_id: str, command: RetireProgressive) -> Reply:
    """The end of an empty progressive."""
    return _propose(work, progressive_id, Retirement(), command.reason)


def register_orphans(work: Work, progressive_id: str, command: RegisterOrphans) -> Reply:
    """What is left on a progressive that was stopped for good."""
    return _propose(work, progressive_id, Orphaning(), command.reason)


def _running(work: Work, progressive_id: str) -> Progressive:
    progressive = work.progressive(progressive_id)
    if progressive.opened is None or progressive.retired:
        raise Refusal("unknown_progressive", f"progressive {progressive_id!r} is not running")
    return progressive


def _propose(work: Work, progressive_id: str, change: Change, reason: str) -> Reply:
    progressive = _running(work, progressive_id)
    approval = f"progressive.{progressive_id}.{progressive.asked + 1}"
    _events(work, progressive_id, change, reason, approval)
    event = ChangeProposed(progressive=progressive_id, approval=approval, change=change, reason=reason)
    record(work, streams.progressive(progressive_id), event)
    return Reply({"approval": approval, "needs": "finance"}, status=202)


def decide(work: Work, progressive_id: str, approval: str, command: DecideApproval) -> Reply:
    """Approve or refuse a change, as another person than who proposed it."""
    proposal, proposer = work.progressive(progressive_id).changes[approval]
    reason = refused_with_reason(work, proposer, command)
    stream = streams.progressive(progressive_id)
    if reason is not None:
        refused = ChangeRefused(progressive=progressive_id, approval=approval, reason=reason)
        record(work, stream, refused, approver=work.request.actor)
        return Reply({"approval": approval, "decision": "refused"}, status=200)
    for to, event in _events(work, progressive_id, proposal.change, proposal.reason, approval):
        record(work, to, event, approver=work.request.actor)
    return Reply({"progressive": progressive_id, "approval": approval})


def _events(work: Work, progressive_id: str, change: Change, reason: str, approval: str) -> list[tuple[str, Event]]:
    """What the change comes to on the meters as they stand, by stream. Refuses what is not lawful now."""
    meters = _meters(work, progressive_id)
    here = streams.progressive(progressive_id)
    match change:
        case Limit():
            return [(here, _limit(progressive_id, _level(meters, change.level), change, reason, approval))]
        case Terms():
            return [(here, _terms(progressive_id, meters, change, reason, approval))]
        case Adjustment():
            return [(here, _adjusted(progressive_id, _level(meters, change.level), change, reason, approval))]
        case Transfer():
            return _transferred(work, meters, change, reason, approval)
        case Retirement():
            check_may_end(work, progressive_id)
            return [(here, _retired(progressive_id, meters, reason, approval))]
        case Orphaning():
            return [(here, orphaned(work, progressive_id, meters, reason=reason, approval=approval))]


def _meters(work: Work, progressive_id: str) -> Meters:
    meters = work.meters(progressive_id)
    if meters is None:
        raise MeterNeededError(progressive_id)
    return meters


def _level(meters: Meters, number: int) -> Level:
    if number not in meters.levels:
        raise Refusal("bad_terms", f"progressive {meters.progressive} has no level {number}")
    return meters.levels[number]


def _limit(progressive_id: str, level: Level, change: Limit, reason: str, approval: str) -> Event:
    _check_limit(level, change.limit)
    return LimitImposed(
        progressive=progressive_id, level=change.level, limit=change.limit, reason=reason, approval=approval
    )


def _check_limit(level: Level, limit: int) -> None:
    if limit * MICRO < level.display_u:
        shown = f"the meter of level {level.terms.level} shows {level.display}"
        raise Refusal("limit_below_meter", f"{shown}; a limit lies at or above it, not at {limit}")


def _terms(progressive_id: str, meters: Meters, change: Terms, reason: str, approval: str) -> Event:
    if not meters.stopped:
        raise Refusal("progressive_running", "parameters change only while the progressive is stopped; stop it first")
    if {terms.level for terms in change.levels} < set(meters.levels):
        raise Refusal("bad_terms", "a level cannot be left out: transfer its funds and retire the progressive")
    for terms in change.levels:
        level = meters.levels.get(terms.level)
        if level is not None and terms.limit is not None:
            _check_limit(level, terms.limit)
    return TermsChanged(
        progressive=progressive_id,
        levels=change.levels,
        fixed_prizes_from=change.fixed_prizes_from,
        same_deal=change.same_deal,
        reason=reason,
        approval=approval,
    )


def _adjusted(progressive_id: str, level: Level, change: Adjustment, reason: str, approval: str) -> Event:
    before = getattr(level, f"{change.balance}_u")
    after = before + change.amount_u
    if change.cause in REDUCES and change.amount_u > 0:
        raise Refusal("direction_not_allowed", f"`{change.cause}` only takes money out; the amount must be negative")
    if change.cause in RAISES and change.amount_u < 0:
        raise Refusal("direction_not_allowed", f"`{change.cause}` only puts money in; the amount must be positive")
    if change.cause == "above_limit" and level.terms.limit is None:
        raise Refusal("direction_not_allowed", "the level has no limit that its display could stand above")
    if after < 0:
        raise Refusal("balance_short", f"{change.balance} holds {before} millionths; {change.amount_u} is too much")
    limit = level.terms.limit
    if change.balance == "display" and limit is not None and after > limit * MICRO:
        raise Refusal("above_limit", f"the display may not pass its limit of {limit}")
    return MeterAdjusted(
        progressive=progressive_id,
        level=change.level,
        balance=change.balance,
        amount_u=change.amount_u,
        before_u=before,
        after_u=after,
        cause=change.cause,
        reason=reason,
        approval=approval,
    )


def _transferred(work: Work, meters: Meters, change: Transfer, reason: str, approval: str) -> list[tuple[str, Event]]:
    progressive_id = meters.progressive
    level = _level(meters, change.level)
    if not meters.stopped or meters.pending:
        raise Refusal("progressive_running", "funds move only when it is stopped and no hit waits for payment")
    check_recoverable(work, progressive_id)
    if change.to == progressive_id:
        raise Refusal("bad_terms", "funds go to another progressive")
    target = _running(work, change.to)
    assert target.opened is not None, "a running progressive is open"
    if target.opened.currency != meters.currency:
        raise Refusal("bad_terms", f"progressive {change.to} is in {target.opened.currency}, not {meters.currency}")
    _level(_meters(work, change.to), change.to_level)
    if not level.held_u:
        raise Refusal("balance_short", f"level {change.level} holds nothing")
    sent = FundsSent(
        progressive=progressive_id,
        level=change.level,
        to=change.to,
        to_level=change.to_level,
        display_u=level.display_u,
        reserve_u=level.reserve_u,
        overflow_u=level.overflow_u,
        residue_u=level.residue_u,
        base_u=level.base_u,
        reason=reason,
        approval=approval,
    )
    # Overflow and residue were the players' too: they come onto the other display with the rest.
    received = FundsReceived(
        progressive=change.to,
        level=change.to_level,
        sender=progressive_id,
        sender_level=change.level,
        display_u=level.display_u + level.overflow_u + level.residue_u,
        reserve_u=level.reserve_u,
        base_u=level.base_u,
        approval=approval,
    )
    return [(streams.progressive(progressive_id), sent), (streams.progressive(change.to), received)]


def _retired(progressive_id: str, meters: Meters, reason: str, approval: str) -> Event:
    if not meters.stopped or meters.pending:
        raise Refusal("progressive_running", "it retires when it is stopped and no hit waits for payment")
    left = sum(level.held_u for level in meters.levels.values())
    if left:
        raise Refusal("funds_left", f"{left} millionths are left over; transfer them first")
    return ProgressiveRetired(progressive=progressive_id, reason=reason, approval=approval)
