"""Tell the service which winning values a sign has shown, and since when: from a thread, so that no frame waits for it.

A frame of the feed names a hit by its position; the list of hits says its id.
"""

import http.client
import json
import queue
import threading
from datetime import UTC, datetime
from typing import Any, Final, NamedTuple
from urllib.parse import quote, urlsplit

import structlog

log = structlog.get_logger("pitclerk.signs")

TIMEOUT_S: Final = 10.0
RETRY_S: Final = (0.5, 1.0, 2.0, 5.0, 10.0)
MOST_WAITING: Final = 1_000


class _Shown(NamedTuple):
    jackpot: str
    position: int
    at: datetime


class Acknowledger:
    """Says for the display `name` what it has shown; what cannot be said after some tries is logged and left."""

    def __init__(self, url: str, token: str, name: str) -> None:
        parts = urlsplit(url)
        self._kind = http.client.HTTPSConnection if parts.scheme == "https" else http.client.HTTPConnection
        self._host, self._port = parts.hostname or "", parts.port
        self._token, self._name = token, name
        self._waiting: queue.Queue[_Shown] = queue.Queue(MOST_WAITING)
        self._thread = threading.Thread(target=self._run, name="sign acknowledgements", daemon=True)

    def start(self) -> None:
        """Begin to work; it ends with the process."""
        self._thread.start()

    def shown(self, jackpot: str, position: int) -> None:
        """The hit at a position of the log is on the sign from now on."""
        try:
            self._waiting.put_nowait(_Shown(jackpot, position, datetime.now(UTC)))
        except queue.Full:
            log.warning("acknowledgement dropped", jackpot=jackpot, position=position)

    def _run(self) -> None:
        pause = threading.Event()
        while True:
            shown = self._waiting.get()
            for wait_s in (*RETRY_S, None):
                try:
                    self._say(shown)
                    break
                except (OSError, http.client.HTTPException, ValueError) as error:
                    if wait_s is None:
                        log.warning("hit not acknowledged", jackpot=shown.jackpot, error=str(error))
                        break
                    pause.wait(wait_s)

    def _say(self, shown: _Shown) -> None:
        """Raises OSError for an answer that is none."""
        at = f"/v1/jackpots/{quote(shown.jackpot)}/hits"
        asked = f"{at}?after={shown.position - 1}&limit=1&min_position={shown.position}&wait_ms=5000"
        hits = self._ask("GET", asked)["hits"]
        if not hits or hits[0]["position"] != shown.position:
            raise ValueError(f"no hit stands at position {shown.position}")
        body = {"display": self._name, "at": shown.at.isoformat()}
        self._ask("POST", f"{at}/{quote(hits[0]['hit'])}/displays", body)

    def _ask(self, method: str, path: str, body: dict[str, str] | None = None) -> dict[str, Any]:
        connection = self._kind(self._host, self._port, timeout=TIMEOUT_S)
        headers = {"authorization": f"Bearer {self._token}"}
        if body is not None:
            headers |= {"content-type": "application/json", "idempotency-key": f"shown-{self._name}-{path[-60:]}"}
        try:
            connection.request(method, path, None if body is None else json.dumps(body), headers)
            answer = connection.getresponse()
            text = answer.read(100_000)
            if answer.status not in (http.client.OK, http.client.CREATED):
                raise OSError(f"{method} {path} answers {answer.status}: {text[:200].decode(errors='replace')}")
            found: dict[str, Any] = json.loads(text)
            return found
        finally:
            connection.close()
