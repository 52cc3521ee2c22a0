"""Replay: a true log has no differences; whatever is changed in it is told with its position and clause."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator
from typing import Any

import msgspec
import psycopg
import pytest

from domain.events.base import Event
from domain.events.chips import BuyIn, FillReceived
from domain.events.house import RulesetPublished
from domain.events.jackpot import JackpotContributed, JackpotHit, JackpotPaid
from domain.events.outcome import PayoutMade, RoundClosed, RoundVoided, StakeReturned, StakeTaken
from domain.events.play import AntePlaced, BetPlaced, CardsDealt, NumberCalled, RoundOpened, SwapFeePlaced
from domain.events.session import SessionClosed, SessionOpened
from projections.connect import connector
from projections.live import ROUND_EVENTS, Rulesets, limits_of
from projections.replay import Difference, ReplayResult, replay
from projections.replay.rounds import Terms, judge_steps
from tests.databases import Database, Databases
from tests.projections.real import Rows, StoredRow, address, copy, first, play_night

Replace = Callable[[Any], Event]


@pytest.fixture(scope="module")
def played(databases: Databases) -> Iterator[tuple[Database, Rows]]:
    with databases.fresh() as database:
        yield database, play_night(database, RoundVoided, JackpotHit, JackpotPaid, SwapFeePlaced, FillReceived)


@pytest.fixture
def night(played: tuple[Database, Rows]) -> Rows:
    return list(played[1])


def _replace(**fields: Any) -> Replace:
    return lambda event: msgspec.structs.replace(event, **fields)


def _change(conn: psycopg.Connection, night: Rows, at: int, change: Replace) -> ReplayResult:
    """Replay the night with one event changed."""
    night[at] = night[at].with_event(change(night[at].event))
    copy(night, conn)
    return replay(address(conn))


def _at(result: ReplayResult, position: int) -> Difference:
    found = [d for d in result["differences"] if d["position"] == position]
    assert found, result["differences"]
    return found[0]


def test_a_true_log_has_no_differences(played: tuple[Database, Rows]) -> None:
    database, rows = played
    result = replay(database.url)
    assert result["differences"] == []
    assert result["rounds"] == sum(row.topic == RoundClosed.TOPIC for row in rows) >= 200
    of_sessions = sum(row.stream.count("/") == 3 and row.stream.startswith("table/") for row in rows)
    assert result["events"] >= of_sessions


def test_two_processes_find_the_same(played: tuple[Database, Rows]) -> None:
    database, _ = played
    told: list[int] = []
    one, two = replay(database.url), replay(database.url, jobs=2, progress=told.append)
    assert (one["rounds"], one["events"], one["differences"]) == (two["rounds"], two["events"], two["differences"])
    assert told == sorted(told)
    assert told


def test_any_number_of_processes_tells_the_same_of_a_tampered_log(conn: psycopg.Connection, night: Rows) -> None:
    """Changed amounts on every table, a missing close, a wrong award and an event that cannot be read."""
    for at, row in enumerate(night):
        if at % 40 == 0 and isinstance(event := row.event, StakeTaken | PayoutMade | AntePlaced):
            field = "paid" if isinstance(event, PayoutMade) else "amount"
            night[at] = row.with_event(msgspec.structs.replace(event, **{field: getattr(event, field) + 1}))
    hit = first(night, JackpotHit)
    night[hit] = night[hit].with_event(msgspec.structs.replace(night[hit].event, award=1))
    night[-5] = night[-5]._replace(state=b"{}")
    del night[first(night, RoundClosed)]
    copy(night, conn)
    one, *more = (replay(address(conn), jobs=jobs, shadow=True) for jobs in (1, 2, 3))
    assert len(one["differences"]) > 20
    assert len({night[d["position"] - 1].stream for d in one["differences"]}) >= 3
    for other in more:
        assert {**other, "seconds": 0} == {**one, "seconds": 0}


@pytest.mark.parametrize(
    ("kind", "change"),
    [
        (StakeTaken, lambda e: {"amount": e.amount + 1}),
        (StakeTaken, lambda _: {"clause": "X.other"}),
        (StakeTaken, lambda _: {"reason": "because"}),
        (StakeReturned, lambda e: {"amount": e.amount - 1}),
        (PayoutMade, lambda e: {"paid": e.paid + 100, "due": e.due + 100}),
        (PayoutMade, lambda _: {"odds": "1000:1"}),
        (PayoutMade, lambda _: {"paid_by": "cage"}),
        (RoundClosed, lambda e: {"house_net": e.house_net + 1}),
        (RoundClosed, lambda e: {"void": not e.void}),
        (RoundVoided, lambda _: {"reason": "no reason"}),
        (JackpotContributed, lambda e: {"stake": e.stake + 1}),
        (JackpotContributed, lambda e: {"config_version": e.config_version + 1}),
        (JackpotContributed, lambda _: {"shares": ()}),
        (JackpotHit, lambda e: {"award": e.award + 1}),
        (JackpotHit, lambda _: {"hand": "pair"}),
        (JackpotPaid, lambda e: {"amount": e.amount + 1}),
        (JackpotPaid, lambda _: {"paid_by": "cage"}),
        (SessionClosed, lambda e: {"expected": e.expected + 1}),
        (SessionClosed, lambda e: {"over_short": e.over_short + 1}),
        (SessionClosed, lambda e: {"closer_total": e.closer_total + 1}),
        (SessionOpened, lambda e: {"opener_total": e.opener_total + 1}),
        (FillReceived, lambda e: {"amount": e.amount + 1}),
        (RulesetPublished, lambda e: {"text": e.text + "\n"}),
    ],
)
def test_a_changed_output_is_found_where_it_lies(
    conn: psycopg.Connection, night: Rows, kind: type[Event], change: Callable[[Any], dict[str, Any]]
) -> None:
    at = first(night, kind)
    result = _change(conn, night, at, lambda event: msgspec.structs.replace(event, **change(event)))
    difference = _at(result, at + 1)
    assert difference["expected"] != difference["recorded"]
    if kind in (StakeTaken, PayoutMade):
        assert difference["expected"] is not None
        assert "clause" in difference["expected"]
        assert difference["round"]


@pytest.mark.parametrize(
    ("kind", "change"),
    [
        (AntePlaced, lambda e: {"amount": e.amount + 1}),
        (BetPlaced, lambda e: {"amount": e.amount + 1}),
        (CardsDealt, lambda e: {"cards": e.cards.replace(e.cards[:2], e.cards[3:5])}),
        (SwapFeePlaced, lambda e: {"amount": 0}),
        (NumberCalled, lambda e: {"number": (e.number + 1) % 37}),
        (RoundOpened, lambda e: {"number": e.number + 5}),
        (BuyIn, lambda e: {"amount": e.amount + 1}),
    ],
)
def test_a_changed_input_is_refused_or_leads_elsewhere(
    conn: psycopg.Connection, night: Rows, kind: type[Event], change: Callable[[Any], dict[str, Any]]
) -> None:
    at = first(night, kind)
    assert _change(conn, night, at, lambda event: msgspec.structs.replace(event, **change(event)))["differences"]


def test_a_payout_that_nothing_explains_is_found(conn: psycopg.Connection, night: Rows) -> None:
    """One put in between two rounds of a table."""
    closed = first(night, RoundClosed)
    stray = night[first(night, PayoutMade)]
    stream, version = night[closed].stream, night[closed].version
    rest = [r._replace(version=r.version + 1) if r.stream == stream and r.version > version else r for r in night]
    rest.insert(closed + 1, stray._replace(stream=stream, version=version + 1))
    copy(rest, conn)
    difference = _at(replay(address(conn)), closed + 2)
    assert difference["expected"] is None
    assert difference["recorded"] is not None
    assert difference["recorded"]["type"] == "table.payout_made"


def test_a_missing_output_is_found(conn: psycopg.Connection, night: Rows) -> None:
    at = first(night, PayoutMade)
    gone = night.pop(at)
    night = [
        r._replace(version=r.version - 1) if r.stream == gone.stream and r.version > gone.version else r for r in night
    ]
    copy(night, conn)
    result = replay(address(conn))
    assert {d["round"] for d in result["differences"]} >= {gone.event.round}  # type: ignore[attr-defined]


def test_a_live_round_is_judged_step_by_step(conn: psycopg.Connection, night: Rows) -> None:
    """An input out of turn is refused at its own position, not only somewhere in the round."""
    live = first(night, RoundOpened, lambda e: e.source == "live")
    round_id = night[live].event.round  # type: ignore[attr-defined]
    at = first(night, StakeTaken, lambda e: e.round == round_id)
    result = _change(conn, night, at, _replace(amount=1))
    assert _at(result, at + 1)["round"] == round_id


def test_steps_and_records_judge_alike(night: Rows) -> None:
    """Every live round of the night, asked command by command."""
    rulesets, sessions, live = Rulesets(), {}, defaultdict(list)
    for row in night:
        event = row.event
        if isinstance(event, RulesetPublished):
            rulesets.learn(event)
        elif isinstance(event, SessionOpened):
            sessions[row.stream] = event
        elif type(event) in ROUND_EVENTS:
            live[row.stream, event.round].append(event)  # type: ignore[attr-defined]
    judged = 0
    for (stream, _), events in live.items():
        opened = events[0]
        if isinstance(opened, RoundOpened) and opened.source == "live":
            session = sessions[stream]
            ruleset = rulesets.get(session.ruleset_digest)
            assert ruleset is not None
            terms = Terms(ruleset, limits_of(session, None), session.progressive)
            assert judge_steps(terms, range(len(events)), events) == []
            judged += 1
    assert judged


def test_bounds_and_filters_bound_what_is_told(conn: psycopg.Connection, night: Rows) -> None:
    at = first(night, StakeTaken)
    stream = night[at].stream
    _, table, day, _ = stream.split("/")
    result = _change(conn, night, at, _replace(reason="because"))
    url = address(conn)
    assert [d["position"] for d in result["differences"]] == [at + 1]
    assert replay(url, table=table)["differences"] == result["differences"]
    assert replay(url, day=day)["differences"] == result["differences"]
    assert replay(url, table="nowhere")["rounds"] == 0
    assert replay(url, day="1999-01-01")["rounds"] == 0
    assert replay(url, start=at + 2)["differences"] == []
    assert replay(url, stop=at - 40)["differences"] == []
    later = replay(url, start=len(night) // 2)
    assert 0 < later["rounds"] < result["rounds"]


def test_a_round_on_the_felt_is_no_difference(conn: psycopg.Connection, night: Rows) -> None:
    """The log may end in the middle of any round."""
    opened = first(night, RoundOpened, lambda e: e.source == "live")
    copy(night[: opened + 5], conn)
    assert replay(address(conn))["differences"] == []


def test_an_unpublished_ruleset_is_a_difference(conn: psycopg.Connection, night: Rows) -> None:
    night = [row for row in night if row.topic != RulesetPublished.TOPIC]
    night = [StoredRow(*row) for row in night]
    copy(night, conn)
    result = replay(address(conn))
    assert result["differences"]
    assert all("no ruleset of digest" in str(d["expected"]) for d in result["differences"])


def test_replay_takes_a_way_to_connect(played: tuple[Database, Rows]) -> None:
    database, _ = played
    assert replay(connector(database.url))["differences"] == []
