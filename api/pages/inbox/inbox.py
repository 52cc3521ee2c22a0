"""Exceptions with who caused them and when, and the note of whoever has looked into one."""

import re
from datetime import UTC, datetime
from typing import Any, Final
from urllib.parse import urlencode

from msgspec import Struct
from starlette.responses import Response

from api.auth import roles
from api.http.names import NAME, PATTERNS
from api.i18n.catalogue import gettext
from api.pages import words
from api.pages.frame import Pages
from api.pages.inbox.details import detail
from api.pages.terms import term, terms
from api.pages.visit import Visit
from api.problems import ProblemError
from domain.acts import inbox
from domain.commands import Acknowledge
from projections.reads.exceptions import ExceptionRow, Inbox, State, exception, exceptions

INBOX: Final = "/inbox"
_ACT: Final = "/inbox/{exception}"
_DOOR: Final = "/v1/exceptions/{exception}/acknowledge"
_PER_PAGE: Final = 50
_READS: Final[dict[str, State | None]] = {"open": "open", "acknowledged": "acknowledged", "all": None}


class Item(Struct):
    """An exception as it is shown. links: what it is about, each a name and a path.

    why_not: why this person may not put a note to it, "" where they may.
    """

    row: ExceptionRow
    kind: str
    amount: str
    detail: str
    links: list[tuple[str, str]]
    why_not: str


def mount(pages: Pages) -> None:
    pages.show(INBOX, _inbox)
    pages.form(_ACT, _acknowledge, _inbox, page=INBOX)


def _acknowledge(visit: Visit) -> Response:
    (name,) = visit.names
    note = visit.form.required("note", gettext("What was found"))
    row = visit.read(lambda conn: exception(conn, name))
    if row is None:
        raise ProblemError("unknown_exception", f"there is no exception {name!r}")
    caused = inbox.Caused(name, row.gaming_day, row.stream, row.version)
    visit.record(
        _DOOR, Acknowledge, lambda work, command: inbox.acknowledge(work, caused, command), (name,), body={"note": note}
    )
    said = gettext("Acknowledged: %(kind)s.") % {"kind": term(row.code, "exception")}
    return visit.go(_Asked(visit).address(), said)


def _inbox(visit: Visit) -> Response:
    asked = _Asked(visit)
    found = visit.read(asked.read)
    visit.position = found.position
    refused = visit.names[0] if visit.problem is not None and visit.request.path_params else ""
    return visit.page(
        "inbox/inbox.html",
        items=[_item(visit, row) for row in found.rows],
        idle=found.idle,
        asked=asked,
        kinds=list(terms("exception").items()),
        next=None if found.next is None else asked.address(after=str(found.next)),
        refused=refused,
        filter=asked.query(),
        may_acknowledge=visit.may(f"POST {_DOOR}"),
        position=found.position,
    )


class _Asked:
    """The filters: parameters of the query, which the address of a form carries too."""

    def __init__(self, visit: Visit) -> None:
        state = visit.asked("state")
        self.state: str = state if state in _READS else "open"
        self.code = _shaped(visit, "code", PATTERNS["code"])
        self.day = _shaped(visit, "day", PATTERNS["day"])
        self.table = _shaped(visit, "table", NAME)
        self.after = int(_shaped(visit, "after", r"\d{1,18}") or 0)

    def read(self, conn: Any) -> Inbox:
        """The page that was asked for."""
        return exceptions(
            conn,
            now=datetime.now(UTC),
            state=_READS[self.state],
            code=self.code or None,
            gaming_day=self.day or None,
            table=self.table or None,
            after=self.after,
            limit=_PER_PAGE,
        )

    def query(self, **other: str) -> str:
        """The filters as a query, those that are set."""
        given = {"state": self.state, "code": self.code, "day": self.day, "table": self.table, **other}
        return urlencode({name: value for name, value in given.items() if value and value != "open"})

    def address(self, **other: str) -> str:
        """This page with other parameters."""
        return f"{INBOX}?{self.query(**other)}"


def _shaped(visit: Visit, name: str, pattern: str) -> str:
    given = visit.asked(name).strip()
    if given and not re.fullmatch(pattern, given):
        raise ProblemError("bad_parameter", f"{name} {given[:40]!r} is not of the form {pattern}")
    return given


def _item(visit: Visit, row: ExceptionRow) -> Item:
    if row.amount is None:
        amount = ""
    elif row.code == "idle_table":
        amount = gettext("%(minutes)s min") % {"minutes": words.number(row.amount)}
    else:
        amount = words.signed(row.amount, row.currency or "EUR")
    caused_it = visit.person is not None and visit.person.id == row.actor
    why_not = gettext("You caused this yourself; another person must look into it.") if caused_it else ""
    return Item(row, term(row.code, "exception"), amount, detail(row), _links(visit, row), why_not)


def _links(visit: Visit, row: ExceptionRow) -> list[tuple[str, str]]:
    """What it is about: the round, the session, the slip; and the event itself, where this person may see it."""
    found = []
    if row.code in ("cap_reached", "outside_limits", "correction", "ruling"):
        found.append((row.subject, f"/audit/rounds/{row.subject}", "/audit/rounds/{round}"))
    elif row.table is not None:
        found.append((row.table, f"/tables/{row.table}", "/tables/{table}"))
    found.append((words.day(row.gaming_day), f"/finance/days/{row.gaming_day}", "/finance/days/{day}"))
    found.append((gettext("event"), f"/finance/events/{row.position}", "/finance/events/{position}"))
    role = "" if visit.person is None else visit.person.role
    return [(name, path) for name, path, page in found if role in roles.PAGES.get(page, ())]
