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
    from api.simulator import run

    chosen = _rulesets(ruleset)
    with joined() as place, progress(quiet=as_json) as bar:
        task = bar.add_task("rounds", total=rounds)
        report = run.simulate(
            place.database_url,
            place.settings.site,
            chosen,
            tables=tables,
            rounds=rounds,
            seed=seed,
            played=lambda done: bar.update(task, completed=done),
        )
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
) -> None:
    """Serve a simulated floor: players play, staff works, and every page and door shows it live."""
    from api import demo as show

    chosen = None if rulesets is None else [one for name in rulesets.split(",") for one in _rulesets(name.strip())]
    show.run(
        host=host,
        port=port,
        floor=show.FloorPlan(
            rulesets=chosen, tables=tables, rounds=rounds, rounds_per_second=rounds_per_second, seed=seed
        ),
        token_file=tokens,
    )


def _rulesets(name: str) -> list[str]:
    """The ids that a name stands for. Refuses, as a bad option, one that does not ship."""
    from domain.ruleset import shipped_ids

    if name == "all":
        return list(shipped_ids())
    if name not in shipped_ids():
        raise typer.BadParameter(f"unknown ruleset {name!r}; one of {', '.join(shipped_ids())}, or all")
    return [name]
