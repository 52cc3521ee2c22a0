"""What a box has at stake and can still be paid: for the sign on the pit's screen, never for a decision."""

from msgspec import Struct


class Exposure(Struct, frozen=True, gc=False):
    """One box of a live round, in minor units.

    staked: all it has put up. cap: the most it may be paid of the kinds that the cap counts (None: no cap).
    most_payable: the most it can still be paid of these kinds, cap not applied. headroom: cap - most_payable, negative
    where the cap would withhold (None: no cap). insurance_max: the highest insurance it may place now (0: none).
    """

    box: int
    staked: int
    cap: int | None
    most_payable: int
    headroom: int | None
    insurance_max: int
