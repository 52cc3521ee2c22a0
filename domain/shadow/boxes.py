"""A round of boxes against the dealer, settled: the stud and hold'em families differ only in where cards come from."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any, Protocol

from domain.shadow.case import Case, case_of
from domain.shadow.dealer import Dealer, dealer_of
from domain.shadow.hands import Cards, cards_of
from domain.shadow.jackpot import Won, hits, jackpots
from domain.shadow.scales import odds, whole
from domain.shadow.stakes import judged
from domain.shadow.story import Box, Story, stakes_of, story_of


class Sign(Protocol):
    """What of a table's limits decides who is paid what."""

    @property
    def chip(self) -> int: ...
    @property
    def min(self) -> int: ...
    @property
    def max(self) -> int | None: ...
    @property
    def max_payout_per_box(self) -> int | None: ...


def settle_boxes(rules: Any, sign: Sign, record: Mapping[str, Any]) -> dict[str, Any]:
    """The settlement of a legal record of the stud or the hold'em family."""
    boxes: Sequence[Box] = record["boxes"]
    if record.get("stopped"):
        return _stopped(rules, boxes)
    board = cards_of(record.get("board") or "")
    void, all_void, ante_pays = _void_boxes(rules, boxes, record.get("misdeal"))
    stories = _stories(rules, boxes, void, board)
    # A round of one box, and that one void, may never have had a dealer's hand.
    absent = all_void or (not stories and not (record.get("dealer") or {}).get("cards"))
    dealer = None if absent else _dealer(rules, record["dealer"], board)
    has_jackpot = rules.jackpot is not None
    prizes = jackpots(rules, list(stories.values()), record.get("progressive") or {}) if has_jackpot else {}

    out: list[dict[str, Any]] = []
    for box in boxes:
        story = stories.get(box["box"])
        if story is None or dealer is None:
            out.append(_void(box, stakes_of(rules, box, _open_boxes(boxes, box)), rules, ante_pays, sign))
        else:
            out.append(_settled(case_of(rules, story, dealer), prizes.get(story.box, 0), sign))
    return {
        "boxes": out,
        **({"dealer": _told(dealer)} if dealer is not None else {}),
        "house_net": -sum(box["net"] for box in out),
    }


def hits_of_boxes(rules: Any, record: Mapping[str, Any]) -> list[Won]:
    """The jackpot hits of a legal record in their order."""
    boxes: Sequence[Box] = record["boxes"]
    void, _, _ = _void_boxes(rules, boxes, record.get("misdeal"))
    if record.get("stopped") or rules.jackpot is None:
        return []
    stories = _stories(rules, boxes, void, cards_of(record.get("board") or ""))
    return hits(rules, list(stories.values()), record.get("progressive") or {})


def _stories(rules: Any, boxes: Sequence[Box], void: set[int], board: Cards) -> dict[int, Story]:
    return {b["box"]: story_of(rules, b, _open_boxes(boxes, b), board) for b in boxes if b["box"] not in void}


def _stopped(rules: Any, boxes: Sequence[Box]) -> dict[str, Any]:
    """A round that a supervisor ended before its time: whatever was put up comes back, and nothing is won or lost."""
    out = []
    for box in boxes:
        stakes = stakes_of(rules, box, _open_boxes(boxes, box))
        out.append({"box": box["box"], **_sums(stakes, stakes, {}, {}, 0), "void": True})
    return {"boxes": out, "house_net": 0}


def _void_boxes(
    rules: Any, boxes: Sequence[Box], misdeal: Mapping[str, Any] | None
) -> tuple[set[int], bool, str | None]:
    """The boxes a misdeal makes void, whether that is the whole round, and the odds their antes are paid at (F, G)."""
    if misdeal is None:
        return set(), False, None
    rule = rules.misdeals.kinds[misdeal["kind"]]
    if rule.voids == "round":
        return {box["box"] for box in boxes}, True, rule.ante
    return {misdeal["box"]}, False, rule.ante


def _open_boxes(boxes: Sequence[Box], of: Box) -> int:
    """How many boxes the player of a box plays openly; one who is not named plays just this one."""
    player = of.get("player")
    mine = [box for box in boxes if box.get("player") == player] if player is not None else [of]
    return sum(not box.get("blind") for box in mine)


def _dealer(rules: Any, dealer: Mapping[str, Any], board: Cards) -> Dealer:
    return dealer_of(rules, cards_of(dealer["cards"]) + board, cards_of(dealer.get("drawn") or ""))


def _told(dealer: Dealer) -> dict[str, Any]:
    return {"hand": dealer.first.name, "qualifies": dealer.first_game, "final": dealer.final.name}


def _settled(case: Case, jackpot: int, sign: Sign) -> dict[str, Any]:
    stakes = case.story.stakes
    by_kind = {kind: judged(kind, case) for kind in stakes}
    paid = {kind: one.paid for kind, one in by_kind.items()}
    if jackpot:
        paid["jackpot"] = jackpot
    second = case.second()
    return {
        "box": case.story.box,
        "hand": case.last.name,
        **({"second": second.name} if second is not None else {}),
        **_sums(
            stakes,
            {kind: stakes[kind] for kind, one in by_kind.items() if one.fate == "returned"},
            {kind: stakes[kind] for kind, one in by_kind.items() if one.fate == "taken"},
            *_capped(paid, case.rules.cap.kinds, sign.max_payout_per_box),
        ),
    }


def _void(box: Box, stakes: dict[str, int], rules: Any, ante_pays: str | None, sign: Sign) -> dict[str, Any]:
    """A void box: everything put up comes back, and where the sheet says so the ante is paid as well (F.misdeal)."""
    paid = {"ante": whole(Fraction(stakes["ante"]) * odds(ante_pays))} if ante_pays is not None else {}
    capped = _capped(paid, rules.cap.kinds, sign.max_payout_per_box)
    return {"box": box["box"], **_sums(stakes, stakes, {}, *capped), "void": True}


def _capped(paid: dict[str, int], kinds: Sequence[str], most: int | None) -> tuple[dict[str, int], int]:
    """What is left of the payments under the table's cap, the first kind giving way first, and what was withheld."""
    over = 0 if most is None else max(0, sum(paid.get(kind, 0) for kind in kinds) - most)
    left, withheld = dict(paid), 0
    for kind in kinds:
        gives = min(left.get(kind, 0), over - withheld)
        left[kind] = left.get(kind, 0) - gives
        withheld += gives
    return left, withheld


def _sums(
    stakes: dict[str, int], returned: dict[str, int], taken: dict[str, int], paid: dict[str, int], capped: int
) -> dict[str, Any]:
    return {
        "stakes": stakes,
        "returned": returned,
        "taken": taken,
        "paid": {kind: amount for kind, amount in paid.items() if amount},
        "capped": capped,
        "net": sum(paid.values()) - sum(taken.values()),
    }
