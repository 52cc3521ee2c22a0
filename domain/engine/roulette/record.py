"""A finished spin: its record in, its settlement out."""

from collections.abc import Iterator

from msgspec import UNSET, UnsetType

from domain.engine.commands import CallNoSpin, CallNumber, Command, OpenRound, PlaceWagers, Wager
from domain.engine.limits import Limits
from domain.engine.record import Record
from domain.engine.roulette.book import Book
from domain.engine.roulette.spin import Spin
from domain.engine.roulette.stakes import Placed, outcome, place, sign
from domain.engine.settled import BetSettlement, WagerSettlement
from domain.refusals import BAD_RECORD, NOT_ALLOWED_NOW, NOT_OFFERED, Refusal


def settle(book: Book, record: Record, limits: Limits) -> WagerSettlement:
    """The settlement of a spin; a result of None is a no-spin, where nothing is settled and the stakes stand.

    Raises Refusal, naming the bet by its place in the record (the first is 1), for the first thing wrong.
    """
    check_shape(record)
    posted, number = sign(limits), record.result
    bets: list[BetSettlement] = []
    house_net = 0
    for at, bet in enumerate(record.bets or (), start=1):
        placed = place(
            book, posted, at, bet.on, amount=_given(bet.amount), unit=_given(bet.unit), late=bet.late is True
        )
        returned = taken = paid = 0
        if placed.refused is not None:
            returned = placed.amount
        elif isinstance(number, int):
            excess, back, taken, paid = outcome(placed, posted, number)
            returned = excess + back
            house_net += taken - paid
        bets.append(_entry(placed, bet.player, bet.on, returned=returned, taken=taken, paid=paid))
    return WagerSettlement(bets, house_net)


def settlement(spin: Spin) -> WagerSettlement:
    """The settlement of a closed spin, read off its outputs. Raises Refusal (`not_allowed_now`) while it is open."""
    if not spin.closed:
        raise Refusal(NOT_ALLOWED_NOW, "the round is not settled yet")
    bets = []
    for laid in spin.laid:
        placed = laid.placed
        # A no-spin settles nothing: a stake that stands is the player's own and the settlement shows 0 for it.
        returned = 0 if spin.no_spin and placed.refused is None else laid.returned
        player = UNSET if laid.player is None else laid.player
        bets.append(_entry(placed, player, laid.on, returned=returned, taken=laid.taken, paid=laid.paid))
    return WagerSettlement(bets, sum(laid.taken - laid.paid for laid in spin.laid))


def commands_of(record: Record) -> Iterator[Command]:
    """What the people at the table did, in order. The record's shape has been checked."""
    yield OpenRound(source="record")
    yield PlaceWagers(
        wagers=tuple(
            Wager(
                on=bet.on,
                player=None if isinstance(bet.player, UnsetType) else bet.player,
                amount=_given(bet.amount),
                unit=_given(bet.unit),
                late=bet.late is True,
            )
            for bet in record.bets or ()
        )
    )
    yield CallNumber(number=record.result) if isinstance(record.result, int) else CallNoSpin()


def check_shape(record: Record) -> None:
    """Raises Refusal for a record that is no spin: `not_offered` for what no roulette sheet has, else `bad_record`."""
    for field in ("boxes", "dealer", "board"):
        if getattr(record, field) is not UNSET:
            raise Refusal(BAD_RECORD, f"a spin has no {field}")
    if record.bets is UNSET or record.result is UNSET:
        raise Refusal(BAD_RECORD, "a spin has bets and a result, which is null for a no-spin")
    if record.progressive is not UNSET or record.misdeal is not UNSET:
        raise Refusal(NOT_OFFERED, "this sheet has neither a jackpot nor misdeals")


def _given(amount: int | UnsetType) -> int | None:
    return None if isinstance(amount, UnsetType) else amount


def _entry(placed: Placed, player: str | UnsetType, on: str, *, returned: int, taken: int, paid: int) -> BetSettlement:
    return BetSettlement(
        player=player,
        on=on,
        amount=placed.amount,
        returned=returned,
        taken=taken,
        paid=paid,
        net=paid - taken,
        refused=placed.refused or UNSET,
    )
