"""The form's field for cards drawn in the dealer's place had another name than the one it was read by, and was lost."""

from __future__ import annotations

import re
from pathlib import Path

import api.pages
from api.pages.settle.form import record_of

PAGE = Path(api.pages.__file__).parent / "templates" / "settle" / "page.html"


def test_the_page_s_field_for_drawn_cards_reaches_the_record() -> None:
    named = set(re.findall(r'field\("(\w*drawn)"', PAGE.read_text("utf-8")))
    assert named == {"dealer_drawn"}
    fields = {"ruleset": "russian-ua", "ante_1": "5", "dealer_cards": "Ah 9c 8c 7s 3h", named.pop(): "Kc"}
    assert record_of(fields)["dealer"] == {"cards": "Ah 9c 8c 7s 3h", "drawn": "Kc"}
