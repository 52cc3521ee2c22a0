"""The lines of a complete round as events, each with its clause, and the round's close."""

from domain.engine.boxes.outcome import Line, dealer_of, lines_of, prize_of, void_lines, why_void
from domain.engine.boxes.phases import complete
from domain.engine.boxes.state import Box, Round
from domain.engine.jackpot import JackpotPort, Prize, Stake
from domain.events.base import Event
from domain.events.jackpot import JackpotHit
from domain.events.outcome import BoxVoided, PayoutMade, RoundClosed, RoundVoided, StakeReturned, StakeTaken
from domain.hands import HANDS, NAME
from domain.refusals import NOT_OFFERED, Refusal


def outputs(rnd: Round, jackpot: JackpotPort | None) -> list[Event]:
    """What follows when the last input is in, RoundClosed last; empty while inputs are missing."""
    return conclude(rnd, jackpot) if complete(rnd) else []


def conclude(rnd: Round, jackpot: JackpotPort | None) -> list[Event]:
    """The outputs of a round whose last input is in."""
    events: list[Event] = []
    if rnd.void:
        why = why_void(rnd)
        events.append(RoundVoided(round=rnd.round_id, clause=why.clause, reason=why.reason))
    dealer = dealer_of(rnd) if rnd.dealer and not rnd.void else None
    for box in rnd.by_number:
        if box.void or dealer is None:
            if not rnd.void:
                why = why_void(rnd)
                events.append(BoxVoided(round=rnd.round_id, box=box.number, clause=why.clause, reason=why.reason))
            _say(rnd, box, void_lines(rnd, box), None, events)
        else:
            held = rnd.strength_of(box.total)
            _say(rnd, box, lines_of(rnd, box, held, dealer), NAME[held], events)
    events += _jackpot(rnd, jackpot)
    events.append(_closed(rnd, events))
    return events


def _say(rnd: Round, box: Box, lines: list[Line], hand: str | None, events: list[Event]) -> None:
    """Events of a box's lines; a jackpot stake that is taken is told later, beside its contribution."""
    round_id, number = rnd.round_id, box.number
    for kind, stake, back, why, due, paid, pay, second in lines:
        if back:
            events.append(
                StakeReturned(round=round_id, box=number, kind=kind, amount=stake, clause=why.clause, reason=why.reason)
            )
        elif kind != "jackpot":
            events.append(
                StakeTaken(round=round_id, box=number, kind=kind, amount=stake, clause=why.clause, reason=why.reason)
            )
        if pay is not None:
            events.append(
                PayoutMade(
                    round=round_id,
                    box=number,
                    kind=kind,
                    due=due,
                    paid=paid,
                    capped=due - paid,
                    clause=pay.clause,
                    odds=pay.reason,
                    hand=hand,
                    second=HANDS[second] if second else None,
                )
            )


def _jackpot(rnd: Round, port: JackpotPort | None) -> list[Event]:
    """The jackpot stakes taken, all of them, then what the progressive makes of them."""
    table = rnd.play.jackpot
    staked = [box for box in rnd.by_number if box.jackpot and not box.void]
    if not staked or table is None or rnd.void:
        return []
    if port is None:
        raise Refusal(
            NOT_OFFERED, "a jackpot stake was placed, but no progressive hangs on this table", staked[0].number
        )
    why = table.why
    events: list[Event] = [
        StakeTaken(
            round=rnd.round_id,
            box=box.number,
            kind="jackpot",
            amount=box.jackpot,
            clause=why.clause,
            reason=why.reason,
        )
        for box in staked
    ]
    stakes = [Stake(box.number, box.player, box.jackpot) for box in staked]
    prizes: list[Prize] = [prize for box in staked if (prize := prize_of(rnd, box)) is not None]
    return events + port.settle(rnd.round_id, stakes, prizes)


def _closed(rnd: Round, events: list[Event]) -> RoundClosed:
    """The round's totals, summed over what was said of it; what a jackpot awards is paid as well."""
    taken = returned = paid = 0
    for event in events:
        if isinstance(event, StakeTaken):
            taken += event.amount
        elif isinstance(event, StakeReturned):
            returned += event.amount
        elif isinstance(event, PayoutMade):
            paid += event.paid
        elif isinstance(event, JackpotHit):
            paid += event.award
    return RoundClosed(
        round=rnd.round_id,
        number=rnd.number,
        staked=taken + returned,
        taken=taken,
        returned=returned,
        paid=paid,
        house_net=taken - paid,
        void=rnd.void,
    )
