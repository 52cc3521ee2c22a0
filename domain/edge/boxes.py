"""What the house earns on boxes: rounds dealt from a seeded deck, played by a strategy, settled by the engine."""

from math import sqrt
from random import Random
from typing import Any, Final

from msgspec import UNSET

from domain.cards import NAMES, PACKED_BY_NAME
from domain.edge.figures import Stake
from domain.edge.strategies import Seen, Strategy
from domain.engine import settle_record
from domain.engine.limits import Limits
from domain.engine.record import Bet, Buy, Fold, Play, Record, RecordBox, RecordDealer, Swap
from domain.engine.settled import BoxSettlement, Settlement
from domain.ruleset.base import Ruleset

ANTES: Final = 1000
"""The ante in smallest chips: large beside a fixed prize's stake, small beside no sum that matters."""

MAIN: Final = ("ante", "bet", "swap", "buy", "insurance", "dealer_card")
"""The kinds that make up the game itself; side stakes stand on their own."""


class _Kind:
    """Sums over rounds for one kind of stake: what the house won on it (w) and what was staked (s), in antes."""

    __slots__ = ("s", "ss", "w", "ws", "ww")

    def __init__(self) -> None:
        self.w = self.s = self.ww = self.ss = self.ws = 0.0

    def add(self, won: float, staked: float) -> None:
        self.w += won
        self.s += staked
        self.ww += won * won
        self.ss += staked * staked
        self.ws += won * staked

    def stake(self) -> Stake:
        """The ratio of sums, with the standard error of a ratio; boxes of one round share a dealer, so rounds count."""
        edge = self.w / self.s
        spread = self.ww - 2 * edge * self.ws + edge * edge * self.ss
        return Stake(edge, "simulation", sqrt(max(spread, 0.0)) / self.s)


class Table:
    """A simulated table: every box played by its own player with the same strategy."""

    def __init__(self, ruleset: Ruleset, strategy: Strategy, seed: int) -> None:
        self.ruleset = ruleset
        self.strategy = strategy
        self.rounds = 0
        self.boxes: int = ruleset.play.boxes
        self._limits = Limits(chip=ruleset.chip_step, min=ruleset.chip_step)
        self._ante = ANTES * ruleset.chip_step
        self._random = Random(seed)  # noqa: S311  (an estimate must be repeatable; nothing is dealt to anybody)
        self._kinds: dict[str, _Kind] = {}
        self._round = _Kind()
        self._squares = 0.0
        self._draw = drawing(ruleset)

    def play(self) -> None:
        """One round more."""
        settled: Any = settle_record(self.ruleset, self._limits, self._deal())
        self._count(settled)
        self.rounds += 1

    @property
    def edge(self) -> float:
        """The house's mean win per ante."""
        return self._round.w / (self.rounds * self.boxes)

    @property
    def standard_error(self) -> float:
        """Of the edge, between rounds."""
        mean = self._round.w / self.rounds
        return sqrt(max(self._round.ww / self.rounds - mean * mean, 0.0) / self.rounds) / self.boxes

    @property
    def deviation(self) -> float:
        """Of the house's win on one box of one round, in antes."""
        return sqrt(max(self._squares / (self.rounds * self.boxes) - self.edge**2, 0.0))

    def stakes(self) -> dict[str, Stake]:
        """The edge of every kind that was staked."""
        return {kind: sums.stake() for kind, sums in self._kinds.items()}

    def _deal(self) -> Record:
        tables = self.ruleset.play
        deck = self._random.sample(NAMES, len(NAMES))
        hands = [_take(deck, tables.hand_cards) for _ in range(self.boxes)]
        dealer, board = _take(deck, tables.dealer_cards), _take(deck, tables.board_cards)
        upcard = PACKED_BY_NAME[dealer[-1]] if tables.upcard else 0
        in_sight = _packed(board[: tables.board_before])
        boxes = tuple(
            self._box(number, hand, deck, Seen(_packed(hand), upcard, in_sight))
            for number, hand in enumerate(hands, start=1)
        )
        return Record(
            ruleset=self.ruleset.id,
            boxes=boxes,
            dealer=RecordDealer(cards=" ".join(dealer)),
            board=" ".join(board) if board else UNSET,
        )

    def _box(self, number: int, hand: list[str], deck: list[str], seen: Seen) -> RecordBox:
        plays: list[Play] = []
        unwanted = self.strategy.draws(seen) if self._draw and deck else None
        if unwanted is not None:
            drawn = deck.pop()
            if self._draw == "buy":
                plays.append(Buy(cards_in=drawn))
                seen = seen._replace(hand=(*seen.hand, PACKED_BY_NAME[drawn]))
            else:
                out = next(name for name in hand if PACKED_BY_NAME[name] == unwanted)
                plays.append(Swap(out=out, cards_in=drawn))
                kept = tuple(card for card in seen.hand if card != unwanted)
                seen = seen._replace(hand=(*kept, PACKED_BY_NAME[drawn]))
        plays.append(Bet() if self.strategy.bets(seen) else Fold())
        return RecordBox(box=number, ante=self._ante, cards=" ".join(hand), play=tuple(plays))

    def _count(self, settled: Settlement) -> None:
        ante = self._ante
        sums: dict[str, list[int]] = {}
        round_win = 0
        for box in settled.boxes:
            win = _add(sums, box)
            round_win += win
            self._squares += (win / ante) ** 2
        self._round.add(round_win / ante, self.boxes)
        for kind, (won, staked) in sums.items():
            self._kinds.setdefault(kind, _Kind()).add(won / ante, staked / ante)


def _add(sums: dict[str, list[int]], box: BoxSettlement) -> int:
    """Add a box to the sums of [won by the house, staked] by kind; what the house won on the game itself."""
    game = 0
    for kind, staked in box.stakes.items():
        won = box.taken.get(kind, 0) - box.paid.get(kind, 0)
        of_kind = sums.setdefault(kind, [0, 0])
        of_kind[0] += won
        of_kind[1] += staked
        game += won if kind in MAIN else 0
    return game


def drawing(ruleset: Ruleset) -> str:
    """How a box may improve a draw: `buy` (it keeps all it has, so that comes first), `swap` one card, or not ("")."""
    tables = ruleset.play
    if tables.buy is not None:
        return "buy"
    return "swap" if tables.swap is not None and 1 in tables.swap.turns.get(1, [{}])[0] else ""


def _take(deck: list[str], count: int) -> list[str]:
    return [deck.pop() for _ in range(count)]


def _packed(names: list[str]) -> tuple[int, ...]:
    return tuple(PACKED_BY_NAME[name] for name in names)
