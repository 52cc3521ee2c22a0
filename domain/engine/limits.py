"""What a table's sign says: the limits a round is played under."""

from msgspec import Struct


class Limits(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, gc=False):
    """Minor units of `currency`. chip: the smallest chip. min, max: the ante's limits (in roulette each wager's).

    max None: no maximum. max_payout_per_box None: no cap.
    """

    currency: str = "EUR"
    chip: int = 1
    min: int = 1
    max: int | None = None
    max_payout_per_box: int | None = None
