"""Keeping time: the simulated floor's moments brought to the wall clock, at a pace of so many rounds a second."""

import threading
import time
from typing import Final

_DEBT_S: Final = 2.0
"""How far the floor may fall behind and still try to catch up; what is more is let go, not played in a burst."""


class Pace:
    """Waits until a simulated moment is due; counted from the start, so that small delays do not add up."""

    def __init__(self, simulated_per_second: float, stop: threading.Event) -> None:
        self._speed = simulated_per_second
        self._stop = stop
        self._start = time.monotonic()

    def wait_until(self, due: float) -> bool:
        """Wait; False when the show is over."""
        ahead = self._start + due / self._speed - time.monotonic()
        if ahead > 0:
            return not self._stop.wait(ahead)
        if ahead < -_DEBT_S:
            self._start -= ahead + _DEBT_S
        return not self._stop.is_set()
