"""Search: events by what people remember of them, each leading on to its round, its table and itself."""

from typing import Any, Final, NamedTuple

import msgspec
from psycopg import Connection
from starlette.responses import Response

from api.http import queries
from api.http.read_search import SearchQuery, wanted_of
from api.i18n.catalogue import gettext
from api.pages.audit.fields import said
from api.pages.audit.moments import moment
from api.pages.audit.shown import audit_page
from api.pages.form import minor_units
from api.pages.frame import Pages
from api.pages.visit import Visit
from api.problems import ProblemError
from projections.reads.search import Found, Wanted, search
from projections.reads.tables import tables

ROWS: Final = 50
_CRITERIA: Final = ("table", "round", "box", "player", "actor", "hand", "type", "exception", "after")
_HOUSE: Final = "EUR"


class Row(NamedTuple):
    """An event that was found, ready to show."""

    found: Any
    currency: str
    said: str


def mount(pages: Pages) -> None:
    pages.show("/audit", _search)


def _search(visit: Visit) -> Response:
    floor = visit.read(tables).rows
    currencies = {row.table: row.currency for row in floor}
    currency = visit.asked("currency") or next(iter(currencies.values()), _HOUSE)
    asked = {name: visit.asked(name).strip() for name in (*_CRITERIA, "amount", "from", "to", "currency")}
    rows, found, problem = [], None, None
    try:
        query, wanted = _wanted(asked, currency)
        if wanted.given():
            found = visit.read(lambda conn: _found(conn, wanted, query.after))
            visit.position = found.position
            rows = [_row(one, currencies) for one in found.rows]
    except ProblemError as error:
        problem = error
    return audit_page(
        visit,
        "search.html",
        asked=asked,
        floor=floor,
        currencies=sorted(set(currencies.values())) or [_HOUSE],
        currency=currency,
        rows=rows,
        found=found,
        wrong=problem,
    )


def _wanted(asked: dict[str, str], currency: str) -> tuple[SearchQuery, Wanted]:
    given: dict[str, Any] = {name: asked[name] for name in _CRITERIA if asked[name]}
    if asked["amount"]:
        amount = minor_units(asked["amount"].lstrip("+-−"), currency)
        if amount is None:
            detail = gettext("the amount is one such as 120 or 7.50, not “%(given)s”") % {"given": asked["amount"][:40]}
            raise ProblemError("bad_parameter", detail, extra={"field": "amount"})
        given["amount"] = -amount if asked["amount"][0] in "-−" else amount
    query = queries.understood(given, SearchQuery)
    wanted = wanted_of(query)
    since, until = moment(asked["from"], gettext("from")), moment(asked["to"], gettext("to"))
    return query, msgspec.structs.replace(wanted, since=since, until=until)


def _found(conn: Connection[Any], wanted: Wanted, after: int) -> Found:
    return search(conn, wanted, after=after, limit=ROWS)


def _row(one: Any, currencies: dict[str, str]) -> Row:
    currency = currencies.get(one.table or "", "")
    return Row(one, currency, said(msgspec.json.decode(one.data), currency))
