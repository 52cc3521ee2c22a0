"""The voluntary end of a progressive: notice, stop, and what is left over as an orphan until it is recovered.

How long it must have run, the notice and the last day of recovery are data of the money rules (French arrete art.
67-20-1 asks for three months, eight days and the 31st of October).
"""

import calendar
import datetime as dt

from domain import streams
from domain.acts.progressive_day import day_of, limits_of, record
from domain.commands import AnnounceStop
from domain.events.progressive import Orphan, ProgressiveOrphaned, ProgressiveStopAnnounced
from domain.progressive.meters import Meters
from domain.refusals import Refusal
from domain.request import Reply
from domain.work import Work


def announce(work: Work, progressive_id: str, command: AnnounceStop) -> Reply:
    """Give notice of a stop. Refuses `unknown_progressive`, `notice_too_short`, and `bad_terms` for what is no date."""
    progressive = work.progressive(progressive_id)
    if progressive.opened is None or progressive.retired:
        raise Refusal("unknown_progressive", f"progressive {progressive_id!r} is not running")
    try:
        stops_on = dt.date.fromisoformat(command.stops_on)
    except ValueError as error:
        raise Refusal("bad_terms", f"stops_on {command.stops_on!r} is not a date: YYYY-MM-DD") from error
    limits, today = limits_of(work), dt.date.fromisoformat(day_of(work))
    noticed = today + dt.timedelta(days=limits.stop_notice_days)
    ripe = _months_after(dt.date.fromisoformat(progressive.opened_on), limits.stop_after_months)
    if stops_on < max(noticed, ripe):
        asked = f"{limits.stop_notice_days} days of notice, {limits.stop_after_months} months of play"
        raise Refusal("notice_too_short", f"the money rules ask for {asked}: no earlier than {max(noticed, ripe)}")
    event = ProgressiveStopAnnounced(progressive=progressive_id, stops_on=stops_on.isoformat(), reason=command.reason)
    record(work, streams.progressive(progressive_id), event)
    return Reply({"progressive": progressive_id, "stops_on": event.stops_on})


def _months_after(day: dt.date, months: int) -> dt.date:
    """The same day so many months later, or the last of that month."""
    year, month = divmod(day.month - 1 + months, 12)
    year += day.year
    return dt.date(year, month + 1, min(day.day, calendar.monthrange(year, month + 1)[1]))


def check_may_end(work: Work, progressive_id: str) -> None:
    """Refuses `notice_too_short` where the rules ask for notice and an announced day has not come."""
    limits, stops_on = limits_of(work), work.progressive(progressive_id).stops_on
    if not limits.stop_notice_days and not limits.stop_after_months:
        return
    if stops_on is None:
        raise Refusal("notice_too_short", f"the end of {progressive_id} was not announced; announce the stop first")
    if day_of(work) < stops_on:
        raise Refusal("notice_too_short", f"{progressive_id} is announced to stop on {stops_on}, not before")


def orphaned(work: Work, progressive_id: str, meters: Meters, *, reason: str, approval: str) -> ProgressiveOrphaned:
    """The entry in the register. Refuses `progressive_running`, `notice_too_short`, `balance_short`."""
    if not meters.stopped or meters.pending:
        raise Refusal("progressive_running", "orphans are what is left when it is stopped and no hit waits for payment")
    check_may_end(work, progressive_id)
    left = tuple(
        Orphan(number, level.held_u - level.base_u, level.base_u)
        for number, level in sorted(meters.levels.items())
        if level.held_u
    )
    if not left:
        raise Refusal("balance_short", f"progressive {progressive_id} holds nothing; retire it")
    today = day_of(work)
    last = f"{today[:4]}-{limits_of(work).orphans_until}"
    if last < today:
        last = f"{int(today[:4]) + 1}-{limits_of(work).orphans_until}"
    return ProgressiveOrphaned(
        progressive=progressive_id, levels=left, recoverable_until=last, reason=reason, approval=approval
    )


def check_recoverable(work: Work, progressive_id: str) -> None:
    """Refuses `orphans_lapsed` for money of an orphan after its last day."""
    last = work.progressive(progressive_id).orphaned
    if last is not None and day_of(work) > last:
        raise Refusal("orphans_lapsed", f"what {progressive_id} left could be recovered until {last}")
