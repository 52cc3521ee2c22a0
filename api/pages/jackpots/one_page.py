"""One progressive: its meters, what it holds, a gaming day's reconciliation with each decrease explained, its hits."""

from datetime import date, timedelta
from typing import Final

from starlette.responses import Response

from api.pages.floor_page import meters
from api.pages.frame import Pages
from api.pages.jackpots.records import record_name
from api.pages.jackpots.seen import sees_books
from api.pages.visit import Visit
from api.problems import ProblemError
from projections.reads.jackpot_days import last_day, reconciliation
from projections.reads.jackpot_hits import hits, newest_hits
from projections.reads.jackpots import jackpots

LAST_HITS: Final = 25
"""9 NYCRR 5320.8(b): the last 25 hits of each prize can be shown."""
_MOST_WAITING: Final = 100


def mount(pages: Pages) -> None:
    pages.show("/jackpots/{jackpot}", _one)


def _one(visit: Visit) -> Response:
    (name,) = visit.names
    found = visit.read(lambda conn: jackpots(conn, progressive=name))
    visit.position = found.position
    if not found.jackpots:
        raise ProblemError("unknown_jackpot", f"no jackpot {name!r} runs; its life tells of one that was only proposed")
    books = sees_books(visit)
    day = _day(visit) if books else None
    live = meters(visit.doors.house)
    live["meters"] = [meter for meter in live["meters"] if meter.jackpot == name]
    return visit.page(
        "jackpots/one.html",
        jackpot=found.jackpots[0],
        books=books,
        day=day,
        before=None if day is None else (date.fromisoformat(day) - timedelta(days=1)).isoformat(),
        after=None if day is None else (date.fromisoformat(day) + timedelta(days=1)).isoformat(),
        books_of_day=None if day is None else visit.read(lambda conn: reconciliation(conn, name, day)),
        waiting=visit.read(lambda conn: hits(conn, progressive=name, state="pending", limit=_MOST_WAITING)).hits,
        last=visit.read(lambda conn: newest_hits(conn, progressive=name, limit=LAST_HITS)).hits,
        record_name=record_name,
        stops=visit.may("POST /v1/progressives/{progressive}/stop"),
        **live,
    )


def _day(visit: Visit) -> str | None:
    """The gaming day asked for, else the newest that moved a jackpot."""
    asked = visit.asked("day")
    if not asked:
        return visit.read(last_day)
    try:
        return date.fromisoformat(asked).isoformat()
    except ValueError as error:
        raise ProblemError("bad_parameter", f"day {asked[:40]!r} is no date: YYYY-MM-DD") from error
