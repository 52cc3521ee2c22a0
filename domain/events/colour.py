"""Colour chips: a colour belongs to one player, its value is marked when it is issued.

Neither event moves the expected tray: colour counts at its marked value, so chips for colour are an even exchange. What
was tendered in cash for it stands before it as a buy-in.
"""

from domain.events.base import Event


class ColourIssued(Event, frozen=True, kw_only=True):
    """`count` chips of a colour at `value` minor units each, given for value chips of the same worth."""

    TOPIC = "table.colour_issued"
    player: str
    colour: str
    value: int
    count: int


class ColourCashedIn(Event, frozen=True, kw_only=True):
    """The player hands the whole colour in, `count` chips (0: all lost), for value chips; the colour is free again."""

    TOPIC = "table.colour_cashed_in"
    player: str
    colour: str
    value: int
    count: int
