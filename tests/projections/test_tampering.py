"""A campaign of tamperings: more than a thousand random ones in memory, some on a real server as its master.

Every one is found. A change that left the chain as it was is found at its position, as `verify` promises; one by an
attacker who computed the chain anew, too, by the stored tree; and where he made that anew as well, between two signed
checkpoints.
"""

from __future__ import annotations

import os
import random
from collections import Counter
from dataclasses import replace

import pytest

from domain.chain import micros
from projections.verify_seals import BEYOND, BROKEN, HOLDS, UNSIGNED
from tests.projections import tampering
from tests.projections.logs import night
from tests.projections.tampering import (
    CHANGES,
    Attacker,
    Change,
    Evidence,
    Row,
    Tampering,
    bounds,
    recorded,
    relink,
    verdict,
)

EVERY = 150
"""Rows between two checkpoints."""

TIMES = int(os.environ.get("PITCLERK_TAMPERINGS", "300"))
"""Tamperings by each of the four attackers; more of them for whoever has the time."""


@pytest.fixture(scope="module")
def log() -> Evidence:
    """A night of some thousand events, with gaps between the positions."""
    dice = random.Random(5)
    rows: list[Row] = []
    position = 0
    for stream, version, topic, state, at in night(5, 3, 70).rows:
        position += 1 if dice.random() < 0.95 else dice.randint(2, 9)
        rows.append((position, stream, version, topic, state, tampering.stored_time(micros(at))))
    assert len(rows) > 1500
    return recorded(rows, EVERY)


def test_the_untouched_log_is_good(log: Evidence) -> None:
    found = verdict(log)
    assert (found.ok, found.first_bad, found.events) == (True, None, len(log.rows))
    assert (found.seals.held, found.seals.checkpoints) == (len(log.kept), len(log.kept))
    assert [one.state for one in found.seals.judged] == [HOLDS]


@pytest.mark.parametrize("attacker", [tampering.plain, tampering.tidy, tampering.clever])
def test_every_change_is_found_at_its_position(log: Evidence, attacker: Attacker) -> None:
    dice = random.Random(f"{attacker.__name__} 1")
    seen: Counter[str] = Counter()
    for _ in range(TIMES):
        done = dice.choice(CHANGES)(dice, log)
        if attacker is tampering.clever and added(log, done):
            continue
        found = verdict(attacker(dice, log, done))
        seen[done.what] += 1
        assert not found.ok, done.what
        assert found.first_bad is not None, done.what
        assert done.first <= found.first_bad <= done.last, done.what
        assert found.last_bad == found.first_bad, f"{done.what}: told exactly"
    assert len(seen) >= 12, "every kind of change has been tried"


def test_who_makes_the_stored_tree_anew_too_is_found_between_two_checkpoints(log: Evidence) -> None:
    dice = random.Random(2)
    for _ in range(TIMES):
        done = dice.choice(CHANGES)(dice, log)
        if added(log, done):
            continue
        found = verdict(tampering.cleverer(dice, log, done))
        after, upto = bounds(log, done)
        assert not found.ok, done.what
        assert found.first_bad is not None, done.what
        assert found.last_bad is not None, done.what
        if unreadable(done):
            assert (found.first_bad, found.last_bad) == (done.first, done.first)
        else:  # rows that moved up are counted in: the one that stands last in the broken tree now
            last = min((one.size for one in log.kept if (one.position or 0) >= done.first), default=len(log.rows))
            stands = max((row[0] for row in done.rows[:last]), default=0)
            assert (found.first_bad, found.last_bad) == (after, max(upto, stands)), done.what
        assert sum(one.state in (BROKEN, BEYOND) for one in found.seals.judged) > 0


def added(log: Evidence, done: Tampering) -> bool:
    """A row after the last checkpoint, chained as it should be: nobody has signed anything about what comes there."""
    return done.first > log.rows[-1][0]


def unreadable(done: Tampering) -> bool:
    """A row that cannot even be hashed tells its place, whatever was computed anew."""
    return done.what in ("null", "no time")


def test_who_puts_checkpoints_of_his_own_in_place_has_no_signature(log: Evidence) -> None:
    dice = random.Random(3)
    for _ in range(60):
        done = dice.choice(CHANGES)(dice, log)
        found = verdict(tampering.forger(dice, log, done))
        assert not found.ok, done.what
        assert {one.state for one in found.seals.judged} == {UNSIGNED}
        outside = verdict(replace(tampering.forger(dice, log, done), kept=log.kept))
        after, upto = bounds(log, done)
        if not added(log, done):
            assert outside.first_bad is not None, "a copy of the checkpoints from elsewhere locates it"
            assert after <= outside.first_bad <= upto


def test_a_changed_chain_is_found_and_the_checkpoints_still_hold(log: Evidence) -> None:
    dice = random.Random(4)
    for _ in range(60):
        done = relink(dice, log)
        found = verdict(replace(log, links=done.links))
        assert (found.ok, found.first_bad) == (False, done.first)
        assert found.seals.ok


@pytest.mark.parametrize("change", CHANGES[2:])
def test_two_changes_are_found_at_the_lower(log: Evidence, change: Change) -> None:
    """A decoy: the first change by somebody who computed the chain anew, a second one left for all to see."""
    dice = random.Random(change.__name__)
    for _ in range(15):
        hidden = tampering.alter(dice, replace(log, rows=log.rows[:400]))
        rows = [*hidden.rows, *log.rows[400:]]
        links = tampering.chained(rows)
        decoy = tampering.alter(dice, replace(log, rows=rows[900:]))
        found = verdict(replace(log, rows=[*rows[:900], *decoy.rows], links=links))
        assert (found.ok, found.first_bad) == (False, hidden.first)


def test_a_changed_tree_is_not_taken_for_a_changed_log(log: Evidence) -> None:
    at = len(log.sealed) // 2
    position, leaf = log.sealed[at]
    wrong = [*log.sealed[:at], (position, leaf[::-1]), *log.sealed[at + 1 :]]
    found = verdict(replace(log, sealed=wrong))
    assert (found.ok, found.first_bad, found.seals.tree) == (False, None, False)
    assert found.seals.held == len(log.kept)


def test_a_changed_checkpoint_does_not_hold(log: Evidence) -> None:
    kept = [one._replace(root=one.root[::-1]) if n == 3 else one for n, one in enumerate(log.kept)]
    found = verdict(replace(log, kept=kept))
    assert (found.ok, found.first_bad) == (False, None), "rows, chain and all other checkpoints agree"
    assert [one.state for one in found.seals.judged] == [HOLDS, BROKEN]


def test_a_tree_that_is_behind_says_nothing_of_the_rest(log: Evidence) -> None:
    found = verdict(replace(log, sealed=log.sealed[:500]))
    assert (found.ok, found.first_bad) == (True, None)
