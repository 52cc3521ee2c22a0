"""Progressives: proposed, decided by a second person, their pending hits paid."""

from typing import Final

from starlette.requests import Request
from starlette.responses import Response

from api.http import bodies
from api.http.doors import Doors, Writing
from api.problems import ProblemError
from domain.acts import approvals, hits, progressives
from domain.commands import DecideApproval, PayHit, ProposeProgressive

_APPROVALS: Final = "/v1/approvals/{approval}"


def mount(doors: Doors) -> None:
    doors.write(
        "/v1/progressives",
        ProposeProgressive,
        progressives.propose,
        "Propose a progressive; finance must approve",
        statuses=(202,),
    )

    async def decide(request: Request) -> Response:
        prepared = await doors.recording(request, _APPROVALS)
        (approval,) = prepared.names
        # The door lets in everybody who may decide something; whose consent this one takes is the approval's to say.
        needed = approvals.needs(approval)
        if prepared.asked.role != needed:
            detail = f"{approval} needs the role {needed}; the token's role is {prepared.asked.role}"
            raise ProblemError("role_required", detail)
        command = bodies.decode(prepared.body, DecideApproval)
        return await doors.handle(prepared, command.at, lambda work: approvals.decide(work, approval, command))

    doors.mount("POST", _APPROVALS, decide)
    doors.writings[_APPROVALS] = Writing(DecideApproval, approvals.decide)
    doors.book.write(_APPROVALS, DecideApproval, "Approve or refuse what another person asked for", (200, 201))
    doors.write("/v1/jackpots/{jackpot}/hits/{hit}/pay", PayHit, hits.pay, "Pay a pending hit, once")
