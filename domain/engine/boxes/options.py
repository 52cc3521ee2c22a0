"""What may be done now at a live table: what `decide` accepts, all of it and nothing else."""

from typing import Any

from domain.cards import DECK_MASK, NAMES, PACKED
from domain.engine.boxes import acts, dealer_card, insurance, phases
from domain.engine.boxes.state import Box, Round
from domain.refusals import Refusal

Option = dict[str, Any]


def next_actions(rnd: Round) -> list[Option]:
    """The options now. Amounts in minor units.

    `open`; `cards` (box, count), `upcard`, `board` (count); `swap` (box, counts, fees), `buy` (box, fee), `insure`
    (box, min, max, chip), `bet` (box, amount), `fold`, `time_out` (box); `dealer` (count: all first cards, the face-up
    one last); `dealer_card` (box, fee), `decline_dealer_card` (box); `draw`; and while the round is open `misdeal`
    (kind, boxes: those it may name, where it must name one) and `stop`.
    """
    if rnd.closed:
        return []
    if not rnd.opened:
        return [{"do": "open"}]
    options = _cards(rnd)
    if not phases.dealing(rnd) and not rnd.dealer:
        options += [option for box in rnd.by_number for option in _of_box(rnd, box)]
    if phases.reveal_due(rnd):
        options.append({"do": "dealer", "count": rnd.play.dealer_cards})
    for box in phases.to_be_asked(rnd):
        options.append({"do": "dealer_card", "box": box.number, "fee": dealer_card.price(rnd, box)})
        options.append({"do": "decline_dealer_card", "box": box.number})
    if phases.draw_due(rnd):
        options.append({"do": "draw"})
    return options + _ends(rnd)


def _cards(rnd: Round) -> list[Option]:
    options: list[Option] = [
        {"do": "cards", "box": box.number, "count": rnd.play.hand_cards} for box in phases.undealt(rnd)
    ]
    if phases.upcard_due(rnd):
        options.append({"do": "upcard"})
    if count := phases.board_due(rnd):
        options.append({"do": "board", "count": count})
    return options


def _of_box(rnd: Round, box: Box) -> list[Option]:
    """What one box may do before the dealer's cards."""
    options: list[Option] = []
    if box is phases.turn(rnd):
        options += _swap(rnd, box)
        options += _buy(rnd, box)
        options += _insure(rnd, box)
        options.append({"do": "bet", "box": box.number, "amount": acts.bet(rnd, box)})
        if not box.insurance:
            options.append({"do": "fold", "box": box.number})
        if rnd.play.time_out is not None:
            options.append({"do": "time_out", "box": box.number})
    elif box.bet:
        options += _insure(rnd, box)
    return options


def _swap(rnd: Round, box: Box) -> list[Option]:
    swap = rnd.play.swap
    if swap is None or box.insurance or (box.bought and not rnd.play.swap_and_buy):
        return []
    turns = swap.turns.get(box.open_boxes, [])
    if box.swaps >= len(turns):
        return []
    counts = [count for count in sorted(turns[box.swaps]) if count <= min(rnd.deck_left, len(box.cards))]
    if not counts:
        return []
    fees = [acts.swap_fee(rnd, box, count) for count in counts]
    return [{"do": "swap", "box": box.number, "counts": counts, "fees": fees}]


def _buy(rnd: Round, box: Box) -> list[Option]:
    try:
        return [{"do": "buy", "box": box.number, "fee": acts.buy_fee(rnd, box)}]
    except Refusal:
        return []


def _insure(rnd: Round, box: Box) -> list[Option]:
    low, high = insurance_now(rnd, box)
    if not high:
        return []
    return [{"do": "insure", "box": box.number, "min": low, "max": high, "chip": rnd.limits.chip}]


def insurance_now(rnd: Round, box: Box) -> tuple[int, int]:
    """The least and the most insurance that may be placed now, in whole chips; (0, 0) where none may."""
    try:
        insurance.check_insurable(rnd, box)
    except Refusal:
        return 0, 0
    low, high = insurance.insurance_range(rnd, box)
    chip = rnd.limits.chip
    low, high = -(-low // chip) * chip, high // chip * chip
    return (low, high) if 0 < low <= high else (0, 0)


def _ends(rnd: Round) -> list[Option]:
    options: list[Option] = []
    for kind, terms in rnd.play.misdeals.items() if rnd.misdeal is None else ():
        option: Option = {"do": "misdeal", "kind": kind}
        if terms.voids == "box":
            option["boxes"] = [box.number for box in rnd.by_number if not box.void]
        options.append(option)
    return [*options, {"do": "stop"}]


def remaining(rnd: Round) -> list[str]:
    """The cards that have not been seen, in deck order: what a house shoe may still deal."""
    return [name for name, card in zip(NAMES, PACKED, strict=True) if not rnd.seen & card & DECK_MASK]
