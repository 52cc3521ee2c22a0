"""What the commands print: JSON for machines on standard output, tables for people, the rest on standard error."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.table import Table

if TYPE_CHECKING:
    from rich.progress import Progress

people = Console(highlight=False, soft_wrap=True)
"""Standard output for people. soft_wrap: a narrow pipe must not break a line that somebody greps."""

errors = Console(stderr=True, highlight=False, soft_wrap=True)


def print_json(document: Mapping[str, Any]) -> None:
    """One JSON object, one line, flushed: a reader at the other end of a pipe has it whole."""
    sys.stdout.write(json.dumps(document, ensure_ascii=False) + "\n")
    sys.stdout.flush()


def print_table(
    title: str, columns: Sequence[str], rows: Iterable[Sequence[object]], *, right: Sequence[str] = ()
) -> None:
    """A table for people; the columns named in `right` hold figures."""
    table = Table(title=title, title_justify="left", header_style="bold")
    for column in columns:
        table.add_column(column, justify="right" if column in right else "left", overflow="fold")
    for row in rows:
        table.add_row(*("" if cell is None else str(cell) for cell in row))
    people.print(table)


@contextmanager
def progress(*, quiet: bool) -> Iterator[Progress]:
    """A progress bar on standard error; nothing where a machine reads or nobody looks."""
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    bar = Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        console=errors,
        transient=True,
        disable=quiet or not errors.is_terminal,
    )
    with bar:
        yield bar
