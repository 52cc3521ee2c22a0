"""The command `simulate`: so many rounds at so many tables, as fast as the log takes them."""

import random
import time
from collections.abc import Callable, Sequence
from typing import Any, Final

from api.simulator.claim import claimed
from api.simulator.floor import Floor, Wanted
from api.simulator.house import House
from api.simulator.meter import MeterKeeper
from domain.application import Application, utc_now
from domain.request import Request
from domain.ruleset import Ruleset

_NOW_AND_THEN_S: Final = 0.5


class UnknownRulesetError(Exception):
    """No ruleset of this id is published; the message names those that are."""


def simulate(
    database_url: str,
    site: str,
    rulesets: Sequence[str],
    *,
    tables: int,
    rounds: int,
    seed: int,
    played: Callable[[int], None] = lambda _rounds: None,
) -> dict[str, Any]:
    """Play and record; what was done, as the command prints it. played: told now and then how far it is.

    Raises UnknownRulesetError.
    """
    started = time.monotonic()
    told = started
    with (
        claimed(database_url, str(seed)) as name,
        seeded_application(database_url, site, seed) as application,
        MeterKeeper(database_url) as meters,
    ):
        house = House(application)
        floor = Floor(house, Wanted(published(application, rulesets), tables, rounds, name, seed))

        def now_and_then(_due: float) -> bool:
            nonlocal told
            now = time.monotonic()
            if now - told > _NOW_AND_THEN_S:
                told = now
                meters.keep_up()
                played(floor.rounds)
            return True

        floor.play(now_and_then)
    played(floor.rounds)
    return {
        "tables": tables,
        "rounds": floor.rounds,
        "events": house.events,
        "seconds": round(time.monotonic() - started, 3),
        "position": house.position,
    }


def published(application: Application, ids: Sequence[str]) -> list[Ruleset]:
    """The newest published version of each ruleset: what a table that opens now will play."""
    work = application.work(Request(identity="sim", actor="sim", role="auditor"), utc_now(), None)
    known = work.house().published
    for name in ids:
        if name not in known:
            raise UnknownRulesetError(f"unknown ruleset {name!r}; published are {', '.join(sorted(known))}")
    return [work.ruleset(known[name].digest) for name in ids]


def seeded_application(database_url: str, site: str, seed: int) -> Application:
    """The application with a house shoe of the seed's chance: the same seed draws the same cards."""
    shoe = random.Random(f"{seed} house shoe")  # noqa: S311  (a game of chance, not a secret)
    return Application(database_url, site=site, draw=shoe.randrange)
