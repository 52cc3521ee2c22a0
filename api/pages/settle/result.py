"""A settlement as people read it: who is paid what, each movement with the clause of the sheet that it rests on."""

from collections import defaultdict
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import msgspec

from api.i18n.catalogue import gettext
from api.pages import words
from api.pages.settle.guide import Stack, stacks_of
from api.pages.terms import reason, term
from domain import engine
from domain.engine.jackpot import Prize, Stake
from domain.engine.record import Record
from domain.engine.sign import limits_of
from domain.events.base import Event
from domain.events.outcome import PayoutMade, StakeReturned, StakeTaken
from domain.money import MICRO
from domain.refusals import Refusal
from domain.ruleset import shipped
from domain.settle import Resolver, settle_record


class Reason(NamedTuple):
    """One movement of one stake. sign: +1 to the player, -1 to the house, 0 the player's own money back."""

    words: str
    amount: int
    sign: int
    clause: str


@dataclass(slots=True)
class Result:
    """A settled record, ready to show. reasons, stacks: by box (or bet) number; chip: the smallest of the table."""

    record: dict[str, Any]
    settlement: dict[str, Any]
    currency: str
    game: str
    chip: int
    reasons: dict[int, list[Reason]] = field(default_factory=dict)

    @property
    def boxes(self) -> list[dict[str, Any]]:
        """The boxes with what they were dealt and did."""
        dealt = {box["box"]: box for box in self.record.get("boxes", [])}
        return [{**dealt[box["box"]], **box} for box in self.settlement.get("boxes", [])]

    def stacks(self, paid: dict[str, int] | int) -> list[Stack]:
        """What is pushed out to a player, in chips and stacks; empty for nothing, or what the chips cannot make."""
        total = paid if isinstance(paid, int) else sum(paid.values())
        return stacks_of(total, self.chip)


def settled(record: Record, rulesets: Resolver = shipped) -> Result:
    """Settle a record and say why. Raises Refusal."""
    settlement = msgspec.to_builtins(settle_record(record, rulesets))
    ruleset = rulesets(record.ruleset)
    limits = limits_of(ruleset, record.table)
    result = Result(msgspec.to_builtins(record), settlement, limits.currency, ruleset.name, limits.chip)
    port = _Prizes()
    try:
        state = engine.begin(ruleset, limits, "round", 1)
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
                told = gettext("%(stake)s taken: %(why)s")
                found[event.box or event.wager or 0].append(_moved(event, told, -1))
            case StakeReturned():
                told = gettext("%(stake)s returned: %(why)s")
                found[event.box or event.wager or 0].append(_moved(event, told, 0))
    paid = {box["box"]: box["paid"].get("jackpot", 0) for box in settlement.get("boxes", [])}
    for prize in prizes:
        found[prize.box].append(_prize(prize, paid[prize.box]))
    return dict(found)


def _moved(event: StakeTaken | StakeReturned, told: str, sign: int) -> Reason:
    return Reason(told % {"stake": _kind(event.kind), "why": reason(event.reason)}, event.amount, sign, event.clause)


def _payout(event: PayoutMade) -> Reason:
    given = {"stake": _kind(event.kind), "odds": event.odds}
    if event.hand and event.second:
        hands = {"hand": term(event.hand, "hand"), "second": term(event.second, "hand")}
        told = gettext("%(stake)s pays %(odds)s for %(hand)s and %(second)s") % {**given, **hands}
    elif event.hand:
        told = gettext("%(stake)s pays %(odds)s for %(hand)s") % {**given, "hand": term(event.hand, "hand")}
    else:
        told = gettext("%(stake)s pays %(odds)s") % given
    if event.capped:
        told = gettext("%(what)s, lowered by the maximum payout") % {"what": told}
    return Reason(told, event.paid, 1, event.clause)


def _prize(prize: Prize, paid: int) -> Reason:
    hand = term(prize.hand, "hand")
    if prize.share_ppm is None:
        return Reason(gettext("Jackpot: %(hand)s") % {"hand": hand}, paid, 1, prize.clause)
    share = words.percent(prize.share_ppm / MICRO)
    told = gettext("Jackpot: %(hand)s, %(share)s of the meter") % {"hand": hand, "share": share}
    return Reason(told, paid, 1, prize.clause)


def _kind(kind: str) -> str:
    word = term(kind, "stake")
    return word[:1].upper() + word[1:]
