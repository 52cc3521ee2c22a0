"""Settle a round: paste its record or fill in a form, and see who is paid what and why. Nothing is recorded."""

from typing import Any

import msgspec
from starlette.responses import Response

from api.pages.frame import Pages
from api.pages.settle_examples import EXAMPLES
from api.pages.settle_form import BETS, BOXES, FieldError, record_of
from api.pages.settle_result import Result, settled
from api.pages.visit import Visit
from domain.money import CURRENCIES
from domain.refusals import BAD_RECORD, Refusal
from domain.ruleset import shipped, shipped_ids
from domain.settle import decode_record


def mount(pages: Pages) -> None:
    pages.show("/settle", _empty)
    pages.form("/settle", _settle, _empty)


def _empty(visit: Visit) -> Response:
    text = EXAMPLES.get(visit.asked("example"), (None, ""))[1]
    return _page(visit, text=text)


def _settle(visit: Visit) -> Response:
    fields = dict(visit.form.fields)
    text = fields.get("record", "")
    try:
        if "ruleset" in fields:
            text = msgspec.json.format(msgspec.json.encode(record_of(fields)), indent=2).decode()
        result = settled(decode_record(text.encode()))
    except FieldError as error:
        return _page(visit, text="", refused=Refusal(BAD_RECORD, str(error)))
    except Refusal as refusal:
        return _page(visit, text=text, refused=refusal)
    return _page(visit, text=text, result=result)


def _page(visit: Visit, *, text: str, result: Result | None = None, refused: Refusal | None = None) -> Response:
    return visit.page(
        "settle.html",
        status=200 if refused is None else 422,
        rulesets=_rulesets(),
        currencies=list(CURRENCIES),
        examples=EXAMPLES,
        boxes=BOXES,
        bets=BETS,
        fields=visit.form.fields,
        text=text,
        result=result,
        refused=refused,
    )


def _rulesets() -> list[dict[str, Any]]:
    found = [shipped(ruleset_id) for ruleset_id in shipped_ids()]
    return [{"id": ruleset.id, "name": ruleset.name, "engine": ruleset.engine} for ruleset in found]
