"""`verify`: is the log what it was, by its chain and by its signed checkpoints; or does one proof hold, offline."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import psycopg
import typer

from api.cli.output import errors, people, print_json
from api.cli.service import Json

if TYPE_CHECKING:
    from domain.note import VerifierKey
    from projections.reads.checkpoints import Kept
    from projections.verify_seals import Judged, Signed, Verdict

WRONG, TROUBLE = 1, 2
MOST_NOTES = 10_000


def add_to(app: typer.Typer) -> None:
    """Add the command to the program."""
    app.command()(verify)


def verify(
    *,
    checkpoint: Annotated[
        list[Path] | None, typer.Option(help="File with checkpoints kept elsewhere (signed notes); may be repeated.")
    ] = None,
    proof: Annotated[Path | None, typer.Option(help="Check this proof file alone: no database is needed.")] = None,
    evidence: Annotated[
        Path | None, typer.Option(help="Check this round's evidence (page or JSON) alone: no database is needed.")
    ] = None,
    key: Annotated[
        list[str] | None,
        typer.Option(help="Public key (vkey) to trust; the house's own is known where its file is. May be repeated."),
    ] = None,
    as_json: Json = False,
) -> None:
    """Compute the hash chain and the tree of the whole log again: was anything changed, removed or swapped?"""
    keys = _keys(key or [])
    if proof is not None:
        keys = keys or own_key()
        if not keys or checkpoint:
            raise typer.BadParameter("--proof goes with --key (this machine has no key of its own), and alone")
        raise typer.Exit(_verify_proof(proof, keys, as_json=as_json))
    if evidence is not None:
        from api.cli.evidence import verify_evidence

        keys = keys or own_key()
        if not keys or checkpoint:
            raise typer.BadParameter("--evidence goes with --key (this machine has no key of its own), and alone")
        raise typer.Exit(verify_evidence(evidence, keys, as_json=as_json))
    from api.cli.place import joined
    from projections.verify_seals import verify_with_seals

    files = [kept for file in checkpoint or [] for kept in read_checkpoints(file)]
    with joined() as place, psycopg.connect(place.conninfo) as conn:
        verdict = verify_with_seals(conn, files, _signed([*keys, *own_key()]))
    document = as_document(verdict)
    if as_json:
        print_json(document)
    else:
        _tell(verdict)
    raise typer.Exit(0 if verdict.ok else WRONG)


def as_document(verdict: Verdict) -> dict[str, Any]:
    """The verdict as JSON."""
    seals = verdict.seals._asdict() | {"judged": [one._asdict() for one in verdict.seals.judged]}
    return verdict._asdict() | {"seals": seals}


def read_checkpoints(file: Path) -> list[Kept]:
    """The signed notes of a file, one behind the other. Refuses what is none as a bad option."""
    from domain.note import NoteError, checkpoint, notes
    from projections.reads.checkpoints import Kept

    try:
        found = notes(file.read_text("utf-8"))
        read = [(checkpoint(note.text), note) for note in found]
    except (NoteError, UnicodeDecodeError) as error:
        raise typer.BadParameter(f"{file}: {error}") from error
    if not 0 < len(read) <= MOST_NOTES:
        raise typer.BadParameter(f"{file} holds {len(read)} checkpoints; from 1 to {MOST_NOTES} are read")
    return [Kept(claimed.size, None, claimed.root, note, str(file)) for claimed, note in read]


def _keys(texts: list[str]) -> list[VerifierKey]:
    from domain.note import NoteError, verifier_key

    try:
        return [verifier_key(text) for text in texts]
    except NoteError as error:
        raise typer.BadParameter(f"--key: {error}") from error


def own_key() -> list[VerifierKey]:
    """The house's own key, if this machine has it; verifying makes none."""
    from api.seals import keys
    from api.settings import Settings

    try:
        return [keys.read(Settings().signing_key_file).verifier]
    except FileNotFoundError:
        return []


def _signed(trusted: list[VerifierKey]) -> Signed | None:
    from api.seals.keys import check
    from domain.note import signers

    return (lambda note: bool(signers(note, trusted, check))) if trusted else None


def _verify_proof(file: Path, keys: list[VerifierKey], *, as_json: bool) -> int:
    from api.seals.keys import check
    from domain.merkle import ProofError
    from domain.proof import prove, read

    try:
        proven = prove(read(file.read_bytes()), keys, check)
    except ProofError as error:
        if as_json:
            print_json({"ok": False, "reason": str(error)})
        else:
            errors.print(f"not proved: {error}", style="red", markup=False)
        return WRONG
    state = proven.state.decode("utf-8", "backslashreplace")
    if as_json:
        print_json({"ok": True, **dataclasses.asdict(proven), "state": state})
        return 0
    people.print(f"proved: leaf {proven.index} of the {proven.size} that {proven.origin} signed for", markup=False)
    people.print(
        f"position {proven.position}, {proven.topic}, version {proven.version} of {proven.stream}", markup=False
    )
    people.print(f"recorded {proven.recorded_at}\n{state}", markup=False)
    return 0


def _tell(verdict: Verdict) -> None:
    """The verdict for people."""
    seals = verdict.seals
    if verdict.ok:
        people.print(f"{verdict.events} events to position {verdict.position} are as they were written")
        people.print(f"head {verdict.head}")
    elif verdict.first_bad is None:
        people.print("the rows agree with their chain, but not everything that was kept of them does", style="red")
    elif verdict.first_bad == verdict.last_bad:
        people.print(f"the log was changed: the first position that differs is {verdict.first_bad}", style="red")
    else:
        people.print(
            f"the log was changed: first somewhere from position {verdict.first_bad} to {verdict.last_bad}", style="red"
        )
    if seals.gone is not None:
        people.print(
            f"the stored tree holds leaves of {seals.gone_events} events that are gone from the log, the first of "
            f"position {seals.gone}",
            style="red",
        )
    elif not seals.tree:
        people.print("the stored tree has other leaves than the log's rows", style="red")
    people.print(f"{seals.held} of {seals.checkpoints} checkpoints hold")
    for one in seals.judged:
        people.print(_line(one), markup=False)


def _line(one: Judged) -> str:
    where = "" if one.position is None else f", position {one.position}"
    return f"  {one.state}: {one.size} leaves{where} ({one.source})"
