"""One slip: its chips, who has signed, and the next signature, given at this screen by whoever it is."""

from typing import Any

from psycopg import Connection
from starlette.responses import Response

from api.i18n.catalogue import gettext
from api.pages.cage.signing import signer
from api.pages.cage.steps import ORDER, next_step
from api.pages.form import FormError
from api.pages.frame import Pages
from api.pages.terms import term
from api.pages.visit import Visit
from api.problems import ProblemError
from domain.slips import STEPS
from projections.reads.cage import CageRow, cage
from projections.reads.slip_board import SlipRecord, paid_hit, slip

PATH = "/cage/slips/{slip}"


def mount(pages: Pages) -> None:
    pages.show(PATH, _slip)
    pages.form(PATH, _sign, _slip)


def record_of(visit: Visit, slip_id: str) -> SlipRecord:
    """The slip. Refuses `unknown_slip`."""
    found = visit.read(lambda conn: slip(conn, slip_id))
    if found is None:
        raise ProblemError("unknown_slip", f"there is no slip {slip_id!r}")
    visit.position = found.position
    return found


def _slip(visit: Visit) -> Response:
    (slip_id,) = visit.names
    if slip_id.startswith("hand_pay-"):
        hit = visit.read(lambda conn: paid_hit(conn, slip_id))
        if hit is not None:
            return visit.go("/jackpots/{}/hits/{}".format(*hit))
    record = record_of(visit, slip_id)
    return visit.page(
        "cage/slip.html",
        record=record,
        slip=record.slip,
        order=ORDER,
        by_step={one.step: one for one in record.slip.signatures},
        next=next_step(visit, record.slip),
        windows=visit.read(lambda conn: _windows(conn, record)),
        voids=record.slip.state in ("requested", "prepared")
        or (record.slip.overtaken and record.slip.state in ("carried", "counted")),
    )


def _windows(conn: Connection[Any], record: SlipRecord) -> list[CageRow]:
    """The windows that could serve it, while a cashier prepares it."""
    if record.slip.state != "requested":
        return []
    return [row for row in cage(conn, state="open").rows if row.currency == record.slip.currency]


def _sign(visit: Visit) -> Response:
    (slip_id,) = visit.names
    step = visit.form.text("step")
    by = signer(visit)
    if step == "void":
        reason = visit.form.required("reason", gettext("the reason"))
        visit.act("/v1/slips/{slip}/void", slip_id, body={"reason": reason}, by=by)
        return visit.go(f"/cage/slips/{slip_id}", gettext("The slip is void."))
    if step not in STEPS:
        raise FormError("step", gettext("choose a step"))
    body = {"at": f"{came}:00Z"} if (came := visit.form.text("came_at")) else {}
    if step == "prepare" and (window := visit.form.optional("window")):
        body["window"] = window
    visit.act(f"/v1/slips/{{slip}}/{step}", slip_id, body=body, by=by)
    said = gettext("%(step)s: %(name)s.") % {"step": term(step, "slip_step"), "name": by.name}
    return visit.go(f"/cage/slips/{slip_id}", said)
