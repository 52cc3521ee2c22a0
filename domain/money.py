"""Money: whole minor units of a currency in plain integers; jackpot meters in millionths of one. No floats anywhere."""

MICRO = 1_000_000
"""Millionths in one minor unit, and parts in a whole for rates given in ppm."""

CURRENCIES: dict[str, int] = {"EUR": 2, "RON": 2, "UAH": 2, "RUB": 2, "USD": 2, "GBP": 2}
"""The currencies the house deals in, and how many decimals their minor unit has."""


def text(amount: int, currency: str) -> str:
    """An amount as people write it: `text(123456, "EUR")` is "1,234.56 EUR"."""
    decimals = CURRENCIES.get(currency, 2)
    sign = "-" if amount < 0 else ""
    whole, part = divmod(abs(amount), 10**decimals)
    return f"{sign}{whole:,}.{part:0{decimals}d} {currency}"
