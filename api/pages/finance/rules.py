"""The money rules of the house: windows, transfers and thresholds, proposed by one person, agreed to by another."""

from datetime import UTC, datetime
from typing import Any, Final

from psycopg import Connection
from starlette.responses import Response

from api.i18n.catalogue import gettext
from api.pages import words
from api.pages.finance.rules_form import CODES, proposed
from api.pages.finance.tabs import asked_day, finance_page
from api.pages.frame import Pages
from api.pages.terms import term
from api.pages.visit import Visit
from domain.events.rules import Rules
from domain.money import CURRENCIES
from projections.reads.cage import RulesInForce, rules
from projections.reads.days import gaming_days

_AT: Final = "/finance/rules"
_DOOR: Final = "/v1/money-rules"
_SPARE: Final = 2
"""Empty lines after those that there are, for more."""


def mount(pages: Pages) -> None:
    pages.show(_AT, _rules)
    pages.form(_AT, _propose, _rules)


def _propose(visit: Visit) -> Response:
    body = proposed(visit.form)
    second = visit.second()
    asked = visit.act(_DOOR, body=body)
    visit.approve(asked["approval"], second)
    said = gettext("The money rules hold from %(day)s on.") % {"day": words.day(body["valid_from"])}
    return visit.go(f"{_AT}?day={body['valid_from']}", said)


def _rules(visit: Visit) -> Response:
    asked = asked_day(visit, "day", "")
    found = visit.read(lambda conn: _read(conn, asked))
    return finance_page(
        visit,
        "rules.html",
        position=found.position,
        day=found.gaming_day,
        rules=found.rules,
        told=_told(found.rules),
        lines=_lines(visit, found.rules),
        codes=[(code, term(code, "exception")) for code in CODES],
        currencies=list(CURRENCIES),
        currency_pairs=[(currency, currency) for currency in CURRENCIES],
        may_propose=visit.may(f"POST {_DOOR}"),
    )


def _read(conn: Connection[Any], day: str) -> RulesInForce:
    if not day:
        newest = gaming_days(conn, limit=1).rows
        day = newest[0].day if newest else datetime.now(UTC).date().isoformat()
    return rules(conn, day)


def _told(held: Rules) -> list[dict[str, str]]:
    """The thresholds as rows of text."""
    return [
        {
            "kind": term(threshold.code, "exception"),
            "when": gettext("more than") if threshold.operator == ">" else gettext("or more"),
            "operator": threshold.operator,
            "amount": words.amount(threshold.amount, threshold.currency or "EUR"),
            "currency": threshold.currency or gettext("any"),
            "rule": threshold.rule,
            "times": words.number(threshold.times_stake) if threshold.times_stake else "",
        }
        for threshold in held.thresholds
    ]


def _lines(visit: Visit, held: Rules) -> dict[str, list[tuple[int, dict[str, str]]]]:
    """The lines of the form: the rules in force to begin with, or what was sent and refused."""
    windows = [
        {"name": w.name, "currency": w.currency, "imprest": words.amount(w.imprest, w.currency)} for w in held.windows
    ]
    transfers = [{"sender": pair.sender, "receiver": pair.receiver} for pair in held.transfers]
    thresholds = [
        {
            "code": t.code,
            "operator": t.operator,
            "amount": words.amount(t.amount, t.currency or "EUR"),
            "currency": t.currency or "",
            "rule": t.rule,
            "times": str(t.times_stake),
        }
        for t in held.thresholds
    ]
    given = {"window": windows, "transfer": transfers, "threshold": thresholds}
    blank: dict[str, dict[str, str]] = {
        "window": {"name": "", "currency": "EUR", "imprest": ""},
        "transfer": {"sender": "", "receiver": ""},
        "threshold": {"code": "", "operator": ">", "amount": "", "currency": "", "rule": "", "times": "0"},
    }
    return {
        kind: [(n, _kept(visit, kind, n, line)) for n, line in _with_spare(given[kind], blank[kind])] for kind in given
    }


def _with_spare(lines: list[dict[str, str]], blank: dict[str, str]) -> list[tuple[int, dict[str, str]]]:
    return list(enumerate([*lines, *[blank] * _SPARE]))


def _kept(visit: Visit, kind: str, n: int, line: dict[str, str]) -> dict[str, str]:
    """A line as it was sent, if it was sent."""
    return {name: visit.form.fields.get(f"{kind}.{n}.{name}", value) for name, value in line.items()}
