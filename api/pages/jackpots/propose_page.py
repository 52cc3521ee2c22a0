"""A new progressive, proposed by the casino manager; finance agrees at the same screen or later."""

from typing import Final

from starlette.responses import Response

from api.i18n.catalogue import gettext
from api.pages.frame import Pages
from api.pages.jackpots.consent import propose
from api.pages.jackpots.terms_form import MOST_LEVELS, levels_of
from api.pages.visit import Visit
from domain.money import CURRENCIES

PATH: Final = "/jackpots/+new"


def mount(pages: Pages) -> None:
    pages.show(PATH, _new)
    pages.form(PATH, _propose, _new)


def _new(visit: Visit) -> Response:
    return visit.page("jackpots/new.html", currencies=list(CURRENCIES), levels=range(1, MOST_LEVELS + 1))


def _propose(visit: Visit) -> Response:
    name = visit.form.required("id", gettext("the name"))
    currency = visit.form.required("currency", gettext("the currency"))
    body = {
        "id": name,
        "currency": currency,
        "levels": levels_of(visit.form, currency),
        "fixed_prizes_from": visit.form.text("fixed_prizes_from") or "house",
        "same_deal": visit.form.text("same_deal") or "box_order",
        "account": visit.form.text("account"),
    }
    said = propose(visit, "/v1/progressives", body=body)
    return visit.go(f"/jackpots/{name}/life", said)
