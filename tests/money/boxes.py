"""Drop boxes and gaming days on a synthetic log."""

from __future__ import annotations

from domain.events.base import Chips
from domain.events.count import BoxCounted, BoxMounted, BoxReceived, BoxRemoved, BoxSettled
from domain.events.day import DayAudited, DayClosed, DayOpened
from domain.streams import HOUSE, count
from tests.projections.logs import Log, Table


class Boxes:
    """The drop boxes of one gaming day."""

    def __init__(self, log: Log, day: str = "2026-03-14") -> None:
        self.log = log
        self.day = day
        self.number = 0

    def mount(self, table: Table, currency: str = "EUR") -> BoxMounted:
        self.number += 1
        mounted = BoxMounted(
            drop=f"drop-{self.day}-{self.number:04d}",
            number=self.number,
            box=str(self.number),
            table=table.name,
            session=table.stream.removeprefix("table/"),
            session_stream=table.stream,
            currency=currency,
        )
        self.log.add(count(self.day), mounted, gaming_day=self.day)
        return mounted

    def carry(self, box: BoxMounted) -> None:
        self.log.add(count(self.day), BoxRemoved(drop=box.drop), BoxReceived(drop=box.drop), gaming_day=self.day)

    def settle(self, box: BoxMounted, total: int, difference: int | None = None) -> None:
        """Two counts that agree."""
        cash = (Chips(1, total),) if total else ()
        counts = [BoxCounted(drop=box.drop, count=n, cash=cash, total=total) for n in (1, 2)]
        settled = BoxSettled(
            drop=box.drop,
            table=box.table,
            session=box.session,
            session_stream=box.session_stream,
            currency=box.currency,
            total=total,
            difference=difference,
        )
        self.log.add(count(self.day), *counts, settled, gaming_day=self.day)


def open_day(log: Log, day: str = "2026-03-14") -> None:
    log.add(HOUSE, DayOpened(day=day, shift="1"), gaming_day=day)


def close_day(log: Log, day: str = "2026-03-14") -> None:
    log.add(HOUSE, DayClosed(day=day), gaming_day=day)


def audit_day(log: Log, day: str = "2026-03-14") -> None:
    log.add(HOUSE, DayAudited(day=day, note=""), gaming_day=day)
