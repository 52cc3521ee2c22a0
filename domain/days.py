"""Gaming days and shifts as the house stream tells them. A day is rolled by hand: it may have 25 hours, or 22."""

from dataclasses import dataclass, field
from datetime import date, datetime, timedelta

from domain.events.base import Event, Meta
from domain.events.day import DayAudited, DayClosed, DayOpened, ShiftOpened, TableJoined


@dataclass(slots=True)
class GamingDay:
    """shifts: name -> when it began, in order. tables: those that have had a session on it."""

    day: str
    opened_at: datetime
    shifts: dict[str, datetime] = field(default_factory=dict)
    tables: list[str] = field(default_factory=list)
    closed_by: str | None = None
    audited: bool = False

    @property
    def shift(self) -> str:
        """The running shift."""
        return list(self.shifts)[-1]


@dataclass(slots=True)
class Days:
    """by_day in the order in which they were opened."""

    by_day: dict[str, GamingDay] = field(default_factory=dict)

    @property
    def newest(self) -> GamingDay | None:
        """The day that was opened last; None where the house does not keep days yet."""
        return self.by_day[next(reversed(self.by_day))] if self.by_day else None

    def after_newest(self) -> str | None:
        """The calendar day after the newest."""
        if self.newest is None:
            return None
        return (date.fromisoformat(self.newest.day) + timedelta(days=1)).isoformat()

    def day_of(self, at: datetime) -> GamingDay | None:
        """The day that a moment belongs to: the last one opened at or before it."""
        begun = [day for day in self.by_day.values() if day.opened_at <= at]
        return max(begun, key=lambda day: day.opened_at) if begun else None

    def not_closed(self) -> list[str]:
        """The days that are not closed yet, oldest first."""
        return [day.day for day in self.by_day.values() if day.closed_by is None]


DAY_EVENTS = (DayOpened, ShiftOpened, TableJoined, DayClosed, DayAudited)


def evolve(state: Days, meta: Meta, event: Event) -> Days:
    """The days after the event."""
    if isinstance(event, DayOpened):
        state.by_day[event.day] = GamingDay(event.day, meta.happened_at, {event.shift: meta.happened_at})
    elif isinstance(event, ShiftOpened):
        state.by_day[event.day].shifts[event.shift] = meta.happened_at
    elif isinstance(event, TableJoined):
        state.by_day[event.day].tables.append(event.table)
    elif isinstance(event, DayClosed):
        state.by_day[event.day].closed_by = meta.actor
    elif isinstance(event, DayAudited):
        state.by_day[event.day].audited = True
    return state
