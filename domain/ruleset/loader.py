"""From the text of a file to a ruleset: parse, check shape and sense, report every problem with its line."""

import re
import tomllib
from functools import cache
from importlib import import_module
from pathlib import Path as FilePath
from typing import Any, Final

import msgspec

from domain.ruleset.base import Flaw, Header, InvalidRulesetError, Problem, Ruleset
from domain.ruleset.lines import Lines
from domain.ruleset.strict import flaws

ENGINES: Final[dict[str, tuple[str, str]]] = {
    "stud": ("domain.ruleset.stud:StudRules", "domain.engine.stud.prepare"),
    "holdem": ("domain.ruleset.holdem:HoldemRules", "domain.engine.holdem.prepare"),
    "roulette": ("domain.ruleset.roulette:RouletteRules", "domain.engine.roulette.prepare"),
}
"""Engine name -> where the shape of its rules is, and the module that offers `flaws(rules)` and `prepare(rules)`.

Named by text and imported when first needed: `settle` of one game need not build the tables of the others.
"""

SHIPPED: Final = FilePath(__file__).parent.parent / "rulesets"
_TOML_PLACE: Final = re.compile(r" \(at line (\d+), column (\d+)\)$")
_HEADER_KEYS: Final = tuple(field.name for field in msgspec.structs.fields(Header))


def load_text(text: str, origin: str = "ruleset") -> Ruleset:
    """The ruleset that `text` describes. Raises InvalidRulesetError with all problems found."""
    document = _parsed(text, origin)
    head = {key: document.pop(key) for key in _HEADER_KEYS if key in document}
    found = list(flaws(head, Header))
    engine = head.get("engine")
    if engine not in ENGINES:
        if engine is not None:
            found.append(Flaw(("engine",), f"unknown engine {engine!r}; known are {', '.join(ENGINES)}"))
        raise _invalid(text, origin, found)
    shape_place, prepare_place = ENGINES[engine]
    module_name, _, shape_name = shape_place.partition(":")
    shape: type[msgspec.Struct] = getattr(import_module(module_name), shape_name)
    found += flaws(document, shape)
    if found:
        raise _invalid(text, origin, found)
    rules = msgspec.convert(document, shape)
    family = import_module(prepare_place)
    if found := list(family.flaws(rules)):
        raise _invalid(text, origin, found)
    return Ruleset(msgspec.convert(head, Header), rules, family.prepare(rules), text)


def load_file(path: FilePath) -> Ruleset:
    """The ruleset in a file, which must be named after its id. Raises InvalidRulesetError, OSError."""
    try:
        text = path.read_bytes().decode()
    except UnicodeDecodeError as error:
        raise InvalidRulesetError(path.name, [Problem(0, "", f"not UTF-8: {error}")]) from error
    ruleset = load_text(text, path.name)
    if ruleset.id != path.stem:
        raise _invalid(text, path.name, [Flaw(("id",), f"{ruleset.id!r} must be the file's name, {path.stem!r}")])
    return ruleset


@cache
def shipped_ids() -> tuple[str, ...]:
    """The ids of the sheets that come with the program, in alphabetical order."""
    return tuple(sorted(path.stem for path in SHIPPED.glob("*.toml")))


@cache
def shipped(ruleset_id: str) -> Ruleset:
    """A sheet that comes with the program. Raises KeyError for an id it has not."""
    if ruleset_id not in shipped_ids():
        raise KeyError(ruleset_id)
    return load_file(SHIPPED / f"{ruleset_id}.toml")


def _parsed(text: str, origin: str) -> dict[str, Any]:
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        message = str(error)
        place = _TOML_PLACE.search(message)
        line = int(place[1]) if place else len(text.splitlines())
        raise InvalidRulesetError(origin, [Problem(line, "", f"not TOML: {_TOML_PLACE.sub('', message)}")]) from error


def _invalid(text: str, origin: str, found: list[Flaw]) -> InvalidRulesetError:
    lines = Lines(text)
    problems = [Problem(lines.of(path), ".".join(map(str, path)), message) for path, message in found]
    return InvalidRulesetError(origin, sorted(problems))
