"""A complete round settled at once: the lines of the outcome read straight into the public form."""

from domain.engine.boxes.meter import RecordMeter
from domain.engine.boxes.outcome import Line, dealer_of, lines_of, prize_of, void_lines
from domain.engine.boxes.state import Box, Round
from domain.engine.settled import BoxSettlement, DealerSettlement, Settlement, Sums
from domain.hands import HANDS, NAME


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
    for kind, stake, back, _, due, gets, _, also in lines:
        stakes[kind] = stake
        if back:
            returned[kind] = stake
        else:
            taken[kind] = stake
            net -= stake
        if kind == "jackpot":
            due = gets = jackpot
        if due:
            capped += due - gets
            if gets:
                paid[kind] = gets
                net += gets
        second = also or second
    entry = BoxSettlement(
        box=box.number, stakes=stakes, returned=returned, taken=taken, paid=paid, capped=capped, net=net
    )
    if hand is not None:
        entry.hand = hand
    if second:
        entry.second = HANDS[second]
    return entry
