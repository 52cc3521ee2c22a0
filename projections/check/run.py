"""The check: views to the head, one snapshot, one pass over the log."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any, TypedDict, cast

import psycopg
from psycopg.rows import tuple_row

from domain.codec import UnreadableEventError, decode
from projections.catalog import all_projections
from projections.catch_up import StalledError, run_until
from projections.check.examiner import Examiner, Identity, Look, Seen, Violations
from projections.check.jackpots import JackpotExaminer
from projections.check.keys import KeyExaminer
from projections.check.plain import FOLDS, PlainExaminer
from projections.check.rounds import RoundExaminer
from projections.check.sessions import PostingsExaminer, SessionExaminer
from projections.connect import Connect, connector
from projections.log_reader import RawRow
from projections.rebuild import BuildStoppedError, RebuildBusyError, compare_anew
from projections.replay import Difference, replay
from projections.seal import Seal
from projections.verify_seals import gone_leaves

PAGE = 2_000
SNAPSHOTS = 50
LOOK_S = 0.1


class CheckResult(TypedDict):
    """position: all identities were held against the log up to here."""

    ok: bool
    position: int
    identities: list[Identity]


def check(connect: str | Connect, *, jobs: int = 1) -> CheckResult:
    """Hold the log and the views against every identity. The projections are run here if nobody runs them."""
    opener = connector(connect) if isinstance(connect, str) else connect
    stalled: Identity | None = None
    try:
        run_until(connect)
    except StalledError as error:
        stalled = Identity(name="projections_at_head", ok=False, detail=str(error))
    with opener() as conn:
        conn.execute("SET statement_timeout = 0")  # one cursor stays open for the whole pass
        conn.execute("SET idle_in_transaction_session_timeout = 0")
        position, identities = _examine(conn)
    identities += _built_anew(connect)
    identities.insert(0, stalled or Identity(name="projections_at_head", ok=True, detail=f"at position {position}"))
    identities.append(_replayed(connect, position, jobs))
    return CheckResult(ok=all(i["ok"] for i in identities), position=position, identities=identities)


def _examine(conn: psycopg.Connection[Any]) -> tuple[int, list[Identity]]:
    for _ in range(SNAPSHOTS):
        with conn.transaction():
            conn.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
            positions = _positions(conn)
            if len(set(positions.values())) == 1:
                return _pass(conn, next(iter(positions.values())), Violations("projections_together"))
        time.sleep(LOOK_S)  # a projection that catches up joins the others in a moment
    with conn.transaction():
        conn.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
        apart = Violations("projections_together")
        apart.add(f"the projections stand at different positions: {_positions(conn)}")
        return _pass(conn, min(_positions(conn).values()), apart)


def _positions(conn: psycopg.Connection[Any]) -> dict[str, int]:
    found = {(n, v): at for n, v, at in conn.execute("SELECT name, version, at FROM views.positions").fetchall()}
    return {p.name: found.get((p.name, p.version), 0) for p in all_projections()}


def _pass(conn: psycopg.Connection[Any], upto: int, apart: Violations) -> tuple[int, list[Identity]]:
    look = Look(conn)
    examiners: list[Examiner] = [
        RoundExaminer(),
        SessionExaminer(),
        PostingsExaminer(),
        JackpotExaminer(),
        KeyExaminer(conn, upto),
        PlainExaminer(upto),
    ]
    unreadable = Violations("log_readable")
    events = 0
    for position, stream, version, topic, state in _log(conn, upto):
        events += 1
        try:
            meta, event = decode(topic, state)
        except UnreadableEventError as error:
            unreadable.add(f"position {position}: {error}")
            continue
        seen = Seen(position, stream, version, meta, event)
        for examiner in examiners:
            examiner.take(seen, look)
    verdicts = [verdict for examiner in examiners for verdict in examiner.verdicts(look)]
    return upto, [unreadable.verdict(f"{events} events"), apart.verdict("all at one position"), *verdicts]


def _log(conn: psycopg.Connection[Any], upto: int) -> Iterator[RawRow]:
    with conn.cursor("check_log", binary=True, row_factory=tuple_row) as cursor:
        cursor.itersize = PAGE
        cursor.execute(
            "SELECT notification_id, originator_id, originator_version, topic, state FROM public.pitclerk_events"
            " WHERE notification_id <= %s ORDER BY notification_id",
            (upto,),
        )
        yield from cast("Iterator[RawRow]", cursor)


def _built_anew(connect: str | Connect) -> list[Identity]:
    """The views that have no plain fold of their own here are built again from the log and compared row by row."""
    plain = {fold.view for fold in FOLDS}
    rest = [p for p in all_projections() if p.name not in plain]
    found = {p.name: Violations(f"projection_{p.name}") for p in rest}
    positions: dict[str, int] = {}
    try:
        for compared in compare_anew(connect, rest):
            positions[compared.projection] = compared.position
            if not compared.compared:
                found[compared.projection].add("stands elsewhere than the others")
            for table in compared.differences:
                lacks, extra = table["missing"], table["extra"]
                found[compared.projection].add(f"{table['table']} lacks {lacks} rows and holds {extra} others")
        _say_what_is_gone(connect, found[Seal.name])
    except (RebuildBusyError, BuildStoppedError) as error:
        for violations in found.values():
            violations.add(f"not compared: {error}")
    return [v.verdict(f"equals itself built anew to position {positions.get(name)}") for name, v in found.items()]


def _say_what_is_gone(connect: str | Connect, seal: Violations) -> None:
    """Where the tree is another one: whether it holds events that were folded and are no more, and from where on."""
    if not seal.count:
        return
    opener = connector(connect) if isinstance(connect, str) else connect
    with opener() as conn, conn.transaction():
        conn.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
        first, events = gone_leaves(conn)
    if first is not None:
        seal.add(f"position {first} is a leaf of the tree and no event of the log any more: {events} are gone")


def _replayed(connect: str | Connect, position: int, jobs: int) -> Identity:
    result = replay(connect, stop=position, jobs=jobs)
    differences = Violations("replay")
    for difference in result["differences"]:
        differences.add(_told(difference))
    return differences.verdict(f"{result['rounds']} rounds, {result['events']} events played again")


def _told(difference: Difference) -> str:
    return (
        f"position {difference['position']}, round {difference['round']}:"
        f" expected {difference['expected']}, recorded {difference['recorded']}"
    )
