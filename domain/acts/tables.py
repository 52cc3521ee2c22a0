"""A table's session from opener to closer, and the chips that cross its edge."""

import datetime as dt

from domain import engine, streams
from domain.acts import late
from domain.acts.chip_lists import check_chips
from domain.acts.progressive_links import link
from domain.commands import BuyChips, CloseTable, DropTip, OpenTable, PostLimits
from domain.days import Days
from domain.events.base import Chips, chips_total
from domain.events.chips import BuyIn, TipDropped
from domain.events.day import DayOpened, TableJoined
from domain.events.session import LimitsPosted, SessionClosed, SessionOpened, SessionRegistered, SessionReleased
from domain.events.tray import OpenerDiffered
from domain.money import CURRENCIES
from domain.refusals import Refusal
from domain.request import Reply
from domain.ruleset import Ruleset
from domain.table.session import TableSession
from domain.work import Work


def open_table(work: Work, table: str, command: OpenTable) -> Reply:
    """Open a session with a counted opener under the newest published version of a ruleset.

    Answers the session and its exceptions: an opener that differs from the closer carried over is accepted and said.
    Refuses `already_open`, `unknown_ruleset`, `bad_terms`, `unknown_progressive`, and `bad_time` for one that is said
    to have opened before the closer of the session before it was counted.
    """
    registry = work.registry(table)
    if registry.open_stream is not None:
        raise Refusal("already_open", f"table {table} has session {registry.open_session} open; close it first")
    _not_before(work, registry.closed_at, f"the last session of table {table} closed")
    published = work.house().published.get(command.ruleset)
    if published is None:
        raise Refusal("unknown_ruleset", f"ruleset {command.ruleset!r} is not published; publish it first")
    ruleset = work.ruleset(published.digest)
    _check_terms(command, ruleset)
    _check_progressive(work, command, ruleset)
    day, shift = _day_and_shift(work, command.gaming_day, command.shift)
    opened = SessionOpened(
        table=table,
        session=f"{table}-{day}-{registry.number + 1}",
        number=registry.number + 1,
        ruleset=command.ruleset,
        ruleset_version=published.ruleset_version,
        ruleset_digest=published.digest,
        currency=command.currency,
        chip=command.chip,
        min=command.min,
        max=command.max,
        max_payout_per_box=command.max_payout_per_box,
        progressive=command.progressive,
        gaming_day=day,
        shift=shift,
        opener=command.opener,
        opener_total=chips_total(command.opener),
        carried_closer=registry.closer_total,
    )
    _record_opening(work, table, opened)
    differed = _opener_differed(opened, registry.closer)
    if differed is not None:
        stream = streams.session(table, opened.gaming_day, opened.number)
        work.record(stream, [differed], gaming_day=opened.gaming_day, shift=opened.shift)
    return Reply({"session": opened.session, "exceptions": [] if differed is None else [_told(opened, differed)]})


def _record_opening(work: Work, table: str, opened: SessionOpened) -> None:
    stream = streams.session(table, opened.gaming_day, opened.number)
    registered = SessionRegistered(
        table=table,
        session=opened.session,
        number=opened.number,
        gaming_day=opened.gaming_day,
        ruleset=opened.ruleset,
    )
    work.expect_new(stream)
    work.record(stream, [opened], gaming_day=opened.gaming_day, shift=opened.shift)
    work.record(streams.registry(table), [registered], gaming_day=opened.gaming_day, shift=opened.shift)
    days = work.house().days.by_day
    known = days.get(opened.gaming_day)
    if days and (known is None or table not in known.tables):
        joined = TableJoined(day=opened.gaming_day, table=table)
        work.record(streams.HOUSE, [joined], gaming_day=opened.gaming_day, shift=opened.shift)


def _opener_differed(opened: SessionOpened, closer: tuple[Chips, ...] | None) -> OpenerDiffered | None:
    if closer is None or _by_denomination(closer) == _by_denomination(opened.opener):
        return None
    difference = opened.opener_total - chips_total(closer)
    return OpenerDiffered(session=opened.session, carried=closer, counted=opened.opener, difference=difference)


def _by_denomination(chips: tuple[Chips, ...]) -> dict[int, int]:
    return {chip.denomination: chip.count for chip in chips if chip.count}


def _told(opened: SessionOpened, differed: OpenerDiffered) -> dict[str, object]:
    carried, counted = _by_denomination(differed.carried), _by_denomination(differed.counted)
    changed = sorted(d for d in carried | counted if carried.get(d, 0) != counted.get(d, 0))
    return {
        "code": "opener_differs",
        "carried": opened.carried_closer,
        "counted": opened.opener_total,
        "difference": differed.difference,
        "denominations": [
            {"denomination": d, "carried": carried.get(d, 0), "counted": counted.get(d, 0)} for d in changed
        ],
    }


def _check_terms(command: OpenTable, ruleset: Ruleset) -> None:
    if command.currency not in CURRENCIES:
        raise Refusal("bad_terms", f"currency {command.currency} is not dealt here; one of {', '.join(CURRENCIES)}")
    if command.min > command.max:
        raise Refusal("bad_terms", f"min {command.min} is above max {command.max}")
    if command.min % command.chip or command.max % command.chip:
        raise Refusal("bad_terms", f"min and max are multiples of the smallest chip, {command.chip}")
    if command.chip % ruleset.chip_step:
        step = ruleset.chip_step
        raise Refusal("bad_terms", f"{command.ruleset} makes halves: the smallest chip must be a multiple of {step}")
    check_chips(command.opener, "opener")


def _check_progressive(work: Work, command: OpenTable, ruleset: Ruleset) -> None:
    if command.progressive is None:
        return
    paid_levels = engine.jackpot_levels(ruleset)
    if not paid_levels:
        raise Refusal("bad_terms", f"{command.ruleset} has no jackpot: leave `progressive` out")
    opened = work.progressive(command.progressive).opened
    if opened is None:
        raise Refusal("unknown_progressive", f"progressive {command.progressive!r} is not running")
    if opened.currency != command.currency:
        raise Refusal("bad_terms", f"progressive {command.progressive} is in {opened.currency}, not {command.currency}")
    levels = {terms.level for terms in opened.levels}
    missing = paid_levels - levels
    if missing:
        raise Refusal("bad_terms", f"progressive {command.progressive} lacks level {min(missing)} that the sheet pays")
    link(work, command.progressive, ruleset)


def _day_and_shift(work: Work, day: str | None, shift: str | None, *, rolling: bool = False) -> tuple[str, str]:
    """The gaming day and shift of a session that opens now; where the house keeps days, one that is open.

    The first table that rolls to the day after the newest opens that day for the house.

    Refuses `bad_terms` for what is no date or no shift of the day, `day_closed`, `unknown_day`.
    """
    days = work.house().days
    running = days.newest
    wanted = day or (work.now.date().isoformat() if running is None else running.day)
    try:
        dt.date.fromisoformat(wanted)
    except ValueError as error:
        raise Refusal("bad_terms", f"gaming day {wanted!r} is not a date: YYYY-MM-DD") from error
    if running is None:
        return wanted, shift or "1"
    known = days.by_day.get(wanted)
    if known is None and rolling and wanted == days.after_newest():
        _begin_day(work, wanted, shift or "1")
        return wanted, shift or "1"
    if known is None:
        raise Refusal("unknown_day", f"gaming day {wanted} was never opened; {_open_days(days)}")
    if known.closed_by is not None:
        raise Refusal("day_closed", f"gaming day {wanted} is closed; {_open_days(days)}")
    if shift is not None and shift not in known.shifts:
        raise Refusal("bad_terms", f"{wanted} has no shift {shift!r}; it has {', '.join(known.shifts)}")
    return wanted, shift or known.shift


def _open_days(days: Days) -> str:
    found = days.not_closed()
    return f"open are {', '.join(found)}" if found else "none is open; begin the next one first"


def _begin_day(work: Work, day: str, shift: str) -> None:
    """Once a save, also where several tables roll in it."""
    if not any(isinstance(event, DayOpened) and event.day == day for *_, event in work.records):
        work.record(streams.HOUSE, [DayOpened(day=day, shift=shift)], gaming_day=day, shift=shift)


def post_limits(work: Work, table: str, command: PostLimits) -> Reply:
    """New limits, good from the next round. Refuses `round_in_progress` and `bad_terms`."""
    stream, session = work.open_session(table)
    no_round(session)
    if command.min > command.max or command.min % session.opened.chip or command.max % session.opened.chip:
        raise Refusal("bad_terms", f"min <= max, both multiples of the smallest chip {session.opened.chip}")
    posted = LimitsPosted(min=command.min, max=command.max, max_payout_per_box=command.max_payout_per_box)
    work.record_at_table(stream, session, [posted])
    return Reply({"session": session.opened.session})


def buy_in(work: Work, table: str, command: BuyChips) -> Reply:
    """Tender into the drop box, chips of the same value from the tray. Refuses `tray_short`.

    With an `at` in the time of an earlier session it belongs to that one, whose name is answered.
    """
    stream, session = work.open_session(table)
    if command.amount % session.opened.chip:
        raise Refusal(
            "chip_multiple", f"amount {command.amount} is not a multiple of the smallest chip {session.opened.chip}"
        )
    past = late.past_of(work, session)
    if past is None and command.amount > session.tray:
        raise Refusal(
            "tray_short", f"the tray should hold {session.tray}; ask for a fill before selling {command.amount}"
        )
    bought = BuyIn(player=command.player, amount=command.amount, tender=command.tender)
    late.record(work, stream, session, [bought], past)
    return Reply({"session": (past or session).opened.session})


def drop_tip(work: Work, table: str, command: DropTip) -> Reply:
    """A tip into the toke box; it never is table win."""
    stream, session = work.open_session(table)
    past = late.past_of(work, session)
    late.record(work, stream, session, [TipDropped(amount=command.amount, player=command.player)], past)
    return Reply({"session": (past or session).opened.session})


def close_table(work: Work, table: str, command: CloseTable) -> Reply:
    """Close the session with a counted closer; with `roll_to` the next gaming day's session opens in the same save.

    Answers closer, expected and over_short = closer - expected. Refuses `round_in_progress`, and `colours_out` while
    a colour is played: nobody knows how much of it is left, so it comes in whole first; and `bad_time` for a close that
    is said to have been before the opening.
    """
    stream, session = work.open_session(table)
    no_round(session)
    _not_before(work, session.opened_at, f"session {session.opened.session} opened")
    if session.colours:
        raise Refusal("colours_out", f"cash in the colours that are played: {', '.join(session.colours)}")
    check_chips(command.closer, "closer")
    opened = session.opened
    total = chips_total(command.closer)
    closed = SessionClosed(
        table=table,
        session=opened.session,
        closer=command.closer,
        closer_total=total,
        expected=session.tray,
        over_short=total - session.tray,
        rolled_to=command.roll_to or (opened.gaming_day if command.roll_shift else None),
    )
    released = SessionReleased(table=table, session=opened.session, closer=command.closer, closer_total=total)
    work.record_at_table(stream, session, [closed])
    work.record(streams.registry(table), [released], gaming_day=opened.gaming_day, shift=opened.shift)
    body: dict[str, object] = {
        "session": opened.session,
        "closer": total,
        "expected": session.tray,
        "over_short": closed.over_short,
    }
    if closed.rolled_to is not None:
        body["next_session"] = _roll(work, table, session, closed.rolled_to, command)
    return Reply(body)


def _roll(work: Work, table: str, session: TableSession, to: str, command: CloseTable) -> str:
    """The next session, with the closer just counted as its opener; its name."""
    old = session.opened
    kept = old.shift if not work.house().days.by_day else None
    day, shift = _day_and_shift(work, to, command.roll_shift or kept, rolling=True)
    if day < old.gaming_day or (day == old.gaming_day and shift == old.shift):
        raise Refusal("bad_terms", f"a table rolls forward: {day} {shift} is not after {old.gaming_day} {old.shift}")
    counted = command.closer
    number = work.registry(table).number + 1
    limits = session.limits
    opened = SessionOpened(
        table=table,
        session=f"{table}-{day}-{number}",
        number=number,
        ruleset=old.ruleset,
        ruleset_version=old.ruleset_version,
        ruleset_digest=old.ruleset_digest,
        currency=old.currency,
        chip=old.chip,
        min=limits.min,
        max=old.max if limits.max is None else limits.max,
        max_payout_per_box=limits.max_payout_per_box,
        progressive=old.progressive,
        gaming_day=day,
        shift=shift,
        opener=counted,
        opener_total=chips_total(counted),
        carried_closer=chips_total(counted),
    )
    _record_opening(work, table, opened)
    return opened.session


def _not_before(work: Work, moment: dt.datetime | None, what: str) -> None:
    """Only of a time that was named: where two machines' clocks differ by a little, nobody is kept waiting."""
    if work.request.at is not None and moment is not None and work.now < moment:
        raise Refusal("bad_time", f"`at` {work.now.isoformat()} is before {what}, at {moment.isoformat()}")


def no_round(session: TableSession) -> None:
    """Refuses `round_in_progress` while cards or wagers are on the felt."""
    if session.round is not None:
        raise Refusal("round_in_progress", "a round is on the felt; finish or void it first")
