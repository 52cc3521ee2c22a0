"""Random legal rounds of any ruleset of boxes, played live by what the engine offers, and told as a record as well."""

from dataclasses import dataclass, field
from random import Random
from typing import Any

from msgspec import structs

from domain import engine
from domain.cards import NAMES, RANKS, text_of
from domain.engine import commands as moves
from domain.engine.boxes.meter import RecordMeter
from domain.engine.limits import Limits
from domain.events.base import Event
from domain.ruleset import Ruleset

METER, SEED = 4_321_987, 1_000_000


@dataclass
class Walk:
    """A round as it was played: its events, the same round as a record, and the closed state."""

    ruleset: Ruleset
    limits: Limits
    record: dict[str, Any]
    state: Any
    events: list[Event] = field(default_factory=list)
    in_turn: bool = True
    """False once a box insured when others had acted: a record tells that act in its box's place."""


def limits_for(ruleset: Ruleset, rng: Random) -> Limits:
    """Limits with or without a cap, the chip a multiple of what the sheet needs."""
    chip = 50 * ruleset.chip_step
    cap = rng.choice([None, None, 0, 5 * chip, 40 * chip, 400 * chip])
    return Limits(currency="EUR", chip=chip, min=2 * chip, max=40 * chip, max_payout_per_box=cap)


def seats_for(ruleset: Ruleset, limits: Limits, rng: Random) -> tuple[moves.Seat, ...]:
    """Boxes of one or more players, as many open and blind ones as the sheet lets each have."""
    play = ruleset.play
    free = rng.sample(range(1, play.boxes + 1), rng.randint(1, play.boxes))
    seats: list[moves.Seat] = []
    while free:
        opens = rng.randint(1, min(play.open_boxes, len(free)))
        blinds = [0]
        if play.blind is not None and opens >= play.blind.needs_open:
            blinds += [count for count in play.blind.counts if count <= len(free) - opens]
        player = rng.choice([f"P{len(seats)}", f"P{len(seats)}", None]) if opens == 1 else f"P{len(seats)}"
        blind = rng.choice(blinds) if player is not None else 0
        ante = limits.chip * rng.randint(2, 40)
        for place in range(opens + blind):
            seat = moves.Seat(box=free.pop(), ante=ante, player=player, blind=place >= opens)
            seats.append(_with_side_stakes(ruleset, limits, rng, seat))
    rng.shuffle(seats)
    return tuple(seats)


def _with_side_stakes(ruleset: Ruleset, limits: Limits, rng: Random, seat: moves.Seat) -> moves.Seat:
    play = ruleset.play
    bonus = jackpot = 0
    if play.bonus is not None and rng.random() < 0.6:
        bonus = play.bonus.fixed if play.bonus.fixed is not None else limits.chip * rng.randint(2, 40)
    if play.jackpot is not None and rng.random() < 0.6:
        jackpot = play.jackpot.stake
    return structs.replace(seat, bonus=bonus, jackpot=jackpot)


class Shoe:
    """Draws from what remains; a rich one prefers a few ranks or a suit, so that high hands are common."""

    def __init__(self, rng: Random) -> None:
        self._rng = rng
        self._liked: set[str] = set(NAMES)
        if rng.random() < 0.75:
            ranks = rng.choice(
                [rng.sample(RANKS, 5), list(RANKS[8:]), list(RANKS[(low := rng.randint(0, 8)) : low + 5])]
            )
            suits = rng.choice(["cdhs", "cd", "h"])
            self._liked = {rank + suit for rank in ranks for suit in suits}

    def draw(self, state: Any, count: int) -> list[str]:
        """`count` different cards."""
        left = engine.remaining(state)
        liked = [name for name in left if name in self._liked]
        cards = self._rng.sample(liked, min(count, len(liked))) if self._rng.random() < 0.9 else []
        rest = [name for name in left if name not in cards]
        return cards + self._rng.sample(rest, count - len(cards))


def walk(ruleset: Ruleset, rng: Random, *, misdeals: float = 0.0) -> Walk:
    """One round to its close; in a share of the rounds a misdeal is called somewhere on the way."""
    limits = limits_for(ruleset, rng)
    seats = seats_for(ruleset, limits, rng)
    state = engine.begin(ruleset, limits, "T-1", 1)
    table = {"currency": "EUR", "chip": limits.chip, "min": limits.min, "max": limits.max}
    if limits.max_payout_per_box is not None:
        table["max_payout_per_box"] = limits.max_payout_per_box
    record: dict[str, Any] = {"ruleset": ruleset.id, "table": table, "boxes": [_told(seat) for seat in seats]}
    if ruleset.play.jackpot is not None:
        record["progressive"] = {"meter": METER, "seed": SEED}
    done = Walk(ruleset, limits, record, state)
    step = _Step(done, Shoe(rng), rng, misdeals=misdeals if rng.random() < misdeals else 0.0)
    step.take(moves.OpenRound(boxes=seats, source="record"))
    while not done.state.closed:
        step.once()
    return done


def _told(seat: moves.Seat) -> dict[str, Any]:
    told: dict[str, Any] = {"box": seat.box, "ante": seat.ante}
    if seat.player is not None:
        told["player"] = seat.player
    for kind in ("bonus", "jackpot"):
        if getattr(seat, kind):
            told[kind] = getattr(seat, kind)
    if seat.blind:
        told["blind"] = True
    return told


class _Step:
    """One option after the other, each told in the record too."""

    def __init__(self, done: Walk, shoe: Shoe, rng: Random, *, misdeals: float) -> None:
        self.done = done
        self.shoe = shoe
        self.rng = rng
        self.misdeals = misdeals
        self.boxes = {box["box"]: box for box in done.record["boxes"]}
        self.latest = 0

    def take(self, command: moves.Command) -> None:
        events = engine.decide(self.done.state, command, RecordMeter(METER, SEED))
        self.done.events += events
        for event in events:
            self.done.state = engine.evolve(self.done.state, event)

    def once(self) -> None:
        options = engine.next_actions(self.done.state)
        ends = [option for option in options if option["do"] == "misdeal"]
        plain = [option for option in options if option["do"] not in ("misdeal", "stop")]
        if ends and self.misdeals and self.rng.random() < self.misdeals:
            self._misdeal(self.rng.choice(ends))
            return
        ordered = next((option for option in plain if option["do"] in _IN_ORDER), None)
        self._do(ordered if ordered is not None else self._choice(plain))

    def _choice(self, options: list[dict[str, Any]]) -> dict[str, Any]:
        """Any option; rather one that not every hand has, so that rare ones are met often."""
        rare = [option for option in options if option["do"] in ("insure", "swap", "buy")]
        likely = [option for option in options if option["do"] != "fold"] or options
        return self.rng.choice(
            rare if rare and self.rng.random() < 0.5 else likely if self.rng.random() < 0.5 else options
        )

    def _do(self, option: dict[str, Any]) -> None:
        do, box = option["do"], option.get("box", 0)
        if do in ("swap", "buy", "insure", "bet", "fold", "dealer_card"):
            self._act(do, option)
        elif do == "time_out":
            self.latest = box
            self.take(moves.TimeOut(box=box))
        elif do == "decline_dealer_card":
            self.take(moves.DeclineDealerCard(box=box))
        else:
            getattr(self, f"_{do}")(option)

    def _act(self, do: str, option: dict[str, Any]) -> None:
        number = option["box"]
        told: dict[str, Any] = {"do": do}
        out = cards_in = ""
        amount = None
        if do == "swap":
            count = self.rng.choice(option["counts"])
            held = [*self._held(number)]
            out, cards_in = " ".join(self.rng.sample(held, count)), " ".join(self.shoe.draw(self.done.state, count))
            told |= {"out": out, "in": cards_in}
        elif do == "buy":
            cards_in = told["in"] = self.shoe.draw(self.done.state, 1)[0]
        elif do == "insure":
            low, high, chip = option["min"], option["max"], option["chip"]
            amount = told["amount"] = self.rng.choice([low, high, self.rng.randrange(low, high + 1, chip)])
        self.done.in_turn = self.done.in_turn and (do == "dealer_card" or number >= self.latest)
        self.latest = max(self.latest, number) if do != "dealer_card" else self.latest
        self.boxes[number].setdefault("play", []).append(told)
        self.take(moves.Act(box=number, do=do, out=out, cards_in=cards_in, amount=amount))  # type: ignore[arg-type]

    def _held(self, number: int) -> list[str]:
        return text_of(self.done.state.box(number).cards).split()

    def _cards(self, option: dict[str, Any]) -> None:
        cards = " ".join(self.shoe.draw(self.done.state, option["count"]))
        self.boxes[option["box"]]["cards"] = cards
        self.take(moves.DealCards(box=option["box"], cards=cards))

    def _upcard(self, option: dict[str, Any]) -> None:
        self.upcard = self.shoe.draw(self.done.state, 1)[0]
        self.take(moves.DealUpcard(card=self.upcard))

    def _board(self, option: dict[str, Any]) -> None:
        cards = self.shoe.draw(self.done.state, option["count"])
        self.done.record["board"] = " ".join([*self.done.record.get("board", "").split(), *cards])
        self.take(moves.DealBoard(cards=" ".join(cards)))

    def _dealer(self, option: dict[str, Any]) -> None:
        up = [self.upcard] if self.done.ruleset.play.upcard else []
        cards = " ".join([*self.shoe.draw(self.done.state, option["count"] - len(up)), *up])
        self.done.record["dealer"] = {"cards": cards}
        self.take(moves.RevealDealer(cards=cards))

    def _draw(self, option: dict[str, Any]) -> None:
        card = self.shoe.draw(self.done.state, 1)[0]
        dealer = self.done.record["dealer"]
        dealer["drawn"] = f"{dealer.get('drawn', '')} {card}".strip()
        self.take(moves.DrawDealer(cards=card))

    def _misdeal(self, option: dict[str, Any]) -> None:
        told = {"kind": option["kind"]}
        box = self.rng.choice(option["boxes"]) if "boxes" in option else None
        if box is not None:
            told["box"] = box
        self.done.record["misdeal"] = told
        for played in self.done.state.boxes:
            if played.timed_out and played.bet:  # a void record knows a bet only by being told of it
                self.boxes[played.number].setdefault("play", []).append({"do": "bet"})
        self.take(moves.CallMisdeal(kind=option["kind"], box=box))


_IN_ORDER = ("cards", "upcard", "board", "dealer_card", "decline_dealer_card", "draw")
