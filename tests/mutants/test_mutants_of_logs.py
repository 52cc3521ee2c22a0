"""Faults of the engine in what a round record cannot say: a stop, a shared meter, the meters above the first."""

from __future__ import annotations

import pytest

from tests.mutants.mutations import Mutation
from tests.mutants.patched import patched
from tests.mutants.played import SCENES, judge, play

_AWARD, _PORT = "domain.progressive.award", "domain.progressive.port"
_OUTCOME, _FOLD = "domain.engine.boxes.outcome", "domain.engine.boxes.fold"

STOPPED = ("stopped after two bets", "stopped after a swap")
SPIN = ("stopped before the number",)
SHARED = ("three share", "two share beside a tenth")
LEVELS = ("every level", "a tenth and then the whole")

MUTATIONS = (
    Mutation(
        "a stop takes the bet",
        _OUTCOME,
        "Line(kind, amount, True, why) for",
        'Line(kind, amount, kind != "bet", why) for',
        STOPPED,
    ),
    Mutation(
        "a stop takes the price of a swap",
        _OUTCOME,
        "Line(kind, amount, True, why) for",
        'Line(kind, amount, kind != "swap", why) for',
        STOPPED,
    ),
    Mutation(
        "a stop takes the jackpot stake",
        _OUTCOME,
        "for kind, amount in box.stakes()]",
        'for kind, amount in box.stakes() if kind != "jackpot"]',
        STOPPED,
    ),
    Mutation(
        "a stop pays the ante",
        _OUTCOME,
        "    if pay is not None:\n        lines[0]",
        "    if rnd.stopped:\n        lines[0] = lines[0]._replace(due=box.ante, paid=box.ante, pay=why)\n"
        "    if pay is not None:\n        lines[0]",
        STOPPED,
    ),
    Mutation(
        "a stopped spin is a zero",
        "domain.engine.roulette.play",
        "    if spin.called is not None:\n"
        "        after += outcomes.called(book, spin.sign, round_id, standing, spin.called)",
        "    if not spin.no_spin:\n"
        "        after += outcomes.called(book, spin.sign, round_id, standing, spin.called or 0)",
        SPIN,
    ),
    Mutation(
        "one part too many",
        _PORT,
        "equal_parts(meters.levels[prize.level], of))",
        "equal_parts(meters.levels[prize.level], of + 1))",
        SHARED,
    ),
    Mutation(
        "each a part of what is left",
        _PORT,
        "part = parts.setdefault(prize.level, equal_parts(meters.levels[prize.level], of))",
        "part = equal_parts(meters.levels[prize.level], of)",
        SHARED,
    ),
    Mutation(
        "a tenth shares the whole",
        _PORT,
        "for prize in prizes if prize.share_ppm == MICRO)",
        "for prize in prizes if prize.share_ppm)",
        SHARED,
    ),
    Mutation("those who share do not", _PORT, 'meters.same_deal == "shared"', 'meters.same_deal != "shared"', SHARED),
    Mutation(
        "those who come in order share",
        _PORT,
        'meters.same_deal == "shared"',
        'meters.same_deal != "shared"',
        ("one after the other",),
    ),
    Mutation("the seed after the first", _AWARD, "if winner == winners and", "if winner == 1 and", SHARED),
    Mutation(
        "parts of all levels",
        _AWARD,
        "level.display_u // (winners * MICRO)",
        "-(-level.display_u // (winners * MICRO))",
        SHARED,
    ),
    Mutation(
        "every share resets",
        _AWARD,
        "if winner == winners and prize.share_ppm == MICRO else",
        "if winner == winners else",
        LEVELS,
    ),
    Mutation(
        "no seed at all", _AWARD, "if winner == winners and prize.share_ppm == MICRO else", "if False else", LEVELS
    ),
    Mutation("a seed too small", _AWARD, "level.terms.seed * MICRO if", "(level.terms.seed - 1) * MICRO if", LEVELS),
    Mutation(
        "shares of the first level",
        _AWARD,
        "    level = meters.levels[prize.level]\n    if prize.share_ppm",
        "    level = meters.levels[1]\n    if prize.share_ppm",
        LEVELS,
    ),
    Mutation(
        "shares rounded up",
        _AWARD,
        "level.display_u * prize.share_ppm // (MICRO * MICRO)",
        "-(-level.display_u * prize.share_ppm // (MICRO * MICRO))",
        LEVELS,
    ),
    Mutation("every prize of level one", _OUTCOME, "prize.sum, prize.level)", "prize.sum, 1)", LEVELS),
    Mutation(
        "a share leaves the meter whole",
        _AWARD,
        "left_u = before_u - charged_u",
        "left_u = before_u if pending and prize.level == 2 else before_u - charged_u",
        LEVELS,
    ),
    Mutation(
        "sums are the house's",
        _AWARD,
        'meters.fixed_prizes_from == "meter"',
        'meters.fixed_prizes_from != "meter"',
        ("sums off the meter",),
    ),
)


def seen_in(mutation: Mutation) -> list[str]:
    with patched(mutation.module, mutation.old, mutation.new):
        told = {name: play(SCENES[name]) for name in mutation.sheets}
    return [f"{name}: {one}" for name, events in told.items() for one in judge(SCENES[name], events)]


@pytest.mark.parametrize("name", SCENES)
def test_the_true_engine_has_nothing_seen_in_it(name: str) -> None:
    told = play(SCENES[name])
    assert told[-1][0] == "table.round_closed"
    assert judge(SCENES[name], told) == []


@pytest.mark.parametrize("mutation", MUTATIONS, ids=lambda mutation: mutation.name)
def test_a_fault_is_seen(mutation: Mutation) -> None:
    assert seen_in(mutation) != []


def test_a_mutant_in_words_only_has_nothing_seen_in_it() -> None:
    assert seen_in(Mutation("", _AWARD, "What a hit takes from its meter", "What hits take", tuple(SCENES))) == []
