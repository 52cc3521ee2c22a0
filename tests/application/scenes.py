"""Beginnings on a real log: a house, a progressive, a table; and requests of one person."""

from functools import partial
from typing import Any

import msgspec

from domain.acts import progressives, rounds, rulesets, tables
from domain.application import Act, Application
from domain.commands import DecideApproval, OpenTable, ProposeProgressive, PublishRuleset
from domain.events.base import Chips
from domain.request import Request
from domain.ruleset import shipped
from tests.given.scenes import record

SHEET = "caribbean-ee-ak"
DEALER = "Ah Kc 8c 7s 3h"
ROYAL = "As Ks Qs Js Ts"
THREE = "9s 9d 9c Jd 4c"


def do(app: Application, act: Act, actor: str = "sue", **more: Any) -> dict[str, Any]:
    """Handle one act; the answer's body."""
    answer = app.handle(Request(identity=f"id-{actor}", actor=actor, role="any", **more), act)
    body: dict[str, Any] = msgspec.json.decode(answer.body)
    return body


def begin(app: Application, tables_open: int = 1, *, seed: int = 1_000_000, same_deal: str = "box_order") -> None:
    """Publish the sheet, run progressive `main` at 70 % increment and 5 % reserve, open tables C1, C2, ..."""
    text = PublishRuleset(text=shipped(SHEET).text)
    do(app, lambda w: rulesets.publish(w, text), "ada")
    level = {"level": 1, "seed": seed, "increment_ppm": 700_000, "reserve_ppm": 50_000}
    proposal = msgspec.convert(
        {"id": "main", "currency": "EUR", "levels": [level], "same_deal": same_deal}, ProposeProgressive
    )
    asked = do(app, lambda w: progressives.propose(w, proposal), "ada")
    do(app, lambda w: progressives.decide(w, asked["approval"], DecideApproval(decision="approve")), "finn")
    for number in range(1, tables_open + 1):
        open_table(app, f"C{number}")


def open_table(app: Application, table: str) -> dict[str, Any]:
    """A table linked to `main`."""
    terms = OpenTable(
        ruleset=SHEET,
        currency="EUR",
        chip=50,
        min=50,
        max=10_000,
        progressive="main",
        gaming_day="2026-03-14",
        opener=(Chips(100, 10_000),),
    )
    return do(app, partial(tables.open_table, table=table, command=terms))


def hand(cards: str, *, jackpot: int = 50, ante: int = 100) -> Any:
    """A finished round of one box that bets, with a jackpot stake."""
    box = {"box": 1, "ante": ante, "jackpot": jackpot, "cards": cards, "play": [{"do": "bet"}]}
    return record(ruleset=SHEET, boxes=[box], dealer={"cards": DEALER})


def play(app: Application, table: str, cards: str, actor: str = "term", **more: Any) -> dict[str, Any]:
    """Record one such round."""
    finished = hand(cards)
    return do(app, lambda w: rounds.play_record(w, table, finished), actor, **more)
