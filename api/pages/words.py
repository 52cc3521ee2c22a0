"""Figures as people read them: amounts in their currency, numbers with thousands apart, cards with their suits."""

from datetime import UTC, date, datetime
from typing import Any, Final, NamedTuple

from api.i18n import numbers
from api.i18n.catalogue import gettext, later
from api.pages.terms import term
from domain.money import CURRENCIES

SUITS: Final = {"c": "♣", "d": "♦", "h": "♥", "s": "♠"}
_SUIT_NAMES: Final = {"c": later("clubs"), "d": later("diamonds"), "h": later("hearts"), "s": later("spades")}
_RANKS: Final = {
    "A": later("ace"),
    "K": later("king"),
    "Q": later("queen"),
    "J": later("jack"),
    "T": later("ten"),
}
NOTHING: Final = "–"
MINUS: Final = "−"


class Card(NamedTuple):
    """A card to show: `10♥`, red, "ten of hearts"."""

    rank: str
    suit: str
    is_red: bool
    name: str


def amount(minor: int | None, currency: str, *, with_currency: bool = False) -> str:
    """An amount in whole units and decimals: `12 345.67`."""
    if minor is None:
        return NOTHING
    decimals = CURRENCIES.get(currency, 2)
    whole, part = divmod(abs(minor), 10**decimals)
    sign = MINUS if minor < 0 else ""
    text = f"{sign}{_thousands(whole)}"
    if decimals:
        text += f"{numbers.marks().decimal}{part:0{decimals}d}"
    return f"{text} {currency}" if with_currency else text


def signed(minor: int | None, currency: str) -> str:
    """An amount that won or lost, its sign always there."""
    if minor is None:
        return NOTHING
    return f"+{amount(minor, currency)}" if minor > 0 else amount(minor, currency)


def number(value: int | None) -> str:
    """A count with thousands apart."""
    if value is None:
        return NOTHING
    return (MINUS if value < 0 else "") + _thousands(abs(value))


def percent(ratio: float | None) -> str:
    """A ratio as per cent with one decimal."""
    if ratio is None:
        return NOTHING
    return f"{100 * ratio:.1f}".replace("-", MINUS).replace(".", numbers.marks().decimal) + " %"


def cards(text: str | None) -> list[Card]:
    """The cards of `As Td`."""
    packed = (text or "").replace(" ", "")
    pairs = [packed[n : n + 2] for n in range(0, len(packed), 2)]
    return [_card(pair) for pair in pairs if len(pair) == 2 and pair[1] in SUITS]


def clock(moment: datetime | None) -> str:
    """A time of day in UTC."""
    return NOTHING if moment is None else moment.astimezone(UTC).strftime("%H:%M")


def moment(at: datetime | None) -> str:
    """Day and time in UTC, to the second."""
    return NOTHING if at is None else numbers.moment(at)


def day(of: date | str | None) -> str:
    """A date, or a gaming day by its name."""
    if not of:
        return NOTHING
    return numbers.day(date.fromisoformat(of) if isinstance(of, str) else of)


def millionths(text: str, currency: str) -> str:
    """Millionths of a minor unit in whole units, with every decimal that they have: `10 000.3512`."""
    value, decimals = int(text), CURRENCIES.get(currency, 2) + 6
    whole, part = divmod(abs(value), 10**decimals)
    least = CURRENCIES.get(currency, 2)
    digits = f"{part:0{decimals}d}".rstrip("0").ljust(least, "0")
    return f"{MINUS if value < 0 else ''}{_thousands(whole)}{numbers.marks().decimal if digits else ''}{digits}"


def _card(pair: str) -> Card:
    rank, suit = pair[0], pair[1]
    ranked = gettext(_RANKS[rank]) if rank in _RANKS else rank
    name = gettext("%(rank)s of %(suit)s") % {"rank": ranked, "suit": gettext(_SUIT_NAMES[suit])}
    return Card("10" if rank == "T" else rank, SUITS[suit], suit in "dh", name)


def _thousands(value: int) -> str:
    return f"{value:,}".replace(",", numbers.marks().group)


FILTERS: Final[dict[str, Any]] = {
    "amount": amount,
    "signed": signed,
    "number": number,
    "percent": percent,
    "cards": cards,
    "clock": clock,
    "term": term,
    "day": day,
    "moment": moment,
    "millionths": millionths,
}
