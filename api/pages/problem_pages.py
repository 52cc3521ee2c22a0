"""The pages that `type` of a problem leads to: what a code means, for whoever writes a program against the doors."""

from fastapi import FastAPI
from starlette.requests import Request
from starlette.responses import Response

from api.pages import site
from api.problems import KINDS, ProblemError
from api.wiring import House


def mount(app: FastAPI, _house: House) -> None:
    # Open to everybody: they say nothing about the house.
    async def every(_request: Request) -> Response:
        return site.page("problems.html", here="", kinds=KINDS, only=None)

    async def one(request: Request) -> Response:
        code = request.path_params["code"]
        if code not in KINDS:
            raise ProblemError("not_found", "there is no such code; /problems lists them all")
        return site.page("problems.html", here="", kinds={code: KINDS[code]}, only=code)

    app.add_api_route("/problems", every, methods=["GET"], include_in_schema=False)
    app.add_api_route("/problems/{code}", one, methods=["GET"], include_in_schema=False)
