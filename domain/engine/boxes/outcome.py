"""What follows from a round's inputs: every stake taken or returned, and what it is paid, each with its reason.

One list of lines says it all. `settle` reads the amounts off them, the live table turns them into events.
"""

from typing import NamedTuple

from domain.engine.boxes.state import Box, Round
from domain.engine.boxes.tables import Pay, Why
from domain.engine.boxes.winnings import bet_win
from domain.engine.jackpot import Prize
from domain.hands import CATEGORY, HANDS, strength


class Line(NamedTuple):
    """One stake's end: `back` (returned) or taken, why, and what it earns.

    due: winnings by the odds; paid: after the cap; pay: why, with the odds as printed. second: the category of the
    additional combination that was paid (0: none).
    """

    kind: str
    stake: int
    back: bool
    why: Why
    due: int = 0
    paid: int = 0
    pay: Why | None = None
    second: int = 0


class Table(NamedTuple):
    """What the dealer holds: strength of the first cards and whether that is a game; the same after the drawing."""

    first: int
    has_game: bool
    final: int
    final_has_game: bool


def dealer_of(rnd: Round) -> Table:
    """The dealer's hand before and after the drawing."""
    play = rnd.play
    first = rnd.strength_of(rnd.dealer_total)
    final = rnd.strength_of(rnd.final_dealer_total()) if rnd.drawn else first
    threshold = play.qualifies_from
    return Table(first, first >= threshold, final, final >= threshold)


def lines_of(rnd: Round, box: Box, held: int, dealer: Table) -> list[Line]:
    """The ends of a box's stakes in the order of a settlement; the jackpot's prize is not known here.

    held: the strength of the box's final hand.
    """
    play = rnd.play
    if box.folded:
        why = play.why_time_out if box.timed_out else play.why_fold
        lines = [Line("ante", box.ante, False, why)]
    else:
        lines = _against_dealer(rnd, box, held, dealer)
    if box.bonus or box.jackpot or box.swap_fee or box.buy_fee or box.dealer_fee:
        return _with_side_stakes(rnd, box, held, dealer, lines)
    return lines


def _against_dealer(rnd: Round, box: Box, held: int, dealer: Table) -> list[Line]:
    """Ante, bet and insurance of a box in play."""
    play = rnd.play
    buys = box.buys_dealer_card
    game, against = dealer.has_game, dealer.first
    if not game and (buys or _rides_with_buyers(rnd)):
        game, against = dealer.final_has_game, dealer.final
    if game:
        if held > against:
            lines = _won(rnd, box, held)
        elif held < against:
            lines = [Line("ante", box.ante, False, play.why_lose), Line("bet", box.bet, False, play.why_lose)]
        else:
            lines = [Line("ante", box.ante, True, play.why_push), Line("bet", box.bet, True, play.why_push)]
    elif buys:
        lines = _still_no_game(rnd, box, held)
    else:
        lines = _no_game(rnd, box, held)
    if box.insurance:
        lines.append(_insurance(rnd, box, held, dealer))
    return _capped(rnd, lines) if rnd.limits.max_payout_per_box is not None else lines


def _rides_with_buyers(rnd: Round) -> bool:
    """Whether boxes that declined the dealer's card are settled by the final hand as well."""
    terms = rnd.play.dealer_card
    return bool(rnd.drawn) and terms is not None and terms.terms.decliners == "final-hand"


def _paid_line(kind: str, stake: int, why: Why, pay: Pay | None) -> Line:
    if pay is None:
        return Line(kind, stake, True, why)
    due = pay.due(stake)
    return Line(kind, stake, True, why, due, due, pay.why)


def _won(rnd: Round, box: Box, held: int) -> list[Line]:
    play = rnd.play
    ante = _paid_line("ante", box.ante, play.why_win_ante, play.win_ante[held])
    if play.additional is None:
        return [ante, _paid_line("bet", box.bet, play.why_win, play.win_bet[held])]
    due, second = bet_win(play, box.total, held, box.bet)
    if not second:
        return [ante, _paid_line("bet", box.bet, play.why_win, play.win_bet[held])]
    main, extra = play.win_bet[held], play.bet_by_category[second]
    assert main is not None
    assert extra is not None
    both = Why(play.additional_clause, f"{main.why.reason} + {extra.why.reason}")
    return [ante, Line("bet", box.bet, True, play.why_win, due, due, both, second)]


def _insured_ante_returned(rnd: Round, box: Box) -> bool:
    insurance = rnd.play.insurance
    return box.insurance > 0 and insurance is not None and insurance.terms.insured_ante == "returned"


def _no_game(rnd: Round, box: Box, held: int) -> list[Line]:
    play = rnd.play
    why = play.why_no_game
    pay = None if _insured_ante_returned(rnd, box) else play.no_game_ante[held]
    return [_paid_line("ante", box.ante, why, pay), _paid_line("bet", box.bet, why, play.no_game_bet[held])]


def _still_no_game(rnd: Round, box: Box, held: int) -> list[Line]:
    """A buyer of the dealer's card when the dealer has no game all the same: the bet comes back, unpaid."""
    play = rnd.play
    terms = play.dealer_card
    assert terms is not None
    paid = terms.terms.still_no_game == "ante-paid" and not _insured_ante_returned(rnd, box)
    ante = _paid_line("ante", box.ante, terms.why_still, play.no_game_ante[held] if paid else None)
    return [ante, Line("bet", box.bet, True, terms.why_still)]


def _insurance(rnd: Round, box: Box, held: int, dealer: Table) -> Line:
    insurance = rnd.play.insurance
    assert insurance is not None
    terms, stake = insurance.terms, box.insurance
    game, against = dealer.has_game, dealer.first
    if rnd.drawn and rnd.play.dealer_card is not None and rnd.play.dealer_card.terms.insurance == "final-hand":
        game, against = dealer.final_has_game, dealer.final
    if not game:
        return _paid_line("insurance", stake, rnd.play.why_no_game, insurance.pay)
    if against > held:
        return Line("insurance", stake, terms.dealer_higher == "returned", insurance.why_back)
    if against == held:
        return Line("insurance", stake, terms.push == "returned", insurance.why_push)
    return Line("insurance", stake, False, insurance.why_taken)


def _capped(rnd: Round, lines: list[Line]) -> list[Line]:
    """The lines with the table's cap applied: what is over it comes off the sheet's first kind first."""
    cap, kinds = rnd.limits.max_payout_per_box, rnd.play.cap_kinds
    assert cap is not None
    over = sum(line.due for line in lines if line.kind in kinds) - cap
    for kind in kinds if over > 0 else ():
        for place, line in enumerate(lines):
            if line.kind == kind and over > 0:
                less = min(over, line.paid)
                lines[place] = line._replace(paid=line.paid - less)
                over -= less
    return lines


def _with_side_stakes(rnd: Round, box: Box, held: int, dealer: Table, lines: list[Line]) -> list[Line]:
    """The lines with bonus, jackpot and fees put in their places."""
    play = rnd.play
    insurance = [lines.pop()] if lines[-1].kind == "insurance" else []
    if box.bonus:
        lines.append(_bonus(rnd, box, held))
    if box.jackpot and play.jackpot:
        lines.append(Line("jackpot", box.jackpot, False, play.jackpot.why))
    if box.swap_fee:
        lines.append(Line("swap", box.swap_fee, False, play.why_swap))
    if box.buy_fee:
        lines.append(Line("buy", box.buy_fee, False, play.why_buy))
    lines += insurance
    if box.dealer_fee and play.dealer_card:
        terms = play.dealer_card
        back = terms.terms.fee == "returned-on-no-game" and not dealer.final_has_game
        lines.append(Line("dealer_card", box.dealer_fee, back, terms.why_fee))
    return lines


def _bonus(rnd: Round, box: Box, held: int) -> Line:
    bonus = rnd.play.bonus
    assert bonus is not None
    if box.folded and bonus.rules.at_fold == "taken":
        return Line("bonus", box.bonus, False, bonus.why_fold)
    if box.swaps and bonus.rules.at_swap == "taken":
        return Line("bonus", box.bonus, False, bonus.why_swap)
    hand = first_strength(rnd, box) if bonus.on_first else held
    pay = bonus.row[CATEGORY[hand]]
    if pay is None:
        return Line("bonus", box.bonus, False, bonus.why_lost)
    due = pay.due(box.bonus)
    return Line("bonus", box.bonus, bonus.won_back, bonus.why_won, due, due, pay.why)


def first_strength(rnd: Round, box: Box) -> int:
    """The strength of the first cards: the hand as dealt, in hold'em with the board of before the decisions."""
    play = rnd.play
    return strength(box.first + sum(rnd.board[: play.board_before])) if rnd.board else strength(box.first)


def prize_of(rnd: Round, box: Box) -> Prize | None:
    """The jackpot prize that a box with a jackpot stake has won on its first cards."""
    jackpot = rnd.play.jackpot
    if jackpot is None or not box.jackpot or box.void:
        return None
    category = CATEGORY[first_strength(rnd, box)]
    prize = jackpot.prizes[category]
    if prize is None:
        return None
    share = prize.percent * 10_000 if prize.percent is not None else None
    return Prize(box.number, box.player, HANDS[category], prize.clause, share, prize.sum, prize.level)


def void_lines(rnd: Round, box: Box) -> list[Line]:
    """All that a void box put up, returned; in a misdeal that pays the antes, those paid as well."""
    why = why_void(rnd)
    lines = [Line(kind, amount, True, why) for kind, amount in box.stakes()]
    pay = rnd.play.misdeal_pays.get(rnd.misdeal[0]) if rnd.misdeal and rnd.stopped is None else None
    if pay is not None:
        lines[0] = _paid_line("ante", box.ante, why, pay)
    return _capped(rnd, lines) if rnd.limits.max_payout_per_box is not None else lines


def why_void(rnd: Round) -> Why:
    """The clause under which a box or the round is void, and the misdeal or the supervisor's reason."""
    if rnd.stopped is not None or rnd.misdeal is None:
        return Why(rnd.play.rules.misdeals.clause, rnd.stopped or "stopped")
    kind = rnd.misdeal[0]
    return Why(rnd.play.misdeals[kind].clause, kind.replace("_", " "))
