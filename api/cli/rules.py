"""`rules` and `edge`: the sheets as data, checked, published, and what they are worth to the house."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from api.cli.output import errors, people, print_json, print_table
from api.cli.service import Json
from domain.refusals import Refusal

if TYPE_CHECKING:
    from domain.ruleset import Ruleset

app = typer.Typer(help="List, show, check and publish rulesets.", no_args_is_help=True)

Source = Annotated[str, typer.Argument(help="The id of a shipped ruleset, or a .toml file.")]


@app.command("list")
def list_rules(as_json: Json = False) -> None:
    """The rulesets that come with the program."""
    from domain.ruleset import shipped, shipped_ids

    sheets = [shipped(name) for name in shipped_ids()]
    if as_json:
        print_json({"rulesets": [{"id": s.id, "name": s.name, "engine": s.engine, "digest": s.digest} for s in sheets]})
        return
    print_table(
        "Rulesets", ["id", "name", "engine", "digest"], [(s.id, s.name, s.engine, s.digest[:12]) for s in sheets]
    )


@app.command()
def show(
    ruleset: Source,
    toml: Annotated[bool, typer.Option("--toml", help="The file itself, to copy and change.")] = False,
    as_json: Json = False,
) -> None:
    """A ruleset read aloud, part by part with its clauses."""
    from domain.ruleset.report import show as read_aloud

    sheet = _load(ruleset)
    if as_json:
        print_json(
            {
                "ruleset": sheet.id,
                "name": sheet.name,
                "engine": sheet.engine,
                "digest": sheet.digest,
                "text": sheet.text,
            }
        )
    else:
        people.out(sheet.text if toml else read_aloud(sheet), end="", highlight=False)


@app.command()
def check(
    rulesets: Annotated[list[str], typer.Argument(help="Ids of shipped rulesets, or .toml files.")],
    as_json: Json = False,
) -> None:
    """Check rulesets: every problem with its line, and what a sheet is worth to the house."""
    from domain.ruleset import InvalidRulesetError
    from domain.ruleset.report import report

    ok = True
    checked = []
    for source in rulesets:
        try:
            sheet = _load(source)
        except InvalidRulesetError as error:
            ok = False
            checked.append({"source": source, "ok": False, "problems": [p._asdict() for p in error.problems]})
            if not as_json:
                people.print(str(error), style="red", markup=False)
            continue
        remarks = report(sheet)
        checked.append({"source": source, "ok": True, "ruleset": sheet.id, "digest": sheet.digest, "remarks": remarks})
        if not as_json:
            people.print(f"{source}: {sheet.id} is well-formed, digest {sheet.digest[:12]}", markup=False)
            for remark in remarks:
                people.print(f"  {remark}", markup=False)
    if as_json:
        print_json({"ok": ok, "rulesets": checked})
    raise typer.Exit(0 if ok else 1)


@app.command()
def publish(
    file: Annotated[Path, typer.Argument(help="A .toml file named after the ruleset's id.")], as_json: Json = False
) -> None:
    """Publish a ruleset into the log; tables opened from now on may play it. One that loses money needs consent."""
    from api.cli.place import joined, operator
    from api.cli.publish import publish as put
    from domain.application import Application

    sheet = _load(str(file))
    try:
        with joined() as place, Application(place.database_url, site=place.settings.site) as application:
            document = put(application, sheet, actor=operator())
    except Refusal as refusal:
        errors.print(refusal.detail, style="red", markup=False)
        raise typer.Exit(1) from refusal
    if as_json:
        print_json(document)
    elif "approval" in document:
        people.print(
            f"the house would lose {-document['edge_ppm'] / 10_000:.1f} % of the ante: {document['needs']} must "
            f"consent to {document['approval']} first (POST /v1/approvals/{document['approval']})",
            markup=False,
        )
    else:
        people.print(f"{document['ruleset']} version {document['version']}, digest {document['digest'][:12]}")


def edge(
    ruleset: Source,
    *,
    strategy: Annotated[str | None, typer.Option(help="How the box is played; the basic way unless told.")] = None,
    rounds: Annotated[int | None, typer.Option(min=1, help="Rounds to play where a figure is not exact.")] = None,
    seed: Annotated[int, typer.Option(help="The same seed gives the same figures.")] = 1,
    as_json: Json = False,
) -> None:
    """What the house earns on each kind of stake of a sheet, against a strategy."""
    from domain.edge import edge as compute

    try:
        document = compute(_load(ruleset), strategy, rounds=rounds, seed=seed)
    except ValueError as error:
        raise typer.BadParameter(str(error), param_hint="--strategy") from error
    if as_json:
        print_json(document)
        return
    people.print(f"{document['ruleset']} against: {document['strategy']}", markup=False)
    people.print(f"house edge per ante {document['house_edge_per_ante']}, standard deviation {document['sd_per_ante']}")
    rows = [(kind, of["edge"], of["method"], of["standard_error"]) for kind, of in document["stakes"].items()]
    print_table("By stake", ["stake", "edge", "method", "standard error"], rows, right=["edge", "standard error"])


def _load(source: str) -> Ruleset:
    """A shipped ruleset or a file's. Exit status 2 where there is none; InvalidRulesetError where it is none."""
    from domain.ruleset import load_file, shipped, shipped_ids

    if source in shipped_ids():
        return shipped(source)
    path = Path(source)
    if path.suffix != ".toml":
        raise typer.BadParameter(f"unknown ruleset {source!r}; one of {', '.join(shipped_ids())}, or a .toml file")
    try:
        return load_file(path)
    except OSError as error:
        errors.print(f"{source}: {error.strerror or error}", style="red", markup=False)
        raise typer.Exit(2) from error
