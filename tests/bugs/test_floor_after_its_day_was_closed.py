"""A gaming day that finance began and closed ended the demonstration: no table opened or rolled again."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import pytest

from api.cli.publish import publish_shipped
from api.demo.days import ensure_day
from api.simulator.floor import Floor, Wanted
from api.simulator.house import FINANCE, House
from api.simulator.run import published
from domain.acts import days
from domain.application import Application
from domain.commands import CloseDay, OpenDay

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.databases import Database


@pytest.fixture
def application(pg: Database) -> Iterator[Application]:
    with Application(pg.url, site="test") as application:
        publish_shipped(application, actor="test")
        yield application


def _floor(application: Application, name: str, rounds: int) -> Floor:
    sheets = published(application, ["roulette-ua"])
    return Floor(House(application), Wanted(rulesets=sheets, tables=1, rounds=rounds, name=name, seed=1, roll_every=2))


def _begin(house: House, day: str) -> None:
    house.ask(FINANCE, partial(days.open_day, command=OpenDay(day=day)))


def _close(house: House, day: str) -> None:
    house.ask(FINANCE, lambda work: days.close_day(work, day, CloseDay()))


def test_tables_open_again_after_the_newest_day_was_closed(application: Application) -> None:
    house = House(application)
    ensure_day(house)  # a house without days stays without
    _begin(house, "2199-03-14")
    ensure_day(house)
    _close(house, "2199-03-14")
    ensure_day(house)
    floor = _floor(application, "a", 5)
    floor.play()
    assert floor.rounds == 5
    assert floor.tables[0]._day == "2199-03-17", "rolled twice from the day that was begun for it"


def test_tables_roll_past_a_day_that_was_begun_and_closed_meanwhile(application: Application) -> None:
    house = House(application)
    floor = _floor(application, "b", 3)
    moments = []

    def meanwhile(due: float) -> bool:
        if floor.rounds == 1 and not moments:
            _begin(house, "2199-03-14")
            _close(house, "2199-03-14")
            moments.append(due)
        return True

    floor.play(meanwhile)
    assert (floor.rounds, floor.tables[0]._day, len(moments)) == (3, "2199-03-15", 1)
