"""A table may be rolled to the calendar's last day, and the books of the whole log still come to an end."""

from __future__ import annotations

from api.cli.ledger.document import days_between


def test_the_calendar_ends_with_its_last_day() -> None:
    assert list(days_between("9999-12-30", "9999-12-31")) == ["9999-12-30", "9999-12-31"]
