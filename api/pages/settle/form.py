"""A round from a form's fields: amounts as people write them, empty fields left out.

What is wrong with the round is the engine's to say; here only numbers are read.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

from api.i18n.catalogue import gettext
from api.pages.form import minor_units
from domain.money import CURRENCIES

BOXES: Final = range(1, 8)
BETS: Final = range(1, 9)
MOST_MINOR: Final = 10**12
_DECIMAL: Final = re.compile(r"([0-9]{1,12})[.,]([0-9]{1,2})")

Fields = Mapping[str, str]


class FieldError(ValueError):
    """A field that cannot be read as a number; the message names it."""


def record_of(fields: Fields) -> dict[str, Any]:
    """The round record that the fields describe. Raises FieldError."""
    currency = fields.get("currency", "EUR")
    money = _Money(fields, currency)
    record: dict[str, Any] = {"ruleset": fields.get("ruleset", ""), "table": {"currency": currency, **money.sign()}}
    if bets := [bet for n in BETS if (bet := money.bet(n))]:
        return {**record, "bets": bets, "result": _result(fields)}
    record["boxes"] = [box for n in BOXES if (box := money.box(n))]
    dealer = {name: text for name in ("cards", "drawn") if (text := fields.get(f"dealer_{name}", "").strip())}
    if dealer:
        record["dealer"] = dealer
    if board := fields.get("board", "").strip():
        record["board"] = board
    meter = {name: sum_ for name in ("meter", "seed") if (sum_ := money.minor(name)) is not None}
    if meter:
        record["progressive"] = meter
    return record


def _result(fields: Fields) -> int | None:
    text = fields.get("result", "").strip()
    if not text:
        return None
    if not (text.isascii() and text.isdigit() and len(text) <= 2):
        detail = gettext("Number called: “%(given)s” is not a number from 0 to 36; leave it empty for no spin")
        raise FieldError(detail % {"given": text[:20]})
    return int(text)


class _Money:
    """The fields that hold amounts, in minor units of one currency."""

    def __init__(self, fields: Fields, currency: str) -> None:
        self._fields = fields
        self._currency = currency
        self._decimals = CURRENCIES.get(currency, 2)

    def minor(self, name: str) -> int | None:
        """`12.50` in minor units; None for an empty field."""
        text = re.sub(r"[\s\u00a0\u202f]", "", self._fields.get(name, ""))
        if not text:
            return None
        minor = self._read(text)
        if minor is None or minor > MOST_MINOR:
            given = {"field": name.replace("_", " "), "given": text[:30], "decimals": self._decimals}
            detail = gettext("%(field)s: “%(given)s” is not an amount with at most %(decimals)s decimals")
            raise FieldError(detail % given)
        return minor

    def _read(self, text: str) -> int | None:
        """One or two digits behind either mark are decimals; before three of them it is as the language has it."""
        match = _DECIMAL.fullmatch(text)
        if match is None or len(match[2]) > self._decimals:
            return minor_units(text, self._currency)
        return int(match[1] + match[2].ljust(self._decimals, "0"))

    def sign(self) -> dict[str, int]:
        """What stands on the table's sign, as far as it is filled in."""
        named = (("chip", "chip"), ("min", "min"), ("max", "max"), ("max_payout_per_box", "cap"))
        return {name: sum_ for name, field in named if (sum_ := self.minor(field)) is not None}

    def box(self, n: int) -> dict[str, Any] | None:
        """One box; None where no ante stands."""
        ante = self.minor(f"ante_{n}")
        if ante is None:
            return None
        text = {name: self._fields.get(f"{name}_{n}", "").strip() for name in ("player", "cards")}
        box: dict[str, Any] = {"box": n, "ante": ante, **{name: given for name, given in text.items() if given}}
        for stake in ("bonus", "jackpot"):
            if sum_ := self.minor(f"{stake}_{n}"):
                box[stake] = sum_
        if self._fields.get(f"decision_{n}") == "blind":
            return {**box, "blind": True}
        return {**box, "play": list(self._play(n))}

    def _play(self, n: int) -> Iterator[dict[str, Any]]:
        taken = self._fields.get(f"in_{n}", "").strip()
        given = self._fields.get(f"out_{n}", "").strip()
        if given:
            yield {"do": "swap", "out": given, "in": taken}
        elif taken:
            yield {"do": "buy", "in": taken}
        insured = self.minor(f"insure_{n}")
        if insured is not None:
            yield {"do": "insure", "amount": insured}
        decision = self._fields.get(f"decision_{n}", "bet")
        if decision in ("bet", "fold"):
            yield {"do": decision}
        if self._fields.get(f"dealer_card_{n}"):
            yield {"do": "dealer_card"}

    def bet(self, n: int) -> dict[str, Any] | None:
        """One roulette bet; None where none is named. Announced bets are staked by the unit."""
        on = self._fields.get(f"on_{n}", "").strip()
        if not on:
            return None
        announced = on.split()[0] in ("voisins", "tiers", "orphelins", "neighbours")
        player = self._fields.get(f"better_{n}", "").strip()
        bet: dict[str, Any] = {"player": player} if player else {}
        return {**bet, "on": on, "unit" if announced else "amount": self.minor(f"stake_{n}") or 0}
