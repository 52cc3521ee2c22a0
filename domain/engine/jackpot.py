"""The engine's side of a jackpot: what a round hands to a progressive, and what it expects back."""

from typing import NamedTuple, Protocol

from domain.events.base import Event


class Stake(NamedTuple):
    """A jackpot stake taken at settlement, in minor units."""

    box: int
    player: str | None
    amount: int


class Prize(NamedTuple):
    """A hand that wins a jackpot prize: a share of the meter in parts per million, or a fixed sum in minor units."""

    box: int
    player: str | None
    hand: str
    clause: str
    share_ppm: int | None
    amount: int | None
    level: int = 1


class JackpotPort(Protocol):
    """Where jackpot stakes go and prizes come from. Called once a round, at settlement."""

    def settle(self, round_id: str, stakes: list[Stake], prizes: list[Prize]) -> list[Event]:
        """Contributions of every stake, then the hits in box order (each carries its award), and what is paid at once.

        Raises Refusal("missing_meter") where a share is won and no meter is known.
        """
        ...


class Unlinked:
    """No progressive: for a round that is judged without one, as where its jackpot stakes are refused right after."""

    def settle(self, round_id: str, stakes: list[Stake], prizes: list[Prize]) -> list[Event]:  # noqa: ARG002
        """Nothing goes anywhere."""
        return []
