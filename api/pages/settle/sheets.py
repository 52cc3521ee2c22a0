"""What each sheet offers, as the board needs it: places for cards, stakes, decisions. The engine judges them."""

from typing import Any, Final

from msgspec import Struct

from domain.ruleset import Ruleset, shipped, shipped_ids

CHIPS: Final = (50, 100, 500, 1000, 2500, 10_000, 50_000)
"""Values of chips to click with, in minor units; those under the sheet's smallest are left out."""


class Sheet(Struct):
    """hand, dealer, board: how many cards each has. swaps: how many a box may make; swap_counts: of how many cards.

    bonus, jackpot: the fixed stake in minor units, 0 for one of any size, None for none. min, max: of the first class
    of tables that the sheet prints.
    """

    id: str
    name: str
    engine: str
    step: int = 1
    boxes: int = 0
    hand: int = 0
    dealer: int = 0
    board: int = 0
    min: int = 0
    max: int = 0
    bonus: int | None = None
    jackpot: int | None = None
    swaps: int = 0
    swap_counts: tuple[int, ...] = ()
    buy: bool = False
    swap_and_buy: bool = False
    insure: bool = False
    dealer_card: bool = False
    blind: bool = False
    time_out: bool = False
    misdeals: tuple[str, ...] = ()
    order: tuple[int, ...] = ()
    red: tuple[int, ...] = ()
    announced: tuple[str, ...] = ()
    neighbours: tuple[int, int] | None = None
    chips: tuple[int, ...] = CHIPS


def sheets() -> dict[str, Sheet]:
    """The sheets that come with the program, by id."""
    return {name: sheet_of(shipped(name)) for name in shipped_ids()}


def sheet_of(ruleset: Ruleset) -> Sheet:
    """What a sheet offers."""
    sheet = Sheet(ruleset.id, ruleset.name, ruleset.engine, ruleset.chip_step)
    rules: Any = ruleset.rules
    return _of_roulette(sheet, rules) if ruleset.engine == "roulette" else _of_boxes(sheet, ruleset, rules)


def _of_roulette(sheet: Sheet, rules: Any) -> Sheet:
    sheet.order, sheet.red = rules.wheel.order, rules.wheel.red
    sheet.announced = tuple(one.name for one in rules.announced)
    if rules.neighbours is not None:
        sheet.neighbours = (rules.neighbours.least, rules.neighbours.most)
    return sheet


def _of_boxes(sheet: Sheet, ruleset: Ruleset, rules: Any) -> Sheet:
    sheet.boxes, sheet.hand, sheet.dealer = rules.table.boxes, ruleset.play.hand_cards, ruleset.play.dealer_cards
    sheet.board = ruleset.play.board_before + ruleset.play.board_after
    if rules.table.classes:
        sheet.min, sheet.max = rules.table.classes[0].min, rules.table.classes[0].max
    if rules.bonus is not None:
        sheet.bonus = rules.bonus.stake or 0
    if rules.jackpot is not None:
        sheet.jackpot = rules.jackpot.stake
    sheet.misdeals = tuple(rules.misdeals.kinds)
    for name in ("buy", "insurance", "dealer_card", "blind", "time_out"):
        offered = getattr(rules, name, None) is not None
        setattr(sheet, "insure" if name == "insurance" else name, offered)
    swap = getattr(rules, "swap", None)
    if swap is not None:
        sheet.swaps = max(len(plan.turns) for plan in swap.plans)
        sheet.swap_counts = tuple(
            sorted({fee.cards for plan in swap.plans for turn in plan.turns for fee in turn.fees})
        )
    sheet.swap_and_buy = sheet.buy and rules.buy.with_swap
    return sheet
