"""The cage's pages: the board of slips with its command line, a slip and its paper, windows, counts, drop boxes.

`command` reads the board's command line, `signing` says who signs, `denominations` what is counted; the others are a
page each.
"""

from api.pages.cage import board, count, drops, paper, shift, slip, window, windows
from api.pages.frame import Pages


def mount(pages: Pages) -> None:
    for module in (board, slip, paper, windows, window, count, shift, drops):
        module.mount(pages)
