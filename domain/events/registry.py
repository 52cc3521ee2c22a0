"""The closed list of topics. A topic is for ever: tests pin this list, and a rename needs an upcast."""

from domain.events import (
    adjustment,
    cage,
    chips,
    colour,
    correction,
    count,
    day,
    house,
    inbox,
    jackpot,
    late,
    outcome,
    play,
    program,
    progressive,
    rules,
    session,
    slips,
    tray,
)
from domain.events.base import Event

_TABLE = (session, chips, colour, tray, play, outcome, jackpot, correction)
_MONEY = (slips, count, cage, day, rules, inbox, late, adjustment)
_MODULES = (*_TABLE, *_MONEY, progressive, house, program)

EVENTS: dict[str, type[Event]] = {
    cls.TOPIC: cls
    for module in _MODULES
    for cls in vars(module).values()
    if isinstance(cls, type) and issubclass(cls, Event) and cls is not Event
}
