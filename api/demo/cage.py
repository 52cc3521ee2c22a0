"""The demonstration's cage: windows with their imprest and the transfers between them, adopted like a house's own."""

from functools import partial
from typing import Final

from api.simulator.house import ADMIN, FINANCE, House
from domain.acts import money_rules
from domain.commands import DecideApproval, ProposeRules
from domain.events.rules import Transfer, Window
from domain.money_rules import DEFAULTS
from domain.refusals import Refusal
from domain.request import Reply
from domain.work import Work

_IMPREST: Final = 1_000_000
_RULES: Final = ProposeRules(
    valid_from="2000-01-01",
    windows=(Window("main-1", "EUR", _IMPREST), Window("main-2", "EUR", _IMPREST)),
    transfers=(Transfer("main-1", "main-2"), Transfer("main-2", "main-1")),
    thresholds=DEFAULTS.thresholds,
    reason="the demonstration's cage opens",
)


def ensure_windows(house: House) -> None:
    """Adopt them where the house has adopted no money rules yet; two demonstrations at once may do so twice."""
    proposed = house.try_ask(ADMIN, _propose, "already_exists")
    if not isinstance(proposed, Refusal):
        approve = DecideApproval(decision="approve")
        house.ask(FINANCE, partial(money_rules.decide, approval=proposed.body["approval"], command=approve))


def _propose(work: Work) -> Reply:
    if work.house().rules.adopted:
        raise Refusal("already_exists", "the house has money rules of its own")
    return money_rules.propose(work, _RULES)
