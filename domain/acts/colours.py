"""Colour chips: a colour belongs to one player, and one player plays one colour of a value."""

from domain.commands import CashInColour, IssueColour
from domain.events.base import Event
from domain.events.chips import BuyIn
from domain.events.colour import ColourCashedIn, ColourIssued
from domain.refusals import Refusal
from domain.request import Reply
from domain.table.session import TableSession
from domain.work import Work


def issue(work: Work, table: str, command: IssueColour) -> Reply:
    """Give colour for cash into the drop box, or for value chips. More of the same colour and value may follow.

    Refuses `bad_colour` for a value under the table minimum or not of whole chips, `colour_taken` where the colour is
    another's or marked with another value, or the player has another colour of this value; `tray_short`.
    """
    stream, session = work.open_session(table)
    value = session.limits.min if command.value is None else command.value
    if value < session.limits.min or value % session.limits.chip:
        least, chip = session.limits.min, session.limits.chip
        raise Refusal("bad_colour", f"a colour is worth at least {least}, in whole chips of {chip}; {value} is not")
    _check_holder(session, command, value)
    amount = value * command.count
    if amount > session.tray:
        raise Refusal("tray_short", f"the tray should hold {session.tray}; ask for a fill before giving {amount}")
    issued = ColourIssued(player=command.player, colour=command.colour, value=value, count=command.count)
    events: list[Event] = [issued]
    if command.tender == "cash":
        events.insert(0, BuyIn(player=command.player, amount=amount, tender="cash"))
    work.record_at_table(stream, session, events)
    return Reply({"colour": command.colour, "player": command.player, "value": value, "amount": amount})


def _check_holder(session: TableSession, command: IssueColour, value: int) -> None:
    held = session.colours.get(command.colour)
    if held is not None and held.player != command.player:
        raise Refusal("colour_taken", f"{command.colour} belongs to {held.player}; give another colour")
    if held is not None and held.value != value:
        marked = held.value
        raise Refusal("colour_taken", f"{command.colour} is marked {marked}: cash it in whole, then mark it anew")
    for colour, other in session.colours.items():
        if other.player == command.player and other.value == value and colour != command.colour:
            raise Refusal("colour_taken", f"{command.player} plays {colour} at {value} already")


def cash_in(work: Work, table: str, command: CashInColour) -> Reply:
    """Take the whole colour back for value chips; count 0 where all of it is lost. Refuses `unknown_colour`."""
    stream, session = work.open_session(table)
    held = session.colours.get(command.colour)
    if held is None:
        raise Refusal("unknown_colour", f"nobody plays {command.colour!r} at {table}")
    event = ColourCashedIn(player=held.player, colour=command.colour, value=held.value, count=command.count)
    work.record_at_table(stream, session, [event])
    amount = held.value * command.count
    return Reply({"colour": command.colour, "player": held.player, "value": held.value, "amount": amount})
