"""The passwords of the server's two logins: drawn once, kept in files that only the home's owner can read."""

from __future__ import annotations

import os
import secrets
from typing import TYPE_CHECKING
from urllib.parse import quote

from deploy.embedded.errors import HomeError
from deploy.embedded.places import PORT

if TYPE_CHECKING:
    from pathlib import Path

SUPERUSER = "postgres"
SERVICE = "pitclerk_service"
DATABASE = "pitclerk"


def _file(home: Path, role: str) -> Path:
    return home / f"{role}.password"


def draw(home: Path, role: str) -> bool:
    """Draw and keep the password of `role` unless it has one; True if it was drawn now."""
    path = _file(home, role)
    if path.exists():
        return False
    unfinished = path.with_suffix(".unfinished")
    unfinished.unlink(missing_ok=True)
    fd = os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
    with os.fdopen(fd, "w") as file:
        file.write(secrets.token_urlsafe(24))
        file.flush()
        os.fsync(fd)
    if os.geteuid() == 0:  # a home of an ordinary user stays that user's, also when root is the first to use it
        os.chown(unfinished, home.stat().st_uid, home.stat().st_gid)
    unfinished.rename(path)
    return True


def read(home: Path, role: str) -> str:
    """Return the password of `role`; HomeError if its file is gone."""
    try:
        return _file(home, role).read_text("ascii")
    except OSError as error:
        raise HomeError(f"the password of {role} cannot be read: {error}") from error


def url(home: Path, directory: Path, role: str, database: str = DATABASE) -> str:
    """Return the PostgreSQL URL of `database` for `role` over the socket in `directory`."""
    host = quote(str(directory), safe="")
    return f"postgresql://{role}:{quote(read(home, role), safe='')}@/{database}?host={host}&port={PORT}"
