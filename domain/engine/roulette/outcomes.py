"""The events that follow from a spin: every stake accounted for, each with its clause and reason.

On a called number the order is the dealer's: what lies over the maximum goes back, the layout is cleared, then the
winners are paid. Stakes of a no-spin stand: they are the players' own again, still lying on the layout, so each is
recorded as returned and the round closes void (its settlement shows 0 for them: nothing was settled).
"""

from collections.abc import Iterator

from domain.engine.roulette.book import Book
from domain.engine.roulette.spin import Laid
from domain.engine.roulette.stakes import Outcome, Sign, outcome
from domain.engine.roulette.wagers import Wager
from domain.engine.roulette.wheel import ZERO
from domain.events.base import Event
from domain.events.outcome import PayoutMade, RoundClosed, StakeReturned, StakeTaken

OVER_MAXIMUM = "over the maximum"
STANDS = "no spin: the stake stands"
STOPPED = "round stopped"


def refused(book: Book, round_id: str, laid: list[Laid]) -> Iterator[Event]:
    """What is no bet goes back whole."""
    rules = book.rules.limits
    clauses = {"late": rules.late_clause, "misplaced": rules.misplaced_clause, "minimum": rules.minimum_clause}
    for one in laid:
        why = one.placed.refused
        if why is not None:
            yield _returned(round_id, one, one.placed.amount, clauses[why], why)


def called(book: Book, limits: Sign, round_id: str, standing: list[Laid], number: int) -> Iterator[Event]:
    """What follows for the wagers that stand when `number` is called."""
    results = [(laid, outcome(laid.placed, limits, number)) for laid in standing]
    for laid, result in results:
        if result.excess:
            clause = book.rules.limits.maximum_clause
            yield _returned(round_id, laid, result.excess, clause, OVER_MAXIMUM)
    for laid, result in results:
        if result.lost:
            yield _taken(round_id, laid, result, number)
    for laid, result in results:
        if result.back:
            clause, reason = _why(laid.placed.wager, number, result)
            yield _returned(round_id, laid, result.back, clause, reason)
        if result.paid:
            yield _paid(round_id, laid, result.paid, number)


def uncounted(book: Book, round_id: str, standing: list[Laid], reason: str) -> Iterator[Event]:
    """What follows when the spin does not count: every stake is its player's again."""
    clause = book.rules.no_spin.clause
    for laid in standing:
        yield _returned(round_id, laid, laid.placed.amount, clause, reason)


def closed(round_id: str, number: int, laid: list[Laid], after: list[Event], *, void: bool) -> RoundClosed:
    """The close of a round: its stakes, and where they went by the events `after` them."""
    staked = sum(one.placed.amount for one in laid)
    returned = sum(event.amount for event in after if isinstance(event, StakeReturned))
    taken = sum(event.amount for event in after if isinstance(event, StakeTaken))
    paid = sum(event.paid for event in after if isinstance(event, PayoutMade))
    assert staked == taken + returned, "every stake is taken or returned"
    return RoundClosed(
        round=round_id,
        number=number,
        staked=staked,
        taken=taken,
        returned=returned,
        paid=paid,
        house_net=taken - paid,
        void=void,
    )


def _returned(round_id: str, laid: Laid, amount: int, clause: str, reason: str) -> StakeReturned:
    kind = laid.placed.wager.kind
    return StakeReturned(round=round_id, kind=kind, amount=amount, clause=clause, reason=reason, wager=laid.number)


def _taken(round_id: str, laid: Laid, result: Outcome, number: int) -> StakeTaken:
    clause, reason = _why(laid.placed.wager, number, result)
    kind = laid.placed.wager.kind
    return StakeTaken(round=round_id, kind=kind, amount=result.lost, clause=clause, reason=reason, wager=laid.number)


def _paid(round_id: str, laid: Laid, paid: int, number: int) -> PayoutMade:
    wager = laid.placed.wager
    odds = " + ".join(f"{spot.odds}:1" for spot, _, _ in wager.spots if number in spot.numbers)
    return PayoutMade(
        round=round_id, kind=wager.kind, due=paid, paid=paid, clause=wager.clause, odds=odds, wager=laid.number
    )


def _why(wager: Wager, number: int, result: Outcome) -> tuple[str, str]:
    if result.paid:
        return wager.clause, f"won on {number}"
    clause = wager.spots[0][0].zero_clause if number == ZERO and not wager.announced else wager.clause
    if result.back:
        return clause, f"{number}: half back" if result.lost else f"{number}: all back"
    return clause, f"lost on {number}"
