"""A service says which program it is before it records anything else."""

from domain import streams
from domain.events.program import ProgramStarted
from domain.request import Reply
from domain.work import Work


class SameProgramError(Exception):
    """The log says already that this very program writes it."""


def start(work: Work, digest: str, files: int, version: str) -> Reply:
    """Record a program that differs from the last one. Raises SameProgramError where it does not."""
    previous = work.program().digest
    if previous == digest:
        raise SameProgramError
    event = ProgramStarted(digest=digest, files=files, version=version, previous=previous)
    work.record(streams.PROGRAM, [event])
    return Reply({"digest": digest, "previous": previous})
