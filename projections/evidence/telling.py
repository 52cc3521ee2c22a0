"""What the events of a bundle say of their round, for people and programs; a pure function of the leaves."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Any, Final, NamedTuple

import msgspec

from domain import engine
from domain.events.base import Event
from domain.events.correction import (
    AmountCorrected,
    CorrectionProposed,
    HandReannounced,
    RoundCorrected,
    RulingMade,
    RulingProposed,
)
from domain.events.house import RulesetPublished
from domain.events.jackpot import JackpotHit, JackpotPaid
from domain.events.outcome import PayoutMade, RoundClosed, StakeReturned, StakeTaken
from domain.events.play import RoundOpened
from domain.events.session import LimitsPosted, SessionOpened
from domain.ruleset import InvalidRulesetError, Ruleset, load_text
from domain.shadow import ShadowUnsure
from projections.evidence.leaves import EvidenceError, Leaf
from projections.live import limits_of
from projections.replay.rounds import Terms, judge, judge_steps
from projections.round_record import record_of
from projections.shadow import objections

_AFTERWARDS: Final = (CorrectionProposed, RoundCorrected, AmountCorrected, HandReannounced, RulingProposed, RulingMade)


class _Round(NamedTuple):
    """The leaves of a bundle by what they are. own: of the round, opening to close or to the present."""

    opened: Leaf
    session: SessionOpened
    posted: LimitsPosted | None
    ruleset: Ruleset
    own: list[Leaf]
    later: list[Leaf]


def tell(round_id: str, leaves: Sequence[Leaf]) -> dict[str, Any]:
    """The round as plain values. Raises EvidenceError where the leaves do not make one whole round."""
    parts = _parts(round_id, leaves)
    terms = Terms(parts.ruleset, limits_of(parts.session, parts.posted), parts.session.progressive)
    events = [leaf.event for leaf in parts.own]
    opened = parts.own[0]
    number = opened.event.number if isinstance(opened.event, RoundOpened) else 0
    state = engine.begin(terms.ruleset, terms.limits, round_id, number)
    for event in events:
        state = engine.evolve(state, event)
    closed = parts.own[-1] if state.closed else None
    return {
        "round": round_id,
        "table": parts.session.table,
        "session": parts.session.session,
        "gaming_day": parts.session.gaming_day,
        "state": _state(closed),
        "ruleset": parts.session.ruleset,
        "ruleset_version": parts.session.ruleset_version,
        "ruleset_digest": parts.session.ruleset_digest,
        "limits": msgspec.to_builtins(terms.limits),
        "progressive": parts.session.progressive,
        "opened_at": opened.meta.happened_at.isoformat(),
        "closed_at": None if closed is None else closed.meta.happened_at.isoformat(),
        "record": record_of(parts.session.ruleset, terms.limits, events),
        "settlement": msgspec.to_builtins(engine.settlement(state)) if state.closed else None,
        "money": [line for leaf in parts.own for line in _money(leaf)],
        "meter": [_hit(leaf) for leaf in parts.own if isinstance(leaf.event, JackpotHit)],
        "people": _people([*parts.own, *parts.later]),
        "events": [leaf.said() for leaf in parts.own],
        "afterwards": [leaf.said() for leaf in parts.later],
        "judged": _judged(terms, parts.own, closed=state.closed),
    }


def _parts(round_id: str, leaves: Sequence[Leaf]) -> _Round:
    own = [leaf for leaf in leaves if getattr(leaf.event, "round", None) == round_id]
    begun = next((leaf for leaf in own if isinstance(leaf.event, RoundOpened)), None)
    if begun is None:
        raise EvidenceError(f"there is no opening of round {round_id} among the events")
    at_table = [leaf for leaf in leaves if leaf.stream == begun.stream]
    played = [leaf for leaf in own if leaf.stream == begun.stream and not isinstance(leaf.event, _AFTERWARDS)]
    closed = next((leaf for leaf in played if isinstance(leaf.event, RoundClosed)), None)
    last = played[-1].version if closed is None else closed.version
    there = {leaf.version for leaf in at_table}
    missing = next((version for version in range(begun.version, last + 1) if version not in there), None)
    if missing is not None:
        raise EvidenceError(f"version {missing} of {begun.stream} is not among the events of the round")
    opening = next((leaf for leaf in at_table if leaf.version == 1), None)
    if opening is None or not isinstance(opening.event, SessionOpened):
        raise EvidenceError(f"the opening of {begun.stream} is not among the events")
    signs = [one for one in at_table if one.version < begun.version and isinstance(one.event, LimitsPosted)]
    played = [leaf for leaf in played if leaf.version <= last]
    kept = {leaf.position for leaf in played}
    under = {opening.position, *(leaf.position for leaf in signs)}
    later = [
        leaf
        for leaf in leaves
        if leaf.position not in kept | under
        and not isinstance(leaf.event, RulesetPublished)
        and not (leaf.stream == begun.stream and begun.version <= leaf.version <= last)
    ]
    posted = signs[-1].event if signs else None
    assert posted is None or isinstance(posted, LimitsPosted), "signs are postings"
    return _Round(begun, opening.event, posted, _sheet(opening.event, leaves), played, later)


def _sheet(session: SessionOpened, leaves: Sequence[Leaf]) -> Ruleset:
    """The published sheet of the session's digest, its text held against the digest."""
    for leaf in leaves:
        event = leaf.event
        if isinstance(event, RulesetPublished) and event.digest == session.ruleset_digest:
            if hashlib.sha256(event.text.encode()).hexdigest() != event.digest:
                raise EvidenceError(f"the text of {event.ruleset} has another digest than its publication says")
            try:
                return load_text(event.text)
            except InvalidRulesetError as error:
                raise EvidenceError(f"the sheet {event.ruleset} cannot be played: {error}") from error
    raise EvidenceError(f"the sheet of digest {session.ruleset_digest[:12]} is not among the events")


def _state(closed: Leaf | None) -> str:
    if closed is None:
        return "live"
    return "void" if isinstance(closed.event, RoundClosed) and closed.event.void else "closed"


def _money(leaf: Leaf) -> list[dict[str, Any]]:
    """Where a stake went, or what was won on it, each with the clause that says so."""
    event = leaf.event
    line: dict[str, Any] = {"position": leaf.position}
    if isinstance(event, StakeTaken | StakeReturned):
        what = "taken" if isinstance(event, StakeTaken) else "returned"
        line |= {"box": event.box or event.wager, "kind": event.kind, "what": what, "amount": event.amount}
        return [line | {"clause": event.clause, "why": event.reason, "due": None, "capped": 0}]
    if isinstance(event, PayoutMade):
        hand = " + ".join(filter(None, (event.hand, event.second)))
        line |= {"box": event.box or event.wager, "kind": event.kind, "what": "paid", "amount": event.paid}
        why = f"{hand}, {event.odds}" if hand else event.odds
        return [line | {"clause": event.clause, "why": why, "due": event.due, "capped": event.capped}]
    if isinstance(event, JackpotHit):
        line |= {"box": event.box, "kind": "jackpot", "what": "won", "amount": event.award}
        return [line | {"clause": event.clause, "why": event.hand, "due": event.award, "capped": 0}]
    if isinstance(event, JackpotPaid):
        line |= {"box": event.box, "kind": "jackpot", "what": "paid", "amount": event.amount}
        return [line | {"clause": None, "why": f"hit {event.hit}", "due": event.amount, "capped": 0}]
    return []


def _hit(leaf: Leaf) -> dict[str, Any]:
    hit = leaf.event
    assert isinstance(hit, JackpotHit), "a hit"
    names = ("progressive", "level", "box", "hand", "clause", "share_ppm", "prize", "award", "charged_to", "pending")
    millionths = ("meter_before_u", "meter_after_u", "residue_u", "reset_from_reserve_u", "reset_from_house_u")
    told: dict[str, Any] = {"position": leaf.position} | {name: getattr(hit, name) for name in names}
    return told | {name: str(getattr(hit, name)) for name in millionths}  # beyond what JavaScript's numbers hold


def _people(leaves: Sequence[Leaf]) -> list[dict[str, Any]]:
    """Everybody who acted or agreed, and where."""
    acts: dict[tuple[str, str], list[int]] = {}
    for leaf in leaves:
        acts.setdefault((leaf.meta.actor, "acted"), []).append(leaf.position)
        if leaf.meta.approver is not None:
            acts.setdefault((leaf.meta.approver, "agreed"), []).append(leaf.position)
    return [{"who": who, "did": did, "positions": at} for (who, did), at in sorted(acts.items())]


def _judged(terms: Terms, own: Sequence[Leaf], *, closed: bool) -> dict[str, Any]:
    """What the engine and the shadow payer make of the recorded cards and decisions today."""
    positions = [leaf.position for leaf in own]
    events: list[Event] = [leaf.event for leaf in own]
    differences = (judge if closed else judge_steps)(terms, positions, events)
    shadow: list[str] | None = None
    unsure: str | None = None
    if closed:
        try:
            shadow = [str(one) for one in objections(terms.ruleset, terms.limits, events)]
        except ShadowUnsure as error:
            unsure = str(error)
    return {"differences": list(differences), "shadow": shadow, "shadow_unsure": unsure}
