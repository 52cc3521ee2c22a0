"""`replay`, `check`, `lag`: is what the log says still what it said, and does everything follow from it."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from api.cli.days import check_day
from api.cli.output import people, print_json, print_table, progress
from api.cli.reading import Reading
from api.cli.service import Json


def add_to(app: typer.Typer) -> None:
    """Add these commands to the program."""
    app.command(cls=Reading)(replay)
    app.command(cls=Reading)(check)
    app.command()(lag)


def replay(
    *,
    table: Annotated[str | None, typer.Option(help="Only this table.")] = None,
    day: Annotated[str | None, typer.Option(help="Only this gaming day, YYYY-MM-DD.", callback=check_day)] = None,
    start: Annotated[int | None, typer.Option("--from", min=1, help="From this position of the log.")] = None,
    stop: Annotated[int | None, typer.Option("--to", min=1, help="To this position.")] = None,
    jobs: Annotated[int, typer.Option(min=1, max=64, help="Processes to work in.")] = 1,
    shadow: Annotated[bool, typer.Option("--shadow", help="Settle each round a second time, by other means.")] = False,
    as_json: Json = False,
) -> None:
    """Give the recorded cards and decisions to the engine again and demand the recorded payouts, to the cent."""
    from api.cli.place import joined
    from api.viewed import shown_at
    from projections.replay import replay as play_again

    with joined() as place, progress(quiet=as_json) as bar:
        task = bar.add_task("events", total=None)
        document = play_again(
            place.conninfo,
            table=table,
            day=day,
            start=start,
            stop=stop,
            jobs=jobs,
            shadow=shadow,
            progress=lambda done: bar.update(task, completed=done),
        )
    shown_at(document["position"])
    if as_json:
        print_json(document)
    else:
        for one in document["differences"]:
            people.print(f"position {one['position']}, round {one['round']}", style="red", markup=False)
            people.print(f"  expected {one['expected']}\n  recorded {one['recorded']}", markup=False)
        people.print(
            f"{document['rounds']} rounds, {document['events']} events played again in {document['seconds']:.1f} s: "
            f"{len(document['differences'])} differences"
        )
        if shadow:
            second = document["shadow"]
            people.print(
                f"the shadow payer settled {second['judged']} of them too, and had no opinion of {second['unsure']}"
            )
    raise typer.Exit(1 if document["differences"] else 0)


def check(as_json: Json = False) -> None:
    """Bring the projections to the head of the log, then test every identity that must hold."""
    from api.cli.place import joined
    from api.viewed import shown_at
    from projections.check import check as test_identities

    with joined() as place:
        document = test_identities(place.conninfo)
    shown_at(document["position"])
    if as_json:
        print_json(document)
    else:
        rows = [("ok" if one["ok"] else "BROKEN", one["name"], one["detail"]) for one in document["identities"]]
        print_table(f"Identities at position {document['position']}", ["", "identity", "detail"], rows)
    raise typer.Exit(0 if document["ok"] else 1)


def lag(as_json: Json = False) -> None:
    """How far each projection is behind the log, and why."""
    from api.cli.place import joined
    from projections.lag import lag as measure

    with joined() as place:
        document: dict[str, Any] = {**measure(place.conninfo)}
    if as_json:
        print_json(document)
        return
    columns = ["name", "version", "position", "events_behind", "seconds_behind", "state"]
    rows = [[one[column] for column in columns] for one in document["projections"]]
    print_table(f"Projections; the log is at {document['head']}", columns, rows, right=columns[1:5])
