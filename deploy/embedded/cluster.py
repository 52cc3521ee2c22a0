"""Make the data directory: initdb, whole or not at all."""

from __future__ import annotations

import os
import shutil
import subprocess
from typing import TYPE_CHECKING

import structlog

from deploy.embedded import passwords
from deploy.embedded.errors import HomeError, StartError

if TYPE_CHECKING:
    from pathlib import Path

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
    unfinished = places.ground / "pg.unfinished"  # left by one that was killed while it made it
    shutil.rmtree(unfinished, ignore_errors=True)
    unfinished.mkdir(mode=0o700)
    user.give(unfinished)
    _initdb(places, user, programs, unfinished)
    (unfinished / "pg_hba.conf").write_text(HBA, "ascii")
    _sync(unfinished / "pg_hba.conf")
    unfinished.rename(places.data)
    _sync(places.ground)
    log.info("database cluster created", data=str(places.data), uid=user.uid)


def _initdb(places: Places, user: ServerUser, programs: Path, target: Path) -> None:
    # Its own copy: the server's user cannot read the secret itself.
    password_file = places.ground / "initdb.password"
    password_file.unlink(missing_ok=True)
    fd = os.open(password_file, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
    try:
        with os.fdopen(fd, "w") as file:
            file.write(passwords.read(places.home, passwords.SUPERUSER) + "\n")
        user.give(password_file)
        command = [
            str(programs / "initdb"), "--pgdata", str(target), "--username", passwords.SUPERUSER,
            "--pwfile", str(password_file), "--auth", "scram-sha-256", "--encoding", "UTF8", "--no-locale",
            "--data-checksums", "--no-instructions",
        ]  # fmt: skip
        done = user.run(command, timeout_s=INITDB_TIMEOUT_S)
    except subprocess.TimeoutExpired as error:
        raise StartError(f"initdb has taken more than {INITDB_TIMEOUT_S} s") from error
    finally:
        password_file.unlink(missing_ok=True)
    if done.returncode != 0:
        raise HomeError(f"initdb failed: {done.stderr.decode(errors='replace').strip()[-2000:]}")


def _sync(path: Path) -> None:
    fd = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    try:
        os.fsync(fd)
    finally:
        os.close(fd)
