"""Explain this figure: the events that make it, down to each single one as it is stored."""

from typing import Any, Final
from urllib.parse import urlencode

import msgspec
from psycopg import Connection
from starlette.responses import Response

from api.auth import roles
from api.http.queries import parse
from api.http.read_books import ExplainQuery, explained
from api.i18n.catalogue import gettext
from api.pages import words
from api.pages.finance.cells import EXPLAIN, RATIOS
from api.pages.finance.tabs import finance_page
from api.pages.frame import Pages
from api.pages.terms import term
from api.pages.visit import Visit
from api.problems import ProblemError
from projections.chart import Chart
from projections.reads.events import LoggedEvent, events
from projections.reads.explain import Explained

EVENT: Final = "/finance/events/{position}"
_ROUND: Final = "/audit/rounds/{round}"
_PER_PAGE: Final = 100


def mount(pages: Pages) -> None:
    pages.show(EXPLAIN, _explain)
    pages.show(EVENT, _event)


def _explain(visit: Visit) -> Response:
    query = parse(visit.request, ExplainQuery)
    if query.limit != _PER_PAGE:
        query = msgspec.structs.replace(query, limit=_PER_PAGE)
    rows = visit.read(lambda conn: _read(conn, query))
    if not rows:
        raise ProblemError("unknown_figure", f"there is no {query.figure!r} of this kind")
    return finance_page(
        visit,
        "explain.html",
        position=rows[0].position,
        figure=term(query.figure, "figure"),
        about=_about(query),
        day=query.gaming_day,
        rows=[_Shown(row, _address(query, row)) for row in rows],
        after=query.after,
    )


def _read(conn: Connection[Any], query: ExplainQuery) -> list[Explained]:
    """The figure, or of a ratio both figures that it is of."""
    found: list[Explained] = []
    for name in RATIOS.get(query.figure, (query.figure,)):
        made = explained(conn, msgspec.structs.replace(query, figure=name))
        found += [] if made is None else made.rows
    return found


def _about(query: ExplainQuery) -> list[tuple[str, str]]:
    """What the figure is of, in words."""
    hour = None if query.hour is None else query.hour[11:16]
    entry = None if query.entry is None else term(query.entry, "entry")
    account = None if query.account is None else Chart()[query.account].name
    given = (
        (gettext("Gaming day"), words.day(query.gaming_day) if query.gaming_day else None),
        (gettext("Table"), query.table),
        (gettext("Game"), query.ruleset),
        (gettext("Session"), query.session),
        (gettext("Shift"), query.shift),
        (gettext("Hour"), hour),
        (gettext("Entry"), entry),
        (gettext("Account"), account),
        (gettext("Cage shift"), query.cage_shift),
    )
    return [(name, value) for name, value in given if value]


def _address(query: ExplainQuery, row: Explained) -> str:
    """The address of this explanation alone, for its next page."""
    given = {name: value for name, value in msgspec.to_builtins(query).items() if value is not None}
    figure = "journal" if query.figure == "journal" else row.figure
    kept = {name: value for name, value in given.items() if name not in ("limit", "wait_ms", "after", "figure")}
    return f"{EXPLAIN}?{urlencode({'figure': figure, **kept})}"


class _Shown:
    """One explanation with its amounts written out."""

    def __init__(self, row: Explained, address: str) -> None:
        self.row = row
        self.figure = term(row.figure, "figure") if not row.unit.startswith("millionths") else row.figure
        self.value = None if row.value is None else self.written(row.value)
        self.total = self.written(row.total)
        self.by_type = [(term(kind, "event"), self.written(amount)) for kind, amount in row.by_type.items()]
        self.next = None if row.next is None else f"{address}&after={row.next}"

    def written(self, value: int) -> str:
        """A part of the figure as it is written, in the figure's own unit."""
        if self.row.unit == "rounds":
            return words.number(value)
        if self.row.unit.startswith("millionths"):
            return words.millionths(str(value), self.row.currency)
        return words.amount(value, self.row.currency)


def _event(visit: Visit) -> Response:
    position = int(visit.names[0])
    found = visit.read(lambda conn: events(conn, after=position - 1, limit=1)).events
    if not found or found[0].position != position:
        raise ProblemError("not_found", f"the log has no event at position {position}")
    event = found[0]
    data = msgspec.json.decode(event.data)
    return finance_page(
        visit,
        "event.html",
        position=position,
        event=event,
        word=term(event.type, "event"),
        data=msgspec.json.format(bytes(event.data), indent=2).decode(),
        round_path=_round_of(visit, event, data),
    )


def _round_of(visit: Visit, event: LoggedEvent, data: dict[str, Any]) -> str | None:
    """Where the round's whole story is told, if this event is of one and the reader may see it."""
    name = data.get("round")
    allowed = roles.PAGES.get(_ROUND, frozenset())
    if (
        name is None
        or visit.person is None
        or visit.person.role not in allowed
        or not event.stream.startswith("table/")
    ):
        return None
    return _ROUND.replace("{round}", str(name))
