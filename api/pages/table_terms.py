"""Words of the floor and of a table: its states, what a box may do, misdeals."""

from typing import Final

from api.i18n.catalogue import later

TABLE_TERMS: Final[dict[str, dict[str, str]]] = {
    "table_state": {
        "in_play": later("in play"),
        "open": later("open"),
        "closed": later("closed"),
    },
    "misdeal": {
        "player_count": later("a wrong number of cards with the player"),
        "dealer_count": later("a wrong number of cards with the dealer"),
        "exposed_card": later("a card was exposed"),
        "order_touched": later("the order of the cards was touched"),
        "order_unrestorable": later("the order of the cards cannot be restored"),
    },
    "shoe": {
        "house": later("house shoe"),
        "external": later("cards dealt by hand"),
    },
}
"""What it is of -> key -> word."""
