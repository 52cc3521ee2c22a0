"""`export`, `state`, `edge`: taking figures out."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import psycopg
import typer

from api.cli import rules
from api.cli.output import errors, people, print_json
from api.cli.service import Json

FORMATS = ("jsonl",)


def add_to(app: typer.Typer) -> None:
    """Add these commands to the program."""
    app.command()(export)
    app.command()(state)
    app.command()(rules.edge)


def export(
    *,
    out: Annotated[Path, typer.Option(help="The file to write.")],
    file_format: Annotated[str, typer.Option("--format", help=f"One of: {', '.join(FORMATS)}.")] = "jsonl",
    day: Annotated[str | None, typer.Option(help="Only this gaming day, YYYY-MM-DD.")] = None,
    as_json: Json = False,
) -> None:
    """Write the log, in its order, to a file that other programs read."""
    from api.cli.exporting import export_jsonl
    from api.cli.place import joined

    if file_format not in FORMATS:
        raise typer.BadParameter(f"unknown format {file_format!r}; one of {', '.join(FORMATS)}")
    if not out.absolute().parent.is_dir():
        raise typer.BadParameter(f"there is no directory {str(out.absolute().parent)!r}", param_hint="--out")
    with joined() as place, psycopg.connect(place.conninfo, autocommit=True) as conn:
        document = export_jsonl(conn, out, day)
    if as_json:
        print_json(document)
    else:
        people.print(f"{document['rows']} rows to {document['file']}, the log at {document['position']}", markup=False)


def state(
    table: Annotated[str, typer.Option(help="The table's name.")],
    at: Annotated[int | None, typer.Option(min=0, help="As it stood at this position of the log; else now.")] = None,
    as_json: Json = False,
) -> None:
    """A table as it stood at a position of the log: session, tray, the round on the felt."""
    from api.cli.place import joined
    from api.cli.stating import NoSuchStateError, table_state

    with joined() as place, psycopg.connect(place.conninfo, autocommit=True) as conn:
        try:
            document = table_state(conn, table, at)
        except NoSuchStateError as error:
            errors.print(str(error), style="red", markup=False)
            raise typer.Exit(2) from error
    if as_json:
        print_json(document)
    else:
        people.print_json(json.dumps(document))
