"""What every page of audit is made with: the tabs this person may open, and the words for what the log holds."""

from functools import partial
from typing import Any, Final, NamedTuple

from starlette.responses import Response

from api.auth import roles
from api.i18n.catalogue import gettext, later
from api.pages import terms
from api.pages.audit.fields import said
from api.pages.visit import Visit


class Tab(NamedTuple):
    """A page of audit that can be opened without naming anything."""

    path: str
    name: str
    is_here: bool


_TABS: Final = (
    ("/audit", later("Search")),
    ("/audit/people", later("People")),
    ("/audit/compare", later("Differences")),
    ("/audit/events", later("Events")),
    ("/audit/verify", later("Verify")),
    ("/audit/checkpoints", later("Checkpoints")),
    ("/audit/sample", later("Sample")),
)


def audit_page(visit: Visit, template: str, **given: Any) -> Response:
    """A page of audit."""
    return visit.page(
        f"audit/{template}",
        tabs=[Tab(path, gettext(name), visit.path == path) for path, name in _TABS if sees(visit, path)],
        sees=partial(sees, visit),
        term=terms.term,
        terms=terms.terms,
        reason=terms.reason,
        said_of=said,
        **given,
    )


def sees(visit: Visit, path: str) -> bool:
    """Whether who is signed in may open a page: what cannot be opened is not offered."""
    return visit.person is not None and visit.person.role in roles.PAGES[path]
