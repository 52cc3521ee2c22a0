"""The sums that hold is made of, added up by the database: by whatever key, over whatever sessions and hours."""

from __future__ import annotations

from collections import defaultdict
from datetime import datetime
from typing import Any, Final, Literal, LiteralString, NamedTuple

from msgspec import Struct
from psycopg import sql

from projections.figures import Extent, Sums
from projections.reads.snapshot import Snapshot, conditions

By = Literal["all", "table", "ruleset", "session", "shift", "hour", "day", "month", "year"]

_KEYS: Final[dict[By, LiteralString]] = {
    "all": "left(s.site, 0)",
    "table": "s.table_name",
    "ruleset": "s.ruleset",
    "session": "s.session",
    "shift": "s.gaming_day || ' ' || s.shift",
    "hour": "h.hour",
    "day": "s.gaming_day",
    "month": "left(s.gaming_day, 7)",
    "year": "left(s.gaming_day, 4)",
}
_KEY_WIDTH: Final = 3  # site, the column above, currency

DIMENSIONS: Final = ("table_name", "ruleset", "gaming_day", "session", "shift")


class Of(NamedTuple):
    """Which sessions and hours; None leaves all in. Days are of the gaming day, both ends in; `end` is out."""

    table: str | None = None
    ruleset: str | None = None
    session: str | None = None
    shift: str | None = None
    gaming_day: str | None = None
    first_day: str | None = None
    last_day: str | None = None
    start: datetime | None = None
    end: datetime | None = None

    @property
    def whole(self) -> bool:
        """Whether sessions are taken whole, so that openers and closers mean something."""
        return self.start is None and self.end is None


class KindFigures(Struct):
    """One kind of stake. handle = taken + returned; due = paid + capped."""

    handle: int = 0
    taken: int = 0
    due: int = 0
    paid: int = 0
    capped: int = 0


class Summed(NamedTuple):
    """One group. dimensions: what table, ruleset, day, session and shift are, None where the group has several."""

    key: tuple[Any, ...]
    dimensions: dict[str, str | None]
    sums: Sums
    extent: Extent
    kinds: dict[str, KindFigures]


# Per session, so that a day's report reads its own sessions and not all there ever were. The count of a session's drop
# belongs to its hours too, or they would not add up: it stands in the hour in which the last of its boxes was settled.
# A session of which a box is not counted yet has no count at all. An audit's
# adjustment stands in the hour in which it was agreed.
_HOURS: LiteralString = """
(SELECT hour, rounds, void_rounds, void_staked, buy_ins, fills, credits, tips, jackpot_paid, tray_play, over_short,
        0::bigint AS counted, 0::bigint AS counted_of, 0::bigint AS adjusted
 FROM views.table_hold t WHERE t.site = s.site AND t.stream = s.stream
 UNION ALL
 SELECT date_trunc('hour', max(d.counted_at), 'UTC'), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, sum(d.counted),
        (SELECT coalesce(sum(b.buy_ins), 0) FROM views.table_hold b WHERE b.site = s.site AND b.stream = s.stream), 0
 FROM views.drop_boxes d WHERE d.site = s.site AND d.stream = s.stream
 HAVING count(*) > 0 AND count(*) = count(d.counted)
 UNION ALL
 SELECT date_trunc('hour', a.adjusted_at, 'UTC'), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, a.win
 FROM views.adjustments a WHERE a.site = s.site AND a.stream = s.stream AND a.drop_id IS NULL)"""

_SUMS: LiteralString = """
SELECT {key}, {dimensions}, sum(h.rounds), sum(h.void_rounds), sum(h.void_staked), sum(h.buy_ins), sum(h.fills),
       sum(h.credits), sum(h.tips), sum(h.jackpot_paid), sum(h.tray_play), sum(h.over_short), sum(h.counted),
       sum(h.counted_of), sum(h.adjusted)
FROM views.table_hold_sessions s CROSS JOIN LATERAL {hours} h {where}
GROUP BY {key} ORDER BY {key}"""

_KINDS: LiteralString = """
SELECT {key}, h.kind, sum(h.handle), sum(h.taken), sum(h.due), sum(h.paid), sum(h.capped)
FROM views.table_hold_sessions s JOIN views.table_hold_kinds h USING (site, stream) {where}
GROUP BY {key}, h.kind ORDER BY h.kind"""

# Sessions as a whole, one row each and not one an hour: how many, how far known, openers and closers.
_EXTENT: LiteralString = """
SELECT {key}, count(*), count(*) FILTER (WHERE s.closer IS NULL), count(*) FILTER (WHERE s.all_counted),
       count(*) FILTER (WHERE s.audited), coalesce(sum(s.opener), 0), coalesce(sum(s.closer), 0)
FROM (SELECT DISTINCT {hour} AS hour, s.*,
             coalesce((SELECT count(*) = count(d.counted) AND count(*) > 0
                       FROM views.drop_boxes d WHERE d.site = s.site AND d.stream = s.stream), false) AS all_counted,
             EXISTS (SELECT FROM views.gaming_days g
                     WHERE g.site = s.site AND g.day = s.gaming_day AND g.state = 'audited') AS audited
      FROM views.table_hold_sessions s CROSS JOIN LATERAL {hours} h {where}) s
GROUP BY {key}"""

# Sessions taken whole have their totals: one row a session, however many hours it was open. The day is asked of each
# table by itself, so that its rows of other days are not read.
_WHOLE: LiteralString = """
SELECT {key}, {dimensions}, sum(t.rounds), sum(t.void_rounds), sum(t.void_staked), sum(t.buy_ins), sum(t.fills),
       sum(t.credits), sum(t.tips), sum(t.jackpot_paid), sum(t.tray_play), sum(t.over_short),
       coalesce(sum(c.counted) FILTER (WHERE c.all_counted), 0),
       coalesce(sum(t.buy_ins) FILTER (WHERE c.all_counted), 0), coalesce(sum(a.adjusted), 0),
       count(*), count(*) FILTER (WHERE s.closer IS NULL), count(*) FILTER (WHERE c.all_counted),
       count(*) FILTER (WHERE g.state = 'audited'), coalesce(sum(s.opener), 0), coalesce(sum(s.closer), 0)
FROM views.table_hold_sessions s
JOIN views.table_hold_totals t USING (site, stream)
LEFT JOIN (SELECT d.site, d.stream, sum(d.counted) AS counted, count(*) = count(d.counted) AS all_counted
           FROM views.drop_boxes d {of_boxes} GROUP BY d.site, d.stream) c USING (site, stream)
LEFT JOIN (SELECT site, stream, sum(win) AS adjusted FROM views.adjustments WHERE drop_id IS NULL
           GROUP BY site, stream) a USING (site, stream)
LEFT JOIN views.gaming_days g ON g.site = s.site AND g.day = s.gaming_day
{of_totals} GROUP BY {key} ORDER BY {key}"""

_WHOLE_KINDS: LiteralString = """
SELECT {key}, k.kind, sum(k.handle), sum(k.taken), sum(k.due), sum(k.paid), sum(k.capped)
FROM views.table_hold_sessions s JOIN views.table_hold_kind_totals k USING (site, stream) {of_kinds}
GROUP BY {key}, k.kind ORDER BY k.kind"""

_DIMENSION_COLUMNS: LiteralString = ", ".join(
    f"CASE WHEN min(s.{column}) = max(s.{column}) THEN min(s.{column}) END" for column in DIMENSIONS
)


def summed(look: Snapshot, by: By, of: Of) -> list[Summed]:
    """The groups in the order of their keys. Currencies are never added up: each has groups of its own."""
    if by != "hour" and of.whole:
        return _whole(look, by, of)
    hours: _Parts = [("h.hour >= %s", of.start), ("h.hour < %s", of.end)]
    return _of_hours(look, by, *conditions([*_sessions(of), *hours]))


_Parts = list[tuple[LiteralString, object]]
_SUMMED: Final = _KEY_WIDTH + len(DIMENSIONS)


def _sessions(of: Of) -> _Parts:
    return [
        ("s.table_name = %s", of.table),
        ("s.ruleset = %s", of.ruleset),
        ("s.session = %s", of.session),
        ("s.shift = %s", of.shift),
        *_days("s", of),
    ]


def _days(table: LiteralString, of: Of) -> _Parts:
    return [
        (f"{table}.gaming_day = %s", of.gaming_day),
        (f"{table}.gaming_day >= %s", of.first_day),
        (f"{table}.gaming_day <= %s", of.last_day),
    ]


def _whole(look: Snapshot, by: By, of: Of) -> list[Summed]:
    boxes, of_boxes = conditions([("d.table_name = %s", of.table), ("d.session = %s", of.session), *_days("d", of)])
    totals, of_totals = conditions([*_sessions(of), *_days("t", of)])
    of_kind, of_kinds = conditions([*_sessions(of), *_days("k", of)])
    kinds = _kinds(look, _statement(_WHOLE_KINDS, by, of_kinds=of_kind), of_kinds)
    rows = look.rows(_statement(_WHOLE, by, of_boxes=boxes, of_totals=totals), [*of_boxes, *of_totals])
    width = len(Sums.__struct_fields__)
    return [_group(row, Extent(*map(int, row[_SUMMED + width :])), kinds) for row in rows]


def _of_hours(look: Snapshot, by: By, where: sql.Composed, values: list[object]) -> list[Summed]:
    kinds = _kinds(look, _statement(_KINDS, by, where=where), values)
    found = look.rows(_statement(_EXTENT, by, where=where), values)
    extents = {row[:_KEY_WIDTH]: Extent(*map(int, row[_KEY_WIDTH:])) for row in found}
    rows = look.rows(_statement(_SUMS, by, where=where), values)
    return [_group(row, extents[row[:_KEY_WIDTH]], kinds) for row in rows]


_Kinds = dict[tuple[Any, ...], dict[str, KindFigures]]


def _kinds(look: Snapshot, statement: sql.Composed, values: list[object]) -> _Kinds:
    kinds: _Kinds = defaultdict(dict)
    for row in look.rows(statement, values):
        kinds[row[:_KEY_WIDTH]][row[_KEY_WIDTH]] = KindFigures(*map(int, row[_KEY_WIDTH + 1 :]))
    return kinds


def _group(row: tuple[Any, ...], extent: Extent, kinds: _Kinds) -> Summed:
    key, sums = row[:_KEY_WIDTH], row[_SUMMED : _SUMMED + len(Sums.__struct_fields__)]
    named = dict(zip(DIMENSIONS, row[_KEY_WIDTH:_SUMMED], strict=True))
    return Summed(key, named, Sums(*map(int, sums)), extent, kinds[key])


def _statement(text: LiteralString, by: By, **where: sql.Composed) -> sql.Composed:
    column: LiteralString = _KEYS[by]
    if text is _EXTENT and by == "hour":
        column = "s.hour"
    return sql.SQL(text).format(
        key=sql.SQL("s.site, " + column + ", s.currency"),
        dimensions=sql.SQL(_DIMENSION_COLUMNS),
        hours=sql.SQL(_HOURS),
        hour=sql.SQL("h.hour" if by == "hour" else "NULL::timestamptz"),
        **where,
    )
