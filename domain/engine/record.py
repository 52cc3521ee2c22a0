"""The round record as it comes in: strict shapes, so that what decodes is a record and what does not is `bad_record`.

A field that was not there is UNSET, which is not the same as one that was there with its default.
"""

from typing import Annotated, Literal, TypeAlias

from msgspec import UNSET, Meta, Struct, UnsetType

MOST = 10**12
"""The largest amount a record may hold, in minor units: far above any table, and no sum of payouts can overflow."""

Amount: TypeAlias = Annotated[int, Meta(ge=-MOST, le=MOST)]
Sum: TypeAlias = Annotated[int, Meta(ge=0, le=MOST)]
BoxNumber: TypeAlias = Annotated[int, Meta(ge=-MOST, le=MOST)]
MisdealKind: TypeAlias = Literal["player_count", "dealer_count", "exposed_card", "order_touched", "order_unrestorable"]


class _Shape(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, gc=False, kw_only=True):
    pass


class Swap(_Shape, frozen=True, tag="swap", tag_field="do", rename={"cards_in": "in"}):
    out: str
    cards_in: str


class Buy(_Shape, frozen=True, tag="buy", tag_field="do", rename={"cards_in": "in"}):
    cards_in: str


class Insure(_Shape, frozen=True, tag="insure", tag_field="do"):
    amount: Amount


class Bet(_Shape, frozen=True, tag="bet", tag_field="do"):
    pass


class Fold(_Shape, frozen=True, tag="fold", tag_field="do"):
    pass


class DealerCard(_Shape, frozen=True, tag="dealer_card", tag_field="do"):
    pass


Play: TypeAlias = Swap | Buy | Insure | Bet | Fold | DealerCard


class RecordBox(_Shape, frozen=True):
    box: BoxNumber
    ante: Amount
    player: str | UnsetType = UNSET
    bonus: Amount | UnsetType = UNSET
    jackpot: Amount | UnsetType = UNSET
    blind: bool | UnsetType = UNSET
    cards: str | UnsetType = UNSET
    play: tuple[Play, ...] | UnsetType = UNSET


class RecordDealer(_Shape, frozen=True):
    cards: str | UnsetType = UNSET
    drawn: str | UnsetType = UNSET


class RecordMisdeal(_Shape, frozen=True):
    kind: MisdealKind
    box: BoxNumber | UnsetType = UNSET


class RecordProgressive(_Shape, frozen=True):
    meter: Sum | UnsetType = UNSET
    seed: Sum | UnsetType = UNSET


class RecordTable(_Shape, frozen=True):
    currency: Annotated[str, Meta(pattern=r"^[A-Z]{3}$")] | UnsetType = UNSET
    chip: Annotated[int, Meta(ge=1, le=MOST)] | UnsetType = UNSET
    min: Sum | UnsetType = UNSET
    max: Sum | UnsetType = UNSET
    max_payout_per_box: Sum | UnsetType = UNSET


class RecordWager(_Shape, frozen=True):
    on: str
    player: str | UnsetType = UNSET
    amount: Amount | UnsetType = UNSET
    unit: Amount | UnsetType = UNSET
    late: bool | UnsetType = UNSET


class Record(_Shape, frozen=True):
    """One finished round of any engine; which fields it may hold is the engine's to say."""

    ruleset: str
    table: RecordTable | UnsetType = UNSET
    boxes: tuple[RecordBox, ...] | UnsetType = UNSET
    dealer: RecordDealer | UnsetType = UNSET
    board: str | UnsetType = UNSET
    misdeal: RecordMisdeal | UnsetType = UNSET
    progressive: RecordProgressive | UnsetType = UNSET
    bets: tuple[RecordWager, ...] | UnsetType = UNSET
    result: Annotated[int, Meta(ge=0, le=36)] | UnsetType | None = UNSET
