"""All pages of audit, put on an application."""

from api.pages.audit import (
    compare_page,
    events_page,
    people_page,
    round_page,
    sample_page,
    seals_page,
    search_page,
    table_page,
    verify_page,
)
from api.pages.frame import Pages

_PAGES = (
    search_page,
    round_page,
    table_page,
    compare_page,
    events_page,
    verify_page,
    seals_page,
    sample_page,
    people_page,
)


def mount(pages: Pages) -> None:
    """Put them on."""
    for module in _PAGES:
        module.mount(pages)
