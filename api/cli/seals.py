"""`seal`, `proof`: sign the tree of the log, and take out what an auditor needs to check one event alone."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import psycopg
import typer

from api.cli.output import errors, people, print_json
from api.cli.reading import Reading
from api.cli.service import Json

if TYPE_CHECKING:
    from api.cli.place import Place

WRONG, TROUBLE = 1, 2
DUE_AT_ONCE = 1000


def add_to(app: typer.Typer) -> None:
    """Add these commands to the program."""
    app.command()(seal)
    app.command(cls=Reading)(proof)


def seal(
    *,
    vkey: Annotated[bool, typer.Option("--vkey", help="Only print the public key, and sign nothing.")] = False,
    as_json: Json = False,
) -> None:
    """Sign a checkpoint of the log's head, keep it and print it; those of closed sessions too, if any are due."""
    from api.seals import keys
    from api.seals.issue import origin

    if vkey:
        from api.settings import Settings

        settings = Settings()
        key = keys.obtain(settings.signing_key_file, origin(settings.site))
        _print({"verifier_key": str(key.verifier)}, str(key.verifier), as_json=as_json)
        return
    with sealed_place() as (place, conn):
        key = keys.obtain(place.settings.signing_key_file, origin(place.settings.site))
        document = {"sessions": _seal_closes(conn, place), **_seal_head(conn, place)}
        document["verifier_key"] = str(key.verifier)
    _print(document, document["checkpoint"], as_json=as_json)


def proof(
    *,
    position: Annotated[int, typer.Option(min=1, help="The event's position.")],
    size: Annotated[
        int | None, typer.Option(min=1, help="Against the kept checkpoint of this size; else a new one.")
    ] = None,
    out: Annotated[Path | None, typer.Option(help="The file to write; else standard output.")] = None,
    as_json: Json = False,
) -> None:
    """Write one event's proof to a file: its bytes, the path to the root, the signed checkpoint."""
    from api.viewed import shown_at
    from projections.reads import checkpoints, tree
    from projections.reads.snapshot import snapshot

    with sealed_place() as (place, conn):
        if size is None:
            note, size = (document := _seal_head(conn, place))["checkpoint"], document["size"]
        else:
            with snapshot(conn) as look:
                kept = checkpoints.kept(look, size)
            if kept is None:
                raise typer.BadParameter(f"no checkpoint of {size} leaves was issued")
            note = str(kept.note)
        try:
            path = tree.inclusion(conn, position, size)
        except LookupError as error:
            raise typer.BadParameter(str(error)) from error
        with snapshot(conn) as look:
            leaf_bytes = tree.leaf_bytes_of(look, position)
    document = proof_document(path, leaf_bytes, note)
    shown_at(path.position)
    if out is None:
        print_json(document)
        return
    out.write_text(json.dumps(document, indent=1) + "\n")
    _print({"file": str(out), **document}, f"position {position}, leaf {path.index} of {size}: {out}", as_json=as_json)


def proof_document(path: Any, leaf_bytes: bytes, note: str) -> dict[str, Any]:
    """A proof file: what the doors answer, with the event's bytes and the checkpoint."""
    import base64

    return {
        "position": path.position,
        "leaf": path.leaf,
        "index": path.index,
        "size": path.size,
        "path": path.path,
        "leaf_bytes": base64.b64encode(leaf_bytes).decode(),
        "checkpoint": note,
    }


@contextmanager
def sealed_place() -> Iterator[tuple[Place, psycopg.Connection[Any]]]:
    """The log's database with the tree at the head; what cannot be sealed ends the command."""
    from api.cli.place import joined
    from projections.catch_up import StalledError, run_until
    from projections.reads.tree import LogDiffersError

    try:
        with joined() as place:
            run_until(place.conninfo)
            with psycopg.connect(place.conninfo, autocommit=True) as conn:
                yield place, conn
    except StalledError as error:
        errors.print(str(error), style="red", markup=False)
        raise typer.Exit(TROUBLE) from error
    except LogDiffersError as error:
        errors.print(f"{error}; `pitclerk verify` says more", style="red", markup=False)
        raise typer.Exit(WRONG) from error


def _seal_head(conn: psycopg.Connection[Any], place: Place) -> dict[str, Any]:
    """The checkpoint of the tree as it stands."""
    from api.seals import keys
    from api.seals.issue import issue, origin

    site = place.settings.site
    kept = issue(conn, keys.obtain(place.settings.signing_key_file, origin(site)), site)
    return {
        "origin": kept.note.text.split("\n", 1)[0],
        "size": kept.size,
        "position": kept.position,
        "root": kept.root.hex(),
        "checkpoint": str(kept.note),
    }


def _seal_closes(conn: psycopg.Connection[Any], place: Place) -> int:
    """Checkpoints of closed sessions that nobody has issued yet; how many."""
    from api.seals.sealer import seal_due

    done, after = 0, -1
    while last := seal_due(conn, place.settings, after=after, limit=DUE_AT_ONCE):
        done, after = done + len(last), last[-1].size
    return done


def _print(document: dict[str, Any], text: str, *, as_json: bool) -> None:
    if as_json:
        print_json(document)
    else:
        people.print(text.rstrip("\n"), markup=False)
