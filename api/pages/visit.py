"""One request to a page: who asks, for what, in which form; and all that a page may do: read, record, answer."""

import secrets
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, TypeVar
from urllib.parse import quote, urlsplit

import msgspec
from anyio import from_thread
from psycopg import Connection
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from api.auth import people, roles
from api.auth.people import Person
from api.auth.sessions import Session
from api.http import bodies
from api.http.doors import Doors
from api.http.keys import request_digest
from api.http.names import path_names
from api.i18n.catalogue import gettext
from api.pages import menu, site
from api.pages.form import Form
from api.problems import KINDS, ProblemError
from domain.commands import DecideApproval
from domain.request import Answer, Reply
from domain.request import Request as Asked
from domain.work import Work

SAID: Final = "pitclerk_said"
"""A cookie of a few seconds: what the page that a form leads to should say has been done."""

APPROVALS: Final = "/v1/approvals/{approval}"
_MOST_SAID: Final = 400
_SAID_S: Final = 20
_LONGEST_FOLD_S: Final = 2.0

T = TypeVar("T")


@dataclass(slots=True)
class Visit:
    """The frame makes it; pages are functions of it. session None: a guest of a demonstration, who only looks."""

    doors: Doors
    request: Request
    session: Session | None
    form: Form = field(default_factory=lambda: Form({}))
    problem: ProblemError | None = None
    position: int | None = None
    """Up to where the log was known to what is shown; None: where the views stand."""

    # Who and what

    @property
    def person(self) -> Person | None:
        """Who is signed in."""
        return None if self.session is None else self.session.person

    @property
    def names(self) -> list[str]:
        """The names in the path, in order, each of its form. Refuses `bad_parameter`."""
        return path_names(self.request)

    @property
    def path(self) -> str:
        """The path asked for."""
        return str(self.request.scope["path"])

    def asked(self, name: str, default: str = "") -> str:
        """A parameter of the query, the last of its name; at most 200 characters are looked at."""
        return self.request.query_params.get(name, default)[:200]

    def may(self, door: str) -> bool:
        """Whether who is signed in may use a door (`POST /v1/gaming-days`): pages offer only what may be done."""
        return self.person is not None and self.person.role in roles.DOORS[door]

    @property
    def problem_title(self) -> str:
        """What stands in the way, in the reader's words; `problem.detail` says it exactly, in English."""
        return "" if self.problem is None else gettext(KINDS[self.problem.code].title)

    # Reading

    def read(self, read: Callable[[Connection[Any]], T]) -> T:
        """Read from the views, on an idle connection."""
        return self.doors.house.read(read)

    # Recording: the acts of the doors, by the people on this side of the screen

    def act(self, door: str, *names: str, body: Mapping[str, Any], by: Person | None = None) -> dict[str, Any]:
        """Do what a recording door does, with its command, its act and its roles; the answer with its `status`.

        door: its path, `/v1/tables/{table}/fills`. by: who acts, the person signed in if nobody is named. Refuses what
        the door would refuse. A form sent twice acts once: its `key` is the idempotency key.
        """
        writing = self.doors.writings[door]
        return self.record(
            door, writing.command, lambda work, asked: writing.act(work, *names, asked), names, body=body, by=by
        )

    def record(
        self,
        door: str,
        command: type[Any],
        act: Callable[[Work, Any], Reply],
        names: tuple[str, ...] = (),
        *,
        body: Mapping[str, Any],
        by: Person | None = None,
    ) -> dict[str, Any]:
        """As `act`, for the doors that find out something before they act."""
        person = by or self.person
        if person is None:
            raise ProblemError("unauthenticated", "sign in to do this")
        if person.role not in roles.allowed("POST", door):
            needed = " or ".join(sorted(roles.allowed("POST", door)))
            raise ProblemError("role_required", f"this needs the role {needed}; {person.id} has the role {person.role}")
        encoded = msgspec.json.encode(body)
        understood = bodies.decode(encoded, command)
        path = "/".join((door, *names))
        asked = Asked(
            identity=f"person.{person.id}",
            actor=person.id,
            role=person.role,
            key=self._key(),
            digest=request_digest("POST", path, encoded),
            at=bodies.business_time(understood.at),
        )
        return self._handled(asked, lambda work: act(work, understood))

    def approve(self, approval: str, by: Person) -> dict[str, Any]:
        """Have a second person approve what has just been asked for; the answer is the act's own."""
        return self.act(APPROVALS, approval, body=msgspec.to_builtins(DecideApproval(decision="approve")), by=by)

    def second(self) -> Person:
        """The second person, who has entered their own name and password into this form. Refuses `sign_in_failed`,
        `must_wait` and, for somebody who is signed in here already, `same_person`.
        """
        given = self.form.required("second_person", gettext("the second person"))
        password = self.form.fields.get("second_password", "")
        found = known_person(self.doors, given, password)
        if self.person is not None and found.id == self.person.id:
            raise ProblemError("same_person", f"{found.id} is signed in here; another person must do this")
        return found

    def _key(self) -> str:
        # One form may do several things, each by another person or at another door: those are other scopes or digests.
        given = self.form.text("key")
        if not 16 <= len(given) <= 80 or not given.isascii():
            raise ProblemError("bad_idempotency_key", "the form carries no key of its own; open the page again")
        return given

    def _handled(self, asked: Asked, act: Callable[[Work], Reply]) -> dict[str, Any]:
        answer: Answer = self.doors.house.application.handle(asked, act)
        self.request.scope["state"]["facts"]["position"] = answer.position
        return {**msgspec.json.decode(answer.body), "status": answer.status}

    # Answering

    def page(self, template: str, *, status: int = 200, **given: Any) -> Response:
        """A page of the house, with what the frame of every page needs."""
        problem = self.problem
        if problem is not None and status == 200:
            status = KINDS[problem.code].status
        said = self.request.cookies.get(SAID, "")
        answer = site.page(
            template,
            status,
            visit=self,
            here=self.path,
            menu=menu.of(self),
            form=self.form,
            problem=problem,
            said=msgspec.json.decode(bytes.fromhex(said)) if _is_said(said) else "",
            **given,
        )
        if said:
            answer.delete_cookie(SAID)
        return answer

    def go(self, path: str, said: str = "") -> Response:
        """On to another page after something was done, which then says so, and shows figures that know of it."""
        self._until_shown()
        answer = RedirectResponse(path, 303, headers=site.HEADERS)
        if said:
            packed = msgspec.json.encode(said[:_MOST_SAID]).hex()
            answer.set_cookie(SAID, packed, max_age=_SAID_S, httponly=True, samesite="strict")
        return answer

    def _until_shown(self) -> None:
        """Wait until the views know what was recorded; not for long, since it is recorded in any case."""
        position = self.request.scope["state"]["facts"].get("position")
        if position is not None:
            from_thread.run(self.doors.house.hub.reach, position, _LONGEST_FOLD_S)

    def new_key(self) -> str:
        """A key for a form that records; a form that is shown again after a refusal keeps its own."""
        return self.form.text("key") or secrets.token_urlsafe(18)

    def form_key(self, which: str) -> str:
        """As `new_key`, for one of several forms of a page, by its field `form`: only the one sent keeps its own."""
        return self.new_key() if self.form.text("form") == which else secrets.token_urlsafe(18)


def known_person(doors: Doors, person_id: str, password: str) -> Person:
    """Who has given their name and password. Refuses `sign_in_failed` and `must_wait`."""
    try:
        found = doors.house.read(lambda conn: people.recognise(conn, person_id[:60], password))
    except people.MustWait as error:
        raise ProblemError("must_wait", "too many wrong passwords in a row; wait a minute and try again") from error
    if found is None:
        raise ProblemError("sign_in_failed", "nobody of this name has access, or the password is another")
    return found


def sign_in_path(request: Request) -> str:
    """Where to sign in, and then come back here; from a form that was sent, to the page that held it."""
    if request.method == "POST":
        return "/sign-in?next=" + quote(_page_before(request), safe="/")
    query = request.scope["query_string"].decode("latin-1")
    return "/sign-in?next=" + quote(request.scope["path"] + (f"?{query}" if query else ""), safe="/")


def _page_before(request: Request) -> str:
    """The page of this house that a form came from; the first page where the browser does not say, or says another."""
    before = urlsplit(request.headers.get("referer", ""))
    if before.netloc != request.headers.get("host") or not before.path:
        return "/"
    return before.path + (f"?{before.query}" if before.query else "")


def _is_said(text: str) -> bool:
    try:
        return isinstance(msgspec.json.decode(bytes.fromhex(text)), str)
    except (ValueError, msgspec.DecodeError):
        return False
