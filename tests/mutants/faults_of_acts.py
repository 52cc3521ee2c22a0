"""One thing wrong with what a box does: not offered, not now, not between these amounts, no decision at all."""

from fractions import Fraction

from domain.shadow.case import winnings_of
from domain.shadow.dealer import has_game
from domain.shadow.hands import STRENGTH, best, cards_of
from domain.shadow.scales import antes
from tests.mutants.breaking import Broken, Document, Fault, Patient, at, cards

NEW: dict[str, Document] = {"insure": {"do": "insure"}, "dealer_card": {"do": "dealer_card"}}


def _act(p: Patient, box: Document, word: str, count: int = 1) -> Document:
    """An act in itself well-formed, with cards that are in the deck and amounts in chips."""
    if word == "swap":
        return {"do": "swap", "out": " ".join(_held(box)[:count]), "in": p.fresh(count)}
    if word == "buy":
        return {"do": "buy", "in": p.fresh(1)}
    if word == "insure":
        return {"do": "insure", "amount": 2 * box["ante"]}
    return {"do": word}


def _held(box: Document) -> list[str]:
    """What the box holds at the end."""
    held = cards(box["cards"])
    for act in box.get("play", ()):
        if act["do"] in ("swap", "buy"):
            held = [card for card in held if card not in cards(act.get("out", ""))] + cards(act["in"])
    return held


def _offers(p: Patient, word: str) -> bool:
    part = {"insure": "insurance"}.get(word, word)
    return getattr(p.rules, part, None) is not None


def _before_decision(box: Document) -> int:
    words = [act["do"] for act in box["play"]]
    return min(words.index(word) for word in ("bet", "fold", "insure") if word in words)


def act_not_offered(p: Patient) -> Broken | None:
    words = [word for word in ("swap", "buy", "insure", "dealer_card") if not _offers(p, word)]
    box = p.some(blind=False)
    if not words or box is None:
        return None
    word = p.rng.choice(words)
    place = len(box["play"]) if word == "dealer_card" else _before_decision(box)
    box["play"].insert(place, _act(p, box, word))
    return p.broken("not_offered", box)


def swap_of_a_number_not_offered(p: Patient) -> Broken | None:
    box = p.some(does="swap")
    if box is None or not _offers(p, "swap"):
        return None
    acts = [act for act in box["play"] if act["do"] == "swap"]
    act = p.rng.choice(acts)
    held = cards(box["cards"])
    for before in acts[: acts.index(act)]:
        held = [card for card in held if card not in cards(before["out"])] + cards(before["in"])
    mine = [one for one in p.boxes if "player" in box and one.get("player") == box["player"]] or [box]
    opens = sum(not one.get("blind") for one in mine)
    plan = next(plan for plan in p.rules.swap.plans if opens in plan.open_boxes)
    offered = {fee.cards for fee in plan.turns[acts.index(act)].fees}
    counts = sorted(set(range(6)) - offered)
    count = p.rng.choice(counts)
    act |= {"out": " ".join(held[:count]), "in": p.fresh(count)}
    return p.broken("not_offered", box)


def swap_once_too_often(p: Patient) -> Broken | None:
    box = p.some(does="swap", blind=False)
    if box is None:
        return None
    mine = [one for one in p.boxes if "player" in box and one.get("player") == box["player"]] or [box]
    opens = sum(not one.get("blind") for one in mine)
    turns = next(plan.turns for plan in p.rules.swap.plans if opens in plan.open_boxes)
    done = sum(act["do"] == "swap" for act in box["play"])
    place = _before_decision(box)
    for _ in range(len(turns) - done + 1):
        box["play"].insert(place, {"do": "swap", "out": "", "in": ""})
        last = len(turns) - done
        if last:
            return None
        box["play"][place] |= {"out": _held(box)[0], "in": p.fresh(1)}
    return p.broken("not_allowed_now", box)


def second_buy(p: Patient) -> Broken | None:
    box = p.some(does="buy", blind=False)
    if box is None:
        return None
    box["play"].insert(_before_decision(box), _act(p, box, "buy"))
    return p.broken("not_allowed_now", box)


def swap_and_buy(p: Patient) -> Broken | None:
    if not _offers(p, "buy") or not _offers(p, "swap") or p.rules.buy.with_swap:
        return None
    word = p.rng.choice(("swap", "buy"))
    box = p.some(does=word, blind=False)
    if box is None:
        return None
    box["play"].insert(_before_decision(box), _act(p, box, "buy" if word == "swap" else "swap"))
    return p.broken("not_allowed_now", box)


def second_insurance(p: Patient) -> Broken | None:
    box = p.some(does="insure", blind=False)
    if box is None:
        return None
    place = at(box["play"], "insure")
    box["play"].insert(place, dict(box["play"][place]))
    return p.broken("not_allowed_now", box)


def second_dealer_card(p: Patient) -> Broken | None:
    box = p.some(does="dealer_card", blind=False)
    if box is None:
        return None
    box["play"].append({"do": "dealer_card"})
    return p.broken("not_allowed_now", box)


def dealer_card_against_a_game(p: Patient) -> Broken | None:
    if not _offers(p, "dealer_card"):
        return None
    hand = best(cards_of(p.record["dealer"]["cards"]))
    box = p.some(blind=False, does="bet")
    if box is None or not has_game(p.rules.dealer.qualifier, hand):
        return None
    box["play"].append({"do": "dealer_card"})
    return p.broken("not_allowed_now", box)


def dealer_card_of_a_folded_hand(p: Patient) -> Broken | None:
    if not _offers(p, "dealer_card"):
        return None
    box = p.some(blind=False, does="fold")
    if box is None:
        return None
    box["play"].append({"do": "dealer_card"})
    return p.broken("not_allowed_now", box)


def dealer_card_before_the_bet(p: Patient) -> Broken | None:
    box = p.some(blind=False, does="dealer_card")
    if box is None:
        return None
    box["play"].insert(at(box["play"], "bet"), box["play"].pop())
    return p.broken("not_allowed_now", box)


def change_of_mind(p: Patient) -> Broken | None:
    """A decision is made once."""
    box = p.some(blind=False)
    if box is None or any(act["do"] == "dealer_card" for act in box["play"]):
        return None
    box["play"].append({"do": p.rng.choice(("bet", "fold"))})
    return p.broken("not_allowed_now", box)


def act_after_the_decision(p: Patient) -> Broken | None:
    words = [word for word in ("swap", "buy") if _offers(p, word)]
    box = p.some(blind=False)
    if not words or box is None:
        return None
    box["play"].append(_act(p, box, p.rng.choice(words)))
    return p.broken("not_allowed_now", box)


def insurance_of_a_folded_hand(p: Patient) -> Broken | None:
    box = p.some(blind=False, does="fold")
    if box is None or not _offers(p, "insure"):
        return None
    box["play"].append(_act(p, box, "insure"))
    return p.broken("not_allowed_now", box)


def insurance_after_the_bet(p: Patient) -> Broken | None:
    box = p.some(blind=False, does="insure")
    if box is None or p.rules.insurance.until != "bet":
        return None
    acts = box["play"]
    acts.insert(at(acts, "bet"), acts.pop(at(acts, "insure")))
    return p.broken("not_allowed_now", box)


def act_after_the_insurance(p: Patient) -> Broken | None:
    words = [word for word in ("swap", "buy") if _offers(p, word)]
    box = p.some(blind=False, does="insure")
    if box is None or not words:
        return None
    box["play"].insert(at(box["play"], "insure") + 1, _act(p, box, p.rng.choice(words)))
    return p.broken("not_allowed_now", box)


def fold_after_the_insurance(p: Patient) -> Broken | None:
    box = p.some(blind=False, does="insure")
    if box is None:
        return None
    place = at(box["play"], "insure")
    box["play"] = [*box["play"][: place + 1], {"do": "fold"}]
    if p.record["dealer"].pop("drawn", None) is not None and any(
        act["do"] == "dealer_card" for one in p.boxes for act in one.get("play", ())
    ):
        return None
    return p.broken("not_allowed_now", box)


def blind_box_acts(p: Patient) -> Broken | None:
    box = p.some(blind=True)
    words = ["bet", "fold", *[word for word in ("swap", "buy", "insure", "dealer_card") if _offers(p, word)]]
    if box is None or getattr(p.rules, "blind", None) is None or p.rules.blind.may:
        return None
    box["play"] = [_act(p, box, p.rng.choice(words))]
    return p.broken("not_allowed_now", box)


def insurance_too_much_or_little(p: Patient) -> Broken | None:
    box = p.some(blind=False, does="insure")
    if box is None:
        return None
    rule, chip = p.rules.insurance, p.chip()
    bet = int(box["ante"] * antes(p.rules.bet.antes))
    most = int(winnings_of(p.rules, bet, cards_of("".join(_held(box)))) * Fraction(rule.most))
    cap = p.record.get("table", {}).get("max_payout_per_box")
    if rule.most_within_cap and cap is not None:
        most = min(most, cap)
    least = bet if rule.least == "bet" else chip
    amounts = (0, -chip, -least, (most // chip + 1) * chip, 10**9 * chip, (least - 1) // chip * chip)
    box["play"][at(box["play"], "insure")]["amount"] = p.rng.choice(amounts)
    return p.broken("insurance_limits", box)


def insurance_in_broken_chips(p: Patient) -> Broken | None:
    box = p.some(blind=False, does="insure")
    if box is None or p.chip() == 1:
        return None
    act = box["play"][at(box["play"], "insure")]
    bet = int(box["ante"] * antes(p.rules.bet.antes))
    least = bet if p.rules.insurance.least == "bet" else p.chip()
    if act["amount"] - 1 < least:
        return None
    act["amount"] -= 1
    return p.broken("chip_multiple", box)


def hand_too_low_to_insure(p: Patient) -> Broken | None:
    if not _offers(p, "insure"):
        return None
    box = p.some(blind=False, does="bet")
    if box is None or best(cards_of("".join(_held(box)))).strength >= STRENGTH[p.rules.insurance.hand]:
        return None
    box["play"].insert(at(box["play"], "bet"), _act(p, box, "insure"))
    return p.broken("insurance_limits", box)


def swapped_card_not_held(p: Patient) -> Broken | None:
    box = p.some(does="swap")
    if box is None:
        return None
    act = next(act for act in box["play"] if act["do"] == "swap")
    strange = p.rng.choice((p.fresh(1), cards(p.record["dealer"]["cards"])[0]))
    act["out"] = " ".join([strange, *cards(act["out"])[1:]])
    return p.broken("card_not_held", box)


def no_decision(p: Patient) -> Broken | None:
    box = p.some(blind=False)
    if getattr(p.rules, "time_out", None) is not None or box is None:
        return None
    box["play"] = [act for act in box["play"] if act["do"] in ("swap", "buy")]
    if not box["play"] and p.rng.random() < 0.5:
        box.pop("play")
    return p.broken("missing_decision", box)


FAULTS: dict[str, Fault] = {
    name: made
    for name, made in sorted(globals().items())
    if callable(made) and getattr(made, "__module__", "") == __name__ and not name.startswith("_")
}
"""Every fault of this module by its name."""
