"""One process's hold on the server of a home."""

from __future__ import annotations

import os
import threading
from pathlib import Path
from typing import TYPE_CHECKING

import structlog

from deploy.embedded import binaries, bootstrap, cluster, passwords, places, postmaster, user
from deploy.embedded.errors import BusyError, HomeError
from deploy.embedded.locks import FileLock, locked

if TYPE_CHECKING:
    from types import TracebackType
    from typing import Self

log = structlog.get_logger(__name__)

# A start can take a minute (crash recovery), and so can waiting for another's start.
START_LOCK_TIMEOUT_S = 90.0
USE_LOCK_TIMEOUT_S = 45.0  # only a stop in progress is ever waited for
LEAVE_LOCK_TIMEOUT_S = 1.0


class EmbeddedServer:
    """The server that all processes with the same home share. The first starts it, the last to leave stops it.

    Use as a context manager, or `acquire` and `release`. `ensure_running` may be called from any thread. A forked copy
    of the process holds nothing: it may use the addresses while its parent lives. Errors: EmbeddedServerError and its
    kinds.
    """

    def __init__(self, home: Path, *, programs: Path | None = None) -> None:
        """`programs`: the `bin` directory of another PostgreSQL, 15 or newer, instead of the packaged one."""
        self._asked_home = home
        self._programs = programs
        self._use: FileLock | None = None
        self._owner = 0
        self._home = home
        self._directory = home
        self._thread_lock = threading.RLock()

    @property
    def database_url(self) -> str:
        """The log's database as the service's role."""
        return passwords.url(self._home, self._directory, passwords.SERVICE)

    @property
    def superuser_url(self) -> str:
        """The log's database as superuser: for migrations, backup and the auditor's experiments."""
        return passwords.url(self._home, self._directory, passwords.SUPERUSER)

    def acquire(self) -> Self:
        """Take hold of the home: create, start and migrate what is missing, and return when a connection succeeds."""
        with self._thread_lock:
            if self._use is not None:
                raise HomeError("this server has been acquired already")
            self._home = places.open_home(self._asked_home)
            use = _open_lock(places.use_lock(self._home), self._home)
            try:
                use.lock(USE_LOCK_TIMEOUT_S, shared=True)
                self._bring_up()
            except BaseException:
                use.close()
                raise
            self._use, self._owner = use, os.getpid()
        return self

    def ensure_running(self) -> bool:
        """Start the server if it is dead; True if that was needed. A connection attempt when it is not."""
        with self._thread_lock:
            if self._use is None:
                raise HomeError("the server has not been acquired")
            if postmaster.probe(self._directory, self.database_url) is postmaster.State.READY:
                return False
            log.warning("embedded server is not ready", home=str(self._home))
            self._bring_up()
        return True

    def release(self) -> None:
        """Let go; stop the server if nobody else holds it. Within 9 seconds, and safe to call twice."""
        with self._thread_lock:
            use, self._use = self._use, None
            if use is None or self._owner != os.getpid():
                return
            try:
                with locked(places.start_lock(self._home), LEAVE_LOCK_TIMEOUT_S):
                    # The conversion drops the shared lock first, so of two that leave at once one gets it.
                    if use.try_lock():
                        self._stop()
            except BusyError:
                log.info("left while another process starts or stops the server")
            finally:
                use.close()

    def __enter__(self) -> Self:
        return self.acquire()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.release()

    def _bring_up(self) -> None:
        """Under the start lock, make what is missing, from the data directory to the last migration."""
        _open_lock(places.start_lock(self._home), self._home).close()
        with locked(places.start_lock(self._home), START_LOCK_TIMEOUT_S):
            who = user.server_user(self._home)
            laid = places.lay_out(self._home, who)
            self._directory = places.socket_directory(laid, who)
            address = self._superuser_address
            if not laid.data.is_dir() or postmaster.probe(self._directory, address()) is not postmaster.State.READY:
                programs = binaries.for_user(self._programs or binaries.shipped(), who, laid.ground)
                cluster.ensure(laid, who, programs)
                binaries.check_version(programs, who, laid.data)
                postmaster.start(laid, who, programs, self._directory, address())
            bootstrap.prepare(self._home, self._directory)

    def _superuser_address(self) -> str:
        return passwords.url(self._home, self._directory, passwords.SUPERUSER, "postgres")

    def _stop(self) -> None:
        stopped = postmaster.stop((self._home / "pg").resolve(), self._directory)
        log.info("embedded server stopped" if stopped else "embedded server left to its keeper", home=str(self._home))


def acquire(home: Path) -> EmbeddedServer:
    """Return the acquired server of `home`."""
    return EmbeddedServer(home).acquire()


def _open_lock(path: Path, home: Path) -> FileLock:
    """Open a lock file that stays its home's owner's, also when root is the first to use it."""
    lock = FileLock(path)
    if os.geteuid() == 0:
        os.chown(path, home.stat().st_uid, home.stat().st_gid)
    return lock
