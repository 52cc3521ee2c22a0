"""Each kind of stake, as the list of all that can happen to it: a condition, the fate of the stake, what it is paid.

The conditions of a stake are meant to be complete and to exclude each other. That is not taken on trust: `judged` asks
every one of them and has no opinion unless exactly one holds.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final, Literal, NamedTuple

from domain.shadow.case import EQUAL, FOLD, HIGHER, IN_VAIN, LOWER, NO_GAME, Case, no_game_winnings, winnings
from domain.shadow.scales import line, odds, whole
from domain.shadow.unsure import ShadowUnsure

Fate = Literal["returned", "taken"]


def _nothing(_: Case) -> int:
    return 0


@dataclass(frozen=True, slots=True)
class Row:
    """If `when` holds, the stake is `fate`d and paid `pays`."""

    when: Callable[[Case], bool]
    fate: Callable[[Case], Fate] | Fate
    pays: Callable[[Case], int] = _nothing


class Judged(NamedTuple):
    """What became of one stake."""

    fate: Fate
    paid: int


def _ante_on_win(case: Case) -> int:
    table = case.rules.win.ante
    return case.by_table("ante", table) if table is not None else 0


def _ante_on_no_game(case: Case) -> int:
    """An insured box may have given this payment away (R.insurance)."""
    table = case.rules.no_game.ante
    given_away = case.stake("insurance") and case.rules.insurance.insured_ante == "returned"
    return case.by_table("ante", table) if table is not None and not given_away else 0


def _pays_in_vain(case: Case) -> bool:
    return bool(case.rules.dealer_card.still_no_game == "ante-paid")


def _bet_in_vain(case: Case) -> int:
    if case.rules.no_game.bet is not None:
        raise ShadowUnsure("the sheet does not say whether a bought card that is no game leaves a paid bet paid")
    return 0


def _insurance_paid(case: Case) -> int:
    return whole(case.stake("insurance") * odds(case.rules.insurance.odds))


def _bonus_hand(case: Case) -> str:
    return (case.first if case.rules.bonus.on == "first-cards" else case.last).name


def _bonus_given_up(case: Case) -> bool:
    """Lost by what the player did, whatever the cards are (O.bonus, V.bonus, G.fold)."""
    rule = case.rules.bonus
    return (case.story.swapped and rule.at_swap == "taken") or (case.fate == FOLD and rule.at_fold == "taken")


def _bonus_pays(case: Case) -> int:
    prize = line(case.rules.bonus.prizes, _bonus_hand(case))
    rate = line(case.rules.bonus.odds, _bonus_hand(case))
    return (prize or 0) + (whole(case.stake("bonus") * odds(rate)) if rate is not None else 0)


def _bonus_wins(case: Case) -> bool:
    return _bonus_pays(case) > 0


def _fee_comes_back(case: Case) -> bool:
    return bool(case.fate == IN_VAIN and case.rules.dealer_card.fee == "returned-on-no-game")


ROWS: Final[dict[str, tuple[Row, ...]]] = {
    "ante": (
        Row(lambda c: c.fate == FOLD, "taken"),
        Row(lambda c: c.fate == LOWER, "taken"),
        Row(lambda c: c.fate == EQUAL, "returned"),
        Row(lambda c: c.fate == HIGHER, "returned", _ante_on_win),
        Row(lambda c: c.fate == NO_GAME, "returned", _ante_on_no_game),
        Row(lambda c: c.fate == IN_VAIN and not _pays_in_vain(c), "returned"),
        Row(lambda c: c.fate == IN_VAIN and _pays_in_vain(c), "returned", _ante_on_no_game),
    ),
    "bet": (
        Row(lambda c: c.fate == LOWER, "taken"),
        Row(lambda c: c.fate == EQUAL, "returned"),
        Row(lambda c: c.fate == HIGHER, "returned", winnings),
        Row(lambda c: c.fate == NO_GAME, "returned", no_game_winnings),
        Row(lambda c: c.fate == IN_VAIN, "returned", _bet_in_vain),
    ),
    "insurance": (
        Row(lambda c: c.insured == NO_GAME, "returned", _insurance_paid),
        Row(lambda c: c.insured == HIGHER, "taken"),
        Row(lambda c: c.insured == LOWER, lambda c: _fate(c.rules.insurance.dealer_higher)),
        Row(lambda c: c.insured == EQUAL, lambda c: _fate(c.rules.insurance.push)),
    ),
    "bonus": (
        Row(_bonus_given_up, "taken"),
        Row(lambda c: not _bonus_given_up(c) and not _bonus_wins(c), "taken"),
        Row(
            lambda c: not _bonus_given_up(c) and _bonus_wins(c),
            lambda c: _fate(c.rules.bonus.stake_when_won),
            _bonus_pays,
        ),
    ),
    # What the jackpot pays hangs on the meter and so on the other boxes: it is added by the round.
    "jackpot": (Row(lambda _: True, "taken"),),
    "swap": (Row(lambda _: True, "taken"),),
    "buy": (Row(lambda _: True, "taken"),),
    "dealer_card": (
        Row(lambda c: not _fee_comes_back(c), "taken"),
        Row(_fee_comes_back, "returned"),
    ),
}
"""By kind of stake: everything that the sheets know to happen to it."""


def _fate(word: Any) -> Fate:
    if word == "returned":
        return "returned"
    if word == "taken":
        return "taken"
    raise ShadowUnsure(f"{word!r} is no fate of a stake")


def judged(kind: str, case: Case) -> Judged:
    """What becomes of a stake of this kind. Raises ShadowUnsure unless exactly one row holds."""
    holding = [row for row in ROWS[kind] if row.when(case)]
    if len(holding) != 1:
        raise ShadowUnsure(f"{len(holding)} rules hold of the {kind} of box {case.story.box}")
    row = holding[0]
    return Judged(row.fate if isinstance(row.fate, str) else row.fate(case), row.pays(case))
