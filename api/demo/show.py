"""`pitclerk demo`: a floor that deals on a thread beside the real service."""

import dataclasses
import itertools
import logging
import sys
import threading
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Final

import psycopg
import structlog

from api.cli.floor import all_games
from api.cli.place import Place, joined, operator
from api.cli.publish import publish_shipped_at
from api.cli.server import HouseServer
from api.demo.cage import ensure_windows
from api.demo.days import ensure_day
from api.demo.pace import Pace
from api.demo.people import PEOPLE, demo_people, introduced
from api.demo.private import write_private
from api.demo.tokens import role_tokens
from api.simulator.claim import claimed
from api.simulator.floor import Floor, Wanted
from api.simulator.house import House
from api.simulator.run import published, seeded_application
from api.simulator.table import DEAL_SECONDS
from domain.application import Application, Busy
from domain.ruleset import Ruleset
from domain.store.errors import StoreError

log = structlog.get_logger("pitclerk.demo")

_LINKED: Final = "caribbean-ee-ak"
"""The game whose tables share the jackpot that the demonstration is about."""

_MORE_LINKED: Final = 3
_STOP_S: Final = 5.0
_RETRY_S: Final = 1.0
_BUSY_PACE: Final = 10.0
_LIVE_EVERY, _LIVE_EVERY_BUSY = 5, 50
"""Of so many rounds two are dealt step by step; fewer when so many are asked for that steps would crowd them out."""


@dataclasses.dataclass(frozen=True)
class Show:
    """What is to be seen. rulesets None: every game, the linked one at several tables. rounds None: without end."""

    rulesets: Sequence[str] | None
    tables: int | None
    rounds: int | None
    rounds_per_second: float
    seed: int

    def games(self) -> list[str]:
        """The game of each table."""
        if self.rulesets is not None:
            pattern = list(self.rulesets)
            count = self.tables or 2 * len(pattern)
        else:
            names = sorted(all_games()[:-1], key=lambda name: name != _LINKED)
            pattern = names + [_LINKED] * _MORE_LINKED
            count = self.tables or len(pattern)
        return list(itertools.islice(itertools.cycle(pattern), count))


def run(
    show: Show, *, host: str | None, port: int | None, token_file: Path | None, people_file: Path | None = None
) -> None:
    """Serve and deal until a signal arrives. Raises UnknownRulesetError."""
    with joined(log_level=logging.INFO) as place, ExitStack() as stack:
        publish_shipped_at(place)
        tokens = stack.enter_context(role_tokens(place.database_url, operator()))
        password = stack.enter_context(demo_people(place.database_url, operator()))
        if people_file is not None:
            write_private(people_file, {person.id: {"role": person.role, "password": password} for person in PEOPLE})
        if token_file is not None:
            write_private(token_file, tokens)
        open_place = dataclasses.replace(place, settings=place.settings.model_copy(update={"pages_open": True}))
        dealing = Dealing(show, place)
        stack.callback(dealing.stop)

        def ready(address: str) -> None:
            print(f"ready {address}", flush=True)  # noqa: T201  (the line that programs wait for)
            if sys.stdout.isatty():
                for line in introduced(tokens, password):
                    print(line, flush=True)  # noqa: T201
            dealing.start()

        server = stack.enter_context(HouseServer(open_place, host=host, port=port, ready=ready))
        server.run()


class Dealing:
    """The floor on its thread."""

    def __init__(self, show: Show, place: Place) -> None:
        """Raises UnknownRulesetError."""
        self._show = show
        self._place = place
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._deal, name="dealing", daemon=True)
        self._done = 0
        with Application(place.database_url, site=place.settings.site) as application:
            self._games: list[Ruleset] = published(application, show.games())
            ensure_windows(House(application))
            ensure_day(House(application))

    def start(self) -> None:
        """Begin to deal."""
        self._thread.start()

    def stop(self) -> None:
        """End after the step in hand."""
        self._over.set()
        if self._thread.is_alive():
            self._thread.join(_STOP_S)

    def _deal(self) -> None:
        """Deal; when the database went away, clear the tables and deal on."""
        while not self._over.is_set() and (self._show.rounds is None or self._done < self._show.rounds):
            try:
                self._evening()
            except (StoreError, Busy, psycopg.OperationalError) as error:
                log.warning("dealing was interrupted", cause=str(error))
                self._over.wait(_RETRY_S)
            except Exception:
                log.exception("dealing has failed")
                return
        log.info("dealing has ended", dealt=self._done)

    def _evening(self) -> None:
        show, place = self._show, self._place
        with (
            claimed(place.database_url, str(show.seed)) as name,
            seeded_application(place.database_url, place.settings.site, show.seed) as application,
        ):
            wanted = Wanted(
                rulesets=self._games,
                tables=len(self._games),
                rounds=None if show.rounds is None else show.rounds - self._done,
                name=name,
                seed=show.seed,
                live_every=_LIVE_EVERY if show.rounds_per_second <= _BUSY_PACE else _LIVE_EVERY_BUSY,
                close=False,
                together=1,
            )
            floor = Floor(House(application), wanted)
            speed = show.rounds_per_second * DEAL_SECONDS / len(self._games)
            try:
                floor.play(Pace(speed, self._over).wait_until)
            finally:
                self._done += floor.rounds
