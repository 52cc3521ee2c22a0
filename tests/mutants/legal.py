"""Legal rounds of boxes for any stud or hold'em sheet, all that the sheet offers taken up often."""

from collections.abc import Callable
from fractions import Fraction
from random import Random
from typing import Any

from domain.ruleset import Ruleset
from domain.shadow.case import winnings_of
from domain.shadow.dealer import has_game
from domain.shadow.hands import STRENGTH, best, cards_of
from domain.shadow.scales import antes
from tests.mutants.deals import Deck, text
from tests.mutants.signs import a_sign

Document = dict[str, Any]


def legal_round(ruleset: Ruleset, rng: Random) -> Document:
    """One legal record. Deterministic in the state of `rng`."""
    return _Round(ruleset, rng).record()


class _Round:
    def __init__(self, ruleset: Ruleset, rng: Random) -> None:
        self.ruleset = ruleset
        self.rules: Any = ruleset.rules
        self.rng = rng
        self.deck = Deck(rng)
        self.holdem = ruleset.engine == "holdem"
        self.table, self.sign = a_sign(rng, ruleset.chip_step)
        self.board: list[str] = []
        self.game = True

    def chance(self, share: float) -> bool:
        return self.rng.random() < share

    def record(self) -> Document:
        rng, deck = self.rng, self.deck
        record: Document = {"ruleset": self.ruleset.id}
        if self.table is not None:
            record["table"] = self.table
        boxes = self.seats()
        if self.holdem:
            self.board = deck.narrow(5) if self.chance(0.7) else deck.any(5)
            dealer = deck.any(2) if self.chance(0.6) else deck.narrow(2)
        else:
            dealer = rng.choice((deck.any, deck.narrow, deck.narrow, deck.nothing, deck.nothing))(5)
            rng.shuffle(dealer)
        hand = best(cards_of("".join(dealer + self.board)))
        self.game = has_game(self.rules.dealer.qualifier, hand)
        for at, box in enumerate(boxes):
            self.play(box, boxes, dealer, later=len(boxes) - at - 1)
        record["boxes"] = boxes
        record["dealer"] = {"cards": text(rng, dealer)}
        if self.holdem:
            record["board"] = text(rng, self.board)
        if any(act["do"] == "dealer_card" for box in boxes for act in box.get("play", ())):
            record["dealer"]["drawn"] = text(rng, self.draw(dealer))
        self.progress(record)
        if self.chance(0.07):
            self.misdeal(record)
        return record

    def seats(self) -> list[Document]:
        """Who plays which boxes, openly and blind, and what lies there before the deal."""
        rng, rules = self.rng, self.rules
        blind = getattr(rules, "blind", None)
        free = rng.sample(range(1, rules.table.boxes + 1), rng.randint(1, rules.table.boxes))
        boxes: list[Document] = []
        number = 0
        while free:
            number += 1
            opens = rng.randint(1, min(rules.players.open_boxes, len(free)))
            blinds = 0
            if blind is not None and opens >= blind.needs_open and self.chance(0.6):
                blinds = rng.choice([0, *[count for count in blind.counts if count + opens <= len(free)]])
            ante = self.stake()
            named = opens + blinds > 1 or self.chance(0.7)
            for at in range(opens + blinds):
                same = rules.players.equal_antes or self.chance(0.3)
                box: Document = {"box": free.pop(), "ante": ante if same else self.stake()}
                if named:
                    box["player"] = f"P{number}"
                if at >= opens:
                    box["blind"] = True
                elif self.chance(0.05):
                    box["blind"] = False
                boxes.append(box)
        for box in boxes:
            self.side_stakes(box)
        rng.shuffle(boxes)
        if self.chance(0.7):
            boxes.sort(key=lambda one: one["box"])
        return boxes

    def stake(self) -> int:
        sign = self.sign
        least = -(-sign.min // sign.chip)
        most = sign.max // sign.chip if sign.max is not None else least + self.rng.choice((10, 400))
        return sign.chip * self.rng.choice((least, most, self.rng.randint(least, most)))

    def side_stakes(self, box: Document) -> None:
        bonus, jackpot = self.rules.bonus, self.rules.jackpot
        if bonus is not None and self.chance(0.6):
            box["bonus"] = bonus.stake if bonus.stake is not None else self.stake()
        if jackpot is not None and self.chance(0.7):
            box["jackpot"] = jackpot.stake
        for kind in ("bonus", "jackpot"):
            if kind not in box and self.chance(0.05):
                box[kind] = 0

    def play(self, box: Document, boxes: list[Document], dealer: list[str], later: int) -> None:
        """Deal a box and let it act; `later` boxes have yet to be dealt."""
        rng, deck, rules = self.rng, self.deck, self.rules
        if self.holdem:
            box["cards"] = text(rng, deck.narrow(2) if self.chance(0.3) else deck.any(2))
            box["play"] = [{"do": "fold" if self.chance(0.15) else "bet"}]
            return
        mine = [one for one in boxes if "player" in box and one.get("player") == box["player"]] or [box]
        opens = sum(not one.get("blind") for one in mine)
        blind = bool(box.get("blind"))
        may = rules.blind.may if blind else ("swap", "buy", "insure", "dealer_card")
        # Four cards are enough for any drawing: of one rank there are three beside the dealer's.
        spare = len(deck.left) - 5 * later - (4 if rules.dealer_card is not None else 0)
        buys = "buy" in may and rules.buy is not None and spare >= 6 and self.chance(0.45)
        final = self.hand(6 if buys else 5, dealer)
        acts: list[Document] = []
        if buys:
            acts.append({"do": "buy", "in": final.pop(rng.randrange(6))})
        swaps = "swap" in may and rules.swap is not None and (not buys or rules.buy.with_swap)
        if swaps and self.chance(0.6):
            final = self.swap_back(final, opens, spare - len(final), acts)
        box["cards"] = text(rng, final)
        self.decide(box, acts, may)

    def hand(self, size: int, dealer: list[str]) -> list[str]:
        """The cards a box ends with."""
        deck = self.deck
        how: Callable[[int], list[str]] = self.rng.choice((deck.any, deck.narrow, deck.narrow, deck.narrow))
        if self.chance(0.15):
            hand = deck.like(dealer, self.rng.choice((0, 0, 1)))
            hand += deck.any(size - 5)
        elif self.rules.jackpot is not None and self.chance(0.35):
            hand = deck.royal() + deck.any(size - 5)
        else:
            hand = how(size)
        self.rng.shuffle(hand)
        return hand

    def swap_back(self, final: list[str], opens: int, spare: int, acts: list[Document]) -> list[str]:
        """Swaps that lead to these cards, undone from the last to the first; the cards as they were dealt."""
        plan = next((one for one in self.rules.swap.plans if opens in one.open_boxes), None)
        if plan is None:
            return final
        turns = plan.turns[: self.rng.randint(1, len(plan.turns))]
        hand = final
        for turn in reversed(turns):
            sizes = [fee.cards for fee in turn.fees if fee.cards <= spare]
            if not sizes:
                # A box may leave out its last swap, but not an earlier one of them.
                acts[:] = [act for act in acts if act["do"] != "swap"]
                return final
            count = self.rng.choice(sizes)
            spare -= count
            came = self.rng.sample(hand, count)
            gone = self.deck.any(count)
            hand = [card for card in hand if card not in came] + gone
            self.rng.shuffle(hand)
            acts.insert(0, {"do": "swap", "out": text(self.rng, gone), "in": text(self.rng, came)})
        return hand

    def decide(self, box: Document, acts: list[Document], may: tuple[str, ...]) -> None:
        rules = self.rules
        last = self.last_cards(box["cards"], acts)
        strength = best(cards_of(last)).strength
        blind = bool(box.get("blind"))
        timed_out = rules.time_out is not None and not blind and self.chance(0.15)
        folds = not blind and not timed_out and self.chance(0.12)
        insured = None
        if rules.insurance is not None and "insure" in may and not folds and not timed_out and self.chance(0.7):
            insured = self.insurance(box["ante"], last, strength, acts)
        if insured is not None and (rules.insurance.until == "bet" or self.chance(0.5)) and not blind:
            acts.append({"do": "insure", "amount": insured})
            insured = None
        if not blind and not timed_out:
            acts.append({"do": "fold" if folds else "bet"})
        if insured is not None and not (blind and rules.insurance.until == "bet"):
            acts.append({"do": "insure", "amount": insured})
        in_play = not folds and not timed_out
        if not self.game and in_play and rules.dealer_card is not None and "dealer_card" in may and self.chance(0.5):
            acts.append({"do": "dealer_card"})
        if acts or (not blind and not (timed_out and self.chance(0.5))):
            box["play"] = acts

    def last_cards(self, dealt: str, acts: list[Document]) -> str:
        cards = dealt.replace(" ", "")
        for act in acts:
            if act["do"] in ("swap", "buy"):
                out = cards_of(act.get("out", ""))
                kept = [
                    cards[at : at + 2] for at in range(0, len(cards), 2) if cards_of(cards[at : at + 2])[0] not in out
                ]
                cards = "".join(kept) + act["in"].replace(" ", "")
        return cards

    def insurance(self, ante: int, last: str, strength: int, acts: list[Document]) -> int | None:
        """An amount that this hand may insure, often the least or the most; None where there is none."""
        rule, sign = self.rules.insurance, self.sign
        if strength < STRENGTH[rule.hand]:
            return None
        bet = int(ante * antes(self.rules.bet.antes))
        most = int(winnings_of(self.rules, bet, cards_of(last)) * Fraction(rule.most))
        if rule.most_within_cap and sign.cap is not None:
            most = min(most, sign.cap)
        least = bet if rule.least == "bet" else sign.chip
        low, high = -(-least // sign.chip), most // sign.chip
        if low > high:
            return None
        return sign.chip * self.rng.choice((low, high, self.rng.randint(low, high)))

    def draw(self, dealer: list[str]) -> list[str]:
        """What comes in place of the dealer's highest card."""
        top = max(dealer, key=lambda card: "23456789TJQKA".index(card[0]))[0]
        if not self.rules.dealer_card.redraw:
            return self.one_for(dealer, top, may_be_top=True)
        same = [card for card in self.deck.left if card[0] == top]
        again = self.rng.sample(same, min(len(same), self.rng.choice((0, 0, 1, 1, 2, 3))))
        return self.deck.take(again) + self.one_for(dealer, top, may_be_top=False)

    def one_for(self, dealer: list[str], top: str, *, may_be_top: bool) -> list[str]:
        left = [card for card in self.deck.left if may_be_top or card[0] != top]
        wanted = {card[0] for card in dealer} | ({"A", "K"} if self.chance(0.5) else set())
        helping = [card for card in left if card[0] in wanted]
        return self.deck.take([self.rng.choice(helping if helping and self.chance(0.6) else left)])

    def progress(self, record: Document) -> None:
        if self.rules.jackpot is None:
            return
        if self.chance(0.97):
            record["progressive"] = {"meter": self.rng.choice((0, 1, 12_345_678, self.rng.randrange(10**9)))}
            if self.chance(0.7):
                record["progressive"]["seed"] = self.rng.choice((0, 1_000_000, self.rng.randrange(10**7)))
        else:
            # A meter may be left out where nobody wins a share of it.
            for box in record["boxes"]:
                box.pop("jackpot", None)

    def misdeal(self, record: Document) -> None:
        rng, kinds = self.rng, self.rules.misdeals.kinds
        kind = rng.choice(sorted(kinds))
        misdeal: Document = {"kind": kind}
        boxes = record["boxes"]
        if kinds[kind].voids == "box" or kind == "player_count" or self.chance(0.3):
            misdeal["box"] = rng.choice(boxes)["box"]
        record["misdeal"] = misdeal
        whole = kinds[kind].voids == "round"
        for box in boxes:
            if not whole and box["box"] != misdeal["box"]:
                continue
            if box.get("blind") or self.chance(0.5):
                self.cut_short(box)
        left = [box for box in boxes if not whole and box["box"] != misdeal["box"]]
        if not any(act["do"] == "dealer_card" for box in left for act in box.get("play", ())):
            record["dealer"].pop("drawn", None)
        if whole and self.chance(0.5):
            record.pop("dealer")
            record.pop("board", None)
            for box in boxes:
                box["play"] = [act for act in box.get("play", ()) if act["do"] != "dealer_card"]
                if not box["play"]:
                    box.pop("play")

    def cut_short(self, box: Document) -> None:
        """What is left of a box when the misdeal is noticed early: any number of cards, no plays."""
        box.pop("play", None)
        if self.chance(0.5):
            box.pop("cards")
        elif self.chance(0.5):
            kept = box["cards"].replace(" ", "")
            box["cards"] = kept[: 2 * self.rng.randint(0, len(kept) // 2)]
