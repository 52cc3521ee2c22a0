"""One recorded round under other terms: what people did, settled by another sheet or another sign."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple

import msgspec
from msgspec import structs

from domain import engine
from domain.engine.jackpot import JackpotPort
from domain.engine.limits import Limits
from domain.engine.record import Record
from domain.events.base import Event
from domain.events.play import AntePlaced, BonusPlaced, RoundOpened, RoundStopped
from domain.refusals import Refusal
from domain.ruleset import Ruleset
from projections.round_record import inputs_of

AS_IT_WAS: Literal["as it was"] = "as it was"


class Terms(NamedTuple):
    """What is other. ruleset None: the sheet as it was. cap: minor units, None no cap. jackpot_ppm None: as it was."""

    ruleset: Ruleset | None = None
    cap: int | Literal["as it was"] | None = AS_IT_WAS
    jackpot_ppm: int | None = None

    def limits(self, recorded: Limits) -> Limits:
        """The sign with the other cap."""
        return recorded if self.cap == AS_IT_WAS else structs.replace(recorded, max_payout_per_box=self.cap)

    def sheet(self, recorded: Ruleset) -> Ruleset:
        """The other sheet, where there is one of the same engine."""
        chosen = self.ruleset
        return recorded if chosen is None or chosen.engine != recorded.engine else chosen

    def concern(self, recorded: Ruleset) -> bool:
        """Whether a round of this sheet is played again: those of other games are not, where another sheet is tried."""
        return self.ruleset is None or self.ruleset.engine == recorded.engine


class NotComparableError(Exception):
    """What people did in the round cannot be done under the other terms."""


def play_again(
    terms: Terms, recorded: Ruleset, limits: Limits, events: Sequence[Event], port: JackpotPort | None
) -> list[Event]:
    """The round's events under the other terms. Raises NotComparableError."""
    if any(isinstance(event, RoundStopped) for event in events):
        raise NotComparableError("stopped by a supervisor")
    opened = events[0]
    assert isinstance(opened, RoundOpened), "a round begins with its opening"
    sheet = terms.sheet(recorded)
    sign = terms.limits(limits)
    if sign.chip % sheet.chip_step:
        raise NotComparableError(f"the table's chip of {sign.chip} is no multiple of the sheet's {sheet.chip_step}")
    if any(isinstance(e, AntePlaced | BonusPlaced) and e.outside_limits for e in events):
        # The dealer had accepted them; a finished record has no way to say so.
        sign = structs.replace(sign, min=sign.chip, max=None)
    try:
        state = engine.begin(sheet, sign, opened.round, opened.number)
        record = msgspec.convert({"ruleset": sheet.id, **inputs_of(events)}, Record)
        return engine.play_record(state, record, port)
    except Refusal as refusal:
        raise NotComparableError(str(refusal)) from refusal
    except msgspec.ValidationError as error:
        raise NotComparableError(f"no whole record: {error}") from error
