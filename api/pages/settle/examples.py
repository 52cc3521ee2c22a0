"""Rounds to begin with, one a family of games, as a person would write them."""

from typing import Final

from api.i18n.catalogue import later

_RUSSIAN = """\
{"ruleset": "russian-ua",
 "table": {"currency": "EUR", "chip": 50, "min": 500, "max": 20000, "max_payout_per_box": 1000000},
 "boxes": [
   {"box": 1, "player": "A", "ante": 1000, "cards": "As Kd Qh 7c 2d",
    "play": [{"do": "swap", "out": "7c 2d", "in": "9h 9s"}, {"do": "bet"}]},
   {"box": 2, "player": "B", "ante": 500, "cards": "5c 5d 5h Jc 4s",
    "play": [{"do": "insure", "amount": 2000}, {"do": "bet"}]},
   {"box": 4, "player": "C", "ante": 500, "cards": "Td 8d 6c 3s 2h", "play": [{"do": "fold"}]}],
 "dealer": {"cards": "Ah Kc 8c 7s 3h"}}
"""

_CARIBBEAN = """\
{"ruleset": "caribbean-ee",
 "table": {"currency": "EUR", "chip": 50, "min": 500, "max": 20000, "max_payout_per_box": 1000000},
 "boxes": [
   {"box": 1, "player": "A", "ante": 1000, "jackpot": 50, "cards": "As Ad Qh 7c 2d", "play": [{"do": "bet"}]},
   {"box": 2, "player": "B", "ante": 2000, "cards": "9c 9d 9h 4c 4s", "play": [{"do": "bet"}]},
   {"box": 3, "player": "C", "ante": 500, "cards": "Td 8d 6c 3s 2h", "play": [{"do": "fold"}]}],
 "dealer": {"cards": "Ah Kc 8c 7s 3h"}}
"""

_TEXAS = """\
{"ruleset": "texas-ua",
 "table": {"currency": "UAH", "chip": 100, "min": 1000, "max": 50000},
 "boxes": [
   {"box": 1, "player": "A", "ante": 2000, "cards": "Ah Qd", "play": [{"do": "bet"}]},
   {"box": 3, "player": "B", "ante": 1000, "cards": "7s 2c", "play": [{"do": "fold"}]}],
 "board": "Ad Qc 7d 4s 2h",
 "dealer": {"cards": "Kh Kd"}}
"""

_ROULETTE = """\
{"ruleset": "roulette-ua",
 "table": {"currency": "EUR", "chip": 2, "min": 100, "max": 50000},
 "bets": [
   {"player": "A", "on": "split 8-11", "amount": 500},
   {"player": "B", "on": "voisins", "unit": 100},
   {"player": "B", "on": "neighbours 17 2", "unit": 100},
   {"player": "C", "on": "red", "amount": 1000, "late": true}],
 "result": 17}
"""

EXAMPLES: Final = {
    "russian": (later("Russian poker"), _RUSSIAN),
    "caribbean-ee": (later("Caribbean Stud"), _CARIBBEAN),
    "texas": (later("Texas hold'em"), _TEXAS),
    "roulette": (later("Roulette"), _ROULETTE),
}
