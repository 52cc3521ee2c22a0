"""From the `table` part of a record to limits, checked against what the ruleset needs of a chip."""

from functools import lru_cache

from msgspec import UNSET, UnsetType

from domain.engine.limits import Limits
from domain.engine.record import RecordTable
from domain.refusals import BAD_RECORD, Refusal
from domain.ruleset.base import Ruleset

_NOTHING_SAID = RecordTable()


def limits_of(ruleset: Ruleset, table: RecordTable | UnsetType) -> Limits:
    """The limits a record is settled under. Left out means: any ante from one chip up, chip 1 (or the step), no cap.

    Refuses (bad_record) a sign that the ruleset cannot be played under.
    """
    return _limits(ruleset.chip_step, _NOTHING_SAID if table is UNSET else table)


def check(ruleset: Ruleset, limits: Limits) -> None:
    """Refuse (bad_record) a sign that the ruleset cannot be played under."""
    _check(ruleset.chip_step, limits)


@lru_cache(maxsize=1024)  # the rounds of a file are of few tables
def _limits(step: int, table: RecordTable) -> Limits:
    chip = step if table.chip is UNSET else table.chip
    limits = Limits(
        currency="EUR" if table.currency is UNSET else table.currency,
        chip=chip,
        min=chip if table.min is UNSET else max(table.min, chip),
        max=None if table.max is UNSET else table.max,
        max_payout_per_box=None if table.max_payout_per_box is UNSET else table.max_payout_per_box,
    )
    _check(step, limits)
    return limits


def _check(step: int, limits: Limits) -> None:
    if limits.chip % step:
        detail = f"table.chip is {limits.chip}; this sheet makes parts of it: it must be a multiple of {step}"
        raise Refusal(BAD_RECORD, detail)
    if limits.max is not None and limits.max < limits.min:
        raise Refusal(BAD_RECORD, f"table.max is {limits.max}, which is under the minimum of {limits.min}")
