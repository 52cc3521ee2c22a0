"""The money rules on the house stream: cage windows, transfers between them, thresholds; data, and dated."""

from typing import Literal

from msgspec import Struct

from domain.events.base import Event


class Window(Struct, frozen=True, forbid_unknown_fields=True, gc=False):
    """A cage window. Every shift opens with its imprest, in minor units of its currency."""

    name: str
    currency: str
    imprest: int


class Transfer(Struct, frozen=True, forbid_unknown_fields=True, gc=False):
    """Money may go from one window to the other; the way back is a rule of its own."""

    sender: str
    receiver: str


class Threshold(Struct, frozen=True, forbid_unknown_fields=True, gc=False):
    """An exception is made of what stands in relation `operator` to `amount` (minor units), signs left out.

    cash_in, cash_out: the sum of a player reference's cash of one gaming day, each direction on its own. Not exceptions
    but flags of a jackpot hit are jackpot_tax_form and jackpot_aml, by its award. currency None: whatever the currency.
    rule: whose threshold it is, such as "31 CFR 1021.311". times_stake: of a flag, the award must also be at least so
    many times the stake (0: whatever the stake).
    """

    code: Literal[
        "opener_differs",
        "over_short",
        "drop_differs",
        "audit_adjustment",
        "cage_over_short",
        "cash_in",
        "cash_out",
        "jackpot_tax_form",
        "jackpot_aml",
    ]
    operator: Literal[">", ">="]
    amount: int
    currency: str | None = None
    rule: str = ""
    times_stake: int = 0


class Par(Struct, frozen=True, forbid_unknown_fields=True, gc=False):
    """What a table's tray should be filled to, in minor units of the table's currency. It is no part of any win."""

    table: str
    amount: int


class SeedCap(Struct, frozen=True, forbid_unknown_fields=True, gc=False):
    """The most that a level may begin with, in minor units of a currency (French arrete art. 66-2)."""

    currency: str
    level: int
    seed: int


class ProgressiveLimits(Struct, frozen=True, forbid_unknown_fields=True, gc=False):
    """What the house's law lets a progressive be. None and 0: it does not say.

    longest_odds: to one, against any share of a meter (N.J.A.C. 13:69D-1.52(f)). stop_after_months, stop_notice_days:
    a voluntary stop comes no earlier than so long after the opening and after its notice; orphans_until: MM-DD, the day
    to which what is left may be recovered (French arrete art. 67-20-1).
    """

    longest_odds: int | None = 100_000_000
    most_levels: int | None = None
    seed_caps: tuple[SeedCap, ...] = ()
    stop_after_months: int = 0
    stop_notice_days: int = 0
    orphans_until: str = "10-31"


class Rules(Struct, frozen=True, forbid_unknown_fields=True, gc=False):
    """All rules together, from a gaming day on."""

    valid_from: str
    windows: tuple[Window, ...]
    transfers: tuple[Transfer, ...]
    thresholds: tuple[Threshold, ...]
    idle_minutes: int
    progressives: ProgressiveLimits = ProgressiveLimits()
    pars: tuple[Par, ...] = ()


class RulesProposed(Event, frozen=True, kw_only=True):
    """Whoever could hide what they do by a threshold does not set it alone: finance must agree."""

    TOPIC = "house.money_rules_proposed"
    approval: str
    rules: Rules
    reason: str


class RulesAdopted(Event, frozen=True, kw_only=True):
    TOPIC = "house.money_rules_adopted"
    approval: str
    rules: Rules


class RulesRefused(Event, frozen=True, kw_only=True):
    TOPIC = "house.money_rules_refused"
    approval: str
    reason: str
