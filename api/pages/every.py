"""All pages, put on an application."""

from api.http.doors import Doors
from api.pages import cage, floor_page, jackpots, problem_pages, sign_in, site, slip_page, table
from api.pages.audit import every as audit
from api.pages.finance import pages as finance
from api.pages.frame import Pages
from api.pages.inbox import inbox
from api.pages.settle import page as settle

_PAGES = (sign_in, floor_page, table, settle, problem_pages, slip_page, cage, jackpots, audit, finance, inbox)


def mount(doors: Doors) -> None:
    """Put every page and what it needs on an application."""
    site.mount_static(doors.app)
    pages = Pages(doors)
    for module in _PAGES:
        module.mount(pages)
