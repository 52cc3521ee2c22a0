"""`whatif`: recorded rounds under another sheet, cap or jackpot rate, beside what they came to."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import msgspec
import psycopg
import typer

from api.cli.days import check_day
from api.cli.output import people, print_json, print_table, progress
from api.cli.reading import Reading
from api.cli.service import Json

if TYPE_CHECKING:
    from domain.ruleset import Ruleset
    from projections.whatif import WhatIf

SHOWN = 20


def add_to(app: typer.Typer) -> None:
    """Add the command to the program."""
    app.command(cls=Reading)(whatif)


def whatif(
    *,
    ruleset: Annotated[
        str | None, typer.Option(help="Another sheet: the id of a published or shipped one, or a .toml file.")
    ] = None,
    cap: Annotated[
        int | None, typer.Option(min=0, help="Another cap of what a box is paid, in minor units; 0: none.")
    ] = None,
    jackpot_ppm: Annotated[
        int | None, typer.Option("--jackpot-ppm", min=0, max=1_000_000, help="Another share for the first level.")
    ] = None,
    table: Annotated[str | None, typer.Option(help="Only this table.")] = None,
    day: Annotated[str | None, typer.Option(help="Only this gaming day, YYYY-MM-DD.", callback=check_day)] = None,
    start: Annotated[int | None, typer.Option("--from", min=1, help="From this position of the log.")] = None,
    stop: Annotated[int | None, typer.Option("--to", min=1, help="To this position.")] = None,
    as_json: Json = False,
) -> None:
    """Play recorded rounds again under other terms and show handle, win and meters side by side; records nothing."""
    from api.cli.place import joined
    from api.viewed import shown_at
    from domain.refusals import Refusal
    from projections.whatif import Terms
    from projections.whatif import whatif as play

    if ruleset is None and cap is None and jackpot_ppm is None:
        raise typer.BadParameter("say what is other: --ruleset, --cap or --jackpot-ppm")
    with joined() as place, psycopg.connect(place.conninfo, autocommit=True) as conn, progress(quiet=as_json) as bar:
        sheet = None if ruleset is None else _sheet(conn, ruleset)
        terms = Terms(ruleset=sheet, jackpot_ppm=jackpot_ppm)
        if cap is not None:
            terms = terms._replace(cap=cap or None)
        task = bar.add_task("events", total=None)
        try:
            found = play(
                conn,
                terms,
                table=table,
                day=day,
                start=start,
                stop=stop,
                progress=lambda at: bar.update(task, completed=at),
            )
        except Refusal as refusal:
            raise typer.BadParameter(str(refusal), param_hint="--jackpot-ppm") from refusal
    shown_at(found.position)
    if as_json:
        print_json(msgspec.to_builtins(found))
    else:
        _tell(found)


def _sheet(conn: psycopg.Connection[Any], name: str) -> Ruleset:
    """A sheet by its file, by its newest publication, or as shipped. Raises BadParameter."""
    from domain.ruleset import InvalidRulesetError, load_file, shipped
    from projections.whatif.run import ruleset_of_log

    try:
        if name.endswith(".toml"):
            return load_file(Path(name))
        return ruleset_of_log(conn, name) or shipped(name)
    except (InvalidRulesetError, OSError) as error:
        raise typer.BadParameter(str(error), param_hint="--ruleset") from error
    except KeyError as error:
        message = f"{name!r} is neither published nor shipped, and no .toml file"
        raise typer.BadParameter(message, param_hint="--ruleset") from error


def _tell(found: WhatIf) -> None:
    from domain.money import MICRO, text

    figures = ["handle", "taken", "paid", "capped", "win"]
    rows = []
    for row in found.rows:
        for name in figures:
            was, would = getattr(row.recorded, name), getattr(row.whatif, name)
            said = [text(amount, row.currency) for amount in (was, would, would - was)]
            rows.append([row.ruleset, row.rounds, name, *said])
    columns = ["sheet as recorded", "rounds", "figure", "recorded", "what if", "difference"]
    print_table(f"{found.rounds} rounds, the log to position {found.position}", columns, rows, right=columns[3:])
    meters = []
    for m in found.meters:
        shown = [text(int(u) // MICRO, m.currency) for u in (m.recorded_u, m.whatif_u)]
        wins = [text(amount, m.currency) for amount in (m.recorded_wins, m.whatif_wins)]
        meters.append((m.progressive, m.level, *shown, m.recorded_hits, m.whatif_hits, *wins))
    columns = ["progressive", "level", "recorded", "what if", "hits", "what if", "wins", "what if"]
    print_table("Meters", columns, meters, right=columns[1:])
    if found.passed_over:
        people.print(f"{found.passed_over} rounds are of games that this sheet is not for")
    if found.not_comparable:
        people.print(f"{found.not_comparable} rounds are not comparable, and on neither side:")
        for one in found.listed[:SHOWN]:
            people.print(f"  {one.round}, position {one.position}: {one.reason}", markup=False)
        if found.not_comparable > SHOWN:
            people.print(f"  and {found.not_comparable - SHOWN} more; --json lists them")
