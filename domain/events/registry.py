"""The closed list of topics. A topic is for ever: tests pin this list, and a rename needs an upcast."""

from domain.events import chips, correction, house, jackpot, outcome, play, progressive, session, slips
from domain.events.base import Event

_MODULES = (session, chips, play, outcome, jackpot, correction, progressive, house, slips)

EVENTS: dict[str, type[Event]] = {
    cls.TOPIC: cls
    for module in _MODULES
    for cls in vars(module).values()
    if isinstance(cls, type) and issubclass(cls, Event) and cls is not Event
}
