"""`simulate` and `demo`: simulated players and staff at simulated tables."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from api.cli.output import people, print_json, progress
from api.cli.service import Host, Json, Port

Seed = Annotated[int, typer.Option(help="The same seed on an empty log plays the same rounds.")]


def add_to(app: typer.Typer) -> None:
    """Add these commands to the program."""
    app.command()(simulate)
    app.command()(demo)


def simulate(
    *,
    rounds: Annotated[int, typer.Option(min=1, max=100_000_000, help="Rounds in all, over every table.")] = 1000,
    tables: Annotated[int, typer.Option(min=1, max=1000, help="Tables in all.")] = 4,
    ruleset: Annotated[str, typer.Option(help="A ruleset's id, or all.")] = "all",
    seed: Seed = 1,
    as_json: Json = False,
) -> None:
    """Play rounds at simulated tables and record them: players, dealers, fills, credits, openers, closers, jackpots."""
    from api.cli.place import joined
    from api.cli.publish import publish_shipped_at
    from api.simulator import run

    with joined() as place, progress(quiet=as_json) as bar:
        publish_shipped_at(place)
        task = bar.add_task("rounds", total=rounds)
        try:
            report = run.simulate(
                place.database_url,
                place.settings.site,
                all_games() if ruleset == "all" else [ruleset],
                tables=tables,
                rounds=rounds,
                seed=seed,
                played=lambda done: bar.update(task, completed=done),
            )
        except run.UnknownRulesetError as error:
            raise typer.BadParameter(str(error), param_hint="--ruleset") from error
    document = {"ruleset": ruleset} | report
    if as_json:
        print_json(document)
    else:
        people.print(
            f"{document['rounds']} rounds at {document['tables']} tables: {document['events']} events in "
            f"{document['seconds']:.1f} s, the log is at position {document['position']}"
        )


def demo(
    *,
    host: Host = None,
    port: Port = None,
    rounds_per_second: Annotated[float, typer.Option(min=0.01, max=10_000, help="Pace of the whole floor.")] = 4.0,
    rounds: Annotated[int | None, typer.Option(min=0, help="Deal so many rounds, then keep serving.")] = None,
    seed: Seed = 1,
    tables: Annotated[int | None, typer.Option(min=1, max=200, help="Tables in all.")] = None,
    rulesets: Annotated[str | None, typer.Option(help="Only these rulesets, by id with commas between.")] = None,
    tokens: Annotated[Path | None, typer.Option(help="Write a token for each role to this file, as JSON.")] = None,
    people_file: Annotated[
        Path | None, typer.Option("--people", help="Write the people who may sign in to this file, as JSON.")
    ] = None,
) -> None:
    """Serve a simulated floor: players play, staff works, and every page and door shows it live."""
    from api.demo.show import Show, run
    from api.simulator.run import UnknownRulesetError

    show = Show(
        rulesets=None if rulesets is None else [name.strip() for name in rulesets.split(",")],
        tables=tables,
        rounds=rounds,
        rounds_per_second=rounds_per_second,
        seed=seed,
    )
    try:
        run(show, host=host, port=port, token_file=tokens, people_file=people_file)
    except UnknownRulesetError as error:
        raise typer.BadParameter(str(error), param_hint="--rulesets") from error


def all_games() -> list[str]:
    """Every shipped ruleset, a sheet of which a mended variant ships too after the others: few tables deal the best."""
    from domain.ruleset import shipped_ids

    ids = shipped_ids()
    has_variant = {name for name in ids if any(other.startswith(f"{name}-") for other in ids)}
    return sorted(ids, key=lambda name: (name in has_variant, name))
