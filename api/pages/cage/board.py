"""The board: slips under way with the next step for whoever is signed in, and the command line that asks for more."""

import asyncio
from typing import Any, Final
from urllib.parse import quote

import msgspec
import psycopg
from anyio import to_thread
from psycopg import Connection
from psycopg_pool import PoolTimeout
from starlette.responses import JSONResponse, Response

from api.http.read_jackpots import feed
from api.i18n.catalogue import gettext
from api.pages import site
from api.pages.cage.command import FIELD, Opened, Wanted, understood
from api.pages.cage.signing import signer
from api.pages.cage.steps import ORDER, next_step
from api.pages.floor_page import meters
from api.pages.form import FormError
from api.pages.frame import Pages
from api.pages.terms import term
from api.pages.visit import Visit
from api.pages.words import amount
from domain.commands import MoveChips
from projections.reads.cage import CageRow, cage
from projections.reads.jackpot_hits import hits
from projections.reads.needs import needs
from projections.reads.slip_board import Board, board, marks
from projections.reads.tables import TableRow, tables

REQUESTS: Final = {"fill": "/v1/tables/{table}/fills", "credit": "/v1/tables/{table}/credits"}
_DONE_SHOWN: Final = 20
_WAITING_SHOWN: Final = 20


def mount(pages: Pages) -> None:
    news = _News(pages)

    async def live(visit: Visit) -> Response:
        return feed(pages.house, visit.request, lambda: pages.may_stay(visit), pulse=True, more=news.text)

    async def preview(visit: Visit) -> Response:
        return await pages.threaded(lambda: _preview(visit))

    pages.show("/cage", _board)
    pages.form("/cage", _ask, _board)
    pages.stream("/live/cage", "/cage", live)
    pages.stream("/live/cage-line", "/cage", preview)


def _board(visit: Visit) -> Response:
    day = visit.asked("day") or None
    given, open_tables = visit.read(lambda conn: (board(conn, day), tables(conn).rows))
    visit.position = given.position
    pending = visit.read(lambda conn: hits(conn, state="pending", limit=_WAITING_SHOWN)) if _pays(visit) else None
    line = visit.form.text(FIELD) or visit.asked(FIELD)
    asked = None if visit.may(_door("POST", "fill")) else _asked(visit, line, open_tables, given)
    return visit.page(
        "cage/board.html",
        board=given,
        order=ORDER,
        mine={slip.slip: next_step(visit, slip) for slip in given.under_way},
        own=_own_window(visit),
        needs=[row for row in visit.read(needs).rows if row.slip] if visit.may("GET /v1/needs") else [],
        done=given.done[:_DONE_SHOWN],
        pending=[] if pending is None else pending.hits,
        line=line,
        asked=asked is not None,
        says="" if asked is None else told(asked),
        **meters(visit.doors.house),
    )


def _pays(visit: Visit) -> bool:
    return visit.may("POST /v1/cage/windows/{window}/hand-pays")


def _own_window(visit: Visit) -> CageRow | None:
    """The open window of who is signed in: what a cashier prepares comes out of it."""
    if visit.person is None or not visit.may("POST /v1/slips/{slip}/prepare"):
        return None
    own = visit.person.id
    return next((row for row in visit.read(lambda conn: cage(conn, state="open")).rows if row.cashier == own), None)


def _door(method: str, kind: str) -> str:
    return f"{method} {REQUESTS[kind]}"


def _asked(visit: Visit, line: str, open_tables: list[TableRow], given: Board) -> Wanted | None:
    """What a line asks for that somebody else has to sign."""
    if not line:
        return None
    try:
        wanted = understood(line, open_tables, given.day)
    except FormError as error:
        visit.problem = visit.problem or error
        return None
    return wanted if isinstance(wanted, Wanted) else None


def _ask(visit: Visit) -> Response:
    line = visit.form.required(FIELD, gettext("the command"))
    wanted = visit.read(lambda conn: _understood(conn, line))
    if isinstance(wanted, Opened):
        return visit.go(wanted.path)
    by = signer(visit)
    if by == visit.person and not visit.may(_door("POST", wanted.kind)):
        return visit.go(f"/cage?{FIELD}={quote(line[:200])}")
    body = msgspec.to_builtins(MoveChips(chips=wanted.chips))
    answer = visit.act(REQUESTS[wanted.kind], wanted.table.table, body=body, by=by)
    return visit.go(f"/cage/slips/{answer['slip']}")


def _understood(conn: Connection[Any], line: str) -> Wanted | Opened:
    return understood(line, tables(conn).rows, board(conn).day)


def _preview(visit: Visit) -> Response:
    """What the line would do, in a sentence; nothing is recorded."""
    try:
        wanted = visit.read(lambda conn: _understood(conn, visit.asked(FIELD)))
    except FormError as error:
        return JSONResponse({"right": False, "says": error.detail}, headers=site.HEADERS)
    says = told(wanted) if isinstance(wanted, Wanted) else gettext("Enter opens %(path)s") % {"path": wanted.path}
    return JSONResponse({"right": True, "says": says}, headers=site.HEADERS)


def told(wanted: Wanted) -> str:
    """A request in words: `Fill B1: 20 × 100.00 = 2 000.00 EUR; the tray should hold 12 000.00`."""
    currency = wanted.table.currency
    chips = " + ".join(f"{one.count} × {amount(one.denomination, currency)}" for one in wanted.chips)
    return gettext("%(kind)s %(table)s: %(chips)s = %(amount)s; the tray should hold %(tray)s now") % {
        "kind": term(wanted.kind, "slip"),
        "table": wanted.table.table,
        "chips": chips,
        "amount": amount(wanted.amount, currency, with_currency=True),
        "tray": amount(wanted.table.tray, currency),
    }


class _News:
    """One word for all boards: it differs when a slip has moved. Read at most once a second, while somebody looks."""

    PACE_S: Final = 1.0

    def __init__(self, pages: Pages) -> None:
        self._house = pages.house
        self._lock = asyncio.Lock()
        self._at = -1
        self._taken = 0.0
        self._text = b""

    async def text(self) -> bytes:
        """The newest state of the board as a `cage` event."""
        async with self._lock:
            now, views_at = asyncio.get_running_loop().time(), self._house.hub.views_at
            if not self._text or (views_at != self._at and now - self._taken >= self.PACE_S):
                self._taken, self._at = now, views_at
                self._text = await self._read()
        return self._text

    async def _read(self) -> bytes:
        try:
            found = await to_thread.run_sync(self._house.read, marks)
        except (psycopg.Error, PoolTimeout):
            return b""  # the page says itself that its figures are old
        return b"event: cage\ndata: %s\n\n" % msgspec.json.encode(found)
