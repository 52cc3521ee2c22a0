"""What may be done at a table: the acts of this person's role, and why one cannot be done now."""

from typing import Final, NamedTuple

from api.i18n.catalogue import gettext, later
from api.pages.table.seen import ROULETTE, Seen
from api.pages.visit import Visit

_TABLE: Final = "/v1/tables/{table}"


class _Act(NamedTuple):
    """path: the page under the table's. at: the states of the table in which it may be done. key: its access key."""

    path: str
    door: str
    words: str
    at: tuple[str, ...]
    key: str = ""
    only: str = ""


_IDLE: Final = ("open",)
_OPEN: Final = ("open", "in_play")

_ACTS: Final = (
    _Act("deal", f"{_TABLE}/rounds", later("Deal"), _OPEN, "d"),
    _Act("open", f"{_TABLE}/open", later("Open the table"), ("new", "closed"), "o"),
    _Act("fill", f"{_TABLE}/fills", later("Ask for a fill"), _OPEN, "f"),
    _Act("credit", f"{_TABLE}/credits", later("Offer a credit"), _OPEN, "c"),
    _Act("buy-in", f"{_TABLE}/buy-ins", later("Buy-in"), _OPEN, "b"),
    _Act("colour", f"{_TABLE}/colours", later("Colour"), _OPEN, "u", ROULETTE),
    _Act("tip", f"{_TABLE}/tips", later("Tip"), _OPEN, "t"),
    _Act("limits", f"{_TABLE}/limits", later("Post limits"), _IDLE, "l"),
    _Act("count", f"{_TABLE}/counts", later("Count the tray"), _IDLE, "n"),
    _Act("correct", f"{_TABLE}/corrections", later("Correct a round"), _OPEN, "r"),
    _Act("rule", f"{_TABLE}/rulings", later("Make a ruling"), _OPEN, "g"),
    _Act("void", f"{_TABLE}/rounds/current/void", later("Void the round"), ("in_play",), "v"),
    _Act("close", f"{_TABLE}/close", later("Close the table"), _IDLE, "x"),
)


class Offer(NamedTuple):
    """why_not: why it cannot be done now; empty where it can."""

    path: str
    words: str
    key: str
    why_not: str


def offers(visit: Visit, seen: Seen) -> list[Offer]:
    """The acts of this person at this table, in the order in which they are looked for.

    What only has to wait for a round to end or to begin is shown with its reason; what makes no sense now is left out.
    """
    engine = "" if seen.game is None else seen.game.engine
    return [
        Offer(f"/tables/{seen.name}/{act.path}", gettext(act.words), act.key, _why_not(act, seen))
        for act in _ACTS
        if visit.may(f"POST {act.door}") and act.only in ("", engine) and _makes_sense(act, seen)
    ]


def _makes_sense(act: _Act, seen: Seen) -> bool:
    return seen.state in act.at or (seen.is_open and act.path != "open")


def _why_not(act: _Act, seen: Seen) -> str:
    if seen.state in act.at:
        return ""
    return gettext("a round is on the felt") if seen.state == "in_play" else gettext("no round is on the felt")
