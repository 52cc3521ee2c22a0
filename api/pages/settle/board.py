"""What the board is drawn from: the deck, the sheets, the roulette layout, and the words that its script says."""

from functools import cache
from typing import Any, Final

import msgspec

from api.i18n import numbers
from api.i18n.catalogue import gettext
from api.pages import words
from api.pages.settle import layout
from api.pages.settle.recorded import Recorded
from api.pages.settle.sheets import Sheet, sheet_of, sheets
from api.pages.terms import term
from domain.money import CURRENCIES
from domain.ruleset import shipped

_RANKS: Final = "AKQJT98765432"
_SUITS: Final = "shdc"
ROULETTE: Final = "roulette-ua"


def board(of: Recorded | None) -> dict[str, Any]:
    """Everything the page's template needs for the board. of: a recorded round, whose own sheet is offered too."""
    offered: dict[str, Sheet] = dict(_shipped())
    if of is not None:
        offered[of.sheet.id] = sheet_of(of.sheet)
    return {
        "sheets": offered,
        "sheets_json": msgspec.json.encode(offered).decode(),
        "words_json": msgspec.json.encode(_words()).decode(),
        "deck": [[words.cards(rank + suit)[0] for rank in _RANKS] for suit in _SUITS],
        "codes": [[rank + suit for rank in _RANKS] for suit in _SUITS],
        "places": layout.places(shipped(ROULETTE)),
        "layout": layout,
        "wheel": offered[ROULETTE].order,
        "spot_name": _spot_name,
    }


@cache
def _shipped() -> dict[str, Sheet]:
    return sheets()


def _spot_name(place: layout.Place) -> str:
    """What a place is called: `split 8-11` with the kind in the reader's words."""
    kind, _, rest = place.on.partition(" ")
    word = term(kind, "stake")
    return f"{word} {rest}" if rest else word


def _words() -> dict[str, Any]:
    return {
        "decimal": numbers.marks().decimal,
        "group": numbers.marks().group,
        "decimals": CURRENCIES,
        "cards": gettext("%(place)s: %(count)s more cards"),
        "card": gettext("%(place)s: one more card"),
        "box": gettext("Box %(number)s"),
        "dealer": gettext("Dealer"),
        "board": gettext("Board"),
        "drawn": gettext("The dealer's card"),
        "decide": gettext("%(place)s: bet or fold?"),
        "play": gettext("Begin with an ante on a box."),
        "lay": gettext("Lay a chip on the layout."),
        "call": gettext("Which number is called?"),
        "amount": gettext("%(place)s: an amount is missing"),
        "out": gettext("%(place)s: which cards are thrown away?"),
        "empty": gettext("empty place"),
        "taking": gettext("Cards go to: %(place)s"),
        "all": gettext("Everything is there."),
        "copied": gettext("The link is copied."),
        "no_spin": gettext("no spin"),
        "swap": gettext("Swap"),
        "sixth": gettext("Sixth card"),
        "remove": gettext("take back"),
        "late": gettext("late"),
    }
