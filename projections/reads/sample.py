"""A sample of a period's documents for internal audit, drawn so that anybody with the seed draws the same.

Sizes are those of Kansas 112-108-52: 5 openings, 5 closings, 10 fills and 3 credits over at least 3 gaming days, and
the drop of 2 days. Each kind is drawn from a list that depends on the log alone, by a generator of its own, so that a
drop counted later does not change which fills are looked at.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any, Final, LiteralString, NamedTuple

import psycopg
from msgspec import Struct

from projections.reads.snapshot import Snapshot, snapshot
from projections.reads.tree import log_head

LEAST_DAYS: Final = 3
MOST_DOCUMENTS: Final = 200_000


class Kind(NamedTuple):
    """What is drawn: so many of the events of a topic, spread over gaming days."""

    name: str
    topic: str
    size: int


KINDS: Final = (
    Kind("openings", "table.session_opened", 5),
    Kind("closings", "table.session_closed", 5),
    Kind("fills", "table.fill_received", 10),
    Kind("credits", "table.credit_sent", 3),
)
DROP_DAYS: Final = 2
MOST_DROPS: Final = 1_000


class Document(Struct):
    """An event to trace to its document."""

    position: int
    gaming_day: str
    table: str
    stream: str
    version: int


class Drawn(Struct):
    """One kind: how many were wanted, how many there are, which were drawn and over how many gaming days."""

    kind: str
    wanted: int
    population: int
    days: int
    documents: list[Document]


class Drop(Struct):
    """A drop box of a drawn day."""

    gaming_day: str
    drop: str
    table: str
    state: str
    counted: int | None
    position: int


class Sample(Struct):
    """position: the log as it was drawn from. short: where there was not enough to draw the size that is due."""

    position: int
    seed: int
    first_day: str | None
    last_day: str | None
    drawn: list[Drawn]
    drop_days: list[str]
    drops: list[Drop]
    short: list[str]


def sample(
    conn: psycopg.Connection[Any],
    seed: int,
    *,
    first_day: str | None = None,
    last_day: str | None = None,
    at: int | None = None,
) -> Sample:
    """Draw from these gaming days, from the log up to a position (None: its head)."""
    with snapshot(conn) as look:
        head = log_head(look)
        upto = head if at is None else min(at, head)
        drawn = [_drawn(look, seed, kind, upto, (first_day, last_day)) for kind in KINDS]
        days, drops = _drops(look, seed, upto, (first_day, last_day))
    short = [f"{one.kind}: {len(one.documents)} of {one.wanted}" for one in drawn if len(one.documents) < one.wanted]
    over = {document.gaming_day for one in drawn for document in one.documents}
    if len(over) < LEAST_DAYS:
        short.append(f"gaming days: {len(over)} of {LEAST_DAYS}")
    if len(days) < DROP_DAYS:
        short.append(f"days of drop: {len(days)} of {DROP_DAYS}")
    return Sample(upto, seed, first_day, last_day, drawn, days, drops, short)


# Sessions are few beside rounds, and their streams are in a view: what is drawn from is found by their primary keys.
_DOCUMENTS: LiteralString = """
SELECT e.notification_id, s.gaming_day, s.table_name, e.originator_id, e.originator_version
FROM views.table_hold_sessions s JOIN public.pitclerk_events e ON e.originator_id = s.stream
WHERE e.topic = %s AND e.notification_id <= %s
  AND (%s::text IS NULL OR s.gaming_day >= %s) AND (%s::text IS NULL OR s.gaming_day <= %s)
ORDER BY e.notification_id LIMIT %s"""

_DROPS: LiteralString = """
SELECT gaming_day, drop_id, table_name, state, counted, position FROM views.drop_boxes
WHERE position <= %s AND (%s::text IS NULL OR gaming_day >= %s) AND (%s::text IS NULL OR gaming_day <= %s)
ORDER BY gaming_day, drop_id LIMIT %s"""


def _drawn(look: Snapshot, seed: int, kind: Kind, upto: int, days: tuple[str | None, str | None]) -> Drawn:
    first, last = days
    rows = look.rows(_DOCUMENTS, (kind.topic, upto, first, first, last, last, MOST_DOCUMENTS))
    found = [Document(*row) for row in rows]
    chosen = spread(random.Random(f"{seed}/{kind.name}"), found, kind.size)  # noqa: S311 - to be drawn again, not secret
    over = len({document.gaming_day for document in chosen})
    return Drawn(kind.name, kind.size, len(found), over, chosen)


def spread(dice: random.Random, found: Sequence[Document], size: int) -> list[Document]:
    """So many of them, a day at a time in a drawn order: three or more lie on three days, where there are three."""
    by_day: dict[str, list[Document]] = {}
    for document in found:
        by_day.setdefault(document.gaming_day, []).append(document)
    heaps = [dice.sample(heap, len(heap)) for _, heap in sorted(by_day.items())]
    dice.shuffle(heaps)
    chosen: list[Document] = []
    while len(chosen) < size and any(heaps):
        for heap in heaps:
            if heap and len(chosen) < size:
                chosen.append(heap.pop())
    return sorted(chosen, key=lambda document: document.position)


def _drops(look: Snapshot, seed: int, upto: int, days: tuple[str | None, str | None]) -> tuple[list[str], list[Drop]]:
    first, last = days
    found = [Drop(*row) for row in look.rows(_DROPS, (upto, first, first, last, last, MOST_DOCUMENTS))]
    all_days = sorted({drop.gaming_day for drop in found})
    dice = random.Random(f"{seed}/drop")  # noqa: S311 - to be drawn again, not secret
    chosen = sorted(dice.sample(all_days, min(DROP_DAYS, len(all_days))))
    return chosen, [drop for drop in found if drop.gaming_day in chosen][:MOST_DROPS]
