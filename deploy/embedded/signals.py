"""End on SIGTERM and SIGINT in bounded time, leaving the server in order."""

from __future__ import annotations

import os
import signal
import threading
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from types import FrameType

END_WITHIN_S = 9.5


def end_on_signals(within_s: float = END_WITHIN_S) -> None:
    """Make the first SIGTERM or SIGINT raise SystemExit(128 + number) in the main thread, which unwinds `with` blocks.

    Further ones are ignored, so that they cannot interrupt the unwinding. If that takes longer than `within_s` seconds
    the process ends all the same; the server's keeper then stops the server. To be called from the main thread.
    """

    def end(number: int, _frame: FrameType | None) -> None:
        for other in (signal.SIGTERM, signal.SIGINT):
            signal.signal(other, signal.SIG_IGN)
        last_resort = threading.Timer(within_s, os._exit, args=(128 + number,))
        last_resort.daemon = True
        last_resort.start()
        raise SystemExit(128 + number)

    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, end)
