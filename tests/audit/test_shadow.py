"""The shadow payer: agrees with a true night, names what was changed, and stops a faulty engine before it pays."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

import msgspec
import psycopg
import pytest

from api.second_opinion import second_opinion
from domain.acts import rounds
from domain.application import Application
from domain.commands import LiveAction, LiveCards, LiveDealer, OpenLiveRound, VoidRound
from domain.engine.boxes import outcome
from domain.events.jackpot import JackpotHit, JackpotPaid
from domain.events.outcome import PayoutMade, RoundClosed, RoundVoided, StakeTaken
from domain.refusals import Refusal
from projections.replay import replay
from tests.application.scenes import DEALER, ROYAL, SHEET, THREE, begin, do, play
from tests.databases import Database, Databases
from tests.given.scenes import record
from tests.projections.real import Rows, address, copy, first, play_night

PAIR = "As Ad Qh 7c 2d"


@pytest.fixture(scope="module")
def played(databases: Databases) -> Iterator[tuple[Database, Rows]]:
    with databases.fresh() as database:
        yield database, play_night(database, RoundVoided, JackpotHit, JackpotPaid)


@pytest.fixture
def app(pg: Database) -> Iterator[Application]:
    with Application(pg.url, site="test", second_opinion=second_opinion) as application:
        begin(application)
        yield application


@pytest.fixture
def faulty(monkeypatch: pytest.MonkeyPatch) -> None:
    """An engine that pays one minor unit too much on every winning stake."""
    true = outcome._paid_line

    def one_more(kind: str, stake: int, why: Any, pay: Any) -> Any:
        line = true(kind, stake, why, pay)
        return line if not line.paid else line._replace(due=line.due + 1, paid=line.paid + 1)

    monkeypatch.setattr(outcome, "_paid_line", one_more)


def test_it_agrees_with_a_true_night(played: tuple[Database, Rows]) -> None:
    database, rows = played
    result = replay(database.url, shadow=True)
    assert result["differences"] == []
    second = result["shadow"]
    closed = sum(row.topic == RoundClosed.TOPIC for row in rows)
    assert (second["judged"], second["reasons"]) == (closed, {}), "stopped rounds and shared meters as well"


def test_a_changed_payment_is_named_by_position_and_clause(pg: Database, played: tuple[Database, Rows]) -> None:
    night = list(played[1])
    at = first(night, PayoutMade, lambda e: e.box is not None)
    event = night[at].event
    assert isinstance(event, PayoutMade)
    night[at] = night[at].with_event(msgspec.structs.replace(event, paid=event.paid + 5, due=event.due + 5))
    with psycopg.connect(pg.url) as conn:
        copy(night, conn)
        conn.commit()
        result = replay(address(conn), shadow=True)
    told = [d for d in result["differences"] if (d["expected"] or {}).get("type") == "shadow"]
    assert told
    assert told[0]["position"] == at + 1
    assert told[0]["expected"] is not None
    assert told[0]["expected"]["clause"] == event.clause
    assert told[0]["expected"]["recorded"] - told[0]["expected"]["amount"] == 5


ROYALS = (ROYAL, "Ad Kd Qd Jd Td")


def test_winners_who_share_a_meter_are_paid_what_the_log_agreed_on(pg: Database) -> None:
    """The progressive's own stream says who shares and what the seed is; a hit that says otherwise is named."""
    boxes = [
        {"box": n, "ante": 100, "jackpot": 50, "cards": cards, "play": [{"do": "bet"}]}
        for n, cards in enumerate(ROYALS, 1)
    ]
    with Application(pg.url, site="test") as application:
        begin(application, same_deal="shared")
        both = record(ruleset=SHEET, boxes=boxes, dealer={"cards": "2h 4c 8c Jh 3h"})
        do(application, partial(rounds.play_record, table="C1", record=both))
    result = replay(pg.url, shadow=True)
    assert (result["differences"], result["shadow"]["reasons"]) == ([], {})
    with psycopg.connect(pg.superuser_url, autocommit=True) as conn:
        conn.execute("ALTER TABLE pitclerk_events DISABLE TRIGGER ALL")
        changed = conn.execute(
            "UPDATE pitclerk_events SET state = convert_to(replace(convert_from(state, 'UTF8'),"
            " '\"reset_from_house_u\":1000000000000', '\"reset_from_house_u\":0'), 'UTF8')"
            " WHERE topic = 'table.jackpot_hit' AND convert_from(state, 'UTF8') LIKE '%%\"winner\":2%%'"
            " RETURNING notification_id"
        ).fetchall()
        conn.execute(
            "UPDATE pitclerk_events SET state = regexp_replace(convert_from(state, 'UTF8'),"
            " '\"meter_after_u\":\\d+', '\"meter_after_u\":0')::bytea WHERE notification_id = ANY(%s)",
            ([at for (at,) in changed],),
        )
    ((position,),) = changed
    told = [d for d in replay(pg.url, shadow=True)["differences"] if (d["expected"] or {}).get("type") == "shadow"]
    assert [(d["position"], (d["expected"] or {})["effect"]) for d in told] == [(position, "meter_after_u")]
    assert told[0]["expected"] is not None
    assert told[0]["expected"]["amount"] >= 1_000_000 * 1_000_000, "the seed that was agreed on"


def test_without_being_asked_it_says_nothing(played: tuple[Database, Rows]) -> None:
    assert "shadow" not in replay(played[0].url)


def test_a_true_round_is_paid(app: Application) -> None:
    assert play(app, "C1", THREE)["settlement"]
    assert play(app, "C1", ROYAL)["settlement"], "a jackpot hit, decided under the commit lock"


@pytest.mark.usefixtures("faulty")
def test_a_faulty_engine_pays_nobody(app: Application, pg: Database, lines: list[Any]) -> None:
    with psycopg.connect(pg.url) as conn:
        before = _events(conn)
        with pytest.raises(Refusal, match=r"shadow_disagrees.*paid"):
            play(app, "C1", THREE)
        assert _events(conn) == before, "nothing was recorded"
    assert [line["event"] for line in lines] == ["shadow_disagrees"]


@pytest.mark.usefixtures("faulty")
def test_a_live_round_is_stopped_at_its_last_step_and_can_be_voided(app: Application, lines: list[Any]) -> None:
    seat = {"boxes": [{"box": 1, "ante": 100}], "shoe": "external"}
    do(app, lambda w: rounds.open_round(w, "C1", msgspec.convert(seat, OpenLiveRound)))
    steps: list[Any] = [
        partial(rounds.deal, table="C1", command=LiveCards(box=1, cards=THREE)),
        partial(rounds.deal, table="C1", command=LiveCards(upcard="3h")),
        partial(rounds.act, table="C1", command=LiveAction(box=1, do="bet")),
    ]
    for step in steps:
        do(app, step)
    with pytest.raises(Refusal, match="shadow_disagrees"):
        do(app, partial(rounds.dealer, table="C1", command=LiveDealer(cards=DEALER)))
    done = do(app, partial(rounds.void_round, table="C1", command=VoidRound(reason="the program is wrong")))
    assert done["settlement"]
    assert [line["event"] for line in lines] == ["shadow_disagrees"], "of the void round it says nothing: it agrees"


def test_the_setting_brings_the_guard_to_a_house(pg: Database, faulty: None) -> None:
    from tests.api.live import RECORD, serving

    with serving(pg, shadow=True) as live:
        live.open_table("S1")
        answer = live.post("/v1/tables/S1/rounds", RECORD)
        assert (answer.status_code, answer.json()["code"]) == (409, "shadow_disagrees")


def test_a_stake_missing_from_the_log_is_held_against_the_close(played: tuple[Database, Rows], pg: Database) -> None:
    night = list(played[1])
    at = first(night, StakeTaken, lambda e: e.box is not None)
    event = night[at].event
    assert isinstance(event, StakeTaken)
    night[at] = night[at].with_event(msgspec.structs.replace(event, kind="bonus" if event.kind != "bonus" else "ante"))
    with psycopg.connect(pg.url) as conn:
        copy(night, conn)
        conn.commit()
        result = replay(address(conn), shadow=True)
    told = [d["expected"] for d in result["differences"] if (d["expected"] or {}).get("type") == "shadow"]
    assert {one["kind"] for one in told if one is not None} >= {event.kind}


def _events(conn: psycopg.Connection[Any]) -> int:
    row = conn.execute("SELECT count(*) FROM pitclerk_events").fetchone()
    conn.rollback()
    assert row is not None
    return int(row[0])
