"""`search`, `sample`: finding events, and drawing documents for internal audit."""

from __future__ import annotations

import datetime as dt
from datetime import datetime
from typing import TYPE_CHECKING, Annotated, Any

import msgspec
import psycopg
import typer

from api.cli.output import people, print_json, print_table
from api.cli.reading import Reading
from api.cli.service import Json

if TYPE_CHECKING:
    from projections.reads.sample import Sample
    from projections.reads.search import Found, Wanted

_NOT_SAID = ("round", "box", "table")


def add_to(app: typer.Typer) -> None:
    """Add these commands to the program."""
    app.command(cls=Reading)(search)
    app.command(cls=Reading)(sample)


def search(
    *,
    table: Annotated[str | None, typer.Option(help="At this table.")] = None,
    round_id: Annotated[str | None, typer.Option("--round", help="Of this round.")] = None,
    box: Annotated[int | None, typer.Option(min=1, help="Of this box.")] = None,
    player: Annotated[str | None, typer.Option(help="Of this player reference.")] = None,
    actor: Annotated[str | None, typer.Option(help="Done, or agreed to, by this person.")] = None,
    amount: Annotated[int | None, typer.Option(help="With this amount, in minor units.")] = None,
    hand: Annotated[str | None, typer.Option(help="Naming this hand, such as 'full house'.")] = None,
    topic: Annotated[str | None, typer.Option("--type", help="Of this type, such as table.payout_made.")] = None,
    exception: Annotated[str | None, typer.Option(help="That exceptions of this code are about.")] = None,
    since: Annotated[str | None, typer.Option("--from", help="Recorded at or after this time (RFC 3339).")] = None,
    until: Annotated[str | None, typer.Option("--to", help="Recorded before this time (RFC 3339).")] = None,
    after: Annotated[int, typer.Option(min=0, help="After this position.")] = 0,
    limit: Annotated[int, typer.Option(min=1, max=10_000, help="So many at most.")] = 100,
    as_json: Json = False,
) -> None:
    """Find events in the log; all that is given must hold."""
    from api.cli.place import joined
    from api.viewed import shown_at
    from projections.catch_up import run_until
    from projections.reads.search import Wanted

    wanted = Wanted(
        table=table,
        round=round_id,
        box=box,
        player=player,
        actor=actor,
        amount=amount,
        hand=hand,
        topic=topic,
        exception=exception,
        since=moment(since, "--from"),
        until=moment(until, "--to"),
    )
    with joined() as place:
        run_until(place.conninfo)
        with psycopg.connect(place.conninfo, autocommit=True) as conn:
            found = _all_pages(conn, wanted, after, limit)
    shown_at(found.position)
    if as_json:
        print_json(msgspec.json.decode(msgspec.json.encode(found)))
    else:
        _tell_found(found)


def _all_pages(conn: psycopg.Connection[Any], wanted: Wanted, after: int, limit: int) -> Found:
    """Page by page until there are enough: nobody at a terminal turns pages that hold nothing."""
    from projections.reads.search import search as find

    found = find(conn, wanted, after=after, limit=limit)
    while found.next is not None and len(found.rows) < limit:
        more = find(conn, wanted, after=found.next, limit=limit - len(found.rows))
        found = msgspec.structs.replace(more, rows=found.rows + more.rows)
    return found


def moment(text: str | None, option: str) -> datetime | None:
    """A time with its offset, in UTC. Raises BadParameter."""
    if text is None:
        return None
    try:
        at = datetime.fromisoformat(text)
        if at.tzinfo is not None:
            return at.astimezone(dt.UTC)
    except (ValueError, OverflowError):
        pass
    raise typer.BadParameter(f"{text!r} is no time with an offset, such as 2026-03-14T21:05:00Z", param_hint=option)


def _tell_found(found: Found) -> None:
    rows = []
    for one in found.rows:
        data = msgspec.json.decode(one.data)
        said = ", ".join(f"{name} {value}" for name, value in data.items() if name not in _NOT_SAID)
        rows.append((one.position, one.happened_at, one.table, one.round, one.box, one.actor, one.type, said))
    columns = ["position", "at", "table", "round", "box", "who", "event", "what"]
    print_table(f"{len(rows)} events, the log at {found.position}", columns, rows, right=["position", "box"])
    if found.next is not None:
        people.print(f"more: --after {found.next}")


def sample(
    *,
    seed: Annotated[int, typer.Option(help="The same seed on the same log draws the same.")],
    first_day: Annotated[str | None, typer.Option("--from", help="From this gaming day on, YYYY-MM-DD.")] = None,
    last_day: Annotated[str | None, typer.Option("--to", help="Up to and with this gaming day.")] = None,
    at: Annotated[int | None, typer.Option(min=0, help="From the log up to this position; else all of it.")] = None,
    as_json: Json = False,
) -> None:
    """Draw what internal audit traces: 5 openings, 5 closings, 10 fills, 3 credits over 3 days, the drop of 2 days."""
    from api.cli.place import joined
    from api.viewed import shown_at
    from projections.catch_up import run_until
    from projections.reads.sample import sample as draw

    for day in filter(None, (first_day, last_day)):
        try:
            dt.date.fromisoformat(day)
        except ValueError as error:
            raise typer.BadParameter(f"{day!r} is no date: YYYY-MM-DD") from error
    with joined() as place:
        run_until(place.conninfo)
        with psycopg.connect(place.conninfo, autocommit=True) as conn:
            drawn = draw(conn, seed, first_day=first_day, last_day=last_day, at=at)
    shown_at(drawn.position)
    if as_json:
        print_json(msgspec.to_builtins(drawn))
    else:
        _tell_sample(drawn)


def _tell_sample(drawn: Sample) -> None:
    for kind in drawn.drawn:
        rows = [(one.gaming_day, one.table, one.stream, one.version, one.position) for one in kind.documents]
        title = f"{len(rows)} of {kind.population} {kind.kind}, over {kind.days} gaming days"
        print_table(title, ["day", "table", "stream", "version", "position"], rows, right=["version", "position"])
    boxes = [(one.gaming_day, one.drop, one.table, one.state, one.counted) for one in drawn.drops]
    print_table(
        f"Drop of {', '.join(drawn.drop_days) or 'no day'}", ["day", "drop", "table", "state", "counted"], boxes
    )
    again = f"seed {drawn.seed}, the log at position {drawn.position}"
    people.print(f"drawn with {again}: pitclerk sample --seed {drawn.seed} --at {drawn.position} draws it again")
    for one in drawn.short:
        people.print(f"not enough {one}", style="yellow")
