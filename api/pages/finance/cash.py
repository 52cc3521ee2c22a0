"""Cash of player references by gaming day, each direction on its own, against the thresholds of the day."""

import re
from typing import Any, Final, NamedTuple

from psycopg import Connection
from starlette.responses import Response

from api.http.names import NAME
from api.i18n.catalogue import gettext, later
from api.pages import words
from api.pages.finance.tabs import asked_day, finance_page
from api.pages.frame import Pages
from api.pages.visit import Visit
from api.problems import ProblemError
from domain.events.rules import Rules, Threshold
from domain.money_rules import of_code, passes
from projections.reads.cage import rules
from projections.reads.days import gaming_days
from projections.reads.exceptions import CashRow, PlayerCash, player_cash

_MOST: Final = 1000
_SENTENCES: Final = {
    ("cash_in", ">"): later("cash in of more than %(amount)s"),
    ("cash_in", ">="): later("cash in of %(amount)s or more"),
    ("cash_out", ">"): later("cash out of more than %(amount)s"),
    ("cash_out", ">="): later("cash out of %(amount)s or more"),
}


class Side(NamedTuple):
    """One direction. rule: whose threshold it has passed, "" if none."""

    amount: str
    rule: str


class Cash(NamedTuple):
    day: str
    player: str
    currency: str
    came_in: Side
    went_out: Side

    @property
    def is_reportable(self) -> bool:
        return bool(self.came_in.rule or self.went_out.rule)


def mount(pages: Pages) -> None:
    pages.show("/finance/cash", _cash)


def _cash(visit: Visit) -> Response:
    player = visit.asked("player").strip()
    if player and not re.fullmatch(NAME, player):
        raise ProblemError("bad_parameter", f"player {player[:40]!r} is not of the form {NAME}")
    asked = asked_day(visit, "day", "")
    day, found, held = visit.read(lambda conn: _read(conn, asked, player))
    rows = [_row(row, held) for row in found.rows]
    only = visit.asked("show") == "reportable"
    shown = [row for row in rows if row.is_reportable or not only]
    return finance_page(
        visit,
        "cash.html",
        position=found.position,
        day=day,
        player=player,
        only=only,
        rows=shown,
        is_cut=len(found.rows) == _MOST,
        thresholds=[_told(t) for code in ("cash_in", "cash_out") for t in of_code(held, code)],
    )


def _read(conn: Connection[Any], day: str, player: str) -> tuple[str, PlayerCash, Rules]:
    if not day:
        newest = gaming_days(conn, limit=1).rows
        day = newest[0].day if newest else "0001-01-01"
    found = player_cash(conn, gaming_day=day, player=player or None, limit=_MOST)
    return day, found, rules(conn, day).rules


def _row(row: CashRow, held: Rules) -> Cash:
    came_in = _side("cash_in", row.cash_in, row.currency, held)
    went_out = _side("cash_out", row.cash_out, row.currency, held)
    return Cash(row.gaming_day, row.player, row.currency, came_in, went_out)


def _side(code: str, amount: int, currency: str, held: Rules) -> Side:
    passed = [threshold for threshold in of_code(held, code) if passes(threshold, amount, currency)]
    rule = passed[0].rule or gettext("over the threshold") if passed else ""
    return Side(words.amount(amount, currency), rule)


def _told(threshold: Threshold) -> tuple[str, str]:
    """A threshold in words, and whose it is."""
    amount = words.amount(threshold.amount, threshold.currency or "EUR")
    given = {"amount": f"{amount} {threshold.currency or ''}".rstrip()}
    return gettext(_SENTENCES[threshold.code, threshold.operator]) % given, threshold.rule
