"""A live spin: wagers may come until the number is called; then everything follows at once."""

from typing import Any

from domain.engine.commands import CallNoSpin, CallNumber, Command, OpenRound, PlaceWagers, StopRound
from domain.engine.record import Record
from domain.engine.roulette import outcomes
from domain.engine.roulette.record import check_shape, commands_of
from domain.engine.roulette.spin import Spin, evolve
from domain.engine.roulette.stakes import place
from domain.events.base import Event
from domain.events.outcome import RoundVoided
from domain.events.play import NoSpinCalled, NumberCalled, RoundOpened, RoundStopped, WagerPlaced
from domain.refusals import BAD_RECORD, NO_OPEN_ROUND, NOT_ALLOWED_NOW, NOT_OFFERED, ROUND_CLOSED, Refusal


def decide(spin: Spin, command: Command) -> list[Event]:
    """What follows from the command.

    Raises Refusal: `no_open_round`, `round_closed`, `not_allowed_now` (opened twice), `not_offered` for what belongs to
    games with cards, `bad_record` for a number the wheel has not, and for wagers what `stakes.place` says.
    """
    if spin.closed or spin.ended:
        raise Refusal(ROUND_CLOSED, "the number has been called; wagers belong to the next round")
    if isinstance(command, OpenRound):
        return _open(spin, command)
    if not spin.opened:
        raise Refusal(NO_OPEN_ROUND, "the round has not been opened")
    match command:
        case PlaceWagers():
            return _lay(spin, command)
        case CallNumber(number=number):
            if number not in spin.book.wheel.order:
                raise Refusal(BAD_RECORD, f"the wheel has no {number}")
            return _end(spin, NumberCalled(round=spin.round_id, number=number))
        case CallNoSpin():
            return _end(spin, NoSpinCalled(round=spin.round_id))
        case StopRound(reason=reason):
            return _end(spin, RoundStopped(round=spin.round_id, reason=reason))
    raise Refusal(NOT_OFFERED, f"{type(command).__name__} is no act of this game")


def outputs(spin: Spin) -> list[Event]:
    """What follows when the spin has ended, RoundClosed last; empty while it has not.

    First goes back what was no bet, then the number (or no-spin, or stop) does its work on the wagers that stand.
    """
    if not spin.ended:
        return []
    book, round_id = spin.book, spin.round_id
    standing = [laid for laid in spin.laid if laid.placed.refused is None]
    after: list[Event] = []
    if spin.stopped is not None:
        after.append(RoundVoided(round=round_id, clause=book.rules.no_spin.clause, reason=spin.stopped))
    after += outcomes.refused(book, round_id, spin.laid)
    if spin.called is not None:
        after += outcomes.called(book, spin.sign, round_id, standing, spin.called)
    else:
        reason = outcomes.STANDS if spin.no_spin else outcomes.STOPPED
        after += outcomes.uncounted(book, round_id, standing, reason)
    after.append(outcomes.closed(round_id, spin.number, spin.laid, after, void=spin.called is None))
    return after


def next_actions(spin: Spin) -> list[dict[str, Any]]:
    """What may be done now."""
    if spin.closed or spin.ended:
        return []
    if not spin.opened:
        return [{"do": "open"}]
    limits = spin.limits
    wager = {"do": "wager", "chip": limits.chip, "min": limits.min, "max": limits.max}
    return [wager, {"do": "number"}, {"do": "no_spin"}, {"do": "stop"}]


def play_record(spin: Spin, record: Record) -> list[Event]:
    """A finished spin as events, RoundOpened to RoundClosed: the same that the live table gives."""
    check_shape(record)
    spin = spin.copy()
    events: list[Event] = []
    for command in commands_of(record):
        came = decide(spin, command)
        for event in came:
            evolve(spin, event)
        events += came
    return events


def _open(spin: Spin, command: OpenRound) -> list[Event]:
    if spin.opened:
        raise Refusal(NOT_ALLOWED_NOW, "the round is open already")
    if command.boxes:
        raise Refusal(NOT_OFFERED, "a spin has wagers and no boxes", box=command.boxes[0].box)
    return [RoundOpened(round=spin.round_id, number=spin.number, source=command.source, shoe=command.shoe)]


def _lay(spin: Spin, command: PlaceWagers) -> list[Event]:
    events: list[Event] = []
    for number, wager in enumerate(command.wagers, start=len(spin.laid) + 1):
        placed = place(spin.book, spin.sign, number, wager.on, amount=wager.amount, unit=wager.unit, late=wager.late)
        events.append(
            WagerPlaced(
                round=spin.round_id,
                wager=number,
                on=wager.on,
                amount=placed.amount,
                player=wager.player,
                unit=wager.unit,
                late=wager.late,
            )
        )
    return events


def _end(spin: Spin, last: Event) -> list[Event]:
    return [last, *outputs(evolve(spin.copy(), last))]
