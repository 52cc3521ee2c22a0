"""The log itself, a page at a time; and one event with its envelope, the bytes that are hashed, its chain and proof."""

from typing import Any, Final, NamedTuple

import msgspec
from psycopg import Connection
from starlette.responses import Response

from api.http import queries
from api.http.audit import refusing
from api.http.read_rounds import EventsQuery
from api.i18n.catalogue import gettext
from api.pages import site
from api.pages.audit.moments import position
from api.pages.audit.shown import audit_page
from api.pages.frame import Pages
from api.pages.visit import Visit
from api.problems import ProblemError
from api.seals import issue, keys
from domain.proof import ProofFile
from projections.reads import proofs
from projections.reads.events import Events, events
from projections.reads.snapshot import snapshot
from projections.reads.stored import Stored, stored

ROWS: Final = 60
_PAGE: Final = "/audit/events"
_BYTES_A_LINE: Final = 16


class Line(NamedTuple):
    """Sixteen of the bytes that are hashed: where they begin, in hex, and those that are characters."""

    at: str
    hex: str
    text: str


def mount(pages: Pages) -> None:
    pages.show(_PAGE, _events)
    pages.show(f"{_PAGE}/{{position}}", _event)
    pages.show(f"{_PAGE}/{{position}}/proof", _proof)


def _events(visit: Visit) -> Response:
    asked = {name: visit.asked(name).strip() for name in ("after", "from", "table", "round", "type")}
    found, wrong = Events([], None), None
    try:
        found = visit.read(lambda conn: _found(conn, asked))
    except ProblemError as error:
        wrong = error
    return audit_page(visit, "events.html", asked=asked, found=found, wrong=wrong, decode=msgspec.json.decode)


def _found(conn: Connection[Any], asked: dict[str, str]) -> Events:
    given: dict[str, object] = {name: asked[name] for name in ("table", "round", "type") if asked[name]}
    start = position(conn, asked["from"], gettext("from")) if not asked["after"] else None
    query = queries.understood({**given, "after": asked["after"] or max(0, (start or 1) - 1)}, EventsQuery)
    return events(conn, after=query.after, limit=ROWS, table=query.table, round_id=query.round_id, type_=query.topic)


def _event(visit: Visit) -> Response:
    at = int(visit.names[0])
    row = visit.read(lambda conn: stored(conn, at))
    if row is None:
        raise ProblemError(
            "unknown_position", gettext("the log has no event of position %(position)s") % {"position": at}
        )
    visit.position = at
    proof = visit.read(lambda conn: _sealed(conn, at))
    return audit_page(
        visit,
        "event.html",
        row=row,
        lines=list(_lines(row.leaf_bytes)),
        proof=proof,
        round=_round(row),
        pretty=msgspec.json.format(msgspec.json.encode(row.data), indent=2).decode(),
    )


def _round(row: Stored) -> str | None:
    named = row.data.get("round") if isinstance(row.data, dict) else None
    return named if isinstance(named, str) else None


def _sealed(conn: Connection[Any], at: int) -> ProofFile | None:
    with refusing(), snapshot(conn) as look:
        return proofs.proof_at(look, at)


def _proof(visit: Visit) -> Response:
    """The proof file: under the first checkpoint that covers the event, or under one that is signed now."""
    at = int(visit.names[0])
    house = visit.doors.house
    document = visit.read(lambda conn: _sealed(conn, at))
    if document is None:
        with refusing():
            key = keys.obtain(house.settings.signing_key_file, issue.origin(house.settings.site))
            visit.read(lambda conn: issue.issue(conn, key, house.settings.site))
            document = visit.read(lambda conn: _sealed(conn, at))
    if document is None:
        raise ProblemError("unknown_position", gettext("the tree has not taken position %(at)s in yet") % {"at": at})
    visit.position = at
    name = f'attachment; filename="position-{at}.proof.json"'
    return Response(
        msgspec.json.encode(document),
        media_type="application/json",
        headers={**site.HEADERS, "content-disposition": name},
    )


def _lines(data: bytes) -> Any:
    for at in range(0, len(data), _BYTES_A_LINE):
        part = data[at : at + _BYTES_A_LINE]
        yield Line(f"{at:04x}", part.hex(" "), "".join(chr(one) if 32 <= one < 127 else "·" for one in part))
