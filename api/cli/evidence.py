"""`evidence`: one round with everything that proves it, as a file to hand over."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from api.cli.output import errors, people, print_json
from api.cli.reading import Reading
from api.cli.service import Json

if TYPE_CHECKING:
    from domain.note import VerifierKey

WRONG, TROUBLE = 1, 2


def add_to(app: typer.Typer) -> None:
    """Add the command to the program."""
    app.command(cls=Reading)(evidence)


def evidence(
    round_id: Annotated[str, typer.Argument(metavar="ROUND", help="The round's id.")],
    out: Annotated[Path, typer.Option(help="The page to write, FILE.html; the JSON goes to FILE.json beside it.")],
    as_json: Json = False,
) -> None:
    """Write the evidence of a round: cards, money, clauses, people, and the proof of each event under a signature."""
    from api.cli.seals import sealed_place
    from api.evidence import bundle, page_of
    from api.seals import keys
    from api.seals.issue import origin
    from api.viewed import shown_at
    from projections.evidence import EvidenceError

    if out.suffix != ".html":
        raise typer.BadParameter("name the page FILE.html", param_hint="--out")
    if not out.absolute().parent.is_dir():
        raise typer.BadParameter(f"there is no directory {str(out.absolute().parent)!r}", param_hint="--out")
    with sealed_place() as (place, conn):
        site = place.settings.site
        key = keys.obtain(place.settings.signing_key_file, origin(site))
        try:
            document = bundle(conn, round_id, key, site)
        except EvidenceError as error:
            errors.print(str(error), style="red", markup=False)
            raise typer.Exit(TROUBLE) from error
    if document is None:
        errors.print(f"there is no round {round_id!r}", style="red", markup=False)
        raise typer.Exit(TROUBLE)
    shown_at(document["position"])
    beside = out.with_suffix(".json")
    out.write_text(page_of(document), "utf-8")
    beside.write_text(json.dumps(document, ensure_ascii=False, indent=1) + "\n", "utf-8")
    told = {"file": str(out), "json": str(beside), "round": round_id, "events": len(document["proofs"])}
    told |= {"position": document["position"], "size": document["size"], "root": document["root"]}
    if as_json:
        print_json(told)
    else:
        people.print(
            f"round {round_id}, {told['events']} events proved under {told['size']} leaves: {out}", markup=False
        )


def verify_evidence(file: Path, trusted: list[VerifierKey], *, as_json: bool) -> int:
    """Check a bundle alone, offline; the exit status."""
    from api.evidence import document_of
    from api.seals.keys import check
    from projections.evidence import EvidenceError, verify

    try:
        document = document_of(file.read_bytes())
        holds = verify(document, trusted, check)
    except EvidenceError as error:
        if as_json:
            print_json({"ok": False, "reason": str(error)})
        else:
            errors.print(f"not proved: {error}", style="red", markup=False)
        return WRONG
    if as_json:
        print_json({"ok": True, **holds._asdict()})
    else:
        people.print(f"proved: {holds.events} events of round {holds.round}, as recorded, and all that is told of them")
        people.print(f"under the {holds.size} leaves that {holds.origin} signed for", markup=False)
        _tell_judged(document["told"]["judged"])
    return 0


def _tell_judged(judged: dict[str, Any]) -> None:
    wrong = len(judged["differences"]) + len(judged["shadow"] or [])
    if wrong:
        people.print(f"what was recorded is not what follows from the cards: {wrong} differences", style="red")
