"""Which stakes may stand before the deal, and who may play how many boxes."""

from collections.abc import Sequence
from typing import NoReturn

from domain.engine.boxes.prepare import BonusTable, BoxTables
from domain.engine.boxes.state import Box
from domain.engine.limits import Limits
from domain.refusals import CHIP_MULTIPLE, NOT_OFFERED, STAKE_LIMITS, TOO_MANY_BOXES, UNEQUAL_ANTES, Refusal


def check_stakes(play: BoxTables, limits: Limits, box: Box) -> None:
    """Refuse a box that the table has not, and stakes before the deal that the sheet or the sign does not allow.

    A box accepted outside the limits is let pass by these, and by nothing else.
    """
    number, ante = box.number, box.ante
    if not 1 <= number <= play.boxes:
        raise Refusal(TOO_MANY_BOXES, f"the table has boxes 1 to {play.boxes}; there is no box {number}", number)
    if box.blind and play.blind is None:
        raise Refusal(NOT_OFFERED, "this sheet has no blind boxes", number)
    most = limits.max
    if (ante < limits.min or (most is not None and ante > most)) and (not box.outside or ante <= 0):
        raise Refusal(STAKE_LIMITS, f"the ante is {ante}; {_between(limits)}", number)
    if ante % limits.chip:
        raise Refusal(CHIP_MULTIPLE, f"the ante is {ante}, which is no multiple of the chip of {limits.chip}", number)
    if box.bonus:
        _check_bonus(play.bonus, limits, box)
    if box.jackpot:
        _check_jackpot(play, box)


def _between(limits: Limits) -> str:
    return f"it must be at least {limits.min}" + (f" and at most {limits.max}" if limits.max is not None else "")


def outside_limits(limits: Limits, amount: int) -> bool:
    """Whether a stake is under the minimum or over the maximum of the sign."""
    return amount < limits.min or (limits.max is not None and amount > limits.max)


def _check_bonus(bonus: BonusTable | None, limits: Limits, box: Box) -> None:
    amount = box.bonus
    if bonus is None:
        raise Refusal(NOT_OFFERED, "this sheet has no bonus", box.number)
    if bonus.fixed is not None:
        if amount != bonus.fixed:
            raise Refusal(STAKE_LIMITS, f"the bonus is {amount}; it must be exactly {bonus.fixed}", box.number)
        return
    if outside_limits(limits, amount) and (not box.outside or amount <= 0):
        raise Refusal(STAKE_LIMITS, f"the bonus is {amount}; {_between(limits)}", box.number)
    if amount % limits.chip:
        detail = f"the bonus is {amount}, which is no multiple of the chip of {limits.chip}"
        raise Refusal(CHIP_MULTIPLE, detail, box.number)


def _check_jackpot(play: BoxTables, box: Box) -> None:
    if play.jackpot is None:
        raise Refusal(NOT_OFFERED, "this sheet has no jackpot", box.number)
    if box.jackpot != play.jackpot.stake:
        detail = f"the jackpot stake is {box.jackpot}; it must be exactly {play.jackpot.stake}"
        raise Refusal(STAKE_LIMITS, detail, box.number)


class Company:
    """The boxes of each player, counted once, so that a box can be judged knowing the others."""

    __slots__ = ("_boxes", "_each_their_own", "_play")

    def __init__(self, play: BoxTables, boxes: Sequence[Box]) -> None:
        self._play = play
        players = {box.player for box in boxes if box.player is not None}
        unnamed = sum(1 for box in boxes if box.player is None)
        self._each_their_own = len(players) + unnamed == len(boxes) and not any(box.blind for box in boxes)
        self._boxes: dict[str, list[Box]] = {}
        if not self._each_their_own:
            self._group(boxes)

    def _group(self, boxes: Sequence[Box]) -> None:
        for box in boxes:
            self._boxes.setdefault(_who(box), []).append(box)
        for own in self._boxes.values():
            opens = sum(1 for box in own if not box.blind)
            for box in own:
                box.open_boxes = opens

    def check(self, box: Box) -> None:
        """Refuse a box more than its player may play, and one whose ante differs from the player's first."""
        if self._each_their_own:
            return
        own = self._boxes[_who(box)]
        alike = [other for other in own if other.blind == box.blind]
        place = alike.index(box) + 1
        if not box.blind:
            if place > self._play.open_boxes:
                self._too_many(box, f"a player may play {self._play.open_boxes} open box(es), this is number {place}")
        else:
            self._check_blind(box, len(alike), place)
        if self._play.equal_antes and box.ante != own[0].ante:
            detail = f"the ante is {box.ante}, but {own[0].ante} on box {own[0].number}: a player's antes are equal"
            raise Refusal(UNEQUAL_ANTES, detail, box.number)

    def _check_blind(self, box: Box, blind: int, place: int) -> None:
        terms = self._play.blind
        assert terms is not None, "check_stakes has refused it"
        if box.open_boxes < terms.needs_open:
            self._too_many(box, f"a blind box needs {terms.needs_open} open beside it, its player has {box.open_boxes}")
        if place > max(terms.counts):
            self._too_many(box, f"a player may play {max(terms.counts)} blind box(es), this is number {place}")
        if blind not in terms.counts:
            allowed = " or ".join(map(str, terms.counts))
            self._too_many(box, f"a player may play {allowed} blind boxes, not {blind}")

    @staticmethod
    def _too_many(box: Box, detail: str) -> NoReturn:
        raise Refusal(TOO_MANY_BOXES, detail, box.number)


def _who(box: Box) -> str:
    """The player; an unnamed one is known by the box, which no name can equal."""
    return box.player if box.player is not None else f"\n{box.number}"
