"""One round in, its settlement out: JSON to JSON, without an event and without a log.

`settle_line` takes one record and never raises: what cannot be settled comes back as an error object. `settle_stream`
does a whole file in flat memory, one round a line or one round in all.
"""

import json
from collections.abc import Callable
from typing import Any, BinaryIO, Final

import msgspec

from domain.engine import settle_record as settle_by_engine
from domain.engine.record import Record
from domain.engine.sign import limits_of
from domain.refusals import BAD_RECORD, Refusal
from domain.ruleset import Ruleset, shipped

MOST_BYTES: Final = 1_000_000
"""The longest line that is read: more than a hundred times what the longest round needs."""

Resolver = Callable[[str], Ruleset]
"""From a ruleset's id to the ruleset; raises KeyError for one it does not know."""

_DECODER: Final = msgspec.json.Decoder(Record)
_ENCODER: Final = msgspec.json.Encoder()


def settle_record(record: Record, rulesets: Resolver = shipped) -> msgspec.Struct:
    """The settlement of a decoded record. Raises Refusal."""
    try:
        ruleset = rulesets(record.ruleset)
    except KeyError:
        raise Refusal(BAD_RECORD, f"there is no ruleset {record.ruleset!r}") from None
    return settle_by_engine(ruleset, limits_of(ruleset, record.table), record)


def decode_record(line: bytes) -> Record:
    """A record from its JSON. Refuses bad_record."""
    try:
        record = _DECODER.decode(line)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise Refusal(BAD_RECORD, str(error), _box_of(line, str(error))) from error
    _check_keys_once(line, record)
    return record


def settle_line(line: bytes, rulesets: Resolver = shipped) -> bytes:
    """One record's settlement as JSON, or its error object; never raises on bad input."""
    try:
        return _ENCODER.encode(settle_record(decode_record(line), rulesets))
    except Refusal as refusal:
        return error_of(refusal)


def error_of(refusal: Refusal) -> bytes:
    """The error object of a refusal."""
    error: dict[str, Any] = {"code": refusal.code}
    if refusal.box is not None:
        error["box"] = refusal.box
    error["detail"] = refusal.detail
    return _ENCODER.encode({"error": error})


def _check_keys_once(line: bytes, record: Record) -> None:
    """Refuse a key given twice, of which a decoder silently keeps the last.

    The record written out again has a colon for each key it was read from; more of them in the text mean a key too many
    or a colon within a text, and only then it is worth while to look closely.
    """
    if line.count(b":") == _ENCODER.encode(record).count(b":") and b"\\" not in line:
        return
    json.loads(line, object_pairs_hook=_keys_once)


def _keys_once(pairs: list[tuple[str, Any]]) -> None:
    keys = [key for key, _ in pairs]
    for key in keys:
        if keys.count(key) > 1:
            raise Refusal(BAD_RECORD, f"the field {key!r} is there twice in one object")


def _box_of(line: bytes, message: str) -> int | None:
    """The number of the box in which a decoder found something wrong, where that can be told."""
    _, found, rest = message.partition("`$.boxes[")
    if not found:
        return None
    try:
        number = json.loads(line)["boxes"][int(rest.partition("]")[0])]["box"]
    except (ValueError, LookupError, TypeError, RecursionError):
        return None
    return number if type(number) is int else None


def settle_stream(source: BinaryIO, sink: BinaryIO, *, jsonl: bool, rulesets: Resolver = shipped) -> int:
    """Settle what `source` holds into `sink`; the exit status: 0 all settled, 1 some lines refused, 2 refused whole.

    jsonl: a record a line, blank lines passed over, each answered on a line of its own; else one record in all.
    """
    if jsonl:
        return _settle_lines(source, sink, rulesets)
    whole = source.read(MOST_BYTES + 1)
    answer = settle_line(whole, rulesets) if len(whole) <= MOST_BYTES else _too_long()
    sink.write(answer + b"\n")
    return 2 if answer.startswith(b'{"error"') else 0


def _settle_lines(source: BinaryIO, sink: BinaryIO, rulesets: Resolver) -> int:
    status = 0
    while line := source.readline(MOST_BYTES + 1):
        if len(line) > MOST_BYTES:
            _skip_rest(source, line)
            answer = _too_long()
        elif line.isspace():
            continue
        else:
            answer = settle_line(line, rulesets)
        if answer.startswith(b'{"error"'):
            status = 1
        sink.write(answer)
        sink.write(b"\n")
    return status


def _too_long() -> bytes:
    return error_of(Refusal(BAD_RECORD, f"the record is longer than {MOST_BYTES} bytes"))


def _skip_rest(source: BinaryIO, line: bytes) -> None:
    while line and not line.endswith(b"\n"):
        line = source.readline(MOST_BYTES)
