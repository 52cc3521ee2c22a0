"""The house shoe: cards drawn one at a time from those that remain, so that no undealt order exists to leak."""

from collections.abc import Callable, Sequence

Draw = Callable[[int], int]
"""n -> a number from 0 to n-1, each as likely: the only chance in the house, handed in from outside."""


def draw(remaining: Sequence[str], count: int, pick: Draw) -> str:
    """`count` cards as text, each drawn from what remains after the one before."""
    left = list(remaining)
    assert len(left) >= count, "the deck has too few cards left"
    return " ".join(left.pop(pick(len(left))) for _ in range(count))
