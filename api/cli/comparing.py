"""`compare`: what was known of a gaming day at two moments, and who made the difference."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Annotated, Any

import msgspec
import psycopg
import typer

from api.cli.days import check_day
from api.cli.output import errors, people, print_json, print_table
from api.cli.reading import Reading
from api.cli.searching import moment
from api.cli.service import Json

if TYPE_CHECKING:
    from projections.reads.compared import Changed, Comparison

SHOWN = 10


def add_to(app: typer.Typer) -> None:
    """Add the command to the program."""
    app.command(cls=Reading)(compare)


def compare(
    *,
    at: Annotated[str, typer.Option("--at", help="A position of the log, or a time (RFC 3339).")],
    then: Annotated[str, typer.Option("--and", help="A later one.")],
    day: Annotated[str | None, typer.Option(help="Only this gaming day, YYYY-MM-DD.", callback=check_day)] = None,
    as_json: Json = False,
) -> None:
    """Compare what hold was known to be at two moments: each figure that differs, with the events that made it."""
    from api.cli.place import joined
    from api.viewed import shown_at
    from projections.catch_up import run_until
    from projections.reads.compared import TooMuchError
    from projections.reads.compared import compare as hold_together

    with joined() as place:
        run_until(place.conninfo)
        with psycopg.connect(place.conninfo, autocommit=True) as conn:
            first, second = position_of(conn, at, "--at"), position_of(conn, then, "--and")
            if first > second:
                raise typer.BadParameter(f"position {second} lies before {first}", param_hint="--and")
            try:
                found = hold_together(conn, first, second, day=day)
            except TooMuchError as error:
                errors.print(str(error), style="red", markup=False)
                raise typer.Exit(2) from error
    shown_at(found.second)
    if as_json:
        print_json(msgspec.json.decode(msgspec.json.encode(found)))
    else:
        _tell(found)


def position_of(conn: psycopg.Connection[Any], text: str, option: str = "--at") -> int:
    """The position that a text names, or the last one recorded up to the time that it names. Raises BadParameter."""
    from projections.reads.moments import position_before
    from projections.reads.snapshot import snapshot

    if text.isascii() and text.isdigit() and len(text) < 19:
        return int(text)
    named = moment(text, option)
    assert named is not None, "a text was given"
    with snapshot(conn) as look:
        return position_before(look, named + timedelta(microseconds=1))


def _tell(found: Comparison) -> None:
    if not found.days:
        people.print(f"nothing is known at {found.second} that was not known at {found.first}")
    for day in found.days:
        for one in day.changes:
            _tell_changed(day.gaming_day, one)


def _tell_changed(day: str, one: Changed) -> None:
    def figure(of: int | None, unknown: str = "unknown") -> str:
        return unknown if of is None else _figure(one.figure, of, one.currency)

    by = "" if one.difference is None else f", {figure(one.difference)}"
    title = f"{day}, {one.table or 'all tables'}: {one.figure} {figure(one.first)} -> {figure(one.second)}{by}"
    rows = [
        (c.position, c.recorded_at, c.actor, c.approver, c.type, c.round, c.why, figure(c.amount, ""))
        for c in one.causes[:SHOWN]
    ]
    columns = ["position", "recorded", "who", "agreed", "event", "round", "why", "part"]
    print_table(title, columns, rows, right=["position", "part"])
    rest = len(one.causes) - len(rows) + one.more
    if rest:
        people.print(f"and {rest} earlier ones")
    if one.explained is False:
        people.print("these do not add up to the difference", style="yellow")


def _figure(name: str, value: int, currency: str) -> str:
    from domain.money import text

    return str(value) if name == "rounds" else text(value, currency)
