"""What became of a hit: who showed it, who vouched for it, how it was paid, what paper there is, what it calls for."""

from __future__ import annotations

from datetime import datetime
from typing import LiteralString

import msgspec
from msgspec import Struct

from domain.codec import decode
from domain.events.rules import Rules
from domain.money_rules import Flag, flag, in_force
from projections.reads.jackpot_hits import HitView, StepView
from projections.reads.prints import PrintView, prints_at
from projections.reads.snapshot import Snapshot, utc

MOST_SHOWN = 1_000
"""Displays told of one hit, the first that showed it."""


class ShownView(Struct):
    """A display that has shown the winning value, since when (UTC), and how long after the hit that was."""

    display: str
    shown_at: datetime
    seconds: float
    position: int


class Payment(Struct):
    """The payment's slip: its number within the gaming day, and what the player was given."""

    slip: str
    number: int
    instrument: str
    actor: str
    at: datetime
    position: int


class Afterwards(Struct):
    """supervisor: who verified the hand in that duty and did not deal or pay. table_supervisor: who opened the table.

    payer: who paid. deck_check: how the deck check came out last, null before it. dispute: `none`, `open` or `settled`.
    flags: tax form and due diligence, by the money rules of the gaming day as adopted when the hit was recorded, each
    with the threshold that decided. prints: of the jackpot slip; slip_prints: of the payment's own.
    """

    supervisor: str | None
    table_supervisor: str | None
    payer: str | None
    deck_check: str | None
    dispute: str
    flags: list[Flag]
    shown: list[ShownView]
    payment: Payment | None
    prints: list[PrintView]
    slip_prints: list[PrintView]


def afterwards(look: Snapshot, hit: HitView, stake: int, stream: str | None) -> Afterwards:
    """Gather it, in a look that is open. stake: minor units; stream: the table's session."""
    payment = _payment(look, hit.hit)
    results = [step.result for step in hit.steps if step.step == "deck_checked"]
    return Afterwards(
        supervisor=_supervisor(hit),
        table_supervisor=_opened_by(look, stream),
        payer=hit.paid_actor,
        deck_check=results[-1] if results else None,
        dispute=_dispute(hit.steps),
        flags=_flags(look, hit, stake),
        shown=_shown(look, hit),
        payment=payment,
        prints=prints_at(look, "jackpot", hit.hit),
        slip_prints=[] if payment is None else prints_at(look, "hand_pay", payment.slip),
    )


def _supervisor(hit: HitView) -> str | None:
    others = (hit.actor, hit.paid_actor)
    verified = (s for s in hit.steps if s.step == "hand_verified" and s.role == "supervisor" and s.actor not in others)
    return next((step.actor for step in verified), None)


_OPENING = "SELECT topic, state FROM public.pitclerk_events WHERE originator_id = %s AND originator_version = 1"


def _opened_by(look: Snapshot, stream: str | None) -> str | None:
    return next((decode(topic, bytes(state))[0].actor for topic, state in look.rows(_OPENING, (stream,))), None)


def _dispute(steps: list[StepView]) -> str:
    last = next((step.step for step in reversed(steps) if step.step in ("disputed", "dispute_settled")), None)
    return {"disputed": "open", "dispute_settled": "settled"}.get(last or "", "none")


_ADOPTED = "SELECT rules FROM views.money_rules WHERE position < %s ORDER BY position"


def _flags(look: Snapshot, hit: HitView, stake: int) -> list[Flag]:
    adopted = [msgspec.json.decode(text, type=Rules) for (text,) in look.rows(_ADOPTED, (hit.position,))]
    rules = in_force(adopted, hit.gaming_day or hit.at.date().isoformat())
    return [
        flag(rules, "jackpot_tax_form", hit.award, stake, hit.currency),
        flag(rules, "jackpot_aml", hit.award, stake, hit.currency),
    ]


_SHOWN: LiteralString = """
SELECT display, shown_at, position FROM views.jackpot_shown WHERE hit = %s ORDER BY shown_at, display LIMIT %s"""


def _shown(look: Snapshot, hit: HitView) -> list[ShownView]:
    rows = look.rows(_SHOWN, (hit.hit, MOST_SHOWN))
    return [ShownView(name, utc(at) or at, round((at - hit.at).total_seconds(), 3), where) for name, at, where in rows]


_PAYMENT = "SELECT slip, number, instrument, actor, issued_at, position FROM views.hand_pay_slips WHERE hit = %s"


def _payment(look: Snapshot, hit: str) -> Payment | None:
    for slip, number, instrument, actor, at, position in look.rows(_PAYMENT, (hit,)):
        return Payment(slip, number, instrument, actor, utc(at) or at, position)
    return None
