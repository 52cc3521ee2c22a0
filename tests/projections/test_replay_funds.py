"""Replay of what is moved by hand between meters: all that a level held goes, and all of it comes."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from domain.events.base import Event
from domain.events.progressive import FundsReceived, FundsSent, LevelTerms, MeterAdjusted, ProgressiveOpened
from projections.replay.difference import Difference
from projections.replay.jackpots import JackpotReplay
from tests.audit.filled import meta

MICRO = 1_000_000
TERMS = (LevelTerms(1, 10_000, 700_000),)


def _opened(name: str) -> ProgressiveOpened:
    return ProgressiveOpened(
        progressive=name, currency="EUR", levels=TERMS, fixed_prizes_from="house", approval=f"open.{name}"
    )


ADJUSTED = MeterAdjusted(
    progressive="one",
    level=1,
    balance="display",
    amount_u=-2_000 * MICRO,
    before_u=10_000 * MICRO,
    after_u=8_000 * MICRO,
    cause="malfunction",
    reason="it ran on",
    approval="adjust.1",
)
SENT = FundsSent(
    progressive="one",
    level=1,
    to="two",
    to_level=1,
    display_u=8_000 * MICRO,
    reserve_u=0,
    overflow_u=0,
    residue_u=0,
    base_u=8_000 * MICRO,
    reason="the end",
    approval="transfer.1",
)
RECEIVED = FundsReceived(
    progressive="two",
    level=1,
    sender="one",
    sender_level=1,
    display_u=8_000 * MICRO,
    reserve_u=0,
    base_u=8_000 * MICRO,
    approval="transfer.1",
)


def _replayed(*events: Event) -> list[Difference]:
    fold = JackpotReplay()
    for position, event in enumerate((_opened("one"), _opened("two"), *events), 1):
        fold.take((position, f"progressive/{getattr(event, 'progressive', '')}", position, meta(position), event))
    fold.finish()
    return fold.differences


def test_a_true_transfer_has_no_differences() -> None:
    assert _replayed(ADJUSTED, SENT, RECEIVED) == []


@pytest.mark.parametrize(
    ("at", "changed"),
    [
        (0, {"after_u": 7_999 * MICRO}),
        (1, {"display_u": 7_000 * MICRO}),
        (1, {"base_u": 0}),
        (2, {"display_u": 8_001 * MICRO}),
        (2, {"reserve_u": 1}),
        (2, {"approval": "transfer.2"}),
    ],
)
def test_what_is_moved_otherwise_is_told(at: int, changed: dict[str, Any]) -> None:
    events: list[Event] = [ADJUSTED, SENT, RECEIVED]
    events[at] = msgspec.structs.replace(events[at], **changed)
    assert _replayed(*events)[0]["position"] == at + 3
