"""A box against the dealer: what happened, in one word, and what each table of the sheet would pay for it."""

from dataclasses import dataclass
from typing import Any, Final

from domain.shadow.combinations import Additional, additional
from domain.shadow.dealer import Dealer
from domain.shadow.hands import ACE, KING, Cards, Hand, best
from domain.shadow.scales import line, line_or_lowest, odds, whole
from domain.shadow.story import Story
from domain.shadow.unsure import ShadowUnsure

FOLD: Final = "fold"
NO_GAME: Final = "no game"
IN_VAIN: Final = "no game after a bought card"
HIGHER: Final = "player higher"
LOWER: Final = "dealer higher"
EQUAL: Final = "equal"


@dataclass(frozen=True, slots=True)
class Case:
    """What the tables of stakes ask about a box.

    fate: how ante and bet came out. insured: how the insurance came out, which may have been settled on other cards.
    """

    rules: Any
    story: Story
    first: Hand
    last: Hand
    fate: str
    insured: str

    def stake(self, kind: str) -> int:
        return self.story.stakes.get(kind, 0)

    def by_table(self, kind: str, table: Any) -> int:
        """A stake paid by a table of odds, the lowest line reaching all the way down."""
        return whole(self.stake(kind) * odds(line_or_lowest(table.odds, self.last.name)))

    def second(self) -> Additional | None:
        """The additional combination that is paid: the hand has won."""
        return second_of(self.rules, self.story.last) if self.fate == HIGHER else None


def case_of(rules: Any, story: Story, dealer: Dealer) -> Case:
    """A box's case once the dealer's last card is known."""
    last = best(story.last)
    fate = FOLD if story.folded else _fate(rules, story, last, dealer)
    return Case(rules, story, best(story.first), last, fate, _insured(rules, last, dealer))


def _fate(rules: Any, story: Story, last: Hand, dealer: Dealer) -> str:
    if dealer.first_game:
        return _compared(last, dealer.first)
    if not dealer.drew:
        return NO_GAME
    if not story.buys_dealer_card:
        meets_final = rules.dealer_card.decliners == "final-hand" and dealer.final_game
        return _compared(last, dealer.final) if meets_final else NO_GAME
    return _compared(last, dealer.final) if dealer.final_game else IN_VAIN


def _insured(rules: Any, last: Hand, dealer: Dealer) -> str:
    """Insurance looks at the dealer's first cards, unless the sheet has it wait for the bought one (R.dealer-card)."""
    waits = dealer.drew and rules.dealer_card.insurance == "final-hand"
    hand, game = (dealer.final, dealer.final_game) if waits else (dealer.first, dealer.first_game)
    return _compared(last, hand) if game else NO_GAME


def _compared(player: Hand, dealer: Hand) -> str:
    return HIGHER if player > dealer else LOWER if player < dealer else EQUAL


def winnings(case: Case) -> int:
    """What the bet wins against a lower game."""
    return winnings_of(case.rules, case.stake("bet"), case.story.last)


def winnings_of(rules: Any, bet: int, cards: Cards) -> int:
    """The table's line, as often as a held bonus says, and the line of a second combination (R.combinations, V)."""
    hand = best(cards)
    rate = odds(line_or_lowest(rules.win.bet.odds, hand.name))
    held = getattr(rules, "ace_king_bonus", None)
    second = second_of(rules, cards)
    if held is not None and hand.name == held.hand and {ACE, KING} <= set(hand.ranks):
        if second is not None:
            raise ShadowUnsure("no sheet says how a held ace-king and an additional combination are paid together")
        rate *= held.times
    return whole(bet * (rate + (second.pays if second is not None else 0)))


def second_of(rules: Any, cards: Cards) -> Additional | None:
    """The additional combination in the cards, where the sheet pays one (R.combinations)."""
    if getattr(rules, "combinations", None) is None:
        return None
    return additional(cards, rules.win.bet.odds)


def no_game_winnings(case: Case) -> int:
    """What the bet is paid all the same although there is no game: nothing below the lowest line (C.no-game-table)."""
    table = case.rules.no_game.bet
    printed = line(table.odds, case.last.name) if table is not None else None
    return whole(case.stake("bet") * odds(printed)) if printed is not None else 0
