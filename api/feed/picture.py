"""The newest picture: every level as it stands at one position of the log."""

from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Final, NamedTuple

from api.feed.frames import Data, State, timestamp
from api.feed.moments import Key
from domain.progressive.meters import Meters


class Picture(NamedTuple):
    """Every level as it stands at `position`."""

    position: int
    as_of: str
    levels: Mapping[Key, Data]


EMPTY: Final = Picture(0, timestamp(datetime(1970, 1, 1, tzinfo=UTC)), {})


def picture_of(meters: Mapping[str, Meters], position: int, tables: Mapping[str, str]) -> Picture:
    """The meters as a picture. tables: where the hits that wait for payment were won."""
    now = timestamp(datetime.now(UTC))
    levels: dict[Key, Data] = {}
    for name, each in meters.items():
        waiting = {
            pending.level: (hit, pending.award) for hit, pending in each.pending.items()
        }  # the newest of a level
        for number, level in each.levels.items():
            hit, award = waiting.get(number, ("", None))
            levels[name, number] = Data(
                jackpot=name,
                level=number,
                amount=level.display,
                currency=each.currency,
                position=position,
                as_of=now,
                state=_state(each, award),
                hit_amount=award,
                table=tables.get(hit),
            )
    return Picture(position, now, levels)


def _state(meters: Meters, award: int | None) -> State:
    if meters.stopped:
        return "STOPPED"
    return "NORMAL" if award is None else "PENDING"
