"""The menu: the pages that who is signed in may see, in the order of a working day."""

from typing import TYPE_CHECKING, Final, NamedTuple

from api.auth import roles
from api.i18n.catalogue import gettext, later

if TYPE_CHECKING:
    from api.pages.visit import Visit


class Entry(NamedTuple):
    """path, the page's name, whether it is the one that is shown."""

    path: str
    name: str
    is_here: bool


_PAGES: Final = (
    ("/", later("Floor")),
    ("/settle", later("Settle a round")),
    ("/cage", later("Cage")),
    ("/jackpots", later("Jackpots")),
    ("/finance", later("Finance")),
    ("/inbox", later("Exceptions")),
    ("/audit", later("Audit")),
    ("/display", later("Display")),
)

_OTHERWISE: Final = {"/finance": ("/finance/rules",), "/audit": ("/audit/compare", "/audit/verify")}
"""Where an entry leads those who may not see its first page: to the first of these that they may see."""


def of(visit: "Visit") -> list[Entry]:
    """What this visitor finds in the menu."""
    return [
        Entry(way, gettext(name), visit.path == path or (path != "/" and visit.path.startswith(f"{path}/")))
        for path, name in _PAGES
        for way in _way(visit, path)
    ]


def _way(visit: "Visit", path: str) -> list[str]:
    return [way for way in (path, *_OTHERWISE.get(path, ())) if way in roles.PAGES and _sees(visit, way)][:1]


def _sees(visit: "Visit", path: str) -> bool:
    if visit.person is None:
        return path in roles.OPEN_PAGES
    return visit.person.role in roles.PAGES[path]
