"""Misdeals in a record: which kinds the sheet knows, and what a void box has put up."""

from fractions import Fraction

from msgspec import UNSET, UnsetType

from domain.engine.boxes import acts
from domain.engine.boxes.cards import cards_of
from domain.engine.boxes.seats import Company, check_stakes
from domain.engine.boxes.state import Box, Round
from domain.engine.record import Bet, Buy, DealerCard, Fold, Insure, Record, RecordBox, RecordMisdeal, Swap
from domain.refusals import BAD_RECORD, CHIP_MULTIPLE, INSURANCE_LIMITS, NOT_ALLOWED_NOW, NOT_OFFERED, Refusal


def call_misdeal(rnd: Round, kind: str, number: int | None) -> Box | None:
    """The box that a misdeal strikes, None where it strikes the round. Changes nothing."""
    terms = rnd.play.misdeals.get(kind)
    if terms is None:
        known = ", ".join(rnd.play.misdeals)
        raise Refusal(NOT_OFFERED, f"this sheet says nothing of the misdeal {kind}; it knows {known}")
    box = rnd.box(number) if number is not None else None
    if number is not None and box is None:
        raise Refusal(BAD_RECORD, f"the misdeal names box {number}, which does not play", number)
    if terms.voids == "round":
        return None
    if box is None:
        raise Refusal(BAD_RECORD, f"the misdeal {kind} voids one box; misdeal.box must say which")
    return box


def read_misdeal(rnd: Round, misdeal: RecordMisdeal | UnsetType) -> None:
    """Take a record's misdeal in: it makes a box void, or the round with all its boxes."""
    if misdeal is UNSET:
        return
    number = None if misdeal.box is UNSET else misdeal.box
    box = call_misdeal(rnd, misdeal.kind, number)
    rnd.misdeal = (misdeal.kind, number)
    if box is not None:
        box.void = True
        return
    rnd.void = True
    for every in rnd.boxes:
        every.void = True


def read_void(rnd: Round, company: Company, box: Box, entry: RecordBox) -> None:
    """A void box: its stakes are checked, its cards must be cards, its acts are read for what they put up."""
    check_stakes(rnd.play, rnd.limits, box)
    company.check(box)
    if entry.cards is not UNSET:
        box.deal(cards_of(entry.cards, box.number))
    if box.blind:
        box.bet = acts.amount_of(rnd.play.bet_antes, box.ante)
    for act in () if entry.play is UNSET else entry.play:
        if box.blind and (rnd.play.blind is None or _name(act) not in rnd.play.blind.may):
            raise Refusal(NOT_ALLOWED_NOW, "a blind box does not act", box.number)
        _take(rnd, box, act)


def _take(rnd: Round, box: Box, act: Swap | Buy | Insure | Bet | Fold | DealerCard) -> None:
    play = rnd.play
    if isinstance(act, Bet):
        box.bet = acts.amount_of(play.bet_antes, box.ante)
        box.acts.append(("bet", [], [], box.bet))
    elif isinstance(act, Fold):
        box.folded = True
        box.acts.append(("fold", [], [], 0))
    elif isinstance(act, Swap):
        if play.swap is None:
            raise Refusal(NOT_OFFERED, "this sheet has no swap of cards", box.number)
        out, cards_in = cards_of(act.out, box.number), cards_of(act.cards_in, box.number)
        fee = acts.swap_fee(rnd, box, len(out))
        box.swap(out, cards_in)
        box.swap_fee += fee
        box.acts.append(("swap", out, cards_in, fee))
    elif isinstance(act, Buy):
        cards = cards_of(act.cards_in, box.number)
        fee = _price(box, play.buy_price, play.buy is not None, "sixth card")
        box.buy(cards)
        box.buy_fee += fee
        box.acts.append(("buy", [], cards, fee))
    elif isinstance(act, Insure):
        _check_insurance(rnd, box, act.amount)
        box.insurance += act.amount
        box.acts.append(("insure", [], [], act.amount))
    else:
        terms = play.dealer_card
        fee = _price(box, terms.price if terms else Fraction(0), terms is not None, "dealer's card")
        box.dealer_fee += fee
        box.acts.append(("dealer_card", [], [], fee))


def _name(act: Swap | Buy | Insure | Bet | Fold | DealerCard) -> str:
    name = act.__struct_config__.tag
    assert isinstance(name, str), "every act is tagged by its name"
    return name


def _price(box: Box, price: Fraction, offered: bool, what: str) -> int:
    if not offered:
        raise Refusal(NOT_OFFERED, f"this sheet has no {what}", box.number)
    return acts.amount_of(price, box.ante)


def _check_insurance(rnd: Round, box: Box, amount: int) -> None:
    """The hand of a void box counts for nothing, so its insurance is only looked at as a stake."""
    if rnd.play.insurance is None:
        raise Refusal(NOT_OFFERED, "this sheet has no insurance", box.number)
    if amount <= 0:
        raise Refusal(INSURANCE_LIMITS, f"the insurance is {amount}; it must be more than nothing", box.number)
    if amount % rnd.limits.chip:
        detail = f"the insurance is {amount}, which is no multiple of the chip of {rnd.limits.chip}"
        raise Refusal(CHIP_MULTIPLE, detail, box.number)


def read_loose(record: Record) -> None:
    """In a void round dealer and board need not be there; what is there must be cards."""
    if record.board is not UNSET:
        cards_of(record.board, None)
    if record.dealer is UNSET:
        return
    for text in (record.dealer.cards, record.dealer.drawn):
        if text is not UNSET:
            cards_of(text, None)
