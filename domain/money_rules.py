"""Which money rules hold on which gaming day. Every threshold is data with its operator explicit."""

from dataclasses import dataclass, field
from typing import Final, Literal

from msgspec import Struct

from domain.events.base import Event, Meta
from domain.events.rules import Rules, RulesAdopted, RulesProposed, RulesRefused, Threshold, Window

AUDIT_ADJUSTMENT: Final = Threshold("audit_adjustment", ">", 200_000, None, "N.J.A.C. 13:69D-1.34")

DEFAULTS: Final = Rules(
    valid_from="0001-01-01",
    windows=(),
    transfers=(),
    thresholds=(
        # A discrepancy of the opener is reported always (N.J.A.C. 13:69D-1.21); a house may choose to be told less.
        Threshold("opener_differs", ">", 0),
        Threshold("over_short", ">", 0),
        Threshold("drop_differs", ">", 0),
        Threshold("cage_over_short", ">", 0),
        AUDIT_ADJUSTMENT,
        # Customer due diligence of casinos in the EU and the UK: 2,000 or more, single or linked (MLR 2017 reg. 27(5)).
        Threshold("cash_in", ">=", 200_000, "EUR", "MLR 2017 reg. 27(5)"),
        Threshold("cash_out", ">=", 200_000, "EUR", "MLR 2017 reg. 27(5)"),
        # Winnings count there too. A tax form is a matter of the country: no house has one until it says so.
        Threshold("jackpot_aml", ">=", 200_000, "EUR", "MLR 2017 reg. 27(5)"),
    ),
    idle_minutes=45,
)
"""What holds until a house adopts rules of its own."""


@dataclass(slots=True)
class RulesBook:
    """adopted: in the order of adoption; of two from one day the later holds. proposals: approval -> what, by whom."""

    adopted: list[Rules] = field(default_factory=list)
    proposals: dict[str, tuple[RulesProposed, str]] = field(default_factory=dict)
    proposed: int = 0

    def in_force(self, gaming_day: str) -> Rules:
        """The rules of a gaming day."""
        return in_force(self.adopted, gaming_day)


def in_force(adopted: list[Rules], gaming_day: str) -> Rules:
    """Of rules in the order of their adoption those that hold on a gaming day."""
    begun = [(rules.valid_from, number) for number, rules in enumerate(adopted) if rules.valid_from <= gaming_day]
    return adopted[max(begun)[1]] if begun else DEFAULTS


def window_of(rules: Rules, name: str) -> Window | None:
    """The window of a name, if there is one."""
    return next((window for window in rules.windows if window.name == name), None)


def need(par: int, inventory: int) -> int:
    """What brings an inventory to its par, minor units: above zero a fill, below zero a credit. It is never win."""
    return par - inventory


def of_code(rules: Rules, code: str) -> tuple[Threshold, ...]:
    """The thresholds of a code. Rules that say nothing of audit adjustments leave theirs as the regulation has it."""
    found = tuple(threshold for threshold in rules.thresholds if threshold.code == code)
    return (AUDIT_ADJUSTMENT,) if code == AUDIT_ADJUSTMENT.code and not found else found


def passes(threshold: Threshold, amount: int, currency: str) -> bool:
    """Whether an amount of a currency, in minor units, is an exception under the threshold."""
    if threshold.currency not in (None, currency):
        return False
    size = abs(amount)
    return size > threshold.amount if threshold.operator == ">" else size >= threshold.amount


class Flag(Struct):
    """Whether a hit's award calls for something, and the threshold that decided; None: the rules have none for it."""

    code: Literal["jackpot_tax_form", "jackpot_aml"]
    raised: bool
    threshold: Threshold | None


def flag(rules: Rules, code: Literal["jackpot_tax_form", "jackpot_aml"], award: int, stake: int, currency: str) -> Flag:
    """Decide a flag of a hit; award and stake in minor units. Of several thresholds the first it passes decides."""
    of_code = [t for t in rules.thresholds if t.code == code and t.currency in (None, currency)]
    passed = [t for t in of_code if passes(t, award, currency) and award >= t.times_stake * stake]
    return Flag(code, bool(passed), next(iter(passed or of_code), None))


RULES_EVENTS = (RulesProposed, RulesAdopted, RulesRefused)


def evolve(state: RulesBook, meta: Meta, event: Event) -> RulesBook:
    """The book after the event."""
    if isinstance(event, RulesProposed):
        state.proposals[event.approval] = (event, meta.actor)
        state.proposed += 1
    elif isinstance(event, RulesAdopted):
        state.proposals.pop(event.approval)
        state.adopted.append(event.rules)
    elif isinstance(event, RulesRefused):
        state.proposals.pop(event.approval)
    return state
