"""Checking a document against its shape and finding all that is wrong with it, not only the first thing."""

from collections.abc import Iterator
from types import NoneType, UnionType
from typing import Annotated, Any, Union, get_args, get_origin

import msgspec
from msgspec import NODEFAULT, Struct
from msgspec.structs import fields

from domain.ruleset.base import Flaw, Path


def flaws(value: object, kind: Any, path: Path = ()) -> Iterator[Flaw]:
    """Every place where `value` is not a `kind`: unknown and missing fields, wrong types, numbers out of bounds."""
    kind = _without_none(kind)
    inner = get_args(kind)[0] if get_origin(kind) is Annotated else kind
    if isinstance(inner, type) and issubclass(inner, Struct) and isinstance(value, dict):
        yield from _of_struct(value, inner, path)
        return
    found: list[Flaw] = []
    if get_origin(inner) is dict and isinstance(value, dict):
        key_kind, item_kind = get_args(inner)
        for key, item in value.items():
            found += _of_leaf(key, key_kind, (*path, key))
            found += flaws(item, item_kind, (*path, key))
    elif get_origin(inner) is tuple and isinstance(value, list) and get_args(inner)[-1:] == (Ellipsis,):
        found += [flaw for i, item in enumerate(value) for flaw in flaws(item, get_args(inner)[0], (*path, i))]
    # Only a whole without a fault inside is looked at as a whole: its length, its type.
    yield from found or _of_leaf(value, kind, path)


def _of_struct(value: dict[str, Any], kind: type[Struct], path: Path) -> Iterator[Flaw]:
    known = {field.encode_name: field for field in fields(kind)}
    for key in value:
        if key not in known:
            yield Flaw((*path, key), f"unknown field; known here are {', '.join(sorted(known))}")
    for name, field in known.items():
        if name in value:
            yield from flaws(value[name], field.type, (*path, name))
        elif field.default is NODEFAULT and field.default_factory is NODEFAULT:
            yield Flaw(path, f"`{name}` is missing")


def _of_leaf(value: object, kind: Any, path: Path) -> Iterator[Flaw]:
    try:
        msgspec.convert(value, kind)
    except msgspec.ValidationError as error:
        yield Flaw(path, str(error))


def _without_none(kind: Any) -> Any:
    """The one type of `X | None`: TOML has no null, so an absent field is the only None."""
    if get_origin(kind) in (Union, UnionType):
        rest = [arg for arg in get_args(kind) if arg is not NoneType]
        if len(rest) == 1:
            return rest[0]
    return kind
