"""One event of any kind with every field filled, by what its struct says of its fields and by nothing else."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import msgspec
from msgspec import inspect

from domain.events.base import Event, Meta

TEXT = 'Ωmega "quoted" \\ and\nmore'
NUMBER = 2**53 + 1
MOMENT = datetime(2026, 3, 14, 21, 5, 0, 123_456, tzinfo=UTC)


def filled(kind: type[Event]) -> Event:
    """Nothing in it is a default. Raises TypeError for a type of field that is new here."""
    return msgspec.convert(_value(inspect.type_info(kind)), kind)


def meta(number: int) -> Meta:
    """An envelope with every field filled."""
    data = _value(inspect.type_info(Meta))
    return msgspec.convert(data | {"event_id": f"e{number}", "gaming_day": "2026-03-14"}, Meta)


def _value(described: inspect.Type) -> Any:
    match described:
        case inspect.UnionType(types=types):
            return _value(next(one for one in types if not isinstance(one, inspect.NoneType)))
        case inspect.StructType(fields=fields, tag_field=tag_field, tag=tag):
            named = {} if tag_field is None else {tag_field: tag}
            return named | {field.encode_name: _value(field.type) for field in fields}
        case inspect.VarTupleType(item_type=item) | inspect.ListType(item_type=item):
            return [_value(item), _value(item)]
        case inspect.TupleType(item_types=items):
            return [_value(item) for item in items]
        case inspect.DictType(key_type=key, value_type=value):
            return {_value(key): _value(value)}
        case inspect.LiteralType(values=values):
            return values[-1]
        case inspect.StrType():
            return TEXT
        case inspect.IntType():
            return -NUMBER
        case inspect.BoolType():
            return True
        case inspect.DateTimeType():
            return MOMENT.isoformat()
        case _:
            raise TypeError(f"no example of {described}")
