"""The house's own words for what the log keeps as keys: roles, states, kinds. A key without a word is shown bare."""

from typing import Final

from api.i18n.catalogue import gettext, later
from api.pages.audit_terms import AUDIT_TERMS
from api.pages.event_terms import EVENT_TERMS
from api.pages.money_terms import MONEY_TERMS
from api.pages.play_terms import NUMBERED, PLAY_TERMS
from api.pages.table_terms import TABLE_TERMS

_TERMS: Final[dict[str, dict[str, str]]] = {
    **AUDIT_TERMS,
    **PLAY_TERMS,
    **MONEY_TERMS,
    **TABLE_TERMS,
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
        "jackpot_aml": later("due diligence for a jackpot"),
        "jackpot_tax_form": later("tax form for a jackpot"),
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
    "day": {
        "open": later("open"),
        "closed": later("closed"),
        "audited": later("audited"),
        "unbegun": later("never begun"),
    },
    "progress": {
        "open": later("still on this day"),
        "rolled": later("rolled"),
        "closed": later("closed"),
    },
    "grade": {
        "live": later("live figure"),
        "counted": later("counted"),
        "audited": later("audited"),
    },
    "figure": {
        "win": later("win"),
        "drop": later("drop"),
        "counted_drop": later("drop counted"),
        "buy_ins": later("drop observed"),
        "handle": later("handle"),
        "taken": later("taken"),
        "paid": later("paid"),
        "result": later("result of play"),
        "over_short": later("over or short"),
        "adjusted": later("audit adjustments"),
        "fills": later("fills"),
        "credits": later("credits"),
        "tips": later("tips"),
        "opener": later("opener"),
        "closer": later("closer"),
        "rounds": later("rounds"),
        "hold": later("hold"),
        "win_per_handle": later("win by handle"),
        "theoretical_win": later("theoretical win"),
        "sd": later("standard deviation"),
        "z": later("z-score"),
        "cash": later("cash in the window"),
        "chips": later("chips in the window"),
        "journal": later("journal line"),
    },
    "entry": {
        "table opening": later("Table opening"),
        "table closing": later("Table closing"),
        "buy-ins": later("Buy-ins"),
        "fills": later("Fills"),
        "credits": later("Credits"),
        "play": later("Play"),
        "corrections": later("Corrections"),
        "jackpot contributions": later("Jackpot contributions"),
        "jackpot hits": later("Jackpot hits"),
        "jackpot payments": later("Jackpot payments"),
        "jackpot changes": later("Jackpot changes"),
        "drop counts": later("Drop counts"),
        "count corrections": later("Count corrections"),
        "audit adjustments": later("Audit adjustments"),
        "late events": later("Late events"),
        "cage opening": later("Cage opening"),
        "cage closing": later("Cage closing"),
        "cage trades": later("Cage trades"),
        "hand-pays": later("Hand-pays"),
        "cage transfers": later("Cage transfers"),
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
