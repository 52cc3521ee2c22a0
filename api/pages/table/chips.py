"""Chips that cross the table's edge at the dealer's hand: buy-ins, tips, colour."""

from typing import Final

from starlette.responses import Response

from api.i18n.catalogue import gettext
from api.pages import words
from api.pages.frame import Pages
from api.pages.table.forms import number_of, opened, optional_amount, page_of
from api.pages.table.seen import known, tray_of
from api.pages.visit import Visit

_TABLE: Final = "/v1/tables/{table}"


def mount(pages: Pages) -> None:
    for path, show, act in (("buy-in", _buy_in, _buy), ("tip", _tip, _drop), ("colour", _colour, _move_colour)):
        pages.show(f"/tables/{{table}}/{path}", show)
        pages.form(f"/tables/{{table}}/{path}", act, show)


def _buy_in(visit: Visit) -> Response:
    return page_of(visit, "table/buy_in.html", gettext("Buy-in"), opened(visit))


def _buy(visit: Visit) -> Response:
    name, table = known(visit)
    amount = visit.form.amount("amount", gettext("the amount"), table.currency)
    player = visit.form.required("player", gettext("the player"))
    visit.act(f"{_TABLE}/buy-ins", name, body={"player": player, "amount": amount})
    said = {"player": player, "amount": words.amount(amount, table.currency, with_currency=True)}
    return visit.go(f"/tables/{name}", said=gettext("%(player)s bought in for %(amount)s.") % said)


def _tip(visit: Visit) -> Response:
    return page_of(visit, "table/tip.html", gettext("Tip"), opened(visit))


def _drop(visit: Visit) -> Response:
    name, table = known(visit)
    amount = visit.form.amount("amount", gettext("the amount"), table.currency)
    visit.act(f"{_TABLE}/tips", name, body={"amount": amount, "player": visit.form.optional("player")})
    said = {"amount": words.amount(amount, table.currency, with_currency=True)}
    return visit.go(f"/tables/{name}", said=gettext("A tip of %(amount)s is in the toke box.") % said)


def _colour(visit: Visit) -> Response:
    seen = opened(visit)
    tray = visit.read(lambda conn: tray_of(conn, seen))
    played = [] if tray is None else tray.colours
    return page_of(
        visit,
        "table/colour.html",
        gettext("Colour"),
        seen,
        colours=[(one.colour, f"{one.colour} · {one.player}") for one in played],
        tenders=[("cash", gettext("cash")), ("chips", gettext("value chips"))],
    )


def _move_colour(visit: Visit) -> Response:
    return _cash_in(visit) if visit.form.text("form") == "cash-in" else _issue(visit)


def _issue(visit: Visit) -> Response:
    name, table = known(visit)
    form = visit.form
    body = {
        "player": form.required("player", gettext("the player")),
        "colour": form.required("colour", gettext("the colour")),
        "count": number_of(form, "count", gettext("the number of chips")),
        "value": optional_amount(form, "value", gettext("the value of a chip"), table.currency),
        "tender": form.required("tender", gettext("what it is for")),
    }
    return _told(visit, name, table.currency, visit.act(f"{_TABLE}/colours", name, body=body), issued=True)


def _cash_in(visit: Visit) -> Response:
    name, table = known(visit)
    form = visit.form
    body = {
        "colour": form.required("held", gettext("the colour")),
        "count": number_of(form, "back", gettext("the number of chips")),
    }
    answer = visit.act(f"{_TABLE}/colours/cash-in", name, body=body)
    return _told(visit, name, table.currency, answer, issued=False)


def _told(visit: Visit, name: str, currency: str, answer: dict[str, object], *, issued: bool) -> Response:
    amount = words.amount(int(str(answer["amount"])), currency, with_currency=True)
    given = {"player": answer["player"], "colour": answer["colour"], "amount": amount}
    if issued:
        said = gettext("%(player)s plays %(colour)s, worth %(amount)s.") % given
    else:
        said = gettext("%(colour)s of %(player)s came back, worth %(amount)s.") % given
    return visit.go(f"/tables/{name}", said=said)
