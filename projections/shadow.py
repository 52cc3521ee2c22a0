"""A recorded round held against the shadow payer: is every stake where a second settlement by other means has it?

What is recorded is added up from the round's own output events, so the engine that made them has no say in here. Each
objection names the event that it is about and the clause that event rests on.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from math import floor
from typing import Any, Final, NamedTuple

from domain import shadow
from domain.engine.limits import Limits
from domain.events.base import Event
from domain.events.jackpot import JackpotHit
from domain.events.outcome import PayoutMade, RoundClosed, StakeReturned, StakeTaken
from domain.events.play import BetPlaced, JackpotStaked, NoSpinCalled, RoundStopped
from domain.money import MICRO
from domain.ruleset import Ruleset
from projections.round_record import record_of

JACKPOT: Final = "jackpot"

STAND_IN_METER: Final = 1_000_000
"""Where no share of a meter was recorded: a share that should have been won must not pass for want of a meter."""

Key = tuple[int, str, str]
"""Box (in roulette the wager), kind of stake, effect: `taken`, `returned`, `paid` or `capped`."""


class Objection(NamedTuple):
    """One figure on which the shadow differs. at: the event of the round that it is about, counted from 0.

    effect: taken, returned, paid; of a hit also its level, its meter in millionths and its place among the winners.
    clause: of that event, or of another of the same stake; None where nothing of it is recorded.
    """

    at: int
    box: int | None
    kind: str
    effect: str
    recorded: int
    expected: int
    clause: str | None

    def __str__(self) -> str:
        where = self.kind if self.box is None else f"box {self.box}, {self.kind}"
        clause = "" if self.clause is None else f" ({self.clause})"
        return f"{where} {self.effect}{clause}: recorded {self.recorded}, the shadow has {self.expected}"


class Progressive(NamedTuple):
    """What was agreed of a progressive when a round was played. seeds: by level, in minor units."""

    seeds: Mapping[int, int]
    shared: bool
    off_meter: bool


def objections(
    ruleset: Ruleset, limits: Limits, events: Sequence[Event], progressive: Progressive | None = None
) -> list[Objection]:
    """What the shadow payer has against a closed round, RoundOpened to RoundClosed; empty where the two agree.

    progressive: None where it is not known; then what the hits themselves say of seeds and sharing is believed.
    Raises ShadowUnsure where it has no opinion.
    """
    record = _record(ruleset, limits, events, progressive)
    settled = shadow.settle(ruleset, limits, record)
    found = _recorded(events)
    expected = _of_bets(settled["bets"], events) if "bets" in settled else _of_boxes(settled["boxes"])
    return [*_differing(found, expected), *_net(events, settled, expected), *_meters(events, ruleset, record)]


def _record(
    ruleset: Ruleset, limits: Limits, events: Sequence[Event], progressive: Progressive | None
) -> dict[str, Any]:
    """The round record, with the meters as they stood when the first of its winners came to them."""
    record = record_of(ruleset.id, limits, events)
    if any(isinstance(event, JackpotStaked) for event in events):
        record["progressive"] = _progressive(ruleset, events, progressive)
    if any(isinstance(event, RoundStopped) for event in events):
        record["stopped"] = True
        for event in events:  # a record tells by silence that a player's time ran out; a stop may have come first
            if isinstance(event, BetPlaced) and event.timed_out:
                _play_of(record, event.box).append({"do": "bet"})
    return record


def _play_of(record: dict[str, Any], number: int) -> list[Any]:
    box = next(box for box in record["boxes"] if box["box"] == number)
    play: list[Any] = box.setdefault("play", [])
    return play


def _progressive(ruleset: Ruleset, events: Sequence[Event], known: Progressive | None) -> dict[str, Any]:
    hits = [event for event in events if isinstance(event, JackpotHit)]
    if known is None:
        seeds: dict[int, int] = defaultdict(int)
        for hit in hits:
            seeds[hit.level] += (hit.reset_from_reserve_u + hit.reset_from_house_u) // MICRO
        charged = any(hit.share_ppm is None and hit.charged_to == "meter" for hit in hits)
        known = Progressive(seeds, any(hit.winners > 1 for hit in hits), charged)
    first = {hit.level: Fraction(hit.meter_before_u, MICRO) for hit in reversed(hits)}
    table = getattr(ruleset.rules, "jackpot", None)
    numbers = {prize.level for prize in table.prizes.values()} if table is not None else set()
    levels = {n: {"meter": first.get(n, STAND_IN_METER), "seed": known.seeds.get(n, 0)} for n in numbers | set(first)}
    return {"levels": levels, "shared": known.shared, "off_meter": known.off_meter}


def _meters(events: Sequence[Event], ruleset: Ruleset, record: dict[str, Any]) -> Iterator[Objection]:
    """What each hit left on its meter, and who shared it. Where the winners differ, their payments tell that."""
    recorded = [(at, event) for at, event in enumerate(events) if isinstance(event, JackpotHit)]
    expected = shadow.hits(ruleset, record) if recorded else []
    if [hit.box for _, hit in recorded] != [won.box for won in expected]:
        return
    for (at, hit), won in zip(recorded, expected, strict=True):
        figures = {
            "level": (hit.level, won.level),
            "meter_before_u": (hit.meter_before_u, floor(won.before * MICRO)),
            "meter_after_u": (hit.meter_after_u, floor(won.after * MICRO)),
            "winner": (hit.winner, won.winner),
            "winners": (hit.winners, won.winners),
        }
        for effect, (was, follows) in figures.items():
            if was != follows:
                yield Objection(at, hit.box, JACKPOT, effect, was, follows, hit.clause)


class _Sum:
    """What is recorded of one key: how much, and by which event last."""

    __slots__ = ("amount", "at")

    def __init__(self) -> None:
        self.amount = 0
        self.at = -1

    def add(self, at: int, amount: int) -> None:
        self.amount += amount
        self.at = at


class _Recorded:
    """The round's outputs added up, and the clauses they name. last: where the round ends."""

    def __init__(self, events: Sequence[Event]) -> None:
        self.sums: dict[Key, _Sum] = defaultdict(_Sum)
        self.clauses: dict[tuple[int, str], str] = {}
        self.own: dict[Key, str] = {}
        self.last = len(events) - 1

    def add(self, at: int, event: StakeTaken | StakeReturned | PayoutMade | JackpotHit, **amounts: int) -> None:
        place = event.box if isinstance(event, JackpotHit) else (event.wager or event.box or 0)
        kind = JACKPOT if isinstance(event, JackpotHit) else event.kind
        self.clauses[place, kind] = event.clause
        for effect, amount in amounts.items():
            if amount:
                self.sums[place, kind, effect].add(at, amount)
                self.own[place, kind, effect] = event.clause

    def clause(self, key: Key) -> str | None:
        return self.own.get(key) or self.clauses.get(key[:2])


def _recorded(events: Sequence[Event]) -> _Recorded:
    found = _Recorded(events)
    for at, event in enumerate(events):
        if isinstance(event, StakeTaken):
            found.add(at, event, taken=event.amount)
        elif isinstance(event, StakeReturned):
            found.add(at, event, returned=event.amount)
        elif isinstance(event, PayoutMade):
            found.add(at, event, paid=event.paid)
        elif isinstance(event, JackpotHit):
            found.add(at, event, paid=event.award)
    return found


def _of_boxes(boxes: list[dict[str, Any]]) -> dict[Key, int]:
    return {
        (box["box"], kind, effect): amount
        for box in boxes
        for effect in ("taken", "returned", "paid")
        for kind, amount in box[effect].items()
        if amount
    }


def _of_bets(bets: list[dict[str, Any]], events: Sequence[Event]) -> dict[Key, int]:
    """By wager. A spin that does not count settles nothing: the log has each stake back in its player's hands."""
    no_spin = any(isinstance(event, NoSpinCalled | RoundStopped) for event in events)
    expected: dict[Key, int] = {}
    for wager, bet in enumerate(bets, start=1):
        figures = {effect: bet[effect] for effect in ("taken", "returned", "paid")}
        if no_spin:
            figures["returned"] = bet["amount"]
        kind = bet["on"].split()[0]
        expected |= {(wager, kind, effect): amount for effect, amount in figures.items() if amount}
    return expected


def _differing(found: _Recorded, expected: dict[Key, int]) -> Iterator[Objection]:
    for key in dict.fromkeys([*found.sums, *expected]):
        recorded, at = (found.sums[key].amount, found.sums[key].at) if key in found.sums else (0, found.last)
        if recorded != expected.get(key, 0):
            yield Objection(at, *key, recorded, expected.get(key, 0), found.clause(key))


def _net(events: Sequence[Event], settled: dict[str, Any], expected: dict[Key, int]) -> Iterator[Objection]:
    """The close says what the house won; jackpot money is counted as the settlement counts it."""
    close = events[-1]
    assert isinstance(close, RoundClosed), "a closed round ends with its close"
    sums = {
        effect: sum(v for (_, _, e), v in expected.items() if e == effect) for effect in ("taken", "returned", "paid")
    }
    for effect, amount in (*sums.items(), ("house_net", settled["house_net"])):
        recorded = getattr(close, effect)
        if recorded != amount:
            yield Objection(len(events) - 1, None, "round", effect, recorded, amount, None)
