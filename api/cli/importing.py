"""`import`: the whole log from an export into an empty database, to the same chain head and the same figures."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Annotated, BinaryIO, Final

import psycopg
import typer

from api.cli.output import errors, people, print_json, progress
from api.cli.service import Json

WRONG, TROUBLE = 1, 2
LINE: Final = 20_000_001
"""One byte more than the longest line that is taken."""


def add_to(app: typer.Typer) -> None:
    """Add the command to the program."""
    app.command("import")(import_log)


def import_log(
    file: Annotated[Path, typer.Argument(exists=True, dir_okay=False, help="A whole export as JSON Lines.")],
    head: Annotated[
        str | None, typer.Option(help="The chain head that the export printed: refuse any other log.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Bring an export of the whole log into an empty database, prove it, and fold every view from it."""
    from api.cli.place import joined
    from deploy import import_log as bringing
    from deploy.migrate import migrate
    from projections.catch_up import run_until
    from projections.verify import verify

    with joined() as place, progress(quiet=as_json) as bar:
        # Rows go in verbatim: on somebody else's database the address given must be that of its owner.
        owner = place.superuser_url or place.database_url
        migrate(owner)
        task = bar.add_task("lines", total=None)
        try:
            with file.open("rb") as source:
                done = bringing.import_log(owner, _lines(source, lambda: bar.advance(task)), head=head)
        except (bringing.ImportRefusedError, psycopg.errors.InsufficientPrivilege) as error:
            errors.print(f"nothing was brought in: {str(error).strip()}", style="red", markup=False)
            raise typer.Exit(TROUBLE) from error
        with psycopg.connect(place.conninfo) as conn:
            verdict = verify(conn)
        run_until(place.conninfo)
    ok = verdict.ok and verdict.head == done.head and verdict.events == done.rows
    document = {"ok": ok, "file": str(file), "rows": done.rows, "position": done.position, "head": verdict.head}
    if as_json:
        print_json(document)
    else:
        people.print(f"{done.rows} events to position {done.position}, head {verdict.head}", markup=False)
    raise typer.Exit(0 if ok else WRONG)


def _lines(source: BinaryIO, read: Callable[[], None]) -> Iterator[bytes]:
    """Line by line, none of them longer than can be meant."""
    while line := source.readline(LINE):
        read()
        yield line
