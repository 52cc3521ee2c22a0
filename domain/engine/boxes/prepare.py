"""From the rules of a sheet to the tables its rounds are played with."""

from collections.abc import Iterator
from fractions import Fraction
from typing import TypeAlias

from domain.engine.boxes.tables import (
    Pay,
    PayRow,
    Why,
    antes_of,
    by_strength,
    chip_step_of,
    odds_row,
    pay_of,
    prize_of,
    qualifier_of,
    row_of,
    with_held_bonus,
)
from domain.hands import HANDS, LOWEST
from domain.ruleset.base import Flaw
from domain.ruleset.boxes import Bonus, Jackpot, Misdeal
from domain.ruleset.boxes import Prize as JackpotLine
from domain.ruleset.holdem import HoldemRules
from domain.ruleset.stud import DealerCard, Insurance, StudRules
from domain.second import Additional

Rules: TypeAlias = StudRules | HoldemRules


class SwapTable:
    """The swaps of a sheet: `turns[open boxes][swap]` is number of cards -> price in antes."""

    __slots__ = ("bonus_taken", "clauses", "turns")

    def __init__(self, rules: StudRules) -> None:
        assert rules.swap is not None
        plans = {count: plan for plan in rules.swap.plans for count in plan.open_boxes}
        self.turns = {
            count: [{fee.cards: antes_of(fee.antes) for fee in turn.fees} for turn in plan.turns]
            for count, plan in plans.items()
        }
        self.clauses = {count: plan.clause for count, plan in plans.items()}
        self.bonus_taken = rules.bonus is not None and rules.bonus.at_swap == "taken"

    def prices(self) -> list[Fraction]:
        """Every price that a swap can have, in antes."""
        return [price for turns in self.turns.values() for turn in turns for price in turn.values()]


class InsuranceTable:
    """The terms of insurance, ready to use."""

    __slots__ = ("from_strength", "pay", "share", "terms", "why_back", "why_push", "why_taken")

    def __init__(self, terms: Insurance) -> None:
        self.terms = terms
        self.from_strength = LOWEST[HANDS.index(terms.hand)]
        self.share = Fraction(terms.most)
        self.pay = pay_of(terms.clause, terms.odds)
        self.why_back = Why(terms.clause, "the dealer's hand is higher")
        self.why_taken = Why(terms.clause, "the dealer has a game")
        self.why_push = Why(terms.clause, "the dealer's game is equal")


class BonusTable:
    """The bonus: what each category pays, and when the stake is lost before."""

    __slots__ = ("fixed", "on_first", "row", "rules", "why_fold", "why_lost", "why_swap", "why_won", "won_back")

    def __init__(self, bonus: Bonus, swap_clause: str, fold_clause: str) -> None:
        lines: dict[str, Pay] = {hand: pay_of(bonus.clause, odds) for hand, odds in bonus.odds.items()}
        lines.update({hand: prize_of(bonus.clause, amount) for hand, amount in bonus.prizes.items()})
        self.row = row_of(lines, lowest_for_all=False)
        self.rules = bonus
        self.fixed = bonus.stake
        self.on_first = bonus.on == "first-cards"
        self.won_back = bonus.stake_when_won == "returned"
        self.why_won = Why(bonus.clause, "the bonus is won")
        self.why_lost = Why(bonus.clause, "the hand wins no bonus")
        self.why_swap = Why(swap_clause, "cards were swapped")
        self.why_fold = Why(fold_clause, "the hand was folded")


class JackpotTable:
    """The jackpot stake and the prizes by category."""

    __slots__ = ("prizes", "stake", "why")

    def __init__(self, jackpot: Jackpot) -> None:
        self.stake = jackpot.stake
        self.why = Why(jackpot.clause, "the jackpot stake")
        self.prizes: list[JackpotLine | None] = []
        line: JackpotLine | None = None
        for hand in HANDS:  # a hand without a line wins the next lower line
            line = jackpot.prizes.get(hand, line)
            self.prizes.append(line)


class DealerCardTable:
    """The terms on which the dealer's highest card is replaced."""

    __slots__ = ("clause", "price", "redraw", "redraw_clause", "terms", "why_fee", "why_still")

    def __init__(self, terms: DealerCard) -> None:
        self.terms = terms
        self.clause = terms.clause
        self.redraw_clause = terms.redraw_clause or terms.clause
        self.price = antes_of(terms.antes)
        self.redraw = terms.redraw
        self.why_fee = Why(terms.clause, "the price of the dealer's card")
        self.why_still = Why(terms.clause, "the dealer still has no game")


class BoxTables:
    """Everything a round of boxes needs of its sheet, looked up and never computed.

    hand_cards, dealer_cards, board_before, board_after: how the cards lie. Rows are by strength (win_bet, win_ante,
    no_game_bet, no_game_ante) and hold a Pay or None.
    """

    def __init__(self, rules: Rules) -> None:
        stud = rules if isinstance(rules, StudRules) else None
        self.rules = rules
        self._deal(rules)
        self.boxes = rules.table.boxes
        self.open_boxes = rules.players.open_boxes
        self.equal_antes = rules.players.equal_antes
        self.blind = stud.blind if stud else None
        self.one_box_each = self.open_boxes == 1 and self.blind is None
        self.bet_antes = antes_of(rules.bet.antes)
        self.qualifies_from = qualifier_of(rules.dealer.qualifier)
        self.cap_kinds = rules.cap.kinds
        self.misdeals: dict[str, Misdeal] = {str(kind): terms for kind, terms in rules.misdeals.kinds.items()}
        self.misdeal_pays = {kind: pay_of(m.clause, m.ante) for kind, m in self.misdeals.items() if m.ante}
        self.time_out = stud.time_out if stud else None
        self.time_out_from = LOWEST[HANDS.index(self.time_out.bet_from)] if self.time_out else 0
        swap_clause = stud.swap.clause if stud and stud.swap else rules.fold.clause
        self.bonus = BonusTable(rules.bonus, swap_clause, rules.fold.clause) if rules.bonus else None
        self.jackpot = JackpotTable(rules.jackpot) if rules.jackpot else None
        self.swap = SwapTable(stud) if stud and stud.swap else None
        self.buy = stud.buy if stud else None
        self.buy_price = antes_of(self.buy.antes) if self.buy else Fraction(0)
        self.swap_and_buy = self.buy is not None and self.buy.with_swap
        self.insurance = InsuranceTable(stud.insurance) if stud and stud.insurance else None
        self.dealer_card = DealerCardTable(stud.dealer_card) if stud and stud.dealer_card else None
        self._pay(rules, stud)
        self._say(rules, stud)
        self.chip_step = self._chip_step(rules)

    def _deal(self, rules: Rules) -> None:
        if isinstance(rules, HoldemRules):
            self.hand_cards = self.dealer_cards = rules.board.hand_cards
            self.board_before, self.board_after, self.upcard = rules.board.before, rules.board.after, False
        else:
            self.hand_cards = self.dealer_cards = 5
            self.board_before, self.board_after, self.upcard = 0, 0, True
        self.board_cards = self.board_before + self.board_after

    def _pay(self, rules: Rules, stud: StudRules | None) -> None:
        bet_row = odds_row(rules.win.bet, lowest_for_all=True)
        self.win_bet = by_strength(bet_row)
        self.bet_by_category = bet_row
        if stud and stud.ace_king_bonus:
            held = stud.ace_king_bonus
            self.win_bet = with_held_bonus(self.win_bet, held.clause, held.hand, held.times)
        self.win_ante = by_strength(_row(odds_row(rules.win.ante, lowest_for_all=True) if rules.win.ante else None))
        no_game = rules.no_game
        self.no_game_ante = by_strength(_row(odds_row(no_game.ante, lowest_for_all=True) if no_game.ante else None))
        self.no_game_bet = by_strength(_row(odds_row(no_game.bet, lowest_for_all=False) if no_game.bet else None))
        self.additional: Additional | None = None
        self.additional_clause = ""
        if stud and stud.combinations:
            self.additional = Additional([Fraction(p.num, p.den) if p else Fraction(0) for p in bet_row])
            self.additional_clause = stud.combinations.clause

    def _say(self, rules: Rules, stud: StudRules | None) -> None:
        self.why_fold = Why(rules.fold.clause, "the hand was folded")
        self.why_time_out = Why(self.time_out.clause, "folded: out of time") if self.time_out else self.why_fold
        self.why_win = Why(rules.win.bet.clause, "the hand beats the dealer's")
        self.why_win_ante = Why((rules.win.ante or rules.win.bet).clause, "the hand beats the dealer's")
        self.why_lose = Why(rules.lose.clause, "the dealer's hand is higher")
        self.why_push = Why(rules.push.clause, "equal hands")
        self.why_no_game = Why(rules.no_game.clause, "the dealer has no game")
        self.why_swap = Why(stud.swap.clause if stud and stud.swap else "", "the price of the swap")
        self.why_buy = Why(self.buy.clause if self.buy else "", "the price of the sixth card")

    def _chip_step(self, rules: Rules) -> int:
        """Insurance is left out of the parts of a chip: its odds are whole on any stake when they are whole to one."""
        prices = [self.bet_antes, self.buy_price]
        prices += self.swap.prices() if self.swap else []
        prices += [self.dealer_card.price] if self.dealer_card else []
        one = Fraction(1)
        odds = [(one, pay) for pay in _pays(self.win_ante, self.no_game_ante)]
        odds += [(self.bet_antes, pay) for pay in _pays(self.win_bet, self.no_game_bet)]
        odds += [(one, self.insurance.pay)] if self.insurance else []
        if rules.bonus and rules.bonus.stake is None and self.bonus:
            odds += [(one, pay) for pay in _pays(self.bonus.row)]
        odds += [(one, pay) for pay in self.misdeal_pays.values()]
        return chip_step_of(prices, odds)


def _row(row: PayRow | None) -> PayRow:
    return row if row is not None else [None] * len(HANDS)


def _pays(*rows: PayRow) -> set[Pay]:
    return {pay for row in rows for pay in row if pay is not None}


def prepare(rules: Rules) -> BoxTables:
    """The tables of rules in which `flaws` found nothing."""
    return BoxTables(rules)


def flaws(rules: Rules) -> Iterator[Flaw]:
    """What is wrong with rules that are well-formed."""
    yield from _bonus_flaws(rules.bonus)
    for hand, prize in rules.jackpot.prizes.items() if rules.jackpot else ():
        if (prize.percent is None) == (prize.sum is None):
            yield Flaw(("jackpot", "prizes", hand), "a prize is either `percent` of the meter or a `sum`")
    if rules.players.open_boxes > rules.table.boxes:
        yield Flaw(("players", "open_boxes"), f"the table has {rules.table.boxes} boxes")
    if isinstance(rules, HoldemRules):
        if rules.board.before + rules.board.after != 5:
            yield Flaw(("board",), "before + after must be five community cards")
    else:
        yield from _stud_flaws(rules)


def _bonus_flaws(bonus: Bonus | None) -> Iterator[Flaw]:
    if bonus is None:
        return
    if bool(bonus.odds) == bool(bonus.prizes):
        yield Flaw(("bonus",), "a bonus pays either by `odds` or by `prizes`")
    if bonus.prizes and bonus.stake is None:
        yield Flaw(("bonus", "prizes"), "prizes are for a fixed `stake`")
    for hand, odds in bonus.odds.items():
        if bonus.stake is not None and bonus.stake * int(odds.split(":")[0]) % int(odds.split(":")[1]):
            yield Flaw(("bonus", "odds", hand), f"{odds} on a stake of {bonus.stake} is no whole amount")


def _stud_flaws(rules: StudRules) -> Iterator[Flaw]:
    seen: set[int] = set()
    for number, plan in enumerate(rules.swap.plans if rules.swap else ()):
        path = ("swap", "plans", number)
        for count in plan.open_boxes:
            if count in seen:
                yield Flaw((*path, "open_boxes"), f"{count} open boxes have two plans")
            seen.add(count)
        for turn_number, turn in enumerate(plan.turns):
            counts = [fee.cards for fee in turn.fees]
            if len(counts) != len(set(counts)):
                yield Flaw((*path, "turns", turn_number), "a number of cards has two prices")
    if rules.blind and rules.blind.needs_open > rules.players.open_boxes:
        yield Flaw(("blind", "needs_open"), f"a player may have {rules.players.open_boxes} open boxes")
