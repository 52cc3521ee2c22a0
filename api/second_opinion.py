"""The shadow payer as a guard at the table: a round is settled a second time before it is paid (PITCLERK_SHADOW)."""

from __future__ import annotations

from collections.abc import Sequence

import structlog

from domain.engine.limits import Limits
from domain.events.base import Event
from domain.ruleset import Ruleset
from domain.shadow import ShadowUnsure
from projections.shadow import objections

log = structlog.get_logger("pitclerk.shadow")


def second_opinion(ruleset: Ruleset, limits: Limits, events: Sequence[Event]) -> str | None:
    """What the shadow has against the round. Where it is unsure it has no opinion, and that is logged."""
    round_id = getattr(events[0], "round", None)
    try:
        found = objections(ruleset, limits, events)
    except ShadowUnsure as unsure:
        log.warning("shadow_unsure", round=round_id, ruleset=ruleset.id, why=str(unsure))
        return None
    if not found:
        return None
    log.error("shadow_disagrees", round=round_id, ruleset=ruleset.id, objections=[str(one) for one in found])
    return str(found[0])
