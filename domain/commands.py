"""What outside programs may ask of the house, as strict shapes: the bodies of the writing doors.

Unknown fields, wrong types and numbers out of bounds are refused at the edge, before anything is decided. Amounts are
whole minor units. `at` is business time (RFC 3339); absent, the clock's.
"""

from datetime import datetime
from typing import Annotated, Any, Literal

from msgspec import UNSET, Meta, Struct, UnsetType

from domain.events.base import Chips
from domain.events.correction import OrderedPayment
from domain.events.progressive import LevelTerms
from domain.events.rules import Par, ProgressiveLimits, Threshold, Transfer, Window

Amount = Annotated[int, Meta(gt=0, le=10**12)]
Name = Annotated[str, Meta(pattern=r"^[A-Za-z0-9_-][A-Za-z0-9_.-]{0,39}$")]
Player = Annotated[str, Meta(pattern=r"^[A-Za-z0-9_-]{1,40}$")]
Day = Annotated[str, Meta(pattern=r"^\d{4}-\d{2}-\d{2}$")]
Reason = Annotated[str, Meta(min_length=3, max_length=400)]
CardText = Annotated[str, Meta(min_length=2, max_length=40)]
ChipList = Annotated[tuple[Chips, ...], Meta(min_length=1, max_length=40)]


class Command(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What every command may carry."""

    at: datetime | None = None


class OpenTable(Command, frozen=True, kw_only=True):
    ruleset: Name
    currency: Annotated[str, Meta(pattern=r"^[A-Z]{3}$")]
    chip: Amount
    min: Amount
    max: Amount
    max_payout_per_box: Amount | None = None
    progressive: Name | None = None
    gaming_day: Day | None = None
    shift: Name | None = None
    opener: Annotated[tuple[Chips, ...], Meta(max_length=40)]


class PostLimits(Command, frozen=True, kw_only=True):
    min: Amount
    max: Amount
    max_payout_per_box: Amount | None = None


class CloseTable(Command, frozen=True, kw_only=True):
    """roll_to, roll_shift: open the next session at once, on another day, in another shift, or both."""

    closer: Annotated[tuple[Chips, ...], Meta(max_length=40)]
    roll_to: Day | None = None
    roll_shift: Name | None = None


class BuyChips(Command, frozen=True, kw_only=True):
    player: Player
    amount: Amount
    tender: Literal["cash"] = "cash"


class DropTip(Command, frozen=True, kw_only=True):
    amount: Amount
    player: Player | None = None


class MoveChips(Command, frozen=True, kw_only=True):
    """Request a fill or a credit."""

    chips: ChipList


class SignSlip(Command, frozen=True, kw_only=True):
    """One more signature on a slip."""


class PrepareSlip(SignSlip, frozen=True, kw_only=True):
    """The cashier's signature. window: the window that serves the slip; absent, the main bank does."""

    window: Name | None = None


class VoidSlip(Command, frozen=True, kw_only=True):
    reason: Reason


class BoxStakes(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """One box before the deal. accepted: the dealer took stakes outside the posted limits; they play, flagged."""

    box: Annotated[int, Meta(ge=1, le=20)]
    ante: Amount
    player: Player | None = None
    bonus: Annotated[int, Meta(ge=0, le=10**12)] = 0
    jackpot: Annotated[int, Meta(ge=0, le=10**12)] = 0
    blind: bool = False
    accepted: bool = False


class OpenLiveRound(Command, frozen=True, kw_only=True):
    """A live round step by step: the boxes and their stakes before the deal (roulette: no boxes)."""

    boxes: Annotated[tuple[BoxStakes, ...], Meta(max_length=20)] = ()
    shoe: Literal["house", "external"] = "house"


class LiveCards(Command, frozen=True, kw_only=True):
    """Cards of an outside shoe for one box, the dealer's face-up card or the board; empty: the house shoe deals."""

    box: int | None = None
    cards: CardText | None = None
    upcard: CardText | None = None
    board: CardText | None = None


class LiveAction(Command, frozen=True, kw_only=True, rename={"in_": "in"}):
    """What a box does. `in_` (JSON `in`): the cards an outside shoe gave. Roulette: on, amount or unit, late."""

    do: Literal["swap", "buy", "insure", "bet", "fold", "dealer_card", "decline_dealer_card", "time_out", "wager"]
    box: int | None = None
    out: CardText | None = None
    in_: CardText | None = None
    amount: Amount | None = None
    player: Player | None = None
    on: Annotated[str, Meta(max_length=60)] | None = None
    unit: Amount | None = None
    late: bool = False


class LiveDealer(Command, frozen=True, kw_only=True):
    """The dealer's cards, the cards drawn for a bought one, or roulette's number; empty: the house shoe draws."""

    cards: CardText | None = None
    drawn: CardText | None = None
    number: Annotated[int, Meta(ge=0, le=36)] | UnsetType | None = UNSET


class VoidRound(Command, frozen=True, kw_only=True):
    """End the live round: a misdeal of a kind the sheet knows, or (kind absent) a supervisor's reason."""

    reason: Reason
    kind: Literal["player_count", "dealer_count", "exposed_card", "order_touched", "order_unrestorable"] | None = None
    box: int | None = None


class RightPayment(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What a stake of a box should have been paid, in minor units."""

    box: Annotated[int, Meta(ge=1, le=100)]
    kind: Annotated[str, Meta(pattern=r"^[a-z_]{1,20}$")]
    paid: Annotated[int, Meta(ge=0, le=10**12)]


class ProposeCorrection(Command, frozen=True, kw_only=True):
    """Put a settled round right: by the record that it should have been, or by what should have been paid."""

    round: Annotated[str, Meta(min_length=1, max_length=80)]
    reason: Reason
    record: dict[str, Any] | None = None
    payments: Annotated[tuple[RightPayment, ...], Meta(max_length=40)] = ()


class ReannounceHand(Command, frozen=True, kw_only=True):
    """A hand announced wrongly, announced again; box absent: the dealer's."""

    round: Annotated[str, Meta(min_length=1, max_length=80)]
    reason: Reason
    was: Annotated[str, Meta(min_length=3, max_length=20)]
    now: Annotated[str, Meta(min_length=3, max_length=20)]
    box: Annotated[int, Meta(ge=1, le=20)] | None = None


class MakeRuling(Command, frozen=True, kw_only=True):
    """The casino manager's ruling and the payments it orders."""

    ruling: Annotated[str, Meta(min_length=3, max_length=1000)]
    reason: Reason
    payments: Annotated[tuple[OrderedPayment, ...], Meta(max_length=20)] = ()
    round: Annotated[str, Meta(min_length=1, max_length=80)] | None = None


class ProposeProgressive(Command, frozen=True, kw_only=True):
    """account: what the house calls the account that holds the players' money (WAC 230-15-455)."""

    id: Name
    account: Annotated[str, Meta(max_length=80)] = ""
    currency: Annotated[str, Meta(pattern=r"^[A-Z]{3}$")]
    levels: Annotated[tuple[LevelTerms, ...], Meta(min_length=1, max_length=10)]
    fixed_prizes_from: Literal["house", "meter"] = "house"
    same_deal: Literal["box_order", "shared"] = "box_order"


class StopProgressive(Command, frozen=True, kw_only=True):
    reason: Reason


class StartProgressive(Command, frozen=True, kw_only=True):
    pass


class ImposeLimit(Command, frozen=True, kw_only=True):
    """A limit in minor units, at or above what the meter shows."""

    level: int
    limit: Amount
    reason: Reason


class ChangeTerms(Command, frozen=True, kw_only=True):
    """All levels as they shall be, while the progressive is stopped."""

    levels: Annotated[tuple[LevelTerms, ...], Meta(min_length=1, max_length=10)]
    fixed_prizes_from: Literal["house", "meter"] = "house"
    same_deal: Literal["box_order", "shared"] = "box_order"
    reason: Reason


class AdjustMeter(Command, frozen=True, kw_only=True):
    """amount_u: millionths as decimal text, signed. cause: why the law allows it (WAC 230-15-695)."""

    level: int
    balance: Literal["display", "reserve", "overflow", "residue"]
    amount_u: Annotated[str, Meta(pattern=r"^-?[1-9]\d{0,17}$")]
    cause: Literal["malfunction", "above_limit", "undisplayed_to_receipts", "seed_recovery", "reversal", "house_gift"]
    reason: Reason


class TransferFunds(Command, frozen=True, kw_only=True):
    """All that a level of a stopped progressive holds, to another one of the same currency."""

    level: int
    to: Name
    to_level: int = 1
    reason: Reason


class AnnounceStop(Command, frozen=True, kw_only=True):
    """A voluntary stop, announced: from this gaming day on."""

    stops_on: Day
    reason: Reason


class RegisterOrphans(Command, frozen=True, kw_only=True):
    """What a progressive that was stopped for good still holds goes into the register of orphans."""

    reason: Reason


class RetireProgressive(Command, frozen=True, kw_only=True):
    reason: Reason


class TakeHitStep(Command, frozen=True, kw_only=True):
    """A step of a hit's verification; a failed one may be taken again. A dispute begins and ends with a note."""

    step: Literal["hand_verified", "deck_checked", "surveillance_confirmed", "disputed", "dispute_settled"]
    result: Literal["passed", "failed"] = "passed"
    note: Annotated[str, Meta(max_length=400)] = ""


class ShowHit(Command, frozen=True, kw_only=True):
    """A display has the winning value on it. display: its own name, the same every time; `at`: since when."""

    display: Name


class PrintSlip(Command, frozen=True, kw_only=True):
    """Paper is made of a slip: said before it is printed."""


class RejectHit(Command, frozen=True, kw_only=True):
    reason: Reason


class DecideApproval(Command, frozen=True, kw_only=True):
    decision: Literal["approve", "refuse"]
    reason: Annotated[str, Meta(max_length=400)] = ""


class PayHit(Command, frozen=True, kw_only=True):
    """Pay a pending hit from the cage, or at the table where it was won.

    instrument: what the player is given; absent, cash from the cage and chips from the tray.
    """

    paid_by: Literal["cage", "tray"] = "cage"
    instrument: Literal["cash", "chips", "cheque", "bank_transfer"] | None = None


class PublishRuleset(Command, frozen=True, kw_only=True):
    """The whole text of a ruleset file."""

    text: Annotated[str, Meta(max_length=200_000)]


class OpenDay(Command, frozen=True, kw_only=True):
    day: Day
    shift: Name = "1"


class OpenShift(Command, frozen=True, kw_only=True):
    shift: Name


class CloseDay(Command, frozen=True, kw_only=True):
    """Fix the figure of a gaming day."""


class AuditDay(Command, frozen=True, kw_only=True):
    note: Annotated[str, Meta(max_length=400)] = ""


class IssueColour(Command, frozen=True, kw_only=True):
    """Colour for cash or for value chips; value in minor units a chip, absent: the table minimum."""

    player: Player
    colour: Name
    count: Annotated[int, Meta(gt=0, le=100_000)]
    value: Amount | None = None
    tender: Literal["cash", "chips"] = "cash"


class CashInColour(Command, frozen=True, kw_only=True):
    """The whole colour comes back; count 0: the player has none of it left."""

    colour: Name
    count: Annotated[int, Meta(ge=0, le=100_000)]


class CountTray(Command, frozen=True, kw_only=True):
    chips: Annotated[tuple[Chips, ...], Meta(max_length=40)]


class MountBox(Command, frozen=True, kw_only=True):
    """box: the label on the empty box."""

    box: Name


class MoveBox(Command, frozen=True, kw_only=True):
    """A drop box changes hands."""


class ProposeRules(Command, frozen=True, kw_only=True):
    """All money rules as they shall be from a gaming day on."""

    valid_from: Day
    windows: Annotated[tuple[Window, ...], Meta(max_length=100)] = ()
    transfers: Annotated[tuple[Transfer, ...], Meta(max_length=1000)] = ()
    thresholds: Annotated[tuple[Threshold, ...], Meta(max_length=100)] = ()
    idle_minutes: Annotated[int, Meta(gt=0, le=1440)] = 45
    progressives: ProgressiveLimits = ProgressiveLimits()
    pars: Annotated[tuple[Par, ...], Meta(max_length=1000)] = ()
    reason: Reason


class Acknowledge(Command, frozen=True, kw_only=True):
    """What was found when the exception was looked into."""

    note: Reason


class CountBox(Command, frozen=True, kw_only=True):
    """The cash in a box by denomination; an empty box has none."""

    cash: Annotated[tuple[Chips, ...], Meta(max_length=40)]
