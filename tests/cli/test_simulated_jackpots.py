"""A pending hit at a simulated table is verified by two people and paid by a third."""

from __future__ import annotations

from functools import partial

import msgspec

from api.cli.publish import publish_shipped
from api.simulator.house import House, dealer_of
from api.simulator.progressives import ensure, payments
from api.simulator.run import published
from api.simulator.terms import chips_worth, terms_of
from domain.acts import rounds, tables
from domain.application import Application
from domain.commands import OpenTable
from domain.engine.record import Record
from domain.events.progressive import HitPaid, HitStepTaken
from tests.databases import Database

ROYAL = {
    "ruleset": "caribbean-ee-ak",
    "boxes": [{"box": 1, "ante": 250, "jackpot": 50, "cards": "As Ks Qs Js Ts", "play": [{"do": "bet"}]}],
    "dealer": {"cards": "Ah Kc 8c 7s 3h"},
}


def test_a_royal_flush_is_verified_and_paid(pg: Database) -> None:
    with Application(pg.url, site="test") as application:
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
        dealer = dealer_of("t")
        house.ask(dealer, partial(tables.open_table, table="t", command=opening))
        record = msgspec.convert(ROYAL, Record)
        won = house.ask(dealer, partial(rounds.play_record, table="t", record=record))
        paid = [house.ask(ask.who, ask.act) for ask in payments(won.events)]
    kinds = [type(event) for done in paid for event in done.events]
    assert kinds == [HitStepTaken, HitStepTaken, HitPaid]
    assert paid[-1].body["amount"] == 1_000_035, "the seed and this round's own share, rounded down"
