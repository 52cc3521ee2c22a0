"""The one way in, on a real log: keys, conflicts, lost answers, and the award under the commit lock."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from threading import Barrier
from typing import Any

import psycopg
import pytest

from domain.acts import hits, tables
from domain.application import Application, IdempotencyKeyReused
from domain.codec import decode
from domain.commands import BuyChips, CloseTable, PayHit
from domain.events.base import Chips
from domain.events.jackpot import JackpotHit
from domain.progressive.folding import fold
from domain.progressive.meters import Meters
from domain.refusals import Refusal
from domain.store.errors import Unknown
from tests.application.scenes import ROYAL, THREE, begin, do, open_table, play
from tests.databases import Database

LOG = "SELECT notification_id, topic, state FROM pitclerk_events ORDER BY notification_id"


@pytest.fixture
def app(pg: Database) -> Iterator[Application]:
    with Application(pg.url, site="test") as application:
        begin(application)
        yield application


def rows(pg: Database) -> list[Any]:
    with psycopg.connect(pg.superuser_url) as conn:
        return conn.execute(LOG).fetchall()


def plain_fold(pg: Database) -> tuple[dict[str, Meters], list[JackpotHit]]:
    running: dict[str, Meters] = {}
    hits = []
    for _, topic, state in rows(pg):
        _, event = decode(topic, bytes(state))
        fold(running, event)
        if isinstance(event, JackpotHit):
            hits.append(event)
    return running, hits


def test_one_key_records_once_and_answers_the_same(pg: Database, app: Application) -> None:
    first = play(app, "C1", THREE, key="k1", digest=b"d")
    head = len(rows(pg))
    assert play(app, "C1", THREE, key="k1", digest=b"d") == first
    assert len(rows(pg)) == head


def test_a_key_is_not_good_for_another_request(app: Application) -> None:
    play(app, "C1", THREE, key="k1", digest=b"d")
    with pytest.raises(IdempotencyKeyReused):
        play(app, "C1", THREE, key="k1", digest=b"e")


def test_keys_of_two_credentials_do_not_meet(app: Application) -> None:
    one = play(app, "C1", THREE, "term1", key="k1", digest=b"d")
    two = play(app, "C1", THREE, "term2", key="k1", digest=b"d")
    assert one["round"] != two["round"]


def test_an_answered_request_is_answered_even_where_the_act_would_now_refuse(app: Application) -> None:
    closing = partial(tables.close_table, table="C1", command=CloseTable(closer=(Chips(100, 10_000),)))
    first = do(app, closing, key="close", digest=b"d")
    assert do(app, closing, key="close", digest=b"d") == first


def test_a_refusal_keeps_no_key_and_records_nothing(pg: Database, app: Application) -> None:
    head = len(rows(pg))
    much = partial(tables.buy_in, table="C1", command=BuyChips(player="A", amount=10**9))
    with pytest.raises(Refusal):
        do(app, much, key="k1", digest=b"d")
    assert len(rows(pg)) == head
    less = partial(tables.buy_in, table="C1", command=BuyChips(player="A", amount=1000))
    assert do(app, less, key="k1", digest=b"other")["position"] > 0


def test_a_process_that_lags_behind_does_not_refuse_what_is_right(pg: Database, app: Application) -> None:
    with Application(pg.url, site="test") as other:
        play(other, "C1", THREE)
        do(app, partial(tables.close_table, table="C1", command=CloseTable(closer=(Chips(100, 10_000),))))
        open_table(app, "C1")
        assert play(other, "C1", THREE)["round"] == "C1-2026-03-14-2-1"


def test_two_processes_on_one_table_lose_nothing(pg: Database, app: Application) -> None:
    with Application(pg.url, site="test") as other, ThreadPoolExecutor(2) as pool:
        done = list(pool.map(lambda n: play((app, other)[n % 2], "C1", THREE)["round"], range(40)))
    assert sorted(done, key=lambda name: int(name.rsplit("-", 1)[1])) == [f"C1-2026-03-14-1-{n}" for n in range(1, 41)]


def test_a_hit_takes_the_meter_as_it_stands_at_its_position(pg: Database, app: Application) -> None:
    for _ in range(3):
        play(app, "C1", "2c 4d 6h 8s Td")
    won = play(app, "C1", ROYAL)
    # seed 10,000.00 and four stakes of 0.50 at 70 %
    assert won["settlement"]["boxes"][0]["paid"]["jackpot"] == 1_000_000 + 4 * 35
    _, won_hits = plain_fold(pg)
    assert [(h.award, h.pending, h.reset_from_reserve_u) for h in won_hits] == [(1_000_140, True, 4 * 50 * 50_000)]


def test_hits_of_the_same_instant_are_ordered_by_the_lock(pg: Database, app: Application) -> None:
    for number in range(2, 9):
        open_table(app, f"C{number}")
    apps = [app, *(Application(pg.url, site="test") for _ in range(3))]
    start = Barrier(8)

    def hit(number: int) -> int:
        start.wait(timeout=20)
        paid = play(apps[number % 4], f"C{number}", ROYAL)["settlement"]["boxes"][0]["paid"]["jackpot"]
        assert isinstance(paid, int)
        return paid

    with ThreadPoolExecutor(8) as pool:
        awards = list(pool.map(hit, range(1, 9)))
    running, won_hits = plain_fold(pg)  # the fold itself demands each hit's meter_before
    assert sorted(awards) == sorted(h.award for h in won_hits)
    assert max(awards) == 1_000_035
    assert all(level.imbalance_u() == 0 for level in running["main"].levels.values())
    for extra in apps[1:]:
        extra.close()


def test_a_pending_hit_is_paid_once(pg: Database, app: Application) -> None:
    round_id = play(app, "C1", ROYAL)["round"]
    pay = partial(hits.pay, progressive_id="main", hit=f"{round_id}.1.1", command=PayHit())
    assert do(app, pay, "carl")["amount"] == 1_000_035
    with pytest.raises(Refusal) as refused:
        do(app, pay, "carl")
    assert refused.value.code == "already_paid"


def test_a_hit_paid_from_the_tray_moves_the_tray(app: Application) -> None:
    round_id = play(app, "C1", ROYAL)["round"]
    close = partial(tables.close_table, table="C1", command=CloseTable(closer=(Chips(100, 10_000),)))
    pay = PayHit(paid_by="tray")
    do(app, lambda w: hits.pay(w, "main", f"{round_id}.1.1", pay), "sue")
    # royal on the bet against ace-king: bet 200 at 200:1, ante 1:1; the stake of the jackpot is taken
    assert do(app, close)["expected"] == 1_000_000 - 200 * 200 - 100 + 50 - 1_000_035


def test_an_unknown_hit_is_refused(app: Application) -> None:
    for progressive, hit in (("main", "C1-2026-03-14-1-9.1.1"), ("none", "x.1.1")):
        with pytest.raises(Refusal) as refused:
            do(app, lambda w, p=progressive, h=hit: hits.pay(w, p, h, PayHit()), "carl")  # type: ignore[misc]
        assert refused.value.code == "unknown_hit"


@pytest.mark.parametrize("recorded", [True, False])
def test_a_lost_answer_is_never_a_false_failure(
    pg: Database, app: Application, monkeypatch: pytest.MonkeyPatch, recorded: bool
) -> None:
    save = app.recorder.save
    lost = []

    def lose_the_first(*args: Any) -> Any:
        if not lost:
            lost.append(True)
            if recorded:
                save(*args)
            raise Unknown("the connection was lost while committing")
        return save(*args)

    monkeypatch.setattr(app.recorder, "save", lose_the_first)
    answer = play(app, "C1", THREE, key="k1", digest=b"d")
    closed = [topic for _, topic, _ in rows(pg) if topic == "table.round_closed"]
    assert answer["round"] == "C1-2026-03-14-1-1"
    assert len(closed) == 1
