import random

import pytest

from domain.cards import NAMES, PACKED, BadCardError, are_distinct, read, text_of


def test_cards_read_with_and_without_spaces_alike() -> None:
    assert read("As Kd Th") == read("AsKdTh") == read(" As  KdTh ")


def test_cards_are_written_as_they_were_read() -> None:
    assert text_of(read("4h2c")) == "4h 2c"


@pytest.mark.parametrize("text", ["1s", "as", "AS", "10h", "A", "As Kx", "As,Kd", "Аs", "As\tKd", "🂡"])
def test_what_is_no_card_is_named(text: str) -> None:
    with pytest.raises(BadCardError, match="is no card"):
        read(text)


def test_the_deck_has_52_cards_that_all_differ() -> None:
    assert len(set(NAMES)) == len(set(PACKED)) == 52


def test_a_sum_of_up_to_seven_cards_tells_whether_they_are_distinct() -> None:
    rng = random.Random(7)
    for _ in range(20_000):
        cards = rng.choices(PACKED, k=rng.randint(1, 7))
        assert are_distinct(sum(cards), len(cards)) == (len(set(cards)) == len(cards))
