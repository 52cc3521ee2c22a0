"""A sheet as a person reads it."""

import pytest

from domain.ruleset import shipped, shipped_ids
from domain.ruleset.report import not_offered, report, sections, show


@pytest.mark.parametrize("ruleset_id", shipped_ids())
def test_every_shipped_sheet_reads_with_its_clauses(ruleset_id):
    sheet = shipped(ruleset_id)
    text = show(sheet)
    assert text.startswith(f"{sheet.name} ({ruleset_id})\n")
    for section in sections(sheet):
        assert section.title in text
        assert section.clause in text
        assert section.meaning.endswith(".")
    assert "Struct(" not in text
    assert "None" not in text
    assert not any(line != line.rstrip() for line in text.splitlines())


def test_odds_chips_and_money_are_told_as_printed():
    roulette = show(shipped("roulette-ua"))
    assert "straight            35:1" in roulette
    assert "chips 1  on street 0-2-3, units 2" in roulette
    assert "corners  0-1-2-3" in roulette
    caribbean = show(shipped("caribbean-ee"))
    assert "min 0.50, max 10.00" in caribbean
    assert "1,250.00" in caribbean
    assert "bet, odds: royal flush" in caribbean


def test_what_is_not_offered_is_said():
    assert "Insurance" in not_offered(shipped("caribbean-ee"))
    assert "Not offered: blind, bonus, swap" in show(shipped("caribbean-ee"))
    assert not_offered(shipped("roulette-ua")) == ()


def test_the_worth_of_a_wheel_is_reported():
    assert report(shipped("roulette-ua")) == [
        'the house wins about 2.7% of a stake (exact) against "one unit on straight 17"'
    ]
