"""The program looks at its own files before it becomes operational, and the log keeps which program wrote it.

A digest that differs from the last one recorded is a fact with who and when, and a warning in the service's own log:
after an update it is expected, at any other time somebody has changed a file.
"""

from __future__ import annotations

import hashlib
from functools import partial
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from typing import Final, NamedTuple

import structlog

from domain.acts.program import SameProgramError, start
from domain.application import Application
from domain.request import Request

log = structlog.get_logger("pitclerk.service")

PACKAGES: Final = ("api", "deploy", "domain", "projections")


class Files(NamedTuple):
    """digest: SHA-256 (hex) over each file's name and content, in order of names."""

    digest: str
    number: int


def own_files() -> Files:
    """The digest of all files that the program consists of; what Python compiles of them is none of them."""
    places = {name: Path(next(iter(_spec(name)))) for name in PACKAGES}
    return digest_of(places)


def digest_of(places: dict[str, Path]) -> Files:
    """The digest of the files under directories, each known by a name."""
    total, count = hashlib.sha256(), 0
    for name, place in sorted(places.items()):
        for path in sorted(place.rglob("*")):
            if path.is_file() and "__pycache__" not in path.parts and path.suffix != ".pyc":
                content = hashlib.sha256(path.read_bytes()).hexdigest()
                total.update(f"{name}/{path.relative_to(place).as_posix()} {content}\n".encode())
                count += 1
    return Files(total.hexdigest(), count)


def _spec(package: str) -> list[str]:
    spec = find_spec(package)
    assert spec is not None, f"{package} is being run"
    return list(spec.submodule_search_locations or [])


def check_program(application: Application, *, actor: str, files: Files | None = None) -> bool:
    """Whether the program is the one that the log knows; another one is recorded."""
    found = files or own_files()
    request = Request(identity=actor, actor=actor, role="admin")
    act = partial(start, digest=found.digest, files=found.number, version=version("pitclerk"))
    try:
        application.handle(request, act)
    except SameProgramError:
        log.info("program unchanged", digest=found.digest, files=found.number)
        return True
    log.warning("program differs from the last one recorded", digest=found.digest, files=found.number)
    return False
