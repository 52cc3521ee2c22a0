"""A table's session: opened with its opener, its limits posted anew, its round voided, closed with its closer."""

from collections import defaultdict
from datetime import date, timedelta
from typing import Any, Final

from starlette.responses import Response

from api.i18n.catalogue import gettext
from api.pages import words
from api.pages.form import Form
from api.pages.frame import Pages
from api.pages.table.forms import games_of, looked_at, opened, optional_amount, page_of, tray_sheet
from api.pages.table.seen import known
from api.pages.table.sheets import counted
from api.pages.terms import term
from api.pages.visit import Visit
from api.problems import ProblemError
from domain.money import CURRENCIES
from projections.reads import felt as felt_views
from projections.reads.days import gaming_days
from projections.reads.jackpots import jackpots
from projections.reads.tables import TableRow

_TABLE: Final = "/v1/tables/{table}"
_MOST_DAYS: Final = 10


def mount(pages: Pages) -> None:
    for path, show, act in (
        ("open", _open, _do_open),
        ("limits", _limits, _do_limits),
        ("close", _close, _do_close),
        ("void", _void, _do_void),
    ):
        pages.show(f"/tables/{{table}}/{path}", show)
        pages.form(f"/tables/{{table}}/{path}", act, show)


def _open(visit: Visit) -> Response:
    seen = looked_at(visit)
    if seen.is_open:
        return visit.go(f"/tables/{seen.name}", said=gettext("The table is open already."))
    last = seen.table
    running = visit.read(jackpots).jackpots
    return page_of(
        visit,
        "table/open.html",
        gettext("Open the table"),
        seen,
        sheet=tray_sheet(visit, seen, "opener", closer=True),
        currency=visit.form.text("currency") or ("EUR" if last is None else last.currency),
        currencies=[(code, code) for code in CURRENCIES],
        games=[(game.id, game.name) for game in sorted(games_of(visit).values(), key=lambda game: game.name)],
        progressives=[("", gettext("none")), *((one.id, f"{one.id} · {one.currency}") for one in running)],
        days=[("", gettext("the newest")), *((day, words.day(day)) for day in _open_days(visit))],
        was=_was(last),
    )


def _open_days(visit: Visit) -> list[str]:
    """Gaming days that are still open, the newest first."""
    found = visit.read(lambda conn: gaming_days(conn, limit=_MOST_DAYS)).rows
    return [row.day for row in found if row.state == "open"]


def _was(table: TableRow | None) -> dict[str, str]:
    """The terms that the table had last, as its form shows them; empty texts where there are none."""
    if table is None:
        return defaultdict(str)
    amounts = {"chip": table.chip, "min": table.min, "max": table.max, "cap": table.max_payout_per_box}
    written = {name: words.amount(sum_, table.currency) for name, sum_ in amounts.items() if sum_ is not None}
    return defaultdict(str, ruleset=table.ruleset, progressive=table.progressive or "", **written)


def _do_open(visit: Visit) -> Response:
    (name,) = visit.names
    form = visit.form
    currency = form.required("currency", gettext("the currency"))
    body = {
        "ruleset": form.required("ruleset", gettext("the game")),
        "currency": currency,
        "chip": form.amount("chip", gettext("the smallest chip"), currency),
        **_limits_of(visit, currency),
        "progressive": form.optional("progressive"),
        "gaming_day": form.optional("gaming_day"),
        "shift": form.optional("shift"),
        "opener": counted(form, "opener", currency),
    }
    answer = visit.act(f"{_TABLE}/open", name, body=body)
    said = gettext("Table %(table)s is open.") % {"table": name}
    for one in answer["exceptions"]:
        told = {"counted": words.amount(one["counted"], currency), "carried": words.amount(one["carried"], currency)}
        said += (
            " " + gettext("The opener %(counted)s differs from the closer %(carried)s: that is an exception.") % told
        )
    return visit.go(f"/tables/{name}", said=said)


def _limits_of(visit: Visit, currency: str) -> dict[str, Any]:
    form = visit.form
    return {
        "min": form.amount("min", gettext("the minimum"), currency),
        "max": form.amount("max", gettext("the maximum"), currency),
        "max_payout_per_box": optional_amount(form, "cap", gettext("the most a box is paid"), currency),
    }


def _limits(visit: Visit) -> Response:
    seen = opened(visit)
    return page_of(visit, "table/limits.html", gettext("Post limits"), seen, was=_was(seen.table))


def _do_limits(visit: Visit) -> Response:
    name, table = known(visit)
    visit.act(f"{_TABLE}/limits", name, body=_limits_of(visit, table.currency))
    return visit.go(f"/tables/{name}", said=gettext("The new limits are good from the next round."))


def _close(visit: Visit) -> Response:
    seen = opened(visit)
    assert seen.table is not None, "an open table was opened"
    return page_of(
        visit,
        "table/close.html",
        gettext("Close the table"),
        seen,
        sheet=tray_sheet(visit, seen, "closer"),
        next_day=(date.fromisoformat(seen.table.gaming_day) + timedelta(days=1)).isoformat(),
    )


def _do_close(visit: Visit) -> Response:
    name, table = known(visit)
    form = visit.form
    body: dict[str, Any] = {"closer": counted(form, "closer", table.currency)}
    if form.text("roll"):
        body |= {"roll_to": form.optional("roll_to"), "roll_shift": form.optional("roll_shift")}
    answer = visit.act(f"{_TABLE}/close", name, body=body)
    told = {
        "closer": words.amount(answer["closer"], table.currency),
        "expected": words.amount(answer["expected"], table.currency),
        "difference": words.signed(answer["over_short"], table.currency),
    }
    said = gettext("Closed with %(closer)s where %(expected)s should be: %(difference)s.") % told
    if "next_session" in answer:
        said += " " + gettext("Rolled on to session %(session)s.") % {"session": answer["next_session"]}
    return visit.go(f"/tables/{name}", said=said)


def _void(visit: Visit) -> Response:
    seen = opened(visit)
    felt = visit.read(lambda conn: felt_views.felt(conn, seen.name))
    if felt is None:
        raise ProblemError("no_open_round", f"no round is on the felt at {seen.name}")
    kinds = [("", gettext("a supervisor's reason: everything goes back"))]
    kinds += [(one["kind"], term(one["kind"], "misdeal")) for one in felt.next if one["do"] == "misdeal"]
    boxes = [("", gettext("no box in particular")), *((str(box.box), str(box.box)) for box in felt.boxes)]
    return page_of(visit, "table/void.html", gettext("Void the round"), seen, felt=felt, kinds=kinds, boxes=boxes)


def _do_void(visit: Visit) -> Response:
    name, _ = known(visit)
    body = void_body(visit.form)
    answer = visit.act(f"{_TABLE}/rounds/current/void", name, body=body)
    return visit.go(f"/tables/{name}", said=gettext("Round %(round)s is void.") % {"round": answer["round"]})


def void_body(form: Form) -> dict[str, Any]:
    """What a form says of a round that is to be voided."""
    box = form.text("box")
    return {
        "reason": form.required("reason", gettext("the reason")),
        "kind": form.optional("kind"),
        "box": int(box) if box.isascii() and box.isdigit() else None,
    }
