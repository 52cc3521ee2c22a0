"""The round engine: one door for every family of games, whatever ruleset they play.

A round is a fold. `decide` looks at the state and a command and says which events follow, or refuses; `evolve` takes an
event in. Nothing else changes a state; `decide` never does. There is no clock, no chance and no I/O in here: cards
come in with the command.

The contract of a family (`domain.engine.stud`, `domain.engine.holdem`, `domain.engine.roulette`): a package with

- `begin(ruleset, limits, round_id, number) -> state`: a round not yet opened; the state has `ruleset`, `limits`,
  `round_id`, `number`, `copy()`, and `closed` (True after RoundClosed was taken in).
- `decide(state, command, jackpot) -> list[Event]`: raises Refusal; with the round's last input come its outputs and
  RoundClosed in the same list.
- `evolve(state, event) -> state`: may return the same object, changed; takes every event that `decide` emits, outputs
  included, and is never asked to judge one.
- `outputs(state, jackpot) -> list[Event]`: what follows when the last input is in (RoundClosed last); empty while
  inputs are missing. Replay calls this and demands what was recorded.
- `next_actions(state) -> list[dict]`: what may be done now, each `{"do": ..., ...}`; never what `decide` would refuse.
- `settlement(state) -> Struct`: the settlement in the public form, read off the outputs the state has taken in.
- `exposure(state) -> list[Exposure]`: what each box has at stake and can still be paid (roulette: no boxes, empty).
- `remaining(state) -> list[str]`: the cards a house shoe may still deal, in deck order (roulette: empty).
- `play_record(state, record, jackpot) -> list[Event]`: a finished round record as events, RoundOpened to RoundClosed:
  the same that the live table would give.
- `settle_record(ruleset, limits, record) -> Struct`: the settlement at once, no events built, by the same rules; a
  jackpot's meter is the record's own.

and a module `prepare` with

- `flaws(rules) -> Iterable[Flaw]`: what is wrong with well-formed rules (`Flaw(path in the file, message)`).
- `prepare(rules) -> tables`: what the engine plays with, kept as `ruleset.play`; it has `chip_step`, which the table's
  chip must be a multiple of (2 where the rules make halves).

Records reach a family decoded (`domain.engine.record.Record`) and with limits that `domain.engine.sign` has checked.
"""

from typing import Any, TypeAlias

from msgspec import Struct

from domain.engine import families
from domain.engine.commands import Command
from domain.engine.exposure import Exposure
from domain.engine.jackpot import JackpotPort
from domain.engine.limits import Limits
from domain.engine.record import Record
from domain.events.base import Event
from domain.ruleset.base import Ruleset

RoundState: TypeAlias = Any
"""One round; its inside is the family's. It has `ruleset`, `limits`, `round_id`, `number`, `closed` and `copy()`."""


def begin(ruleset: Ruleset, limits: Limits, round_id: str, number: int) -> RoundState:
    """A round that has not been opened yet."""
    return families.of(ruleset.engine).begin(ruleset, limits, round_id, number)


def decide(state: RoundState, command: Command, jackpot: JackpotPort | None = None) -> list[Event]:
    """What follows from `command`. Raises Refusal; the state is never touched."""
    return families.of(state.ruleset.engine).decide(state, command, jackpot)


def evolve(state: RoundState, event: Event) -> RoundState:
    """The state after `event`; it may be the same object, changed."""
    return families.of(state.ruleset.engine).evolve(state, event)


def outputs(state: RoundState, jackpot: JackpotPort | None = None) -> list[Event]:
    """What follows when the last input is in, RoundClosed last; empty while inputs are missing."""
    return families.of(state.ruleset.engine).outputs(state, jackpot)


def next_actions(state: RoundState) -> list[dict[str, Any]]:
    """What may be done now; nothing that `decide` would refuse."""
    return families.of(state.ruleset.engine).next_actions(state)


def settlement(state: RoundState) -> Struct:
    """The settlement of a closed round in its public form. Raises Refusal("not_allowed_now") while it is open."""
    return families.of(state.ruleset.engine).settlement(state)


def exposure(state: RoundState) -> list[Exposure]:
    """What each box has at stake and can still be paid."""
    return families.of(state.ruleset.engine).exposure(state)


def remaining(state: RoundState) -> list[str]:
    """The cards a house shoe may still deal, in deck order."""
    return families.of(state.ruleset.engine).remaining(state)


def play_record(state: RoundState, record: Record, jackpot: JackpotPort | None = None) -> list[Event]:
    """A finished round as events, RoundOpened to RoundClosed. Raises Refusal; the state is never touched."""
    return families.of(state.ruleset.engine).play_record(state, record, jackpot)


def settle_record(ruleset: Ruleset, limits: Limits, record: Record) -> Struct:
    """The settlement of a finished round at once. Raises Refusal."""
    return families.of(ruleset.engine).settle_record(ruleset, limits, record)


def jackpot_levels(ruleset: Ruleset) -> set[int]:
    """The levels of a progressive that the sheet's prizes are won on; empty for a sheet without a jackpot."""
    jackpot = getattr(ruleset.rules, "jackpot", None)
    return set() if jackpot is None else {prize.level for prize in jackpot.prizes.values()}
