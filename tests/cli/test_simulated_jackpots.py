"""A pending hit at a simulated table is verified by two people and paid by a third."""

from __future__ import annotations

from functools import partial

import msgspec

from api.cli.publish import publish_shipped
from api.simulator.house import SUPERVISOR, Ask, House, dealer_of
from api.simulator.progressives import ensure, payments
from api.simulator.run import published
from api.simulator.terms import chips_worth, terms_of
from domain.acts import rounds, tables
from domain.application import Application
from domain.commands import OpenTable
from domain.engine.record import Record
from domain.events.jackpot import JackpotHit
from domain.events.progressive import HitPaid, HitStepTaken
from domain.events.slips import HandPaySlipIssued
from projections.replay import replay
from tests.databases import Database

ROYAL = {
    "ruleset": "caribbean-ee-ak",
    "boxes": [{"box": 1, "ante": 250, "jackpot": 50, "cards": "As Ks Qs Js Ts", "play": [{"do": "bet"}]}],
    "dealer": {"cards": "Ah Kc 8c 7s 3h"},
}


def opened(application: Application, *names: str) -> House:
    """A house with tables linked to the simulated progressive."""
    publish_shipped(application, actor="test")
    house = House(application)
    progressive = ensure(house, "EUR", 1)
    assert ensure(house, "EUR", 1) == progressive, "a second run finds it running"
    (sheet,) = published(application, ["caribbean-ee-ak"])
    terms = terms_of(sheet, 1)
    opening = OpenTable(
        ruleset=sheet.id,
        currency="EUR",
        chip=terms.chip,
        min=terms.min,
        max=terms.max,
        progressive=progressive,
        opener=chips_worth(terms.par, terms.chip),
    )
    for name in names:
        house.ask(SUPERVISOR, partial(tables.open_table, table=name, command=opening))
    return house


def royal(table: str) -> Ask:
    record = msgspec.convert(ROYAL, Record)
    return Ask(dealer_of(table), partial(rounds.play_record, table=table, record=record))


def test_royal_flushes_in_one_save_each_have_the_meter_that_those_before_have_left(pg: Database) -> None:
    with Application(pg.url, site="test") as application:
        house = opened(application, "t", "u", "v")
        done = house.together([royal("t"), royal("u"), royal("v")])
    hits = [event for one in done for event in one.events if isinstance(event, JackpotHit)]
    assert [hit.award for hit in hits] == [1_000_035] * 3, "the seed, and the round's own share each"
    assert [hit.meter_before_u for hit in hits[1:]] == [hit.meter_after_u + 35_000_000 for hit in hits[:-1]]
    assert replay(pg.url)["differences"] == []


def test_a_royal_flush_is_verified_and_paid(pg: Database) -> None:
    with Application(pg.url, site="test") as application:
        house = opened(application, "t")
        won = house.ask(*royal("t")[:2])
        paid = [house.ask(ask.who, ask.act) for ask in payments(won.events)]
    kinds = [type(event) for done in paid for event in done.events]
    assert kinds == [HitStepTaken, HitStepTaken, HitPaid, HandPaySlipIssued]
    assert paid[-1].body["amount"] == 1_000_035, "the seed and this round's own share, rounded down"
