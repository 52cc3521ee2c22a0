"""`1,000` in the form of a round was taken for one whole unit: the comma before three digits was read as decimal."""

from __future__ import annotations

import pytest

from api.i18n import languages
from api.pages.settle.form import FieldError, record_of


@pytest.mark.parametrize(
    ("language", "text", "minor"),
    [
        ("en", "1,000", 100_000),
        ("en", "1,000.50", 100_050),
        ("en", "5,00", 500),
        ("en", "5.5", 550),
        ("el", "1.000", 100_000),
        ("el", "1.000,50", 100_050),
        ("uk", "1 000,50", 100_050),
        ("en", "1.000", None),
        ("el", "1,000", None),
        ("en", "1,00,000", None),
        ("en", "-5", None),
    ],
)
def test_a_mark_before_three_digits_stands_between_thousands_only(language: str, text: str, minor: int | None) -> None:
    fields = {"ruleset": "russian-ua", "ante_1": text}
    with languages.speaking(language):
        if minor is None:
            with pytest.raises(FieldError):
                record_of(fields)
        else:
            assert record_of(fields)["boxes"][0]["ante"] == minor
