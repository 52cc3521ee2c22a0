"""What the house earns on boxes: simulated, repeatable, and right where the true figure is known."""

import pytest

from domain.cards import read
from domain.edge import edge, remarks
from domain.edge.strategies import ALWAYS, ANY_PAIR, BASIC_HOLDEM, BASIC_STUD, BY_ENGINE, DRAWING_STUD, Seen, named
from domain.ruleset import shipped

ROUNDS = 8_000


def seen(hand, upcard="2c", board=""):
    return Seen(tuple(read(hand)), read(upcard)[0], tuple(read(board)) if board else ())


def card(name):
    return read(name)[0]


def test_the_estonian_qualifier_loses_and_its_correction_does_not():
    loses = edge(shipped("caribbean-ee"), ANY_PAIR.words, rounds=ROUNDS)
    assert loses["house_edge_per_ante"] == pytest.approx(-0.28, abs=0.03)
    wins = edge(shipped("caribbean-ee-ak"), ANY_PAIR.words, rounds=ROUNDS)
    assert wins["house_edge_per_ante"] > 0


def test_the_loss_is_said_aloud():
    said = remarks(shipped("caribbean-ee"), rounds=2_000)
    assert any(line.startswith("THE HOUSE LOSES") and ANY_PAIR.words in line for line in said)
    assert not any("LOSES about" in line for line in remarks(shipped("caribbean-ee-ak"), rounds=4_000))


def test_a_seed_gives_the_same_figures():
    sheet = shipped("caribbean-gr")
    assert edge(sheet, rounds=300, seed=5) == edge(sheet, rounds=300, seed=5)
    assert edge(sheet, rounds=300, seed=5) != edge(sheet, rounds=300, seed=6)


def test_time_may_be_given_instead_of_rounds():
    assert edge(shipped("caribbean-gr"), seconds=0.05)["stakes"]["ante"]["method"] == "simulation"
    for wrong in ({"rounds": 0}, {"seconds": 0}):
        with pytest.raises(ValueError, match="at least one round"):
            edge(shipped("caribbean-gr"), **wrong)


def test_side_stakes_are_exact():
    jackpot = edge(shipped("caribbean-ee-ak"), rounds=10)["stakes"]["jackpot"]
    # Per 2,598,960 hands, in stakes of 0.50: 36 x 1,250, 624 x 250, 3,744 x 25, 5,108 x 15, 10,200 x 3, 54,912 x 2.
    won = 36 * 1250 + 624 * 250 + 3744 * 25 + 5108 * 15 + 10200 * 3 + 54912 * 2
    assert jackpot == {"edge": round(1 - won / (0.5 * 2_598_960), 6), "method": "exact", "standard_error": 0.0}
    bonus = edge(shipped("caribbean-gr"), rounds=10)["stakes"]["bonus"]
    won = 4 * 6000 + 36 * 600 + 624 * 350 + 3744 * 200 + 5108 * 75
    assert bonus["edge"] == round(1 - won / 2_598_960, 6), "fixed prizes: the stake is taken even when it wins"
    vesuvius = edge(shipped("vesuvius-ro"), rounds=10)["stakes"]["bonus"]
    won = 4 * 101 + 36 * 51 + 624 * 21 + 3744 * 8 + 5108 * 6 + 10200 * 5
    assert vesuvius["edge"] == round(1 - won / 2_598_960, 6), "odds: the stake comes back as well"


@pytest.mark.parametrize("ruleset_id", [
    "vesuvius-ro", "caribbean-ee", "caribbean-ee-ak", "caribbean-gr", "oasis-ua", "russian-ua", "texas-ua",
    "exchange-ru",
])  # fmt: skip
def test_every_sheet_of_boxes_is_played_by_every_strategy_of_its_family(ruleset_id):
    sheet = shipped(ruleset_id)
    for strategy in BY_ENGINE[sheet.engine]:
        document = edge(sheet, strategy.words, rounds=60)
        assert document["strategy"] == strategy.words
        assert document["sd_per_ante"] > 1
        assert set(document["stakes"]) >= {"ante", "bet"}
        if "swap" in document["stakes"]:
            assert document["stakes"]["swap"]["edge"] == 1, "a fee is always taken"


def test_the_mean_is_the_sum_of_its_kinds():
    document = edge(shipped("caribbean-gr"), ALWAYS.words, rounds=500)
    parts = document["stakes"]["ante"]["edge"] + 2 * document["stakes"]["bet"]["edge"]
    assert document["house_edge_per_ante"] == pytest.approx(parts, abs=1e-5)


@pytest.mark.parametrize(
    ("hand", "upcard", "bets"),
    [
        ("2s 2d 7h 9c Kd", "Ac", True), ("3s 2d 7h 9c Qd", "Ac", False),
        ("As Kd 7h 9c 2d", "7c", True), ("As Kd 7h 9c 2d", "8c", False),
        ("As Kd Qh 9c 2d", "8c", True), ("As Kd Qh 9c 2d", "Tc", False),
        ("As Kd Jh 9c 2d", "Ac", True), ("As Kd Th 9c 2d", "Ac", False), ("As Kd Th 9c 2d", "Kc", False),
    ],
)  # fmt: skip
def test_ace_king_by_the_dealers_card(hand, upcard, bets):
    assert BASIC_STUD.bets(seen(hand, upcard)) is bets


@pytest.mark.parametrize(
    ("hand", "out"),
    [
        ("2s 7s 9s Ks Qd", "Qd"), ("5s 6d 7h 8c Kd", "Kd"), ("2d 5s 6d 7h 8c", "2d"), ("Ts Jd Qh Kc 2d", "2d"),
        ("Js Qd Kh Ac 2d", None), ("As 2d 3h 4c 9d", None), ("5s 5d 6h 7c 8d", None), ("2s 4d 6h 8c Td", None),
    ],
)  # fmt: skip
def test_a_draw_parts_with_the_odd_card(hand, out):
    assert DRAWING_STUD.draws(seen(hand)) == (card(out) if out else None)


@pytest.mark.parametrize(
    ("hand", "board", "bets"),
    [
        ("2s 7d", "2h 9c Td", True), ("2s 4d", "9h 9c Td", True), ("Js 2d", "5h 8c Td", True),
        ("2s 3d", "7h 9c Td", False), ("2s 3s", "7s 9s Td", True), ("5s 6d", "7h 8c 2d", True),
    ],
)  # fmt: skip
def test_what_is_worth_two_more_cards(hand, board, bets):
    assert BASIC_HOLDEM.bets(seen(hand, board=board)) is bets


def test_an_unknown_strategy_is_refused_by_name():
    with pytest.raises(ValueError, match="known are: bet any pair"):
        named("stud", "bet the farm")


def test_the_basic_strategy_draws_where_cards_are_sold():
    assert edge(shipped("caribbean-gr"), rounds=1)["strategy"] == BASIC_STUD.words
    assert edge(shipped("oasis-ua"), rounds=1)["strategy"] == DRAWING_STUD.words
    assert edge(shipped("texas-ua"), rounds=1)["strategy"] == BASIC_HOLDEM.words
