"""The roulette family: wagers on a wheel of 37 numbers, played by whatever roulette sheet.

    wheel, layout   where the numbers lie, and every spot a chip may lie on
    wagers, book    what the words of a bet mean; all bets of one sheet
    stakes          whether a wager stands, and what it earns on a number: the only copy of the rules
    record          a finished spin settled at once
    spin, play      the live spin as a fold: state and events, commands
    outcomes        the events that follow, each with clause and reason
    prepare         from a sheet's rules to its book

This page keeps the contract of a family (see `domain.engine`).
"""

from typing import Any

from domain.engine.commands import Command
from domain.engine.exposure import Exposure
from domain.engine.jackpot import JackpotPort
from domain.engine.limits import Limits
from domain.engine.record import Record
from domain.engine.roulette import play, record
from domain.engine.roulette import spin as spins
from domain.engine.roulette.spin import Spin
from domain.engine.settled import WagerSettlement
from domain.events.base import Event
from domain.ruleset.base import Ruleset


def begin(ruleset: Ruleset, limits: Limits, round_id: str, number: int) -> Spin:
    """A spin that has not been opened yet."""
    return Spin(ruleset, limits, round_id, number)


def decide(state: Spin, command: Command, _jackpot: JackpotPort | None = None) -> list[Event]:
    """What follows from `command`. Raises Refusal; the state is never touched."""
    return play.decide(state, command)


def evolve(state: Spin, event: Event) -> Spin:
    """The same state, changed by the event."""
    return spins.evolve(state, event)


def outputs(state: Spin, _jackpot: JackpotPort | None = None) -> list[Event]:
    """What follows when the number (or no-spin, or stop) has been called; empty before."""
    return play.outputs(state)


def next_actions(state: Spin) -> list[dict[str, Any]]:
    """What may be done now."""
    return play.next_actions(state)


def settlement(state: Spin) -> WagerSettlement:
    """The settlement of a closed spin. Raises Refusal (`not_allowed_now`) while it is open."""
    return record.settlement(state)


def exposure(_state: Spin) -> list[Exposure]:
    """Nothing: a spin has no boxes, and the cap on a box's payout does not touch wagers."""
    return []


def remaining(_state: Spin) -> list[str]:
    """Nothing: a wheel deals no cards."""
    return []


def play_record(state: Spin, finished: Record, _jackpot: JackpotPort | None = None) -> list[Event]:
    """A finished spin as events, RoundOpened to RoundClosed. Raises Refusal; the state is never touched."""
    return play.play_record(state, finished)


def settle_record(ruleset: Ruleset, limits: Limits, finished: Record) -> WagerSettlement:
    """The settlement of a finished spin at once. Raises Refusal."""
    return record.settle(ruleset.play, finished, limits)
