"""A settlement as people read it: who is paid what, and each movement with the clause of the sheet that it rests on."""

from collections import defaultdict
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import msgspec

from domain import engine
from domain.engine.jackpot import Prize, Stake
from domain.engine.record import Record
from domain.engine.sign import limits_of
from domain.events.base import Event
from domain.events.outcome import PayoutMade, StakeReturned, StakeTaken
from domain.money import MICRO
from domain.refusals import Refusal
from domain.ruleset import shipped
from domain.settle import settle_record


class Reason(NamedTuple):
    """One movement of one stake. sign: +1 to the player, -1 to the house, 0 the player's own money back."""

    words: str
    amount: int
    sign: int
    clause: str


@dataclass(slots=True)
class Result:
    """A settled record, ready to show. reasons: by box (or bet) number."""

    record: dict[str, Any]
    settlement: dict[str, Any]
    currency: str
    game: str
    reasons: dict[int, list[Reason]] = field(default_factory=dict)

    @property
    def boxes(self) -> list[dict[str, Any]]:
        """The boxes with what they were dealt and did."""
        dealt = {box["box"]: box for box in self.record.get("boxes", [])}
        return [{**dealt[box["box"]], **box} for box in self.settlement.get("boxes", [])]


def settled(record: Record) -> Result:
    """Settle a record and say why. Raises Refusal."""
    settlement = msgspec.to_builtins(settle_record(record))
    ruleset = shipped(record.ruleset)
    currency = record.table.currency if record.table and record.table.currency else "EUR"
    result = Result(msgspec.to_builtins(record), settlement, currency, ruleset.name)
    port = _Prizes()
    try:
        state = engine.begin(ruleset, limits_of(ruleset, record.table), "round", 1)
        events = engine.play_record(state, record, port)
    except Refusal:
        return result  # what settles but cannot be told as events is shown without its reasons
    result.reasons = _reasons(events, port.prizes, settlement)
    return result


class _Prizes:
    """Takes the round's jackpot prizes down; their sums stand in the settlement."""

    def __init__(self) -> None:
        self.prizes: list[Prize] = []

    def settle(self, round_id: str, stakes: list[Stake], prizes: list[Prize]) -> list[Event]:
        assert round_id, "an engine names the round it settles"
        assert len({stake.box for stake in stakes}) == len(stakes), "a box stakes the jackpot once"
        self.prizes = prizes
        return []


def _reasons(events: list[Event], prizes: list[Prize], settlement: dict[str, Any]) -> dict[int, list[Reason]]:
    found: dict[int, list[Reason]] = defaultdict(list)
    for event in events:
        match event:
            case PayoutMade():
                found[event.box or event.wager or 0].append(_payout(event))
            case StakeTaken():
                found[event.box or event.wager or 0].append(
                    Reason(f"{_kind(event.kind)} taken: {event.reason}", event.amount, -1, event.clause)
                )
            case StakeReturned():
                found[event.box or event.wager or 0].append(
                    Reason(f"{_kind(event.kind)} returned: {event.reason}", event.amount, 0, event.clause)
                )
    paid = {box["box"]: box["paid"].get("jackpot", 0) for box in settlement.get("boxes", [])}
    for prize in prizes:
        share = "" if prize.share_ppm is None else f", {100 * prize.share_ppm / MICRO:g} % of the meter"
        found[prize.box].append(Reason(f"Jackpot: {prize.hand}{share}", paid[prize.box], 1, prize.clause))
    return dict(found)


def _payout(event: PayoutMade) -> Reason:
    hands = " and ".join(hand for hand in (event.hand, event.second) if hand)
    words = f"{_kind(event.kind)} pays {event.odds}" + (f" for {hands}" if hands else "")
    if event.capped:
        words += ", lowered by the maximum payout"
    return Reason(words, event.paid, 1, event.clause)


def _kind(kind: str) -> str:
    return kind.replace("_", " ").capitalize()
