"""The service in one process: HTTP doors, live feed and pages, and the projections' runner beside them."""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable
from contextlib import ExitStack
from types import TracebackType
from typing import TYPE_CHECKING, Final, Self

import structlog
import uvicorn

from api.app import create_app
from api.cli.place import operator
from api.http.protocol import Protocol
from api.seals.sealer import Sealer
from api.self_check import check_program
from api.wiring import house_on
from projections.runner import RunnerThread

if TYPE_CHECKING:
    from api.cli.place import Place
    from api.wiring import House

log = structlog.get_logger("pitclerk.service")

_DRAIN_S: Final = 3
"""How long requests in hand may take when the service is told to stop; streams are cut then."""

_WATCH_S: Final = 1.0


class ListenError(OSError):
    """The address cannot be listened on; the message says why."""


class HouseServer:
    """Listens as soon as it is entered; `run` serves until SIGTERM or Ctrl-C.

    ready: called once, when requests are answered.
    """

    def __init__(
        self, place: Place, *, host: str | None, port: int | None, ready: Callable[[str], None] | None = None
    ) -> None:
        settings = place.settings
        self._place = place
        self._host = settings.host if host is None else host
        self._port = settings.port if port is None else port
        self._ready = ready
        self._stack = ExitStack()
        self._over = threading.Event()

    def __enter__(self) -> Self:
        with ExitStack() as stack:
            self._socket = stack.enter_context(_listening(self._host, self._port))
            self.house: House = stack.enter_context(house_on(self._place.database_url, self._place.settings))
            check_program(self.house.application, actor=operator())
            runner = RunnerThread(self._place.database_url)
            stack.callback(runner.stop)
            runner.start()
            sealer = Sealer(self.house).start()
            stack.callback(sealer.stop)
            if self._place.server is not None:
                watcher = threading.Thread(target=self._watch, name="server watch", daemon=True)
                stack.callback(watcher.join, 2 * _WATCH_S)
                stack.callback(self._over.set)
                watcher.start()
            self._stack = stack.pop_all()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stack.close()

    @property
    def address(self) -> str:
        """Where the doors are."""
        host, port = self._socket.getsockname()[:2]
        return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"

    def run(self) -> None:
        """Serve until a signal arrives. uvicorn catches it, finishes, and raises it again for us to unwind."""
        config = uvicorn.Config(
            create_app(self.house),
            http=Protocol,
            log_config=None,
            access_log=False,
            lifespan="on",
            timeout_graceful_shutdown=_DRAIN_S,
            server_header=False,
        )
        _Server(config, self._answers).run(sockets=[self._socket])

    def _answers(self) -> None:
        log.info("serving", address=self.address)
        if self._ready is not None:
            self._ready(self.address)

    def _watch(self) -> None:
        """Bring the embedded server back when it dies: nobody else would."""
        server = self._place.server
        assert server is not None, "only an embedded server is watched"
        while not self._over.wait(_WATCH_S):
            try:
                server.ensure_running()
            except Exception:  # whatever it is, the next look may find it gone
                log.exception("embedded server cannot be brought back")


class _Server(uvicorn.Server):
    """uvicorn, telling when it answers."""

    def __init__(self, config: uvicorn.Config, started: Callable[[], None]) -> None:
        super().__init__(config)
        self._tell = started

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started and not self.should_exit:
            self._tell()


def _listening(host: str, port: int) -> socket.socket:
    """A listening socket, taken before anything else so that a busy port is said at once."""
    try:
        family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
        return socket.create_server((host, port), family=family, backlog=2048)
    except OSError as error:
        raise ListenError(f"cannot listen on {host} port {port}: {error.strerror or error}") from error
