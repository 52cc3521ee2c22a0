"""`pitclerk payout`: chips and stacks for a dealer, by the sheet's cutting rules."""

from tests.cli.program import pitclerk


def test_75_colour_chips_are_three_full_stacks_and_fifteen_cut() -> None:
    answer = pitclerk("payout", "7500", "--chips", "100,500", "--colour", "100", "--json").json()
    (line,) = answer["lines"]
    assert (line["kind"], line["chips"]) == ("colour", 75)
    assert "3 full stacks" in line["stacks"]
    assert "cut 5" in line["stacks"]


def test_cash_is_paid_highest_chips_first() -> None:
    lines = pitclerk("payout", "3100", "--chips", "100,500,2500", "--json").json()["lines"]
    assert [(line["denomination"], line["chips"]) for line in lines] == [(2500, 1), (500, 1), (100, 1)]


def test_what_no_chips_can_make_is_refused() -> None:
    assert pitclerk("payout", "150", "--chips", "100,500").status == 2
    assert pitclerk("payout", "150", "--chips", "x").status == 2
