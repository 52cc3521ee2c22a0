"""One verification at a time, in a thread and on a connection of its own: the doors never wait for it.

What it found is kept until the next one, with the position it is true at and who asked for it.
"""

import threading
import time
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Final

import psycopg
import structlog

from api.seals import keys
from api.wiring import House
from domain.note import Note, VerifierKey, signers
from domain.store.connection import conninfo
from projections.reads.snapshot import snapshot
from projections.reads.tree import log_head
from projections.verify_seals import Signed, Verdict, verify_with_seals

log = structlog.get_logger("pitclerk.pages")

YIELD_EVERY: Final = 200
"""Rows after which the walk lets other threads run: hashing is this program's own code and holds the interpreter."""

_CONNECT_S: Final = 10


class EndedError(Exception):
    """The service is ending; so does the walk."""


@dataclass(frozen=True, slots=True)
class Standing:
    """How a verification stands. at, head: the position the walk has come to, and the log's when it began.

    seconds: how long it took, or has taken so far. trouble: why it could not be finished.
    """

    by: str
    began: datetime
    at: int = 0
    head: int = 0
    running: bool = True
    seconds: float = 0.0
    verdict: Verdict | None = None
    trouble: str | None = None

    @property
    def share(self) -> float:
        """How much of the way is done, from 0 to 1."""
        return 1.0 if not self.running else min(1.0, self.at / self.head) if self.head else 0.0


class Verifier:
    """Runs them, and says how the last one stands."""

    def __init__(self, house: House) -> None:
        self._house = house
        self._lock = threading.Lock()
        self._standing: Standing | None = None
        self._started = 0.0
        self._idle = threading.Event()
        self._idle.set()

    @property
    def standing(self) -> Standing | None:
        """The last verification, running or done; None before the first."""
        standing = self._standing
        if standing is not None and standing.running:
            return replace(standing, seconds=time.monotonic() - self._started)
        return standing

    def start(self, by: str) -> bool:
        """Begin one, unless one is running."""
        with self._lock:
            if self._standing is not None and self._standing.running:
                return False
            self._started = time.monotonic()
            self._standing = Standing(by, datetime.now(UTC))
            self._idle.clear()
        threading.Thread(target=self._run, name="verify", daemon=True).start()
        return True

    def wait(self, seconds: float) -> bool:
        """Wait until none is running, at most so long; whether that is so."""
        return self._idle.wait(seconds)

    def _run(self) -> None:
        try:
            self._verify()
        finally:
            self._idle.set()

    def _verify(self) -> None:
        try:
            verdict = self._verdict()
        except EndedError:
            return
        except (psycopg.Error, OSError) as error:
            log.exception("the log could not be verified")
            self._now(running=False, trouble=str(error))
            return
        self._now(running=False, verdict=verdict, at=verdict.position)
        standing = self._standing
        assert standing is not None, "it was begun"
        log.info("log_verified", actor=standing.by, ok=verdict.ok, position=verdict.position, head=verdict.head)

    def _verdict(self) -> Verdict:
        with psycopg.connect(conninfo(self._house.database_url), autocommit=True, connect_timeout=_CONNECT_S) as conn:
            with snapshot(conn) as look:
                self._now(head=log_head(look))
            return verify_with_seals(conn, signed=self._signed(), passing=self._passing)

    def _passing(self, position: int) -> None:
        if position % YIELD_EVERY == 0:
            if self._house.hub.closing:
                raise EndedError
            self._now(at=position)
            time.sleep(0)  # no wait: lets the threads that answer requests have the interpreter in between

    def _now(self, **changes: object) -> None:
        standing = self._standing
        assert standing is not None, "it was begun"
        seconds = time.monotonic() - self._started
        self._standing = replace(standing, seconds=seconds, **changes)  # type: ignore[arg-type]

    def _signed(self) -> Signed | None:
        """The house's own key, if this machine has it; verifying makes none."""
        try:
            trusted: list[VerifierKey] = [keys.read(self._house.settings.signing_key_file).verifier]
        except FileNotFoundError:
            return None

        def by_us(note: Note) -> bool:
            return bool(signers(note, trusted, keys.check))

        return by_us
