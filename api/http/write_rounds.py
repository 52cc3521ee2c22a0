"""Rounds at an open table: a finished record in one call, or live, step by step.

Both begin at the same door. Which one is meant: a body with `shoe` is a live round; else a body that holds anything
only a finished round has (`ruleset`, cards, play, a dealer, a board, bets, a result, a misdeal) is a round record;
else it is a live round. So neither can be taken for the other, and a record that lacks a part is refused as a record.
"""

from datetime import datetime
from typing import Any, Final

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from api.http import bodies
from api.http.doors import Doors, Writing
from api.http.openapi import REF
from domain.acts import rounds
from domain.commands import LiveAction, LiveCards, LiveDealer, OpenLiveRound, VoidRound
from domain.engine.record import Record
from domain.refusals import BAD_RECORD, Refusal
from domain.settle import decode_record

_PATH: Final = "/v1/tables/{table}/rounds"
_ONLY_RECORDS: Final = frozenset({"ruleset", "table", "dealer", "board", "misdeal", "progressive", "bets", "result"})
_FROM_THE_LOG: Final = ("table", "progressive")


def mount(doors: Doors) -> None:
    async def play(request: Request) -> Response:
        prepared = await doors.recording(request, _PATH)
        fields = bodies.decode(prepared.body, dict[str, msgspec.Raw])
        (table,) = prepared.names
        if is_record(fields):
            at = _business_time(fields)
            record = record_of(fields)
            return await doors.handle(prepared, at, lambda work: rounds.play_record(work, table, record))
        command = bodies.decode(prepared.body, OpenLiveRound)
        return await doors.handle(prepared, command.at, lambda work: rounds.open_round(work, table, command))

    doors.mount("POST", _PATH, play)
    doors.writings[_PATH] = Writing(OpenLiveRound, rounds.open_round)
    doors.book.shapes.extend((Record, OpenLiveRound))
    either = {"oneOf": [{"$ref": REF.format(name=shape.__name__)} for shape in (Record, OpenLiveRound)]}
    body = {"required": True, "content": {"application/json": {"schema": either}}}
    doors.book.add("POST", _PATH, "Record a finished round, or open a live one", (201,), body=body, keyed=True)
    current = f"{_PATH}/current"
    doors.write(f"{current}/cards", LiveCards, rounds.deal, "Deal: cards of an outside shoe, or the house shoe's")
    doors.write(f"{current}/actions", LiveAction, rounds.act, "What a box does, or a wager")
    doors.write(f"{current}/dealer", LiveDealer, rounds.dealer, "The dealer's cards, or the number called")
    doors.write(f"{current}/void", VoidRound, rounds.void_round, "End the round: a misdeal, or a supervisor's reason")


def is_record(fields: dict[str, msgspec.Raw]) -> bool:
    """Whether the body is a finished round's record rather than the opening of a live round."""
    if "shoe" in fields:
        return False
    return bool(_ONLY_RECORDS & fields.keys()) or _has_cards(fields.get("boxes"))


def _has_cards(boxes: msgspec.Raw | None) -> bool:
    found: Any = None if boxes is None else msgspec.json.decode(boxes)
    return isinstance(found, list) and any(isinstance(box, dict) and {"cards", "play"} & box.keys() for box in found)


def _business_time(fields: dict[str, msgspec.Raw]) -> datetime | None:
    """Take `at`, which every body may carry, out of the record's own fields."""
    at = fields.pop("at", None)
    return None if at is None else bodies.decode(bytes(at), datetime | None)  # type: ignore[arg-type]


def record_of(fields: dict[str, msgspec.Raw]) -> Record:
    """The record, strictly. Refuses `bad_record`, also for what an open table has from the log already."""
    for name in _FROM_THE_LOG:
        if name in fields:
            raise Refusal(BAD_RECORD, f"`{name}` comes from the table's own session: leave it out")
    return decode_record(msgspec.json.encode(fields))
