"""The contract of a family (see `domain.engine`), kept by stud and hold'em alike: only the tables differ."""

from msgspec import UnsetType

from domain.engine.boxes.meter import RecordMeter
from domain.engine.boxes.record import read_record
from domain.engine.boxes.settle import settle
from domain.engine.boxes.state import Round
from domain.engine.limits import Limits
from domain.engine.record import Record
from domain.engine.settled import Settlement
from domain.ruleset.base import Ruleset


def settle_record(ruleset: Ruleset, limits: Limits, record: Record) -> Settlement:
    """The settlement of a finished round at once. Raises Refusal."""
    rnd = Round(ruleset, limits, "", 0)
    read_record(rnd, record)
    return settle(rnd, _meter(record))


def _meter(record: Record) -> RecordMeter:
    progressive = record.progressive
    if isinstance(progressive, UnsetType):
        return RecordMeter(None)
    meter = None if isinstance(progressive.meter, UnsetType) else progressive.meter
    return RecordMeter(meter, 0 if isinstance(progressive.seed, UnsetType) else progressive.seed)
