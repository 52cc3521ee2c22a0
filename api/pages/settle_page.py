"""Settle a round: paste its record or fill in a form, and see who is paid what and why. Nothing is recorded."""

from typing import Any, Final
from urllib.parse import parse_qsl

import msgspec
from anyio import to_thread
from fastapi import FastAPI
from starlette.requests import Request
from starlette.responses import Response

from api.http import bodies
from api.pages import site
from api.pages.settle_examples import EXAMPLES
from api.pages.settle_form import BETS, BOXES, FieldError, record_of
from api.pages.settle_result import Result, settled
from api.problems import ProblemError
from api.wiring import House
from domain.money import CURRENCIES
from domain.refusals import BAD_RECORD, Refusal
from domain.ruleset import shipped, shipped_ids
from domain.settle import decode_record

_FORM_TYPE: Final = "application/x-www-form-urlencoded"
_MOST_FIELDS: Final = 400


def mount(app: FastAPI, house: House) -> None:
    async def form(request: Request) -> Response:
        site.may_look(request, house)
        wanted = request.query_params.get("example", "")
        text = EXAMPLES.get(wanted, (None, ""))[1]
        return _page(fields={}, text=text)

    async def settle(request: Request) -> Response:
        site.may_look(request, house)
        if bodies.media_type(request) != _FORM_TYPE:
            raise ProblemError("unsupported_media_type", f"the form is sent as {_FORM_TYPE}")
        fields = _fields(await bodies.whole(request))
        return await to_thread.run_sync(_settle, fields)

    app.add_api_route("/settle", form, methods=["GET"], include_in_schema=False)
    app.add_api_route("/settle", settle, methods=["POST"], include_in_schema=False)


def _fields(body: bytes) -> dict[str, str]:
    try:
        pairs = parse_qsl(body.decode("utf-8"), keep_blank_values=True, max_num_fields=_MOST_FIELDS, errors="strict")
    except ValueError as error:
        raise ProblemError("bad_body", f"the form cannot be read: {error}") from error
    return dict(pairs)


def _settle(fields: dict[str, str]) -> Response:
    text = fields.get("record", "")
    try:
        if "ruleset" in fields:
            text = msgspec.json.format(msgspec.json.encode(record_of(fields)), indent=2).decode()
        result = settled(decode_record(text.encode()))
    except FieldError as error:
        return _page(fields=fields, text="", refused=Refusal(BAD_RECORD, str(error)))
    except Refusal as refusal:
        return _page(fields=fields, text=text, refused=refusal)
    return _page(fields=fields, text=text, result=result)


def _page(
    *, fields: dict[str, str], text: str, result: Result | None = None, refused: Refusal | None = None
) -> Response:
    return site.page(
        "settle.html",
        status=200 if refused is None else 422,
        here="/settle",
        rulesets=_rulesets(),
        currencies=list(CURRENCIES),
        examples=EXAMPLES,
        boxes=BOXES,
        bets=BETS,
        fields=fields,
        text=text,
        result=result,
        refused=refused,
    )


def _rulesets() -> list[dict[str, Any]]:
    found = [shipped(ruleset_id) for ruleset_id in shipped_ids()]
    return [{"id": ruleset.id, "name": ruleset.name, "engine": ruleset.engine} for ruleset in found]
