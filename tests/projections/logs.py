"""Synthetic logs for the projections' tests: coherent sessions and rounds, written straight into the log table.

The money of a round is drawn at random but adds up (staked = taken + returned, contributions before hits); the cards
are fillers, so a replay by the engine is not what these logs are for.
"""

from __future__ import annotations

import random
from collections import Counter
from datetime import UTC, datetime, timedelta

import psycopg

from domain.codec import encode
from domain.engine.jackpot import Prize
from domain.events.base import Chips, Event, Meta
from domain.events.chips import BuyIn, CreditSent, FillReceived
from domain.events.jackpot import JackpotContributed, JackpotHit, JackpotPaid, LevelShare
from domain.events.outcome import PayoutMade, RoundClosed, RoundVoided, StakeReturned, StakeTaken
from domain.events.play import (
    AntePlaced,
    BetPlaced,
    CardsDealt,
    DealerRevealed,
    DealerUpcardDealt,
    HandFolded,
    JackpotStaked,
    RoundOpened,
)
from domain.events.progressive import HitPaid, LevelTerms, ProgressiveOpened
from domain.events.session import LimitsPosted, SessionClosed, SessionOpened
from domain.postings import tray_change
from domain.progressive.award import award
from domain.progressive.folding import fold
from domain.progressive.meters import Meters, hit_id

START = datetime(2026, 3, 14, 18, 0, tzinfo=UTC)
INSERT = (
    "INSERT INTO public.pitclerk_events (originator_id, originator_version, topic, state, recorded_at)"
    " VALUES (%s, %s, %s, %s, %s)"
)


class Log:
    """Events in the order of the log, not yet written; `write` stores what was added since the last time."""

    def __init__(self, site: str = "main") -> None:
        self.site = site
        self.now = START
        self.versions: Counter[str] = Counter()
        self.rows: list[tuple[str, int, str, bytes, datetime]] = []
        self.events: list[tuple[str, Meta, Event]] = []
        self.serial = 0

    def add(self, stream: str, *events: Event, gaming_day: str | None = "2026-03-14", key: str | None = None) -> None:
        """Append the events to the stream at the present moment."""
        for event in events:
            self.serial += 1
            self.versions[stream] += 1
            meta = Meta(
                event_id=f"e{self.serial}",
                site=self.site,
                happened_at=self.now,
                actor="dealer-1",
                gaming_day=gaming_day,
                shift="1",
                key=key,
            )
            row = (stream, self.versions[stream], event.TOPIC, encode(meta, event), self.now)
            self.rows.append(row)
            self.events.append((stream, meta, event))

    def wait(self, **delta: float) -> None:
        self.now += timedelta(**delta)

    def write(self, conn: psycopg.Connection, channel: str | None = None) -> int:
        """Insert the new rows in one transaction; the log's last position."""
        rows, self.rows = self.rows, []
        with conn.transaction(), conn.cursor() as cur:
            cur.executemany(INSERT, rows)
            head = cur.execute("SELECT coalesce(max(notification_id), 0) FROM public.pitclerk_events").fetchone()
            if channel is not None:
                cur.execute("SELECT pg_notify(%s, '')", (channel,))
        assert head is not None
        return int(head[0])


class Table:
    """One table session on a Log, dealing made-up rounds."""

    def __init__(self, log: Log, name: str = "T01", day: str = "2026-03-14", number: int = 1, **terms: object) -> None:
        self.log = log
        self.name = name
        self.day = day
        self.stream = f"table/{name}/{day}/{number}"
        self.tray = 0
        self.rounds = 0
        self.number = number
        opener = int(terms.pop("opener", 2_000_000))  # type: ignore[call-overload]
        facts: dict[str, object] = {
            "ruleset": "caribbean-ee-ak",
            "ruleset_version": 1,
            "ruleset_digest": "00",
            "currency": "EUR",
            "chip": 50,
            "min": 500,
            "max": 20_000,
            "max_payout_per_box": 1_000_000,
            "progressive": "royal",
            "shift": "1",
        }
        facts.update(terms)
        self.add(
            SessionOpened(
                table=name,
                session=self.stream.removeprefix("table/"),
                number=number,
                gaming_day=day,
                opener=(Chips(opener, 1),),
                opener_total=opener,
                **facts,  # type: ignore[arg-type]
            )
        )

    def add(self, *events: Event, key: str | None = None) -> None:
        self.tray += sum(map(tray_change, events))
        self.log.add(self.stream, *events, gaming_day=self.day, key=key)

    def buy_in(self, amount: int, player: str = "P1") -> None:
        self.add(BuyIn(player=player, amount=amount, tender="cash"))

    def fill(self, amount: int) -> None:
        self.add(FillReceived(slip=f"fill-{self.log.serial}", chips=(Chips(amount, 1),), amount=amount))

    def credit(self, amount: int) -> None:
        self.add(CreditSent(slip=f"credit-{self.log.serial}", chips=(Chips(amount, 1),), amount=amount))

    def limits(self, low: int, high: int) -> None:
        self.add(LimitsPosted(min=low, max=high, max_payout_per_box=500_000))

    def close(self, over: int = 0) -> int:
        """Count the closer `over` minor units above what the events say; the closer."""
        closer = self.tray + over
        session = self.stream.removeprefix("table/")
        self.add(
            SessionClosed(
                table=self.name,
                session=session,
                closer=(Chips(closer, 1),),
                closer_total=closer,
                expected=self.tray,
                over_short=over,
            )
        )
        return closer

    def inputs(self, boxes: int, *, source: str, jackpot: bool, folded: bool = False) -> list[Event]:
        """What people do in a round, up to the dealer's cards."""
        self.rounds += 1
        r = self.round_id
        events: list[Event] = [RoundOpened(round=r, number=self.rounds, source=source)]
        for b in range(1, boxes + 1):
            events.append(AntePlaced(round=r, box=b, amount=500, player=f"P{b}"))
            if jackpot:
                events.append(JackpotStaked(round=r, box=b, amount=50))
        events += [CardsDealt(round=r, box=b, cards="As Kd Qh 7c 2d") for b in range(1, boxes + 1)]
        events.append(DealerUpcardDealt(round=r, card="3h"))
        for b in range(1, boxes + 1):
            events.append(
                HandFolded(round=r, box=b) if folded and b == boxes else BetPlaced(round=r, box=b, amount=1000)
            )
        events.append(DealerRevealed(round=r, cards="Ah Kc 8c 7s 3h"))
        return events

    @property
    def round_id(self) -> str:
        return f"{self.name}-{self.day}-{self.number}-{self.rounds}"

    def outcome(self, dice: random.Random, boxes: int, *, jackpot: list[Event], folded: bool = False) -> list[Event]:
        """What follows: each box loses, wins or folds; the jackpot events given stand before the close."""
        r = self.round_id
        events: list[Event] = []
        sums: Counter[str] = Counter()

        def take(kind: str, box: int, amount: int) -> None:
            sums["taken"] += amount
            events.append(StakeTaken(round=r, box=box, kind=kind, amount=amount, clause="C.1", reason="dealer higher"))

        def give_back(kind: str, box: int, amount: int) -> None:
            sums["returned"] += amount
            events.append(StakeReturned(round=r, box=box, kind=kind, amount=amount, clause="C.2", reason="won"))

        for b in range(1, boxes + 1):
            if folded and b == boxes:
                take("ante", b, 500)
            elif dice.random() < 0.55:
                take("ante", b, 500)
                take("bet", b, 1000)
            else:
                give_back("ante", b, 500)
                give_back("bet", b, 1000)
                due = 1000 * dice.choice((1, 1, 2, 3, 200))
                paid = min(due, 100_000)
                sums["paid"] += 500 + paid
                events.append(PayoutMade(round=r, box=b, kind="ante", due=500, paid=500, clause="C.3", odds="1:1"))
                events.append(
                    PayoutMade(
                        round=r, box=b, kind="bet", due=due, paid=paid, capped=due - paid, clause="C.3", odds="x:1"
                    )
                )
        for e in jackpot:
            if isinstance(e, JackpotContributed):
                take("jackpot", e.box, e.stake)
            elif isinstance(e, JackpotHit):
                sums["paid"] += e.award
        events += jackpot
        events.append(
            RoundClosed(
                round=r,
                number=self.rounds,
                staked=sums["taken"] + sums["returned"],
                taken=sums["taken"],
                returned=sums["returned"],
                paid=sums["paid"],
                house_net=sums["taken"] - sums["paid"],
            )
        )
        return events

    def round(self, dice: random.Random, boxes: int = 3, pool: Pool | None = None, *, source: str = "record") -> str:
        """One finished round in one go; with a pool every box stakes its jackpot."""
        folded = boxes > 1 and dice.random() < 0.3
        events = self.inputs(boxes, source=source, jackpot=pool is not None, folded=folded)
        jackpot = pool.settle(dice, self.round_id, boxes) if pool is not None else []
        self.add(*events, *self.outcome(dice, boxes, jackpot=jackpot, folded=folded), key=f"k-{self.round_id}")
        return self.round_id

    def void_round(self, boxes: int = 2) -> str:
        events = self.inputs(boxes, source="record", jackpot=False)
        r = self.round_id
        events.append(RoundVoided(round=r, clause="C.9", reason="misdeal"))
        for b in range(1, boxes + 1):
            for kind, amount in (("ante", 500), ("bet", 1000)):
                events.append(
                    StakeReturned(round=r, box=b, kind=kind, amount=amount, clause="C.9", reason="round void")
                )
        staked = 1500 * boxes
        events.append(
            RoundClosed(
                round=r, number=self.rounds, staked=staked, taken=0, returned=staked, paid=0, house_net=0, void=True
            )
        )
        self.add(*events)
        return r


class Pool:
    """A progressive of one level on a Log, hit now and then."""

    def __init__(self, log: Log, name: str = "royal", *, seed: int = 1_000_000, ppm: int = 700_000) -> None:
        self.log = log
        self.name = name
        self.terms = (LevelTerms(level=1, seed=seed, increment_ppm=ppm, reserve_ppm=50_000),)
        self.meters: dict[str, Meters] = {}
        self.due: list[HitPaid] = []
        opened = ProgressiveOpened(
            progressive=name, currency="EUR", levels=self.terms, fixed_prizes_from="house", approval="a1"
        )
        fold(self.meters, opened)
        log.add(f"progressive/{name}", opened, gaming_day=None)

    def settle(self, dice: random.Random, round_id: str, boxes: int) -> list[Event]:
        events: list[Event] = [self.contribution(round_id, b) for b in range(1, boxes + 1)]
        for event in events:
            fold(self.meters, event)
        luck = dice.random()
        if luck < 0.02:
            events += self.hit(Prize(1, "P1", "royal flush", "C.8", 1_000_000, None), round_id)
        elif luck < 0.1:
            events += self.hit(Prize(1, "P1", "flush", "C.8", None, 1500), round_id)
        return events

    def contribution(self, round_id: str, box: int, stake: int = 50) -> JackpotContributed:
        shares = tuple(LevelShare(t.level, stake * t.increment_ppm, stake * t.reserve_ppm) for t in self.terms)
        return JackpotContributed(
            round=round_id, box=box, progressive=self.name, stake=stake, shares=shares, config_version=1
        )

    def hit(self, prize: Prize, round_id: str) -> list[Event]:
        hit = award(self.meters[self.name], round_id, prize)
        fold(self.meters, hit)
        named = hit_id(hit)
        if not hit.pending:
            paid = JackpotPaid(
                round=round_id,
                box=hit.box,
                progressive=self.name,
                level=hit.level,
                hit=named,
                amount=hit.award,
                paid_by="tray",
            )
            return [hit, paid]
        self.due.append(
            HitPaid(
                progressive=self.name,
                level=hit.level,
                hit=named,
                table=round_id.split("-", maxsplit=1)[0],
                round=round_id,
                amount=hit.award,
                paid_by="cage",
            )
        )
        return [hit]

    def pay(self) -> None:
        """Pay every pending hit from the cage."""
        due, self.due = self.due, []
        for paid in due:
            fold(self.meters, paid)
            self.log.add(f"progressive/{self.name}", paid, gaming_day=None)


def night(seed: int, tables: int, rounds: int, *, site: str = "main", over: int = -100) -> Log:
    """A whole night: tables with a shared jackpot, buy-ins, a fill, a credit, a void round, closers."""
    dice = random.Random(seed)
    log = Log(site)
    pool = Pool(log)
    floor = [Table(log, f"T{n:02}") for n in range(1, tables + 1)]
    for number in range(rounds):
        log.wait(seconds=90 / max(tables, 1))
        table = floor[number % tables]
        if dice.random() < 0.15:
            table.buy_in(dice.choice((5_000, 10_000, 20_000)))
        table.round(dice, dice.randint(1, 4), pool)
        if number % 50 == 49:
            table.fill(50_000)
            table.credit(20_000)
            table.void_round()
            pool.pay()
    for table in floor[:-1]:
        table.close(over)
    return log
