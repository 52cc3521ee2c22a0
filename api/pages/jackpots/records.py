"""Records of a progressive's life in words: what was done, and what a proposal asks for."""

from typing import Any

import msgspec

from api.i18n.catalogue import gettext
from api.pages.jackpots.terms_form import percent_text
from api.pages.terms import term
from api.pages.words import amount, millionths
from projections.reads.progressives import RecordView


def record_name(record: RecordView) -> str:
    """What happened; of a proposal, what it asks for."""
    if record.event == "change_proposed":
        return gettext("asked for: %(change)s") % {"change": term(_said(record)["change"]["change"], "change")}
    if record.event == "change_refused":
        return gettext("refused")
    for area in ("progressive", "table"):
        key = f"{area}.{record.event}"
        if (word := term(key, "event")) != key:
            return word
    return record.event.replace("_", " ")


def record_said(record: RecordView, currency: str) -> list[tuple[str, str]]:
    """What a proposal asks for, a name and a value each."""
    said = _said(record)
    change: dict[str, Any] = said.get("change", said)
    told = [
        (gettext("level %(number)s") % {"number": terms["level"]}, _terms(terms, currency))
        for terms in change.get("levels", [])
    ]
    if "level" in change:
        told.append((gettext("level"), str(change["level"])))
    if "limit" in change:
        told.append((gettext("limit"), amount(change["limit"], currency, with_currency=True)))
    if "balance" in change:
        told.append((term(change["balance"], "balance"), millionths(str(change["amount_u"]), currency)))
    if "cause" in change:
        told.append((gettext("cause"), term(change["cause"], "cause")))
    if "to" in change:
        told.append((gettext("to progressive"), f"{change['to']} · {change['to_level']}"))
    return told


def _terms(terms: dict[str, Any], currency: str) -> str:
    return gettext("seed %(seed)s, increment %(increment)s %%, reserve %(reserve)s %%, limit %(limit)s") % {
        "seed": amount(terms["seed"], currency),
        "increment": percent_text(terms["increment_ppm"]),
        "reserve": percent_text(terms.get("reserve_ppm", 0)),
        "limit": amount(terms.get("limit"), currency),
    }


def _said(record: RecordView) -> dict[str, Any]:
    found: dict[str, Any] = msgspec.json.decode(record.said)
    return found
