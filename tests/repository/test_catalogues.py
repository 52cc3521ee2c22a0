"""Every language has every word, in forms that its numbers take, with the same places to fill in."""

from __future__ import annotations

import re

import pytest
from babel.messages.catalog import Catalog
from babel.messages.checkers import checkers

from api.i18n import languages, numbers
from api.i18n.catalogue import LOCALES, gettext, ngettext
from api.i18n.languages import LANGUAGES, SOURCE
from tests.repository import catalogues

OTHERS = [language for language in LANGUAGES if language != SOURCE]
PLACE = re.compile(r"%\((\w+)\)[sd]")


@pytest.fixture(scope="module")
def source() -> Catalog:
    return catalogues.messages()


@pytest.mark.parametrize("language", OTHERS)
def test_a_catalogue_has_exactly_the_source_s_messages(language: str, source: Catalog) -> None:
    fresh = catalogues.as_text(catalogues.brought_up(language, source))
    assert fresh == (LOCALES / f"{language}.po").read_bytes(), "run `python -m tests.repository.catalogues`"


@pytest.mark.parametrize("language", OTHERS)
def test_every_message_has_words(language: str) -> None:
    found = catalogues.of(language)
    bare = [message.id for message in found if message.id and not all(_strings(message.string))]
    assert bare == []
    assert [message.id for message in found if message.fuzzy and message.id] == []


@pytest.mark.parametrize("language", OTHERS)
def test_words_fill_the_same_places(language: str) -> None:
    found = catalogues.of(language)
    for message in found:
        if not message.id:
            continue
        for check in checkers:
            check(found, message)
        wanted = set(PLACE.findall(str(message.id)))
        for text in _strings(message.string):
            # A plural's first form may leave the number out: "one table".
            assert set(PLACE.findall(text)) <= wanted, message.id
            if isinstance(message.id, str):
                assert set(PLACE.findall(text)) == wanted, message.id


def test_a_message_is_said_in_the_language_spoken() -> None:
    assert gettext("Sign in") == "Sign in"
    said = set()
    for language in OTHERS:
        with languages.speaking(language):
            said.add(gettext("Sign in"))
    assert len(said) == len(OTHERS)
    assert "Sign in" not in said


@pytest.mark.parametrize(
    ("language", "count", "form"), [("ru", 1, 0), ("ru", 3, 1), ("ru", 7, 2), ("ro", 21, 2), ("et", 2, 1)]
)
def test_numbers_take_their_forms(language: str, count: int, form: int) -> None:
    plural = next(m for m in catalogues.of(language) if isinstance(m.id, tuple))
    with languages.speaking(language):
        assert ngettext(*plural.id, count) == plural.string[form]


@pytest.mark.parametrize(("language", "written"), [("en", "\u202f."), ("ro", ".,"), ("et", "\u202f,"), ("el", ".,")])
def test_numbers_have_the_marks_of_their_language(language: str, written: str) -> None:
    with languages.speaking(language):
        assert "".join(numbers.marks()) == written


def _strings(string: str | tuple[str, ...] | list[str]) -> tuple[str, ...]:
    return (string,) if isinstance(string, str) else tuple(string)
