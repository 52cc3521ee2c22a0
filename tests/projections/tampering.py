"""A log in memory with all that is kept of it, attackers who change it, and what must be found of each change.

Rows are tuples as `verify` reads them. The attackers know more and more: one changes rows; one computes the chain anew;
one the stored tree as well; and one the kept checkpoints too, whose signatures he cannot make.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field, replace

from domain import chain
from domain.merkle import CompactRange
from domain.note import Checkpoint, Note, Signature
from projections.reads.checkpoints import Kept
from projections.verify import POSTGRES_EPOCH, leaf_of, walk
from projections.verify_seals import SealWatch, Verdict, together

Row = tuple[int, str, int, str, bytes, bytes]
Link = tuple[int, bytes, bytes]

OURS = (Signature("pitclerk/house", b"\0" * 4, b"ours"),)
FORGED = (Signature("pitclerk/house", b"\0" * 4, b"not ours"),)


@dataclass(frozen=True)
class Evidence:
    """The log's rows, the chain, the stored tree's leaves, and the checkpoints that were kept."""

    rows: list[Row]
    links: list[Link]
    sealed: list[tuple[int, bytes]]
    kept: list[Kept]


@dataclass(frozen=True)
class Tampering:
    """What was done. first, last: between these the verdict's first_bad must lie."""

    what: str
    rows: list[Row]
    links: list[Link]
    first: int
    last: int
    touched: set[int] = field(default_factory=set)  # chain rows that the change itself concerns


def verdict(evidence: Evidence) -> Verdict:
    """The same functions that look at the database."""
    watch = SealWatch(evidence.kept, evidence.sealed, lambda note: note.signatures == OURS)
    return together(walk(iter(evidence.rows), iter(evidence.links), watch), watch.result())


def recorded(rows: list[Row], every: int) -> Evidence:
    """What honest programs keep of these rows, with a checkpoint every so many and one at the head."""
    sizes = {*range(every, len(rows), every), len(rows)}
    return Evidence(rows, chained(rows), sealed(rows), signed(rows, sizes, OURS))


def chained(rows: list[Row]) -> list[Link]:
    links: list[Link] = []
    before = chain.GENESIS
    for row in rows:
        leaf = leaf_of(row)
        before = chain.link(before, leaf)
        links.append((row[0], leaf, before))
    return links


def sealed(rows: list[Row]) -> list[tuple[int, bytes]]:
    return [(row[0], leaf_of(row)) for row in rows]


def signed(rows: list[Row], sizes: set[int], by: tuple[Signature, ...]) -> list[Kept]:
    kept: list[Kept] = []
    tree = CompactRange()
    for row in rows:
        tree.append(leaf_of(row))
        if tree.size in sizes:
            text = Checkpoint("pitclerk/house", tree.size, tree.root()).text
            kept.append(Kept(tree.size, row[0], tree.root(), Note(text, by), "log"))
    return kept


# Changes. Each gives what the rows and the chain are after it and where it must be found.

Change = Callable[[random.Random, Evidence], Tampering]


def alter(dice: random.Random, log: Evidence) -> Tampering:
    """One column of one row."""
    at = dice.randrange(len(log.rows))
    position, stream, version, topic, state, recorded_at = row = log.rows[at]
    changed: dict[str, Row] = {
        "stream": (position, stream + "x", version, topic, state, recorded_at),
        "version": (position, stream, version + dice.choice((-1, 1, 1000)), topic, state, recorded_at),
        "topic": (position, stream, version, topic[:-1], state, recorded_at),
        "state": (position, stream, version, topic, _flipped(dice, state), recorded_at),
        "longer state": (position, stream, version, topic, state + b" ", recorded_at),
        "time": (position, stream, version, topic, state, _later(recorded_at, dice.choice((-1, 1, 10**9)))),
        "no time": (position, stream, version, topic, state, (2**63 - 1).to_bytes(8, "big")),
        "stream into topic": (position, stream[:-1], version, stream[-1] + topic, state, recorded_at),
        "null": (position, stream, version, None, state, recorded_at),  # type: ignore[dict-item]
    }
    what = dice.choice(sorted(changed))
    assert changed[what] != row
    rows = [*log.rows[:at], changed[what], *log.rows[at + 1 :]]
    return Tampering(what, rows, log.links, position, position, {position})


def delete(dice: random.Random, log: Evidence) -> Tampering:
    """A row, or some neighbours."""
    at = dice.randrange(len(log.rows) - 6)
    count = dice.choice((1, 1, 2, 5))
    gone = {row[0] for row in log.rows[at : at + count]}
    rows = [*log.rows[:at], *log.rows[at + count :]]
    return Tampering("delete", rows, log.links, log.rows[at][0], rows[at][0], gone)


def insert(dice: random.Random, log: Evidence) -> Tampering:
    """A row of somebody's own into a gap, or at the end."""
    gaps = [(at, row[0] + 1) for at, row in enumerate(log.rows[:-1]) if log.rows[at + 1][0] > row[0] + 1]
    at, position = dice.choice([*gaps, (len(log.rows) - 1, log.rows[-1][0] + 1)])
    row = (position, "table/T99", 1, "table.buy_in", b'{"v":1}', log.rows[at][5])
    return Tampering(
        "insert", [*log.rows[: at + 1], row, *log.rows[at + 1 :]], log.links, position, position, {position}
    )


def swap(dice: random.Random, log: Evidence) -> Tampering:
    """Two rows change places."""
    low, high = sorted(dice.sample(range(len(log.rows)), 2))
    rows = list(log.rows)
    rows[low] = (log.rows[low][0], *log.rows[high][1:])
    rows[high] = (log.rows[high][0], *log.rows[low][1:])
    position = log.rows[low][0]
    return Tampering("swap", rows, log.links, position, position, {position, log.rows[high][0]})


def truncate(dice: random.Random, log: Evidence) -> Tampering:
    """The end is cut off; the chain's with it in half of the cases."""
    at = dice.randrange(len(log.rows) - 200, len(log.rows))
    position = log.rows[at][0]
    gone = {row[0] for row in log.rows[at:]}
    return Tampering("truncate", log.rows[:at], log.links, position, position, gone)


def move(dice: random.Random, log: Evidence) -> Tampering:
    """A row gets another position: a later one, in a gap or beyond the end."""
    at = dice.randrange(len(log.rows) - 1)
    row = (log.rows[-1][0] + dice.randint(1, 50), *log.rows[at][1:])
    rows = [*log.rows[:at], *log.rows[at + 1 :], row]
    return Tampering("move", rows, log.links, log.rows[at][0], rows[at][0], {log.rows[at][0], row[0]})


def relink(dice: random.Random, log: Evidence) -> Tampering:
    """Only the chain is changed: a leaf, a link, or a row of it is gone."""
    at = dice.randrange(len(log.links))
    position, leaf, link = log.links[at]
    changed: list[list[Link]] = [[(position, _flipped(dice, leaf), link)], [(position, leaf, _flipped(dice, link))], []]
    links = [*log.links[:at], *dice.choice(changed), *log.links[at + 1 :]]
    return Tampering("relink", log.rows, links, position, position)


CHANGES: tuple[Change, ...] = (alter, alter, alter, delete, insert, swap, truncate, move)


# Attackers. Each makes of a change what is then found in the database.


def plain(_: random.Random, log: Evidence, done: Tampering) -> Evidence:
    """Leaves everything else as it is."""
    return replace(log, rows=done.rows, links=done.links)


def tidy(_: random.Random, log: Evidence, done: Tampering) -> Evidence:
    """Takes the chain rows of what he touched away, so that they do not tell."""
    here = {row[0] for row in done.rows}
    return replace(
        log, rows=done.rows, links=[one for one in done.links if one[0] in here or one[0] not in done.touched]
    )


def clever(_: random.Random, log: Evidence, done: Tampering) -> Evidence:
    """Computes the whole chain anew."""
    return replace(log, rows=done.rows, links=chained(done.rows))


def cleverer(_: random.Random, log: Evidence, done: Tampering) -> Evidence:
    """And the stored tree."""
    return replace(log, rows=done.rows, links=chained(done.rows), sealed=sealed(done.rows))


def forger(_: random.Random, log: Evidence, done: Tampering) -> Evidence:
    """And puts other checkpoints in the place of those kept in the database; he has no key."""
    sizes = {one.size for one in log.kept}
    return Evidence(done.rows, chained(done.rows), sealed(done.rows), signed(done.rows, sizes, FORGED))


Attacker = Callable[[random.Random, Evidence, Tampering], Evidence]


def bounds(log: Evidence, done: Tampering) -> tuple[int, int]:
    """The two kept checkpoints between which a change lies: after the first, up to the second."""
    after = max((one.position or 0 for one in log.kept if (one.position or 0) < done.first), default=0)
    upto = min((one.position or 0 for one in log.kept if (one.position or 0) >= done.first), default=done.last)
    return after + 1, max(upto, done.last)


def _flipped(dice: random.Random, data: bytes) -> bytes:
    at = dice.randrange(len(data))
    return data[:at] + bytes([data[at] ^ (1 << dice.randrange(8))]) + data[at + 1 :]


def _later(at: bytes, micros: int) -> bytes:
    return (int.from_bytes(at, "big", signed=True) + micros).to_bytes(8, "big", signed=True)


def stored_time(micros: int) -> bytes:
    """A time as `timestamptz_send` gives it, from microseconds since 1970."""
    return (micros - POSTGRES_EPOCH).to_bytes(8, "big", signed=True)
