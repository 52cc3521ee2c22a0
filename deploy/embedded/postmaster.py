"""Start, probe and stop the server of one home. Starting and stopping: under the start lock."""

from __future__ import annotations

import enum
import json
import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

import psycopg
import structlog

from deploy.embedded import keeper
from deploy.embedded.errors import EmbeddedServerError, StartError
from deploy.embedded.places import PORT, start_lock, use_lock
from deploy.embedded.user import ENVIRONMENT

if TYPE_CHECKING:
    from deploy.embedded.places import Places
    from deploy.embedded.user import ServerUser

log = structlog.get_logger(__name__)

START_TIMEOUT_S = 60.0  # recovery after a crash is part of it
FAST_STOP_S = 5.0
IMMEDIATE_STOP_S = 1.5
POLL_S = 0.02
RELAUNCH_S = 0.2
RELAUNCH_MAX_S = 3.0
PROBE_TIMEOUT_S = 5
LOG_MAX_BYTES = 16_000_000

SETTINGS = {
    "listen_addresses": "",
    "port": str(PORT),
    "unix_socket_permissions": "0700",
    "fsync": "on",
    "full_page_writes": "on",
    "synchronous_commit": "on",
    "max_connections": "100",
    "max_wal_size": "2GB",
    "checkpoint_timeout": "10min",
    "password_encryption": "scram-sha-256",
    "timezone": "UTC",
    "log_timezone": "UTC",
    "log_line_prefix": "%m [%p] %u@%d ",
    "jit": "off",  # our statements are short; compiling them costs more than it saves
}


class State(enum.Enum):
    """What a probe found."""

    READY = "a connection succeeds"
    BUSY = "there, but starting, recovering or stopping"
    DOWN = "nobody listens"


_BUSY = ("starting up", "shutting down", "in recovery", "not yet accepting", "not accepting", "the database system is")
_FULL = ("too many clients", "connection slots are reserved", "too many connections")


def probe(directory: Path, url: str) -> State:
    """Try a connection. EmbeddedServerError if the server is there but refuses us for good: a wrong password."""
    if not listens(directory):
        return State.DOWN
    try:
        psycopg.connect(url, connect_timeout=PROBE_TIMEOUT_S).close()
    except psycopg.OperationalError as error:
        text = str(error)  # libpq gives no code for a refused connection; our server speaks English (lc_messages = C)
        if any(phrase in text for phrase in _FULL):
            return State.READY
        if any(phrase in text for phrase in _BUSY):
            return State.BUSY
        if not listens(directory) or "server closed the connection" in text or "timeout expired" in text:
            return State.BUSY  # it died or stopped between the two looks: look again
        raise EmbeddedServerError(f"the embedded server refuses us: {text.strip()}") from error
    return State.READY


def listens(directory: Path) -> bool:
    """Whether anyone accepts connections on the socket."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM | socket.SOCK_CLOEXEC) as client:
        client.settimeout(PROBE_TIMEOUT_S)
        try:
            client.connect(str(directory / f".s.PGSQL.{PORT}"))
        except (ConnectionRefusedError, FileNotFoundError):
            return False
        except (BlockingIOError, TimeoutError):
            return True  # its queue of waiting connections is full
    return True


def start(places: Places, user: ServerUser, programs: Path, directory: Path, url: str) -> None:
    """Start the server and wait until it is ready; StartError with the end of its log after 60 s."""
    deadline = time.monotonic() + START_TIMEOUT_S
    keeper_process: subprocess.Popen[bytes] | None = None
    launch_at, pause = 0.0, RELAUNCH_S
    while True:
        state = probe(directory, url)
        if state is State.READY:
            return
        now = time.monotonic()
        if now >= deadline:
            raise StartError(f"{places.home}: not ready after {START_TIMEOUT_S:g} s; its log ends:\n{_log_end(places)}")
        ended = keeper_process is None or keeper_process.poll() is not None
        # A server whose predecessor's processes are still dying refuses to start: tried again until the deadline.
        if state is State.DOWN and ended and now >= launch_at:
            forget_stale_pid(places.data, directory)
            keeper_process = _launch(places, user, programs, directory)
            launch_at, pause = now + pause, min(2 * pause, RELAUNCH_MAX_S)
        time.sleep(POLL_S)  # readiness is asked for, nobody announces it: the deadline decides


_keepers: list[subprocess.Popen[bytes]] = []  # children of this process, polled so that none stays a zombie


def _launch(places: Places, user: ServerUser, programs: Path, directory: Path) -> subprocess.Popen[bytes]:
    command = [str(programs / "postgres"), "-D", str(places.data), "-c", f"unix_socket_directories={directory}"]
    for name, value in SETTINGS.items():
        command += ["-c", f"{name}={value}"]
    order = {
        "command": command, "environment": ENVIRONMENT, "lend": not user.is_us, "uid": user.uid, "gid": user.gid,
        "use": str(use_lock(places.home)), "start": str(start_lock(places.home)),
    }  # fmt: skip
    _rotate(places.log)
    fd = os.open(places.log, os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o600)
    try:
        process = subprocess.Popen(  # noqa: S603 -- our own program
            [sys.executable, "-I", "-S", keeper.__file__, json.dumps(order)],
            stdin=subprocess.DEVNULL, stdout=fd, stderr=fd, cwd="/", env=ENVIRONMENT, start_new_session=True,
        )  # fmt: skip
    finally:
        os.close(fd)
    _keepers[:] = [other for other in _keepers if other.poll() is None] + [process]
    log.info("embedded server launched", data=str(places.data), keeper=process.pid)
    return process


def forget_stale_pid(data: Path, directory: Path) -> None:
    """Remove the pid files of a server that died if its number has since been given to somebody else.

    PostgreSQL takes any living process of its user for its predecessor, and after a reboot, or in a container, small
    numbers come again. That no process of the old server is left it checks apart, by its shared memory.
    """
    pid = _pid(data)
    try:
        command = Path(f"/proc/{pid}/cmdline").read_bytes() if pid is not None else b""
    except OSError:
        return  # no such process, and PostgreSQL will see that; or no /proc to ask
    if pid is None or os.fsencode(data) in command:
        return
    log.warning("removing the pid file of a dead server", data=str(data), pid=pid)
    (data / "postmaster.pid").unlink(missing_ok=True)
    (directory / f".s.PGSQL.{PORT}.lock").unlink(missing_ok=True)


def _rotate(path: Path) -> None:
    if path.exists() and path.stat().st_size > LOG_MAX_BYTES:
        path.replace(path.with_suffix(".log.1"))


def _log_end(places: Places) -> str:
    return places.log.read_text("utf-8", errors="replace")[-2000:] if places.log.exists() else "(no log)"


def stop(data: Path, directory: Path) -> bool:
    """Stop the server and wait for its end; False if it still runs after about 7 s (its keeper goes on trying)."""
    # Only a pid whose server answers on our socket is signalled: after a crash the number may be anybody's.
    if not listens(directory):
        return True
    pid = _pid(data)
    for number, patience in ((signal.SIGINT, FAST_STOP_S), (signal.SIGQUIT, IMMEDIATE_STOP_S)):
        if pid is None or not _signal(pid, number):
            return True
        deadline = time.monotonic() + patience
        while time.monotonic() < deadline:
            if _pid(data) != pid and not listens(directory):  # it removes its pid file as its last act
                return True
            if not _signal(pid, 0):
                return True
            time.sleep(POLL_S)  # not our child, so it cannot be waited for: the deadline decides
    log.error("embedded server does not stop", pid=pid)
    return False


def _pid(data: Path) -> int | None:
    try:
        return int((data / "postmaster.pid").read_text("ascii").split("\n", 1)[0])
    except (FileNotFoundError, ValueError):
        return None


def _signal(pid: int, number: int) -> bool:
    try:
        os.kill(pid, number)
    except ProcessLookupError:
        return False
    return True
