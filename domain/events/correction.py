"""What is put right afterwards: new events that name what they correct. Nothing recorded is ever changed.

They stand where the chips move, on the session that is open now, and name the round they are about.
"""

from msgspec import Struct

from domain.events.base import Event


class Change(Struct, frozen=True, forbid_unknown_fields=True, gc=False):
    """One amount of a round that should be another: effect is `staked`, `taken`, `returned` or `paid`.

    was counts earlier corrections in; box is the box, in roulette the wager.
    """

    box: int
    kind: str
    effect: str
    was: int
    now: int


class CorrectionProposed(Event, frozen=True, kw_only=True):
    """A supervisor says what a settled round should have come to; another one must agree."""

    TOPIC = "table.correction_proposed"
    approval: str
    round: str
    changes: tuple[Change, ...]
    reason: str


class CorrectionRefused(Event, frozen=True, kw_only=True):
    TOPIC = "table.correction_refused"
    approval: str
    reason: str


class RoundCorrected(Event, frozen=True, kw_only=True):
    """An agreed correction begins: its amounts follow, one event each."""

    TOPIC = "table.round_corrected"
    approval: str
    round: str
    reason: str
    house_net: int


class AmountCorrected(Event, frozen=True, kw_only=True):
    """One amount put right: the chips of the difference move now, out of or into this tray.

    corrects names the events whose sum `was` is, oldest first.
    """

    TOPIC = "table.amount_corrected"
    round: str
    box: int
    kind: str
    effect: str
    was: int
    now: int
    corrects: tuple[str, ...]
    reason: str
    approval: str


class HandReannounced(Event, frozen=True, kw_only=True):
    """A hand announced wrongly is announced again; box None: the dealer's."""

    TOPIC = "table.hand_reannounced"
    round: str
    was: str
    now: str
    reason: str
    box: int | None = None


class OrderedPayment(Struct, frozen=True, forbid_unknown_fields=True, gc=False):
    """What a ruling gives the player of a box, in minor units, from the tray."""

    box: int
    amount: int


class RulingProposed(Event, frozen=True, kw_only=True):
    TOPIC = "table.ruling_proposed"
    approval: str
    ruling: str
    reason: str
    payments: tuple[OrderedPayment, ...]
    round: str | None = None


class RulingRefused(Event, frozen=True, kw_only=True):
    TOPIC = "table.ruling_refused"
    approval: str
    reason: str


class RulingMade(Event, frozen=True, kw_only=True):
    """The casino manager's ruling, which is final: what is ruled, why, and the payments it orders from the tray."""

    TOPIC = "table.ruling_made"
    approval: str
    ruling: str
    reason: str
    payments: tuple[OrderedPayment, ...]
    paid: int
    round: str | None = None
