"""Two proposals of one progressive may wait at once; approving the second must not open it again over its meters."""

import pytest

from domain.acts import approvals, progressives
from domain.commands import DecideApproval, ProposeProgressive
from domain.events.progressive import LevelTerms, ProgressiveOpened
from domain.refusals import Refusal
from tests.memory_house import MemoryHouse


def test_the_second_approval_is_refused() -> None:
    memory = MemoryHouse()
    proposal = ProposeProgressive(id="main", currency="EUR", levels=(LevelTerms(1, 1_000_000, 700_000),))
    asked = [memory.do(lambda work: progressives.propose(work, proposal), "ada", "admin")["approval"] for _ in range(2)]
    yes = DecideApproval(decision="approve")
    memory.do(lambda work: approvals.decide(work, asked[0], yes), "finn", "finance")
    with pytest.raises(Refusal) as refused:
        memory.do(lambda work: approvals.decide(work, asked[1], yes), "finn", "finance")
    assert refused.value.code == "already_exists"
    assert len(memory.events(ProgressiveOpened)) == 1
