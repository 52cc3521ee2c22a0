"""A live round of boxes, one step at a time: order, turns, what is refused when, and how it ends early."""

from typing import Any

import pytest

from domain import engine
from domain.engine import commands as moves
from domain.engine.boxes.meter import RecordMeter
from domain.engine.limits import Limits
from domain.events import outcome, play
from domain.events.base import Event
from domain.refusals import Refusal
from domain.ruleset import shipped

LIMITS = Limits(currency="EUR", chip=100, min=500, max=20_000)
FLUSH, PAIR, STRAIGHT = "Kd Td 6d 4d 2d", "9d 9s 6c 4h 2c", "6h 5s 4c 3d 2h"


class Live:
    """A round at a table."""

    def __init__(self, sheet: str, *boxes: moves.Seat) -> None:
        self.state: Any = engine.begin(shipped(sheet), LIMITS, "T-1", 1)
        self.events: list[Event] = []
        if boxes:
            self.do(moves.OpenRound(boxes=boxes))

    def do(self, command: moves.Command) -> list[Event]:
        events = engine.decide(self.state, command, RecordMeter(None))
        for event in events:
            self.state = engine.evolve(self.state, event)
        self.events += events
        return events

    def act(self, box: int, do: Any, **more: Any) -> list[Event]:
        return self.do(moves.Act(box=box, do=do, **more))

    def deal(self, *hands: str, up: str = "3h") -> "Live":
        for box, cards in zip(self.state.by_number, hands, strict=True):
            self.do(moves.DealCards(box=box.number, cards=cards))
        self.do(moves.DealUpcard(card=up))
        return self

    def refuses(self, command: moves.Command) -> str:
        with pytest.raises(Refusal) as caught:
            engine.decide(self.state, command, RecordMeter(None))
        return caught.value.code

    def offers(self) -> set[str]:
        return {option["do"] for option in engine.next_actions(self.state)}


def seat(box: int, player: str | None = None, **more: Any) -> moves.Seat:
    return moves.Seat(box=box, ante=more.pop("ante", 1000), player=player, **more)


def test_a_round_is_opened_once_and_played_only_while_it_is_open() -> None:
    live = Live("oasis-ua")
    assert live.refuses(moves.StopRound(reason="too early")) == "no_open_round"
    live.do(moves.OpenRound(boxes=(seat(1),)))
    assert live.refuses(moves.OpenRound(boxes=(seat(1),))) == "not_allowed_now"
    live.do(moves.StopRound(reason="fire alarm"))
    assert live.refuses(moves.DealUpcard(card="3h")) == "round_closed"
    assert engine.next_actions(live.state) == []


def test_no_decision_before_the_deal_is_done() -> None:
    live = Live("oasis-ua", seat(1), seat(2))
    assert live.offers() == {"cards", "upcard", "misdeal", "stop"}
    live.do(moves.DealCards(box=1, cards=PAIR))
    assert live.refuses(moves.Act(box=1, do="bet")) == "not_allowed_now"
    assert live.refuses(moves.DealCards(box=1, cards=FLUSH)) == "not_allowed_now"
    assert live.refuses(moves.DealCards(box=2, cards="9d 7s 7c 7h 8h")) == "duplicate_card"
    assert live.refuses(moves.DealCards(box=3, cards=FLUSH)) == "not_allowed_now"
    assert live.refuses(moves.RevealDealer(cards="Ah Kc 8c 7s 3h")) == "not_allowed_now"


def test_boxes_decide_from_the_dealers_left_one_after_the_other() -> None:
    live = Live("oasis-ua", seat(4), seat(2)).deal(PAIR, STRAIGHT)
    assert live.refuses(moves.Act(box=4, do="bet")) == "not_allowed_now"
    live.act(2, "bet")
    assert live.refuses(moves.Act(box=2, do="fold")) == "not_allowed_now"
    live.act(4, "fold")
    assert live.offers() == {"dealer", "misdeal", "stop"}


def test_the_dealers_face_up_card_must_be_among_the_revealed_ones_and_last() -> None:
    live = Live("oasis-ua", seat(1)).deal(PAIR)
    live.act(1, "bet")
    assert live.refuses(moves.RevealDealer(cards="Ah Kc 8c 7s 5h")) == "wrong_dealer_card"
    assert live.refuses(moves.RevealDealer(cards="Ah Kc 8c 3h 7s")) == "wrong_dealer_card"
    assert live.refuses(moves.RevealDealer(cards="Ah Kc 8c 3h 3h")) == "duplicate_card"
    assert live.refuses(moves.RevealDealer(cards="Ah Kc 8c 3h")) == "wrong_card_count"
    live.do(moves.RevealDealer(cards="Ah Kc 8c 7s 3h"))
    assert live.state.closed


def test_the_last_input_brings_the_outputs_and_the_close_with_it() -> None:
    live = Live("oasis-ua", seat(1)).deal(PAIR)
    live.act(1, "bet")
    events = live.do(moves.RevealDealer(cards="Ah Kc 8c 7s 3h"))
    assert [type(event) for event in events] == [
        play.DealerRevealed,
        outcome.StakeReturned,
        outcome.PayoutMade,
        outcome.StakeReturned,
        outcome.PayoutMade,
        outcome.RoundClosed,
    ]
    bet = events[4]
    assert isinstance(bet, outcome.PayoutMade)
    assert (bet.clause, bet.odds, bet.hand, bet.paid) == ("O.table-of-odds", "1:1", "pair", 2000)


def test_a_payout_says_both_odds_of_two_combinations_and_a_prize_its_sum() -> None:
    live = Live("russian-ua", seat(1)).deal("7d 7h As Kd 2c")
    live.act(1, "bet")
    paid = [e for e in live.do(moves.RevealDealer(cards="Ah Kc 8c 7s 3h")) if isinstance(e, outcome.PayoutMade)]
    assert [(e.clause, e.odds, e.second) for e in paid] == [("R.combinations", "1:1 + 1:1", "ace-king")]
    live = Live("oasis-ua", seat(1, bonus=1000)).deal(FLUSH)
    live.act(1, "bet")
    paid = [e for e in live.do(moves.RevealDealer(cards="Qh Jc 8c 7s 3h")) if isinstance(e, outcome.PayoutMade)]
    assert [(e.clause, e.odds) for e in paid] == [("O.no-game", "1:1"), ("O.bonus", "prize 250.00")]


def test_insurance_after_the_bet_until_the_dealers_cards_are_turned() -> None:
    live = Live("vesuvius-ro", seat(1), seat(2)).deal(FLUSH, STRAIGHT)
    live.act(1, "bet")
    live.act(2, "bet")
    assert "insure" in live.offers()
    live.act(1, "insure", amount=5000)
    assert live.refuses(moves.Act(box=1, do="insure", amount=100)) == "not_allowed_now"
    live.do(moves.RevealDealer(cards="Qh Jc 8c 7s 3h"))
    assert live.refuses(moves.Act(box=2, do="insure", amount=100)) == "not_allowed_now"


def test_F_insurance_of_several_boxes_ends_when_the_next_box_is_looked_at() -> None:
    live = Live("exchange-ru", seat(1, "A"), seat(2, "A"), seat(3, "B")).deal(FLUSH, STRAIGHT, PAIR)
    live.act(1, "bet")
    assert engine.exposure(live.state)[0].insurance_max == 10_000
    live.act(2, "bet")
    assert live.refuses(moves.Act(box=1, do="insure", amount=5000)) == "not_allowed_now"
    live.act(3, "bet")
    live.act(2, "insure", amount=4000)


def test_an_act_takes_its_own_fields_and_no_others() -> None:
    live = Live("russian-ua", seat(1)).deal(FLUSH)
    assert live.refuses(moves.Act(box=1, do="bet", amount=2000)) == "bad_record"
    assert live.refuses(moves.Act(box=1, do="fold", out="2d")) == "bad_record"
    assert live.refuses(moves.Act(box=1, do="insure")) == "bad_record"
    assert live.refuses(moves.Act(box=1, do="buy", out="2d", cards_in="As")) == "bad_record"


def test_a_stake_outside_the_limits_that_the_dealer_accepted_is_flagged_and_played_in_full() -> None:
    live = Live("vesuvius-ro")
    assert live.refuses(moves.OpenRound(boxes=(seat(1, ante=400),))) == "stake_limits"
    for ante, bonus in ((0, 500), (-500, 0), (450, 0), (400, 150)):
        command = moves.OpenRound(boxes=(seat(1, ante=ante, bonus=bonus, accepted=True),))
        assert live.refuses(command) in ("stake_limits", "chip_multiple")
    events = live.do(moves.OpenRound(boxes=(seat(1, ante=400, bonus=100, accepted=True), seat(2))))
    flags = [e.outside_limits for e in events if isinstance(e, play.AntePlaced | play.BonusPlaced)]
    assert flags == [True, True, False]
    live.deal(PAIR, STRAIGHT)
    live.act(1, "bet")
    assert live.state.by_number[0].bet == 800


def test_time_out_places_the_bet_or_folds_and_says_so() -> None:
    live = Live("caribbean-ee", seat(1), seat(2)).deal(PAIR, "Td 8d 6h 3s 2h")
    assert live.refuses(moves.TimeOut(box=2)) == "not_allowed_now"
    bet, fold = live.do(moves.TimeOut(box=1))[0], live.do(moves.TimeOut(box=2))[0]
    assert isinstance(bet, play.BetPlaced)
    assert isinstance(fold, play.HandFolded)
    assert bet.timed_out
    assert fold.timed_out
    assert Live("oasis-ua", seat(1)).deal(PAIR).refuses(moves.TimeOut(box=1)) == "missing_decision"


def test_the_dealers_card_is_asked_of_every_box_and_then_drawn() -> None:
    live = Live("vesuvius-ro", seat(1), seat(2), seat(3)).deal(PAIR, STRAIGHT, "Td Ts 7c 5d 2s")
    assert live.refuses(moves.Act(box=1, do="dealer_card")) == "not_allowed_now"
    live.act(1, "bet")
    live.act(2, "fold")
    live.act(3, "bet")
    live.do(moves.RevealDealer(cards="Qd Jc 8c 7s 3h"))
    assert live.offers() == {"dealer_card", "decline_dealer_card", "misdeal", "stop"}
    live.act(1, "dealer_card")
    assert live.refuses(moves.DrawDealer(cards="8h")) == "not_allowed_now"
    assert live.refuses(moves.DeclineDealerCard(box=1)) == "not_allowed_now"
    assert live.refuses(moves.Act(box=2, do="dealer_card")) == "not_allowed_now"
    live.do(moves.DeclineDealerCard(box=3))
    live.do(moves.DrawDealer(cards="Qh"))
    assert live.offers() == {"draw", "misdeal", "stop"}
    live.do(moves.DrawDealer(cards="8h"))
    assert live.state.closed
    assert engine.settlement(live.state).dealer.final == "pair"  # type: ignore[attr-defined]


def test_when_all_decline_the_round_is_settled_as_no_game() -> None:
    live = Live("russian-ua", seat(1)).deal(PAIR)
    live.act(1, "bet")
    live.do(moves.RevealDealer(cards="Qd Jc 8c 7s 3h"))
    events = live.do(moves.DeclineDealerCard(box=1))
    assert isinstance(events[0], play.DealerCardDeclined)
    assert isinstance(events[-1], outcome.RoundClosed)


def test_a_supervisor_stops_a_round_and_everything_is_returned() -> None:
    live = Live("vesuvius-ro", seat(1, bonus=500), seat(2)).deal(FLUSH, PAIR)
    live.act(1, "insure", amount=5000)
    live.act(1, "bet")
    live.act(2, "buy", cards_in="9c")
    events = live.do(moves.StopRound(reason="a card fell to the floor"))
    assert isinstance(events[0], play.RoundStopped)
    voided = events[1]
    assert isinstance(voided, outcome.RoundVoided)
    assert (voided.clause, voided.reason) == ("V.misdeal", "a card fell to the floor")
    returned = [(e.box, e.kind, e.amount) for e in events if isinstance(e, outcome.StakeReturned)]
    assert returned == [
        (1, "ante", 1000),
        (1, "bet", 2000),
        (1, "bonus", 500),
        (1, "insurance", 5000),
        (2, "ante", 1000),
        (2, "buy", 1000),
    ]
    closed = events[-1]
    assert isinstance(closed, outcome.RoundClosed)
    assert (closed.void, closed.taken, closed.paid, closed.house_net) == (True, 0, 0, 0)


def test_G_a_void_box_leaves_the_others_to_play_on() -> None:
    live = Live("caribbean-gr", seat(1), seat(2))
    live.do(moves.DealCards(box=1, cards=PAIR))
    live.do(moves.CallMisdeal(kind="player_count", box=2))
    assert live.refuses(moves.CallMisdeal(kind="player_count", box=1)) == "not_allowed_now"
    live.do(moves.DealUpcard(card="3h"))
    live.act(1, "bet")
    events = live.do(moves.RevealDealer(cards="Ah Kc 8c 7s 3h"))
    assert sum(isinstance(e, outcome.BoxVoided) for e in events) == 1
    told = engine.settlement(live.state)
    assert [box.void for box in told.boxes] == [False, True]  # type: ignore[attr-defined]


def test_a_jackpot_stake_needs_a_progressive() -> None:
    live = Live("caribbean-ee", seat(1, jackpot=50)).deal(PAIR)
    live.act(1, "fold")
    with pytest.raises(Refusal, match="progressive"):
        engine.decide(live.state, moves.RevealDealer(cards="Ah Kc 8c 7s 3h"), None)


def test_limits_that_the_sheet_cannot_be_played_under_are_refused_at_the_start() -> None:
    with pytest.raises(Refusal, match="multiple of 2"):
        engine.begin(shipped("exchange-ru"), Limits(chip=5, min=5), "T-1", 1)


def test_an_open_round_has_no_settlement_yet() -> None:
    with pytest.raises(Refusal, match="not settled"):
        engine.settlement(Live("oasis-ua", seat(1)).state)


def test_holdem_turns_three_community_cards_before_and_two_after_the_decisions() -> None:
    live = Live("texas-ua", seat(1))
    live.do(moves.DealCards(box=1, cards="Qs 3h"))
    assert live.refuses(moves.DealBoard(cards="Kd 9c")) == "wrong_card_count"
    assert live.refuses(moves.DealUpcard(card="4h")) == "not_allowed_now"
    live.do(moves.DealBoard(cards="Kd 9c 7h"))
    assert live.refuses(moves.DealBoard(cards="5s 2c")) == "not_allowed_now"
    live.act(1, "bet")
    assert live.refuses(moves.RevealDealer(cards="4h 4d")) == "not_allowed_now"
    live.do(moves.DealBoard(cards="5s 2c"))
    live.do(moves.RevealDealer(cards="4h 4d"))
    assert live.state.closed
