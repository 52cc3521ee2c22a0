"""Acknowledging exceptions: the views say what an exception is about, the log decides who may put a note to it."""

from typing import Final

from starlette.requests import Request
from starlette.responses import Response

from api.http import bodies
from api.http.doors import Doors
from api.problems import ProblemError
from domain.acts import inbox
from domain.commands import Acknowledge
from projections.reads import exceptions

_PATH: Final = "/v1/exceptions/{exception}/acknowledge"


def mount(doors: Doors) -> None:
    async def acknowledge(request: Request) -> Response:
        prepared = await doors.recording(request, _PATH)
        (name,) = prepared.names
        command = bodies.decode(prepared.body, Acknowledge)
        found = await doors.reading(lambda conn: exceptions.exception(conn, name))
        if not isinstance(found, exceptions.ExceptionRow):
            raise ProblemError("unknown_exception", f"there is no exception {name!r}")
        caused = inbox.Caused(name, found.gaming_day, found.stream, found.version)
        return await doors.handle(prepared, command.at, lambda work: inbox.acknowledge(work, caused, command))

    doors.mount("POST", _PATH, acknowledge)
    doors.book.write(_PATH, Acknowledge, "Put a note to an exception that somebody else caused", (201,))
