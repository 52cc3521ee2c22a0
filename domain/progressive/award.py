"""What a hit takes from its meter: one function for the live award, `settle` and replay."""

from msgspec import structs

from domain.engine.jackpot import Prize
from domain.events.jackpot import JackpotHit
from domain.money import MICRO
from domain.progressive.meters import Level, Meters


def award(
    meters: Meters, round_id: str, prize: Prize, *, equal_part: int | None = None, winner: int = 1, winners: int = 1
) -> JackpotHit:
    """The hit of `prize` on the meters as they stand: the fold up to this position.

    A share is paid in whole minor units, rounded down; the rest of a unit stays on the meter. A share of the whole
    meter is followed by a new seed, from the reserve first and the house second; a smaller share leaves the rest
    standing. A fixed prize comes off the house, or off the meter where the progressive says so and the meter can
    bear it. Winners of one deal who share a meter each take `equal_part` (minor units); the seed follows the last.
    """
    level = meters.levels[prize.level]
    if prize.share_ppm is not None:
        part = level.display_u * prize.share_ppm // (MICRO * MICRO) if equal_part is None else equal_part
        seed_u = level.terms.seed * MICRO if winner == winners and prize.share_ppm == MICRO else 0
        hit = _hit(meters, round_id, prize, part, charged_to="meter", seed_u=seed_u, pending=True)
        return structs.replace(hit, winner=winner, winners=winners) if winners > 1 else hit
    assert prize.amount is not None, "a prize is a share or a sum"
    off_meter = meters.fixed_prizes_from == "meter" and prize.amount * MICRO <= level.display_u
    charged_to = "meter" if off_meter else "house"
    return _hit(meters, round_id, prize, prize.amount, charged_to=charged_to, seed_u=0, pending=False)


def equal_parts(level: Level, winners: int) -> int:
    """What each of the winners of one deal takes of the meter, in whole minor units, rounded down."""
    return level.display_u // (winners * MICRO)


def _hit(
    meters: Meters, round_id: str, prize: Prize, amount: int, *, charged_to: str, seed_u: int, pending: bool
) -> JackpotHit:
    level = meters.levels[prize.level]
    before_u = level.display_u
    charged_u = amount * MICRO if charged_to == "meter" else 0
    left_u = before_u - charged_u
    from_reserve_u = min(level.reserve_u, seed_u)
    return JackpotHit(
        round=round_id,
        box=prize.box,
        player=prize.player,
        progressive=meters.progressive,
        level=prize.level,
        hand=prize.hand,
        clause=prize.clause,
        award=amount,
        charged_to=charged_to,
        meter_before_u=before_u,
        meter_after_u=left_u + seed_u,
        residue_u=left_u % MICRO if charged_u else 0,
        reset_from_reserve_u=from_reserve_u,
        reset_from_house_u=seed_u - from_reserve_u,
        base_u=max(0, charged_u - (before_u - level.base_u)),
        share_ppm=prize.share_ppm,
        prize=prize.amount,
        pending=pending,
    )
