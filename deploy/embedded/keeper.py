"""The process above the server: it outlives whoever started it and ends the server when the home's last user has gone.

Run as a program of its own with one JSON argument, on the standard library alone, so that it starts fast and stays
small. Every process that uses the home holds HOME/use shared. The last to leave stops the server itself; one that was
killed cannot, but the kernel drops its lock, and the keeper, which has been waiting for that lock, does it instead.
Being the server's parent the keeper also reaps it: a dead server must not linger as a zombie that looks alive to the
next start.
"""

from __future__ import annotations

import fcntl
import json
import os
import signal
import subprocess
import sys
import threading
import time
from typing import Any

FAST_STOP_S = 30.0  # nobody waits for us here, so the server may finish its checkpoint in peace
LOCK_WAIT_S = 10.0
POLL_S = 0.02


def main(order: dict[str, Any]) -> int:
    """Run the server until it ends."""
    lend = {"user": order["uid"], "group": order["gid"], "extra_groups": []} if order["lend"] else {}
    server = subprocess.Popen(  # noqa: S603 -- the order comes from our own starter
        order["command"],
        cwd="/",
        env=order["environment"],
        stdin=subprocess.DEVNULL,
        start_new_session=True,
        **lend,
    )
    # A keeper is not to be stopped with one of the home's users. Set after the start: ignored signals survive exec.
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    threading.Thread(target=_end_after_last, args=(server, order["use"], order["start"]), daemon=True).start()
    return server.wait()


def _end_after_last(server: subprocess.Popen[bytes], use: str, start: str) -> None:
    """Wait until nobody holds the home, then stop the server; both locks fall with this process."""
    use_fd = os.open(use, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    start_fd = os.open(start, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    while True:
        fcntl.flock(use_fd, fcntl.LOCK_EX)  # no time-out: waiting for this is what the keeper is for
        if _try_for(start_fd, LOCK_WAIT_S):
            break
        fcntl.flock(use_fd, fcntl.LOCK_UN)
    _say("the last user of this home has gone: stopping")
    server.send_signal(signal.SIGINT)
    deadline = time.monotonic() + FAST_STOP_S
    while server.poll() is None and time.monotonic() < deadline:
        time.sleep(POLL_S)  # polled: whether it ends or the deadline passes, the next signal follows
    server.send_signal(signal.SIGQUIT)  # no effect if it has ended; otherwise the next start recovers from the WAL


def _try_for(fd: int, seconds: float) -> bool:
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        try:
            fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            time.sleep(POLL_S)  # flock knows no time-out: the deadline decides
        else:
            return True
    return False


def _say(line: str) -> None:
    sys.stderr.write(f"keeper {os.getpid()}: {line}\n")
    sys.stderr.flush()


if __name__ == "__main__":
    # No interpreter shutdown: the waiting thread may hold Python's own locks for ever.
    os._exit(main(json.loads(sys.argv[1])) & 0xFF)
