"""The tray: filled from the cage, relieved to it, counted."""

from typing import Final

from starlette.responses import Response

from api.i18n.catalogue import gettext
from api.pages import words
from api.pages.frame import Pages
from api.pages.table.forms import opened, page_of, tray_sheet
from api.pages.table.seen import known
from api.pages.table.sheets import counted
from api.pages.terms import term
from api.pages.visit import Visit

_TABLE: Final = "/v1/tables/{table}"
_DOORS: Final = {"fill": f"{_TABLE}/fills", "credit": f"{_TABLE}/credits"}


def mount(pages: Pages) -> None:
    for kind in _DOORS:
        _mount_move(pages, kind)
    pages.show("/tables/{table}/count", _count)
    pages.form("/tables/{table}/count", _do_count, _count)


def _mount_move(pages: Pages, kind: str) -> None:
    def show(visit: Visit) -> Response:
        seen = opened(visit)
        heading = gettext("Ask for a fill") if kind == "fill" else gettext("Offer a credit")
        return page_of(visit, "table/move.html", heading, seen, kind=kind, sheet=tray_sheet(visit, seen, "chips"))

    def ask(visit: Visit) -> Response:
        name, table = known(visit)
        answer = visit.act(_DOORS[kind], name, body={"chips": counted(visit.form, "chips", table.currency)})
        said = {"slip": answer["slip"], "state": term(answer["state"], "slip_state")}
        return visit.go(f"/tables/{name}", said=gettext("Slip %(slip)s: %(state)s.") % said)

    pages.show(f"/tables/{{table}}/{kind}", show)
    pages.form(f"/tables/{{table}}/{kind}", ask, show)


def _count(visit: Visit) -> Response:
    seen = opened(visit)
    return page_of(visit, "table/count.html", gettext("Count the tray"), seen, sheet=tray_sheet(visit, seen, "chips"))


def _do_count(visit: Visit) -> Response:
    name, table = known(visit)
    answer = visit.act(f"{_TABLE}/counts", name, body={"chips": counted(visit.form, "chips", table.currency)})
    told = {
        "counted": words.amount(answer["counted"], table.currency),
        "expected": words.amount(answer["expected"], table.currency),
        "difference": words.signed(answer["difference"], table.currency),
    }
    said = gettext("Counted %(counted)s where %(expected)s should be: %(difference)s.") % told
    return visit.go(f"/tables/{name}", said=said)
