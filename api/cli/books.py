"""`export`, `state`, `edge`: taking figures out."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import psycopg
import typer

from api.cli import rules
from api.cli.days import check_day
from api.cli.output import errors, people, print_json
from api.cli.reading import Reading
from api.cli.service import Json

FORMATS = ("jsonl", "csv", "xlsx", "parquet", "beancount")


def add_to(app: typer.Typer) -> None:
    """Add these commands to the program."""
    app.command(cls=Reading)(export)
    app.command(cls=Reading)(state)
    app.command()(rules.edge)


def export(
    *,
    out: Annotated[Path, typer.Option(help="The file to write.")],
    file_format: Annotated[str, typer.Option("--format", help=f"One of: {', '.join(FORMATS)}.")] = "jsonl",
    day: Annotated[str | None, typer.Option(help="Only this gaming day, YYYY-MM-DD.")] = None,
    first_day: Annotated[str | None, typer.Option("--from", help="Books from this gaming day on, YYYY-MM-DD.")] = None,
    last_day: Annotated[str | None, typer.Option("--to", help="Books up to and with this gaming day.")] = None,
    chart: Annotated[Path | None, typer.Option(help="TOML file that names the accounts of the books.")] = None,
    log: Annotated[bool, typer.Option("--log", help="With parquet: the log itself instead of the books.")] = False,
    as_json: Json = False,
) -> None:
    """Write the log (jsonl; parquet with --log) or the books (csv, xlsx, parquet, beancount) to a file for others."""
    from api.cli.exporting import export_books, export_jsonl, export_log_parquet
    from api.cli.place import joined
    from api.viewed import shown_at
    from projections.catch_up import run_until
    from projections.chart import Chart, ChartError, load

    whole_log = file_format == "jsonl" or log
    _check_export(file_format, out, (day, first_day, last_day))
    if whole_log and (file_format not in ("jsonl", "parquet") or first_day or last_day or chart):
        raise typer.BadParameter("the log goes out as jsonl or parquet and takes --day; the rest is for the books")
    try:
        named = Chart() if chart is None else load(chart)
    except ChartError as error:
        raise typer.BadParameter(str(error), param_hint="--chart") from error
    with joined() as place, psycopg.connect(place.conninfo, autocommit=True) as conn:
        if whole_log:
            document = (export_jsonl if file_format == "jsonl" else export_log_parquet)(conn, out, day)
        else:
            run_until(place.conninfo)
            site, first, last = place.settings.site, day or first_day, day or last_day
            document = export_books(conn, out, file_format, site=site, chart=named, first_day=first, last_day=last)
    shown_at(document["position"])
    if as_json:
        print_json(document)
    else:
        people.print(f"{document['rows']} rows to {document['file']}, the log at {document['position']}", markup=False)


def _check_export(file_format: str, out: Path, days: tuple[str | None, ...]) -> None:
    """Raises BadParameter for what cannot be meant."""
    if file_format not in FORMATS:
        raise typer.BadParameter(f"unknown format {file_format!r}; one of {', '.join(FORMATS)}")
    if not out.absolute().parent.is_dir():
        raise typer.BadParameter(f"there is no directory {str(out.absolute().parent)!r}", param_hint="--out")
    if out.is_symlink() or (out.exists() and not out.is_file()):
        raise typer.BadParameter(
            f"{str(out)!r} is no plain file, and a new file would take its place", param_hint="--out"
        )
    only, first, last = days
    if only and (first or last):
        raise typer.BadParameter("--day is one day; --from and --to are for several")
    for day in filter(None, days):
        check_day(day)


def state(
    table: Annotated[str, typer.Option(help="The table's name.")],
    at: Annotated[str | None, typer.Option(help="As it stood at this position of the log, or time; else now.")] = None,
    as_json: Json = False,
) -> None:
    """A table as it stood at a position of the log or a moment: session, tray, the round on the felt."""
    from api.cli.comparing import position_of
    from api.cli.place import joined
    from api.stating import NoSuchStateError, table_state
    from api.viewed import shown_at

    with joined() as place, psycopg.connect(place.conninfo, autocommit=True) as conn:
        try:
            document = table_state(conn, table, None if at is None else position_of(conn, at))
        except NoSuchStateError as error:
            errors.print(str(error), style="red", markup=False)
            raise typer.Exit(2) from error
    shown_at(document["position"])
    if as_json:
        print_json(document)
    else:
        people.print_json(json.dumps(document))
