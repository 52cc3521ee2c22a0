"""A socket before the server that cuts the connection around COMMIT: the answer, or the request itself, is lost."""

from __future__ import annotations

import socket
import threading
from typing import TYPE_CHECKING
from urllib.parse import parse_qs, quote, urlsplit

if TYPE_CHECKING:
    from pathlib import Path
    from typing import Self

PIECE = 1 << 16


class Severing:
    """Passes connections on. While `armed`, the first that sends COMMIT is cut.

    `deliver`: whether the server still gets that COMMIT and answers it before the client is cut off.
    """

    def __init__(self, url: str, directory: Path, *, deliver: bool) -> None:
        self._server = f"{parse_qs(urlsplit(url).query)['host'][0]}/.s.PGSQL.5432"
        self._listener = socket.socket(socket.AF_UNIX)
        self._listener.bind(str(directory / ".s.PGSQL.5432"))
        self._deliver = deliver
        self.armed = False
        self.cut = threading.Event()
        self.url = f"{url.split('?', maxsplit=1)[0]}?host={quote(str(directory), safe='')}&port=5432"

    def __enter__(self) -> Self:
        self._listener.listen()
        threading.Thread(target=self._accept, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._listener.close()

    def _accept(self) -> None:
        while True:
            try:
                client, _ = self._listener.accept()
            except OSError:
                return
            server = socket.socket(socket.AF_UNIX)
            server.connect(self._server)
            threading.Thread(target=self._requests, args=(client, server), daemon=True).start()
            threading.Thread(target=self._answers, args=(server, client), daemon=True).start()

    def _requests(self, client: socket.socket, server: socket.socket) -> None:
        while piece := client.recv(PIECE):
            if self.armed and b"COMMIT\0" in piece:
                self.cut.set()
                if not self._deliver:
                    client.shutdown(socket.SHUT_RDWR)
                    server.shutdown(socket.SHUT_RDWR)
                    return
            server.sendall(piece)

    def _answers(self, server: socket.socket, client: socket.socket) -> None:
        while piece := server.recv(PIECE):
            if self.cut.is_set():  # the server has answered the COMMIT, and nobody will hear it
                client.shutdown(socket.SHUT_RDWR)
                return
            client.sendall(piece)
