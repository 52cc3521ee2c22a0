"""Who may play how many boxes, what a blind box is, and what an ante may be."""

import pytest

from tests.rules.rounds import GAME, NO_GAME, Json, box, error, record, settle

CARDS = ["9d 9s 6c 4h 2c", "5c 5h 7d 8d Qh", "Td 8s 6d 3s 2h", "Js Jd 4c 3c 2s", "Ks Qs Ts 5s 4s", "Kd Tc 7c 6s 5d"]


def boxes(*spec: str, ante: int = 1000) -> list[Json]:
    """ "A" is an open box of player A, "a" a blind one; numbers count from 1."""
    return [
        box(
            CARDS[n],
            *(("bet",) if who.isupper() else ()),
            number=n + 1,
            ante=ante,
            player=who.upper(),
            **({} if who.isupper() else {"blind": True}),
        )
        for n, who in enumerate(spec)
    ]


@pytest.mark.parametrize(
    ("ruleset", "count"),
    [
        ("vesuvius-ro", 5),
        ("caribbean-ee", 4),
        ("caribbean-gr", 6),
        ("oasis-ua", 6),
        ("russian-ua", 4),
        ("exchange-ru", 6),
    ],
)
def test_a_box_number_the_table_has_not(ruleset: str, count: int) -> None:
    for number in (0, -1, count + 1, 99):
        assert error(record(ruleset, box(CARDS[0], "bet", number=number))) == ("too_many_boxes", number)
    assert "boxes" in settle(record(ruleset, box(CARDS[0], "bet", number=count)))


@pytest.mark.parametrize("ruleset", ["vesuvius-ro", "caribbean-ee", "caribbean-gr", "oasis-ua"])
def test_one_box_a_player(ruleset: str) -> None:
    assert error(record(ruleset, *boxes("A", "B", "A"))) == ("too_many_boxes", 3)
    assert "boxes" in settle(record(ruleset, *boxes("A", "B", "C")))


@pytest.mark.parametrize("ruleset", ["vesuvius-ro", "caribbean-ee", "caribbean-gr", "oasis-ua"])
def test_sheets_without_blind_boxes(ruleset: str) -> None:
    told = record(ruleset, box(CARDS[0], "bet", number=1), box(CARDS[1], number=2, blind=True))
    assert error(told) == ("not_offered", 2)


def test_boxes_without_a_player_are_each_their_own() -> None:
    told = record("caribbean-ee", *[box(CARDS[n], "bet", number=n + 1) for n in range(4)])
    assert len(settle(told)["boxes"]) == 4


@pytest.mark.parametrize("spec", ["A", "AA", "AB", "AABB", "AAaa", "AAa", "aAaA", "aAA", "AAaB"])
def test_R_boxes_that_may_be(spec: str) -> None:
    assert "boxes" in settle(record("russian-ua", *boxes(*spec)))


@pytest.mark.parametrize(
    ("spec", "number"), [("AAA", 3), ("a", 1), ("Aa", 2), ("aA", 1), ("Aaa", 2), ("AAAa", 3), ("AABb", 4)]
)
def test_R_boxes_that_may_not_be(spec: str, number: int) -> None:
    assert error(record("russian-ua", *boxes(*spec))) == ("too_many_boxes", number)


@pytest.mark.parametrize("spec", ["A", "AA", "AAA", "AAAaaa", "Aa", "Aaaaaa", "AaBbCc", "aA"])
def test_F_boxes_that_may_be(spec: str) -> None:
    assert "boxes" in settle(record("exchange-ru", *boxes(*spec)))


@pytest.mark.parametrize(("spec", "number"), [("AAAA", 4), ("a", 1), ("ab", 1), ("ABb" + "c", 4), ("AAAAaa", 4)])
def test_F_boxes_that_may_not_be(spec: str, number: int) -> None:
    assert error(record("exchange-ru", *boxes(*spec))) == ("too_many_boxes", number)


@pytest.mark.parametrize("ruleset", ["russian-ua", "exchange-ru"])
def test_all_antes_of_one_player_are_equal(ruleset: str) -> None:
    told = record(ruleset, *boxes("A", "A", "B"))
    told["boxes"][1]["ante"] = 2000
    assert error(told) == ("unequal_antes", 2)
    told = record(ruleset, *boxes("A", "A", "a"))
    told["boxes"][2]["ante"] = 2000
    assert error(told) == ("unequal_antes", 3)
    told = record(ruleset, *boxes("A", "B"))
    told["boxes"][1]["ante"] = 2000
    assert "boxes" in settle(told)


@pytest.mark.parametrize("ruleset", ["russian-ua", "exchange-ru"])
@pytest.mark.parametrize("words", [("bet",), ("fold",), ("swap 6c As", "bet"), ("buy As",), ("insure 2000",)])
def test_a_blind_box_does_not_act(ruleset: str, words: tuple[str, ...]) -> None:
    told = record(ruleset, *boxes("A", "A", "a"), dealer=NO_GAME)
    told["boxes"][2] = box("Td 8s 6d 3s 2h", *words, number=3, player="A", blind=True)
    expected = "not_offered" if ruleset == "exchange-ru" and words[0].startswith("buy") else "not_allowed_now"
    assert error(told) == (expected, 3)


def test_a_blind_box_posts_its_bet_and_is_settled_like_any_other() -> None:
    told = record("russian-ua", *boxes("A", "A", "a", "a"), dealer=GAME)
    told["boxes"][3]["cards"] = "2d 3d Ts 5s 7h"
    settled = settle(told)["boxes"]
    assert settled[2]["taken"] == {"ante": 1000, "bet": 2000}
    assert settled[3]["taken"] == {"ante": 1000, "bet": 2000}
    told["dealer"]["cards"] = "Qd Jc 9c 7s 3h"
    assert settle(told)["boxes"][2]["paid"] == {"ante": 1000}


def test_R_blind_may_not_buy_the_dealers_card() -> None:
    told = record("russian-ua", *boxes("A", "A", "a"), dealer=NO_GAME, drawn="Kh")
    told["boxes"][2]["play"] = [{"do": "dealer_card"}]
    assert error(told) == ("not_allowed_now", 3)


@pytest.mark.parametrize(
    ("ante", "code"),
    [
        (400, "stake_limits"),
        (20100, "stake_limits"),
        (550, "chip_multiple"),
        (0, "stake_limits"),
        (-500, "stake_limits"),
    ],
)
def test_antes_within_the_limits_and_in_whole_chips(ante: int, code: str) -> None:
    table = {"chip": 100, "min": 500, "max": 20000}
    assert error(record("vesuvius-ro", box(CARDS[0], "bet", ante=ante), table=table)) == (code, 1)


@pytest.mark.parametrize("ante", [500, 20000])
def test_the_limits_themselves_may_be_played(ante: int) -> None:
    table = {"chip": 100, "min": 500, "max": 20000}
    assert "boxes" in settle(record("vesuvius-ro", box(CARDS[0], "bet", ante=ante), table=table))


def test_without_a_table_any_ante_from_one_chip_up() -> None:
    assert "boxes" in settle(record("vesuvius-ro", box(CARDS[0], "bet", ante=1)))
    assert "boxes" in settle(record("exchange-ru", box(CARDS[0], "bet", ante=2)))
    assert error(record("exchange-ru", box(CARDS[0], "bet", ante=1))) == ("stake_limits", 1)
    assert error(record("exchange-ru", box(CARDS[0], "bet", ante=3))) == ("chip_multiple", 1)
    assert error(record("vesuvius-ro", box(CARDS[0], "bet", ante=60), table={"chip": 50})) == ("chip_multiple", 1)
    assert error(record("vesuvius-ro", box(CARDS[0], "bet", ante=49), table={"chip": 50})) == ("stake_limits", 1)


def test_F_an_odd_chip_where_the_rules_make_halves() -> None:
    assert error(record("exchange-ru", box(CARDS[0], "bet"), table={"chip": 5})) == ("bad_record", None)
    assert "boxes" in settle(record("russian-ua", box(CARDS[0], "bet"), table={"chip": 5}))


def test_boxes_come_out_in_the_order_they_went_in() -> None:
    told = record("vesuvius-ro", box(CARDS[0], "bet", number=4), box(CARDS[1], "bet", number=2))
    assert [b["box"] for b in settle(told)["boxes"]] == [4, 2]
