"""Sheets that nobody has printed: the shipped ones with a clause changed, so that every value of a rule is played."""

from functools import cache

from domain.ruleset import Ruleset, shipped
from domain.ruleset.loader import load_text

CHANGES: dict[str, tuple[str, tuple[tuple[str, str], ...]]] = {
    "fee back": ("russian-ua", (('fee = "taken"', 'fee = "returned-on-no-game"'),)),
    "decliners wait": ("russian-ua", (('decliners = "no-game"', 'decliners = "final-hand"'),)),
    "insurance waits": (
        "vesuvius-ro",
        (
            ('decliners = "no-game"', 'decliners = "final-hand"'),
            ('insurance = "first-cards"', 'insurance = "final-hand"'),
        ),
    ),
    "ante paid in vain": ("vesuvius-ro", (('still_no_game = "ante-returned"', 'still_no_game = "ante-paid"'),)),
    "redraw": ("russian-ua", (("redraw = false", 'redraw = true\nredraw_clause = "R.redraw"'),)),
    "no redraw": ("vesuvius-ro", (("redraw = true", "redraw = false"), ('redraw_clause = "V.redraw"', ""))),
    "insurance pushes": ("exchange-ru", (('push = "taken"', 'push = "returned"'),)),
    "insurance lost either way": ("russian-ua", (('dealer_higher = "returned"', 'dealer_higher = "taken"'),)),
    "insurance uncapped": ("russian-ua", (("most_within_cap = true", "most_within_cap = false"),)),
    "insurance before the bet": ("exchange-ru", (('until = "reveal"', 'until = "bet"'),)),
    "insured ante given away": ("exchange-ru", (('insured_ante = "as-uninsured"', 'insured_ante = "returned"'),)),
    "insurance at 3:2": ("exchange-ru", (('odds = "1:1"\ninsured_ante', 'odds = "3:2"\ninsured_ante'),)),
    "swap and buy": ("russian-ua", (("with_swap = false", "with_swap = true"),)),
    "blind boxes insure": ("exchange-ru", (("may = []", 'may = ["insure"]'),)),
    "bonus on the final hand": (
        "vesuvius-ro",
        (('on = "first-cards"', 'on = "final-hand"'), ('at_fold = "taken"', 'at_fold = "plays"')),
    ),
    "bonus lost at a swap": ("vesuvius-ro", (('at_swap = "plays"', 'at_swap = "taken"'),)),
    "bonus back with its prize": ("oasis-ua", (('stake_when_won = "taken"', 'stake_when_won = "returned"'),)),
    "half a meter": ("caribbean-ee", (("percent = 100", "percent = 50"),)),
    "jackpot from two pairs": (
        "caribbean-ee",
        (
            (
                '"three of a kind" = { clause = "C.jackpot", sum = 200 }',
                '"three of a kind" = { clause = "C.jackpot", percent = 33 }\n"two pairs" = { clause = "C.x", sum = 7 }',
            ),
        ),
    ),
    "a pair of nines": ("caribbean-gr", (('qualifier = "ace-king"', 'qualifier = "pair of 9"'),)),
    "any game": ("caribbean-gr", (('qualifier = "ace-king"', 'qualifier = "any"'),)),
    "three queens": ("texas-ua", (('qualifier = "pair of 4"', 'qualifier = "three of a kind of queen"'),)),
    "bet three antes": (
        "oasis-ua",
        (('[bet]\nclause = "O.bet"\nantes = "2"', '[bet]\nclause = "O.bet"\nantes = "3"'),),
    ),
    "cap on the ante first": ("vesuvius-ro", (('kinds = ["bet", "insurance"]', 'kinds = ["ante", "bet"]'),)),
    "cap on the insurance first": ("exchange-ru", (('kinds = ["bet", "insurance"]', 'kinds = ["insurance", "bet"]'),)),
    "misdeal voids a box": (
        "vesuvius-ro",
        (
            (
                '[misdeals.kinds.order_touched]\nclause = "V.misdeal"\nvoids = "round"',
                '[misdeals.kinds.order_touched]\nclause = "V.misdeal"\nvoids = "box"',
            ),
        ),
    ),
    "held bonus on two pairs": ("vesuvius-ro", (('hand = "pair"\ntimes = 2', 'hand = "two pairs"\ntimes = 3'),)),
    "time-out with swaps": (
        "exchange-ru",
        (("[fold]\n", '[time_out]\nclause = "F.time-out"\nbet_from = "two pairs"\n\n[fold]\n'),),
    ),
    "unequal antes": ("exchange-ru", (("equal_antes = true", "equal_antes = false"),)),
    "inverted odds": ("russian-ua", (('"pair" = "1:1"', '"pair" = "25:1"'),)),
    "ace-king pays": ("russian-ua", (('"pair" = "1:1"', '"pair" = "1:1"\n"ace-king" = "5:2"'),)),
    "holdem bonus": (
        "texas-ua",
        (
            (
                "[cap]",
                '[bonus]\nclause = "T.bonus"\nat_fold = "plays"\n[bonus.odds]\npair = "1:1"\nflush = "9:1"\n\n[cap]',
            ),
        ),
    ),
    "zero gives back": (
        "roulette-ua",
        (('dozen = "taken"', 'dozen = "halved"'), ('column = "taken"', 'column = "returned"')),
    ),
    "zero takes all": ("roulette-ua", (('even_chance = "halved"', 'even_chance = "taken"'),)),
    "maximum of a chip": ("roulette-ua", (('maximum_of = "spot"', 'maximum_of = "chip"'),)),
    "minimum of the total": ("roulette-ua", (('minimum_of = "unit"', 'minimum_of = "total"'),)),
}
"""By name: the sheet it starts from, and what is written in place of what."""


@cache
def changed(name: str) -> Ruleset:
    """One of these sheets. Raises ValueError where the shipped sheet no longer has the words to change."""
    base, changes = CHANGES[name]
    text = shipped(base).text
    for old, new in changes:
        if old not in text:
            raise ValueError(f"{name}: {base} has no {old!r}")
        text = text.replace(old, new)
    return load_text(text, name)
