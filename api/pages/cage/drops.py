"""Drop boxes: mounted and removed by security, received by the count room, and counted twice, the second time blind."""

from typing import Final

from starlette.responses import Response

from api.i18n.catalogue import gettext
from api.pages.cage.denominations import FREE_ROWS, counted, marks_of, sheet
from api.pages.cage.signing import signer
from api.pages.form import FormError
from api.pages.frame import Pages
from api.pages.visit import Visit
from api.pages.words import amount
from api.problems import ProblemError
from projections.reads.days import BoxRow, drop_boxes
from projections.reads.drop_counts import counters_of, newest_day
from projections.reads.tables import tables

PATH: Final = "/cage/drops"
COUNT: Final = "/cage/drops/{drop}"
_MOVES: Final = {
    "mounted": ("remove", "/v1/drop-boxes/{drop}/remove"),
    "removed": ("receive", "/v1/drop-boxes/{drop}/receive"),
}
"""The state of a box -> how it moves on, by which door."""


def mount(pages: Pages) -> None:
    pages.show(PATH, _drops)
    pages.form(PATH, _move, _drops)
    pages.show(COUNT, _box)
    pages.form(COUNT, _count, _box)


def _drops(visit: Visit) -> Response:
    day = visit.asked("day") or visit.read(newest_day)
    boxes = visit.read(lambda conn: drop_boxes(conn, gaming_day=day or ""))
    floor = visit.read(tables)
    visit.position = boxes.position
    at_tables = {row.table for row in boxes.rows if row.state == "mounted"}
    return visit.page(
        "cage/drops.html",
        day=day,
        boxes=boxes.rows,
        moves=_MOVES,
        tables=[row.table for row in floor.rows if row.state == "open"],
        bare=[row.table for row in floor.rows if row.state == "open" and row.table not in at_tables],
    )


def _move(visit: Visit) -> Response:
    does, by = visit.form.text("do"), signer(visit)
    if does == "mount":
        table = visit.form.required("table", gettext("the table"))
        box = visit.form.required("box", gettext("the drop box"))
        visit.act("/v1/tables/{table}/drop-boxes", table, body={"box": box}, by=by)
        return visit.go(PATH, gettext("Box %(box)s is at %(table)s.") % {"box": box, "table": table})
    door = next((door for step, door in _MOVES.values() if step == does), None)
    if door is None:
        raise FormError("do", gettext("choose what to do"))
    drop = visit.form.required("drop", gettext("the drop box"))
    visit.act(door, drop, body={}, by=by)
    return visit.go(PATH, gettext("Signed by %(name)s.") % {"name": by.name})


def _row(visit: Visit, drop: str) -> BoxRow:
    day = drop.removeprefix("drop-")[:10]
    found = visit.read(lambda conn: drop_boxes(conn, gaming_day=day))
    visit.position = found.position
    row = next((row for row in found.rows if row.drop == drop), None)
    if row is None:
        raise ProblemError("unknown_drop", f"there is no drop box {drop!r}")
    return row


def _box(visit: Visit) -> Response:
    """The count of one box. What others have counted stands nowhere on it until two counts agree."""
    (drop,) = visit.names
    row = _row(visit, drop)
    people = visit.read(lambda conn: counters_of(conn, drop))
    part = sheet("cash", row.currency, (), visit.form)
    return visit.page(
        "cage/drop.html",
        box=row,
        people=people,
        mine=visit.may("POST /v1/drop-boxes/{drop}/count")
        and visit.person is not None
        and visit.person.id not in (*people.carriers, *people.counters),
        part=part,
        free=range(FREE_ROWS),
        currency=row.currency,
        **marks_of(row.currency),
    )


def _count(visit: Visit) -> Response:
    (drop,) = visit.names
    row = _row(visit, drop)
    if visit.form.text("do") == "check":
        return _box(visit)
    by = signer(visit)
    body = {"cash": counted(visit.form, "cash", row.currency)}
    answer = visit.act("/v1/drop-boxes/{drop}/count", drop, body=body, by=by)
    if answer["state"] != "counted":
        return visit.go(
            f"/cage/drops/{drop}",
            gettext("Count %(number)s is taken; another person counts again.") % {"number": answer["count"]},
        )
    total = amount(int(answer["total"]), row.currency, with_currency=True)
    return visit.go(PATH, gettext("%(drop)s is counted: %(total)s.") % {"drop": drop, "total": total})
