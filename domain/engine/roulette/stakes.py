"""What becomes of a wager: whether it stands when it is laid, and what it earns when a number is called.

Finished records and live spins both come through `place` and `outcome`; there is no other copy of these rules.
"""

from typing import Final, Literal, NamedTuple, TypeAlias

import msgspec

from domain.engine.limits import Limits
from domain.engine.roulette.book import Book
from domain.engine.roulette.wagers import UnreadableBetError, Wager
from domain.refusals import BAD_BET, BAD_RECORD, CHIP_MULTIPLE, Refusal

Refused: TypeAlias = Literal["late", "misplaced", "minimum"]
NO_MAXIMUM: Final = 2**62


class Sign(NamedTuple):
    """The table's limits as wagers meet them, in minor units: the most on one spot is in whole chips."""

    chip: int
    least: int
    most: int


class Placed(msgspec.Struct, frozen=True, gc=False):
    """A wager on the layout: `unit` on each of its units (a plain bet is one unit), `amount` in all, minor units.

    refused: why it is no bet; then all of it goes back at once.
    """

    wager: Wager
    unit: int
    amount: int
    refused: Refused | None


class Outcome(NamedTuple):
    """Minor units: excess + back + lost = the wager's amount; excess is what lay over the maximum."""

    excess: int
    back: int
    lost: int
    paid: int


def sign(limits: Limits) -> Sign:
    """The limits of a table's sign. A maximum between two chips is met by the lower: no chip is broken."""
    most = NO_MAXIMUM if limits.max is None else limits.max - limits.max % limits.chip
    return Sign(limits.chip, limits.min, most)


def place(book: Book, limits: Sign, at: int, on: str, *, amount: int | None, unit: int | None, late: bool) -> Placed:
    """A wager as it is laid, the round's `at`-th (the first is 1).

    Late, misplaced, under the minimum (in this order) it is no bet and `refused` says so. Raises Refusal: `bad_bet` for
    words that cannot be read, an announced bet with an amount or without unit, a plain one the other way round;
    `bad_record` below zero; `chip_multiple`. Source: clauses of `book.rules.limits`.
    """
    try:
        wager = book.find(on)
    except UnreadableBetError as error:
        raise Refusal(BAD_BET, f"bet {at}: {error}") from error
    if wager.announced:
        if unit is None or amount is not None:
            raise Refusal(BAD_BET, f"bet {at}: {on} is announced, so it has a unit and no amount")
    elif amount is None or unit is not None:
        raise Refusal(BAD_BET, f"bet {at}: {on} has an amount and no unit")
    else:
        unit = amount
    if unit < 0:
        raise Refusal(BAD_RECORD, f"bet {at}: {unit} on {on} is less than nothing")
    if unit % limits.chip:
        raise Refusal(CHIP_MULTIPLE, f"bet {at}: {unit} on {on} is no multiple of the smallest chip, {limits.chip}")
    total = unit * wager.units
    refused: Refused | None = None
    if late:
        refused = "late"
    elif not wager.spots:
        refused = "misplaced"
    elif (total if book.minimum_of_total else unit) < limits.least:
        refused = "minimum"
    return Placed(wager, unit, total, refused)


def outcome(placed: Placed, limits: Sign, number: int) -> Outcome:
    """What a standing wager earns on `number`: what lies over the maximum is no part of it and goes back first."""
    wager, unit, amount = placed.wager, placed.unit, placed.amount
    if unit * wager.heaviest <= limits.most:
        back = unit * wager.back_halves[number] // 2
        return Outcome(0, back, amount - back, unit * wager.pays[number])
    at_stake = back = paid = 0
    for spot, units, slots in wager.spots:
        stake = min(unit * units, limits.most * slots)
        spot_back, spot_paid = spot.settle(stake, number)
        at_stake += stake
        back += spot_back
        paid += spot_paid
    return Outcome(amount - at_stake, back, at_stake - back, paid)
