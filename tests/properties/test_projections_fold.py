"""Any log folded in batches of any size gives the rows of a plain fold of single events; and sums keep their tray."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Callable
from typing import Any

import psycopg
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from domain.codec import decode
from domain.events.base import Event
from domain.events.chips import BuyIn, CreditSent, FillReceived, TipDropped
from domain.events.correction import AmountCorrected, HandReannounced, RoundCorrected, RulingMade
from domain.events.house import RulesetPublished
from domain.events.jackpot import JackpotPaid
from domain.events.outcome import PayoutMade, StakeReturned, StakeTaken
from domain.postings import legs, tray_change
from domain.ruleset import shipped
from projections.advance import Advancer
from projections.catalog import all_projections
from projections.check.examiner import Look, Seen
from projections.check.plain import PlainExaminer
from projections.flows import FLOW_TOPICS, flows
from projections.log_reader import Batch
from tests.databases import Database
from tests.projections.logs import Log, Pool, Table
from tests.projections.rows import everything

RULESET = "caribbean-ee-ak"
TEXT = shipped(RULESET).text
DIGEST = hashlib.sha256(TEXT.encode()).hexdigest()

amounts = st.integers(min_value=0, max_value=10**9)
kinds = st.sampled_from(("ante", "bet", "jackpot"))
payers = st.sampled_from(("tray", "cage"))

moving: st.SearchStrategy[Event] = st.one_of(
    st.builds(BuyIn, player=st.just("P"), amount=amounts, tender=st.just("cash")),
    st.builds(TipDropped, amount=amounts),
    st.builds(FillReceived, slip=st.just("s"), chips=st.just(()), amount=amounts),
    st.builds(CreditSent, slip=st.just("s"), chips=st.just(()), amount=amounts),
    st.builds(
        StakeTaken, round=st.just("r"), kind=kinds, amount=amounts, clause=st.just("X.a"), reason=st.just("lost")
    ),
    st.builds(
        StakeReturned, round=st.just("r"), kind=kinds, amount=amounts, clause=st.just("X.a"), reason=st.just("won")
    ),
    st.builds(
        PayoutMade,
        round=st.just("r"),
        kind=kinds,
        due=amounts,
        paid=amounts,
        clause=st.just("X.a"),
        odds=st.just("1:1"),
        paid_by=payers,
    ),
    st.builds(
        JackpotPaid,
        round=st.just("r"),
        box=st.just(1),
        progressive=st.just("p"),
        level=st.just(1),
        hit=st.just("h"),
        amount=amounts,
        paid_by=payers,
    ),
    st.builds(
        AmountCorrected,
        round=st.just("r"),
        box=st.just(1),
        kind=kinds,
        effect=st.sampled_from(("staked", "taken", "returned", "paid")),
        was=amounts,
        now=amounts,
        corrects=st.just(()),
        reason=st.just("miscounted"),
        approval=st.just("a"),
    ),
    st.builds(
        RulingMade,
        approval=st.just("a"),
        ruling=st.just("so be it"),
        reason=st.just("right"),
        payments=st.just(()),
        paid=amounts,
    ),
)


@given(st.lists(moving, max_size=40), st.integers(min_value=0, max_value=300))
def test_the_tray_of_sums_is_the_sum_of_trays(events: list[Event], minutes: int) -> None:
    """The legs are linear in the amounts, which is what lets the folds ask the postings once a sum."""
    log = Log()
    table = Table(log)
    opened = table.tray
    for event in events:
        log.wait(minutes=minutes)
        table.add(event)
    raw = [(at, stream, version, topic, state) for at, (stream, version, topic, state, _) in enumerate(log.rows, 1)]
    found = flows(Batch(0, raw, FLOW_TOPICS))
    assert sum(flow.tray() for flow in found) == opened + sum(map(tray_change, events))
    assert all(sum(amount for _, amount in legs(event)) == 0 for event in events)


acts = st.lists(
    st.tuples(
        st.integers(min_value=0, max_value=2),
        st.sampled_from(
            (
                "round",
                "jackpot round",
                "live round",
                "finish live",
                "void round",
                "buy-in",
                "chips",
                "limits",
                "pay",
                "correct",
                "rule",
                "close",
            )
        ),
        st.integers(min_value=0, max_value=90),
    ),
    min_size=1,
    max_size=40,
)


class Floor:
    """Tables on which a script is acted out; each act does what it can where things stand."""

    def __init__(self, seed: int) -> None:
        self.dice = random.Random(seed)
        self.log = Log()
        self.log.add(
            "house",
            RulesetPublished(ruleset=RULESET, ruleset_version=1, digest=DIGEST, text=TEXT),
            gaming_day=None,
        )
        self.pool = Pool(self.log)
        self.tables = [self._open(f"T{n}", 1) for n in range(3)]
        self.live: dict[int, list[Event]] = {}

    def _open(self, name: str, number: int) -> Table:
        return Table(self.log, name, number=number, ruleset=RULESET, ruleset_digest=DIGEST)

    def act(self, at: int, what: str, minutes: int) -> None:
        self.log.wait(minutes=minutes)
        table = self.tables[at]
        if at in self.live and what in ("round", "jackpot round", "void round", "live round", "limits", "close"):
            return  # a round is on the felt
        acts: dict[str, Callable[[], object]] = {
            "round": lambda: table.round(self.dice, self.dice.randint(1, 3)),
            "jackpot round": lambda: table.round(self.dice, self.dice.randint(1, 3), self.pool),
            "live round": lambda: self._begin_live(at),
            "finish live": lambda: table.add(*self.live.pop(at, [])),
            "void round": table.void_round,
            "buy-in": lambda: table.buy_in(self.dice.randint(1, 9) * 1_000, f"P{self.dice.randint(1, 5)}"),
            "chips": lambda: self._chips(table),
            "limits": lambda: table.limits(1_000, 5_000),
            "pay": self.pool.pay,
            "close": lambda: self._close(at),
            "correct": lambda: self._correct(table),
            "rule": lambda: self._rule(table),
        }
        acts[what]()

    def _chips(self, table: Table) -> None:
        table.fill(5_000)
        table.credit(1_000)
        table.add(TipDropped(amount=50))

    def _close(self, at: int) -> None:
        table = self.tables[at]
        table.close(self.dice.randint(-200, 200))
        self.tables[at] = self._open(table.name, table.number + 1)

    def _begin_live(self, at: int) -> None:
        """Some of a live round; what is left of it follows when it is finished, if it ever is."""
        table = self.tables[at]
        inputs = table.inputs(2, source="live", jackpot=False)
        cut = self.dice.randint(1, len(inputs))
        table.add(*inputs[:cut])
        self.live[at] = [*inputs[cut:], *table.outcome(self.dice, 2, jackpot=[])]

    def _rule(self, table: Table) -> None:
        about = f"{table.name}-{table.day}-{table.number}-1"
        ruled = RulingMade(approval="a", ruling="so be it", reason="right", payments=(), paid=300, round=about)
        table.add(ruled, HandReannounced(round=about, was="pair", now="two pairs", reason="misread"))

    def _correct(self, table: Table) -> None:
        """The first round of the session, if it has one."""
        if not table.rounds:
            return
        about = f"{table.name}-{table.day}-{table.number}-1"
        more = self.dice.randint(-400, 400)
        change = {"box": 1, "kind": "bet", "effect": "paid", "was": 1_000, "now": 1_000 + more, "corrects": ()}
        table.add(
            RoundCorrected(approval="a", round=about, reason="mispaid", house_net=-more),
            AmountCorrected(round=about, reason="mispaid", approval="a", **change),  # type: ignore[arg-type]
        )


@settings(
    max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
)
@given(script=acts, seed=st.integers(0, 2**16), size=st.integers(1, 60))
def test_any_log_in_any_batches_is_its_plain_fold(
    folding: psycopg.Connection[Any], script: list[tuple[int, str, int]], seed: int, size: int
) -> None:
    conn = folding
    _empty(conn)
    floor = Floor(seed)
    for step in script:
        floor.act(*step)
    floor.log.write(conn)
    _fold(conn, size)
    _equals_plain(conn)
    in_small = everything(conn)
    conn.execute("TRUNCATE views.positions")
    for name in _tables():
        conn.execute(f"TRUNCATE views.{name}")  # type: ignore[arg-type]
    _fold(conn, 10_000)
    assert everything(conn) == in_small


@pytest.fixture
def folding(pg: Database) -> Any:
    """As superuser, who may empty the log between examples."""
    with psycopg.connect(pg.superuser_url, autocommit=True, options="-c timezone=UTC") as conn:
        conn.execute("ALTER TABLE public.pitclerk_events DISABLE TRIGGER ALL")
        yield conn


def _tables() -> set[str]:
    return {name for p in all_projections() for name in p.tables}


def _empty(conn: psycopg.Connection[Any]) -> None:
    conn.execute("TRUNCATE public.pitclerk_events, views.positions")
    for name in _tables():
        conn.execute(f"TRUNCATE views.{name}")  # type: ignore[arg-type]


def _fold(conn: psycopg.Connection[Any], size: int) -> None:
    """In batches of so many events, with fresh projections every third batch as after a restart."""
    advancer, batches = Advancer(conn, all_projections()), 0
    advancer.open()
    while True:
        for member in advancer.members:
            member.limit = size
        if not advancer.step():
            break
        batches += 1
        if batches % 3 == 0:
            advancer = Advancer(conn, all_projections())
            advancer.open()
    assert [m.error for m in advancer.members if m.error] == []


def _equals_plain(conn: psycopg.Connection[Any]) -> None:
    look = Look(conn)
    plain = PlainExaminer(0)
    for position, stream, version, topic, state in conn.execute(_LOG).fetchall():
        plain.take(Seen(position, stream, version, *decode(topic, state)), look)
    assert [verdict for verdict in plain.verdicts(look) if not verdict["ok"]] == []


_LOG = (
    "SELECT notification_id, originator_id, originator_version, topic, state FROM public.pitclerk_events"
    " ORDER BY notification_id"
)
