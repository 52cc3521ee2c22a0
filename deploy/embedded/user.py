"""Who the server runs as: PostgreSQL refuses root, so root lends it to an ordinary user."""

from __future__ import annotations

import os
import pwd
import subprocess
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from deploy.embedded.errors import ServerUserError

if TYPE_CHECKING:
    from pathlib import Path

# `pitclerk` first: an image or a package may have made it. `nobody` exists nearly everywhere.
CANDIDATES = ("pitclerk", "nobody", "postgres", "daemon")


@dataclass(frozen=True, slots=True)
class ServerUser:
    """The user and group of the server's processes and files."""

    uid: int
    gid: int

    @property
    def is_us(self) -> bool:
        """Whether no change of user is needed."""
        return self.uid == os.geteuid()

    def run(self, command: list[str], *, timeout_s: float) -> subprocess.CompletedProcess[bytes]:
        """Run a command as this user with a bare environment, output captured."""
        lend: dict[str, Any] = {} if self.is_us else {"user": self.uid, "group": self.gid, "extra_groups": []}
        return subprocess.run(  # noqa: S603 -- our own programs
            command, capture_output=True, timeout=timeout_s, cwd="/", env=ENVIRONMENT, check=False, **lend
        )

    def can_reach(self, directory: Path) -> bool:
        """Whether this user may enter `directory`: tried, since mode bits do not tell of access lists."""
        enter = ["/bin/sh", "-c", 'cd -- "$1"', "sh", str(directory)]
        return self.is_us or self.run(enter, timeout_s=10).returncode == 0

    def give(self, path: Path) -> None:
        """Make this user the owner of `path`."""
        if not self.is_us:
            os.chown(path, self.uid, self.gid)


# Nothing of the caller's environment reaches the server: PG* variables and locales would change what it does.
ENVIRONMENT = {"PATH": "/usr/bin:/bin", "LC_ALL": "C", "TZ": "UTC"}


def server_user(home: Path) -> ServerUser:
    """Choose: ourselves, unless we are root; then whoever owns the data, or the home, or a well-known ordinary user."""
    if os.geteuid() != 0:
        return ServerUser(os.geteuid(), os.getegid())
    for path in (home / "pg", home):
        if path.exists() and path.stat().st_uid != 0:
            return ServerUser(path.stat().st_uid, path.stat().st_gid)
    for name in CANDIDATES:
        try:
            entry = pwd.getpwnam(name)
        except KeyError:
            continue
        if entry.pw_uid != 0:
            return ServerUser(entry.pw_uid, entry.pw_gid)
    raise ServerUserError(f"PostgreSQL does not run as root, and none of these users exists: {', '.join(CANDIDATES)}")
