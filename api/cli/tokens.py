"""`token`: access tokens for terminals, displays and people. A token is shown once; only its digest is kept."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Annotated

import psycopg
import typer

from api.cli.output import errors, people, print_json, print_table
from api.cli.service import Json

app = typer.Typer(help="Create, list and revoke access tokens.", no_args_is_help=True)


@app.command()
def create(
    role: Annotated[
        str, typer.Option(help="terminal, supervisor, cashier, security, finance, auditor, display or admin.")
    ],
    name: Annotated[str, typer.Option(help="Whose it is: two tokens of one name are one person.")],
    as_json: Json = False,
) -> None:
    """Create a token and show it, this once."""
    from api.auth import tokens
    from api.cli.place import joined, operator

    try:
        with joined() as place, psycopg.connect(place.conninfo) as conn:
            token_id, token = tokens.create(conn, role=role, name=name, created_by=operator())
    except tokens.TokenRefused as refused:
        raise typer.BadParameter(str(refused)) from refused
    if as_json:
        print_json({"id": token_id, "role": role, "name": name.strip(), "token": token})
    else:
        people.print(f"{token_id} ({role}, {name.strip()}); the token, shown this once:", markup=False)
        people.print(token, markup=False)


@app.command()
def revoke(
    token_id: Annotated[str, typer.Argument(metavar="ID", help="The token's id, not the token.")], as_json: Json = False
) -> None:
    """End a token for good; within seconds no door takes it."""
    from api.auth import tokens
    from api.cli.place import joined

    with joined() as place, psycopg.connect(place.conninfo) as conn:
        in_force = tokens.revoke(conn, token_id)
    if not in_force:
        errors.print(f"no token {token_id!r} is in force", style="red", markup=False)
        raise typer.Exit(1)
    if as_json:
        print_json({"id": token_id, "revoked": True})
    else:
        people.print(f"{token_id} is revoked", markup=False)


@app.command("list")
def list_tokens(as_json: Json = False) -> None:
    """The tokens that were made, revoked ones too; never the secrets."""
    from api.auth import tokens
    from api.cli.place import joined

    with joined() as place, psycopg.connect(place.conninfo) as conn:
        listed = tokens.list_all(conn)
    rows = [(t.id, t.role, t.name, _moment(t.created_at), t.created_by, _moment(t.revoked_at)) for t in listed]
    columns = ["id", "role", "name", "created_at", "created_by", "revoked_at"]
    if as_json:
        print_json({"tokens": [dict(zip(columns, row, strict=True)) for row in rows]})
    else:
        print_table("Tokens", columns, rows)


def _moment(at: datetime | None) -> str | None:
    return None if at is None else at.astimezone(UTC).isoformat()
