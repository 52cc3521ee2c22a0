"""What a sheet of the five-card stud family says, as data."""

from typing import Annotated, Literal

from msgspec import Meta, Struct

from domain.ruleset.base import Clause
from domain.ruleset.boxes import (
    Antes,
    Bet,
    Blind,
    Bonus,
    Cap,
    Dealer,
    Fold,
    HandName,
    Jackpot,
    Lose,
    Misdeals,
    NoGame,
    Odds,
    Players,
    Push,
    Share,
    Table,
    TimeOut,
    Win,
)


class Fee(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What it costs, in antes, to swap this many cards."""

    cards: Annotated[int, Meta(ge=1, le=5)]
    antes: Antes


class SwapTurn(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """One swap of a box: the numbers of cards it may be of, each with its price."""

    fees: Annotated[tuple[Fee, ...], Meta(min_length=1)]


class SwapPlan(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The swaps of a box, in their order, for a player with one of these numbers of open boxes."""

    clause: Clause
    open_boxes: Annotated[tuple[Annotated[int, Meta(ge=1, le=9)], ...], Meta(min_length=1)] = (1,)
    turns: Annotated[tuple[SwapTurn, ...], Meta(min_length=1, max_length=9)]


class Swap(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Exchanging cards before the bet. short_deck: what happens when the deck has too few cards left for it."""

    clause: Clause
    plans: Annotated[tuple[SwapPlan, ...], Meta(min_length=1)]
    short_deck: Literal["not-offered"] = "not-offered"


class Buy(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A sixth card before the bet, once. with_swap: whether a box may both swap and buy, in either order."""

    clause: Clause
    antes: Antes = "1"
    with_swap: bool = False
    short_deck: Literal["not-offered"] = "not-offered"


class Insurance(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A stake against "no game".

    hand: the lowest that may be insured. least: one chip or the bet. most: the share of what the bet would win.
    most_within_cap: whether `max_payout_per_box` also lowers the most. until: placed before the bet only, or also after
    it until the dealer's cards are turned. several_boxes: with more than one open box until the player's next box is
    looked at, or as with one. odds: on no game. insured_ante: what becomes of the ante then, `as-uninsured` or
    `returned`. dealer_higher, push: the stake's fate against a game that beats or equals the hand; it is taken against
    a lower one.
    """

    clause: Clause
    hand: HandName
    least: Literal["chip", "bet"] = "chip"
    most: Share = "1"
    most_within_cap: bool = False
    until: Literal["bet", "reveal"] = "reveal"
    several_boxes: Literal["next-box", "as-one"] = "next-box"
    odds: Odds = "1:1"
    insured_ante: Literal["as-uninsured", "returned"] = "as-uninsured"
    dealer_higher: Literal["returned", "taken"] = "returned"
    push: Literal["returned", "taken"] = "taken"


class DealerCard(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """On no game a box may pay for another card in place of the dealer's highest.

    redraw: a card of the rank thrown away is thrown away too. fee: always taken, or returned where there is still no
    game. decliners: settled as no game, or by the dealer's final hand with the rest. insurance: settled on the dealer's
    first cards or on the final hand. still_no_game: the buyers' ante is returned, or paid as on no game.
    """

    clause: Clause
    antes: Antes = "1"
    redraw: bool = False
    redraw_clause: Clause | None = None
    fee: Literal["taken", "returned-on-no-game"] = "taken"
    decliners: Literal["no-game", "final-hand"] = "no-game"
    insurance: Literal["first-cards", "final-hand"] = "first-cards"
    still_no_game: Literal["ante-returned", "ante-paid"] = "ante-returned"


class Combinations(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A winning bet is also paid for an additional combination that uses a card the main one does not use."""

    clause: Clause


class HeldBonus(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A winning hand of this category that also holds an ace and a king is paid `times` over on the bet."""

    clause: Clause
    hand: HandName
    times: Annotated[int, Meta(ge=2, le=9)] = 2


class StudRules(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """All parts of a stud sheet; an absent part is not offered."""

    table: Table
    players: Players
    bet: Bet
    fold: Fold
    dealer: Dealer
    win: Win
    lose: Lose
    push: Push
    no_game: NoGame
    cap: Cap
    misdeals: Misdeals
    blind: Blind | None = None
    time_out: TimeOut | None = None
    bonus: Bonus | None = None
    jackpot: Jackpot | None = None
    swap: Swap | None = None
    buy: Buy | None = None
    insurance: Insurance | None = None
    dealer_card: DealerCard | None = None
    combinations: Combinations | None = None
    ace_king_bonus: HeldBonus | None = None
