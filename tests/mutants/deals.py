"""A deck that is dealt from with a bias: rare hands are common here, and so are hands equal to another."""

from collections.abc import Sequence
from random import Random

RANKS = "23456789TJQKA"
SUITS = "cdhs"


class Deck:
    """Cards not yet dealt, as their names."""

    def __init__(self, rng: Random) -> None:
        self.rng = rng
        self.left = [rank + suit for rank in RANKS for suit in SUITS]

    def take(self, cards: Sequence[str]) -> list[str]:
        for card in cards:
            self.left.remove(card)
        return list(cards)

    def any(self, count: int) -> list[str]:
        return self.take(self.rng.sample(self.left, count))

    def narrow(self, count: int) -> list[str]:
        """Cards from a small pool, in which combinations are likely; the rest of the deck helps out."""
        wanted = self._pool(count)
        pool = [card for card in self.left if card in wanted]
        got = self.rng.sample(pool, min(count, len(pool)))
        rest = [card for card in self.left if card not in got]
        return self.take(got + self.rng.sample(rest, count - len(got)))

    def nothing(self, count: int = 5) -> list[str]:
        """No pair, no straight, no ace beside a king, mostly no flush: a dealer without a game."""
        rng = self.rng
        absent = rng.choice("AK")
        ranks = [rank for rank in RANKS if rank != absent and any(card[0] == rank for card in self.left)]
        chosen = rng.sample(ranks, min(count, len(ranks)))
        return self.take([rng.choice([card for card in self.left if card[0] == rank]) for rank in chosen])

    def royal(self) -> list[str]:
        """A royal flush, while there is one left."""
        suits = [suit for suit in SUITS if all(rank + suit in self.left for rank in "TJQKA")]
        if not suits:
            return self.any(5)
        suit = self.rng.choice(suits)
        return self.take([rank + suit for rank in "TJQKA"])

    def like(self, others: Sequence[str], differ: int = 0) -> list[str]:
        """Cards of the same ranks as others as far as there are any, all but `differ` of them."""
        got: list[str] = []
        for rank in [card[0] for card in others][differ:]:
            same = [card for card in self.left if card[0] == rank and card not in got]
            if same:
                got.append(self.rng.choice(same))
        rest = [card for card in self.left if card not in got]
        return self.take(got + self.rng.sample(rest, len(others) - len(got)))

    def _pool(self, count: int) -> set[str]:
        rng = self.rng
        suit = rng.choice(SUITS)
        around = RANKS[-1] + RANKS  # an ace at both ends
        low = rng.randrange(len(around) - count)
        window = around[low : low + count + rng.choice((0, 0, 1, 2))]
        match rng.choice(
            ("few", "few", "suit", "window", "window", "run", "run", "royal", "ace-king", "all", "twin", "again")
        ):
            case "few":
                ranks = rng.sample(RANKS, rng.choice((2, 3, 3, 4)))
                return {rank + s for rank in ranks for s in SUITS}
            case "suit":
                return {rank + suit for rank in RANKS}
            case "window":
                return {rank + s for rank in window for s in SUITS}
            case "run":
                return {rank + suit for rank in window}
            case "royal":
                return {rank + suit for rank in "TJQKA"}
            case "ace-king":
                return {rank + s for rank in "AK" + rng.choice(RANKS) + rng.choice(RANKS) for s in SUITS}
            case "twin":  # a run in a suit and one card that pairs it or goes on in another
                return {rank + suit for rank in window[:5]} | {rng.choice(window) + rng.choice(SUITS)}
            case "again":  # a run of mixed suits with one of its ranks a second time
                again = rng.choice(window[:5])
                return {rank + rng.choice(SUITS) for rank in window[:5]} | {again + rng.choice(SUITS)}
            case _:
                return {rank + s for rank in RANKS for s in SUITS}


def text(rng: Random, cards: Sequence[str]) -> str:
    """Cards as a record may write them, with or without spaces."""
    return rng.choice((" ", " ", "")).join(cards)
