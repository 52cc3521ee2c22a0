"""A record settled by the engine, through its public door, and by the shadow payer."""

import json
from random import Random
from typing import Any

from domain import shadow
from domain.engine.sign import limits_of
from domain.ruleset import Ruleset
from domain.settle import decode_record, settle_line
from tests.mutants.legal import legal_round
from tests.mutants.spins import legal_spin

Document = dict[str, Any]


def a_round(ruleset: Ruleset, seed: int) -> Document:
    """A legal round of any sheet."""
    deal = legal_spin if ruleset.engine == "roulette" else legal_round
    return deal(ruleset, Random(seed))


def settled(ruleset: Ruleset, record: Document) -> Document:
    """The engine's answer: a settlement or an error object."""
    answer: Document = json.loads(settle_line(json.dumps(record).encode(), lambda _: ruleset))
    return answer


def judged(ruleset: Ruleset, record: Document, answer: Document) -> list[str]:
    """What the shadow payer has against an answer; a refusal of a legal round is against it as well."""
    if "error" in answer:
        return [f"refused: {answer['error']}"]
    limits = limits_of(ruleset, decode_record(json.dumps(record).encode()).table)
    return [str(one) for one in shadow.disagreements(ruleset, limits, record, answer)]


def against(ruleset: Ruleset, record: Document) -> list[str]:
    """Where engine and shadow payer disagree about a legal round."""
    return judged(ruleset, record, settled(ruleset, record))
