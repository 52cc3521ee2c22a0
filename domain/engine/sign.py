"""From the `table` part of a record to limits, checked against what the ruleset needs of a chip."""

from msgspec import UNSET, UnsetType

from domain.engine.limits import Limits
from domain.engine.record import RecordTable
from domain.refusals import BAD_RECORD, Refusal
from domain.ruleset.base import Ruleset

_DEFAULTS: dict[int, Limits] = {}


def limits_of(ruleset: Ruleset, table: RecordTable | UnsetType) -> Limits:
    """The limits a record is settled under. Left out means: any ante from one chip up, chip 1 (or the step), no cap."""
    step = ruleset.chip_step
    if table is UNSET or isinstance(table, UnsetType):
        known = _DEFAULTS.get(step)
        if known is None:
            known = _DEFAULTS[step] = Limits(chip=step, min=step)
        return known
    chip = step if isinstance(table.chip, UnsetType) else table.chip
    least = chip if isinstance(table.min, UnsetType) else max(table.min, chip)
    most = None if isinstance(table.max, UnsetType) else table.max
    limits = Limits(
        currency="EUR" if isinstance(table.currency, UnsetType) else table.currency,
        chip=chip,
        min=least,
        max=most,
        max_payout_per_box=None if isinstance(table.max_payout_per_box, UnsetType) else table.max_payout_per_box,
    )
    check(ruleset, limits)
    return limits


def check(ruleset: Ruleset, limits: Limits) -> None:
    """Refuse (bad_record) a sign that the ruleset cannot be played under."""
    if limits.chip % ruleset.chip_step:
        raise Refusal(
            BAD_RECORD,
            f"table.chip is {limits.chip}; this sheet makes parts of it: it must be a multiple of {ruleset.chip_step}",
        )
    if limits.max is not None and limits.max < limits.min:
        raise Refusal(BAD_RECORD, f"table.max is {limits.max}, which is under the minimum of {limits.min}")
