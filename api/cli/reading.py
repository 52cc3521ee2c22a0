"""The frame of commands that show what is recorded: that somebody looked is noted when they have."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import typer
from typer.core import TyperCommand

if TYPE_CHECKING:
    from typer import Context

ROLE: Final = "operator"
"""What somebody at the machine itself is, who needs no token."""

TROUBLE: Final = 2
"""The exit status of a command that has shown nothing."""


class Reading(TyperCommand):
    """Writes one line `report_viewed` after the command: who, which report, the options as given, the position."""

    def invoke(self, ctx: Context) -> Any:  # type: ignore[override]
        from api.viewed import shown_at

        shown_at(None)
        try:
            given = super().invoke(ctx)
        except typer.Exit as ended:
            if ended.exit_code < TROUBLE:
                self._note(ctx)
            raise
        self._note(ctx)
        return given

    def _note(self, ctx: Context) -> None:
        from api.cli.place import operator
        from api.viewed import position_shown, report_viewed

        asked = {_name(one): _plain(ctx.params[one.name]) for one in self.params if one.name and _is_given(ctx, one)}
        asked.pop("json", None)
        report_viewed(ctx.info_name or "", actor=operator(), role=ROLE, asked=asked, position=position_shown())


def _is_given(ctx: Context, one: Any) -> bool:
    source = ctx.get_parameter_source(one.name)
    return one.name in ctx.params and source is not None and source.name == "COMMANDLINE"


def _name(one: Any) -> str:
    """As it is given: `round` of --round, `what` of an argument."""
    return str(one.name) if one.param_type_name == "argument" else str(max(one.opts, key=len)).lstrip("-")


def _plain(value: object) -> object:
    return str(value) if isinstance(value, Path) else value
