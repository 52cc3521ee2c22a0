"""What one event adds to a figure: the same sums and the same formula as the figure itself, asked event by event."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Final

from domain.events.adjustment import BoxCorrected, FigureAdjusted
from domain.events.base import Event, Meta
from domain.events.chips import BuyIn
from domain.events.count import BoxSettled
from domain.events.late import LateReckoned
from domain.events.session import SessionClosed, SessionOpened
from projections.day_fold import FOLD_TOPICS, Play, SessionFold, play_of
from projections.figures import Extent, Figures, Sums
from projections.flows import flows
from projections.log_reader import Batch, RawRow, hour_of

FIGURES: Final = (
    "win",
    "drop",
    "handle",
    "taken",
    "paid",
    "result",
    "over_short",
    "adjusted",
    "buy_ins",
    "fills",
    "credits",
    "tips",
    "opener",
    "closer",
    "rounds",
)
"""The figures that open into events. Ratios open into the two figures that they are of."""

HOURLY: Final = ("rounds", "handle", "taken", "paid", "result", "buy_ins", "fills", "credits", "tips")
"""Those that an hour has by itself; openers, closers and counts, and win with them, belong to whole sessions."""


def part_of(figure: str, session: SessionFold, event: Event, raw: RawRow) -> int:
    """What an event of a session (or of the count of its drop) adds to a figure, minor units (rounds: rounds).

    Once the drop of a session is counted, drop is what the boxes held and the recorded buy-ins are no part of it; in
    win they stand against it, as the chips that were given for them.
    """
    if isinstance(event, BoxSettled):
        return event.total if figure in ("win", "drop") and session.all_counted else 0
    if isinstance(event, BoxCorrected):
        return event.now - event.was if figure in ("win", "drop") and session.all_counted else 0
    if isinstance(event, FigureAdjusted):
        return event.win if figure in ("win", "adjusted") else 0
    if isinstance(event, SessionOpened):
        return event.opener_total if figure == "opener" else 0
    if isinstance(event, SessionClosed) and figure == "closer":
        return event.closer_total
    if isinstance(event, BuyIn) and session.all_counted:
        return {"win": -event.amount, "buy_ins": event.amount}.get(figure, 0)
    return _of_play(figure, _play(raw))


def part_in_hour(figure: str, session: SessionFold, hour: datetime, row: tuple[RawRow, Meta, Event]) -> int:
    """The same of one hour. As in hold, a counted session's count stands in the hour in which its last box was settled.

    There the buy-ins that were recorded stand against it, whatever hour they are of.
    """
    raw, meta, event = row
    amount = part_of(figure, session, event, raw)
    own = hour_of(meta.happened_at.astimezone(UTC))
    counted = own if session.counted_at is None else hour_of(session.counted_at.astimezone(UTC))
    if isinstance(event, LateReckoned):
        own = hour_of(event.counted_at.astimezone(UTC))
    elif isinstance(event, BoxSettled | BoxCorrected):
        own = counted
    elif isinstance(event, BuyIn) and session.all_counted and figure in ("win", "drop"):
        recorded = event.amount if figure == "drop" else 0
        return (recorded if own == hour else 0) - (event.amount if counted == hour else 0)
    return amount if own == hour else 0


def _play(raw: RawRow) -> Play:
    play = Play(Sums())
    for flow in flows(Batch(raw[0] - 1, [raw], FOLD_TOPICS)):
        play.add(play_of(flow))
    return play


def _of_play(figure: str, play: Play) -> int:
    sums = play.sums
    if figure == "win":
        return sums.tray_play + sums.over_short
    if figure == "drop":
        return sums.buy_ins
    if figure == "result":
        return sums.tray_play
    if figure in ("handle", "taken", "paid"):
        return int(getattr(play, figure))
    return int(getattr(sums, figure, 0))


def value_of(figure: str, play: Play, extent: Extent, made: Figures) -> int | None:
    """The figure itself, None where it cannot be known yet."""
    if figure in ("win", "drop", "over_short"):
        value: int | None = getattr(made, figure)
        return value
    if figure == "opener":
        return extent.opener
    if figure == "closer":
        return None if extent.open_sessions else extent.closer
    return _of_play(figure, play)
