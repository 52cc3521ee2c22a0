"""A cashier's window: opened with its imprest, chips sold and redeemed, jackpots paid, money sent and signed for."""

from typing import Any, Final

from psycopg import Connection
from starlette.responses import Response

from api.auth.people import Person
from api.i18n.catalogue import gettext
from api.pages.cage.denominations import FREE_ROWS, counted, marks_of, sheet
from api.pages.cage.signing import signer
from api.pages.cage.windows import Windows, read_windows
from api.pages.form import FormError
from api.pages.frame import Pages
from api.pages.visit import Visit
from api.pages.words import amount
from api.problems import ProblemError
from domain.money_rules import window_of
from projections.reads.cage_window import WindowView, window
from projections.reads.jackpot_hits import HitView, hits

PATH: Final = "/cage/windows/{window}"
DOORS: Final = "/v1/cage/windows/{window}"
_MOST_HITS: Final = 50


def mount(pages: Pages) -> None:
    pages.show(PATH, _window)
    pages.form(PATH, _do, _window)


def read_window(visit: Visit) -> tuple[WindowView, Windows, str]:
    """The window that the path names, the cage around it, and its currency. Refuses `unknown_window`."""
    (name,) = visit.names
    found, around = visit.read(lambda conn: (window(conn, name), read_windows(conn)))
    visit.position = found.position
    rule = window_of(around.rules, name)
    if found.shift is None and rule is None and not found.earlier:
        raise ProblemError("unknown_window", f"the money rules of {around.day} name no window {name!r}")
    currency = found.shift.currency if found.shift is not None else rule.currency if rule is not None else "EUR"
    return found, around, currency


def _window(visit: Visit) -> Response:
    found, around, currency = read_window(visit)
    shift = found.shift
    mine = shift is not None and visit.person is not None and shift.cashier == visit.person.id
    rule = window_of(around.rules, found.window)
    parts = [] if shift is not None else [sheet(part, currency, (), visit.form) for part in ("cash", "chips")]
    return visit.page(
        "cage/window.html",
        window=found,
        shift=shift,
        mine=mine,
        works=visit.may("POST " + f"{DOORS}/open"),
        currency=currency,
        imprest=None if rule is None else rule.imprest,
        parts=parts,
        **marks_of(currency),
        free=range(FREE_ROWS),
        pending=visit.read(lambda conn: _pending(conn, currency)) if mine else [],
        receivers=[pair.receiver for pair in around.rules.transfers if pair.sender == found.window],
    )


def _pending(conn: Connection[Any], currency: str) -> list[HitView]:
    return [hit for hit in hits(conn, state="pending", limit=_MOST_HITS).hits if hit.currency == currency]


def _do(visit: Visit) -> Response:
    found, _, currency = read_window(visit)
    by = signer(visit)
    does = _DOES.get(visit.form.text("do"))
    if does is None:
        raise FormError("do", gettext("choose what to do"))
    return visit.go(f"/cage/windows/{found.window}", does(visit, found.window, currency, by))


def _open(visit: Visit, name: str, currency: str, by: Person) -> str:
    body = {part: counted(visit.form, part, currency) for part in ("cash", "chips")}
    answer = visit.act(f"{DOORS}/open", name, body=body, by=by)
    return gettext("The shift %(shift)s has begun.") % {"shift": answer["cage_shift"]}


def _sell(visit: Visit, name: str, currency: str, by: Person) -> str:
    body = _trade(visit, currency)
    visit.act(f"{DOORS}/sales", name, body=body, by=by)
    return gettext("Chips of %(amount)s sold.") % {"amount": amount(body["amount"], currency, with_currency=True)}


def _redeem(visit: Visit, name: str, currency: str, by: Person) -> str:
    body = _trade(visit, currency)
    visit.act(f"{DOORS}/redemptions", name, body=body, by=by)
    return gettext("Chips of %(amount)s redeemed.") % {"amount": amount(body["amount"], currency, with_currency=True)}


def _trade(visit: Visit, currency: str) -> dict[str, Any]:
    body: dict[str, Any] = {"amount": visit.form.amount("amount", gettext("the amount"), currency)}
    if player := visit.form.optional("player"):
        body["player"] = player
    return body


def _pay(visit: Visit, name: str, currency: str, by: Person) -> str:
    body = {
        "progressive": visit.form.required("progressive", gettext("the jackpot")),
        "hit": visit.form.required("hit", gettext("the hit")),
    }
    answer = visit.act(f"{DOORS}/hand-pays", name, body=body, by=by)
    paid = amount(int(answer["amount"]), currency, with_currency=True)
    return gettext("Jackpot of %(amount)s paid.") % {"amount": paid}


def _send(visit: Visit, name: str, currency: str, by: Person) -> str:
    body = {"to": visit.form.required("to", gettext("the window")), **_held(visit, "send", currency)}
    answer = visit.act(f"{DOORS}/transfers", name, body=body, by=by)
    return gettext("Transfer %(transfer)s is on its way.") % {"transfer": answer["transfer"]}


def _receive(visit: Visit, name: str, currency: str, by: Person) -> str:
    transfer = visit.form.required("transfer", gettext("the transfer"))
    body = _held(visit, "came", currency)
    visit.act(f"{DOORS}/transfers/{{transfer}}/receive", name, transfer, body=body, by=by)
    return gettext("Transfer %(transfer)s is received.") % {"transfer": transfer}


def _held(visit: Visit, prefix: str, currency: str) -> dict[str, int]:
    """Cash and chips as sums; an empty field is none."""
    labels = {"cash": gettext("the cash"), "chips": gettext("the chips")}
    given = {part: f"{prefix}_{part}" for part in labels if visit.form.text(f"{prefix}_{part}")}
    return {part: visit.form.amount(field, labels[part], currency) for part, field in given.items()}


_DOES: Final = {"open": _open, "sell": _sell, "redeem": _redeem, "pay": _pay, "send": _send, "receive": _receive}
