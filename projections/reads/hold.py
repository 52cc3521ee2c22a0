"""Hold: what tables won of what was dropped, by table, ruleset, day, hour or session.

win = taken - paid from the tray + over/short, which over a whole session equals drop + closer + credits - opener -
fills (drop being the recorded buy-ins while no count is known). Over/short is known when the closer is counted: until
then the win of anything that holds the session is unknown, which is null and not zero. `result` is what play has
brought so far.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from datetime import datetime
from typing import Any, Literal, LiteralString

import psycopg
from msgspec import Struct
from psycopg import sql

from projections.reads.ratio import ratio
from projections.reads.snapshot import Rows, conditions, snapshot, utc
from projections.table_hold import TableHold

By = Literal["table", "ruleset", "day", "hour", "session"]

LIVE = "live"

_KEYS: dict[By, LiteralString] = {
    "table": "s.table_name",
    "ruleset": "s.ruleset",
    "day": "s.gaming_day",
    "hour": "h.hour",
    "session": "s.session",
}
_KEY_WIDTH = 3  # site, the column above, currency


class KindFigures(Struct):
    """One kind of stake. handle = taken + returned; due = paid + capped."""

    handle: int = 0
    taken: int = 0
    due: int = 0
    paid: int = 0
    capped: int = 0


class HoldRow(Struct, kw_only=True):
    """One row, in minor units of its currency. A figure that cannot be known yet is null and stands in `missing`.

    table, ruleset, gaming_day, session, shift, hour: null where the row spans several. handle: settled stakes, those of
    void rounds (void_handle) included. paid: winnings and jackpots paid at the table. drop: buy-ins as recorded
    (counted_drop: by the count). result: taken less paid from the tray so far. closer, over_short: null while a session
    is open. grade: live, counted or audited.
    """

    site: str
    table: str | None
    ruleset: str | None
    gaming_day: str | None
    session: str | None
    shift: str | None
    hour: datetime | None
    currency: str
    sessions: int
    open_sessions: int
    rounds: int
    void_rounds: int
    handle: int
    void_handle: int
    taken: int
    paid: int
    jackpot_paid: int
    capped: int
    kinds: dict[str, KindFigures]
    result: int
    buy_ins: int
    tips: int
    opener: int | None
    fills: int
    credits: int
    closer: int | None
    over_short: int | None
    win: int | None
    drop: int
    counted_drop: int | None = None
    hold: float | None
    win_per_handle: float | None
    theoretical_win: int | None = None
    sd: int | None = None
    z: float | None = None
    grade: str = LIVE
    missing: list[str]


class Hold(Struct):
    position: int
    rows: list[HoldRow]


_MAY_BE_MISSING = ("over_short", "win", "counted_drop", "hold", "win_per_handle", "theoretical_win", "sd", "z")


def hold(
    conn: psycopg.Connection[Any],
    *,
    by: By = "table",
    table: str | None = None,
    ruleset: str | None = None,
    gaming_day: str | None = None,
    start: datetime | None = None,
    end: datetime | None = None,
) -> Hold:
    """Hold of the sessions that the filters leave, of their hours from `start` on and before `end`, one row a `by`.

    Currencies are never added up: a row has one. Openers and closers belong to whole sessions, so they are null where
    the rows are hours or the hours are cut.
    """
    where, values = conditions(
        [
            ("s.table_name = %s", table),
            ("s.ruleset = %s", ruleset),
            ("s.gaming_day = %s", gaming_day),
            ("h.hour >= %s", start),
            ("h.hour < %s", end),
        ]
    )
    whole = by != "hour" and start is None and end is None
    with snapshot(conn) as look:
        sums, kinds, edges = (look.rows(_statement(text, by, where), values) for text in (_SUMS, _KINDS, _EDGES))
        return Hold(look.position(TableHold), _assemble(by, sums, kinds, edges, whole=whole))


_SUMS: LiteralString = """
SELECT {key}, {dimensions}, sum(h.rounds), sum(h.void_rounds), sum(h.void_staked), sum(h.buy_ins), sum(h.fills),
       sum(h.credits), sum(h.tips), sum(h.jackpot_paid), sum(h.tray_play), sum(h.over_short)
FROM views.table_hold_sessions s JOIN views.table_hold h USING (site, stream) {where}
GROUP BY {key} ORDER BY {key}"""

_KINDS: LiteralString = """
SELECT {key}, h.kind, sum(h.handle), sum(h.taken), sum(h.due), sum(h.paid), sum(h.capped)
FROM views.table_hold_sessions s JOIN views.table_hold_kinds h USING (site, stream) {where}
GROUP BY {key}, h.kind ORDER BY h.kind"""

# Sessions as a whole, one row each and not one an hour: how many, how many open, openers and closers.
_EDGES: LiteralString = """
SELECT {key}, count(*), count(*) FILTER (WHERE s.closer IS NULL), sum(s.opener), sum(s.closer)
FROM (SELECT DISTINCT {hour} AS hour, s.*
      FROM views.table_hold_sessions s JOIN views.table_hold h USING (site, stream) {where}) s
GROUP BY {key}"""

_DIMENSIONS: LiteralString = ", ".join(
    f"CASE WHEN min(s.{column}) = max(s.{column}) THEN min(s.{column}) END"
    for column in ("table_name", "ruleset", "gaming_day", "session", "shift")
)


def _statement(text: LiteralString, by: By, where: sql.Composed) -> sql.Composed:
    inner = text is _EDGES
    column: LiteralString = _KEYS[by]
    if inner and by == "hour":
        column = "s.hour"
    return sql.SQL(text).format(
        key=sql.SQL("s.site, " + column + ", s.currency"),
        dimensions=sql.SQL(_DIMENSIONS),
        hour=sql.SQL("h.hour" if by == "hour" else "NULL::timestamptz"),
        where=where,
    )


def _assemble(by: By, sums: Rows, kinds: Rows, edges: Rows, *, whole: bool) -> list[HoldRow]:
    width = _KEY_WIDTH
    by_kind: dict[tuple[Any, ...], dict[str, KindFigures]] = defaultdict(dict)
    for row in kinds:
        by_kind[row[:width]][row[width]] = KindFigures(*map(int, row[width + 1 :]))
    edge = {row[:width]: row[width:] for row in edges}
    return [_row(by, row[:width], row[width:], by_kind[row[:width]], edge[row[:width]], whole=whole) for row in sums]


def _row(
    by: By,
    key: tuple[Any, ...],
    sums: Sequence[Any],
    kinds: dict[str, KindFigures],
    edge: Sequence[Any],
    *,
    whole: bool,
) -> HoldRow:
    table, ruleset, gaming_day, session, shift, *figures = sums
    rounds, void_rounds, void_staked, buy_ins, fills, credits_, tips, jackpot_paid, tray, over_short = map(int, figures)
    sessions, still_open, opener, closer = edge[0], edge[1], edge[2], edge[3]
    handle, taken, paid = (sum(getattr(k, name) for k in kinds.values()) for name in ("handle", "taken", "paid"))
    win = None if still_open else tray + over_short
    row = HoldRow(
        site=key[0],
        currency=key[-1],
        table=table,
        ruleset=ruleset,
        gaming_day=gaming_day,
        session=session,
        shift=shift,
        hour=utc(key[1]) if by == "hour" else None,
        sessions=sessions,
        open_sessions=still_open,
        rounds=rounds,
        void_rounds=void_rounds,
        handle=handle,
        void_handle=void_staked,
        taken=taken,
        paid=paid + jackpot_paid,
        jackpot_paid=jackpot_paid,
        capped=sum(k.capped for k in kinds.values()),
        kinds=kinds,
        result=tray,
        buy_ins=buy_ins,
        tips=tips,
        opener=int(opener) if whole else None,
        fills=fills,
        credits=credits_,
        closer=int(closer) if whole and not still_open else None,
        over_short=None if still_open else over_short,
        win=win,
        drop=buy_ins,
        hold=ratio(win, buy_ins),
        win_per_handle=ratio(win, handle),
        missing=[],
    )
    row.missing = ["closer"] if still_open else []
    row.missing += [name for name in _MAY_BE_MISSING if getattr(row, name) is None]
    return row
