"""How much each box of a live round can still be paid of the kinds that the table's cap counts."""

from domain.engine.boxes import acts, dealer_card, phases
from domain.engine.boxes.options import insurance_now
from domain.engine.boxes.state import Box, Round
from domain.engine.boxes.tables import PayRow
from domain.engine.boxes.winnings import bet_win
from domain.engine.exposure import Exposure


def exposure(rnd: Round) -> list[Exposure]:
    """One entry a box, in the order in which they play."""
    return [_of_box(rnd, box) for box in rnd.by_number]


def _of_box(rnd: Round, box: Box) -> Exposure:
    cap = rnd.limits.max_payout_per_box
    staked = sum(amount for _, amount in box.stakes())
    live = not rnd.closed and not rnd.void and not box.void and not box.folded
    insurable = insurance_now(rnd, box)[1] if live and not phases.dealing(rnd) else 0
    most = _most_payable(rnd, box, insurable) if live else 0
    return Exposure(box.number, staked, cap, most, cap - most if cap is not None else None, insurable)


def _most_payable(rnd: Round, box: Box, insurable: int) -> int:
    """The best that can still come: against a game the bet, on no game the insurance, with the dealer's card both."""
    play = rnd.play
    counted = play.cap_kinds
    bet = acts.amount_of(play.bet_antes, box.ante)
    on_win = on_no_game = 0
    if "ante" in counted:
        on_win += _best(rnd, box, play.win_ante, box.ante)
        on_no_game += _best(rnd, box, play.no_game_ante, box.ante)
    if "bet" in counted:
        on_win += _best_bet(rnd, box, bet)
        on_no_game += _best(rnd, box, play.no_game_bet, bet)
    insured = 0
    if "insurance" in counted and play.insurance is not None:
        insured = play.insurance.pay.due(box.insurance or insurable or _insurable_later(rnd, box))
    if rnd.dealer and dealer_card.dealer_has_game(rnd):
        return on_win
    if play.dealer_card is not None and (box.buys_dealer_card or not box.asked) and not box.blind:
        return max(on_win, on_no_game) + insured
    return max(on_win if not rnd.dealer else 0, on_no_game + insured)


def _final(rnd: Round, box: Box) -> bool:
    """Whether the hand will not change any more."""
    return bool(box.cards) and box.decided and len(rnd.board) == rnd.play.board_cards


def _best(rnd: Round, box: Box, row: PayRow, stake: int) -> int:
    """The most a stake can be paid by a row: on the hand as it is, or on any where it can still change."""
    if _final(rnd, box):
        pay = row[rnd.strength_of(box.total)]
        return pay.due(stake) if pay else 0
    return max((pay.due(stake) for pay in set(row) if pay is not None), default=0)


def _best_bet(rnd: Round, box: Box, bet: int) -> int:
    play = rnd.play
    if _final(rnd, box):
        return bet_win(play, box.total, rnd.strength_of(box.total), bet)[0]
    best = _best(rnd, box, play.win_bet, bet)
    if play.additional is None:
        return best
    return best + max(pay.due(bet) for pay in play.bet_by_category[:-1] if pay is not None)


def _insurable_later(rnd: Round, box: Box) -> int:
    """The most insurance a box may come to place that has still to decide."""
    terms = rnd.play.insurance
    if terms is None or box.decided:
        return 0
    bet = acts.amount_of(rnd.play.bet_antes, box.ante)
    most = _best_bet(rnd, box, bet) * terms.share.numerator // terms.share.denominator
    cap = rnd.limits.max_payout_per_box
    return min(most, cap) if terms.terms.most_within_cap and cap is not None else most
