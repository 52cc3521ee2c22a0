"""`box_limits`: of each box of a live round what it has staked and can still be paid, and what caps have withheld.

| table | one row a | columns |
|---|---|---|
| views.live_rounds | round on the felt | where, and where in the log it began |
| views.box_limits | box of such a round | staked, cap, most payable, headroom, highest insurance |
| views.box_caps | table and gaming day | what caps withheld in all |
| views.box_capped | payout that a cap lowered | due, paid, capped |

Exposure is the round engine's to say, and is folded only for rounds that are still live where a batch ends: finished
rounds recorded in one save cost nothing here. A round opened as a finished record is never live.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from datetime import datetime
from typing import Any, ClassVar

import msgspec
import psycopg
from psycopg import sql

from domain import engine
from domain.codec import UnreadableEventError, decode
from domain.events.outcome import PayoutMade, RoundClosed
from domain.events.play import RoundOpened
from domain.events.session import LimitsPosted, SessionOpened
from projections.fold import FoldError
from projections.live import ROUND_TOPICS, Felt, LiveRound
from projections.log_reader import Batch
from projections.sessions import SessionBook, day_of
from projections.store import Cursor, Upsert, as_json, recordset, table


class LiveRow(msgspec.Struct):
    site: str
    stream: str
    round: str
    table_name: str
    gaming_day: str
    first_version: int
    first_position: int


class RoundKey(msgspec.Struct):
    site: str
    stream: str
    round: str


class LimitRow(msgspec.Struct):
    site: str
    stream: str
    round: str
    box: int
    player: str | None
    staked: int
    cap: int | None
    most_payable: int
    headroom: int | None
    insurance_max: int


class CapRow(msgspec.Struct):
    site: str
    table_name: str
    gaming_day: str
    capped: int


class CappedRow(msgspec.Struct):
    site: str
    position: int
    table_name: str
    gaming_day: str
    round: str
    box: int | None
    wager: int | None
    kind: str
    due: int
    paid: int
    capped: int
    happened_at: datetime


class Changes(msgspec.Struct):
    """Rounds that came to the felt or left it, the boxes of those that moved, and what caps withheld."""

    live: list[LiveRow]
    gone: list[RoundKey]
    moved: list[RoundKey]
    limits: list[LimitRow]
    caps: list[CapRow]
    capped: list[CappedRow]


class BoxLimits:
    """The projection. Keeps the states of live rounds in memory; after a restart they are folded from the log again."""

    name: ClassVar[str] = "box_limits"
    version: ClassVar[int] = 1
    topics: ClassVar[frozenset[str]] = frozenset(
        kind.TOPIC for kind in (SessionOpened, LimitsPosted, RoundOpened, RoundClosed, PayoutMade)
    )
    tables: ClassVar[Sequence[str]] = ("live_rounds", "box_limits", "box_caps", "box_capped")

    def __init__(self, sessions: SessionBook) -> None:
        self._sessions = sessions
        self._felt = Felt(sessions)

    def load(self, conn: psycopg.Connection[Any], schema: str, batch: Batch) -> None:
        """The rounds on the felt, and the sessions whose payouts were capped."""
        self._felt.load(conn, schema, batch)
        self._sessions.learn(conn, batch, {row[1] for row in batch.of(PayoutMade) if row[4].capped})

    def fold(self, batch: Batch) -> Changes:
        """Take live rounds through the batch, and tell the exposure of those that moved and stay."""
        changes = Changes([], [], [], [], [], [])
        live = self._felt.rounds
        assert live is not None, "load comes before fold"
        closed = {row[4].round for row in batch.of(RoundClosed)}
        for stream in [stream for stream, rnd in live.items() if rnd.round_id in closed]:
            changes.gone.append(_key(live.pop(stream)))
        for stream, rnd in self._felt.new.items():
            live[stream] = rnd
            changes.live.append(_live_row(rnd))
        if live:
            _play(live, batch)
        for rnd in live.values():
            if rnd.touched:
                rnd.touched = False
                changes.moved.append(_key(rnd))
                changes.limits.extend(_limit_rows(rnd, batch))
        self._withheld(batch, changes)
        return changes

    def _withheld(self, batch: Batch, changes: Changes) -> None:
        sums: dict[tuple[str, str, str], int] = defaultdict(int)
        for position, stream, _, meta, payout in batch.of(PayoutMade):
            if not payout.capped:
                continue
            session = self._sessions[stream]
            day = day_of(meta, session)
            sums[meta.site, session.table, day] += payout.capped
            changes.capped.append(
                CappedRow(
                    site=meta.site,
                    position=position,
                    table_name=session.table,
                    gaming_day=day,
                    round=payout.round,
                    box=payout.box,
                    wager=payout.wager,
                    kind=payout.kind,
                    due=payout.due,
                    paid=payout.paid,
                    capped=payout.capped,
                    happened_at=meta.happened_at,
                )
            )
        changes.caps.extend(CapRow(*key, capped) for key, capped in sums.items())

    def store(self, cursor: Cursor, schema: str, changes: Changes) -> None:
        _delete(cursor, schema, "live_rounds", changes.gone)
        _delete(cursor, schema, "box_limits", changes.gone + changes.moved)
        _LIVE.run(cursor, schema, changes.live)
        _LIMITS.run(cursor, schema, changes.limits)
        _CAPS.run(cursor, schema, changes.caps)
        _CAPPED.run(cursor, schema, changes.capped)

    def forget(self) -> None:
        self._felt.forget()


def _play(live: dict[str, LiveRound], batch: Batch) -> None:
    """Only the events of rounds on the felt are decoded here."""
    for position, stream, _, topic, state in batch.raw:
        rnd = live.get(stream)
        if rnd is None or topic not in ROUND_TOPICS or position < rnd.first_position:
            continue
        try:
            rnd.take(decode(topic, state)[1])
        except UnreadableEventError as error:
            raise FoldError(position, str(error)) from error
        except Exception as error:  # whatever the engine trips over, the projection stops there and says so
            raise FoldError(position, f"{topic}: {error!r}") from error


def _key(rnd: LiveRound) -> RoundKey:
    return RoundKey(rnd.site, rnd.stream, rnd.round_id)


def _live_row(rnd: LiveRound) -> LiveRow:
    return LiveRow(
        site=rnd.site,
        stream=rnd.stream,
        round=rnd.round_id,
        table_name=rnd.table,
        gaming_day=rnd.gaming_day,
        first_version=rnd.first_version,
        first_position=rnd.first_position,
    )


def _limit_rows(rnd: LiveRound, batch: Batch) -> list[LimitRow]:
    try:
        boxes = engine.exposure(rnd.state)
    except Exception as error:
        raise FoldError(batch.end, f"exposure of {rnd.round_id}: {error!r}") from error
    return [
        LimitRow(
            site=rnd.site,
            stream=rnd.stream,
            round=rnd.round_id,
            box=box.box,
            player=rnd.players.get(box.box),
            staked=box.staked,
            cap=box.cap,
            most_payable=box.most_payable,
            headroom=box.headroom,
            insurance_max=box.insurance_max,
        )
        for box in boxes
    ]


_ROUND_KEY = ("site", "stream", "round")
_LIVE = Upsert("live_rounds", LiveRow, _ROUND_KEY)
_LIMITS = Upsert("box_limits", LimitRow, (*_ROUND_KEY, "box"))
_CAPS = Upsert("box_caps", CapRow, ("site", "table_name", "gaming_day"), added=("capped",))
_CAPPED = Upsert("box_capped", CappedRow, ("site", "position"))


def _delete(cursor: Cursor, schema: str, name: str, keys: list[RoundKey]) -> None:
    if keys:
        statement = sql.SQL("DELETE FROM {} t USING {} WHERE (t.site, t.stream, t.round) = (r.site, r.stream, r.round)")
        cursor.execute(statement.format(table(schema, name), recordset(RoundKey)), (as_json(keys),), prepare=True)
