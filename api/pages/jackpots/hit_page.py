"""A hit: what it was, who has verified it and what comes next, payment, rejection, its slip and the slip's prints."""

from typing import Final

from starlette.responses import Response

from api.i18n.catalogue import gettext
from api.pages.cage.signing import signer
from api.pages.form import FormError
from api.pages.frame import Pages
from api.pages.jackpots.seen import STEPS, record_of
from api.pages.terms import term
from api.pages.visit import Visit
from api.pages.words import amount
from projections.reads.cage import cage
from projections.reads.jackpot_hits import HitView

PATH: Final = "/jackpots/{jackpot}/hits/{hit}"
DOOR: Final = "/v1/jackpots/{jackpot}/hits/{hit}"


def mount(pages: Pages) -> None:
    pages.show(PATH, _hit)
    pages.form(PATH, _do, _hit)


def _hit(visit: Visit) -> Response:
    record = record_of(visit)
    hit = record.hit
    passed = {step.step for step in hit.steps if step.result == "passed"}
    return visit.page(
        "jackpots/hit.html",
        record=record,
        hit=hit,
        missing=[step for step in STEPS if step not in passed],
        may={act: visit.may(f"POST {DOOR}/{act}") for act in ("steps", "pay", "reject", "prints")},
        verified=visit.person is not None
        and any(step.step == "hand_verified" and step.actor == visit.person.id for step in hit.steps),
        window=_own_window(visit, hit),
        instruments=("cash", "cheque", "bank_transfer", "chips"),
    )


def _own_window(visit: Visit, hit: HitView) -> str | None:
    """The open window of who is signed in: a hit paid there comes out of its cash."""
    if visit.person is None or not visit.may("POST /v1/cage/windows/{window}/hand-pays"):
        return None
    own = visit.person.id
    rows = visit.read(lambda conn: cage(conn, state="open")).rows
    return next((row.window for row in rows if row.cashier == own and row.currency == hit.currency), None)


def _do(visit: Visit) -> Response:
    jackpot, hit = visit.names
    does = _DOES.get(visit.form.text("do"))
    if does is None:
        raise FormError("do", gettext("choose what to do"))
    return does(visit, jackpot, hit)


def _back(visit: Visit, said: str) -> Response:
    return visit.go("/jackpots/{}/hits/{}".format(*visit.names), said)


def _step(visit: Visit, jackpot: str, hit: str) -> Response:
    step = visit.form.required("step", gettext("the step"))
    result = visit.form.text("result") or "passed"
    body = {"step": step, "result": result, "note": visit.form.text("note")}
    by = signer(visit)
    visit.act(f"{DOOR}/steps", jackpot, hit, body=body, by=by)
    return _back(visit, gettext("%(step)s: %(name)s.") % {"step": term(step, "hit_step"), "name": by.name})


def _pay(visit: Visit, jackpot: str, hit: str) -> Response:
    by, window = signer(visit), visit.form.optional("window")
    if window is not None:
        door, names = "/v1/cage/windows/{window}/hand-pays", (window,)
        answer = visit.act(door, *names, body={"progressive": jackpot, "hit": hit}, by=by)
    else:
        body = {"paid_by": visit.form.text("paid_by") or "cage", "instrument": visit.form.optional("instrument")}
        answer = visit.act(f"{DOOR}/pay", jackpot, hit, body=body, by=by)
    paid = amount(int(answer["amount"]), record_of(visit).hit.currency, with_currency=True)
    return _back(visit, gettext("%(amount)s paid by %(name)s.") % {"amount": paid, "name": by.name})


def _reject(visit: Visit, jackpot: str, hit: str) -> Response:
    by = signer(visit)
    visit.act(f"{DOOR}/reject", jackpot, hit, body={"reason": visit.form.text("reason")}, by=by)
    return _back(visit, gettext("The hit is rejected; its meter is put back."))


def _print(visit: Visit, jackpot: str, hit: str) -> Response:
    visit.act(f"{DOOR}/prints", jackpot, hit, body={})
    return visit.go(f"/jackpots/{jackpot}/hits/{hit}/slip")


_DOES: Final = {"step": _step, "pay": _pay, "reject": _reject, "print": _print}
