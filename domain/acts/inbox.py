"""Acknowledging an exception: with a note, and never by whoever caused it, approved it or proposed it."""

from typing import NamedTuple

from domain import streams
from domain.commands import Acknowledge
from domain.duties import another_person, on_duty
from domain.events.inbox import ExceptionAcknowledged
from domain.refusals import Refusal
from domain.request import Reply
from domain.work import Work


class Caused(NamedTuple):
    """Where the log tells of what an exception is about."""

    exception: str
    gaming_day: str
    stream: str
    version: int


def acknowledge(work: Work, caused: Caused, command: Acknowledge) -> Reply:
    """Put a note to an exception. Refuses `same_person` to who caused, approved or proposed it, `unknown_exception`."""
    on_duty(work, "acknowledge an exception")
    work.inbox(caused.gaming_day)
    people = work.people_of(caused.stream, caused.version)
    if not people:
        raise Refusal("unknown_exception", f"the log tells of nothing that {caused.exception} could be about")
    another_person(work, f"acknowledge {caused.exception}", people)
    event = ExceptionAcknowledged(
        exception=caused.exception, note=command.note, stream=caused.stream, version=caused.version
    )
    work.record(streams.inbox(caused.gaming_day), [event], gaming_day=caused.gaming_day)
    return Reply({"exception": caused.exception, "state": "acknowledged"})
