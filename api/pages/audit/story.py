"""A round's events told one by one, each in a sentence, with its cards and its money."""

from collections.abc import Sequence
from typing import Any, Final, NamedTuple

import msgspec

from api.i18n.catalogue import gettext, later
from api.pages import terms, words
from projections.reads.events import LoggedEvent


class Step(NamedTuple):
    """One event of the round. amount: what moved, in minor units; way: "in" to the felt, "house", "back" or "paid"."""

    number: int
    event: LoggedEvent
    data: dict[str, Any]
    told: str
    cards: str
    amount: int | None
    way: str


class Payment(NamedTuple):
    """Where a stake went, or what was won on it, with the clause that says so. at: the step that moved it."""

    at: int
    place: int | None
    kind: str
    way: str
    amount: int
    clause: str
    why: str
    due: int | None
    capped: int


AFTERWARDS: Final = frozenset(
    {
        "table.correction_proposed",
        "table.round_corrected",
        "table.amount_corrected",
        "table.hand_reannounced",
        "table.ruling_proposed",
        "table.ruling_made",
    }
)

_TOLD: Final = {
    "table.round_opened": later("The round is opened"),
    "table.ante_placed": later("Box %(box)s: ante"),
    "table.bonus_placed": later("Box %(box)s: bonus"),
    "table.jackpot_staked": later("Box %(box)s: jackpot stake"),
    "table.wager_placed": later("Wager %(wager)s on %(on)s"),
    "table.cards_dealt": later("Box %(box)s is dealt"),
    "table.dealer_upcard_dealt": later("The dealer's card face up"),
    "table.board_dealt": later("The board"),
    "table.swap_fee_placed": later("Box %(box)s pays for a swap"),
    "table.cards_swapped": later("Box %(box)s swaps"),
    "table.buy_fee_placed": later("Box %(box)s pays for a sixth card"),
    "table.sixth_card_bought": later("Box %(box)s: the sixth card"),
    "table.insurance_placed": later("Box %(box)s insures"),
    "table.bet_placed": later("Box %(box)s bets"),
    "table.hand_folded": later("Box %(box)s folds"),
    "table.dealer_revealed": later("The dealer's cards"),
    "table.dealer_card_fee_placed": later("Box %(box)s pays for the dealer's card"),
    "table.dealer_card_declined": later("Box %(box)s declines the dealer's card"),
    "table.dealer_cards_drawn": later("The dealer draws"),
    "table.number_called": later("%(number)s is called"),
    "table.no_spin_called": later("No spin"),
    "table.misdeal_called": later("A misdeal is called"),
    "table.round_stopped": later("The round is stopped: %(reason)s"),
    "table.box_voided": later("Box %(box)s is void"),
    "table.round_voided": later("The round is void"),
    "table.jackpot_contributed": later("Box %(box)s: the stake goes to %(progressive)s"),
    "table.jackpot_hit": later("Box %(box)s wins the jackpot"),
    "table.jackpot_paid": later("Box %(box)s: the jackpot is paid"),
    "table.round_closed": later("The round is settled"),
    "table.correction_proposed": later("A correction is proposed: %(reason)s"),
    "table.round_corrected": later("The round is corrected: %(reason)s"),
    "table.hand_reannounced": later("%(was)s is announced again as %(now)s: %(reason)s"),
    "table.ruling_proposed": later("A ruling is proposed: %(ruling)s"),
    "table.ruling_made": later("Ruling: %(ruling)s"),
}

_WAYS: Final = {
    "table.stake_taken": "house",
    "table.stake_returned": "back",
    "table.payout_made": "paid",
    "table.jackpot_hit": "paid",
    "table.jackpot_paid": "paid",
    "table.ruling_made": "paid",
}


def steps_of(events: Sequence[LoggedEvent]) -> list[Step]:
    """The steps of a round, the first one number 1."""
    return [_step(number, event) for number, event in enumerate(events, 1)]


def payments_of(steps: Sequence[Step]) -> list[Payment]:
    """Every movement of a stake and every payout, in their order."""
    return [_payment(step) for step in steps if step.event.type in _WAYS and "clause" in step.data]


def _step(number: int, event: LoggedEvent) -> Step:
    data = msgspec.json.decode(event.data)
    return Step(
        number=number,
        event=event,
        data=data,
        told=_told(event.type, data),
        cards=data.get("cards") or data.get("cards_in") or data.get("card") or "",
        amount=_amount(event.type, data),
        way=_WAYS.get(event.type, "in" if "amount" in data else ""),
    )


def _told(kind: str, data: dict[str, Any]) -> str:
    place = {"place": _place(data), "kind": terms.term(str(data.get("kind")), "stake")}
    if kind == "table.stake_taken":
        return gettext("%(place)s: %(kind)s taken, %(why)s") % {**place, "why": terms.reason(data["reason"])}
    if kind == "table.stake_returned":
        return gettext("%(place)s: %(kind)s returned, %(why)s") % {**place, "why": terms.reason(data["reason"])}
    if kind == "table.payout_made":
        return gettext("%(place)s: %(kind)s pays %(odds)s") % {**place, "odds": data["odds"]}
    if kind == "table.amount_corrected":
        given = {**place, "effect": terms.term(data["effect"], "effect")}
        return gettext("%(place)s: %(kind)s %(effect)s is put right") % given
    pattern = _TOLD.get(kind)
    if pattern is None:
        return terms.term(kind, "event")
    try:
        return gettext(pattern) % data
    except KeyError:  # an event of before, without a field that is told today
        return terms.term(kind, "event")


def _place(data: dict[str, Any]) -> str:
    if data.get("wager"):
        return gettext("Wager %(number)s") % {"number": data["wager"]}
    return gettext("Box %(number)s") % {"number": data.get("box", words.NOTHING)}


def _amount(kind: str, data: dict[str, Any]) -> int | None:
    if kind == "table.round_closed":
        return int(data["house_net"])
    if kind == "table.amount_corrected":
        return int(data["now"] - data["was"])
    found = data.get("amount", data.get("paid", data.get("award")))
    return found if type(found) is int else None


def _payment(step: Step) -> Payment:
    data = step.data
    hands = [terms.term(hand, "hand") for hand in (data.get("hand"), data.get("second")) if hand]
    why = terms.reason(data["reason"]) if "reason" in data else " + ".join(hands)
    if "odds" in data:
        why = f"{data['odds']} {words.NOTHING} {why}" if why else data["odds"]
    return Payment(
        at=step.number,
        place=data.get("box") or data.get("wager"),
        kind=data.get("kind", "jackpot"),
        way=step.way,
        amount=step.amount or 0,
        clause=data["clause"],
        why=why,
        due=data.get("due", data.get("award")),
        capped=data.get("capped", 0),
    )
