"""A roulette sheet is data: what is wrong with one is said with its line, and nothing wrong with one is played."""

import pytest

from domain.ruleset import InvalidRulesetError, load_text, shipped

TEXT = shipped("roulette-ua").text


def problems(old, new):
    assert TEXT.count(old) == 1, old
    with pytest.raises(InvalidRulesetError) as caught:
        load_text(TEXT.replace(old, new))
    return [(problem.where, problem.message) for problem in caught.value.problems]


@pytest.mark.parametrize(
    ("old", "new", "where", "says"),
    [
        ("order = [\n  0, 32,", "order = [\n  0, 0,", "wheel.order", "each number"),
        ("red = [1, 3,", "red = [1, 1,", "wheel.red", "18 different"),
        ("red = [1, 3,", "red = [1, 2,", "wheel.red", "take turns"),
        ("splits = [[0, 1],", "splits = [[1, 2],", "zero_spots.splits.0", "zero among them"),
        ("splits = [[0, 1],", "splits = [[0, 2],", "zero_spots.splits.1", "listed once"),
        ('straight = "35:1"', "straight = 35", "odds.straight", "`str`"),
        ('straight = "35:1"', 'straight = "35:2"', "odds.straight", "regex"),
        ('even_chance = "halved"', 'even_chance = "prison"', "zero.even_chance", "Invalid enum"),
        ('on = "split 5-8"', 'on = "split 5-9"', "announced.1", "no 'split 5-9'"),
        ("sector = [17, 34,", "sector = [17, 35,", "announced.2.sector", "34, 35"),
        ('name = "orphelins"', 'name = "tiers"', "announced.2.name", "another bet"),
        ('name = "orphelins"', 'name = "neighbours"', "announced.2.name", "another bet"),
        ("most = 18", "most = 0", "neighbours", "at most"),
        ("most = 18", "most = 19", "neighbours.most", "<= 18"),
        ("cut_from = 14", "cut_from = 12", "cutting", "go up"),
        ("stack = 20", "stack = 20\nstacks = 1", "cutting.stacks", "unknown field"),
        ('clause = "L.tiers"', 'clause = "tiers"', "announced.1.clause", "regex"),
        ("least_turns = 5\n", "", "no_spin", "`least_turns` is missing"),
    ],
)
def test_a_flaw_is_named_at_its_place(old, new, where, says):
    found = problems(old, new)
    assert any(place.startswith(where) and says in message for place, message in found), found


def test_a_sheet_need_not_offer_announced_bets():
    start, end = TEXT.index("[[announced]]"), TEXT.index('# "Not a bet"')
    book = load_text(TEXT[:start] + TEXT[end:]).play
    assert "voisins" not in book.kinds()
    for on in ("voisins", "neighbours 17 2"):
        with pytest.raises(ValueError, match="no bet of this sheet"):
            book.find(on)


def test_the_kinds_of_the_sheet():
    assert shipped("roulette-ua").play.kinds() == (
        "straight", "split", "street", "corner", "line", "dozen", "column", "low", "high", "odd", "even", "red",
        "black", "voisins", "tiers", "orphelins", "neighbours",
    )  # fmt: skip


def test_the_book_remembers_only_what_the_sheet_offers():
    book = load_text(TEXT).play
    known = len(book._wagers)
    for n in range(1000):
        book.find(f"split {n % 30}-{n % 7 + 30}")
    book.find("split 11-8")
    book.find("neighbours 17 2")
    assert len(book._wagers) - known < 40


def test_the_cutting_rules_are_the_sheets():
    from domain.payout_guide import Stacks, stacks

    assert stacks(75, shipped("roulette-ua").rules.cutting) == Stacks(75, 3, own=15, cut=5)
