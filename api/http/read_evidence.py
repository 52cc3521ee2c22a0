"""The evidence of a round over HTTP, against a checkpoint of the log's head: as JSON, or as the page to hand over."""

from typing import Annotated, Any, Final

from msgspec import Meta, field
from psycopg import Connection
from starlette.responses import HTMLResponse

from api.evidence import bundle, page_of
from api.http.audit import MOST, reach, refusing
from api.http.doors import Doors, Shown, as_json
from api.http.queries import Query
from api.problems import ProblemError
from api.seals import issue, keys
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
    async def evidence(asked: EvidenceQuery, round_id: str) -> Shown:
        await reach(doors, asked, upto=MOST)
        document = await doors.reading(lambda conn: evidence_of(conn, doors.house, round_id))
        position = document["position"]
        if asked.form == "html":
            name = f'attachment; filename="{round_id}.html"'
            page = HTMLResponse(page_of(document), headers={**_HEADERS, "content-disposition": name})
            return Shown(page, position)
        return Shown(as_json(document), position)

    doors.show(_PATH, EvidenceQuery, evidence, "A round with everything that proves it, to check without this program")


def evidence_of(conn: Connection[Any], house: House, round_id: str) -> dict[str, Any]:
    """The bundle of a round, under a checkpoint that is signed now. Refuses `unknown_round` and `no_evidence`."""
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
