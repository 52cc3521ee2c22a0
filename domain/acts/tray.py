"""Counting the tray in the middle of a session, to find between which rounds a discrepancy arose."""

from domain.acts.chip_lists import check_chips
from domain.acts.tables import no_round
from domain.commands import CountTray
from domain.duties import on_duty
from domain.events.base import chips_total
from domain.events.tray import TrayCounted
from domain.request import Reply
from domain.work import Work


def count_tray(work: Work, table: str, command: CountTray) -> Reply:
    """Compare the tray with what it should hold; nothing moves. Refuses `round_in_progress` and `bad_chips`."""
    on_duty(work, "count the tray")
    stream, session = work.open_session(table)
    no_round(session)
    check_chips(command.chips, "chips")
    total = chips_total(command.chips)
    counted = TrayCounted(
        chips=command.chips,
        total=total,
        expected=session.tray,
        difference=total - session.tray,
        rounds=session.rounds,
    )
    work.record_at_table(stream, session, [counted])
    body = {"counted": total, "expected": counted.expected, "difference": counted.difference, "rounds": session.rounds}
    return Reply({"session": session.opened.session, **body})
