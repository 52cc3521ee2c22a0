"""The commands joined to one program, and what becomes of an error: one sentence on stderr and exit status 2."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import typer
from typer.core import TyperGroup

from api.cli import (
    audit,
    books,
    comparing,
    evidence,
    floor,
    importing,
    jackpots,
    payout,
    rules,
    seals,
    searching,
    service,
    staff,
    tokens,
    verify,
    views,
    whatif,
)
from api.cli.output import errors

if TYPE_CHECKING:
    from typer import Context

TROUBLE = 2


class Commands(TyperGroup):
    """The top of the program: says in one sentence what could not be done, without a traceback."""

    def invoke(self, ctx: Context) -> Any:  # type: ignore[override]
        try:
            return super().invoke(ctx)
        except Exception as error:
            sentence = _sentence(error)
            if sentence is None:
                raise
            errors.print(sentence, style="red", markup=False)
            raise typer.Exit(TROUBLE) from error


def _sentence(error: Exception) -> str | None:
    """What to say of an error that is no fault of the program; None for one that is."""
    import psycopg
    from pydantic import ValidationError

    from deploy.embedded import EmbeddedServerError
    from deploy.migrate import MigrationError
    from domain.store.errors import StoreError

    if isinstance(error, ValidationError):
        return "\n".join(f"PITCLERK_{'.'.join(map(str, e['loc'])).upper()}: {e['msg']}" for e in error.errors())
    cause = error.__cause__ or error  # the store names errors anew, and keeps psycopg's beneath
    if isinstance(cause, psycopg.errors.UndefinedTable | psycopg.errors.InvalidSchemaName):
        return "The database has not the tables of pitclerk; run `pitclerk migrate` first."
    known = (EmbeddedServerError, MigrationError, StoreError, psycopg.OperationalError, OSError)
    if isinstance(error, known) and not isinstance(error, BrokenPipeError):
        return str(error).strip() or type(error).__name__
    return None


app = typer.Typer(
    cls=Commands,
    name="pitclerk",
    help="An event-sourced ledger for casino table games.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)

for module in (
    service,
    floor,
    audit,
    verify,
    seals,
    evidence,
    searching,
    comparing,
    whatif,
    views,
    books,
    jackpots,
    payout,
    importing,
):
    module.add_to(app)
app.add_typer(rules.app, name="rules")
app.add_typer(tokens.app, name="token")
app.add_typer(staff.app, name="staff")


@app.command("settle", context_settings={"allow_extra_args": True, "ignore_unknown_options": True})
def settle_command(ctx: typer.Context) -> None:
    """Settle round records (FILE..., - for standard input) and print what each box is paid; writes nothing."""
    # Listed here for `pitclerk --help`; `main` takes the short way past this module.
    from api.cli import settle

    raise typer.Exit(settle.run(ctx.args))


def run_app(arguments: list[str]) -> int:
    """Run one command; its exit status."""
    try:
        app(arguments, prog_name="pitclerk")
    except SystemExit as done:
        return done.code if isinstance(done.code, int) else TROUBLE
    return 0
