"""Rounds at an open table: one finished record in one save, or live, step by step."""

from typing import Any

from msgspec import UNSET

from domain import engine, shoe
from domain.acts import house_shoe, late
from domain.acts.tables import no_round
from domain.commands import LiveAction, LiveCards, LiveDealer, OpenLiveRound, VoidRound
from domain.engine import commands as moves
from domain.engine.jackpot import Unlinked
from domain.engine.record import Record
from domain.events.base import Event
from domain.refusals import Refusal
from domain.request import Reply
from domain.table.session import TableSession
from domain.work import Work


def play_record(work: Work, table: str, record: Record) -> Reply:
    """Record a finished round: every input and output event, the round's settlement as the answer."""
    stream, session = work.open_session(table)
    no_round(session)
    if record.ruleset != session.opened.ruleset:
        raise Refusal("bad_record", f"ruleset: this table deals {session.opened.ruleset}, not {record.ruleset}")
    past = late.past_of(work, session)
    if past is not None:
        late.check_round(session, past, record)
    state = _next_round(session)
    events = engine.play_record(state, record, work.port(session) or Unlinked())
    if _stakes_jackpot(record):
        _check_jackpot_open(work, session)
    work.agreed(state, events)
    late.record(work, stream, session, events, past)
    for event in events:
        state = engine.evolve(state, event)
    return Reply({"round": state.round_id, "settlement": engine.settlement(state)})


def open_round(work: Work, table: str, command: OpenLiveRound) -> Reply:
    """Stakes are down: a live round begins. Stakes outside the posted limits are refused before acceptance."""
    stream, session = work.open_session(table)
    no_round(session)
    if any(box.jackpot for box in command.boxes):
        _check_jackpot_open(work, session)
    if late.past_of(work, session) is not None:
        raise Refusal("bad_time", "a live round is dealt now; record one of an earlier session as a finished round")
    seats = tuple(
        moves.Seat(
            box=b.box,
            ante=b.ante,
            player=b.player,
            bonus=b.bonus,
            jackpot=b.jackpot,
            blind=b.blind,
            accepted=b.accepted,
        )
        for b in command.boxes
    )
    opening = moves.OpenRound(boxes=seats, shoe=command.shoe, source="live")
    return _Step(work, stream, session, _next_round(session)).take(opening).reply()


def deal(work: Work, table: str, command: LiveCards) -> Reply:
    """Cards of an outside shoe for a box, the dealer's face-up card or the board; the house shoe deals all at once."""
    step = _current(work, table)
    given = {"cards": command.cards, "upcard": command.upcard, "board": command.board}
    named = [name for name, value in given.items() if value is not None]
    if step.session.shoe == "house":
        if named or command.box is not None:
            raise Refusal("house_shoe", "the house shoe deals this round: send an empty body")
        return step.deal_all().reply()
    if len(named) != 1:
        raise Refusal("bad_record", "an outside shoe: give `box` with `cards`, or `upcard`, or `board`")
    if command.cards is not None:
        if command.box is None:
            raise Refusal("bad_record", "`cards` needs the `box` they were dealt to")
        return step.take(moves.DealCards(box=command.box, cards=command.cards)).reply()
    if command.upcard is not None:
        return step.take(moves.DealUpcard(card=command.upcard)).reply()
    assert command.board is not None
    return step.take(moves.DealBoard(cards=command.board)).reply()


def act(work: Work, table: str, command: LiveAction) -> Reply:
    """What a box does, or (roulette) a wager."""
    step = _current(work, table)
    if command.do == "wager":
        if command.on is None:
            raise Refusal("bad_record", "a wager needs `on`")
        wager = moves.Wager(
            on=command.on, player=command.player, amount=command.amount, unit=command.unit, late=command.late
        )
        return step.take(moves.PlaceWagers(wagers=(wager,))).reply()
    if command.box is None:
        raise Refusal("bad_record", f"`{command.do}` needs the `box` that does it")
    if command.do == "time_out":
        return step.take(moves.TimeOut(box=command.box)).reply()
    if command.do == "decline_dealer_card":
        return step.take(moves.DeclineDealerCard(box=command.box)).reply()
    cards_in = command.in_ or ""
    if step.session.shoe == "house" and command.do in ("swap", "buy"):
        if cards_in:
            raise Refusal("house_shoe", "the house shoe deals this round: leave `in` out")
        cards_in = step.draw(1 if command.do == "buy" else len((command.out or "").replace(" ", "")) // 2)
    return step.take(
        moves.Act(box=command.box, do=command.do, out=command.out or "", cards_in=cards_in, amount=command.amount)
    ).reply()


def dealer(work: Work, table: str, command: LiveDealer) -> Reply:
    """The dealer's turn: cards revealed, cards drawn for a bought one, or roulette's number (null: no spin)."""
    step = _current(work, table)
    if step.session.ruleset.engine == "roulette":
        if not isinstance(command.number, int):
            if command.number is None:
                return step.take(moves.CallNoSpin()).reply()
            raise Refusal("bad_record", "call the `number`, or null for no spin")
        return step.take(moves.CallNumber(number=command.number)).reply()
    if step.session.shoe == "house":
        if command.cards is not None or command.drawn is not None:
            raise Refusal("house_shoe", "the house shoe deals this round: send an empty body")
        return step.dealer_turn().reply()
    if command.cards is not None:
        step.take(moves.RevealDealer(cards=command.cards))
    if command.drawn is not None:
        step.take(moves.DrawDealer(cards=command.drawn))
    if command.cards is None and command.drawn is None:
        raise Refusal("bad_record", "an outside shoe: give the dealer's `cards`, or the `drawn` ones")
    return step.reply()


def void_round(work: Work, table: str, command: VoidRound) -> Reply:
    """End the live round by the sheet's misdeal rule, or for a supervisor's reason with everything returned."""
    step = _current(work, table)
    if command.kind is None:
        return step.take(moves.StopRound(reason=command.reason)).reply()
    return step.take(moves.CallMisdeal(kind=command.kind, box=command.box)).reply()


def _stakes_jackpot(record: Record) -> bool:
    return record.boxes is not UNSET and any(box.jackpot is not UNSET and box.jackpot for box in record.boxes)


def _check_jackpot_open(work: Work, session: TableSession) -> None:
    linked = session.opened.progressive
    if linked is None:
        raise Refusal("not_offered", "this table is linked to no progressive: no jackpot stakes")
    if work.progressive(linked).stopped:
        raise Refusal(
            "progressive_stopped", f"progressive {linked} is stopped: no jackpot stakes until it starts again"
        )


def _next_round(session: TableSession) -> engine.RoundState:
    number = session.rounds + 1
    return engine.begin(session.ruleset, session.limits, f"{session.opened.session}-{number}", number)


def _current(work: Work, table: str) -> "_Step":
    stream, session = work.open_session(table)
    if session.round is None:
        raise Refusal("no_open_round", f"no round is on the felt at {table}; open one first")
    return _Step(work, stream, session, session.round.copy())


class _Step:
    """One live request: moves are decided and folded on a copy of the round, and recorded together."""

    def __init__(self, work: Work, stream: str, session: TableSession, state: engine.RoundState) -> None:
        self.work = work
        self.stream = stream
        self.session = session
        self.state = state
        self.port = work.port(session)
        self._events = list(session.felt)

    def take(self, move: moves.Command) -> "_Step":
        """Decide one move, fold its events, record them. The second opinion is asked before a round is paid."""
        events: list[Event] = engine.decide(self.state, move, self.port)
        for event in events:
            self.state = engine.evolve(self.state, event)
        self._events += events
        if self.state.closed:
            self.work.agreed(self.state, [e for e in self._events if getattr(e, "round", None) == self.state.round_id])
        self.work.record_at_table(self.stream, self.session, events)
        return self

    def draw(self, count: int) -> str:
        """Cards from the house shoe, each from those that remain.

        None where there are not so many (or, in roulette, none at all): the engine then says why the act cannot be.
        """
        remaining = engine.remaining(self.state)
        return shoe.draw(remaining, count, self.work.draw) if count <= len(remaining) else ""

    def deal_all(self) -> "_Step":
        """Deal whatever must be dealt before somebody has a choice again."""
        wanted = house_shoe.next_deal(self.state, self.work.draw)
        if wanted is None:
            raise Refusal("not_allowed_now", "no cards are due now")
        while wanted is not None:
            self.take(wanted)
            wanted = house_shoe.next_deal(self.state, self.work.draw)
        return self

    def dealer_turn(self) -> "_Step":
        """Reveal the dealer's cards, or draw in place of the highest until the sheet's rule is met."""
        wanted = house_shoe.next_dealer(self.state, self.work.draw)
        if wanted is None:
            raise Refusal("not_allowed_now", "the dealer has no turn now")
        return self.take(wanted)

    def reply(self) -> Reply:
        """Round and what may be done now; the settlement too once the round is closed."""
        body: dict[str, Any] = {"round": self.state.round_id, "next": engine.next_actions(self.state)}
        if self.state.closed:
            body["settlement"] = engine.settlement(self.state)
        return Reply(body)
