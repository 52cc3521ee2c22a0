"""The evidence of a round over HTTP, against a checkpoint of the log's head: as JSON, or as the page to hand over."""

from typing import Annotated, Any, Final

from msgspec import Meta, field
from psycopg import Connection
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from api.auth import gate, roles
from api.evidence import bundle, page_of
from api.http import queries
from api.http.audit import MOST, reach, refusing
from api.http.doors import Doors, as_json
from api.http.names import path_names
from api.http.queries import Query
from api.problems import ProblemError
from api.seals import issue, keys
from api.viewed import report_viewed
from api.wiring import House
from projections.evidence import EvidenceError

_PATH: Final = "/v1/rounds/{round}/evidence"
_HEADERS: Final = {
    "cache-control": "no-store",
    "content-security-policy": "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
}

Form = Annotated[str, Meta(pattern="^(json|html)$", description="json, or html: one page that needs nothing beside it")]


class EvidenceQuery(Query, frozen=True, kw_only=True):
    form: Form = field(default="json", name="format")


def mount(doors: Doors) -> None:
    async def evidence(request: Request) -> Response:
        caller = await gate.enter(request, doors.house.tokens, roles.allowed("GET", _PATH))
        (round_id,) = path_names(request)
        asked = queries.parse(request, EvidenceQuery)
        await doors.wait_for(asked)
        await reach(doors, asked, upto=MOST)
        document = await doors.reading(lambda conn: _bundle(conn, doors.house, round_id))
        report_viewed("evidence", caller.actor, round=round_id, position=document["position"])
        if asked.form == "html":
            name = f'attachment; filename="{round_id}.html"'
            return HTMLResponse(page_of(document), headers={**_HEADERS, "content-disposition": name})
        return as_json(document)

    doors.mount("GET", _PATH, evidence)
    doors.book.read(_PATH, EvidenceQuery, "A round with everything that proves it, to check without this program")


def _bundle(conn: Connection[Any], house: House, round_id: str) -> dict[str, Any]:
    site = house.settings.site
    with refusing():
        key = keys.obtain(house.settings.signing_key_file, issue.origin(site))
        try:
            document = bundle(conn, round_id, key, site)
        except EvidenceError as error:
            raise ProblemError("no_evidence", str(error)) from error
    if document is None:
        raise ProblemError("unknown_round", f"there is no round {round_id!r}")
    return document
