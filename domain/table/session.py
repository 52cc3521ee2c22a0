"""One table session as a fold of its stream: its terms, its expected tray, and the round on the felt."""

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime

from domain import engine
from domain.engine.limits import Limits
from domain.events.base import Event, Meta
from domain.events.chips import BuyIn
from domain.events.colour import ColourCashedIn, ColourIssued
from domain.events.correction import (
    CorrectionProposed,
    CorrectionRefused,
    RoundCorrected,
    RulingMade,
    RulingProposed,
    RulingRefused,
)
from domain.events.play import RoundOpened
from domain.events.session import LimitsPosted, SessionClosed, SessionOpened
from domain.postings import tray_change
from domain.ruleset import Ruleset

RulesetByDigest = Callable[[str], Ruleset]


@dataclass(slots=True)
class TableSession:
    """tray: what should lie in the tray (minor units). round: the round in play, None between rounds.

    felt: what was recorded since that round began. proposals wait for a second person: approval -> what was proposed,
    and by whom. colours: who plays which. buy_ins: recorded tender, minor units, of this session's own time.
    posted: the limits that the sign has shown, each since when.
    """

    opened: SessionOpened
    ruleset: Ruleset
    limits: Limits
    tray: int
    rounds: int = 0
    round: engine.RoundState | None = None
    felt: list[Event] = field(default_factory=list)
    shoe: str = "external"
    closed: bool = False
    last_at: datetime | None = None
    proposals: dict[str, tuple[CorrectionProposed | RulingProposed, str]] = field(default_factory=dict)
    proposed: int = 0
    colours: dict[str, ColourIssued] = field(default_factory=dict)
    buy_ins: int = 0
    opened_at: datetime | None = None
    posted: list[tuple[datetime, Limits]] = field(default_factory=list)

    def limits_at(self, moment: datetime) -> Limits:
        """The limits on the sign at a moment of this session."""
        return next((limits for since, limits in reversed(self.posted) if since <= moment), self.posted[0][1])


def evolve(state: TableSession | None, meta: Meta, event: Event, rulesets: RulesetByDigest) -> TableSession:
    """The session after the event; the first event of the stream opens it."""
    if state is None:
        assert isinstance(event, SessionOpened), "a session stream begins with its opening"
        state = _open(event, rulesets)
        state.opened_at = meta.happened_at
        state.posted.append((meta.happened_at, state.limits))
    else:
        _move(state, meta, event)
    if state.last_at is None or meta.happened_at > state.last_at:
        state.last_at = meta.happened_at
    return state


def _open(event: SessionOpened, rulesets: RulesetByDigest) -> TableSession:
    limits = Limits(
        currency=event.currency,
        chip=event.chip,
        min=event.min,
        max=event.max,
        max_payout_per_box=event.max_payout_per_box,
    )
    return TableSession(opened=event, ruleset=rulesets(event.ruleset_digest), limits=limits, tray=event.opener_total)


def _move(state: TableSession, meta: Meta, event: Event) -> None:
    if isinstance(event, RoundOpened):
        state.rounds = event.number
        state.shoe = event.shoe
        state.round = engine.begin(state.ruleset, state.limits, event.round, event.number)
    elif isinstance(event, LimitsPosted):
        old = state.limits
        state.limits = Limits(
            currency=old.currency,
            chip=old.chip,
            min=event.min,
            max=event.max,
            max_payout_per_box=event.max_payout_per_box,
        )
        state.posted.append((meta.happened_at, state.limits))
    elif isinstance(event, (CorrectionProposed, RulingProposed)):
        state.proposals[event.approval] = (event, meta.actor)
        state.proposed += 1
    elif isinstance(event, (RoundCorrected, CorrectionRefused, RulingMade, RulingRefused)):
        state.proposals.pop(event.approval)
    elif isinstance(event, SessionClosed):
        state.closed = True
    elif isinstance(event, BuyIn):
        state.buy_ins += 0 if meta.belongs_to else event.amount
    elif isinstance(event, ColourIssued):
        state.colours.setdefault(event.colour, event)
    elif isinstance(event, ColourCashedIn):
        state.colours.pop(event.colour)
    if state.round is not None:
        state.round = engine.evolve(state.round, event)
        state.felt.append(event)
        if state.round.closed:
            state.round, state.felt = None, []
    state.tray += tray_change(event)
