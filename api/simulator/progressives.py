"""The jackpot that the simulated tables of one currency share: proposed and approved if absent, its hits paid."""

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Final, Literal

from api.simulator.house import ADMIN, CASHIER, FINANCE, SECURITY, SUPERVISOR, Ask, House, Person
from domain.acts import hits, progressives
from domain.commands import DecideApproval, PayHit, ProposeProgressive, TakeHitStep
from domain.events.base import Event
from domain.events.jackpot import JackpotHit
from domain.events.progressive import LevelTerms
from domain.progressive.meters import hit_id
from domain.refusals import Refusal
from domain.request import Reply
from domain.work import Work

_SEED: Final = 1_000_000
_INCREMENT_PPM: Final = 700_000
_RESERVE_PPM: Final = 50_000

_VERIFIED_BY: Final[tuple[tuple[Person, Literal["hand_verified", "surveillance_confirmed"]], ...]] = (
    (SUPERVISOR, "hand_verified"),
    (SECURITY, "surveillance_confirmed"),
)


def progressive_of(currency: str) -> str:
    """The id of the progressive that simulated tables of a currency share."""
    return f"sim-{currency}"


def ensure(house: House, currency: str, levels: int) -> str:
    """The running progressive of a currency. Another run may be setting it up at the same time: either will do."""
    progressive = progressive_of(currency)
    terms = tuple(LevelTerms(n, _SEED, _INCREMENT_PPM // levels, _RESERVE_PPM // levels) for n in range(1, levels + 1))
    proposal = ProposeProgressive(id=progressive, currency=currency, levels=terms)
    proposed = house.try_ask(ADMIN, partial(progressives.propose, command=proposal), "already_exists")
    if isinstance(proposed, Refusal):
        return progressive
    approval = proposed.body["approval"]
    approve = partial(_approve, progressive=progressive, approval=approval)
    decided = house.try_ask(FINANCE, approve, "already_exists")
    if isinstance(decided, Refusal):  # the other run's proposal was approved first: ours is turned down
        refuse = DecideApproval(decision="refuse", reason="another proposal of this progressive was approved")
        turn_down = partial(progressives.decide, approval=approval, command=refuse)
        house.try_ask(FINANCE, turn_down, "unknown_approval")
    return progressive


def _approve(work: Work, progressive: str, approval: str) -> Reply:
    if work.progressive(progressive).opened is not None:
        raise Refusal("already_exists", f"{progressive} is running")
    return progressives.decide(work, approval, DecideApproval(decision="approve"))


def payments(events: Sequence[Event]) -> Iterator[Ask]:
    """Hits that wait for payment: the hand is verified, surveillance confirms it, the cashier pays from the cage."""
    for event in events:
        if isinstance(event, JackpotHit) and event.pending:
            progressive, hit = event.progressive, hit_id(event)
            for person, step in _VERIFIED_BY:
                taken = partial(hits.step, progressive_id=progressive, hit=hit, command=TakeHitStep(step=step))
                yield Ask(person, taken, alone=True)
            yield Ask(CASHIER, partial(hits.pay, progressive_id=progressive, hit=hit, command=PayHit()), alone=True)
