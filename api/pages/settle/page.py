"""The page "settle a round": a board to click on, a form for who has no script, and the record itself.

A round comes in by a link, by the id of a recorded round, by an example, or posted; on every change the board posts its
record and takes back the part of the page that says who is paid what.
"""

from typing import Any, Final, NamedTuple

import msgspec
from starlette.responses import Response

from api.i18n.catalogue import gettext
from api.pages import terms
from api.pages.frame import Pages
from api.pages.settle import link
from api.pages.settle.board import board
from api.pages.settle.examples import EXAMPLES
from api.pages.settle.form import BETS, BOXES, FieldError, record_of
from api.pages.settle.recorded import Compared, Recorded, compared, recorded
from api.pages.settle.result import Result, settled
from api.pages.visit import Visit
from api.problems import ProblemError
from domain.money import CURRENCIES
from domain.refusals import BAD_RECORD, Refusal
from domain.ruleset import shipped
from domain.settle import decode_record

_PATH: Final = "/settle"


class Shown(NamedTuple):
    """What the page says of a round. text: its record, as it was given."""

    text: str = ""
    result: Result | None = None
    refused: Refusal | None = None
    link: str | None = None
    compared: Compared | None = None


def mount(pages: Pages) -> None:
    pages.show(_PATH, _open)
    pages.form(_PATH, _post, _open)


def _open(visit: Visit) -> Response:
    try:
        of, text = _given(visit)
    except ProblemError as error:
        visit.problem = error
        return _page(visit, Shown(), None)
    return _page(visit, _shown(text, of) if text else Shown(), of)


def _given(visit: Visit) -> tuple[Recorded | None, str]:
    """The record that the address names, and the recorded round it is compared with."""
    query = visit.request.query_params
    name, packed = visit.asked("round").strip(), query.get("r", "")
    of = recorded(visit, name) if name else None
    if packed:
        return of, _pretty(link.unpacked(packed))
    if of is not None:
        return of, _pretty(msgspec.json.encode(of.record))
    return None, EXAMPLES.get(visit.asked("example"), ("", ""))[1]


def _post(visit: Visit) -> Response:
    fields = dict(visit.form.fields)
    text = fields.get("record", "")
    name = visit.form.text("round")
    of = recorded(visit, name) if name else None
    try:
        if "ruleset" in fields:
            text = _pretty(msgspec.json.encode(record_of(fields)))
    except FieldError as error:
        return _page(visit, Shown(refused=Refusal(BAD_RECORD, str(error))), of)
    shown = _shown(text, of)
    if fields.get("part"):
        return _answer(visit, "settle/result.html", shown, of, status=200)
    return _page(visit, shown, of)


def _shown(text: str, of: Recorded | None) -> Shown:
    try:
        record = decode_record(text.encode())
        result = settled(record, shipped if of is None else of.rulesets)
    except Refusal as refusal:
        return Shown(text, refused=refusal)
    beside = None if of is None else compared(of, result.settlement)
    return Shown(text, result, None, link.packed(result.record), beside)


def _pretty(data: bytes) -> str:
    try:
        return msgspec.json.format(data, indent=2).decode()
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise ProblemError("bad_parameter", gettext("the link is damaged or cut off; ask for it again")) from error


def _page(visit: Visit, shown: Shown, of: Recorded | None) -> Response:
    status = 200 if shown.refused is None else 422
    return _answer(
        visit,
        "settle/page.html",
        shown,
        of,
        status=status,
        currencies=list(CURRENCIES),
        examples=EXAMPLES,
        boxes=BOXES,
        bets=BETS,
        fields=visit.form.fields,
        **board(of),
    )


def _answer(visit: Visit, template: str, shown: Shown, of: Recorded | None, *, status: int, **given: Any) -> Response:
    return visit.page(
        template,
        status=status,
        shown=shown,
        text=shown.text,
        result=shown.result,
        refused=shown.refused,
        of=of,
        round_id="" if of is None else of.row.round,
        term=terms.term,
        **given,
    )
