"""A spin settled: each bet taken apart into chips on spots, each spot won, lost or halved by the number (L)."""

from collections.abc import Mapping
from fractions import Fraction
from typing import Any, NamedTuple

from domain.shadow.boxes import Sign
from domain.shadow.layout import EVEN_CHANCES, Spot, spot_of
from domain.shadow.scales import odds, whole
from domain.shadow.unsure import ShadowUnsure


class Lying(NamedTuple):
    """So many chips of one value on a spot. A plain wager is one chip as large as its amount."""

    spot: Spot
    chips: int
    value: int

    @property
    def amount(self) -> int:
        return self.chips * self.value


def settle_spin(rules: Any, sign: Sign, record: Mapping[str, Any]) -> dict[str, Any]:
    """The settlement of a legal roulette record; a stopped round is one whose number never counts."""
    number = None if record.get("stopped") else record["result"]
    bets = [_settled(rules, sign, bet, number) for bet in record.get("bets") or ()]
    return {"bets": bets, "house_net": -sum(bet["net"] for bet in bets)}


def _settled(rules: Any, sign: Sign, bet: Mapping[str, Any], number: int | None) -> dict[str, Any]:
    laid = _laid(rules, bet)
    amount = sum(lying.amount for lying in laid)
    refused = _refused(rules, sign, bet, laid)
    returned = taken = paid = 0
    if refused:
        returned = amount
    elif number is not None:
        for lying in laid:
            played = _within(rules, sign, lying)
            back, won = _cleared(rules, lying.spot, played, number)
            returned += lying.amount - played + back
            taken += played - back
            paid += won
    return {
        **({"player": bet["player"]} if bet.get("player") is not None else {}),
        "on": bet["on"],
        "amount": amount,
        "returned": returned,
        "taken": taken,
        "paid": paid,
        "net": paid - taken,
        **({"refused": refused} if refused else {}),
    }


def _laid(rules: Any, bet: Mapping[str, Any]) -> list[Lying]:
    """Where the chips of a bet lie; an announced one is laid out by the dealer (L.voisins and the rest)."""
    on: str = bet["on"]
    words = on.split(" ")
    named = [one for one in rules.announced if one.name == on]
    if named:
        return [Lying(spot_of(rules, chip.on), chip.units, bet["unit"]) for chip in named[0].chips]
    if words[0] == "neighbours":
        middle, each_side = rules.wheel.order.index(int(words[1])), int(words[2])
        if not rules.neighbours.least <= each_side <= rules.neighbours.most:
            raise ShadowUnsure(f"{on!r} is not offered")
        round_ = [rules.wheel.order[(middle + step) % 37] for step in range(-each_side, each_side + 1)]
        return [Lying(spot_of(rules, f"straight {number}"), 1, bet["unit"]) for number in round_]
    return [Lying(spot_of(rules, on), 1, bet["amount"])]


def _refused(rules: Any, sign: Sign, bet: Mapping[str, Any], laid: list[Lying]) -> str:
    """Why this is no bet at all; the first that holds. Empty where it is one (L.late, L.misplaced, L.minimum)."""
    by_unit = "unit" in bet and rules.limits.minimum_of == "unit"
    measured = bet["unit"] if by_unit else sum(lying.amount for lying in laid)
    reasons = {
        "late": bool(bet.get("late")),
        "misplaced": any(lying.spot.numbers is None for lying in laid),
        "minimum": measured < sign.min,
    }
    return next((reason for reason, holds in reasons.items() if holds), "")


def _within(rules: Any, sign: Sign, lying: Lying) -> int:
    """What of the chips on a spot plays: the excess over the maximum is given back before the number is cleared.

    Chips are not cut: a maximum between two numbers of chips is the lower one.
    """
    if sign.max is None:
        return lying.amount
    most = sign.max - sign.max % sign.chip
    return min(lying.amount, most) if rules.limits.maximum_of == "spot" else lying.chips * min(lying.value, most)


def _cleared(rules: Any, spot: Spot, played: int, number: int) -> tuple[int, int]:
    """What of a stake comes back, and what it is paid beside."""
    if spot.numbers is not None and number in spot.numbers:
        table = "even_chance" if spot.kind in EVEN_CHANCES else spot.kind
        return played, whole(played * odds(getattr(rules.odds, table)))
    if number != 0 or spot.kind not in ("dozen", "column", *EVEN_CHANCES):
        return 0, 0
    on_zero = getattr(rules.zero, "even_chance" if spot.kind in EVEN_CHANCES else spot.kind)
    share = {"taken": Fraction(0), "halved": Fraction(1, 2), "returned": Fraction(1)}[on_zero]
    return whole(played * share), 0
