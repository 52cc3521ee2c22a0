"""Gaming days and shifts: opened, rolled table by table, closed and audited by hand."""

import datetime as dt

from domain import streams
from domain.commands import AuditDay, CloseDay, OpenDay, OpenShift
from domain.counts import CountBook
from domain.days import GamingDay
from domain.duties import another_person, on_duty
from domain.events.day import DayAudited, DayClosed, DayOpened, ShiftOpened
from domain.refusals import Refusal
from domain.request import Reply
from domain.work import Work


def open_day(work: Work, command: OpenDay) -> Reply:
    """Begin a gaming day. The day before stays open until its tables have rolled and it is closed.

    Refuses `bad_terms` for a day that is no date or not after the newest, `bad_time` for one that begins before it.
    """
    on_duty(work, "roll the day")
    try:
        dt.date.fromisoformat(command.day)
    except ValueError as error:
        raise Refusal("bad_terms", f"gaming day {command.day!r} is not a date: YYYY-MM-DD") from error
    days = work.house().days
    newest = days.newest
    if newest is not None and command.day <= newest.day:
        raise Refusal("bad_terms", f"the gaming day rolls forward: {command.day} is not after {newest.day}")
    if newest is not None and work.now <= newest.opened_at:
        raise Refusal("bad_time", f"{newest.day} began at {newest.opened_at.isoformat()}; the next day begins later")
    opened = DayOpened(day=command.day, shift=command.shift)
    work.record(streams.HOUSE, [opened], gaming_day=command.day, shift=command.shift)
    return Reply({"day": command.day, "shift": command.shift, "rolling": days.not_closed()})


def open_shift(work: Work, day: str, command: OpenShift) -> Reply:
    """Begin the next shift of an open day. Refuses `unknown_day`, `day_closed`, `already_exists`."""
    on_duty(work, "roll the day")
    gaming_day = _open(work, day)
    if command.shift in gaming_day.shifts:
        raise Refusal("already_exists", f"shift {command.shift} of {day} began before; name the next one")
    opened = ShiftOpened(day=day, shift=command.shift)
    work.record(streams.HOUSE, [opened], gaming_day=day, shift=command.shift)
    return Reply({"day": day, "shift": command.shift})


def close_day(work: Work, day: str, _command: CloseDay) -> Reply:
    """Fix the day's figure, once all of its tables have rolled or closed; days are closed in order.

    Refuses `day_running` naming the tables that are still on it, or the day before it that is still open.
    """
    on_duty(work, "close the day")
    gaming_day = _open(work, day)
    first = work.house().days.not_closed()[0]
    if first != day:
        raise Refusal("day_running", f"gaming day {first} comes before {day} and is still open; close it first")
    rest = [table for table in gaming_day.tables if _on_day(work, table, day)]
    if rest:
        raise Refusal("day_running", f"{len(rest)} tables are still on {day}: {', '.join(rest)}; roll or close them")
    work.record(streams.HOUSE, [DayClosed(day=day)], gaming_day=day)
    return Reply({"day": day, "tables": len(gaming_day.tables)})


def audit_day(work: Work, day: str, command: AuditDay) -> Reply:
    """Sign the closed and counted day as audited, as another person than who closed it.

    Refuses `day_running`, `not_counted` while a drop box of the day is not counted, `already_exists`.
    """
    on_duty(work, "audit the day")
    gaming_day = _known(work, day)
    if gaming_day.closed_by is None:
        raise Refusal("day_running", f"gaming day {day} is still open; close it first")
    if gaming_day.audited:
        raise Refusal("already_exists", f"gaming day {day} is audited")
    another_person(work, f"audit {day}", [gaming_day.closed_by])
    waiting = uncounted(work.counts(day))
    if waiting:
        raise Refusal("not_counted", f"drop boxes of {day} are not counted: {', '.join(waiting)}")
    work.record(streams.HOUSE, [DayAudited(day=day, note=command.note)], gaming_day=day)
    return Reply({"day": day, "state": "audited"})


def uncounted(book: CountBook) -> list[str]:
    """The drop boxes whose contents nobody knows yet."""
    return [drop for drop, box in book.boxes.items() if box.counted is None]


def _open(work: Work, day: str) -> GamingDay:
    gaming_day = _known(work, day)
    if gaming_day.closed_by is not None:
        raise Refusal("day_closed", f"gaming day {day} is closed; its figure is fixed")
    return gaming_day


def _known(work: Work, day: str) -> GamingDay:
    gaming_day = work.house().days.by_day.get(day)
    if gaming_day is None:
        raise Refusal("unknown_day", f"gaming day {day!r} was never opened")
    return gaming_day


def _on_day(work: Work, table: str, day: str) -> bool:
    stream = work.registry(table).open_stream
    return stream is not None and streams.day_of(stream) == day
