"""The life of a progressive: what waits for a second person, every change there was, and each change there can be."""

from collections.abc import Callable
from typing import Any, Final

from starlette.responses import Response

from api.i18n.catalogue import gettext
from api.pages.form import FormError
from api.pages.frame import Pages
from api.pages.jackpots.consent import decide, propose
from api.pages.jackpots.records import record_name, record_said
from api.pages.jackpots.terms_form import MOST_LEVELS, levels_of, millionths_of, percent_text
from api.pages.terms import terms
from api.pages.visit import Visit
from api.problems import ProblemError
from projections.reads.jackpots import jackpots
from projections.reads.progressives import ProgressiveLife, progressive

PATH: Final = "/jackpots/{jackpot}/life"
DOOR: Final = "/v1/progressives/{progressive}"
_PAGE: Final = 50


def mount(pages: Pages) -> None:
    pages.show(PATH, _life)
    pages.form(PATH, _do, _life)


def read_life(visit: Visit) -> ProgressiveLife:
    """The progressive that the path names. Refuses `unknown_jackpot`."""
    (name,) = visit.names
    after = visit.asked("after")
    start = int(after) if after.isascii() and after.isdigit() else 0
    found = visit.read(lambda conn: progressive(conn, name, after=start, limit=_PAGE))
    if found is None:
        raise ProblemError("unknown_jackpot", f"nobody ever proposed a progressive {name!r}")
    visit.position = found.position
    return found


def _life(visit: Visit) -> Response:
    life = read_life(visit)
    running = visit.read(lambda conn: jackpots(conn, progressive=life.id)).jackpots
    return visit.page(
        "jackpots/life.html",
        life=life,
        jackpot=running[0] if running else None,
        may={act: visit.may(f"POST {DOOR}/{act}") for act in _ACTS},
        decides=visit.person is not None and visit.person.role == "finance",
        others=[one.id for one in visit.read(jackpots).jackpots if one.id != life.id and one.currency == life.currency],
        levels=range(1, MOST_LEVELS + 1),
        terms_of={one.level: one for one in life.terms},
        percent_text=percent_text,
        record_name=record_name,
        record_said=record_said,
        causes=terms("cause"),
        balances=terms("balance"),
    )


_ACTS: Final = ("stop", "start", "limits", "terms", "adjustments", "transfers", "announcements", "orphans", "retire")


def _do(visit: Visit) -> Response:
    life = read_life(visit)
    act = visit.form.text("do")
    if act == "decide":
        said = decide(visit)
    elif act in ("stop", "start", "announcements"):
        visit.act(f"{DOOR}/{act}", life.id, body=_BODIES[act](visit, life))
        said = gettext("Recorded.")
    elif act in _BODIES:
        said = propose(visit, f"{DOOR}/{act}", life.id, body=_BODIES[act](visit, life))
    else:
        raise FormError("do", gettext("choose what to do"))
    return visit.go(f"/jackpots/{life.id}/life", said)


def _reason(visit: Visit, _life: ProgressiveLife) -> dict[str, Any]:
    return {"reason": visit.form.required("reason", gettext("the reason"))}


def _nothing(_visit: Visit, _life: ProgressiveLife) -> dict[str, Any]:
    return {}


def _announcement(visit: Visit, life: ProgressiveLife) -> dict[str, Any]:
    return {"stops_on": visit.form.required("stops_on", gettext("the day")), **_reason(visit, life)}


def _limit(visit: Visit, life: ProgressiveLife) -> dict[str, Any]:
    limit = visit.form.amount("limit", gettext("the limit"), life.currency)
    return {"level": visit.form.count("level", gettext("the level")), "limit": limit, **_reason(visit, life)}


def _terms(visit: Visit, life: ProgressiveLife) -> dict[str, Any]:
    return {
        "levels": levels_of(visit.form, life.currency),
        "fixed_prizes_from": visit.form.text("fixed_prizes_from") or life.fixed_prizes_from,
        "same_deal": visit.form.text("same_deal") or life.same_deal,
        **_reason(visit, life),
    }


def _adjustment(visit: Visit, life: ProgressiveLife) -> dict[str, Any]:
    moved = millionths_of(visit.form, "amount", gettext("the amount"), life.currency)
    return {
        "level": visit.form.count("level", gettext("the level")),
        "balance": visit.form.text("balance"),
        "amount_u": str(-moved if visit.form.text("direction") == "out" else moved),
        "cause": visit.form.text("cause"),
        **_reason(visit, life),
    }


def _transfer(visit: Visit, life: ProgressiveLife) -> dict[str, Any]:
    return {
        "level": visit.form.count("level", gettext("the level")),
        "to": visit.form.required("to", gettext("the other progressive")),
        "to_level": visit.form.count("to_level", gettext("the level")) or 1,
        **_reason(visit, life),
    }


_BODIES: Final[dict[str, Callable[[Visit, ProgressiveLife], dict[str, Any]]]] = {
    "stop": _reason,
    "start": _nothing,
    "announcements": _announcement,
    "limits": _limit,
    "terms": _terms,
    "adjustments": _adjustment,
    "transfers": _transfer,
    "orphans": _reason,
    "retire": _reason,
}
