"""A ruleset made ready to play, and what is said of a file that is none."""

import hashlib
from typing import Annotated, Any, NamedTuple, Protocol

from msgspec import Meta, Struct

Path = tuple[str | int, ...]
"""Where in a ruleset file: keys and, in arrays, indexes from 0."""

Text = Annotated[str, Meta(min_length=1, max_length=400)]
Clause = Annotated[str, Meta(pattern=r"^[A-Z][A-Za-z0-9]*\.[a-z0-9-]+$")]
"""A clause of the sheet, named so that a payout can say why: letter of the sheet, dot, a word ("R.insurance")."""


class Header(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The top of every ruleset file: which sheet this is and which engine plays it."""

    id: Annotated[str, Meta(pattern=r"^[a-z0-9][a-z0-9.-]{0,39}$")]
    name: Text
    engine: str
    source: Text
    note: str = ""


class Problem(NamedTuple):
    """One thing wrong with a ruleset file. line counts from 1; 0 where the file as a whole is meant."""

    line: int
    where: str
    message: str

    def __str__(self) -> str:
        return f"line {self.line}: {self.where}: {self.message}" if self.where else f"line {self.line}: {self.message}"


class Flaw(NamedTuple):
    """A rule that is well-formed and still cannot stand, at its path in the file."""

    path: Path
    message: str


class InvalidRulesetError(ValueError):
    """A file that is not a ruleset: every problem found in it, in the order of its lines."""

    def __init__(self, origin: str, problems: list[Problem]) -> None:
        self.origin = origin
        self.problems = problems
        super().__init__("\n".join(f"{origin}: {p}" for p in problems))


class Prepared(Protocol):
    """What an engine makes of its rules. chip_step: the chip must be a multiple of it, so that nothing is rounded."""

    @property
    def chip_step(self) -> int: ...


class Ruleset:
    """A sheet ready to play. rules: as written; play: the engine's own tables made from them.

    digest is the SHA-256 (hex) of the file's UTF-8 bytes: two tables with one digest play by the same rules.
    """

    __slots__ = ("digest", "engine", "header", "id", "name", "play", "rules", "text")

    def __init__(self, header: Header, rules: Struct, play: Any, text: str) -> None:
        self.header = header
        self.id = header.id
        self.name = header.name
        self.engine = header.engine
        self.rules = rules
        self.play = play
        self.text = text
        self.digest = hashlib.sha256(text.encode()).hexdigest()

    @property
    def chip_step(self) -> int:
        """What the smallest chip must be a multiple of: 2 where the rules make halves."""
        prepared: Prepared = self.play
        return prepared.chip_step

    def __repr__(self) -> str:
        return f"Ruleset({self.id!r}, {self.digest[:12]})"
