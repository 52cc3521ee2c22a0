"""Inputs of a round: what people did. Each names its round and box (in roulette its wager); each stake kind is one."""

from domain.events.base import Event


class RoundOpened(Event, frozen=True, kw_only=True):
    """A round begins. source: `live` step by step, `record` a finished round; shoe: who draws the cards."""

    TOPIC = "table.round_opened"
    round: str
    number: int
    source: str
    shoe: str = "external"


class AntePlaced(Event, frozen=True, kw_only=True):
    """The ante of a box; blind boxes post their bet with it and act no more."""

    TOPIC = "table.ante_placed"
    round: str
    box: int
    amount: int
    player: str | None = None
    blind: bool = False
    outside_limits: bool = False


class BonusPlaced(Event, frozen=True, kw_only=True):
    TOPIC = "table.bonus_placed"
    round: str
    box: int
    amount: int
    outside_limits: bool = False


class JackpotStaked(Event, frozen=True, kw_only=True):
    TOPIC = "table.jackpot_staked"
    round: str
    box: int
    amount: int


class WagerPlaced(Event, frozen=True, kw_only=True):
    """A roulette wager: `on` as in a round record; amount is the sum of its chips, unit set for announced bets."""

    TOPIC = "table.wager_placed"
    round: str
    wager: int
    on: str
    amount: int
    player: str | None = None
    unit: int | None = None
    late: bool = False


class CardsDealt(Event, frozen=True, kw_only=True):
    """The first cards of a box."""

    TOPIC = "table.cards_dealt"
    round: str
    box: int
    cards: str


class DealerUpcardDealt(Event, frozen=True, kw_only=True):
    """The one dealer card that lies face up before the decisions."""

    TOPIC = "table.dealer_upcard_dealt"
    round: str
    card: str


class BoardDealt(Event, frozen=True, kw_only=True):
    """Community cards turned: three before the decisions, two after."""

    TOPIC = "table.board_dealt"
    round: str
    cards: str


class SwapFeePlaced(Event, frozen=True, kw_only=True):
    TOPIC = "table.swap_fee_placed"
    round: str
    box: int
    amount: int


class CardsSwapped(Event, frozen=True, kw_only=True):
    """`out` goes to the discards; `cards_in` (empty until the shoe answers) come to the hand."""

    TOPIC = "table.cards_swapped"
    round: str
    box: int
    out: str
    cards_in: str


class BuyFeePlaced(Event, frozen=True, kw_only=True):
    TOPIC = "table.buy_fee_placed"
    round: str
    box: int
    amount: int


class SixthCardBought(Event, frozen=True, kw_only=True):
    TOPIC = "table.sixth_card_bought"
    round: str
    box: int
    card: str


class InsurancePlaced(Event, frozen=True, kw_only=True):
    TOPIC = "table.insurance_placed"
    round: str
    box: int
    amount: int


class BetPlaced(Event, frozen=True, kw_only=True):
    """The bet of a box; timed_out: placed for a player who did not act in time."""

    TOPIC = "table.bet_placed"
    round: str
    box: int
    amount: int
    blind: bool = False
    timed_out: bool = False


class HandFolded(Event, frozen=True, kw_only=True):
    TOPIC = "table.hand_folded"
    round: str
    box: int
    timed_out: bool = False


class DealerRevealed(Event, frozen=True, kw_only=True):
    """All first cards of the dealer, the face-up one last."""

    TOPIC = "table.dealer_revealed"
    round: str
    cards: str


class DealerCardFeePlaced(Event, frozen=True, kw_only=True):
    TOPIC = "table.dealer_card_fee_placed"
    round: str
    box: int
    amount: int


class DealerCardDeclined(Event, frozen=True, kw_only=True):
    TOPIC = "table.dealer_card_declined"
    round: str
    box: int


class DealerCardsDrawn(Event, frozen=True, kw_only=True):
    """Cards drawn in place of the dealer's highest, in the order drawn; the last one stays."""

    TOPIC = "table.dealer_cards_drawn"
    round: str
    cards: str


class NumberCalled(Event, frozen=True, kw_only=True):
    TOPIC = "table.number_called"
    round: str
    number: int


class NoSpinCalled(Event, frozen=True, kw_only=True):
    """The spin does not count; stakes stay with the players."""

    TOPIC = "table.no_spin_called"
    round: str


class MisdealCalled(Event, frozen=True, kw_only=True):
    """A misdeal of a kind the sheet knows; box where only one is struck."""

    TOPIC = "table.misdeal_called"
    round: str
    kind: str
    box: int | None = None


class RoundStopped(Event, frozen=True, kw_only=True):
    """A supervisor ends a live round for a reason; what follows is by the sheet's misdeal policy for a void round."""

    TOPIC = "table.round_stopped"
    round: str
    reason: str
