"""The games of the house by name: the rulesets that are published, the newest version of each."""

from functools import lru_cache
from typing import Any, Final, NamedTuple

from psycopg import Connection

from domain import streams
from domain.codec import decode
from domain.events.house import RulesetPublished
from domain.ruleset import Ruleset, load_text

# The house's own stream is short: some publications a year.
_PUBLISHED: Final = (
    "SELECT state FROM public.pitclerk_events WHERE originator_id = %s AND topic = %s"
    " ORDER BY originator_version DESC LIMIT 1000"
)
_KEPT: Final = 256


class Game(NamedTuple):
    """A published ruleset. has_jackpot, has_bonus: whether a box may stake them. boxes: how many a table has."""

    id: str
    name: str
    engine: str
    has_jackpot: bool
    has_bonus: bool
    boxes: int


def games(conn: Connection[Any]) -> dict[str, Game]:
    """Every game that a table can be opened for, by the id of its ruleset."""
    found: dict[str, Game] = {}
    for (state,) in conn.execute(_PUBLISHED, (streams.HOUSE, RulesetPublished.TOPIC)).fetchall():
        game = _game(bytes(state))
        found.setdefault(game.id, game)
    return found


@lru_cache(_KEPT)
def _game(state: bytes) -> Game:
    event = decode(RulesetPublished.TOPIC, state)[1]
    assert isinstance(event, RulesetPublished), "a topic is one kind of event"
    ruleset = load_text(event.text)
    has_jackpot, has_bonus = (getattr(ruleset.rules, name, None) is not None for name in ("jackpot", "bonus"))
    return Game(event.ruleset, ruleset.name, ruleset.engine, has_jackpot, has_bonus, _boxes(ruleset))


def _boxes(ruleset: Ruleset) -> int:
    table = getattr(ruleset.rules, "table", None)
    return getattr(table, "boxes", 0) or 0
