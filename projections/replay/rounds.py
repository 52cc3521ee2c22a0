"""One round judged: are its inputs legal under the ruleset, and do exactly its outputs follow?

A finished round is played again as the round record it came from, all at once. A live one is first tried the same
way, because nearly always the two have the same events; where they differ it is asked again command by command.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import zip_longest
from typing import NamedTuple

import msgspec

from domain import engine
from domain.engine.jackpot import Prize, Stake
from domain.engine.limits import Limits
from domain.engine.record import Record
from domain.events.base import Event
from domain.events.jackpot import JackpotContributed, JackpotHit, JackpotPaid
from domain.events.play import RoundOpened
from domain.progressive.meters import hit_id
from domain.refusals import Refusal
from domain.ruleset import Ruleset
from projections.replay.commands import next_command
from projections.replay.difference import Difference, differ, refused
from projections.round_record import inputs_of

DIFFERENCES_A_ROUND = 20
"""No round tells more: after the first ones the rest only follow."""


class Terms(NamedTuple):
    """What a round was played under."""

    ruleset: Ruleset
    limits: Limits
    progressive: str | None


class RecordedPort:
    """A progressive that gives back what is recorded of it, where the round earns it.

    Whether a contribution has the right shares and a hit the right award is not the round's to say: `jackpots` folds
    the log from zero for that. Here stakes, winners and prizes must be what is recorded.
    """

    def __init__(self, progressive: str, events: Sequence[Event]) -> None:
        self._progressive = progressive
        self._contributed = {e.box: e for e in events if isinstance(e, JackpotContributed)}
        self._hits = {(e.box, e.level): e for e in events if isinstance(e, JackpotHit)}

    def settle(self, round_id: str, stakes: list[Stake], prizes: list[Prize]) -> list[Event]:
        """Contributions of every stake, then the hits and what is paid of them at once."""
        events: list[Event] = [self._contribution(round_id, stake) for stake in stakes]
        for prize in prizes:
            hit = self._hit(round_id, prize)
            events.append(hit)
            if not hit.pending:
                events.append(self._payment(hit))
        return events

    def _contribution(self, round_id: str, stake: Stake) -> JackpotContributed:
        recorded = self._contributed.get(stake.box)
        facts = {"round": round_id, "box": stake.box, "progressive": self._progressive, "stake": stake.amount}
        if recorded is None:
            return JackpotContributed(**facts, shares=(), config_version=0)  # type: ignore[arg-type]
        if (recorded.progressive, recorded.stake) == (self._progressive, stake.amount):
            return recorded
        return msgspec.structs.replace(recorded, **facts)

    def _hit(self, round_id: str, prize: Prize) -> JackpotHit:
        earned = {
            "round": round_id,
            "box": prize.box,
            "player": prize.player,
            "progressive": self._progressive,
            "level": prize.level,
            "hand": prize.hand,
            "clause": prize.clause,
            "share_ppm": prize.share_ppm,
            "prize": prize.amount,
            "pending": prize.share_ppm is not None,
        }
        recorded = self._hits.get((prize.box, prize.level))
        if recorded is None:
            unknown = dict.fromkeys(("award", "meter_before_u", "meter_after_u", "residue_u"), 0)
            return JackpotHit(**earned, **unknown, charged_to="")  # type: ignore[arg-type]
        return msgspec.structs.replace(recorded, **earned)

    def _payment(self, hit: JackpotHit) -> JackpotPaid:
        return JackpotPaid(
            round=hit.round,
            box=hit.box,
            progressive=hit.progressive,
            level=hit.level,
            hit=hit_id(hit),
            amount=hit.award,
            paid_by="tray",
        )


def judge(terms: Terms, positions: Sequence[int], events: list[Event]) -> list[Difference]:
    """The differences of a closed round, from RoundOpened to RoundClosed."""
    opened = events[0]
    assert isinstance(opened, RoundOpened)
    try:
        state = engine.begin(terms.ruleset, terms.limits, opened.round, opened.number)
    except Refusal as refusal:
        return [refused(positions[0], opened.round, str(refusal), opened)]
    port = None if terms.progressive is None else RecordedPort(terms.progressive, events)
    try:
        record = msgspec.convert({"ruleset": terms.ruleset.id, **inputs_of(events)}, Record)
        produced = engine.play_record(state, record, port)
    except (Refusal, msgspec.ValidationError) as refusal:
        if opened.source == "live":
            return judge_steps(terms, positions, events)
        return [refused(positions[0], opened.round, str(refusal), opened)]
    if produced == events:
        return []
    if opened.source == "live":
        return [] if produced[1:] == events[1:] else judge_steps(terms, positions, events)
    return _compare(opened.round, positions, events, produced)


def judge_steps(terms: Terms, positions: Sequence[int], events: list[Event]) -> list[Difference]:
    """The differences of a live round, asked again command by command; it need not be closed."""
    opened = events[0]
    assert isinstance(opened, RoundOpened)
    round_id = opened.round
    port = None if terms.progressive is None else RecordedPort(terms.progressive, events)
    state = engine.begin(terms.ruleset, terms.limits, round_id, opened.number)
    at = 0
    while at < len(events):
        asked = next_command(events, at)
        if asked is None:
            return [differ(positions[at], round_id, None, events[at])]
        command, inputs = asked
        try:
            produced = engine.decide(state, command, port)
        except Refusal as refusal:
            return [refused(positions[at], round_id, str(refusal), events[at])]
        count = max(inputs, len(produced))
        if produced != events[at : at + count]:
            return _compare(round_id, positions[at : at + count], events[at : at + count], produced)
        for event in produced:
            state = engine.evolve(state, event)
        at += count
    return []


def _compare(round_id: str, positions: Sequence[int], recorded: list[Event], produced: list[Event]) -> list[Difference]:
    """Event by event; of lists of different length the tail is told against nothing."""
    found = []
    for at, (expected, was) in enumerate(zip_longest(produced, recorded)):
        if expected != was:
            found.append(differ(positions[min(at, len(positions) - 1)], round_id, expected, was))
            if len(found) == DIFFERENCES_A_ROUND:
                break
    return found
