"""The house's own words for what the log keeps as keys: roles, states, kinds. A key without a word is shown bare."""

from typing import Final

from api.i18n.catalogue import gettext, later

_TERMS: Final[dict[str, dict[str, str]]] = {
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
}
"""What it is of -> key -> word."""


def term(key: str, of: str) -> str:
    """The word for a key: `term("cashier", "role")`."""
    word = _TERMS[of].get(key)
    return key if word is None else gettext(word)
