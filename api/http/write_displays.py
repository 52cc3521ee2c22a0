"""Displays say that they show a hit's winning value. Hundreds do so at once, and tables must not wait for them.

Whoever comes while a save is under way is recorded together with all the others that came, in one event of the hit's
own stream. The hit and the display's name are the key: a display may say it again, its first word stands.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import partial
from typing import Final, NamedTuple

import anyio
import msgspec
from anyio import to_thread
from starlette.requests import Request
from starlette.responses import Response

from api.http import bodies
from api.http.doors import Doors, as_json
from domain.acts.hits import AlreadyShownError, show
from domain.application import FUTURE_SECONDS, Application
from domain.commands import ShowHit
from domain.refusals import Refusal
from domain.request import Request as Asked

PATH: Final = "/v1/jackpots/{jackpot}/hits/{hit}/displays"
MOST_AT_ONCE: Final = 1_000
"""Displays in one event; who comes beyond goes into the next."""


class Acknowledged(msgspec.Struct):
    """The answer: since when the display has shown it. position: of the save, null where it was known before."""

    hit: str
    display: str
    shown_at: datetime
    position: int | None


class _Group(NamedTuple):
    """Displays of one group are recorded together: one hit, shown by the displays of one identity."""

    jackpot: str
    hit: str
    identity: str
    actor: str


@dataclass(slots=True)
class _Waiting:
    display: str
    at: datetime
    answer: Acknowledged | None = None
    failed: Exception | None = field(default=None)

    @property
    def is_done(self) -> bool:
        return self.answer is not None or self.failed is not None


class Acknowledgements:
    """Gathers what displays say while one save is under way, and records it with the next."""

    def __init__(self, application: Application) -> None:
        self._application = application
        self._waiting: dict[_Group, list[_Waiting]] = {}
        self._saving = anyio.Lock()
        self._thread = anyio.CapacityLimiter(1)

    async def record(self, group: _Group, display: str, at: datetime) -> Acknowledged:
        """Since when the display has shown the hit. Raises what the save raises."""
        mine = _Waiting(display, at)
        self._waiting.setdefault(group, []).append(mine)
        try:
            async with self._saving:
                if not mine.is_done:
                    await self._save(group)
        finally:
            self._forget(group, mine)
        if mine.failed is not None:
            raise mine.failed
        assert mine.answer is not None, "a save answers everybody it was made for"
        return mine.answer

    def _forget(self, group: _Group, mine: _Waiting) -> None:
        """Somebody who has gone before a save was begun for him."""
        left = self._waiting.get(group, [])
        if mine in left:
            left.remove(mine)
        if not left:
            self._waiting.pop(group, None)

    async def _save(self, group: _Group) -> None:
        """Of one display's words in a batch the first goes in; all of them are answered."""
        batch = self._waiting[group][:MOST_AT_ONCE]
        del self._waiting[group][:MOST_AT_ONCE]
        displays: dict[str, datetime] = {}
        for one in batch:
            displays.setdefault(one.display, one.at)
        asked = Asked(identity=group.identity, actor=group.actor, role="display")
        act = partial(show, progressive_id=group.jackpot, hit=group.hit, displays=displays)
        try:
            with anyio.CancelScope(shield=True):  # others wait for the answer, whoever asked first
                answer = await to_thread.run_sync(self._application.handle, asked, act, limiter=self._thread)
        except AlreadyShownError as known:
            _answer(group.hit, batch, known.shown, None)
        except Exception as error:
            for one in batch:
                one.failed = error
        else:
            body = msgspec.json.decode(answer.body, type=_Recorded)
            _answer(group.hit, batch, body.shown, body.position)


class _Recorded(msgspec.Struct):
    shown: dict[str, datetime]
    position: int


def _answer(hit: str, batch: list[_Waiting], shown: Mapping[str, datetime], position: int | None) -> None:
    for one in batch:
        one.answer = Acknowledged(hit, one.display, shown[one.display], position)


def mount(doors: Doors) -> None:
    acknowledgements = Acknowledgements(doors.house.application)

    async def shown(request: Request) -> Response:
        prepared = await doors.recording(request, PATH)
        jackpot, hit = prepared.names
        command = bodies.decode(prepared.body, ShowHit)
        group = _Group(jackpot, hit, prepared.asked.identity, prepared.asked.actor)
        answer = await acknowledgements.record(group, command.display, _since(command))
        return as_json(answer, 200 if answer.position is None else 201)

    doors.mount("POST", PATH, shown)
    doors.book.write(PATH, ShowHit, "A display has the winning value on it", (200, 201))


def _since(command: ShowHit) -> datetime:
    now = datetime.now(UTC)
    at = bodies.business_time(command.at) or now
    if (at - now).total_seconds() > FUTURE_SECONDS:
        raise Refusal("bad_time", f"`at` {at.isoformat()} lies in the future")
    return at
