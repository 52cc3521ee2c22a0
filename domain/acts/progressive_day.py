"""On which gaming day an act on a progressive is booked: its stream runs through all days and belongs to none."""

from domain.events.base import Event
from domain.events.rules import ProgressiveLimits
from domain.work import Work


def day_of(work: Work) -> str:
    """The gaming day an act is booked on: the house's running one; without one the date of the act's time."""
    running = work.house().days.newest
    return work.now.date().isoformat() if running is None or running.closed_by is not None else running.day


def limits_of(work: Work) -> ProgressiveLimits:
    """What the money rules of that day let a progressive be."""
    return work.house().rules.in_force(day_of(work)).progressives


def record(work: Work, stream: str, event: Event, *, approver: str | None = None) -> None:
    """Record on the house's running gaming day and shift; on none where the house keeps no days or has closed it.

    A rejection at three in the morning must stand in the figures of the night whose hit it takes back.
    """
    running = work.house().days.newest
    if running is None or running.closed_by is not None:
        work.record(stream, [event], approver=approver)
    else:
        work.record(stream, [event], gaming_day=running.day, shift=running.shift, approver=approver)
