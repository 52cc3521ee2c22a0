"""What every sign shows, and which of them has to be told now.

A sign is told only what the feed has said, the newest of it: it lags behind the truth and never runs before it. Moves
of a meter are paced; a hit, a reset, a payment and a change between fresh and stale go out at once; what stands still
is repeated now and then, for signs that were switched on late.
"""

import threading
from dataclasses import dataclass, field
from typing import Any, Final

from api.signs.frame import Shown, encode

PACE_S: Final = 0.2
REPEAT_S: Final = 3.0
STALE_AFTER_S: Final = 30.0
"""The feed says something at least every 15 s: twice that, and it says nothing."""


@dataclass
class _Sign:
    """shown: newest; told_at None: not told yet. urgent: must be told at the next look. hits: not told yet."""

    shown: Shown
    told_at: float | None = None
    has_moved: bool = True
    urgent: bool = True
    hits: list[int] = field(default_factory=list)


class Board:
    """The signs of some jackpots (None: all). One thread takes frames of the feed, another asks what is due."""

    def __init__(self, jackpots: frozenset[str] | None = None, *, pace_s: float = PACE_S) -> None:
        self._jackpots = jackpots
        self._pace_s = pace_s
        self._signs: dict[tuple[str, int], _Sign] = {}
        self._sequence = 0
        self._heard_at: float | None = None
        self._says_stale = False
        self._was_fresh = False
        self._told: list[tuple[str, int]] = []
        self._lock = threading.Lock()

    def take(self, event: str, data: dict[str, Any], now: float) -> None:
        """A frame of the feed: `meter`, `hit`, `reset` or `paid`; its data as the feed documents it."""
        if self._jackpots is not None and data["jackpot"] not in self._jackpots:
            return self.hear(now)
        key = (data["jackpot"], data["level"])
        amount = data["next_amount"] if event == "hit" else data["amount"]
        is_over = event == "paid" and data["state"] == "NORMAL"
        award = None if is_over else data["hit_amount"]
        table = None if award is None else data["table"]
        shown = Shown(*key, data["state"], amount, data["currency"], award, table, data["position"])
        with self._lock:
            self._heard_at = now
            sign = self._signs.get(key)
            if sign is None:
                sign = self._signs[key] = _Sign(shown)
            if event == "hit":
                sign.hits.append(data["position"])
            sign.has_moved |= sign.shown[:-1] != shown[:-1]
            sign.urgent |= event != "meter"
            sign.shown = shown
        return None

    def hear(self, now: float, *, says_stale: bool | None = None) -> None:
        """Anything else that the feed says; says_stale: whether it says of itself that its figures are old."""
        with self._lock:
            self._heard_at = now
            self._says_stale = self._says_stale if says_stale is None else says_stale

    def lose(self) -> None:
        """The feed is gone: what the signs show may be old."""
        with self._lock:
            self._heard_at = None

    def due(self, now: float) -> list[bytes]:
        """The frames to send now."""
        with self._lock:
            is_fresh = self._heard_at is not None and now - self._heard_at < STALE_AFTER_S and not self._says_stale
            turned, self._was_fresh = is_fresh != self._was_fresh, is_fresh
            frames = []
            for _, sign in sorted(self._signs.items()):
                if turned or self._is_due(sign, now):
                    frames.append(encode(sign.shown, self._sequence, fresh=is_fresh))
                    self._sequence += 1
                    sign.told_at, sign.has_moved, sign.urgent = now, False, False
                    if sign.shown.award is not None:  # a small prize may be paid before the sign was ever told
                        self._told += [(sign.shown.jackpot, position) for position in sign.hits]
                    sign.hits.clear()
            return frames

    def told(self) -> list[tuple[str, int]]:
        """Hits, by jackpot and position, whose award was in the frames since the last call: ask once they are sent."""
        with self._lock:
            told, self._told = self._told, []
            return told

    def _is_due(self, sign: _Sign, now: float) -> bool:
        if sign.told_at is None or sign.urgent:
            return True
        return now - sign.told_at >= (self._pace_s if sign.has_moved else REPEAT_S)
