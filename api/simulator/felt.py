"""A round of boxes as simulated players play it: recorded when it is finished, or live step by step.

Either way the round is played through the engine, asked what may be done at every turn; a finished one on the side, to
be read off as a round record, a live one through the acts, its events taken in as a terminal would.
"""

import random
from collections.abc import Sequence
from functools import partial
from itertools import groupby
from typing import Final

import msgspec

from api.simulator import choices
from api.simulator.choices import Hand, Option
from api.simulator.house import Ask, Done, Steps, dealer_of
from api.simulator.live import Shoe, request
from api.simulator.players import Players
from api.simulator.terms import Plan
from domain import engine
from domain.acts import rounds
from domain.cards import NAMES
from domain.engine import commands as moves
from domain.engine.jackpot import Prize, Stake
from domain.engine.record import Record
from domain.events import play
from domain.events.base import Event
from projections.round_record import record_of

_MISDEAL_ONE_IN, _STOP_ONE_IN = 150, 400
_PAUSES: Final = {moves.OpenRound: 4.0, moves.DealCards: 1.0, moves.RevealDealer: 3.0}
_THINKS: Final = 2.0
_ASIDE: Final = "aside"
_FIRST_CARDS: Final = frozenset(("cards", "upcard", "board"))
_DEALT: Final = frozenset(("cards", "upcard", "board", "dealer", "draw"))


class Round:
    """One round as the people at the table see it: the engine's state and the cards before each box."""

    def __init__(self, plan: Plan, round_id: str, number: int) -> None:
        self.state = engine.begin(plan.ruleset, plan.terms.limits, round_id, number)
        self.hands: dict[int, Hand] = {}
        self.board: list[str] = []
        self.upcard = ""
        self.looked = False

    def see(self, events: Sequence[Event]) -> None:
        """Take in what was recorded."""
        for event in events:
            self.state = engine.evolve(self.state, event)
            if isinstance(event, play.CardsDealt):
                self.hands[event.box] = Hand(event.cards)
            elif isinstance(event, play.CardsSwapped):
                self.hands[event.box].swap(event.out, event.cards_in)
            elif isinstance(event, play.SixthCardBought):
                self.hands[event.box].swap("", event.card)
            elif isinstance(event, play.BoardDealt):
                self.board += event.cards.split()
            elif isinstance(event, play.DealerUpcardDealt):
                self.upcard = event.card


class _NoMeter:
    """A jackpot that takes the stakes and pays nothing: on the side only the players' acts are of interest."""

    def settle(self, _round_id: str, _stakes: list[Stake], _prizes: list[Prize]) -> list[Event]:
        return []


def _laid(move: moves.Command) -> Event | None:
    """Cards that come to lie on the felt of a round on the side: they are what they are, nothing has to be decided."""
    if isinstance(move, moves.DealCards):
        return play.CardsDealt(round=_ASIDE, box=move.box, cards=move.cards)
    if isinstance(move, moves.DealUpcard):
        return play.DealerUpcardDealt(round=_ASIDE, card=move.card)
    if isinstance(move, moves.DealBoard):
        return play.BoardDealt(round=_ASIDE, cards=move.cards)
    if isinstance(move, moves.RevealDealer):
        return play.DealerRevealed(round=_ASIDE, cards=move.cards)
    if isinstance(move, moves.DrawDealer):
        return play.DealerCardsDrawn(round=_ASIDE, cards=move.cards)
    return None


class Felt:
    """The felt of one table."""

    def __init__(self, plan: Plan, rng: random.Random) -> None:
        self._plan = plan
        self._rng = rng
        self._dealer = dealer_of(plan.name)
        self._deck: list[str] = []
        self._shoe: Shoe = "external"
        self._live = 0

    def finished(self, players: Players) -> Steps[None]:
        """A round recorded when it is over."""
        self._shuffle()
        self._shoe = "external"
        events = self._play_aside(players.stakes())
        fields = record_of(self._plan.ruleset.id, self._plan.terms.limits, events)
        fields.pop("table")  # the log knows the sign
        record = msgspec.convert(fields, Record)
        done = yield Ask(self._dealer, partial(rounds.play_record, table=self._plan.name, record=record))
        self._settle(players, events, done)

    def live(self, players: Players) -> Steps[None]:
        """A round recorded step by step, by the house shoe and an outside one in turn."""
        self._live += 1
        self._shoe = "house" if self._live % 2 else "external"
        self._shuffle()
        done = yield self._as_request(moves.OpenRound(boxes=players.stakes(), shoe=self._shoe))
        began = next(event for event in done.events if isinstance(event, play.RoundOpened))
        round_ = Round(self._plan, began.round, began.number)
        round_.see(done.events)
        events = list(done.events)
        yield _PAUSES[moves.OpenRound]
        while not round_.state.closed:
            move = self._next(round_, engine.next_actions(round_.state))
            assert move is not None, "a live round closes with its last input"
            done = yield self._as_request(move)
            round_.see(done.events)
            events += done.events
            yield _PAUSES.get(type(move), _THINKS) * (0.5 + self._rng.random())
        self._settle(players, events, done)

    def _as_request(self, move: moves.Command) -> Ask:
        return request(self._plan.name, self._shoe, move)

    @staticmethod
    def _settle(players: Players, events: Sequence[Event], done: Done) -> None:
        player_of = {event.box: event.player for event in events if isinstance(event, play.AntePlaced)}
        for box in done.body["settlement"].boxes:
            players.settle(player_of[box.box] or "", box.net)

    # The round on the side

    def _play_aside(self, seats: tuple[moves.Seat, ...]) -> list[Event]:
        """What people do in a round, from the first stake to the dealer's last card; what follows is not asked for."""
        round_ = Round(self._plan, _ASIDE, 1)
        events = self._take(round_, moves.OpenRound(boxes=seats, source="record"))
        while not round_.state.closed:
            options = engine.next_actions(round_.state)
            dealt = [self._deal(round_, option) for option in options if option["do"] in _FIRST_CARDS]
            if not dealt:
                move = self._next(round_, options)
                if move is None:
                    break
                dealt = [move]
            for move in dealt:
                events += self._take(round_, move)
        return events

    @staticmethod
    def _take(round_: Round, move: moves.Command) -> list[Event]:
        laid = _laid(move)
        events = engine.decide(round_.state, move, _NoMeter()) if laid is None else [laid]
        round_.see(events)
        return events

    # What happens next

    def _next(self, round_: Round, options: Sequence[Option]) -> moves.Command | None:
        """The next move: what must be dealt, or what a player chooses, or now and then a misdeal; None at the end."""
        due = next((option for option in options if option["do"] in _DEALT), None)
        if not due and not round_.looked:
            round_.looked = True
            spoilt = self._misdeal(options)
            if spoilt is not None:
                return spoilt
        chosen = None
        if not due or due["do"] == "dealer":
            # Until the dealer's cards are turned somebody may still think of insurance.
            chosen = self._choice(round_, [option for option in options if "box" in option])
        if chosen is None and due is not None:
            return self._deal(round_, due)
        return chosen

    def _deal(self, round_: Round, option: Option) -> moves.Command:
        do = option["do"]
        if do == "cards":
            return moves.DealCards(box=option["box"], cards=self._cards(option["count"]))
        if do == "upcard":
            return moves.DealUpcard(card=self._cards(1))
        if do == "board":
            return moves.DealBoard(cards=self._cards(option["count"]))
        if do == "dealer":
            hidden = option["count"] - bool(round_.upcard)
            return moves.RevealDealer(cards=f"{self._cards(hidden)} {round_.upcard}".strip())
        return moves.DrawDealer(cards=self._cards(1))

    def _choice(self, round_: Round, options: Sequence[Option]) -> moves.Command | None:
        """What a player does; None where nobody has to and nobody wants to."""
        rng = self._rng
        if not options:
            return None
        if options[0]["do"] == "dealer_card":
            box = options[0]["box"]
            if choices.buys_dealer_card(rng):
                return moves.Act(box=box, do="dealer_card")
            return moves.DeclineDealerCard(box=box)
        mine: list[Option] = []
        for box, of_box in groupby(options, key=lambda option: int(option["box"])):
            group = list(of_box)
            if any(option["do"] == "bet" for option in group):
                mine = group
            elif choices.insures_late(rng) and box in round_.hands:
                return choices.insurance(rng, group[0])
        if not mine:
            return None
        move = choices.act(rng, mine, round_.hands[mine[0]["box"]], round_.board)
        if isinstance(move, moves.Act) and move.do in ("swap", "buy") and self._shoe == "external":
            count = 1 if move.do == "buy" else len(move.out.split())
            return msgspec.structs.replace(move, cards_in=self._cards(count))
        return move

    def _misdeal(self, options: Sequence[Option]) -> moves.Command | None:
        rng = self._rng
        kinds = [option for option in options if option["do"] == "misdeal"]
        if kinds and rng.randrange(_MISDEAL_ONE_IN) == 0:
            option = rng.choice(kinds)
            box = rng.choice(option["boxes"]) if "boxes" in option else None
            return moves.CallMisdeal(kind=option["kind"], box=box)
        return None

    # Cards

    def _shuffle(self) -> None:
        self._deck = list(NAMES)
        self._rng.shuffle(self._deck)

    def _cards(self, count: int) -> str:
        """Cards off the top; at a live round by the house shoe they only stand for the ones that it will deal."""
        taken, self._deck = self._deck[:count], self._deck[count:]
        return " ".join(taken)
