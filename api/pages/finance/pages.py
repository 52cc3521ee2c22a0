"""The pages of finance, put among the others."""

from api.pages.finance import adjustments, books, cash, day, days, explain, known, rules, statistics
from api.pages.frame import Pages

_PAGES = (days, day, adjustments, known, explain, statistics, books, cash, rules)


def mount(pages: Pages) -> None:
    for module in _PAGES:
        module.mount(pages)
