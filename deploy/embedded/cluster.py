"""Make the data directory: initdb, whole or not at all."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

import structlog

from deploy.embedded import passwords
from deploy.embedded.errors import HomeError, StartError

if TYPE_CHECKING:
    from deploy.embedded.places import Places
    from deploy.embedded.user import ServerUser

log = structlog.get_logger(__name__)

INITDB_TIMEOUT_S = 120
# The socket's directory is private already; the password is for the day someone opens it.
HBA = "# TYPE DATABASE USER METHOD\nlocal all all scram-sha-256\n"


def ensure(places: Places, user: ServerUser, programs: Path) -> None:
    """Create the data directory unless it exists. To be called under the start lock."""
    if places.data.is_dir():
        return
    passwords.draw(places.home, passwords.SUPERUSER)
    for left in places.ground.glob("initdb-*"):  # by one that was killed; its initdb may still be writing there
        shutil.rmtree(left, ignore_errors=True)
    workshop = Path(tempfile.mkdtemp(prefix="initdb-", dir=places.ground))
    try:
        user.give(workshop)
        made = _initdb(places, user, programs, workshop)
        (made / "pg_hba.conf").write_text(HBA, "ascii")
        _sync(made / "pg_hba.conf")
        made.rename(places.data)
        _sync(places.ground)
    finally:
        shutil.rmtree(workshop, ignore_errors=True)
    log.info("database cluster created", data=str(places.data), uid=user.uid)


def _initdb(places: Places, user: ServerUser, programs: Path, workshop: Path) -> Path:
    password_file = workshop / "password"  # its own copy: the server's user cannot read the secret itself
    password_file.touch(0o600, exist_ok=False)
    password_file.write_text(passwords.read(places.home, passwords.SUPERUSER) + "\n", "ascii")
    user.give(password_file)
    command = [
        str(programs / "initdb"), "--pgdata", str(workshop / "pg"), "--username", passwords.SUPERUSER,
        "--pwfile", str(password_file), "--auth", "scram-sha-256", "--encoding", "UTF8", "--no-locale",
        "--data-checksums", "--no-instructions",
    ]  # fmt: skip
    try:
        done = user.run(command, timeout_s=INITDB_TIMEOUT_S)
    except subprocess.TimeoutExpired as error:
        raise StartError(f"initdb has taken more than {INITDB_TIMEOUT_S} s") from error
    if done.returncode != 0:
        raise HomeError(f"initdb failed: {done.stderr.decode(errors='replace').strip()[-2000:]}")
    return workshop / "pg"


def _sync(path: Path) -> None:
    fd = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    try:
        os.fsync(fd)
    finally:
        os.close(fd)
