"""The parts of a sheet that every game of boxes against the dealer has: stud and hold'em families share them.

Odds are text as printed ("3:1": three times the stake, which comes back as well); prices in antes are decimal text
("1.5"); sums of money are minor units. Where a hand has no line in a table of odds it is paid as the next lower line,
and below the lowest line as that one, unless the part says otherwise.
"""

from typing import Annotated, Literal, TypeAlias

from msgspec import Meta, Struct

from domain.ruleset.base import Clause

Odds: TypeAlias = Annotated[str, Meta(pattern=r"^[1-9]\d{0,3}:[1-9]\d?$")]
Antes: TypeAlias = Annotated[str, Meta(pattern=r"^(?!0+(\.0+)?$)\d{1,2}(\.\d{1,2})?$")]
Share: TypeAlias = Annotated[str, Meta(pattern=r"^(1|0\.(\d[1-9]|[1-9]\d?))$")]
Money: TypeAlias = Annotated[int, Meta(ge=1, le=10**10)]
HandName: TypeAlias = Literal[
    "high card",
    "ace-king",
    "pair",
    "two pairs",
    "three of a kind",
    "straight",
    "flush",
    "full house",
    "four of a kind",
    "straight flush",
    "royal flush",
]
Qualifier: TypeAlias = Annotated[
    str,
    Meta(
        pattern=r"^(any|ace-or-king|ace-king|pair|two pairs|three of a kind|straight|flush|full house|four of a kind"
        r"|(pair|three of a kind|full house|four of a kind) of ([2-9]|10|jack|queen|king|ace))$"
    ),
]
Kind: TypeAlias = Literal["ante", "bet", "insurance"]
MisdealKind: TypeAlias = Literal["player_count", "dealer_count", "exposed_card", "order_touched", "order_unrestorable"]
Act: TypeAlias = Literal["swap", "buy", "insure", "dealer_card"]


class OddsTable(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Odds by hand, under one clause."""

    clause: Clause
    odds: Annotated[dict[HandName, Odds], Meta(min_length=1)]


class LimitClass(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A class of tables that the sheet prints: the ante's limits in minor units."""

    min: Money
    max: Money


class Table(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """How many boxes the table has. classes: the limits the sheet prints, for those who open a table."""

    clause: Clause
    boxes: Annotated[int, Meta(ge=1, le=9)]
    classes: tuple[LimitClass, ...] = ()


class Players(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """How many boxes one player may play openly, and whether all antes of one player are equal."""

    clause: Clause
    open_boxes: Annotated[int, Meta(ge=1, le=9)] = 1
    equal_antes: bool = True


class Blind(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Boxes played blind: ante and bet before the deal, no decisions.

    needs_open: how many open boxes the player must have beside them. counts: how many blind boxes one player may have.
    may: what a blind box may do all the same.
    """

    clause: Clause
    needs_open: Annotated[int, Meta(ge=0, le=9)]
    counts: Annotated[tuple[Annotated[int, Meta(ge=1, le=9)], ...], Meta(min_length=1)]
    may: tuple[Act, ...] = ()


class Bet(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The bet, in antes."""

    clause: Clause
    antes: Antes = "2"


class Fold(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Giving up the hand: the ante is taken."""

    clause: Clause


class TimeOut(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A player who does not act in time: with `bet_from` or better the bet is placed, else the hand is folded."""

    clause: Clause
    bet_from: HandName


class Dealer(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """When the dealer has a game.

    qualifier: "any", "ace-or-king" (at least an ace or a king, or any pair), a hand ("ace-king", "pair", ...: that or
    better) or a group with its rank ("pair of 4": a pair of fours or better).
    """

    clause: Clause
    qualifier: Qualifier


class Win(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The player's hand beats the dealer's game. ante absent: the ante is returned, not paid."""

    clause: Clause
    bet: OddsTable
    ante: OddsTable | None = None


class Lose(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The dealer's game beats the player's hand: ante and bet are taken."""

    clause: Clause


class Push(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Equal hands: ante and bet are returned."""

    clause: Clause


class NoGame(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The dealer has no game: the bet is returned. ante absent: the ante is returned, not paid.

    bet: hands that are paid on the bet all the same; a hand below the lowest line is not.
    """

    clause: Clause
    ante: OddsTable | None = None
    bet: OddsTable | None = None


class Bonus(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A side stake on the box's own hand; a hand below the lowest line loses it.

    stake: a fixed sum in minor units; absent: any size within the table's limits. Paid by `odds`, or by `prizes` in
    minor units. on: `first-cards` as dealt, or the `final-hand`. stake_when_won: returned, or taken even then. at_swap,
    at_fold: whether the stake is taken there, or plays on.
    """

    clause: Clause
    stake: Money | None = None
    on: Literal["first-cards", "final-hand"] = "first-cards"
    stake_when_won: Literal["returned", "taken"] = "returned"
    at_swap: Literal["taken", "plays"] = "plays"
    at_fold: Literal["taken", "plays"] = "taken"
    odds: dict[HandName, Odds] = {}
    prizes: dict[HandName, Money] = {}


class Prize(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A jackpot prize: `percent` of the meter of a level, or a sum in minor units."""

    clause: Clause
    percent: Annotated[int, Meta(ge=1, le=100)] | None = None
    sum: Money | None = None
    level: Annotated[int, Meta(ge=1, le=10)] = 1


class Jackpot(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The stake in the progressive: a fixed sum, always taken. Prizes are won on the first cards, whatever follows."""

    clause: Clause
    stake: Money
    prizes: Annotated[dict[HandName, Prize], Meta(min_length=1)]


class Cap(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Which payouts of a box the table's `max_payout_per_box` counts; what is over comes off the first kind first."""

    clause: Clause
    kinds: Annotated[tuple[Kind, ...], Meta(min_length=1)] = ("bet", "insurance")


class Misdeal(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A kind of misdeal. voids: the box it names alone, or the round. ante: paid at these odds all the same."""

    clause: Clause
    voids: Literal["box", "round"] = "round"
    ante: Odds | None = None


class Misdeals(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The misdeals a sheet knows. clause: also of a round that a supervisor stops."""

    clause: Clause
    kinds: Annotated[dict[MisdealKind, Misdeal], Meta(min_length=1)]
