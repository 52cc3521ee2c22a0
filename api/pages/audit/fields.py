"""An event's fields as people read them: amounts in their currency; what stands elsewhere on the page left out."""

from collections.abc import Mapping
from typing import Any, Final

from api.pages import words
from projections.terms import is_amount

_ELSEWHERE: Final = frozenset({"round", "box", "table", "wager"})
_LONG: Final = 160


def said(data: Mapping[str, Any], currency: str = "") -> str:
    """Everything an event says, in a line. currency "": amounts stay in minor units."""
    parts = [f"{name.replace('_', ' ')} {_value(name, of, currency)}" for name, of in data.items() if _is_told(name)]
    return ", ".join(parts)


def _is_told(name: str) -> bool:
    return name not in _ELSEWHERE


def _value(name: str, of: object, currency: str) -> str:
    if type(of) is int and currency and is_amount(name):
        return words.amount(of, currency)
    if isinstance(of, list):
        return "[" + "; ".join(_value(name, one, currency) for one in of[:20]) + "]"
    if isinstance(of, dict):
        return ", ".join(f"{inner} {_value(inner, one, currency)}" for inner, one in of.items())
    text = str(of)
    return text if len(text) <= _LONG else f"{text[:_LONG]}…"
