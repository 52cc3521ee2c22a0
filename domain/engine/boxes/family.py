"""The contract of a family (see `domain.engine`), kept by stud and hold'em alike: only the tables differ."""

from msgspec import UNSET

from domain.engine.boxes.decide import decide
from domain.engine.boxes.exposures import exposure
from domain.engine.boxes.fold import evolve
from domain.engine.boxes.meter import RecordMeter
from domain.engine.boxes.options import next_actions, remaining
from domain.engine.boxes.outputs import conclude, outputs
from domain.engine.boxes.record import read_record
from domain.engine.boxes.script import script
from domain.engine.boxes.settle import settle, settlement
from domain.engine.boxes.state import Round
from domain.engine.jackpot import JackpotPort
from domain.engine.limits import Limits
from domain.engine.record import Record
from domain.engine.settled import Settlement
from domain.engine.sign import check
from domain.events.base import Event
from domain.refusals import BAD_RECORD, Refusal
from domain.ruleset.base import Ruleset

__all__ = [
    "begin",
    "decide",
    "evolve",
    "exposure",
    "next_actions",
    "outputs",
    "play_record",
    "remaining",
    "settle_record",
    "settlement",
]


def begin(ruleset: Ruleset, limits: Limits, round_id: str, number: int) -> Round:
    """A round that has not been opened yet. Refuses (bad_record) limits under which the sheet cannot be played."""
    check(ruleset, limits)
    return Round(ruleset, limits, round_id, number)


def settle_record(ruleset: Ruleset, limits: Limits, record: Record) -> Settlement:
    """The settlement of a finished round at once. Raises Refusal."""
    rnd = Round(ruleset, limits, "", 0)
    read_record(rnd, record)
    return settle(rnd, meter_of(record))


def play_record(state: Round, record: Record, jackpot: JackpotPort | None) -> list[Event]:
    """A finished round as events under the table's own limits. Raises Refusal.

    jackpot None: the record's own meter awards.
    """
    if state.opened:
        raise Refusal(BAD_RECORD, "a finished round is recorded whole; this round has begun")
    _check_same_table(state, record)
    rnd = Round(state.ruleset, state.limits, state.round_id, state.number)
    read_record(rnd, record)
    inputs = script(rnd)
    return inputs + conclude(rnd, jackpot if jackpot is not None else meter_of(record))


def _check_same_table(state: Round, record: Record) -> None:
    """A record that names another sheet or another sign than the table's own is of another table."""
    if record.ruleset != state.ruleset.id:
        raise Refusal(BAD_RECORD, f"the record is of {record.ruleset}, this table plays {state.ruleset.id}")
    if record.table is UNSET:
        return
    for field in ("currency", "chip", "min", "max", "max_payout_per_box"):
        said, posted = getattr(record.table, field), getattr(state.limits, field)
        if said is not UNSET and said != posted:
            raise Refusal(BAD_RECORD, f"table.{field} is {said} in the record and {posted} on the table's sign")


def meter_of(record: Record) -> RecordMeter:
    """The meter that a record brings along."""
    progressive = record.progressive
    if progressive is UNSET:
        return RecordMeter(None)
    meter = None if progressive.meter is UNSET else progressive.meter
    return RecordMeter(meter, 0 if progressive.seed is UNSET else progressive.seed)
