"""Checkpoints: signed statements of what the log was, to take away and hold the house to."""

from typing import Any, Final

import msgspec
from psycopg import Connection
from starlette.responses import Response

from api.http.audit import MOST, refusing
from api.i18n.catalogue import gettext
from api.pages import site
from api.pages.audit.shown import audit_page
from api.pages.frame import Pages
from api.pages.visit import Visit
from api.problems import ProblemError
from api.seals import issue, keys
from projections.reads import checkpoints, tree
from projections.reads.snapshot import snapshot

ROWS: Final = 50
_PAGE: Final = "/audit/checkpoints"


def mount(pages: Pages) -> None:
    pages.show(_PAGE, _checkpoints)
    pages.form(_PAGE, _sign, _checkpoints)
    pages.show(f"{_PAGE}/{{size}}", _checkpoint)


def _checkpoints(visit: Visit) -> Response:
    before = visit.asked("before")
    end = int(before) if before.isascii() and before.isdigit() and len(before) < 19 else MOST
    found = visit.read(lambda conn: checkpoints.latest(conn, before=end, limit=ROWS))
    head = visit.read(tree.head)
    visit.position = head.position
    settings = visit.doors.house.settings
    with refusing():
        key = keys.obtain(settings.signing_key_file, issue.origin(settings.site))
    signers = {one.size: one.note.count("\n— ") for one in found.checkpoints}
    return audit_page(visit, "checkpoints.html", found=found, head=head, key=str(key.verifier), signers=signers)


def _sign(visit: Visit) -> Response:
    settings = visit.doors.house.settings
    with refusing():
        key = keys.obtain(settings.signing_key_file, issue.origin(settings.site))
        kept = visit.read(lambda conn: issue.issue(conn, key, settings.site))
    return visit.go(_PAGE, said=gettext("Signed over %(size)s leaves.") % {"size": kept.size})


def _checkpoint(visit: Visit) -> Response:
    """The signed note as it is kept; with `from`, the proof that its tree continues that smaller one."""
    size = int(visit.names[0])
    first = visit.asked("from")
    if first.isascii() and first.isdigit() and len(first) < 19:
        with refusing():
            proof = visit.read(lambda conn: tree.consistency(conn, int(first), size))
        return _download(msgspec.json.encode(proof), "application/json", f"{first}-{size}.consistency.json")
    found = visit.read(lambda conn: _kept(conn, size))
    return _download(found.encode(), "text/plain", f"{size}.checkpoint")


def _kept(conn: Connection[Any], size: int) -> str:
    with snapshot(conn) as look:
        kept = checkpoints.kept(look, size)
    if kept is None:
        detail = gettext("no checkpoint of %(size)s leaves was issued") % {"size": size}
        raise ProblemError("unknown_checkpoint", detail)
    return str(kept.note)


def _download(body: bytes, media: str, name: str) -> Response:
    headers = {**site.HEADERS, "content-disposition": f'attachment; filename="{name}"'}
    return Response(body, media_type=media, headers=headers)
