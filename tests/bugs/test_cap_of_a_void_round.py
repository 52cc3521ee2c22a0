"""Which payouts the cap counts is a field of the sheet, and nothing says that a void round is beyond it."""

from domain.ruleset import shipped
from domain.ruleset.loader import load_text
from tests.mutants.compared import settled

RECORD = {
    "ruleset": "exchange-ru",
    "table": {"max_payout_per_box": 600},
    "boxes": [{"box": 4, "ante": 2000}],
    "misdeal": {"kind": "order_unrestorable"},
}


def test_the_ante_paid_in_a_misdeal_is_under_the_cap_where_the_cap_counts_antes() -> None:
    text = shipped("exchange-ru").text.replace('kinds = ["bet", "insurance"]', 'kinds = ["ante", "bet"]')
    box = settled(load_text(text, "a sheet whose cap counts antes"), RECORD)["boxes"][0]
    assert (box["paid"], box["capped"]) == ({"ante": 600}, 1400)
