"""Where frames go: a UDP address, a serial line, or a plain file."""

import os
import socket
import stat
import termios
import tty
from pathlib import Path
from types import TracebackType
from typing import Final, Protocol, Self
from urllib.parse import urlsplit

BAUDS: Final = {rate: getattr(termios, f"B{rate}") for rate in (1200, 2400, 4800, 9600, 19200, 38400, 57600, 115200)}


class Outlet(Protocol):
    """Sends frames. Raises OSError where that is not possible now."""

    def send(self, frame: bytes) -> None: ...

    def __enter__(self) -> Self: ...

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...


class Udp:
    """One datagram a frame."""

    def __init__(self, host: str, port: int) -> None:
        family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_DGRAM)[0]
        self._to: tuple[object, ...] = tuple(address)
        self._socket = socket.socket(family, kind, protocol)
        self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_BROADCAST, 1)

    def send(self, frame: bytes) -> None:
        self._socket.sendto(frame, self._to)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._socket.close()


class Line:
    """A serial line, set to `baud` 8N1 without echo, or a file that is written on at its end."""

    def __init__(self, path: Path, baud: int) -> None:
        # Without O_NONBLOCK opening a line waits for its carrier; a full line then says so instead of waiting.
        self._file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_NOCTTY | os.O_NONBLOCK, 0o644)
        if stat.S_ISCHR(os.fstat(self._file).st_mode) and os.isatty(self._file):
            tty.setraw(self._file)
            settings = termios.tcgetattr(self._file)
            settings[4] = settings[5] = BAUDS[baud]
            termios.tcsetattr(self._file, termios.TCSANOW, settings)

    def send(self, frame: bytes) -> None:
        if os.write(self._file, frame) != len(frame):
            raise OSError("the line takes no more")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        os.close(self._file)


def outlet(to: str, *, baud: int = 9600) -> Outlet:
    """`udp://HOST:PORT`, or the path of a line or file. Raises ValueError for what is neither, OSError."""
    if baud not in BAUDS:
        raise ValueError(f"{baud} baud is not one of {', '.join(map(str, BAUDS))}")
    if not to.startswith("udp://"):
        return Line(Path(to), baud)
    parts = urlsplit(to)
    if not parts.hostname or not parts.port:
        raise ValueError(f"{to!r} is no UDP address: udp://HOST:PORT")
    return Udp(parts.hostname, parts.port)
