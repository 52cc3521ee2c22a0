"""The life of one progressive, on stream `progressive/<id>`: proposed, approved, changed, its hits, retired.

Who showed a hit stands on `displays/<hit>`: five hundred signs must not move the stream that every table reads.
"""

from datetime import datetime

from msgspec import Struct

from domain.events.base import Event


class LevelTerms(Struct, frozen=True, forbid_unknown_fields=True, gc=False):
    """One level: seed and limit in minor units, shares of each stake in parts per million.

    limit None: the meter grows without bound; else what would pass it goes to the overflow.
    """

    level: int
    seed: int
    increment_ppm: int
    reserve_ppm: int = 0
    limit: int | None = None


class ProgressiveProposed(Event, frozen=True, kw_only=True):
    TOPIC = "progressive.proposed"
    progressive: str
    currency: str
    levels: tuple[LevelTerms, ...]
    fixed_prizes_from: str
    approval: str
    same_deal: str = "box_order"
    account: str = ""


class ProgressiveOpened(Event, frozen=True, kw_only=True):
    """Approved by a second person: the house funds each level's seed and the meters run.

    same_deal says how winners of one deal divide a meter: `box_order`, or `shared` equally. account names where the
    players' money is kept.
    """

    TOPIC = "progressive.opened"
    progressive: str
    currency: str
    levels: tuple[LevelTerms, ...]
    fixed_prizes_from: str
    approval: str
    same_deal: str = "box_order"
    account: str = ""


class ProgressiveRefused(Event, frozen=True, kw_only=True):
    TOPIC = "progressive.refused"
    progressive: str
    approval: str
    reason: str


class ProgressiveStopped(Event, frozen=True, kw_only=True):
    """No more stakes are taken; the meters stand, and what is on the felt is settled."""

    TOPIC = "progressive.stopped"
    progressive: str
    reason: str


class ProgressiveStarted(Event, frozen=True, kw_only=True):
    TOPIC = "progressive.started"
    progressive: str


class Limit(Struct, frozen=True, forbid_unknown_fields=True, tag="limit", tag_field="change"):
    """A limit, in minor units, at or above what the meter shows (WAC 230-15-685(4))."""

    level: int
    limit: int


class Terms(Struct, frozen=True, forbid_unknown_fields=True, tag="terms", tag_field="change"):
    """Other rates, seeds and rules, while the progressive is stopped (9 NYCRR 5321.18)."""

    levels: tuple[LevelTerms, ...]
    fixed_prizes_from: str
    same_deal: str


class Adjustment(Struct, frozen=True, forbid_unknown_fields=True, tag="adjustment", tag_field="change"):
    """amount_u millionths into (positive) or out of (negative) a balance, for one of the lawful causes."""

    level: int
    balance: str
    amount_u: int
    cause: str


class Transfer(Struct, frozen=True, forbid_unknown_fields=True, tag="transfer", tag_field="change"):
    """All that a stopped level holds, to a level of another progressive of the same currency."""

    level: int
    to: str
    to_level: int


class Retirement(Struct, frozen=True, forbid_unknown_fields=True, tag="retirement", tag_field="change"):
    """The end: nothing left over, nothing pending."""


class Orphaning(Struct, frozen=True, forbid_unknown_fields=True, tag="orphaning", tag_field="change"):
    """What a progressive stopped for good holds goes into the register of orphans."""


Change = Limit | Terms | Adjustment | Transfer | Retirement | Orphaning


class ChangeProposed(Event, frozen=True, kw_only=True):
    """A change of a running progressive that needs a second person."""

    TOPIC = "progressive.change_proposed"
    progressive: str
    approval: str
    change: Change
    reason: str


class ChangeRefused(Event, frozen=True, kw_only=True):
    TOPIC = "progressive.change_refused"
    progressive: str
    approval: str
    reason: str


class LimitImposed(Event, frozen=True, kw_only=True):
    TOPIC = "progressive.limit_imposed"
    progressive: str
    level: int
    limit: int
    reason: str
    approval: str


class TermsChanged(Event, frozen=True, kw_only=True):
    TOPIC = "progressive.terms_changed"
    progressive: str
    levels: tuple[LevelTerms, ...]
    fixed_prizes_from: str
    same_deal: str
    reason: str
    approval: str


class MeterAdjusted(Event, frozen=True, kw_only=True):
    """A balance moved by hand, with its cause; before_u and after_u are the balance around it."""

    TOPIC = "progressive.adjusted"
    progressive: str
    level: int
    balance: str
    amount_u: int
    before_u: int
    after_u: int
    cause: str
    reason: str
    approval: str


class FundsSent(Event, frozen=True, kw_only=True):
    """All balances of a level go to another progressive; base_u is the house's own part of the display."""

    TOPIC = "progressive.funds_sent"
    progressive: str
    level: int
    to: str
    to_level: int
    display_u: int
    reserve_u: int
    overflow_u: int
    residue_u: int
    base_u: int
    reason: str
    approval: str


class FundsReceived(Event, frozen=True, kw_only=True):
    """Funds of another progressive come in: onto the display, up to the limit, and into the reserve."""

    TOPIC = "progressive.funds_received"
    progressive: str
    level: int
    sender: str
    sender_level: int
    display_u: int
    reserve_u: int
    base_u: int
    approval: str


class ProgressiveRetired(Event, frozen=True, kw_only=True):
    TOPIC = "progressive.retired"
    progressive: str
    reason: str
    approval: str


class HitStepTaken(Event, frozen=True, kw_only=True):
    """One step of a hit's verification, by whom and when the envelope says. `hit` names the hit as round.box.level.

    role: the duty in which the step was taken. A dispute begins and ends with a step of its own.
    """

    TOPIC = "progressive.hit_step"
    progressive: str
    hit: str
    step: str
    note: str = ""
    role: str = ""
    result: str = "passed"


class HitPaid(Event, frozen=True, kw_only=True):
    """A pending hit's award has left the house; it computes nothing. `hit` names the hit as round.box.level."""

    TOPIC = "progressive.hit_paid"
    progressive: str
    level: int
    hit: str
    table: str
    round: str
    amount: int
    paid_by: str


class HitRejected(Event, frozen=True, kw_only=True):
    """A pending hit was none: its award goes back on the meter, the new seed to where it came from."""

    TOPIC = "progressive.hit_rejected"
    progressive: str
    level: int
    hit: str
    award: int
    meter_before_u: int
    meter_after_u: int
    to_reserve_u: int
    to_house_u: int
    base_u: int
    reason: str


class Showing(Struct, frozen=True, forbid_unknown_fields=True, gc=False):
    """One display, by its own name, had the winning value on it from this moment on (UTC)."""

    display: str
    shown_at: datetime


class HitShown(Event, frozen=True, kw_only=True):
    """Displays that say they show a hit's winning value; many in one event, each display once a hit."""

    TOPIC = "displays.hit_shown"
    progressive: str
    hit: str
    displays: tuple[Showing, ...]


class ProgressiveStopAnnounced(Event, frozen=True, kw_only=True):
    """Notice of a voluntary stop, posted for the players: from this gaming day on."""

    TOPIC = "progressive.stop_announced"
    progressive: str
    stops_on: str
    reason: str


class Orphan(Struct, frozen=True, forbid_unknown_fields=True, gc=False):
    """What a level holds, in millionths: increment_u is the players', base_u the house's own."""

    level: int
    increment_u: int
    base_u: int


class ProgressiveOrphaned(Event, frozen=True, kw_only=True):
    """The entry in the register of orphans; until that day it may go into a progressive of the same kind.

    It moves nothing: the money stays on the meters until it is transferred.
    """

    TOPIC = "progressive.orphaned"
    progressive: str
    levels: tuple[Orphan, ...]
    recoverable_until: str
    reason: str
    approval: str


class WonBy(Struct, frozen=True, forbid_unknown_fields=True, gc=False):
    """A share of a level's meter (ppm) and the hand that wins it, which `hands` of all hands of five cards are."""

    level: int
    hand: str
    share_ppm: int
    hands: int


class GameLinked(Event, frozen=True, kw_only=True):
    """A sheet's first table on a progressive, on stream `games/<id>`: what wins a level must be the same on all."""

    TOPIC = "games.linked"
    progressive: str
    ruleset: str
    digest: str
    shares: tuple[WonBy, ...]
