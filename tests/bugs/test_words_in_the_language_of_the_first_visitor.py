"""Words that templates name by a constant stayed, for everybody, in the language of whoever had the page made first."""

from __future__ import annotations

import pytest

from api.i18n import languages
from api.pages.site import environment


@pytest.mark.parametrize("first", ["en", "ro"])
def test_a_template_made_for_one_reader_speaks_to_the_next_in_their_own_language(first: str) -> None:
    with languages.speaking(first):
        template = environment.from_string(
            '{{ "opener" | term("figure") }}, {{ 123450 | amount("EUR", with_currency=True) }}'
        )
    for language, said in (("en", "opener, 1 234.50 EUR"), ("ru", "опенер, 1 234,50 EUR")):
        with languages.speaking(language):
            assert " ".join(template.render().split()) == said
