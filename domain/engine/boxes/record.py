"""A finished round record, read box by box under the rules of the acts; what stands at the end is a complete round."""

from msgspec import UNSET

from domain.cards import DECK_MASK
from domain.engine.boxes import acts, dealer_card, insurance
from domain.engine.boxes.cards import cards_of, first_cards
from domain.engine.boxes.seats import Company, check_stakes
from domain.engine.boxes.state import Box, Round
from domain.engine.boxes.void import read_loose, read_misdeal, read_void
from domain.engine.record import Bet, Buy, DealerCard, Fold, Insure, Record, RecordBox, Swap
from domain.refusals import BAD_RECORD, NOT_OFFERED, WRONG_CARD_COUNT, Refusal


def read_record(rnd: Round, record: Record) -> None:
    """Take a whole record into a fresh round.

    Raises Refusal for the first thing wrong: the record's shape, then box by box (its stakes, cards and acts), then the
    dealer.
    """
    boxes = _check_shape(rnd, record)
    rnd.opened = True
    rnd.source = "record"
    rnd.seat([_box(entry) for entry in boxes])
    if len(boxes) > 1:
        boxes = tuple(sorted(boxes, key=_number))
        _check_numbers(rnd.by_number)
    if record.misdeal is not UNSET:
        read_misdeal(rnd, record.misdeal)
    company = Company(rnd.play, rnd.by_number)
    if rnd.void:
        for box, entry in zip(rnd.by_number, boxes, strict=True):
            read_void(rnd, company, box, entry)
        read_loose(record)
        return
    for box, entry in zip(rnd.by_number, boxes, strict=True):
        if box.void:
            read_void(rnd, company, box, entry)
        else:
            _read_box(rnd, company, box, entry)
    _read_table(rnd, record)


def _check_shape(rnd: Round, record: Record) -> tuple[RecordBox, ...]:
    boxes = record.boxes
    if record.bets is not UNSET or record.result is not UNSET:
        raise Refusal(BAD_RECORD, "bets and result are roulette's; this sheet is played on boxes")
    if boxes is UNSET or not boxes:
        raise Refusal(BAD_RECORD, "boxes is missing or empty; a round has at least one box")
    if record.board is not UNSET and not rnd.play.board_cards:
        raise Refusal(BAD_RECORD, "this sheet has no board")
    if record.progressive is not UNSET and rnd.play.jackpot is None:
        raise Refusal(NOT_OFFERED, "this sheet has no jackpot; progressive must be left out")
    if record.misdeal is UNSET:
        if record.dealer is UNSET:
            raise Refusal(BAD_RECORD, "dealer is missing")
        if record.board is UNSET and rnd.play.board_cards:
            raise Refusal(BAD_RECORD, "board is missing")
    return boxes


def _box(entry: RecordBox) -> Box:
    return Box(
        entry.box,
        entry.ante,
        entry.player if entry.player is not UNSET else None,
        entry.bonus if entry.bonus is not UNSET else 0,
        entry.jackpot if entry.jackpot is not UNSET else 0,
        entry.blind is True,
    )


def _number(entry: RecordBox) -> int:
    return entry.box


def _check_numbers(boxes: list[Box]) -> None:
    before = boxes[0].number
    for box in boxes[1:]:
        if box.number == before:
            raise Refusal(BAD_RECORD, f"box {before} is there twice; each box plays once", before)
        before = box.number


def _read_box(rnd: Round, company: Company, box: Box, entry: RecordBox) -> None:
    """Stakes, first cards and acts of a box that is in the round."""
    play = rnd.play
    check_stakes(play, rnd.limits, box)
    company.check(box)
    if entry.cards is UNSET:
        raise Refusal(BAD_RECORD, "cards is missing", box.number)
    box.deal(first_cards(rnd, entry.cards, play.hand_cards, "the box", box.number))
    rnd.seen |= box.first & DECK_MASK
    if box.blind:
        box.bet = acts.amount_of(play.bet_antes, box.ante)
    if entry.play is not UNSET:
        for act in entry.play:
            _take(rnd, box, act)
    if not box.decided:
        box.timed_out = True
        if acts.time_out(rnd, box):
            box.bet = acts.amount_of(play.bet_antes, box.ante)
        else:
            box.folded = True


def _take(rnd: Round, box: Box, act: Swap | Buy | Insure | Bet | Fold | DealerCard) -> None:
    """One act of a box: checked, and taken into the round."""
    if isinstance(act, Bet):
        box.bet = acts.bet(rnd, box)
        box.acts.append(("bet", [], [], box.bet))
    elif isinstance(act, Fold):
        acts.fold(box)
        box.folded = True
        box.acts.append(("fold", [], [], 0))
    elif isinstance(act, Swap):
        out, cards_in, fee = acts.swap(rnd, box, act.out, act.cards_in)
        box.swap(out, cards_in)
        box.swap_fee += fee
        rnd.deal_out(cards_in)
        box.acts.append(("swap", out, cards_in, fee))
    elif isinstance(act, Buy):
        card, fee = acts.buy(rnd, box, act.cards_in)
        box.buy([card])
        box.buy_fee = fee
        rnd.deal_out([card])
        box.acts.append(("buy", [], [card], fee))
    elif isinstance(act, Insure):
        box.insurance = insurance.insure(rnd, box, act.amount)
        box.acts.append(("insure", [], [], box.insurance))
    else:
        box.dealer_fee = dealer_card.price(rnd, box)
        box.buys_dealer_card = True
        box.acts.append(("dealer_card", [], [], box.dealer_fee))


def _read_table(rnd: Round, record: Record) -> None:
    """Board and dealer, then what was bought of the dealer."""
    play = rnd.play
    if record.board is not UNSET:
        rnd.turn_board(first_cards(rnd, record.board, play.board_cards, "the board", None))
    elif play.board_cards and any(not box.void for box in rnd.boxes):
        raise Refusal(BAD_RECORD, "board is missing")
    dealer = record.dealer
    if dealer is UNSET or dealer.cards is UNSET:
        if all(box.void for box in rnd.boxes) and (dealer is UNSET or dealer.drawn is UNSET):
            return
        raise Refusal(BAD_RECORD, "dealer.cards is missing")
    rnd.reveal(first_cards(rnd, dealer.cards, play.dealer_cards, "the dealer", None))
    rnd.upcard = rnd.dealer[-1] if play.upcard else 0
    rnd.see(rnd.dealer_total)
    buyers = False
    if play.dealer_card is not None:
        for box in rnd.by_number:
            if box.buys_dealer_card:
                dealer_card.check_offered(rnd, box)
                buyers = True
    drawn = "" if dealer.drawn is UNSET else dealer.drawn
    if buyers or drawn:
        _read_drawn(rnd, drawn, buyers=buyers)


def _read_drawn(rnd: Round, text: str, *, buyers: bool) -> None:
    if not buyers:
        count = len(cards_of(text, None))
        raise Refusal(WRONG_CARD_COUNT, f"{count} card(s) drawn, but nobody bought the dealer's card")
    rnd.drawn = dealer_card.read_drawn(rnd, text)
    if not rnd.drawn:
        raise Refusal(WRONG_CARD_COUNT, "dealer.drawn is missing although the dealer's card was bought")
    if not dealer_card.draw_is_over(rnd, rnd.drawn):
        raise Refusal(WRONG_CARD_COUNT, "dealer.drawn ends on the rank thrown away; another card must follow")
