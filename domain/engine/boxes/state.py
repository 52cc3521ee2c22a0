"""The state of a round of boxes: what has been put up, dealt and decided, and what has come out of it."""

from collections.abc import Iterable

from domain.cards import DECK_MASK
from domain.engine.boxes.prepare import BoxTables
from domain.engine.limits import Limits
from domain.hands import strength
from domain.ruleset.base import Ruleset

ActLog = tuple[str, list[int], list[int], int]
"""One act as it was taken in: what was done, cards out, cards in, and its fee or amount."""


class Box:
    """One box. Amounts in minor units; cards packed, `first` the sum of those dealt, `total` of those held now.

    open_boxes: how many boxes its player plays openly. outside, bonus_outside: the dealer accepted ante or bonus
    although it is outside the limits. asked: it has said whether it buys the dealer's card. dealt: the first cards as
    they lay. acts: what it did before the dealer's cards, in order, kept of a record only.
    """

    __slots__ = (
        "acts",
        "ante",
        "asked",
        "bet",
        "blind",
        "bonus",
        "bonus_outside",
        "bought",
        "buy_fee",
        "buys_dealer_card",
        "cards",
        "dealer_fee",
        "dealt",
        "first",
        "folded",
        "insurance",
        "jackpot",
        "number",
        "open_boxes",
        "out",
        "outside",
        "player",
        "swap_fee",
        "swaps",
        "timed_out",
        "total",
        "void",
    )

    def __init__(  # noqa: PLR0917  (made by the thousand, and keywords cost)
        self, number: int, ante: int, player: str | None, bonus: int, jackpot: int, blind: bool
    ) -> None:
        self.number = number
        self.ante = ante
        self.player = player
        self.bonus = bonus
        self.jackpot = jackpot
        self.blind = blind
        self.bet = 0
        self.insurance = 0
        self.swap_fee = 0
        self.buy_fee = 0
        self.dealer_fee = 0
        self.swaps = 0
        self.first = 0
        self.total = 0
        self.bought = False
        self.folded = False
        self.timed_out = False
        self.buys_dealer_card = False
        self.asked = False
        self.void = False
        self.outside = False
        self.bonus_outside = False
        self.cards: list[int] = []
        self.dealt: list[int] = []
        self.acts: list[ActLog] = []
        self.out: Outcome | None = None
        self.open_boxes = 1

    @property
    def decided(self) -> bool:
        """Whether the box has nothing more to say before the dealer's cards: bet placed, folded, blind or void."""
        return self.bet > 0 or self.folded or self.void

    @property
    def in_play(self) -> bool:
        """Whether the box is still to be settled against the dealer."""
        return self.bet > 0 and not self.folded and not self.void

    def deal(self, cards: list[int]) -> None:
        """Take in the first cards."""
        self.cards = self.dealt = cards
        self.first = self.total = sum(cards)

    def swap(self, out: list[int], cards_in: list[int]) -> None:
        """Take in the cards of a swap; the fee is a matter of its own."""
        self.swaps += 1
        self.total += sum(cards_in) - sum(out)
        kept = self.cards.copy()
        for old in out:
            if old in kept:
                kept.remove(old)
        self.cards = kept + cards_in

    def buy(self, cards: list[int]) -> None:
        """Take in a sixth card; the fee is a matter of its own."""
        self.bought = True
        self.total += sum(cards)
        self.cards = self.cards + cards

    def stakes(self) -> Iterable[tuple[str, int]]:
        """The kinds that were put up, in the order of a settlement."""
        pairs = (
            ("ante", self.ante),
            ("bet", self.bet),
            ("bonus", self.bonus),
            ("jackpot", self.jackpot),
            ("swap", self.swap_fee),
            ("buy", self.buy_fee),
            ("insurance", self.insurance),
            ("dealer_card", self.dealer_fee),
        )
        return [pair for pair in pairs if pair[1]]

    def copy(self) -> "Box":
        """A box of its own with the same contents."""
        twin = Box.__new__(Box)
        for name in Box.__slots__:
            setattr(twin, name, getattr(self, name))
        twin.acts = self.acts.copy()
        twin.out = self.out.copy() if self.out else None
        return twin


class Outcome:
    """What has come out of a box so far, by kind of stake."""

    __slots__ = ("capped", "paid", "returned", "second", "taken")

    def __init__(self) -> None:
        self.returned: dict[str, int] = {}
        self.taken: dict[str, int] = {}
        self.paid: dict[str, int] = {}
        self.capped = 0
        self.second: str | None = None

    def copy(self) -> "Outcome":
        """An outcome of its own with the same contents."""
        twin = Outcome()
        twin.returned, twin.taken, twin.paid = self.returned.copy(), self.taken.copy(), self.paid.copy()
        twin.capped, twin.second = self.capped, self.second
        return twin


class Round:
    """One round. `boxes` are in the order they were named in, `by_number` in the order in which they play.

    seen: a bit for each card dealt so far. deck_left: cards neither dealt nor kept for hands yet to be dealt.
    misdeal: (kind, box) once called; stopped: a supervisor's reason.
    """

    __slots__ = (
        "board",
        "board_total",
        "boxes",
        "by_number",
        "closed",
        "dealer",
        "dealer_total",
        "deck_left",
        "drawn",
        "limits",
        "misdeal",
        "number",
        "opened",
        "play",
        "round_id",
        "ruleset",
        "seen",
        "shoe",
        "source",
        "stopped",
        "upcard",
        "void",
    )

    def __init__(self, ruleset: Ruleset, limits: Limits, round_id: str, number: int) -> None:
        self.ruleset = ruleset
        self.play: BoxTables = ruleset.play
        self.limits = limits
        self.round_id = round_id
        self.number = number
        self.opened = False
        self.closed = False
        self.void = False
        self.source = "live"
        self.shoe = "external"
        self.boxes: list[Box] = []
        self.by_number: list[Box] = []
        self.board: list[int] = []
        self.board_total = 0
        self.dealer: list[int] = []
        self.dealer_total = 0
        self.drawn: list[int] = []
        self.upcard = 0
        self.seen = 0
        self.deck_left = 52
        self.misdeal: tuple[str, int | None] | None = None
        self.stopped: str | None = None

    def seat(self, boxes: list[Box]) -> None:
        """Take in the boxes, in the order they were named in."""
        self.boxes = boxes
        self.by_number = sorted(boxes, key=_number) if len(boxes) > 1 else boxes
        play = self.play
        self.deck_left = 52 - play.hand_cards * len(boxes) - play.dealer_cards - play.board_cards

    def box(self, number: int) -> Box | None:
        """The box of this number, if it plays."""
        return next((box for box in self.boxes if box.number == number), None)

    def turn_board(self, cards: list[int]) -> None:
        """Take in community cards."""
        self.board = self.board + cards
        self.board_total += sum(cards)
        self.seen |= sum(cards) & DECK_MASK

    def reveal(self, cards: list[int]) -> None:
        """Take in the dealer's first cards."""
        self.dealer = cards
        self.dealer_total = sum(cards)

    def final_dealer_total(self) -> int:
        """The sum of the dealer's cards after the highest was replaced by the last one drawn, if any was."""
        if not self.drawn:
            return self.dealer_total
        return self.dealer_total - highest(self.dealer) + self.drawn[-1]

    def strength_of(self, total: int) -> int:
        """The strength of a hand together with the board."""
        return strength(total + self.board_total) if self.board_total else strength(total)

    def see(self, total: int) -> None:
        """Note that cards kept for a hand have come out of the deck."""
        self.seen |= total & DECK_MASK

    def deal_out(self, cards: list[int]) -> None:
        """Note that further cards, kept for nobody, have come out of the deck."""
        self.deck_left -= len(cards)
        for card in cards:
            self.seen |= card & DECK_MASK

    def copy(self) -> "Round":
        """A round of its own with the same contents."""
        twin = Round.__new__(Round)
        for name in Round.__slots__:
            setattr(twin, name, getattr(self, name))
        twin.boxes = [box.copy() for box in self.boxes]
        twin.by_number = sorted(twin.boxes, key=_number)
        return twin


def _number(box: Box) -> int:
    return box.number


def highest(cards: list[int]) -> int:
    """The card of the highest rank; of two alike the one dealt first."""
    return max(cards, key=_rank)


def _rank(card: int) -> int:
    return card >> 68
