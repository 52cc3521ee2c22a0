"""`rebuild`, `explain`: the views made anew, and one round or jackpot told event by event."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Any

import msgspec
import psycopg
import typer

from api.cli.days import check_day
from api.cli.output import errors, people, print_json, print_table
from api.cli.reading import Reading
from api.cli.service import Json

if TYPE_CHECKING:
    from projections.reads.events import LoggedEvent
    from projections.reads.explain import Explained

_MOST_PARTS = 1_000
_NOT_SAID = ("round", "box", "wager")
"""Fields that a story has in columns of their own, or in its title."""


def add_to(app: typer.Typer) -> None:
    """Add these commands to the program."""
    app.command()(rebuild)
    app.command(cls=Reading)(explain)


def rebuild(
    projection: Annotated[str, typer.Argument(help="Its name, as `pitclerk lag` lists it.")],
    compare_only: Annotated[
        bool, typer.Option("--compare-only", help="Build and compare, but change nothing.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Build a view anew beside the one in use, compare the two, and put the new one in its place."""
    from api.cli.place import joined
    from projections.rebuild import BuildStoppedError, RebuildBusyError, UnknownProjectionError
    from projections.rebuild import rebuild as build

    try:
        with joined() as place:
            document: dict[str, Any] = {**build(place.conninfo, projection, swap=not compare_only)}
    except UnknownProjectionError as error:
        raise typer.BadParameter(str(error)) from error
    except (BuildStoppedError, RebuildBusyError) as error:
        errors.print(str(error), style="red", markup=False)
        raise typer.Exit(2) from error
    if as_json:
        print_json(document)
    else:
        people.print(
            f"{projection} version {document['version']}: {document['events']} events to position "
            f"{document['position']} in {document['seconds']:.1f} s"
        )
        if not document["compared"]:
            people.print("the view in use stood elsewhere, so the two were not compared")
        for one in document["differences"]:
            people.print(f"{one['table']}: {one['missing']} rows were missing, {one['extra']} too many", style="red")
    raise typer.Exit(1 if document["differences"] else 0)


def explain(
    what: Annotated[
        str, typer.Argument(metavar="ROUND|JACKPOT|FIGURE", help="A round's id, a progressive's, or a figure's name.")
    ],
    table: Annotated[str | None, typer.Option(help="Of a figure: only this table.")] = None,
    day: Annotated[
        str | None, typer.Option(help="Of a figure: only this gaming day, YYYY-MM-DD.", callback=check_day)
    ] = None,
    as_json: Json = False,
) -> None:
    """Tell a round event by event, each with its reason, a jackpot's meters, or the events that make a figure."""
    from api.cli.place import joined
    from api.viewed import shown_at
    from projections.catch_up import run_until

    with joined() as place:
        run_until(place.conninfo)
        with psycopg.connect(place.conninfo, autocommit=True) as conn:
            document = _figure(conn, what, table, day) or _story(conn, what) or _jackpot(conn, what)
    if document is None:
        errors.print(f"there is no round, progressive or figure {what!r}", style="red", markup=False)
        raise typer.Exit(2)
    shown_at(document["position"])
    if as_json:
        print_json(msgspec.json.decode(msgspec.json.encode(document)))
    elif "figures" in document:
        _open_up(document["figures"])
    elif "events" in document:
        _tell(what, document["events"])
    else:
        people.print_json(json.dumps(msgspec.json.decode(msgspec.json.encode(document))))


def _figure(conn: psycopg.Connection[Any], name: str, table: str | None, day: str | None) -> dict[str, Any] | None:
    from projections.explaining import FIGURES
    from projections.reads.explain import figure

    if name not in FIGURES:
        return None
    found = figure(conn, name, table=table, gaming_day=day, limit=_MOST_PARTS)
    return {"position": found.position, "figures": found.rows}


def _open_up(figures: Sequence[Explained]) -> None:
    """What each currency's figure is made of: the sums by kind of event, then the events."""
    for one in figures:
        value = "not known yet: " + ", ".join(one.missing) if one.value is None else f"{one.value} {one.unit}"
        by_type = [(kind, amount) for kind, amount in sorted(one.by_type.items())]
        print_table(f"{one.figure}, {one.currency}: {value}", ["event", "adds"], by_type, right=["adds"])
        rows = [
            (part.position, part.happened_at, part.actor, part.type, part.stream, part.amount) for part in one.parts
        ]
        columns = ["position", "at", "actor", "event", "stream", "adds"]
        print_table(f"{one.events} events", columns, rows, right=["position", "adds"])
        if one.next is not None:
            people.print(f"the first {len(one.parts)} are shown; `export` has them all")


def _story(conn: psycopg.Connection[Any], round_id: str) -> dict[str, Any] | None:
    from projections.reads.rounds import round_story

    story = round_story(conn, round_id)
    return None if story is None else msgspec.structs.asdict(story)


def _jackpot(conn: psycopg.Connection[Any], progressive: str) -> dict[str, Any] | None:
    from projections.reads.jackpots import jackpots

    found = jackpots(conn, progressive=progressive)
    return msgspec.structs.asdict(found) if found.jackpots else None


def _tell(round_id: str, events: list[LoggedEvent]) -> None:
    rows = []
    for event in events:
        data: Mapping[str, Any] = msgspec.json.decode(event.data)
        where = data.get("box", data.get("wager", ""))
        said = ", ".join(f"{name} {value}" for name, value in data.items() if name not in _NOT_SAID)
        rows.append((event.position, event.happened_at, event.actor, event.type.removeprefix("table."), where, said))
    columns = ["position", "at", "actor", "event", "box", "what"]
    print_table(f"Round {round_id}", columns, rows, right=["position", "box"])
