"""The figures of an edge and how they are written down."""

from typing import Any, Literal, NamedTuple

PLACES = 6


class Stake(NamedTuple):
    """The house's win on one kind of stake, per unit of it staked."""

    edge: float
    method: Literal["exact", "simulation"]
    standard_error: float


class Figures(NamedTuple):
    """Per ante (in roulette per unit staked): the house's mean win on ante, bet and fees, and its standard deviation.

    stakes: the edge of every kind; bonus and jackpot stand on their own and are not in the mean.
    """

    strategy: str
    edge: float
    deviation: float
    stakes: dict[str, Stake]
    standard_error: float = 0.0

    def document(self, ruleset: str) -> dict[str, Any]:
        """The figures in their public form, rounded."""
        return {
            "ruleset": ruleset,
            "strategy": self.strategy,
            "house_edge_per_ante": round(self.edge, PLACES),
            "standard_error": round(self.standard_error, PLACES),
            "sd_per_ante": round(self.deviation, PLACES),
            "stakes": {
                kind: {
                    "edge": round(stake.edge, PLACES),
                    "method": stake.method,
                    "standard_error": round(stake.standard_error, PLACES),
                }
                for kind, stake in self.stakes.items()
            },
        }
