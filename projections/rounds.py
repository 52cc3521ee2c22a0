"""`rounds`: one row a round, to find it by table, day, player or position; its story is then read from the log.

| table | one row a | columns |
|---|---|---|
| views.rounds | round | where and under what, first and last version and position, times, totals, void, players |
| views.round_notes | event that speaks of a round afterwards | its position |

The columns of the close are null while the round is live. The totals stay as they were settled; corrections and what
they changed of the house's net stand beside them.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from datetime import datetime
from typing import Any, ClassVar

import msgspec
import psycopg

from domain.events.correction import (
    AmountCorrected,
    CorrectionProposed,
    HandReannounced,
    RoundCorrected,
    RulingMade,
    RulingProposed,
)
from domain.events.outcome import RoundClosed
from domain.events.play import AntePlaced, RoundOpened, WagerPlaced
from projections.log_reader import Batch
from projections.sessions import SessionBook, day_of
from projections.store import Cursor, Update, Upsert

Key = tuple[str, str]  # site, round

NOTES = (CorrectionProposed, RoundCorrected, AmountCorrected, HandReannounced, RulingProposed, RulingMade)


class RoundRow(msgspec.Struct):
    site: str
    round: str
    table_name: str
    stream: str
    session: str
    gaming_day: str
    ruleset: str
    number: int
    source: str
    shoe: str
    actor: str
    first_version: int
    first_position: int
    opened_at: datetime
    last_version: int | None = None
    last_position: int | None = None
    closed_at: datetime | None = None
    staked: int | None = None
    taken: int | None = None
    returned: int | None = None
    paid: int | None = None
    house_net: int | None = None
    void: bool | None = None
    players: tuple[str, ...] = ()


class CloseRow(msgspec.Struct):
    site: str
    round: str
    last_version: int
    last_position: int
    closed_at: datetime
    staked: int
    taken: int
    returned: int
    paid: int
    house_net: int
    void: bool


class PlayersRow(msgspec.Struct):
    site: str
    round: str
    players: tuple[str, ...]


class CorrectionRow(msgspec.Struct):
    site: str
    round: str
    corrections: int
    corrected_net: int


class NoteRow(msgspec.Struct):
    site: str
    round: str
    position: int


class Changes(msgspec.Struct):
    """Rounds opened in the batch as far as they got, what befell rounds opened before it, and what was said of any."""

    opened: list[RoundRow]
    closed: list[CloseRow]
    players: list[PlayersRow]
    corrected: list[CorrectionRow]
    notes: list[NoteRow]


class Rounds:
    """The projection."""

    name: ClassVar[str] = "rounds"
    version: ClassVar[int] = 1
    topics: ClassVar[frozenset[str]] = frozenset(
        kind.TOPIC for kind in (RoundOpened, RoundClosed, AntePlaced, WagerPlaced, *NOTES)
    )
    tables: ClassVar[Sequence[str]] = ("rounds", "round_notes")

    def __init__(self, sessions: SessionBook) -> None:
        self._sessions = sessions

    def load(self, conn: psycopg.Connection[Any], schema: str, batch: Batch) -> None:  # noqa: ARG002
        """The sessions of the rounds that the batch opens."""
        self._sessions.learn(conn, batch, {row[1] for row in batch.of(RoundOpened)})

    def fold(self, batch: Batch) -> Changes:
        """The rounds of the batch."""
        players = _players(batch)
        opened = {}
        for position, stream, version, meta, event in batch.of(RoundOpened):
            session = self._sessions[stream]
            opened[meta.site, event.round] = RoundRow(
                site=meta.site,
                round=event.round,
                table_name=session.table,
                stream=stream,
                session=session.session,
                gaming_day=day_of(meta, session),
                ruleset=session.ruleset,
                number=event.number,
                source=event.source,
                shoe=event.shoe,
                actor=meta.actor,
                first_version=version,
                first_position=position,
                opened_at=meta.happened_at,
                players=tuple(sorted(players.pop((meta.site, event.round), ()))),
            )
        closed = _closed(batch, opened)
        rest = [PlayersRow(site, round_id, tuple(sorted(names))) for (site, round_id), names in players.items()]
        return Changes(list(opened.values()), closed, rest, _corrected(batch), _notes(batch))

    def store(self, cursor: Cursor, schema: str, changes: Changes) -> None:
        _OPENED.run(cursor, schema, changes.opened)
        _PLAYERS.run(cursor, schema, changes.players)
        _CLOSED.run(cursor, schema, changes.closed)
        _CORRECTED.run(cursor, schema, changes.corrected)
        _NOTES.run(cursor, schema, changes.notes)

    def forget(self) -> None:
        """Nothing is kept that the log could contradict."""


def _players(batch: Batch) -> dict[Key, set[str]]:
    players: dict[Key, set[str]] = defaultdict(set)
    for _, _, _, meta, ante in batch.of(AntePlaced):
        if ante.player is not None:
            players[meta.site, ante.round].add(ante.player)
    for _, _, _, meta, wager in batch.of(WagerPlaced):
        if wager.player is not None:
            players[meta.site, wager.round].add(wager.player)
    return players


def _closed(batch: Batch, opened: dict[Key, RoundRow]) -> list[CloseRow]:
    """Fill in the close of rounds opened in this batch; the closes of earlier ones."""
    earlier = []
    for position, _, version, meta, event in batch.of(RoundClosed):
        row = opened.get((meta.site, event.round))
        if row is None:
            earlier.append(
                CloseRow(
                    site=meta.site,
                    round=event.round,
                    last_version=version,
                    last_position=position,
                    closed_at=meta.happened_at,
                    staked=event.staked,
                    taken=event.taken,
                    returned=event.returned,
                    paid=event.paid,
                    house_net=event.house_net,
                    void=event.void,
                )
            )
            continue
        row.last_version, row.last_position, row.closed_at = version, position, meta.happened_at
        row.staked, row.taken, row.returned, row.paid = event.staked, event.taken, event.returned, event.paid
        row.house_net, row.void = event.house_net, event.void
    return earlier


def _corrected(batch: Batch) -> list[CorrectionRow]:
    rows: dict[Key, CorrectionRow] = {}
    for _, _, _, meta, event in batch.of(RoundCorrected):
        row = rows.setdefault((meta.site, event.round), CorrectionRow(meta.site, event.round, 0, 0))
        row.corrections += 1
        row.corrected_net += event.house_net
    return list(rows.values())


def _notes(batch: Batch) -> list[NoteRow]:
    rows = []
    for position, _, _, meta, event in batch.merged(*NOTES):
        about: str | None = getattr(event, "round", None)
        if about is not None:
            rows.append(NoteRow(meta.site, about, position))
    return rows


_KEY = ("site", "round")
_OPENED = Upsert("rounds", RoundRow, _KEY)
_CLOSED = Update(
    "rounds",
    CloseRow,
    _KEY,
    """last_version = r.last_version, last_position = r.last_position, closed_at = r.closed_at, staked = r.staked,
       taken = r.taken, returned = r.returned, paid = r.paid, house_net = r.house_net, void = r.void""",
)
_CORRECTED = Update(
    "rounds",
    CorrectionRow,
    _KEY,
    "corrections = t.corrections + r.corrections, corrected_net = t.corrected_net + r.corrected_net",
)
_NOTES = Upsert("round_notes", NoteRow, ("site", "round", "position"))
_PLAYERS = Update(
    "rounds",
    PlayersRow,
    _KEY,
    'players = ARRAY(SELECT DISTINCT p COLLATE "C" FROM unnest(t.players || r.players) p ORDER BY p COLLATE "C")',
)
