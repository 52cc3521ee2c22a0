"""A sheet as a person would read it: part by part, every rule with its clause, what is not offered said aloud.

Nothing here knows a game: parts, names and values come from the ruleset's own data and the shapes that describe it.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple, get_args, get_type_hints

from msgspec import Struct
from msgspec.structs import fields

from domain.ruleset.base import Ruleset
from domain.ruleset.boxes import Money

_FIELD_NOTE = re.compile(r"(?<=\.) (?=[a-z_]+(?: absent)?: )")
"""Where the first line of a part's description goes on to describe a field: the report tells the field itself."""


class Line(NamedTuple):
    """One rule: what it is about and what holds. clause is empty where it is that of its section."""

    label: str
    value: str
    clause: str = ""


class Section(NamedTuple):
    """One part of a sheet: its title, its clause, what the part is for, and its rules."""

    title: str
    clause: str
    meaning: str
    lines: tuple[Line, ...]


def sections(ruleset: Ruleset) -> tuple[Section, ...]:
    """The parts of a sheet in the order of the engine's shape; of a list of parts, each is one."""
    found: list[Section] = []
    for field in fields(ruleset.rules):
        value = getattr(ruleset.rules, field.name)
        parts = value if isinstance(value, tuple) else (value,)
        found += (_section(_words(field.name), part) for part in parts if isinstance(part, Struct))
    return tuple(found)


def not_offered(ruleset: Ruleset) -> tuple[str, ...]:
    """The parts that the engine knows and this sheet has not."""
    return tuple(_words(f.name) for f in fields(ruleset.rules) if getattr(ruleset.rules, f.name) in (None, ()))


def show(ruleset: Ruleset) -> str:
    """The whole sheet as text, for reading on a screen or on paper."""
    header = ruleset.header
    head = [f"{ruleset.name} ({ruleset.id})", f"{ruleset.engine} engine, digest {ruleset.digest[:12]}", header.source]
    text = [*head, *([header.note] if header.note else [])]
    for section in sections(ruleset):
        text += ["", f"{section.title}{_in_brackets(section.clause)}"]
        text += [f"  {section.meaning}"] if section.meaning else []
        width = max((len(line.label) for line in section.lines), default=0)
        text += [f"  {line.label:{width}}  {line.value}{_in_brackets(line.clause)}" for line in section.lines]
    absent = not_offered(ruleset)
    if absent:
        text += ["", f"Not offered: {', '.join(absent).lower()}"]
    return "\n".join(line.rstrip() for line in text) + "\n"


def report(ruleset: Ruleset) -> list[str]:
    """What `rules check` has to say of a sound sheet: what it leaves out, and aloud what it is worth to the house."""
    # Imported here: a sheet can be read without the engine that plays it, but not judged.
    from domain.edge import remarks

    absent = not_offered(ruleset)
    said = [f"not offered: {', '.join(absent).lower()}"] if absent else []
    said += [ruleset.header.note] if ruleset.header.note else []
    return said + remarks(ruleset)


def _in_brackets(clause: str) -> str:
    return f"  [{clause}]" if clause else ""


def _section(title: str, part: Struct) -> Section:
    clause = getattr(part, "clause", "")
    name = getattr(part, "name", "")
    said = (type(part).__doc__ or "").strip().partition("\n")[0]
    meaning = _FIELD_NOTE.split(said)[0]
    return Section(f"{title}: {name}" if name else title, clause, meaning, tuple(_lines(part, "", clause)))


def _lines(part: Struct, prefix: str, under: str) -> Iterator[Line]:
    """The rules of a part; a part within it puts its name before theirs, and its clause behind where it is another."""
    shapes = get_type_hints(type(part), include_extras=True)
    own = getattr(part, "clause", under)
    clause = own if own != under else ""
    for field in fields(part):
        value = getattr(part, field.name)
        if field.name in ("clause", "name") or value is None or value in ((), {}):
            continue
        label = f"{prefix}{_words(field.name).lower()}"
        for about, item in _spread(label, value):
            if isinstance(item, Struct) and _is_pair(item):
                yield Line(about, ", ".join(f"{rest.label} {rest.value}" for rest in _lines(item, "", own)), clause)
            elif isinstance(item, Struct):
                yield from _lines(item, f"{about}, ", own)
            else:
                yield Line(about, _value(item, is_money=_holds_money(shapes[field.name])), clause)


def _spread(label: str, value: Any) -> Iterator[tuple[str, Any]]:
    """What a field holds, one at a time: the entries of a table, the parts of a list, or the value itself."""
    if isinstance(value, Mapping):
        yield from ((f"{label}: {_words(key).lower()}", item) for key, item in value.items())
    elif isinstance(value, tuple) and isinstance(value[0], Struct):
        numbered = len(value) > 1
        yield from ((f"{label} {at}" if numbered else label, item) for at, item in enumerate(value, start=1))
    else:
        yield label, value


def _is_pair(part: Struct) -> bool:
    """A small part, such as a chip and its units, which one line tells: nothing within it, no clause of its own."""
    values = [getattr(part, field.name) for field in fields(part)]
    return not hasattr(part, "clause") and all(isinstance(value, (str, int)) for value in values)


def _holds_money(shape: Any) -> bool:
    return bool(shape == Money) or any(_holds_money(inner) for inner in get_args(shape) if shape != Money)


def _value(value: Any, *, is_money: bool, joiner: str = ", ") -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, tuple):
        return joiner.join(_value(item, is_money=is_money, joiner="-") for item in value)
    if is_money and isinstance(value, int):
        return f"{value // 100:,}.{value % 100:02}"
    return str(value)


def _words(name: str) -> str:
    return name.replace("_", " ").capitalize()
