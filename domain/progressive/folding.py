"""The pure fold that moves the meters: one function an event, all of them exact to the millionth."""

from collections.abc import Callable
from typing import Any

from msgspec import structs

from domain.events.base import Event
from domain.events.jackpot import JackpotContributed, JackpotHit
from domain.events.progressive import (
    FundsReceived,
    FundsSent,
    HitPaid,
    HitRejected,
    LimitImposed,
    MeterAdjusted,
    ProgressiveOpened,
    ProgressiveRetired,
    ProgressiveStarted,
    ProgressiveStopped,
    TermsChanged,
)
from domain.money import MICRO
from domain.progressive.meters import Level, Meters, PendingHit, fresh, hit_id, opened


def fold(meters: dict[str, Meters], event: Event) -> str | None:
    """Move the meters by one event, in place; the progressive it touched, or None for any other event."""
    if isinstance(event, ProgressiveOpened):
        meters[event.progressive] = opened(event)
        return event.progressive
    rule = _RULES.get(type(event))
    if rule is None:
        return None
    progressive: str = event.progressive  # type: ignore[attr-defined]
    rule(meters[progressive], event)
    return progressive


def _contributed(meters: Meters, event: JackpotContributed) -> None:
    for share in event.shares:
        level = meters.levels[share.level]
        level.in_u += event.stake * MICRO
        level.contributed_u += share.increment_u + share.reserve_u
        level.reserve_u += share.reserve_u
        level.display_u += share.increment_u
        _spill(level)


def _spill(level: Level) -> None:
    """What stands above the limit goes to the overflow."""
    if level.terms.limit is not None and level.display_u > level.terms.limit * MICRO:
        level.overflow_u += level.display_u - level.terms.limit * MICRO
        level.display_u = level.terms.limit * MICRO


def _hit(meters: Meters, hit: JackpotHit) -> None:
    level = meters.levels[hit.level]
    assert level.display_u == hit.meter_before_u, f"hit {hit_id(hit)} saw another meter than the log gives"
    level.hits += 1
    level.wins += hit.award
    if hit.charged_to == "meter":
        level.charged_u += hit.award * MICRO
    level.house_u += hit.reset_from_house_u
    level.base_u += hit.reset_from_house_u - hit.base_u
    level.reserve_u -= hit.reset_from_reserve_u
    level.display_u = hit.meter_after_u
    if hit.pending:
        meters.pending[hit_id(hit)] = PendingHit(
            hit.level, hit.award, hit.base_u, hit.reset_from_reserve_u, hit.reset_from_house_u
        )


def _rejected(meters: Meters, event: HitRejected) -> None:
    level = meters.levels[event.level]
    assert level.display_u == event.meter_before_u, f"the rejection of {event.hit} saw another meter than the log gives"
    del meters.pending[event.hit]
    level.hits -= 1
    level.wins -= event.award
    level.charged_u -= event.award * MICRO
    level.house_u -= event.to_house_u
    level.base_u += event.base_u - event.to_house_u
    level.reserve_u += event.to_reserve_u
    level.display_u = event.meter_after_u
    _spill(level)


def _adjusted(meters: Meters, event: MeterAdjusted) -> None:
    level = meters.levels[event.level]
    name = f"{event.balance}_u"
    assert getattr(level, name) == event.before_u, "the adjustment saw another balance than the log gives"
    setattr(level, name, event.after_u)
    level.adjusted_u += event.amount_u
    if event.balance == "display":
        level.base_u = min(level.base_u, level.display_u)


def _sent(meters: Meters, event: FundsSent) -> None:
    level = meters.levels[event.level]
    level.transferred_u -= level.held_u
    level.display_u = level.reserve_u = level.overflow_u = level.residue_u = level.base_u = 0


def _received(meters: Meters, event: FundsReceived) -> None:
    level = meters.levels[event.level]
    level.transferred_u += event.display_u + event.reserve_u
    level.display_u += event.display_u
    level.base_u += event.base_u
    level.reserve_u += event.reserve_u
    _spill(level)


def _limited(meters: Meters, event: LimitImposed) -> None:
    level = meters.levels[event.level]
    level.terms = structs.replace(level.terms, limit=event.limit)
    _spill(level)


def _changed(meters: Meters, event: TermsChanged) -> None:
    for terms in event.levels:
        if terms.level in meters.levels:
            meters.levels[terms.level].terms = terms
        else:
            meters.levels[terms.level] = fresh(terms)
    meters.fixed_prizes_from = event.fixed_prizes_from
    meters.same_deal = event.same_deal


def _stopped(meters: Meters, _event: ProgressiveStopped) -> None:
    meters.stopped = True


def _started(meters: Meters, _event: ProgressiveStarted) -> None:
    meters.stopped = False


def _retired(meters: Meters, _event: ProgressiveRetired) -> None:
    meters.stopped = meters.retired = True


def _paid(meters: Meters, event: HitPaid) -> None:
    meters.pending.pop(event.hit, None)


_RULES: dict[type[Event], Callable[[Meters, Any], None]] = {
    JackpotContributed: _contributed,
    JackpotHit: _hit,
    HitPaid: _paid,
    HitRejected: _rejected,
    MeterAdjusted: _adjusted,
    FundsSent: _sent,
    FundsReceived: _received,
    LimitImposed: _limited,
    TermsChanged: _changed,
    ProgressiveStopped: _stopped,
    ProgressiveStarted: _started,
    ProgressiveRetired: _retired,
}

FOLDED: tuple[type[Event], ...] = (ProgressiveOpened, *_RULES)
"""Every event that moves a meter or its state."""
