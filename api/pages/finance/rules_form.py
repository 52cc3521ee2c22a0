"""The form of money rules: lines of windows, transfers and thresholds; a line without its first field is none."""

from collections.abc import Iterator
from typing import Any, Final, get_args

from api.i18n.catalogue import gettext
from api.pages.form import Form, FormError
from domain.events.rules import Threshold

CODES: Final = get_args(Threshold.__annotations__["code"])
"""What a threshold may be of, in the order in which the form offers it."""

_MOST_LINES: Final = 120


def proposed(form: Form) -> dict[str, Any]:
    """The body of a proposal. Refuses `bad_body` naming the field."""
    return {
        "valid_from": form.required("valid_from", gettext("In force from")),
        "windows": [_window(form, at) for at in _lines(form, "window", "name")],
        "transfers": [
            {"sender": form.text(f"{at}.sender"), "receiver": form.text(f"{at}.receiver")}
            for at in _lines(form, "transfer", "sender")
        ],
        "thresholds": [_threshold(form, at) for at in _lines(form, "threshold", "code")],
        "idle_minutes": form.count("idle_minutes", gettext("Minutes without a round")),
        "reason": form.required("reason", gettext("Reason")),
    }


def _lines(form: Form, kind: str, first: str) -> Iterator[str]:
    return (f"{kind}.{n}" for n in range(_MOST_LINES) if form.text(f"{kind}.{n}.{first}"))


def _window(form: Form, at: str) -> dict[str, Any]:
    currency = form.text(f"{at}.currency")
    imprest = form.amount(f"{at}.imprest", gettext("Imprest"), currency)
    return {"name": form.text(f"{at}.name"), "currency": currency, "imprest": imprest}


def _threshold(form: Form, at: str) -> dict[str, Any]:
    currency = form.optional(f"{at}.currency")
    operator = form.text(f"{at}.operator")
    if operator not in (">", ">="):
        raise FormError(f"{at}.operator", gettext("choose whether the amount itself is over the threshold"))
    return {
        "code": form.text(f"{at}.code"),
        "operator": operator,
        "amount": form.amount(f"{at}.amount", gettext("Threshold"), currency or "EUR"),
        "currency": currency,
        "rule": form.text(f"{at}.rule"),
        "times_stake": form.count(f"{at}.times", gettext("Times the stake")),
    }
