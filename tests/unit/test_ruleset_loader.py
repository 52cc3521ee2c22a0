"""Ruleset files: strict, every problem told at once with its line, the digest of the text kept."""

import hashlib
import re
from pathlib import Path

import pytest

from domain.ruleset import InvalidRulesetError, load_file, load_text, shipped, shipped_ids
from domain.ruleset.lines import Lines
from domain.ruleset.loader import SHIPPED

OASIS = (SHIPPED / "oasis-ua.toml").read_text()
SHEETS = {
    "caribbean-ee",
    "caribbean-ee-ak",
    "caribbean-gr",
    "exchange-ru",
    "oasis-ua",
    "roulette-ua",
    "russian-ua",
    "texas-ua",
    "vesuvius-ro",
}


def problems(text: str) -> list[tuple[int, str]]:
    """(line, where) of everything that is wrong with a text."""
    with pytest.raises(InvalidRulesetError) as caught:
        load_text(text)
    assert all(problem.message for problem in caught.value.problems)
    return [(problem.line, problem.where) for problem in caught.value.problems]


def line_of(text: str, fragment: str) -> int:
    return text[: text.index(fragment)].count("\n") + 1


def test_the_shipped_sheets_load() -> None:
    assert set(shipped_ids()) == SHEETS
    for ruleset_id in shipped_ids():
        assert shipped(ruleset_id).id == ruleset_id


def test_a_sheet_that_is_not_shipped_is_a_key_error() -> None:
    with pytest.raises(KeyError):
        shipped("poker-xx")


def test_the_digest_is_of_the_text() -> None:
    ruleset = load_text(OASIS)
    assert ruleset.digest == hashlib.sha256(OASIS.encode()).hexdigest()
    assert load_text(OASIS + "\n# a remark\n").digest != ruleset.digest


def test_every_problem_is_told_with_its_line() -> None:
    text = (
        OASIS.replace('qualifier = "ace-king"', 'qualifier = "ace-queen"')
        .replace("boxes = 6", 'boxes = "six"')
        .replace('"flush" = "5:1"', '"flush" = "five"')
        .replace("stake = 1_000", "stake = 1_000\ncolour = 7")
        .replace('antes = "2"', 'antes = "two"')
    )
    found = problems(text)
    assert found == [
        (line_of(text, 'boxes = "six"'), "table.boxes"),
        (line_of(text, 'antes = "two"'), "bet.antes"),
        (line_of(text, "ace-queen"), "dealer.qualifier"),
        (line_of(text, '"flush" = "five"'), "win.bet.odds.flush"),
        (line_of(text, "colour = 7"), "bonus.colour"),
    ]


def test_a_missing_part_is_told_where_it_should_be() -> None:
    text = OASIS.replace("[push]\n", "").replace('clause = "O.push"\n', "")
    assert [where for _, where in problems(text)] == [""]
    text = OASIS.replace('clause = "O.fold"\n', "")
    assert problems(text) == [(line_of(text, "[fold]"), "fold")]


@pytest.mark.parametrize(
    ("old", "new", "where"),
    [
        ('qualifier = "ace-king"', 'qualifier = "pair of kings"', "dealer.qualifier"),
        ('qualifier = "ace-king"', 'qualifier = "straight of 4"', "dealer.qualifier"),
        ('antes = "2"', 'antes = "0"', "bet.antes"),
        ("open_boxes = 1\nequal", "open_boxes = 7\nequal", "players.open_boxes"),
        ("[bonus.prizes]", "[bonus.odds]\nflush = '3:1'\n[bonus.prizes]", "bonus"),
        ("stake = 1_000\n", "", "bonus.prizes"),
        (
            '{ cards = 1, antes = "1" }',
            '{ cards = 1, antes = "1" }, { cards = 1, antes = "2" }',
            "swap.plans.0.turns.0",
        ),
    ],
)
def test_rules_that_cannot_stand_are_told_though_they_are_well_formed(old: str, new: str, where: str) -> None:
    assert old in OASIS
    assert [found for _, found in problems(OASIS.replace(old, new))] == [where]


def test_what_is_no_toml_is_told_with_its_line() -> None:
    assert problems('id = "x"\nname = \n') == [(2, "")]
    assert problems("") != []


def test_an_unknown_engine_is_told() -> None:
    text = OASIS.replace('engine = "stud"', 'engine = "whist"')
    assert problems(text) == [(line_of(text, "engine ="), "engine")]


def test_a_file_must_be_named_after_its_id(tmp_path: Path) -> None:
    wrong = tmp_path / "house-oasis.toml"
    wrong.write_text(OASIS)
    with pytest.raises(InvalidRulesetError, match="house-oasis"):
        load_file(wrong)
    wrong.write_bytes(b"\xff\xfe")
    with pytest.raises(InvalidRulesetError, match="UTF-8"):
        load_file(wrong)


def test_every_clause_is_named_after_its_sheet() -> None:
    for path in SHIPPED.glob("*.toml"):
        letters = set(re.findall(r'clause = "([A-Z])\.[a-z-]+"', path.read_text()))
        assert len(letters) == 1, (path.name, letters)


def test_lines_of_keys_in_tables_arrays_and_inline_values() -> None:
    text = (
        'a = 1\n[b]\n"c d" = """\n[not a header]"""\ne.f = 2\n'
        "[[g]]\nh = [\n  { i = 1 }, # remark ]\n  { i = 2 },\n]\n[[g]]\n[[g.k]]\nl = 3\n"
    )
    lines = Lines(text)
    assert lines.of(("a",)) == 1
    assert lines.of(("b", "c d")) == 3
    assert lines.of(("b", "e", "f")) == 5
    assert lines.of(("g", 0, "h", 1, "i")) == 9
    assert lines.of(("g", 1)) == 11
    assert lines.of(("g", 1, "k", 0, "l")) == 13
    assert lines.of(("g", 1, "k", 0, "nothing")) == 12
    assert lines.of(("nothing",)) == 1
