"""Insurance against "no game": who may place it when, and between which amounts."""

from domain.engine.boxes.acts import amount_of, check_sighted, refused_now
from domain.engine.boxes.prepare import InsuranceTable
from domain.engine.boxes.state import Box, Round
from domain.engine.boxes.winnings import bet_win
from domain.hands import NAME
from domain.refusals import CHIP_MULTIPLE, INSURANCE_LIMITS, NOT_OFFERED, Refusal


def insure(rnd: Round, box: Box, amount: int) -> int:
    """The insurance stake."""
    terms = check_insurable(rnd, box)
    held = rnd.strength_of(box.total)
    if held < terms.from_strength:
        detail = f"the hand is {NAME[held]}; insurance needs {terms.terms.hand} or better"
        raise Refusal(INSURANCE_LIMITS, detail, box.number)
    low, high = insurance_range(rnd, box)
    if not low <= amount <= high:
        detail = f"the insurance is {amount}; it must be at least {low} and at most {high}"
        raise Refusal(INSURANCE_LIMITS, detail, box.number)
    if amount % rnd.limits.chip:
        detail = f"the insurance is {amount}, which is no multiple of the chip of {rnd.limits.chip}"
        raise Refusal(CHIP_MULTIPLE, detail, box.number)
    return amount


def check_insurable(rnd: Round, box: Box) -> InsuranceTable:
    """The terms of insurance. Refuses a box that may not insure, or no more; the hand is not looked at."""
    play = rnd.play
    insurance = play.insurance
    if insurance is None:
        raise Refusal(NOT_OFFERED, "this sheet has no insurance", box.number)
    check_sighted(play, box, "insure", "insure")
    if box.void or box.folded:
        raise refused_now(box, "the hand is not in play; it cannot insure")
    if box.insurance:
        raise refused_now(box, "the hand is insured already")
    if rnd.dealer or box.buys_dealer_card:
        raise refused_now(box, "the dealer's cards are turned; insurance comes before")
    if box.bet and not box.blind:
        if insurance.terms.until == "bet":
            raise refused_now(box, "the bet is placed; insurance comes before it")
        if insurance.terms.several_boxes == "next-box" and _next_box_looked_at(rnd, box):
            raise refused_now(box, "the player has gone on to the next box; insurance comes before")
    return insurance


def _next_box_looked_at(rnd: Round, box: Box) -> bool:
    """Whether the player of several open boxes has acted on a later one."""
    if box.open_boxes == 1:
        return False
    return any(
        other.player == box.player
        and other.number > box.number
        and not other.blind
        and not other.void
        and (other.swaps or other.bought or other.insurance or other.decided)
        for other in rnd.boxes
    )


def insurance_range(rnd: Round, box: Box) -> tuple[int, int]:
    """The least and the most that the hand as it is may be insured for; (0, 0) where it is too low for any."""
    insurance = rnd.play.insurance
    assert insurance is not None
    held = rnd.strength_of(box.total)
    if held < insurance.from_strength:
        return 0, 0
    bet = amount_of(rnd.play.bet_antes, box.ante)
    share = insurance.share
    high = bet_win(rnd.play, box.total, held, bet)[0] * share.numerator // share.denominator
    if insurance.terms.most_within_cap and rnd.limits.max_payout_per_box is not None:
        high = min(high, rnd.limits.max_payout_per_box)
    return (bet if insurance.terms.least == "bet" else rnd.limits.chip), high
