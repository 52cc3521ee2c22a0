"""Gaming days and shifts on the house stream: opened and closed by hand, never by a clock."""

from domain.events.base import Event


class DayOpened(Event, frozen=True, kw_only=True):
    """A gaming day begins with its first shift; the day before goes on until its tables have rolled."""

    TOPIC = "house.day_opened"
    day: str
    shift: str


class ShiftOpened(Event, frozen=True, kw_only=True):
    """The next shift of a gaming day begins; every table rolls to it by its own count."""

    TOPIC = "house.shift_opened"
    day: str
    shift: str


class TableJoined(Event, frozen=True, kw_only=True):
    """A table has its first session of the day: the day cannot be closed before this table has left it."""

    TOPIC = "house.table_joined"
    day: str
    table: str


class DayClosed(Event, frozen=True, kw_only=True):
    """The day's figure is fixed as the log knows it here; whatever is learned later is a difference to it."""

    TOPIC = "house.day_closed"
    day: str


class DayAudited(Event, frozen=True, kw_only=True):
    """Accounting has audited the day's master game report (N.J.A.C. 13:69D-1.34)."""

    TOPIC = "house.day_audited"
    day: str
    note: str
