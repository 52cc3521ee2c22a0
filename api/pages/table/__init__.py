"""A table: what is on its felt and what it has won, live, and everything that may be done at it.

`seen` reads what the pages show; `felt`, `hours` and `offers` make it ready to be shown; `page` is the overview with
its live feed, `deal` a round dealt step by step (`moves` reads its forms). `session`, `chips`, `tray` and `afterwards`
are the other forms, `sheets` counts chips, `forms` is what they have in common.
"""

from api.pages.frame import Pages
from api.pages.table import afterwards, chips, deal, page, session, tray


def mount(pages: Pages) -> None:
    for module in (page, deal, session, chips, tray, afterwards):
        module.mount(pages)
