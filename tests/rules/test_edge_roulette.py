"""What the house earns on a wheel, exactly."""

import pytest

from domain.edge import edge
from domain.ruleset import load_text, shipped

SHEET = shipped("roulette-ua")
EVEN = ("low", "high", "odd", "even", "red", "black")


def test_the_figures_of_a_single_zero_wheel():
    document = edge(SHEET)
    assert document["ruleset"] == "roulette-ua"
    assert document["house_edge_per_ante"] == round(1 / 37, 6)
    assert document["sd_per_ante"] == 5.837838
    assert set(document["stakes"]) == set(SHEET.play.kinds())
    for kind, stake in document["stakes"].items():
        assert stake == {"edge": round(1 / (74 if kind in EVEN else 37), 6), "method": "exact", "standard_error": 0.0}


def test_a_bet_may_be_named():
    document = edge(SHEET, "red")
    assert document["strategy"] == "one unit on red"
    assert document["house_edge_per_ante"] == round(1 / 74, 6)
    assert edge(SHEET, "voisins")["house_edge_per_ante"] == round(1 / 37, 6)


def test_the_figures_follow_the_sheet():
    taken = load_text(SHEET.text.replace('even_chance = "halved"', 'even_chance = "taken"'))
    assert edge(taken)["stakes"]["red"]["edge"] == round(1 / 37, 6)
    generous = load_text(SHEET.text.replace('straight = "35:1"', 'straight = "36:1"'))
    assert edge(generous)["house_edge_per_ante"] == 0


def test_what_is_no_bet_has_no_figure():
    for on in ("green", "split 1-36"):
        with pytest.raises(ValueError, match="bet"):
            edge(SHEET, on)
