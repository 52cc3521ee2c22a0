"""`export`, `state`, `edge`: taking figures out."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from api.cli import rules
from api.cli.output import people, print_json
from api.cli.service import Json

FORMATS = ("jsonl",)


def add_to(app: typer.Typer) -> None:
    """Add these commands to the program."""
    app.command()(export)
    app.command()(state)
    app.command()(rules.edge)


def export(
    out: Annotated[Path, typer.Option(help="The file to write.")],
    file_format: Annotated[str, typer.Option("--format", help=f"One of: {', '.join(FORMATS)}.")] = "jsonl",
    day: Annotated[str | None, typer.Option(help="Only this gaming day, YYYY-MM-DD.")] = None,
    as_json: Json = False,
) -> None:
    """Write the log, in its order, to a file that other programs read."""
    from projections.export import export as write

    from api.cli.place import joined

    if file_format not in FORMATS:
        raise typer.BadParameter(f"unknown format {file_format!r}; one of {', '.join(FORMATS)}")
    with joined() as place:
        document = write(place.database_url, file_format=file_format, out=out, day=day)
    if as_json:
        print_json(document)
    else:
        people.print(
            f"{document['rows']} rows to {document['file']}, the log being at {document['position']}", markup=False
        )


def state(
    table: Annotated[str, typer.Option(help="The table's name.")],
    at: Annotated[int | None, typer.Option(min=0, help="As it stood at this position of the log; else now.")] = None,
    as_json: Json = False,
) -> None:
    """A table as it stood at a position of the log: session, tray, the round on the felt."""
    from projections.state import table_state

    from api.cli.place import joined

    with joined() as place:
        document = table_state(place.database_url, table, at)
    if as_json:
        print_json(document)
    else:
        people.print_json(json.dumps(document))
