"""`reconcile`, `sign`: a gaming day's jackpots explained, and LED signs fed."""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import psycopg
import typer

from api.cli.output import errors, people, print_json, print_table
from api.cli.reading import Reading
from api.cli.service import Json

if TYPE_CHECKING:
    from api.signs.acknowledge import Acknowledger
    from api.signs.board import Board
    from api.signs.follow import Follower
    from api.signs.outlets import Outlet
    from projections.reads.jackpot_days import DayReconciliation

TICK_S = 0.05
TOKEN = "PITCLERK_TOKEN"  # noqa: S105  (the variable's name)


def add_to(app: typer.Typer) -> None:
    """Add these commands to the program."""
    app.command(cls=Reading)(reconcile)
    app.command()(sign)


def reconcile(
    day: Annotated[str | None, typer.Option(help="Gaming day, YYYY-MM-DD; else the newest.")] = None,
    jackpot: Annotated[str | None, typer.Option(help="Only this jackpot.")] = None,
    as_json: Json = False,
) -> None:
    """Explain every jackpot meter of a gaming day by what came and went; exit status 1 if anything is left over."""
    import msgspec

    from api.cli.place import joined
    from api.viewed import shown_at
    from projections.catch_up import run_until
    from projections.reads import jackpot_days

    with joined() as place:
        run_until(place.conninfo)
        with psycopg.connect(place.conninfo, autocommit=True) as conn:
            chosen = day or jackpot_days.last_day(conn)
            names = [jackpot] if jackpot else jackpot_days.progressives_of(conn)
            found = [one for name in names if chosen and (one := jackpot_days.reconciliation(conn, name, chosen))]
    if jackpot and not found:
        errors.print(f"no jackpot {jackpot!r} ever ran", style="red", markup=False)
        raise typer.Exit(2)
    explained = all(one.explained for one in found)
    shown_at(max((one.position for one in found), default=None))
    if as_json:
        document: dict[str, Any] = {"gaming_day": chosen, "explained": explained}
        # Through text: what a record said is JSON as it is stored.
        print_json(document | {"jackpots": [msgspec.json.decode(msgspec.json.encode(one)) for one in found]})
    else:
        for one in found:
            _print_day(one)
        people.print("everything is explained" if explained else "something is left over")
    raise typer.Exit(0 if explained else 1)


def _print_day(one: DayReconciliation) -> None:
    from api.pages.words import millionths

    def money(text: str) -> str:
        return millionths(text, one.currency)

    lines = [
        ("meter at start", "meter_start_u"),
        ("+ stakes x rate", "increments_u"),
        ("- to the overflow", "overflowed_u"),
        ("- awards", "awards_u"),
        ("+ resets", "resets_u"),
        ("+ adjustments", "adjusted_u"),
        ("+ transfers", "transferred_u"),
        ("= calculated", "calculated_u"),
        ("meter at end", "meter_end_u"),
        ("left over", "difference_u"),
        ("liability at start", "liability_start_u"),
        ("liability at end", "liability_end_u"),
        ("the house's base at end", "base_end_u"),
    ]
    columns = [one.currency, *(f"level {level.level}" for level in one.levels)]
    rows: list[list[object]] = [[word, *(money(getattr(level, name)) for level in one.levels)] for word, name in lines]
    rows += [["stakes, and taken at tables", *(f"{level.stakes}, {level.stakes_taken}" for level in one.levels)]]
    rows += [["hits", *(level.hits for level in one.levels)]]
    print_table(f"{one.id} on {one.gaming_day}", columns, rows, right=columns[1:])
    for cut in one.decreases:
        why = cut.reason or cut.event.replace("_", " ")
        by = cut.actor if cut.approver is None else f"{cut.proposer or cut.actor}, approved by {cut.approver}"
        moved = f"{money(cut.display_before_u or '0')} to {money(cut.display_after_u or '0')}"
        people.print(f"position {cut.position}, level {cut.level}: {moved}: {why} ({by})", markup=False)


def sign(
    *,
    to: Annotated[str, typer.Option(help="udp://HOST:PORT, or the path of a serial line or file.")],
    url: Annotated[str, typer.Option(help="Address of the service.")] = "http://127.0.0.1:8600",
    token_file: Annotated[Path | None, typer.Option(help=f"File with the token; else {TOKEN} has it.")] = None,
    jackpot: Annotated[list[str] | None, typer.Option(help="Only this jackpot; may be repeated.")] = None,
    pace_ms: Annotated[int, typer.Option(min=20, max=10_000, help="Least time between two moves of a meter.")] = 200,
    baud: Annotated[int, typer.Option(help="Speed of a serial line, 8N1.")] = 9600,
    name: Annotated[
        str | None, typer.Option("--as", help="The sign's name: it acknowledges hits that it shows.")
    ] = None,
    seconds: Annotated[float | None, typer.Option("--for", min=0.1, help="End after so many seconds.")] = None,
) -> None:
    """Follow the live feed and tell LED signs, as ASCII frames over UDP or a serial line, until stopped."""
    from api import logs
    from api.signs.acknowledge import Acknowledger
    from api.signs.board import Board
    from api.signs.follow import Follower
    from api.signs.outlets import outlet
    from deploy.embedded import end_on_signals

    token = token_file.read_text().strip() if token_file else os.environ.get(TOKEN, "")
    if not token:
        raise typer.BadParameter(f"a token is needed: {TOKEN} or --token-file", param_hint="--token-file")
    logs.configure("console")
    end_on_signals()
    board = Board(frozenset(jackpot) if jackpot else None, pace_s=pace_ms / 1000)
    try:
        follower, where = Follower(url, token, board), outlet(to, baud=baud)
    except ValueError as error:
        raise typer.BadParameter(str(error)) from error
    acknowledger = None if name is None else Acknowledger(url, token, name)
    with where:
        follower.start()
        if acknowledger is not None:
            acknowledger.start()
        until = None if seconds is None else time.monotonic() + seconds
        _tell(board, where, follower, acknowledger, until=until)


def _tell(
    board: Board, where: Outlet, follower: Follower, acknowledger: Acknowledger | None, *, until: float | None
) -> None:
    """Send what is due, again and again; a line that takes nothing now is tried again with newer frames."""
    import structlog

    log = structlog.get_logger("pitclerk.signs")
    while until is None or time.monotonic() < until:
        try:
            for frame in board.due(time.monotonic()):
                where.send(frame)
            for jackpot, position in board.told():
                if acknowledger is not None:
                    acknowledger.shown(jackpot, position)
        except OSError as error:
            log.warning("sign not told", error=str(error))
        if follower.refused is not None:
            errors.print(follower.refused, style="red", markup=False)
            raise typer.Exit(2)
        time.sleep(TICK_S)  # the pace of the sign: a frame a tick, until a signal ends the command
    follower.stop()
