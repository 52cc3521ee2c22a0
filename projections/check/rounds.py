"""Identities of a round: every settled stake is taken or returned, nets add up to the house's, no cap is passed."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable
from typing import Any

from domain.events import play
from domain.events.base import Event
from domain.events.house import RulesetPublished
from domain.events.jackpot import JackpotHit
from domain.events.outcome import PayoutMade, RoundClosed, StakeReturned, StakeTaken
from domain.events.play import RoundOpened, WagerPlaced
from domain.events.session import LimitsPosted, SessionOpened
from projections.check.examiner import Identity, Look, Seen, Violations
from projections.live import NoRulesetError, Rulesets

PUT_UP: dict[type[Event], str] = {
    play.AntePlaced: "ante",
    play.BonusPlaced: "bonus",
    play.JackpotStaked: "jackpot",
    play.SwapFeePlaced: "swap",
    play.BuyFeePlaced: "buy",
    play.InsurancePlaced: "insurance",
    play.BetPlaced: "bet",
    play.DealerCardFeePlaced: "dealer_card",
    play.WagerPlaced: "",
}
"""Each kind of stake and the event that puts it up; a wager is a stake of its own, whatever it is on."""


class _Ledger:
    """The stakes of one round on the felt, by (box or wager, kind)."""

    def __init__(self, position: int, cap: int | None, cap_kinds: frozenset[str]) -> None:
        self.position = position
        self.cap = cap
        self.cap_kinds = cap_kinds
        self.put_up: Counter[tuple[int, str]] = Counter()
        self.taken: Counter[tuple[int, str]] = Counter()
        self.returned: Counter[tuple[int, str]] = Counter()
        self.paid: Counter[tuple[int, str]] = Counter()
        self.jackpots: Counter[int] = Counter()


def _spot(event: Any) -> tuple[int, str]:
    """The stake that an outcome speaks of."""
    return (event.box, event.kind) if event.box is not None else (event.wager, "")


class RoundExaminer:
    """Stakes, nets and caps of every round; the stakes of rounds on the felt are pending."""

    def __init__(self) -> None:
        self._stakes = Violations("stakes_settled")
        self._nets = Violations("box_nets")
        self._caps = Violations("caps")
        self._rulesets = Rulesets()
        self._caps_of: dict[str, int | None] = {}
        self._kinds_of: dict[str, frozenset[str]] = {}
        self._open: dict[tuple[str, str], _Ledger] = {}
        self._closed = self._payouts = 0

    def take(self, seen: Seen, look: Look) -> None:  # noqa: ARG002
        take = _TAKE.get(type(seen.event))
        if take is not None:
            take(self, seen, seen.event)
        elif type(seen.event) in PUT_UP:
            self._put_up(seen)

    def verdicts(self, look: Look) -> list[Identity]:  # noqa: ARG002
        pending = sum(sum(ledger.put_up.values()) for ledger in self._open.values())
        return [
            self._stakes.verdict(
                f"{self._closed} rounds settled, {len(self._open)} on the felt with {pending} pending"
            ),
            self._nets.verdict(f"{self._closed} rounds"),
            self._caps.verdict(f"{self._payouts} payouts"),
        ]

    # What a session plays under

    def _publish(self, _seen: Seen, event: RulesetPublished) -> None:
        self._rulesets.learn(event)

    def _open_session(self, seen: Seen, event: SessionOpened) -> None:
        self._caps_of[seen.stream] = event.max_payout_per_box
        try:
            ruleset = self._rulesets.get(event.ruleset_digest)
        except NoRulesetError:
            ruleset = None  # replay says so
        cap = None if ruleset is None else getattr(ruleset.rules, "cap", None)
        self._kinds_of[seen.stream] = frozenset(() if cap is None else cap.kinds)

    def _post(self, seen: Seen, event: LimitsPosted) -> None:
        self._caps_of[seen.stream] = event.max_payout_per_box

    # A round

    def _open_round(self, seen: Seen, event: RoundOpened) -> None:
        self._open[seen.stream, event.round] = _Ledger(
            seen.position, self._caps_of.get(seen.stream), self._kinds_of.get(seen.stream, frozenset())
        )

    def _ledger(self, seen: Seen) -> _Ledger:
        round_id: str = getattr(seen.event, "round", "")
        ledger = self._open.get((seen.stream, round_id))
        if ledger is None:
            self._stakes.add(f"position {seen.position}: {seen.event.TOPIC} of a round that is not on the felt")
            ledger = _Ledger(seen.position, None, frozenset())
        return ledger

    def _put_up(self, seen: Seen) -> None:
        event: Any = seen.event
        spot = event.wager if isinstance(event, WagerPlaced) else event.box
        self._ledger(seen).put_up[spot, PUT_UP[type(event)]] += event.amount

    def _taken(self, seen: Seen, event: StakeTaken) -> None:
        self._ledger(seen).taken[_spot(event)] += event.amount

    def _returned(self, seen: Seen, event: StakeReturned) -> None:
        self._ledger(seen).returned[_spot(event)] += event.amount

    def _paid(self, seen: Seen, event: PayoutMade) -> None:
        self._payouts += 1
        if event.due - event.paid != event.capped:
            self._caps.add(f"position {seen.position}: due {event.due}, paid {event.paid}, capped {event.capped}")
        ledger = self._ledger(seen)
        ledger.paid[_spot(event)] += event.paid

    def _hit(self, seen: Seen, event: JackpotHit) -> None:
        self._ledger(seen).jackpots[event.box] += event.award

    def _close(self, seen: Seen, event: RoundClosed) -> None:
        ledger = self._ledger(seen)
        self._open.pop((seen.stream, event.round), None)
        self._closed += 1
        where = f"position {seen.position}, round {event.round}"
        settled = ledger.taken + ledger.returned
        if settled != +ledger.put_up:
            wrong = sorted(k for k in settled | ledger.put_up if settled[k] != ledger.put_up[k])
            self._stakes.add(f"{where}: stakes {wrong} are not taken plus returned")
        sums = {
            "staked": ledger.put_up.total(),
            "taken": ledger.taken.total(),
            "returned": ledger.returned.total(),
            "paid": ledger.paid.total() + ledger.jackpots.total(),
        }
        wrong_sums = [f"{k} {getattr(event, k)} for {v}" for k, v in sums.items() if getattr(event, k) != v]
        if wrong_sums:
            self._stakes.add(f"{where}: {', '.join(wrong_sums)}")
        self._check_nets(where, ledger, event)
        self._check_caps(where, ledger)

    def _check_nets(self, where: str, ledger: _Ledger, event: RoundClosed) -> None:
        nets: Counter[int] = Counter(ledger.jackpots)
        for (spot, _), amount in ledger.paid.items():
            nets[spot] += amount
        for (spot, _), amount in ledger.taken.items():
            nets[spot] -= amount
        if event.house_net != -sum(nets.values()):
            self._nets.add(f"{where}: house_net {event.house_net}, the boxes' nets are {dict(nets)}")

    def _check_caps(self, where: str, ledger: _Ledger) -> None:
        if ledger.cap is None:
            return
        counted: dict[int, int] = defaultdict(int)
        for (spot, kind), amount in ledger.paid.items():
            if kind in ledger.cap_kinds:
                counted[spot] += amount
        for spot, amount in counted.items():
            if amount > ledger.cap:
                self._caps.add(f"{where}: box {spot} was paid {amount}, its cap is {ledger.cap}")


_TAKE: dict[type[Event], Callable[[RoundExaminer, Seen, Any], None]] = {
    RulesetPublished: RoundExaminer._publish,
    SessionOpened: RoundExaminer._open_session,
    LimitsPosted: RoundExaminer._post,
    RoundOpened: RoundExaminer._open_round,
    StakeTaken: RoundExaminer._taken,
    StakeReturned: RoundExaminer._returned,
    PayoutMade: RoundExaminer._paid,
    JackpotHit: RoundExaminer._hit,
    RoundClosed: RoundExaminer._close,
}
