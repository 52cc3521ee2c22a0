"""What the forms of a table have in common."""

from typing import Any

from psycopg import Connection
from starlette.responses import Response

from api.pages.floor_page import meters
from api.pages.form import Form
from api.pages.games import Game, games
from api.pages.table.seen import Seen, head, tray_of
from api.pages.table.sheets import Sheet, sheet
from api.pages.visit import Visit
from api.problems import ProblemError


def page_of(visit: Visit, template: str, heading: str, seen: Seen, **given: Any) -> Response:
    """A form about a table."""
    numbers = meters(visit.doors.house)
    return visit.page(
        template,
        name=seen.name,
        table=seen.table,
        game=seen.game,
        heading=heading,
        decimals=numbers["decimals"],
        marks=numbers["marks"],
        **given,
    )


def opened(visit: Visit) -> Seen:
    """The table, which is open. Refuses `table_closed`."""
    seen = looked_at(visit)
    if not seen.is_open:
        raise ProblemError("table_closed", f"table {seen.name} has no open session; open the table first")
    return seen


def looked_at(visit: Visit) -> Seen:
    """The table, open or closed or new."""
    (name,) = visit.names
    return visit.read(lambda conn: head(conn, name))


def tray_sheet(visit: Visit, seen: Seen, name: str, *, closer: bool = False) -> Sheet:
    """The denominations of the table's tray. closer: those of its last closer, where it is closed."""

    def read(conn: Connection[Any]) -> Sheet:
        tray = tray_of(conn, seen)
        counted = () if tray is None else (tray.closer or tray.opener) if closer else tray.opener
        return sheet(name, counted, 1 if seen.table is None else seen.table.chip)

    return visit.read(read)


def optional_amount(form: Form, name: str, label: str, currency: str) -> int | None:
    """An amount in minor units, None where the field is empty."""
    return form.amount(name, label, currency) if form.text(name) else None


def number_of(form: Form, name: str, label: str) -> int:
    """A whole number that must be there."""
    form.required(name, label)
    return form.count(name, label)


def games_of(visit: Visit) -> dict[str, Game]:
    """The games that a table can be opened for."""
    return visit.read(games)
