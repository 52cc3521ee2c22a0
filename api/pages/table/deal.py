"""A round dealt from the page, step by step: what is due is offered first, every choice has a key of its own."""

from collections import defaultdict
from typing import Any, Final, NamedTuple

import msgspec
from psycopg import Connection
from starlette.responses import Response

from api.i18n.catalogue import gettext
from api.pages.form import Form
from api.pages.frame import Pages
from api.pages.table import felt
from api.pages.table.forms import opened, page_of
from api.pages.table.moves import MOST_BOXES, NO_SPIN, VOID, move_of
from api.pages.table.seen import Seen, known
from api.pages.table.session import void_body
from api.pages.terms import term
from api.pages.visit import Visit
from api.pages.words import amount
from projections.reads import felt as felt_views
from projections.reads import limits as limit_views
from projections.reads import rounds as round_views
from projections.reads.felt import Felt

_DEALS: Final = ("cards", "upcard", "board")
_OF_A_BOX: Final = ("swap", "buy", "insure", "bet", "fold", "time_out", "dealer_card", "decline_dealer_card")


class Settled(NamedTuple):
    """A round as it was settled: the record of what was played, and what came of it."""

    round: str
    state: str
    record: dict[str, Any]
    settlement: dict[str, Any]


def mount(pages: Pages) -> None:
    pages.show("/tables/{table}/deal", _deal)
    pages.form("/tables/{table}/deal", _do, _deal)


def _deal(visit: Visit) -> Response:
    seen = opened(visit)
    assert seen.table is not None, "an open table was opened"
    on_felt, limits = visit.read(lambda conn: (felt_views.felt(conn, seen.name), _limits(conn, seen.name)))
    round_id = visit.asked("round")
    settled = visit.read(lambda conn: _settled(conn, round_id)) if round_id and on_felt is None else None
    again = visit.asked("again")
    before = visit.read(lambda conn: _settled(conn, again)) if again and on_felt is None else None
    return page_of(
        visit,
        "table/deal.html",
        gettext("Deal"),
        seen,
        felt=on_felt,
        boxes=[] if on_felt is None else felt.boxes(on_felt, limits, to_the_dealer=True),
        due=None if on_felt is None else _due(on_felt),
        options=_by_box(on_felt),
        ends=_ends(on_felt),
        settled=settled,
        seats=range(1, (MOST_BOXES if seen.game is None else seen.game.boxes) + 1),
        was=_was(before, seen),
        is_again=before is not None,
        may_deal=visit.may("POST /v1/tables/{table}/rounds"),
        is_supervisor=visit.may(f"POST {VOID}"),
    )


def _limits(conn: Connection[Any], name: str) -> dict[int, limit_views.LimitRow]:
    return {row.box: row for row in limit_views.limits(conn, table=name).rows}


def _due(on_felt: Felt) -> dict[str, Any] | None:
    """What the dealer has to do before anybody decides anything; None while it is the boxes' turn."""
    wanted = (*_DEALS, "draw", "dealer", "wager")
    return next((option for option in on_felt.next if option["do"] in wanted), None)


def _by_box(on_felt: Felt | None) -> dict[int, dict[str, dict[str, Any] | None]]:
    """The choices of each box by what is done; None for what it may not do."""
    found: dict[int, dict[str, dict[str, Any] | None]] = {}
    for option in [] if on_felt is None else on_felt.next:
        if option["do"] in _OF_A_BOX:
            found.setdefault(option["box"], dict.fromkeys(_OF_A_BOX))[option["do"]] = option
    return found


def _ends(on_felt: Felt | None) -> list[tuple[str, str]]:
    """How the round may be ended without a result."""
    kinds = [] if on_felt is None else [one["kind"] for one in on_felt.next if one["do"] == "misdeal"]
    reason = ("", gettext("a supervisor's reason: everything goes back"))
    return [reason, *((kind, term(kind, "misdeal")) for kind in kinds)]


def _settled(conn: Connection[Any], round_id: str) -> Settled | None:
    whole = round_views.round_record(conn, round_id)
    if whole is None or whole.settlement is None:
        return None
    return Settled(round_id, whole.round.state, whole.record, msgspec.to_builtins(whole.settlement))


def _was(before: Settled | None, seen: Seen) -> dict[str, str]:
    """The stakes of a round before, as the fields of the next; empty texts where there are none."""
    assert seen.table is not None, "an open table was opened"
    fields: dict[str, str] = defaultdict(str)
    for box in [] if before is None else before.record.get("boxes", []):
        n = box["box"]
        stakes = {name: box[name] for name in ("ante", "bonus", "jackpot") if box.get(name)}
        fields |= {f"{name}.{n}": amount(stake, seen.table.currency) for name, stake in stakes.items()}
        fields[f"player.{n}"] = box.get("player", "")
        fields[f"blind.{n}"] = "1" if box.get("blind") else ""
    return fields


def _do(visit: Visit) -> Response:
    name, table = known(visit)
    form = visit.form
    if form.text("do") == "void":
        return _void(visit, name, form)
    door, body = NO_SPIN if form.text("do") == "no_spin" else move_of(form, table.currency)
    return _on(visit, name, visit.act(door, name, body=body))


def _void(visit: Visit, name: str, form: Form) -> Response:
    """The supervisor ends the round: the person signed in, or one who signs on the dealer's screen."""
    by = visit.person if visit.may(f"POST {VOID}") else visit.second()
    return _on(visit, name, visit.act(VOID, name, body=void_body(form), by=by))


def _on(visit: Visit, name: str, answer: dict[str, Any]) -> Response:
    """To the next step, or to what came of the round."""
    path = f"/tables/{name}/deal"
    return visit.go(f"{path}?round={answer['round']}" if "settlement" in answer else path)
