"""Where things lie: the home, and what cannot lie in it.

HOME/use, HOME/start   lock files            HOME/pg      the data
HOME/*.password        secrets, 0600         HOME/socket  the socket's directory, 0700
HOME/postgres.log      the server's log

Two things may have to lie elsewhere, and the home then holds symbolic links to them: the socket, when its path would
be longer than the kernel allows; and, for root only, everything the server's user must reach, when that user may not
enter the home.
"""

from __future__ import annotations

import os
import re
import stat
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from deploy.embedded.errors import HomeError

if TYPE_CHECKING:
    from deploy.embedded.user import ServerUser

PORT = 5432  # only part of the socket's name: the server does not listen on TCP
_SOCKET_NAME_MAX = 100  # bytes; Linux allows 107, macOS 103
_PLAIN_PATH = re.compile(r"[A-Za-z0-9_./+-]+")  # what needs no quoting in settings and addresses
_GROUNDS = Path("/var/lib/pitclerk")


@dataclass(frozen=True, slots=True)
class Places:
    """The paths of one home; `ground` is the home, or what stands in for it before the server's user."""

    home: Path
    ground: Path

    @property
    def data(self) -> Path:
        """The server's data directory."""
        return self.ground / "pg"

    @property
    def log(self) -> Path:
        """What the server and its keeper write to standard error."""
        return self.home / "postgres.log"

    @property
    def socket_link(self) -> Path:
        """The socket's directory, or the link to it."""
        return self.home / "socket"


def use_lock(home: Path) -> Path:
    """Held shared by every process that uses the home."""
    return home / "use"


def start_lock(home: Path) -> Path:
    """Held by the one that is starting or stopping the server."""
    return home / "start"


def open_home(home: Path) -> Path:
    """Create the home, for its owner alone, and return it resolved. HomeError if it is not ours to use."""
    try:
        home.mkdir(mode=0o700, parents=True, exist_ok=True)
        home = home.resolve(strict=True)
    except OSError as error:
        raise HomeError(f"cannot use {home} as data directory: {error}") from error
    if os.geteuid() not in (0, home.stat().st_uid):
        raise HomeError(f"{home} belongs to user {home.stat().st_uid}, not to us")
    if not os.access(home, os.W_OK | os.X_OK):
        raise HomeError(f"{home} is not writable")
    return home


def lay_out(home: Path, user: ServerUser) -> Places:
    """Decide where the server's files lie. To be called under the start lock."""
    link = home / "ground"
    if link.is_symlink():
        return Places(home, Path(os.readlink(link)))
    if not user.is_us and home.stat().st_uid == 0:
        home.chmod(home.stat().st_mode & 0o777 | 0o011)  # may be walked through, not listed
    if user.can_reach(home):
        return Places(home, home)
    if (home / "pg").exists():
        raise HomeError(f"user {user.uid}, whom the server runs as, may not enter {home}")
    _GROUNDS.mkdir(mode=0o711, parents=True, exist_ok=True)
    ground = Path(tempfile.mkdtemp(prefix="home-", dir=_GROUNDS))
    ground.chmod(0o711)
    link.symlink_to(ground)
    (home / "pg").symlink_to(ground / "pg")
    return Places(home, ground)


def socket_directory(places: Places, user: ServerUser) -> Path:
    """Return the directory of the socket, creating it if need be. To be called under the start lock."""
    link = places.socket_link
    if link.is_symlink():
        target = Path(os.readlink(link))
        if _is_private(target, user):
            return target
        link.unlink()  # cleared away by a reboot, or no longer ours alone
    elif link.is_dir():
        return link
    if places.ground == places.home and _fits(link):
        link.mkdir(mode=0o700)
        user.give(link)
        return link
    target = Path(tempfile.mkdtemp(prefix="pitclerk-", dir=_short_directory(user)))  # 0700 from the first moment
    user.give(target)
    link.symlink_to(target)
    return target


def _short_directory(user: ServerUser) -> Path:
    runtime = os.environ.get("XDG_RUNTIME_DIR", "")
    candidate = Path(runtime, "pitclerk-12345678")
    if user.is_us and runtime and os.access(runtime, os.W_OK) and _fits(candidate):
        return Path(runtime)
    return Path("/tmp")  # noqa: S108 -- mkdtemp makes a private directory of an unguessable name in it


def _fits(directory: Path) -> bool:
    name = str(directory / f".s.PGSQL.{PORT}")
    return len(os.fsencode(name)) <= _SOCKET_NAME_MAX and _PLAIN_PATH.fullmatch(name) is not None


def _is_private(directory: Path, user: ServerUser) -> bool:
    try:
        found = directory.lstat()
    except FileNotFoundError:
        return False
    return stat.S_ISDIR(found.st_mode) and found.st_uid == user.uid and stat.S_IMODE(found.st_mode) == 0o700
