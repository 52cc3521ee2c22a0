"""Misdeals: what is void, what is paid all the same, and which kinds a sheet knows."""

import pytest

from tests.rules.rounds import GAME, Json, box, error, record, settle

KINDS = ["player_count", "dealer_count", "exposed_card", "order_touched", "order_unrestorable"]
CARDS = "9d 9s 6c 4h 2c"


def void(number: int, **stakes: int) -> Json:
    return {
        "box": number,
        "stakes": stakes,
        "returned": stakes,
        "taken": {},
        "paid": {},
        "capped": 0,
        "net": 0,
        "void": True,
    }


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    "ruleset", ["vesuvius-ro", "caribbean-ee", "caribbean-ee-ak", "oasis-ua", "russian-ua", "texas-ua"]
)
def test_any_misdeal_voids_the_whole_round(ruleset: str, kind: str) -> None:
    told = record(ruleset, box(CARDS, number=1), box(None, number=2), dealer=None, misdeal={"kind": kind, "box": 1})
    answer = settle(told)
    assert answer == {"boxes": [void(1, ante=1000), void(2, ante=1000)], "house_net": 0}


def test_everything_put_up_is_returned_bet_and_insurance_and_fees_too() -> None:
    played = box("Kd Td 6d 4d 2s", "swap 2s 2d", "insure 5000", "bet", "dealer_card", bonus=500, number=1)
    told = record("vesuvius-ro", played, box(CARDS, "buy 3d", "fold", number=2), misdeal={"kind": "exposed_card"})
    boxes = settle(told)["boxes"]
    assert boxes[0] == void(1, ante=1000, bet=2000, bonus=500, swap=1000, insurance=5000, dealer_card=1000)
    assert boxes[1] == void(2, ante=1000, buy=1000)
    jackpot = record("caribbean-ee", box("As Ks Qs Js Ts", jackpot=50), misdeal={"kind": "dealer_count"})
    assert settle(jackpot)["boxes"] == [void(1, ante=1000, jackpot=50)]


def test_a_blind_boxs_bet_is_returned_too() -> None:
    told = record(
        "russian-ua",
        *[box(None, number=n, player="A") for n in (1, 2)],
        box(None, number=3, player="A", blind=True),
        misdeal={"kind": "exposed_card"},
        dealer=None,
    )
    assert settle(told)["boxes"][2] == void(3, ante=1000, bet=2000)


def test_G_misdeal_wrong_count_to_a_player_voids_that_box_alone() -> None:
    told = record(
        "caribbean-gr",
        box("9d 9s 6c 4h", number=2, bonus=100),
        box("Td Ts 7c 5h 2d", "bet", number=1),
        misdeal={"kind": "player_count", "box": 2},
    )
    answer = settle(told)
    assert answer["boxes"][0] == void(2, ante=1000, bonus=100)
    assert answer["boxes"][1]["paid"] == {"ante": 1000, "bet": 2000}
    assert answer["dealer"] == {"hand": "ace-king", "qualifies": True, "final": "ace-king"}
    assert answer["house_net"] == -3000


def test_G_misdeal_wrong_count_to_the_dealer_voids_the_round() -> None:
    told = record("caribbean-gr", box(CARDS, "bet"), dealer="Ah Kc 8c 7s", misdeal={"kind": "dealer_count"})
    assert settle(told) == {"boxes": [void(1, ante=1000, bet=2000)], "house_net": 0}


def test_F_misdeal_with_cards_touched_returns_the_stakes() -> None:
    told = record("exchange-ru", box(CARDS), misdeal={"kind": "order_touched"}, dealer=None)
    assert settle(told)["boxes"] == [void(1, ante=1000)]


def test_F_misdeal_with_an_order_not_restorable_pays_every_ante() -> None:
    told = record(
        "exchange-ru",
        box(CARDS, number=1, player="A"),
        box(None, number=2, player="A", blind=True),
        misdeal={"kind": "order_unrestorable"},
        dealer=None,
    )
    answer = settle(told)
    assert answer["boxes"] == [
        void(1, ante=1000) | {"paid": {"ante": 1000}, "net": 1000},
        void(2, ante=1000, bet=2000) | {"paid": {"ante": 1000}, "net": 1000},
    ]
    assert answer["house_net"] == -2000
    assert "dealer" not in answer


@pytest.mark.parametrize(
    ("ruleset", "kinds"),
    [("exchange-ru", KINDS[:3]), ("caribbean-gr", KINDS[2:])],
)
def test_misdeal_kinds_that_the_sheet_does_not_have(ruleset: str, kinds: list[str]) -> None:
    for kind in kinds:
        told = record(ruleset, box(CARDS, "bet"), misdeal={"kind": kind, "box": 1})
        assert error(told)[0] == "not_offered"


@pytest.mark.parametrize(
    "misdeal",
    [{"kind": "spilt_drink"}, {"kind": "player_count", "box": 5}, {}, {"box": 1}, {"kind": 3}, "player_count"],
)
def test_misdeals_that_are_none(misdeal: object) -> None:
    assert error(record("caribbean-gr", box(CARDS, "bet"), misdeal=misdeal))[0] == "bad_record"


def test_G_misdeal_of_one_box_must_name_it() -> None:
    assert error(record("caribbean-gr", box(CARDS, "bet"), misdeal={"kind": "player_count"})) == ("bad_record", None)


@pytest.mark.parametrize("cards", [None, "", "9d", "9d 9s 6c 4h 2c 2d", "9d 9s 6c 4h 2c 2d 2h"])
def test_a_void_boxs_cards_may_be_any_number(cards: str | None) -> None:
    told = record("oasis-ua", box(cards), misdeal={"kind": "player_count", "box": 1}, dealer=None)
    assert settle(told)["boxes"] == [void(1, ante=1000)]


def test_a_void_boxs_cards_must_be_cards_all_the_same() -> None:
    told = record("oasis-ua", box("9d 1s"), misdeal={"kind": "player_count", "box": 1}, dealer=None)
    assert error(told) == ("bad_card", 1)
    told = record("oasis-ua", box("9d"), misdeal={"kind": "player_count"}, dealer="Ah Kc 8x")
    assert error(told) == ("bad_card", None)


def test_a_void_boxs_acts_are_read_for_their_stakes_alone() -> None:
    told = record("russian-ua", box("9d 9s", "insure 1", "bet"), misdeal={"kind": "player_count"}, dealer=GAME)
    assert settle(told)["boxes"] == [void(1, ante=1000, bet=2000, insurance=1)]
    told = record("caribbean-ee", box("9d 9s", "buy 3d"), misdeal={"kind": "player_count"}, dealer=GAME)
    assert error(told) == ("not_offered", 1)


def test_a_void_boxs_stakes_are_held_to_the_limits() -> None:
    told = record("oasis-ua", box(None, ante=0), misdeal={"kind": "player_count"}, dealer=None)
    assert error(told) == ("stake_limits", 1)


def test_beside_a_void_box_the_others_must_be_whole() -> None:
    told = record("caribbean-gr", box(None, number=1), box(CARDS, number=2), misdeal={"kind": "player_count", "box": 1})
    assert error(told) == ("missing_decision", 2)
    told["boxes"][1] = box(CARDS, "bet", number=2)
    del told["dealer"]
    assert error(told) == ("bad_record", None)


def test_the_only_box_void_leaves_the_dealer_unsaid_where_nobody_dealt_him() -> None:
    told = record("caribbean-gr", box(None), misdeal={"kind": "player_count", "box": 1}, dealer=None)
    assert settle(told) == {"boxes": [void(1, ante=1000)], "house_net": 0}
