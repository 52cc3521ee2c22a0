"""Jackpots as the doors show them: every level's meter as it stands."""

from __future__ import annotations

from typing import Any, LiteralString

import msgspec
import psycopg
from msgspec import Struct
from psycopg import sql

from domain.progressive.meters import Level, Meters
from projections.jackpot_meters import JackpotMeters
from projections.reads.snapshot import Snapshot, conditions, snapshot

_DECODER = msgspec.json.Decoder(Meters)


class LevelView(Struct):
    """A level: display, seed, limit and wins in minor units, `_u` in millionths as decimal text, shares in ppm."""

    level: int
    display: int
    display_u: str
    reserve_u: str
    overflow_u: str
    residue_u: str
    in_u: str
    hits: int
    wins: int
    base_u: str
    seed: int
    limit: int | None
    increment_ppm: int
    reserve_ppm: int

    @property
    def liability_u(self) -> str:
        """All that the level holds but the house's base: what is owed to future winners (ASC 924)."""
        held = sum(int(part) for part in (self.display_u, self.reserve_u, self.overflow_u, self.residue_u))
        return str(held - int(self.base_u))


class JackpotView(Struct):
    """state: NORMAL, PENDING (a hit waits for payment), STOPPED. moved_at: position of the last event that moved it."""

    id: str
    currency: str
    state: str
    levels: list[LevelView]
    pending: dict[str, int]
    moved_at: int


class Jackpots(Struct):
    position: int
    jackpots: list[JackpotView]


class Owed(Struct):
    """What jackpots of one currency hold: the players' part and the house's base in millionths as decimal text.

    awards: hits that wait to be paid, in minor units; they stand on no meter any more.
    """

    currency: str
    liability_u: str
    base_u: str
    awards: int


def owed(all_of_them: list[JackpotView]) -> list[Owed]:
    """Added up by currency."""
    found: list[Owed] = []
    for currency in sorted({jackpot.currency for jackpot in all_of_them}):
        of_it = [jackpot for jackpot in all_of_them if jackpot.currency == currency]
        levels = [level for jackpot in of_it for level in jackpot.levels]
        liability, base = sum(int(one.liability_u) for one in levels), sum(int(one.base_u) for one in levels)
        awards = sum(award for jackpot in of_it for award in jackpot.pending.values())
        found.append(Owed(currency, str(liability), str(base), awards))
    return found


def jackpots(conn: psycopg.Connection[Any], *, progressive: str | None = None) -> Jackpots:
    """Every progressive, or one (an empty list if it does not run), by id."""
    with snapshot(conn) as look:
        return Jackpots(look.position(JackpotMeters), jackpots_at(look, [("progressive = %s", progressive)]))


def jackpots_at(look: Snapshot, parts: list[tuple[LiteralString, object]]) -> list[JackpotView]:
    """The jackpots that fulfil all conditions, in a look that is open."""
    where, values = conditions(parts)
    statement = sql.SQL("SELECT meters, state, position FROM views.jackpot_meters {} ORDER BY progressive")
    found = look.rows(statement.format(where), values)
    return [_jackpot(_DECODER.decode(meters), state, position) for meters, state, position in found]


def _jackpot(meters: Meters, state: str, position: int) -> JackpotView:
    return JackpotView(
        id=meters.progressive,
        currency=meters.currency,
        state=state,
        levels=[_level(number, level) for number, level in sorted(meters.levels.items())],
        pending={hit: waiting.award for hit, waiting in meters.pending.items()},
        moved_at=position,
    )


def _level(number: int, level: Level) -> LevelView:
    return LevelView(
        level=number,
        display=level.display,
        display_u=str(level.display_u),
        reserve_u=str(level.reserve_u),
        overflow_u=str(level.overflow_u),
        residue_u=str(level.residue_u),
        in_u=str(level.in_u),
        hits=level.hits,
        wins=level.wins,
        base_u=str(level.base_u),
        seed=level.terms.seed,
        limit=level.terms.limit,
        increment_ppm=level.terms.increment_ppm,
        reserve_ppm=level.terms.reserve_ppm,
    )
