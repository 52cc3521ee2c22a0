"""The jackpots' pages: all meters, one progressive by day, a hit with its steps, a progressive's life, the kiosk.

`seen` says who sees what; the others are a page each.
"""

from api.pages.frame import Pages
from api.pages.jackpots import all_page, display, hit_page, life_page, one_page, propose_page


def mount(pages: Pages) -> None:
    # `+new` is no name of a jackpot, so the page of that path comes first.
    for module in (all_page, propose_page, one_page, life_page, hit_page, display):
        module.mount(pages)
