"""Some seventy small faults that change who is paid what: where, which words, and what stands in their place."""

from typing import NamedTuple


class Mutation(NamedTuple):
    """sheets: where it is expected to show, looked at in this order."""

    name: str
    module: str
    old: str
    new: str
    sheets: tuple[str, ...]


_TABLES = "domain.engine.boxes.tables"
_OUTCOME = "domain.engine.boxes.outcome"
_HANDS = "domain.hands"
_SECOND = "domain.second"
_LAYOUT = "domain.engine.roulette.layout"
_STAKES = "domain.engine.roulette.stakes"

STUD = ("russian-ua", "vesuvius-ro", "oasis-ua", "exchange-ru")
WHEEL = ("roulette-ua",)
RUSSIAN = ("russian-ua",)
VESUVIUS = ("vesuvius-ro",)
C = ("caribbean-ee", "half a meter")

OF_TABLES = (
    Mutation("7:1 pays eight", _TABLES, "Pay(num, den, Why(", 'Pay(num + (odds == "7:1"), den, Why(', STUD),
    Mutation("20:1 pays nineteen", _TABLES, "Pay(num, den, Why(", 'Pay(num - (odds == "20:1"), den, Why(', STUD),
    Mutation("100:1 pays ten", _TABLES, "Pay(num, den, Why(", "Pay(10 if num == 100 else num, den, Why(", STUD),
    Mutation("1:1 pays two", _TABLES, "Pay(num, den, Why(", "Pay(max(num, 2), den, Why(", STUD),
    Mutation("one cent more", _TABLES, "stake * self.num // self.den", "stake * self.num // self.den + 1", STUD),
    Mutation("gaps in a table pay nothing", _TABLES, "by_hand.get(hand, current)", "by_hand.get(hand)", ("texas-ua",)),
    Mutation("prizes are odds of nought", _TABLES, "self.prize or stake", "stake", ("oasis-ua",)),
    Mutation("held bonus three times", _TABLES, "pay.num * times", "pay.num * (times + 1)", VESUVIUS),
    Mutation("qualifies one hand higher", _TABLES, "LOWEST[HANDS.index(text)]", "LOWEST[HANDS.index(text) + 1]", STUD),
    Mutation("an ace it must be", _TABLES, '_RANK_OF["king"]', '_RANK_OF["ace"]', C),
    Mutation("a pair of fives it must be", _TABLES, "*[rank] * size", "*[rank + 1] * size", ("texas-ua",)),
    Mutation(
        "prices in whole antes", _TABLES, "return Fraction(text)", "return Fraction(int(text[0]))", ("exchange-ru",)
    ),
)

OF_HANDS = (
    Mutation("no lowest straight", _HANDS, "    if ranks == _WHEEL:", "    if False:", STUD),
    Mutation("lowest straight is the highest", _HANDS, "return 3\n", "return 12\n", STUD),
    Mutation("a flush beats a full house", _HANDS, "FLUSH,\n    FULL_HOUSE,\n", "FULL_HOUSE,\n    FLUSH,\n", STUD),
    Mutation("an ace is an ace-king", _HANDS, "held = ranks[:2] == (_ACE, _KING)", "held = ranks[0] == _ACE", STUD),
    Mutation("worst of a long suit", _HANDS, "suited[mask] = max(", "suited[mask] = min(", ("texas-ua", "russian-ua")),
    Mutation("worst of six cards", _HANDS, "    return max(_BY_RANKS[key]", "    return min(_BY_RANKS[key]", RUSSIAN),
    Mutation("a king makes it royal", _HANDS, "ROYAL_FLUSH if top == _ACE", "ROYAL_FLUSH if top >= _KING", STUD),
    Mutation(
        "kickers do not count",
        _HANDS,
        "rows.sort(key=lambda row: row[0])",
        "rows.sort(key=lambda row: row[0][:4])",
        STUD,
    ),
)

OF_SECOND = (
    Mutation("six of a suit pay once", _SECOND, "return six_of_suit\n", "return False\n", RUSSIAN),
    Mutation(
        "two pairs again", _SECOND, "twice.bit_count() >= 2 and bool(twice & beside)", "twice.bit_count() >= 2", RUSSIAN
    ),
    Mutation(
        "ace-king again", _SECOND, "ranks[0] & both == both and bool(beside & both)", "ranks[0] & both == both", RUSSIAN
    ),
    Mutation("the third king is lost", _SECOND, "(threes | pair) | thrice & pair", "(threes | pair)", RUSSIAN),
    Mutation("the second nine is lost", _SECOND, "~_straight(once) | twice", "~_straight(once)", RUSSIAN),
    Mutation("a long run breaks low", _SECOND, "_straight(suited) or suited", "suited", RUSSIAN),
    Mutation("highest, not best paid", _SECOND, "(pays[category], category)", "category", ("inverted odds",)),
    Mutation(
        "second is free", "domain.engine.boxes.winnings", "(due + extra.due(bet), second)", "(due, second)", RUSSIAN
    ),
)

OF_OUTCOMES = (
    Mutation("a push wins", _OUTCOME, "if held > against:", "if held >= against:", STUD),
    Mutation("a push loses", _OUTCOME, "elif held < against:", "elif held <= against:", STUD),
    Mutation(
        "a push takes the ante",
        _OUTCOME,
        'Line("ante", box.ante, True, play.why_push)',
        'Line("ante", box.ante, False, play.why_push)',
        STUD,
    ),
    Mutation(
        "a push takes the bet",
        _OUTCOME,
        'Line("bet", box.bet, True, play.why_push)',
        'Line("bet", box.bet, False, play.why_push)',
        STUD,
    ),
    Mutation(
        "a lost bet comes back",
        _OUTCOME,
        'Line("bet", box.bet, False, play.why_lose)',
        'Line("bet", box.bet, True, play.why_lose)',
        STUD,
    ),
    Mutation(
        "a fold keeps the ante",
        _OUTCOME,
        'Line("ante", box.ante, False, why)',
        'Line("ante", box.ante, True, why)',
        STUD,
    ),
    Mutation("insured ante paid", _OUTCOME, "pay = None if _insured_ante_returned(rnd, box) else", "pay =", RUSSIAN),
    Mutation("ante paid in vain", _OUTCOME, '== "ante-paid"', '!= "ante-paid"', RUSSIAN),
    Mutation("decliners wait", _OUTCOME, 'decliners == "final-hand"', 'decliners != "final-hand"', RUSSIAN),
    Mutation(
        "insurance lost to a higher dealer",
        _OUTCOME,
        'dealer_higher == "returned"',
        'dealer_higher != "returned"',
        RUSSIAN,
    ),
    Mutation(
        "insurance back from a game",
        _OUTCOME,
        "stake, False, insurance.why_taken",
        "stake, True, insurance.why_taken",
        RUSSIAN,
    ),
    Mutation(
        "insurance pushes",
        _OUTCOME,
        'terms.push == "returned"',
        'terms.push != "returned"',
        ("exchange-ru", "russian-ua"),
    ),
    Mutation(
        "insurance waits for the card",
        _OUTCOME,
        'terms.insurance == "final-hand"',
        'terms.insurance != "final-hand"',
        RUSSIAN,
    ),
    Mutation(
        "cap of one kind", _OUTCOME, "if line.kind in kinds) - cap", "if line.kind == kinds[0]) - cap", ("texas-ua",)
    ),
    Mutation(
        "cap from the other end",
        _OUTCOME,
        "for kind in kinds if over > 0",
        "for kind in kinds[::-1] if over > 0",
        ("texas-ua",),
    ),
    Mutation("cap below nothing", _OUTCOME, "less = min(over, line.paid)", "less = over", ("texas-ua",)),
    Mutation(
        "cap not reached", _OUTCOME, "if line.kind == kind and over > 0:", "if line.kind == kind and over > 9:", STUD
    ),
    Mutation(
        "price of the card back", _OUTCOME, 'fee == "returned-on-no-game"', 'fee != "returned-on-no-game"', RUSSIAN
    ),
    Mutation(
        "the bonus outlives a fold",
        _OUTCOME,
        'bonus.rules.at_fold == "taken"',
        'bonus.rules.at_fold != "taken"',
        VESUVIUS,
    ),
    Mutation(
        "the bonus outlives a swap",
        _OUTCOME,
        'bonus.rules.at_swap == "taken"',
        'bonus.rules.at_swap != "taken"',
        ("oasis-ua",),
    ),
    Mutation(
        "the bonus on the last cards",
        _OUTCOME,
        "if bonus.on_first else held",
        "if not bonus.on_first else held",
        VESUVIUS,
    ),
    Mutation(
        "the won bonus is kept",
        _OUTCOME,
        "box.bonus, bonus.won_back, bonus.why_won",
        "box.bonus, False, bonus.why_won",
        VESUVIUS,
    ),
    Mutation(
        "the lost bonus comes back",
        _OUTCOME,
        "box.bonus, False, bonus.why_lost",
        "box.bonus, True, bonus.why_lost",
        VESUVIUS,
    ),
    Mutation("the first hand must be better", _OUTCOME, "first >= threshold", "first > threshold + 900", STUD),
    Mutation("the bought hand must be better", _OUTCOME, "final >= threshold", "final > threshold + 900", RUSSIAN),
    Mutation(
        "a void ante is not paid",
        _OUTCOME,
        "    if pay is not None:\n        lines[0]",
        "    if False:\n        lines[0]",
        ("exchange-ru",),
    ),
    Mutation(
        "a void stake is taken",
        _OUTCOME,
        "Line(kind, amount, True, why) for",
        'Line(kind, amount, kind != "bet", why) for',
        STUD,
    ),
)

OF_THE_REST = (
    Mutation(
        "no game pays from the bottom",
        "domain.engine.boxes.prepare",
        "odds_row(no_game.bet, lowest_for_all=False)",
        "odds_row(no_game.bet, lowest_for_all=True)",
        C,
    ),
    Mutation("a cent of the meter stays", _OUTCOME, "prize.percent * 10_000", "prize.percent * 9_999", C),
    Mutation(
        "no reset value", "domain.engine.boxes.meter", "self.meter += self.seed - taken", "self.meter -= taken", C
    ),
    Mutation(
        "winners as they are written",
        "domain.engine.boxes.settle",
        "for box in rnd.by_number if box.jackpot",
        "for box in rnd.boxes if box.jackpot",
        C,
    ),
    Mutation(
        "the dealer's lowest card goes",
        "domain.engine.boxes.state",
        "return max(cards, key=_rank)",
        "return min(cards, key=_rank)",
        RUSSIAN,
    ),
    Mutation("the first card drawn stays", "domain.engine.boxes.state", "self.drawn[-1]", "self.drawn[0]", VESUVIUS),
    Mutation(
        "everybody plays one box",
        "domain.engine.boxes.seats",
        "box.open_boxes = opens",
        "box.open_boxes = 1",
        ("exchange-ru",),
    ),
    Mutation(
        "out of time turned round",
        "domain.engine.boxes.acts",
        ">= rnd.play.time_out_from",
        "< rnd.play.time_out_from",
        C,
    ),
)

OF_WHEEL = (
    Mutation(
        "odds one short", _LAYOUT, "return stake, stake * self.odds", "return stake, stake * (self.odds - 1)", WHEEL
    ),
    Mutation(
        "a winning stake is kept", _LAYOUT, "return stake, stake * self.odds", "return 0, stake * self.odds", WHEEL
    ),
    Mutation("zero takes the even chances", "domain.engine.roulette.book", '"halved": 1', '"halved": 0', WHEEL),
    Mutation("zero is low", _LAYOUT, "range(1, 19)", "range(19)", WHEEL),
    Mutation("zero is even", _LAYOUT, "range(2, 37, 2)", "range(0, 37, 2)", WHEEL),
    Mutation("columns one on", _LAYOUT, "range(c, 37, 3)", "range(c % 3 + 1, 37, 3)", WHEEL),
    Mutation(
        "neighbours on one side",
        "domain.engine.roulette.wheel",
        "range(-each_side, each_side + 1)",
        "range(-each_side, each_side)",
        WHEEL,
    ),
    Mutation("the minimum is too little", _STAKES, "< limits.least", "<= limits.least", WHEEL),
    Mutation("late is a bet", _STAKES, "    if late:", "    if late and not wager.spots:", WHEEL),
    Mutation(
        "the excess plays", _STAKES, "stake = min(unit * units, limits.most * slots)", "stake = unit * units", WHEEL
    ),
    Mutation("the excess is kept", _STAKES, "Outcome(amount - at_stake, back,", "Outcome(0, back,", WHEEL),
    Mutation("chips are cut", _STAKES, "limits.max - limits.max % limits.chip", "limits.max", WHEEL),
    Mutation(
        "a street too far", _LAYOUT, "STREETS[:-1] for n in street[:2])", "STREETS[:-1] for n in street[:1])", WHEEL
    ),
)

MUTATIONS = (*OF_TABLES, *OF_HANDS, *OF_SECOND, *OF_OUTCOMES, *OF_THE_REST, *OF_WHEEL)
