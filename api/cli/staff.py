"""`staff`: the people who sign in to the pages. Passwords are asked for, or read from standard input, never given as
arguments, which other users of the machine could see.
"""

from __future__ import annotations

import sys
from datetime import UTC, datetime
from typing import Annotated

import psycopg
import typer

from api.cli.output import errors, people, print_json, print_table
from api.cli.service import Json

app = typer.Typer(help="Who may sign in to the pages.", no_args_is_help=True)

_Id = Annotated[str, typer.Argument(metavar="ID", help="What the person signs in with, and the actor of all they do.")]


@app.command()
def add(
    person: _Id,
    role: Annotated[
        str, typer.Option(help="terminal, supervisor, cashier, security, finance, auditor, display or admin.")
    ],
    name: Annotated[str | None, typer.Option(help="The name that pages show; absent: the id.")] = None,
    as_json: Json = False,
) -> None:
    """Let a person sign in; the password is asked for twice, or read as one line of standard input."""
    from api.auth import people as staff
    from api.cli.place import joined, operator

    password = _password()
    try:
        with joined() as place, psycopg.connect(place.conninfo) as conn:
            staff.enter(conn, staff.Person(person, name or person, role), password, created_by=operator())
    except staff.PersonRefused as refused:
        raise typer.BadParameter(str(refused)) from refused
    if as_json:
        print_json({"id": person, "role": role, "name": name or person})
    else:
        people.print(f"{person} ({role}) may sign in", markup=False)


@app.command()
def password(person: _Id, as_json: Json = False) -> None:
    """Set a new password, and end the person's sessions."""
    from api.auth import people as staff
    from api.cli.place import joined

    new = _password()
    try:
        with joined() as place, psycopg.connect(place.conninfo) as conn:
            done = staff.set_password(conn, person, new)
    except staff.PersonRefused as refused:
        raise typer.BadParameter(str(refused)) from refused
    _tell(person, done, as_json, "has a new password")


@app.command()
def end(person: _Id, as_json: Json = False) -> None:
    """End a person's access and sessions at once."""
    from api.auth import people as staff
    from api.cli.place import joined

    with joined() as place, psycopg.connect(place.conninfo) as conn:
        done = staff.end(conn, person)
    _tell(person, done, as_json, "may sign in no longer")


@app.command("list")
def list_people(as_json: Json = False) -> None:
    """Everybody who may sign in, or might once."""
    from api.auth import people as staff
    from api.cli.place import joined

    with joined() as place, psycopg.connect(place.conninfo) as conn:
        listed = staff.list_all(conn)
    columns = ["id", "name", "role", "created_at", "created_by", "ended_at"]
    rows = [(p.id, p.name, p.role, _moment(p.created_at), p.created_by, _moment(p.ended_at)) for p in listed]
    if as_json:
        print_json({"people": [dict(zip(columns, row, strict=True)) for row in rows]})
    else:
        print_table("Staff", columns, rows)


def _password() -> str:
    if sys.stdin.isatty():
        return str(typer.prompt("Password", hide_input=True, confirmation_prompt=True))
    return sys.stdin.readline().rstrip("\r\n")


def _tell(person: str, done: bool, as_json: bool, words: str) -> None:
    if not done:
        errors.print(f"nobody called {person!r} has access", style="red", markup=False)
        raise typer.Exit(1)
    if as_json:
        print_json({"id": person, "done": True})
    else:
        people.print(f"{person} {words}", markup=False)


def _moment(at: datetime | None) -> str | None:
    return None if at is None else at.astimezone(UTC).isoformat()
