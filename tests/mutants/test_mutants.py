"""Each of some seventy faults in the engine is seen by the shadow payer within a few hundred rounds.

The rounds are the same every time, and so is what the shadow makes of them; only the engine is another.
"""

import json
from functools import cache
from importlib import import_module
from typing import Any

import pytest

from domain import shadow
from domain.engine.sign import limits_of
from domain.ruleset import Ruleset, shipped
from domain.settle import decode_record
from domain.shadow.compare import differences
from tests.mutants.compared import a_round
from tests.mutants.mutations import MUTATIONS, Mutation
from tests.mutants.patched import patched
from tests.mutants.sheets import CHANGES, changed

ROUNDS = 600


def the_sheet(name: str) -> Ruleset:
    return changed(name) if name in CHANGES else shipped(name)


@cache
def judged_rounds(name: str) -> tuple[tuple[bytes, dict[str, Any]], ...]:
    """Rounds of a sheet as they come in, with the shadow's settlement of each."""
    ruleset = the_sheet(name)
    lines = [json.dumps(a_round(ruleset, seed)).encode() for seed in range(ROUNDS)]
    limits = [limits_of(ruleset, decode_record(line).table) for line in lines]
    return tuple(
        (line, shadow.settle(ruleset, limit, json.loads(line))) for line, limit in zip(lines, limits, strict=True)
    )


def first_seen(mutation: Mutation) -> str | None:
    """The first disagreement between the mutant and the shadow, in the order of the mutation's sheets."""
    # All that the real program has to say is said before the other one is there.
    rounds = [(name, the_sheet(name).text, judged_rounds(name)) for name in mutation.sheets]
    with patched(mutation.module, mutation.old, mutation.new) as settle:
        load_text = import_module("domain.ruleset.loader").load_text
        for name, text, judged in rounds:
            ruleset = load_text(text, name)
            for line, expected in judged:
                answer = json.loads(settle.settle_line(line, lambda _, played=ruleset: played))
                if found := next(differences(answer, expected), None):
                    return f"{name}: {found}"
    return None


@pytest.mark.parametrize("name", sorted({name for mutation in MUTATIONS for name in mutation.sheets}))
def test_an_engine_changed_in_its_words_only_has_nothing_seen_in_it(name: str) -> None:
    assert first_seen(Mutation("", "domain.settle", "on bad input.", "on bad input!", (name,))) is None


@pytest.mark.parametrize("mutation", MUTATIONS, ids=lambda mutation: mutation.name)
def test_a_fault_is_seen(mutation: Mutation) -> None:
    assert first_seen(mutation) is not None


def test_there_are_enough_of_them_and_no_two_alike() -> None:
    assert len({(m.module, m.old, m.new) for m in MUTATIONS}) == len(MUTATIONS) >= 50
    assert len({m.name for m in MUTATIONS}) == len(MUTATIONS)
