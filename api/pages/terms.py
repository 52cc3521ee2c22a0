"""The house's own words for what the log keeps as keys: roles, states, kinds. A key without a word is shown bare."""

from typing import Final

from api.i18n.catalogue import gettext, later
from api.pages.event_terms import EVENT_TERMS
from api.pages.play_terms import NUMBERED, PLAY_TERMS

_TERMS: Final[dict[str, dict[str, str]]] = {
    **PLAY_TERMS,
    "event": EVENT_TERMS,
    "role": {
        "terminal": later("dealer"),
        "supervisor": later("supervisor"),
        "cashier": later("cashier"),
        "security": later("security"),
        "finance": later("finance"),
        "auditor": later("auditor"),
        "display": later("jackpot display"),
        "admin": later("casino manager"),
    },
    "exception": {
        "audit_adjustment": later("audit adjustment"),
        "cage_over_short": later("cage over or short"),
        "cap_reached": later("maximum payout reached"),
        "cash_in": later("cash in over the threshold"),
        "cash_out": later("cash out over the threshold"),
        "correction": later("correction"),
        "count_corrected": later("count corrected"),
        "counts_differ": later("the two counts differ"),
        "drop_differs": later("drop differs from buy-ins"),
        "idle_table": later("idle table"),
        "late_event": later("recorded late"),
        "missing_slip": later("missing slip"),
        "number_gap": later("gap in the numbers"),
        "opener_chips_differ": later("opener differs by denomination"),
        "opener_differs": later("opener differs from the closer"),
        "outside_limits": later("outside the limits"),
        "over_short": later("tray over or short"),
        "ruling": later("ruling"),
        "slip_void": later("slip void"),
        "unsigned_slip": later("unsigned slip"),
    },
}
"""What it is of -> key -> word."""


def term(key: str, of: str) -> str:
    """The word for a key: `term("cashier", "role")`."""
    word = _TERMS[of].get(key)
    return key if word is None else gettext(word)


def terms(of: str) -> dict[str, str]:
    """All keys of a kind with their words, in the order of the words: what a list to choose from offers."""
    return dict(sorted(((key, gettext(word)) for key, word in _TERMS[of].items()), key=lambda pair: pair[1].casefold()))


def reason(text: str) -> str:
    """Why money moved, from what the engine wrote into the log."""
    for before, after, words in NUMBERED:
        number = text.removeprefix(before).removesuffix(after)
        if number.isdigit() and text == f"{before}{number}{after}":
            return gettext(words) % {"number": number}
    return term(text, "reason")
