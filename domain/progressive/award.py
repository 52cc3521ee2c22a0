"""What a hit takes from its meter: one function for the live award, `settle` and replay."""

from domain.engine.jackpot import Prize
from domain.events.jackpot import JackpotHit
from domain.money import MICRO
from domain.progressive.meters import Level, Meters


def award(meters: Meters, round_id: str, prize: Prize) -> JackpotHit:
    """The hit of `prize` on the meters as they stand: the fold up to this position.

    A share is paid in whole minor units, rounded down; the rest of a unit stays on the meter. A share of the whole
    meter is followed by a new seed, from the reserve first and the house second; a smaller share leaves the rest
    standing. A fixed prize comes off the house, or off the meter where the progressive says so and the meter can
    bear it.
    """
    level = meters.levels[prize.level]
    before = level.display_u
    if prize.share_ppm is not None:
        taken = before * prize.share_ppm // (MICRO * MICRO)
        return _hit(meters, level, round_id, prize, award_paid=taken, charged_to="meter", pending=True)
    assert prize.amount is not None, "a prize is a share or a sum"
    off_meter = meters.fixed_prizes_from == "meter" and prize.amount * MICRO <= before
    charged_to = "meter" if off_meter else "house"
    return _hit(meters, level, round_id, prize, award_paid=prize.amount, charged_to=charged_to, pending=False)


def _hit(
    meters: Meters, level: Level, round_id: str, prize: Prize, *, award_paid: int, charged_to: str, pending: bool
) -> JackpotHit:
    before = level.display_u
    left = before - award_paid * MICRO if charged_to == "meter" else before
    seed_u = level.terms.seed * MICRO if prize.share_ppm == MICRO else 0
    from_reserve = min(level.reserve_u, seed_u)
    increments_u = before - level.base_u
    base_u = max(0, award_paid * MICRO - increments_u) if charged_to == "meter" else 0
    return JackpotHit(
        round=round_id,
        box=prize.box,
        player=prize.player,
        progressive=meters.progressive,
        level=prize.level,
        hand=prize.hand,
        clause=prize.clause,
        award=award_paid,
        charged_to=charged_to,
        meter_before_u=before,
        meter_after_u=left + seed_u,
        residue_u=left % MICRO if charged_to == "meter" else 0,
        reset_from_reserve_u=from_reserve,
        reset_from_house_u=seed_u - from_reserve,
        base_u=base_u,
        share_ppm=prize.share_ppm,
        prize=prize.amount,
        pending=pending,
    )
