"""Where the reader and the displays meet: the newest picture, and a ring of the steps that led to it.

A display has no buffer here. It keeps a cursor, the position up to which it has been told everything, and asks for what
came since when it is ready for more. A slow one finds several steps and gets their moments and the newest meters, not
every meter in between; one that falls behind the whole ring reads the moments it missed from the database. Nobody waits
for anybody else. Lives on the event loop; only `publish` and `stale` are called from the reader's thread, through it.
"""

import asyncio
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final, NamedTuple

from api.feed.frames import Data, Frame, comment, render
from api.feed.moments import Key
from api.feed.picture import EMPTY, Picture
from api.metrics import Metrics
from api.problems import ProblemError

RING: Final = 2_000  # steps; some tens of seconds at full speed, hours in a quiet house
LEAST_PACE_S: Final = 0.005
MOST_PACE_S: Final = 0.15  # so that even with a thousand displays a moving meter shows more than five frames a second
WARM_S: Final = 2.5  # so long after its last move a meter counts as moving
BEAT_S: Final = 0.16
PACE_PER_CLIENT_S: Final = 0.0001  # about what one display costs each time


class Step(NamedTuple):
    """What one read found: moments after `start` up to `end`, and the levels whose meter moved."""

    start: int
    end: int
    moments: list[Frame]
    moved: frozenset[Key]


class Hub:
    """The newest picture, for any number of displays."""

    def __init__(self, metrics: Metrics, most_clients: int) -> None:
        self.picture: Picture = EMPTY
        self.is_stale = True
        self.closing = False
        self.views_at = 0  # up to where every projection has folded, not only the jackpots'
        self._metrics = metrics
        self._most_clients = most_clients
        self._clients = 0
        self._steps: deque[Step] = deque()
        self._oldest = 0
        self._latest = 0
        self._news = asyncio.Event()
        self._moved = asyncio.Event()
        self._composed: dict[int, bytes] = {}
        self._pulse = _Pulse()

    @property
    def position(self) -> int:
        """Where the newest picture is true."""
        return self.picture.position

    def publish(self, picture: Picture, moments: list[Frame], views_at: int) -> None:
        """A newer picture has been read."""
        before, self.picture = self.picture, picture
        self.views_at = views_at
        if before is EMPTY:
            # What lies before was never seen here: the database knows it.
            self._oldest = self._latest = picture.position
        self._composed.clear()
        if before is not EMPTY:
            moved = {key for key, data in picture.levels.items() if _shown(before.levels.get(key)) != _shown(data)}
            moved |= self._pulse.beats(moved, picture.position > self._latest)
            if moved or moments:
                self._add(Step(before.position, picture.position, moments, frozenset(moved)))
        self._metrics.feed_position.set(picture.position)
        if self.is_stale or before is EMPTY:
            self.is_stale = False
            self._metrics.feed_stale.set(0)
            self._tell()
        moving, self._moved = self._moved, asyncio.Event()
        moving.set()

    def _add(self, step: Step) -> None:
        if len(self._steps) == RING:
            self._oldest = self._steps.popleft().end
        self._steps.append(step)
        self._latest = step.end
        self._metrics.feed_frames.inc(len(step.moments) + len(step.moved))
        self._tell()

    def stale(self) -> None:
        """The database cannot be read: what the displays show may be old."""
        if not self.is_stale:
            self.is_stale = True
            self._metrics.feed_stale.set(1)
            self._tell()

    def close(self) -> None:
        """Let every display go, so that the server can stop."""
        self.closing = True
        self._tell()
        self._moved.set()

    def pace_s(self) -> float:
        """How long to let a picture stand before the next: the more displays, the longer, within bounds."""
        return min(MOST_PACE_S, max(LEAST_PACE_S, self._clients * PACE_PER_CLIENT_S))

    def check_room(self) -> None:
        """Refuses `busy` when every place is taken."""
        if self._clients >= self._most_clients or self.closing:
            detail = f"{self._clients} displays follow the feed already; try again"
            raise ProblemError("busy", detail, headers={"retry-after": "5"})

    @contextmanager
    def seat(self) -> Iterator[None]:
        """A place for one display."""
        self._clients += 1
        self._metrics.feed_clients.set(self._clients)
        try:
            yield
        finally:
            self._clients -= 1
            self._metrics.feed_clients.set(self._clients)

    @property
    def has_picture(self) -> bool:
        """Whether the meters have been read at all."""
        return self.picture is not EMPTY

    def remembers(self, cursor: int) -> bool:
        """Whether everything after `cursor` is still in the ring."""
        return cursor >= self._oldest

    def has_news(self, cursor: int) -> bool:
        """Whether anything that a display shows happened after `cursor`."""
        return self._latest > cursor

    def since(self, cursor: int) -> bytes:
        """The frames after `cursor`; made once for all displays that stand at the same place."""
        made = self._composed.get(cursor)
        if made is None:
            steps = self._steps_after(cursor)
            if len(steps) > 1:
                self._metrics.feed_skips.inc()
            moved = {key for step in steps for key in step.moved}
            meters = [Frame("meter", self.picture.levels[key]) for key in sorted(moved & self.picture.levels.keys())]
            made = self._composed[cursor] = render(_moments(steps, cursor) + meters)
        return made

    def everything(self, older: list[Frame], cursor: int, seen: int | None) -> bytes:
        """Older moments, those after `cursor`, then one `meter` per level; seen: the last id the display has."""
        meters = [Frame("meter", data) for _, data in sorted(self.picture.levels.items())]
        return render(older + _moments(self._steps_after(cursor), cursor) + meters, last_id=seen != self.position)

    def staleness(self) -> bytes:
        """A comment that says how old the figures are, or that they are current again."""
        return comment(f"{'stale' if self.is_stale else 'current'} as_of={self.picture.as_of}")

    async def change(self, cursor: int, wait_s: float, *, was_stale: bool) -> None:
        """Wait until there is news after `cursor`, or the picture grows stale or current, for at most `wait_s`."""
        if self.has_news(cursor) or self.is_stale != was_stale or self.closing:
            return
        await _within(self._news, wait_s)

    async def reach(self, position: int, wait_s: float) -> bool:
        """Wait until every projection has folded up to `position`; False if one has not in time."""
        now = asyncio.get_running_loop().time
        deadline = now() + wait_s
        while self.views_at < position and not self.closing and now() < deadline:
            await _within(self._moved, deadline - now())
        return self.views_at >= position

    def _steps_after(self, cursor: int) -> list[Step]:
        newest_first: list[Step] = []
        for step in reversed(self._steps):
            if step.end <= cursor:
                break
            newest_first.append(step)
        return newest_first[::-1]

    def _tell(self) -> None:
        self._composed.clear()
        news, self._news = self._news, asyncio.Event()
        news.set()


class _Pulse:
    """Which meters to show again although they stand: a display counts on five frames a second while a meter moves.

    Only at a later position than the last frame's, so that every frame still has an id of its own.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._moved_at: dict[Key, float] = {}
        self._told_at: dict[Key, float] = {}

    def beats(self, moved: set[Key], is_later: bool) -> set[Key]:
        """The meters that moved a moment ago and were not shown since; `moved` are those that move now."""
        now = self._clock()
        self._moved_at = {key: at for key, at in self._moved_at.items() if now - at < WARM_S}
        due = {key for key in self._moved_at if is_later and now - self._told_at[key] >= BEAT_S} - moved
        self._moved_at.update(dict.fromkeys(moved, now))
        self._told_at.update(dict.fromkeys(moved | due, now))
        return due


async def _within(event: asyncio.Event, wait_s: float) -> None:
    try:
        async with asyncio.timeout(wait_s):
            await event.wait()
    except TimeoutError:
        return


def _moments(steps: list[Step], cursor: int) -> list[Frame]:
    return [frame for step in steps for frame in step.moments if frame.data.position > cursor]


def _shown(data: Data | None) -> tuple[object, ...] | None:
    """What a display would notice of a level."""
    return None if data is None else (data.amount, data.state, data.hit_amount, data.table)
