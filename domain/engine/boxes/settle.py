"""A complete round settled at once: the lines of the outcome read straight into the public form."""

from domain.engine.boxes.meter import RecordMeter
from domain.engine.boxes.outcome import Line, dealer_of, lines_of, prize_of, void_lines
from domain.engine.boxes.state import Box, Outcome, Round
from domain.engine.boxes.tables import KINDS
from domain.engine.settled import BoxSettlement, DealerSettlement, Settlement, Sums
from domain.hands import HANDS, NAME
from domain.refusals import NOT_ALLOWED_NOW, Refusal


def settle(rnd: Round, meter: RecordMeter) -> Settlement:
    """The settlement of a round whose last input is in. Refuses missing_meter."""
    dealer = dealer_of(rnd) if rnd.dealer and not rnd.void else None
    awards = _awards(rnd, meter) if rnd.play.jackpot is not None and not rnd.void else {}
    settled: list[BoxSettlement] = []
    house_net = 0
    for box in rnd.boxes:
        if box.void or dealer is None:
            entry = _entry(box, void_lines(rnd, box), None, 0)
            entry.void = True
        else:
            held = rnd.strength_of(box.total)
            entry = _entry(box, lines_of(rnd, box, held, dealer), NAME[held], awards.get(box.number, 0))
        settled.append(entry)
        house_net -= entry.net
    if dealer is None:
        return Settlement(settled, house_net=house_net)
    return Settlement(settled, DealerSettlement(NAME[dealer.first], dealer.has_game, NAME[dealer.final]), house_net)


def _awards(rnd: Round, meter: RecordMeter) -> dict[int, int]:
    """What each box wins of the jackpot, in the order of their numbers."""
    prizes = [prize_of(rnd, box) for box in rnd.by_number if box.jackpot]
    return {prize.box: meter.award(prize) for prize in prizes if prize is not None}


def _entry(box: Box, lines: list[Line], hand: str | None, jackpot: int) -> BoxSettlement:
    stakes: Sums = {}
    returned: Sums = {}
    taken: Sums = {}
    paid: Sums = {}
    second = capped = net = 0
    for kind, stake, back, _, due, paid_out, _, also in lines:
        stakes[kind] = stake
        if back:
            returned[kind] = stake
        else:
            taken[kind] = stake
            net -= stake
        gets = paid_out if kind != "jackpot" else jackpot
        if gets:
            paid[kind] = gets
            net += gets
        if due:
            capped += due - paid_out
            second = also or second
    entry = BoxSettlement(
        box=box.number, stakes=stakes, returned=returned, taken=taken, paid=paid, capped=capped, net=net
    )
    if hand is not None:
        entry.hand = hand
    if second:
        entry.second = HANDS[second]
    return entry


def settlement(rnd: Round) -> Settlement:
    """The settlement of a closed round, read off the outputs it has taken in. Refuses not_allowed_now before."""
    if not rnd.closed:
        raise Refusal(NOT_ALLOWED_NOW, f"round {rnd.number} is not settled yet")
    dealer = dealer_of(rnd) if rnd.dealer and not rnd.void else None
    settled = [_recorded(rnd, box, in_play=dealer is not None and not box.void) for box in rnd.boxes]
    house_net = -sum(entry.net for entry in settled)
    if dealer is None:
        return Settlement(settled, house_net=house_net)
    return Settlement(settled, DealerSettlement(NAME[dealer.first], dealer.has_game, NAME[dealer.final]), house_net)


def _recorded(rnd: Round, box: Box, *, in_play: bool) -> BoxSettlement:
    out = box.out or Outcome()
    ended = {kind: out.returned.get(kind, 0) + out.taken.get(kind, 0) for kind in KINDS}
    entry = BoxSettlement(
        box=box.number,
        stakes={kind: amount for kind, amount in ended.items() if amount},
        returned=_in_order(out.returned),
        taken=_in_order(out.taken),
        paid=_in_order(out.paid),
        capped=out.capped,
        net=sum(out.paid.values()) - sum(out.taken.values()),
        void=not in_play,
    )
    if in_play:
        entry.hand = NAME[rnd.strength_of(box.total)]
    if out.second is not None:
        entry.second = out.second
    return entry


def _in_order(amounts: Sums) -> Sums:
    return {kind: amounts[kind] for kind in KINDS if kind in amounts}
