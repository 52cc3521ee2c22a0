"""Figures as people read them: amounts in their currency, numbers with thousands apart, cards with their suits."""

from datetime import UTC, datetime
from typing import Any, Final, NamedTuple

from domain.money import CURRENCIES

SUITS: Final = {"c": ("♣", "clubs"), "d": ("♦", "diamonds"), "h": ("♥", "hearts"), "s": ("♠", "spades")}
_RANKS: Final = {"A": "ace", "K": "king", "Q": "queen", "J": "jack", "T": "ten"}
NOTHING: Final = "–"
MINUS: Final = "−"
NARROW: Final = "\u202f"  # between thousands: never breaks, and no mark that another country reads as a decimal


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
    text = f"{sign}{_thousands(whole)}.{part:0{decimals}d}" if decimals else f"{sign}{_thousands(whole)}"
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
    return NOTHING if ratio is None else f"{100 * ratio:.1f} %".replace("-", MINUS)


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
    return NOTHING if at is None else at.astimezone(UTC).strftime("%Y-%m-%d %H:%M:%S")


def millionths(text: str, currency: str) -> str:
    """Millionths of a minor unit in whole units, with every decimal that they have: `10 000.3512`."""
    value, decimals = int(text), CURRENCIES.get(currency, 2) + 6
    whole, part = divmod(abs(value), 10**decimals)
    least = CURRENCIES.get(currency, 2)
    digits = f"{part:0{decimals}d}".rstrip("0").ljust(least, "0")
    return f"{MINUS if value < 0 else ''}{_thousands(whole)}{'.' if digits else ''}{digits}"


def _card(pair: str) -> Card:
    rank, suit = pair[0], pair[1]
    sign, word = SUITS[suit]
    return Card("10" if rank == "T" else rank, sign, suit in "dh", f"{_RANKS.get(rank, rank)} of {word}")


def _thousands(value: int) -> str:
    return f"{value:,}".replace(",", NARROW)


FILTERS: Final[dict[str, Any]] = {
    "amount": amount,
    "signed": signed,
    "number": number,
    "percent": percent,
    "cards": cards,
    "clock": clock,
    "moment": moment,
    "millionths": millionths,
}
