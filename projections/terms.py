"""The terms under which an event can be found: by its type, table, box, player, people, amounts and hands.

Two ways to the same words: `of_request` from what is looked for, `TermsOf` from events of one kind. What counts as an
amount is said here once: every whole number of an event, in its parts too, that is money by its name.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from operator import attrgetter
from typing import Any, Final

import msgspec
from msgspec import inspect

from domain.events.base import Event

STRETCH_BITS: Final = 10
"""Positions of one stretch differ in so many bits: 1024 of them."""

NO_AMOUNTS: Final = frozenset(
    {"box", "number", "wager", "level", "count", "version", "config_version", "ruleset_version", "winner", "winners"}
)
"""Whole numbers that are no money; of parts per million and millionths the names say so."""

HANDS: Final = ("hand", "second", "was", "now")
"""Fields that name a hand."""

Values = dict[str, set[Any]]
"""By kind of term the values that were found, None among them."""


def term(kind: str, value: object) -> str:
    """One term as it is stored, such as `amount:5000`."""
    return f"{kind}:{value}"


def is_amount(name: str) -> bool:
    """Whether a whole number of this name is money."""
    return name not in NO_AMOUNTS and not name.endswith(("_ppm", "_u"))


def amounts_of(data: object) -> Iterator[int]:
    """Every amount in an event's fields as plain values, those of its parts included."""
    if isinstance(data, dict):
        for name, value in data.items():
            if type(value) is int:
                if is_amount(name):
                    yield value
            elif not name.endswith(("_ppm", "_u")):
                yield from amounts_of(value)
    elif isinstance(data, list | tuple):
        for one in data:
            yield from amounts_of(one)


def table_of(stream: str) -> str | None:
    """The table that a stream belongs to."""
    return stream.split("/")[1] if stream.startswith("table/") else None


class TermsOf:
    """The terms of events of one kind, taken many at a time."""

    def __init__(self, kind: type[Event]) -> None:
        self._topic = kind.TOPIC
        self._fields: list[tuple[str, Callable[[Any], Any]]] = []
        self._has_parts = False
        described = inspect.type_info(kind)
        assert isinstance(described, inspect.StructType), "an event is a struct"
        for field in described.fields:
            self._learn(field)

    def _learn(self, field: inspect.Field) -> None:
        name, kinds = field.name, _kinds(field.type)
        if any(_holds_numbers(kind) for kind in kinds):
            self._has_parts = True
        is_text = any(isinstance(kind, inspect.StrType | inspect.LiteralType | inspect.EnumType) for kind in kinds)
        is_number = any(isinstance(kind, inspect.IntType) for kind in kinds)
        if (is_text and name in ("player", "table")) or (is_number and name == "box"):
            self._fields.append((name, attrgetter(name)))
        elif is_text and name in HANDS:
            self._fields.append(("either" if is_number else "hand", attrgetter(name)))
        elif is_number and is_amount(name):
            self._fields.append(("amount", attrgetter(name)))

    def gather(self, values: Values, metas: list[Any], events: list[Any]) -> None:
        """Add what some events and their envelopes say."""
        values["type"].add(self._topic)
        values["actor"].update(map(_ACTOR, metas))
        values["actor"].update(map(_APPROVER, metas))
        for kind, read in self._fields:
            values[kind].update(map(read, events))
        if self._has_parts:
            for event in events:
                values["amount"].update(amounts_of(msgspec.to_builtins(event)))


_ACTOR, _APPROVER = attrgetter("actor"), attrgetter("approver")


def terms_of(values: Values) -> set[str]:
    """What was gathered as terms. A correction's `was` may be an amount or a hand: its own type says which."""
    found = {term(kind, one) for kind, gathered in values.items() if kind != "either" for one in gathered}
    found |= {term("amount" if type(one) is int else "hand", one) for one in values.get("either", ())}
    return found - {term(kind, None) for kind in values} - {term("hand", None)}


def _kinds(described: inspect.Type) -> tuple[inspect.Type, ...]:
    return described.types if isinstance(described, inspect.UnionType) else (described,)


def _holds_numbers(described: inspect.Type) -> bool:
    """Whether a field has parts with amounts in them."""
    if isinstance(described, inspect.StructType):
        return any(_is_or_holds(field.name, kind) for field in described.fields for kind in _kinds(field.type))
    if isinstance(described, inspect.VarTupleType | inspect.ListType):
        return any(_holds_numbers(kind) for kind in _kinds(described.item_type))
    if isinstance(described, inspect.TupleType):
        return any(_holds_numbers(kind) for item in described.item_types for kind in _kinds(item))
    return isinstance(described, inspect.DictType)


def _is_or_holds(name: str, kind: inspect.Type) -> bool:
    return (isinstance(kind, inspect.IntType) and is_amount(name)) or _holds_numbers(kind)
