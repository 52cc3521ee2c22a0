"""Bonus and jackpot stakes: exact, where what they pay hangs on the category of the first five cards alone.

Each category is settled once by the engine and weighed with how many of the 2,598,960 hands are of it. A prize that is
a share of a meter is left out: what it is worth is the progressive's matter, not the sheet's.
"""

from fractions import Fraction
from typing import Any, Final, NamedTuple

from msgspec import UNSET, UnsetType

from domain.cards import read
from domain.edge.figures import Stake
from domain.edge.strategies import Seen, Strategy
from domain.engine import settle_record
from domain.engine.limits import Limits
from domain.engine.record import Bet, Record, RecordBox, RecordDealer, RecordProgressive
from domain.hands import FIVE_CARD_HANDS
from domain.ruleset.base import Ruleset


class _Example(NamedTuple):
    """A hand of a category, and how many hands of five are of that category."""

    cards: str
    hands: int


_CARDS: Final = (
    "Qs Td 8h 6c 2s",
    "As Kd 8h 6c 2s",
    "As Ad 8h 6c 2s",
    "As Ad Ks Kd 2s",
    "As Ad Ah 8h 2s",
    "As Kd Qh Js Ts",
    "As Ks 8s 6s 2s",
    "As Ad Ah Ks Kd",
    "As Ad Ah Ac Ks",
    "Ks Qs Js Ts 9s",
    "As Ks Qs Js Ts",
)
_EXAMPLES: Final = tuple(_Example(cards, hands) for cards, hands in zip(_CARDS, FIVE_CARD_HANDS, strict=True))
_DEALER: Final = "3c 4d 7h 9h Jc"


def stakes(ruleset: Ruleset, strategy: Strategy) -> dict[str, Stake]:
    """The edge of each side stake of the sheet that can be told exactly; one that must be played out is absent."""
    tables = ruleset.play
    found = {}
    if tables.bonus is not None and tables.bonus.on_first and not tables.board_cards:
        size = tables.bonus.fixed or ruleset.chip_step
        found["bonus"] = _won_on("bonus", [(e, _settled(ruleset, e, size, UNSET)) for e in _EXAMPLES], strategy)
    if tables.jackpot is not None and not tables.board_cards:
        settled = [(e, _settled(ruleset, e, UNSET, tables.jackpot.stake)) for e in _EXAMPLES]
        found["jackpot"] = _won_on("jackpot", settled, None)
    return {kind: stake for kind, stake in found.items() if stake is not None}


def _settled(ruleset: Ruleset, example: _Example, bonus: int | UnsetType, jackpot: int | UnsetType) -> Any:
    limits = Limits(chip=ruleset.chip_step, min=ruleset.chip_step)
    ante = 2 * ruleset.chip_step
    box = RecordBox(box=1, ante=ante, bonus=bonus, jackpot=jackpot, cards=example.cards, play=(Bet(),))
    meter = UNSET if jackpot is UNSET else RecordProgressive(meter=0)
    record = Record(ruleset=ruleset.id, boxes=(box,), dealer=RecordDealer(cards=_DEALER), progressive=meter)
    settled: Any = settle_record(ruleset, limits, record)
    return settled.boxes[0]


def _won_on(kind: str, settled: list[tuple[_Example, Any]], strategy: Strategy | None) -> Stake | None:
    """None where the strategy would fold or part with a card of a hand that wins: then it has to be played out."""
    won = staked = 0
    for example, box in settled:
        paid = box.paid.get(kind, 0)
        if paid and strategy is not None and not _keeps(strategy, example):
            return None
        won += example.hands * (box.taken.get(kind, 0) - paid)
        staked += example.hands * box.stakes[kind]
    return Stake(float(Fraction(won, staked)), "exact", 0.0)


def _keeps(strategy: Strategy, example: _Example) -> bool:
    seen = Seen(tuple(read(example.cards)), read(_DEALER)[-1])
    return strategy.bets(seen) and strategy.draws(seen) is None
