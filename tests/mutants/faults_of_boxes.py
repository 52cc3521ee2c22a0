"""One thing wrong with a round of boxes: cards, stakes, boxes and players, by the words of the record's Errors."""

from tests.mutants.breaking import ANY, Broken, Document, Fault, Patient, cards


def bad_card_in_hand(p: Patient) -> Broken | None:
    box = p.rng.choice(p.boxes)
    held = cards(box["cards"])
    held[p.rng.randrange(len(held))] = p.rng.choice(("1s", "Xd", "as", "A♠", "TH", "00", "??"))
    box["cards"] = " ".join(held)
    return p.broken("bad_card", box)


def half_a_card(p: Patient) -> Broken | None:
    box = p.rng.choice(p.boxes)
    box["cards"] = box["cards"].replace(" ", "")[:-1]
    return p.broken("bad_card", box)


def bad_card_of_the_dealer(p: Patient) -> Broken | None:
    p.record["dealer"]["cards"] = " ".join(["Zz", *cards(p.record["dealer"]["cards"])[1:]])
    return p.broken("bad_card")


def bad_card_on_the_board(p: Patient) -> Broken | None:
    if "board" not in p.record:
        return None
    p.record["board"] = " ".join([*cards(p.record["board"])[:4], "11"])
    return p.broken("bad_card")


def bad_card_swapped(p: Patient) -> Broken | None:
    box = p.some(does="swap")
    if box is None:
        return None
    act = p.rng.choice([act for act in box["play"] if act["do"] == "swap"])
    side = p.rng.choice(("in", "out"))
    act[side] = " ".join(["Ax", *cards(act[side])[1:]])
    return p.broken("bad_card", box)


def bad_card_bought(p: Patient) -> Broken | None:
    box = p.some(does="buy")
    if box is None:
        return None
    next(act for act in box["play"] if act["do"] == "buy")["in"] = "1c"
    return p.broken("bad_card", box)


def card_in_two_hands(p: Patient) -> Broken | None:
    boxes = p.boxes
    if len(boxes) < 2:
        return None
    one, other = p.rng.sample(boxes, 2)
    if any(act["do"] in ("swap", "insure") for box in (one, other) for act in box.get("play", ())):
        return None
    held = cards(one["cards"])
    held[0] = p.rng.choice(cards(other["cards"]))
    one["cards"] = " ".join(held)
    return p.broken("duplicate_card", ANY)


def card_twice_in_a_hand(p: Patient) -> Broken | None:
    box = p.rng.choice(p.boxes)
    held = cards(box["cards"])
    box["cards"] = " ".join([held[0], *held[:-1]])
    return p.broken("duplicate_card", box)


def card_of_the_dealer_in_a_hand(p: Patient) -> Broken | None:
    held = cards(p.record["dealer"]["cards"])
    held[p.rng.randrange(len(held))] = cards(p.rng.choice(p.boxes)["cards"])[0]
    p.record["dealer"]["cards"] = " ".join(held)
    return p.broken("duplicate_card")


def card_thrown_away_comes_back(p: Patient) -> Broken | None:
    box = p.some(does="swap")
    if box is None:
        return None
    act = next(act for act in box["play"] if act["do"] == "swap")
    act["in"] = " ".join([*cards(act["in"])[1:], cards(act["out"])[0]])
    return p.broken("duplicate_card", box)


def card_bought_twice(p: Patient) -> Broken | None:
    box = p.some(does="buy")
    if box is None:
        return None
    next(act for act in box["play"] if act["do"] == "buy")["in"] = cards(box["cards"])[0]
    return p.broken("duplicate_card", box)


def card_drawn_is_out(p: Patient) -> Broken | None:
    if "drawn" not in p.record["dealer"]:
        return None
    p.record["dealer"]["drawn"] = cards(p.record["dealer"]["cards"])[0]
    return p.broken("duplicate_card")


def card_on_the_board_is_out(p: Patient) -> Broken | None:
    if "board" not in p.record:
        return None
    p.record["board"] = " ".join([*cards(p.record["board"])[:4], cards(p.boxes[0]["cards"])[0]])
    return p.broken("duplicate_card")


def too_few_or_many_cards(p: Patient) -> Broken | None:
    box = p.rng.choice(p.boxes)
    held = cards(box["cards"])
    box["cards"] = " ".join(p.rng.choice((held[:-1], [*held, p.fresh(1)], [])))
    return p.broken("wrong_card_count", box)


def dealer_with_too_many_cards(p: Patient) -> Broken | None:
    held = cards(p.record["dealer"]["cards"])
    p.record["dealer"]["cards"] = " ".join(p.rng.choice((held[1:], [*held, p.fresh(1)])))
    return p.broken("wrong_card_count")


def board_of_four(p: Patient) -> Broken | None:
    if "board" not in p.record:
        return None
    held = cards(p.record["board"])
    p.record["board"] = " ".join(p.rng.choice((held[1:], [*held, p.fresh(1)], held[:3])))
    return p.broken("wrong_card_count")


def more_in_than_out(p: Patient) -> Broken | None:
    box = p.some(does="swap")
    if box is None:
        return None
    act = next(act for act in box["play"] if act["do"] == "swap")
    came = cards(act["in"])
    act["in"] = " ".join(p.rng.choice((came[1:], [*came, p.fresh(1)])))
    return p.broken("wrong_card_count", box)


def two_cards_bought(p: Patient) -> Broken | None:
    box = p.some(does="buy")
    if box is None:
        return None
    act = next(act for act in box["play"] if act["do"] == "buy")
    act["in"] = p.rng.choice(("", f"{act['in']} {p.fresh(1)}"))
    return p.broken("wrong_card_count", box)


def nothing_drawn(p: Patient) -> Broken | None:
    if "drawn" not in p.record["dealer"]:
        return None
    if p.rng.random() < 0.5:
        p.record["dealer"].pop("drawn")
    else:
        p.record["dealer"]["drawn"] = ""
    return p.broken("wrong_card_count")


def drawing_ends_on_the_rank_thrown_away(p: Patient) -> Broken | None:
    if "drawn" not in p.record["dealer"] or not p.rules.dealer_card.redraw:
        return None
    drawn = cards(p.record["dealer"]["drawn"])
    if len(drawn) < 2:
        return None
    p.record["dealer"]["drawn"] = " ".join(drawn[:-1])
    return p.broken("wrong_card_count")


def drawing_goes_on(p: Patient) -> Broken | None:
    if "drawn" not in p.record["dealer"]:
        return None
    p.record["dealer"]["drawn"] += " " + p.fresh(1)
    return p.broken("wrong_card_count")


def drawn_for_nobody(p: Patient) -> Broken | None:
    if "drawn" in p.record["dealer"]:
        return None
    p.record["dealer"]["drawn"] = p.fresh(1)
    return p.broken("wrong_card_count")


def _alone(p: Patient, box: Document) -> bool:
    """Whether changing this box's ante leaves the antes of its player equal."""
    return "player" not in box or sum(other.get("player") == box["player"] for other in p.boxes) == 1


def ante_outside_limits(p: Patient) -> Broken | None:
    box = p.rng.choice(p.boxes)
    table = p.record.get("table", {})
    chip, least = p.chip(), max(table.get("min", p.chip()), p.chip())
    amounts = [0, -chip, -(10**6) * chip, (least - 1) // chip * chip]
    if "max" in table:
        amounts += [(table["max"] // chip + 1) * chip, 10**9 * chip]
    if not _alone(p, box):
        return None
    box["ante"] = p.rng.choice(amounts)
    return p.broken("stake_limits", box)


def side_stake_outside_limits(p: Patient) -> Broken | None:
    kind = p.rng.choice([kind for kind in ("bonus", "jackpot") if getattr(p.rules, kind) is not None] or [""])
    if not kind:
        return None
    box = p.rng.choice(p.boxes)
    fixed = getattr(p.rules, kind).stake
    table = p.record.get("table", {})
    if fixed is not None:
        box[kind] = p.rng.choice((fixed + 1, fixed - 1, 2 * fixed, -fixed, 1))
    elif "max" in table:
        box[kind] = p.rng.choice(((table["max"] // p.chip() + 1) * p.chip(), -p.chip()))
    else:
        box[kind] = -p.chip()
    return p.broken("stake_limits", box)


def ante_of_broken_chips(p: Patient) -> Broken | None:
    box = p.rng.choice(p.boxes)
    table = p.record.get("table", {})
    if p.chip() == 1 or not _alone(p, box) or table.get("max") == table.get("min", p.chip()):
        return None
    box["ante"] += 1 if "max" not in table or box["ante"] < table["max"] else -1
    return p.broken("chip_multiple", box)


def bonus_of_broken_chips(p: Patient) -> Broken | None:
    if p.rules.bonus is None or p.rules.bonus.stake is not None or p.chip() == 1:
        return None
    table = p.record.get("table", {})
    box = p.rng.choice(p.boxes)
    least = max(table.get("min", p.chip()), p.chip())
    if "max" in table and table["max"] == least:
        return None
    box["bonus"] = least + 1 if least % p.chip() == 0 else least + p.chip() - least % p.chip() + 1
    if "max" in table and box["bonus"] > table["max"]:
        return None
    return p.broken("chip_multiple", box)


def box_the_table_has_not(p: Patient) -> Broken | None:
    box = p.rng.choice(p.boxes)
    box["box"] = p.rng.choice((0, -1, p.rules.table.boxes + 1, 10**6))
    return p.broken("too_many_boxes", box)


def one_open_box_too_many(p: Patient) -> Broken | None:
    boxes = p.boxes
    most = p.rules.players.open_boxes
    opens = [box for box in boxes if not box.get("blind")]
    if len(opens) <= most or any(act["do"] in ("swap", "insure") for box in boxes for act in box.get("play", ())):
        return None
    if any(box.get("blind") for box in boxes):
        return None
    for box in opens:
        box |= {"player": "A", "ante": opens[0]["ante"]}
    return p.broken("too_many_boxes", sorted(opens, key=lambda one: one["box"])[most])


def blind_without_the_open_ones(p: Patient) -> Broken | None:
    if getattr(p.rules, "blind", None) is None or p.rules.blind.needs_open < 1:
        return None
    box = p.some(blind=True)
    if box is None:
        return None
    box["player"] = "nobody else"
    others = [one for one in p.boxes if one.get("blind") and one is not box]
    if any(other["box"] < box["box"] for other in others) and p.rules.blind.counts[0] > 1:
        return None
    return p.broken("too_many_boxes", ANY)


def antes_unequal(p: Patient) -> Broken | None:
    if not p.rules.players.equal_antes:
        return None
    table = p.record.get("table", {})
    for box in p.boxes:
        mine = [one for one in p.boxes if "player" in box and one.get("player") == box["player"]]
        if len(mine) > 1 and "max" not in table:
            mine[0]["ante"] += 2 * p.chip()
            first = min(mine, key=lambda one: one["box"])
            insured = any(act["do"] in ("insure",) for one in mine for act in one.get("play", ()))
            if insured:
                return None
            return p.broken("unequal_antes", ANY if first is mine[0] else mine[0])
    return None


def blind_box_not_offered(p: Patient) -> Broken | None:
    if getattr(p.rules, "blind", None) is not None:
        return None
    box = p.rng.choice(p.boxes)
    box["blind"] = True
    box.pop("play", None)
    return p.broken("not_offered", box)


def side_stake_not_offered(p: Patient) -> Broken | None:
    kinds = [kind for kind in ("bonus", "jackpot") if getattr(p.rules, kind) is None]
    if not kinds:
        return None
    box = p.rng.choice(p.boxes)
    box[p.rng.choice(kinds)] = p.rng.choice((p.chip(), 10 * p.chip(), box["ante"]))
    return p.broken("not_offered", box)


def progressive_not_offered(p: Patient) -> Broken | None:
    if p.rules.jackpot is not None:
        return None
    p.record["progressive"] = {"meter": 100}
    return p.broken("not_offered")


def misdeal_not_offered(p: Patient) -> Broken | None:
    kinds = {"player_count", "dealer_count", "exposed_card", "order_touched", "order_unrestorable"}
    unknown = sorted(kinds - set(p.rules.misdeals.kinds))
    if not unknown:
        return None
    p.record["misdeal"] = {"kind": p.rng.choice(unknown), "box": p.rng.choice(p.boxes)["box"]}
    return p.broken("not_offered")


def meter_missing(p: Patient) -> Broken | None:
    """On a sheet whose royal flush wins a share of the meter."""
    jackpot = p.rules.jackpot
    if jackpot is None or jackpot.prizes["royal flush"].percent is None:
        return None
    box = p.rng.choice(p.boxes)
    royal = {"T", "J", "Q", "K", "A"}
    suits = [suit for suit in "cdhs" if not {rank + suit for rank in royal} & p.dealt()]
    if not suits:
        return None
    box |= {"cards": " ".join(rank + suits[0] for rank in sorted(royal)), "jackpot": jackpot.stake}
    for other in p.boxes:
        if other is not box:
            other.pop("jackpot", None)
    p.record["progressive"] = {"seed": 5}
    if p.rng.random() < 0.5:
        p.record.pop("progressive")
    return p.broken("missing_meter", box)


FAULTS: dict[str, Fault] = {
    name: made
    for name, made in sorted(globals().items())
    if callable(made) and getattr(made, "__module__", "") == __name__ and not name.startswith("_")
}
"""Every fault of this module by its name."""
