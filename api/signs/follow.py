"""Follow the live feed from a thread, over and over, missing nothing: `Last-Event-ID` says what was heard."""

import http.client
import json
import threading
import time
from typing import Final
from urllib.parse import urlsplit

import structlog

from api.signs.board import Board

log = structlog.get_logger("pitclerk.signs")

SILENCE_S: Final = 20.0  # the feed says something at least every 15 s
RETRY_S: Final = (0.2, 0.5, 1.0, 2.0, 5.0)
STREAM: Final = "/v1/jackpots/stream"


class RefusedError(Exception):
    """The service does not let this token follow the feed; trying again would not help."""


class Follower:
    """Reads the feed at `url` into a board until stopped."""

    def __init__(self, url: str, token: str, board: Board) -> None:
        parts = urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise ValueError(f"{url!r} is no address of a service: http://HOST:PORT")
        self._is_tls = parts.scheme == "https"
        self._host, self._port = parts.hostname, parts.port
        self._token = token
        self._board = board
        self._last: str | None = None
        self._stopping = threading.Event()
        self.refused: str | None = None
        self._thread = threading.Thread(target=self._run, name="sign feed", daemon=True)

    def start(self) -> None:
        """Begin to read."""
        self._thread.start()

    def stop(self) -> None:
        """Read no more; a read under way ends with the process."""
        self._stopping.set()

    def _run(self) -> None:
        failures = 0
        while not self._stopping.is_set():
            try:
                self._follow()
                failures = 0
            except RefusedError as error:
                self.refused = str(error)
                return
            except (OSError, http.client.HTTPException, ValueError) as error:
                log.warning("feed lost", error=str(error) or type(error).__name__, failures=failures)
                failures += 1
            self._board.lose()
            self._stopping.wait(RETRY_S[min(failures, len(RETRY_S) - 1)])

    def _follow(self) -> None:
        kind = http.client.HTTPSConnection if self._is_tls else http.client.HTTPConnection
        connection = kind(self._host, self._port, timeout=SILENCE_S)
        headers = {"authorization": f"Bearer {self._token}", "accept": "text/event-stream"}
        if self._last is not None:
            headers["last-event-id"] = self._last
        try:
            connection.request("GET", STREAM, headers=headers)
            answer = connection.getresponse()
            if answer.status in (401, 403):
                raise RefusedError(f"the service refuses this token: {answer.read(400).decode(errors='replace')}")
            if answer.status != http.client.OK:
                raise OSError(f"the feed answers {answer.status}")
            self._read(answer)
        finally:
            connection.close()

    def _read(self, answer: http.client.HTTPResponse) -> None:
        event, data, position = "", "", None
        while not self._stopping.is_set():
            line = answer.readline(65_536).decode()
            if not line:
                return  # the service has hung up
            name, _, value = line.rstrip("\r\n").partition(":")
            value = value.removeprefix(" ")
            if name == "event":
                event = value
            elif name == "data":
                data = value
            elif name == "id":
                position = value
            elif not name and value:
                self._hear(value)
            elif not name and data:
                self._board.take(event, json.loads(data), time.monotonic())
                self._last = position or self._last
                event, data, position = "", "", None

    def _hear(self, comment: str) -> None:
        word = comment.partition(" ")[0]
        says_stale = {"stale": True, "current": False}.get(word)
        self._board.hear(time.monotonic(), says_stale=says_stale)
