"""The table session: opener to closer, on stream `table/<table>/<gaming day>/<n>`; and the table's registry."""

from domain.events.base import Chips, Event


class SessionOpened(Event, frozen=True, kw_only=True):
    """A table opens with a counted opener under one published ruleset.

    carried_closer is the closer of the session before in minor units (None: there was none); a difference from
    opener_total is an exception. max_payout_per_box None means no cap.
    """

    TOPIC = "table.session_opened"
    table: str
    session: str
    number: int
    ruleset: str
    ruleset_version: int
    ruleset_digest: str
    currency: str
    chip: int
    min: int
    max: int
    max_payout_per_box: int | None = None
    progressive: str | None = None
    gaming_day: str
    shift: str
    opener: tuple[Chips, ...]
    opener_total: int
    carried_closer: int | None = None


class LimitsPosted(Event, frozen=True, kw_only=True):
    """New limits on the table's sign, good from the next round."""

    TOPIC = "table.limits_posted"
    min: int
    max: int
    max_payout_per_box: int | None = None


class SessionClosed(Event, frozen=True, kw_only=True):
    """The closer was counted: over_short = closer_total - expected, the tray by the recorded events."""

    TOPIC = "table.session_closed"
    table: str
    session: str
    closer: tuple[Chips, ...]
    closer_total: int
    expected: int
    over_short: int
    rolled_to: str | None = None


class SessionRegistered(Event, frozen=True, kw_only=True):
    """On the registry stream `table/<table>`: this session is the open one."""

    TOPIC = "registry.session_opened"
    table: str
    session: str
    number: int
    gaming_day: str
    ruleset: str


class SessionReleased(Event, frozen=True, kw_only=True):
    """On the registry stream: the session is closed; its closer is carried to the next opener."""

    TOPIC = "registry.session_closed"
    table: str
    session: str
    closer: tuple[Chips, ...]
    closer_total: int
