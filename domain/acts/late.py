"""What happened at a table before its open session began, and is only now recorded.

It belongs to the session, and so to the gaming day and the shift, in whose business time it lies. Its chips moved then:
they were in that session's closer, and in every opener since. So it is recorded where the table stands now, beside a
reckoning that takes it out of this tray again and out of what the earlier session was over or short.
"""

from typing import NamedTuple

from domain import engine, streams
from domain.counts import CountBook
from domain.engine.jackpot import Unlinked
from domain.engine.limits import Limits
from domain.engine.record import Record
from domain.events.base import Event
from domain.events.chips import BuyIn
from domain.events.late import BuyInLearned, LateReckoned
from domain.events.session import SessionOpened
from domain.postings import tray_change
from domain.refusals import Refusal
from domain.table.registry import Span
from domain.table.session import TableSession
from domain.work import Work


class Past(NamedTuple):
    """The session that an event belongs to, and the limits on its sign at that moment."""

    span: Span
    opened: SessionOpened
    limits: Limits


def past_of(work: Work, session: TableSession) -> Past | None:
    """The earlier session in whose time this request's `at` lies; None: it is of the open session.

    Refuses `bad_time` for the time of a session in another currency: its chips are none of this table's today.
    """
    if work.request.at is None or session.opened_at is None or work.now >= session.opened_at:
        return None
    span = work.registry(session.opened.table).span_at(work.now)
    if span is None:
        return None
    earlier = work.session(span.stream)
    opened = earlier.opened
    if opened.currency != session.opened.currency:
        detail = (
            f"`at` lies in session {opened.session}, in {opened.currency}; this one is in {session.opened.currency}"
        )
        raise Refusal("bad_time", detail)
    return Past(span, opened, earlier.limits_at(work.now))


def check_round(session: TableSession, past: Past, played: Record) -> None:
    """A late round is played by the sheet and paid under the limits of its own time.

    Refuses `bad_time` where the open session has another sheet, or where its limits would make the round another one:
    what is recorded here is paid under these. What its own limits refuse, they refuse.
    """
    now, then = session.opened, past.opened
    if (now.ruleset_digest, now.progressive, now.chip) != (then.ruleset_digest, then.progressive, then.chip):
        detail = (
            f"`at` lies in session {then.session}, which dealt {then.ruleset} version {then.ruleset_version} on other"
            f" terms than {now.session} deals; such a round is put right by a ruling"
        )
        raise Refusal("bad_time", detail)
    if past.limits != session.limits and _events(session, past.limits, played) != _events_now(session, played):
        detail = (
            f"`at` lies in session {then.session}, whose limits then ({_said(past.limits)}) would settle this round"
            f" otherwise than those of {now.session} ({_said(session.limits)}); it is put right by a ruling"
        )
        raise Refusal("bad_time", detail)


def _events(session: TableSession, limits: Limits, played: Record) -> list[Event]:
    return engine.play_record(engine.begin(session.ruleset, limits, "late", 1), played, Unlinked())


def _events_now(session: TableSession, played: Record) -> list[Event] | None:
    """None where the limits of now refuse it."""
    try:
        return _events(session, session.limits, played)
    except Refusal:
        return None


def _said(limits: Limits) -> str:
    return f"min {limits.min}, max {limits.max}, max_payout_per_box {limits.max_payout_per_box}"


def record(work: Work, stream: str, session: TableSession, events: list[Event], past: Past | None) -> None:
    """Record what happened at the table in the session it belongs to; `past` None: the open one."""
    if past is None:
        work.record_at_table(stream, session, events)
        return
    assert past.span.closed_at is not None, "only a closed session lies in the past"
    opened = past.opened
    reckoned = LateReckoned(
        session=opened.session,
        session_stream=past.span.stream,
        counted_at=past.span.closed_at,
        tray=sum(map(tray_change, events)),
        events=len(events),
    )
    work.record(
        stream,
        [*events, reckoned],
        gaming_day=opened.gaming_day,
        shift=opened.shift,
        late=True,
        belongs_to=past.span.stream,
    )
    bought = sum(event.amount for event in events if isinstance(event, BuyIn))
    if bought:
        _tell_the_count(work, past, bought)


def _tell_the_count(work: Work, past: Past, bought: int) -> None:
    opened = past.opened
    counted = _is_counted(work.counts(opened.gaming_day), opened.session)
    learned = BuyInLearned(
        session=opened.session,
        session_stream=past.span.stream,
        currency=opened.currency,
        amount=bought,
        difference=bought if counted else 0,
    )
    stream = streams.count(opened.gaming_day)
    work.record(stream, [learned], gaming_day=opened.gaming_day, shift=opened.shift, late=True)


def _is_counted(book: CountBook, session: str) -> bool:
    boxes = book.of_session(session)
    return bool(boxes) and all(box.counted is not None for box in boxes)
