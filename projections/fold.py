"""What a projection is: a name, a version, its topics, and a pure fold from a batch of events to changes.

`fold` reads nothing but the batch and the context it is given, and writes nothing. `load` fetches that context before
(only what the log or this projection's own tables say), `store` writes the changes after, in the runner's transaction.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar, Protocol, TypeVar

import psycopg

from projections.log_reader import Batch

C = TypeVar("C")


class FoldError(Exception):
    """An event that a fold cannot take: the projection stops there, loudly."""

    def __init__(self, position: int, cause: str) -> None:
        super().__init__(f"position {position}: {cause}")
        self.position = position
        self.cause = cause


class Projection(Protocol[C]):
    """One read model.

    version counts the shape of the fold: another version builds beside and takes the place of the one before.
    tables: what it keeps, in schema `views` (and, while building, in `views_build`).
    """

    name: ClassVar[str]
    version: ClassVar[int]
    topics: ClassVar[frozenset[str]]
    tables: ClassVar[Sequence[str]]

    def load(self, conn: psycopg.Connection[Any], schema: str, batch: Batch) -> None:
        """Fetch the context that `fold` needs for this batch. Raises FoldError where the log has none."""
        ...

    def fold(self, batch: Batch) -> C:
        """The changes that the batch makes. Pure: may only move what this object keeps in memory."""
        ...

    def store(self, cursor: psycopg.Cursor[Any], schema: str, changes: C) -> None:
        """Write the changes with few statements."""
        ...

    def forget(self) -> None:
        """Drop everything kept in memory: a commit failed, or somebody else moved the tables."""
        ...
