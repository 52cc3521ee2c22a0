"""Advisory file locks with a deadline, never inherited by a child.

A flock belongs to the open file, so a child that inherits the descriptor keeps the lock after its parent has died.
Programs we start get none of ours (descriptors are close-on-exec); a forked copy of this process closes its copies at
once.
"""

from __future__ import annotations

import fcntl
import os
import time
import weakref
from contextlib import contextmanager
from typing import TYPE_CHECKING

from deploy.embedded.errors import BusyError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

POLL_S = 0.02

_open_locks: weakref.WeakSet[FileLock] = weakref.WeakSet()


class FileLock:
    """One open lock file. Not thread-safe; every holder opens its own."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._fd = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        _open_locks.add(self)

    def try_lock(self, *, shared: bool = False) -> bool:
        """Take or convert the lock if that is possible at once. A failed conversion may lose the lock held before."""
        try:
            fcntl.flock(self._fd, (fcntl.LOCK_SH if shared else fcntl.LOCK_EX) | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True

    def lock(self, timeout_s: float, *, shared: bool = False) -> None:
        """Take the lock within `timeout_s` seconds or raise BusyError."""
        deadline = time.monotonic() + timeout_s
        while not self.try_lock(shared=shared):
            if time.monotonic() >= deadline:
                raise BusyError(f"{self.path} has been locked by another process for {timeout_s:g} s")
            time.sleep(POLL_S)  # flock knows no time-out: polled until the deadline

    def close(self) -> None:
        """Let go. Closing twice is fine."""
        fd, self._fd = self._fd, -1
        if fd >= 0:
            os.close(fd)


@contextmanager
def locked(path: Path, timeout_s: float) -> Iterator[None]:
    """Hold `path` exclusively; BusyError after `timeout_s` seconds."""
    lock = FileLock(path)
    try:
        lock.lock(timeout_s)
        yield
    finally:
        lock.close()


def _close_inherited() -> None:
    for lock in list(_open_locks):
        lock.close()


os.register_at_fork(after_in_child=_close_inherited)
