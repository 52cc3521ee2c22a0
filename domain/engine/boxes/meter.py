"""The meter that a round record brings along: it awards, in the order of the boxes, and contributes nothing."""

from domain.engine.jackpot import Prize, Stake
from domain.events.base import Event
from domain.events.jackpot import JackpotHit
from domain.money import MICRO
from domain.refusals import MISSING_METER, Refusal


class RecordMeter:
    """A jackpot of one level as a record states it, in minor units. meter None: the record does not say.

    The first winner takes a share of the meter, the next of what is left and the seed. Fixed prizes are the house's.
    """

    def __init__(self, meter: int | None, seed: int = 0) -> None:
        self.meter = meter
        self.seed = seed

    def award(self, prize: Prize) -> int:
        """What a prize comes to, rounded down; a share comes off the meter. Refuses missing_meter."""
        if prize.share_ppm is None:
            assert prize.amount is not None, "a prize is a share or a sum"
            return prize.amount
        if self.meter is None:
            detail = f"the {prize.hand} wins a share of the meter; progressive.meter must say how much that is"
            raise Refusal(MISSING_METER, detail, prize.box)
        taken = self.meter * prize.share_ppm // MICRO
        self.meter += self.seed - taken
        return taken

    def settle(self, round_id: str, stakes: list[Stake], prizes: list[Prize]) -> list[Event]:  # noqa: ARG002
        """The hits, in the order given."""
        return [self._hit(round_id, prize) for prize in prizes]

    def _hit(self, round_id: str, prize: Prize) -> JackpotHit:
        before = self.meter or 0
        award = self.award(prize)
        return JackpotHit(
            round=round_id,
            box=prize.box,
            player=prize.player,
            progressive="record",
            level=prize.level,
            hand=prize.hand,
            clause=prize.clause,
            award=award,
            charged_to="house" if prize.share_ppm is None else "meter",
            meter_before_u=before * MICRO,
            meter_after_u=(self.meter or 0) * MICRO,
            residue_u=0,
            share_ppm=prize.share_ppm,
            prize=prize.amount,
        )
