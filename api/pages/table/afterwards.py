"""Afterwards: a settled round put right, and a manager's ruling. Both take a second supervisor, on the same screen."""

from typing import Any, Final, NamedTuple

from starlette.responses import Response

from api.auth.people import Person
from api.i18n.catalogue import gettext
from api.pages import words
from api.pages.form import Form
from api.pages.frame import Pages
from api.pages.table.forms import opened, page_of
from api.pages.table.seen import known
from api.pages.visit import Visit
from api.problems import ProblemError
from domain.table.money import RoundMoney
from projections.reads import rounds as round_views

_TABLE: Final = "/v1/tables/{table}"
_ROUNDS: Final = 40
PAYMENTS: Final = 4
"""Rows for payments on the form of a ruling."""

_JACKPOT: Final = "jackpot"


class Stake(NamedTuple):
    """A stake of a settled round as it stands, corrections counted in, minor units. name: of its field."""

    name: str
    box: int
    kind: str
    staked: int
    paid: int


def mount(pages: Pages) -> None:
    for path, show, act in (("correct", _correct, _do_correct), ("rule", _rule, _do_rule)):
        pages.show(f"/tables/{{table}}/{path}", show)
        pages.form(f"/tables/{{table}}/{path}", act, show)


def _correct(visit: Visit) -> Response:
    seen = opened(visit)
    asked = visit.form.text("round") or visit.asked("round").strip()
    found = visit.read(lambda conn: round_views.latest(conn, seen.name, _ROUNDS))
    stakes = _stakes(visit.read(lambda conn: round_views.round_money(conn, asked))) if asked else []
    if asked and not stakes and visit.problem is None:
        visit.problem = ProblemError("unknown_round", f"no settled round {asked[:80]!r} of {seen.name}")
    rounds = [(row.round, f"{row.round} · {words.clock(row.closed_at)}") for row in found if row.state == "closed"]
    heading = gettext("Correct a round")
    return page_of(visit, "table/correct.html", heading, seen, asked=asked, stakes=stakes, rounds=rounds)


def _stakes(money: RoundMoney) -> list[Stake]:
    if money.closed is None:
        return []
    spots = sorted({(box, kind) for box, kind, _ in money.amounts if kind != _JACKPOT})
    amounts = money.amounts
    return [
        Stake(
            f"paid.{box}.{kind}", box, kind, amounts.get((box, kind, "staked"), 0), amounts.get((box, kind, "paid"), 0)
        )
        for box, kind in spots
    ]


def _do_correct(visit: Visit) -> Response:
    name, table = known(visit)
    form = visit.form
    round_id = form.required("round", gettext("the round"))
    stakes = _stakes(visit.read(lambda conn: round_views.round_money(conn, round_id)))
    payments = [
        {"box": stake.box, "kind": stake.kind, "paid": paid}
        for stake in stakes
        if form.text(stake.name)
        and (paid := form.amount(stake.name, gettext("the payment"), table.currency)) != stake.paid
    ]
    body = {"round": round_id, "reason": form.required("reason", gettext("the reason")), "payments": payments}
    answer = _agreed(visit, f"{_TABLE}/corrections", name, body)
    net = words.signed(answer["house_net"], table.currency)
    said = gettext("Round %(round)s is corrected: %(net)s for the house.") % {"round": round_id, "net": net}
    return visit.go(f"/tables/{name}", said=said)


def _rule(visit: Visit) -> Response:
    seen = opened(visit)
    found = visit.read(lambda conn: round_views.latest(conn, seen.name, _ROUNDS))
    rounds = [("", gettext("no round in particular")), *((row.round, row.round) for row in found)]
    heading = gettext("Make a ruling")
    return page_of(visit, "table/rule.html", heading, seen, rounds=rounds, payments=range(PAYMENTS))


def _do_rule(visit: Visit) -> Response:
    name, table = known(visit)
    form = visit.form
    body = {
        "ruling": form.required("ruling", gettext("the ruling")),
        "reason": form.required("reason", gettext("the reason")),
        "round": form.optional("round"),
        "payments": _payments(form, table.currency),
    }
    answer = _agreed(visit, f"{_TABLE}/rulings", name, body)
    paid = words.amount(answer["paid"], table.currency, with_currency=True)
    return visit.go(f"/tables/{name}", said=gettext("The ruling is made; %(paid)s is paid.") % {"paid": paid})


def _payments(form: Form, currency: str) -> list[dict[str, int]]:
    found = []
    for row in range(PAYMENTS):
        if form.text(f"box_{row}") or form.text(f"amount_{row}"):
            box = form.count(f"box_{row}", gettext("the box"))
            found.append({"box": box, "amount": form.amount(f"amount_{row}", gettext("the amount"), currency)})
    return found


def _agreed(visit: Visit, door: str, name: str, body: dict[str, Any]) -> dict[str, Any]:
    """Propose, and have the second supervisor agree. Who may not agree is told so before anything is proposed."""
    second = _second_supervisor(visit)
    asked = visit.act(door, name, body=body)
    return visit.approve(asked["approval"], second)


def _second_supervisor(visit: Visit) -> Person:
    second = visit.second()
    if second.role != "supervisor":
        raise ProblemError("role_required", f"this needs a supervisor; {second.id} has the role {second.role}")
    return second
