"""Engine name -> the family that plays it, imported when first asked for."""

from importlib import import_module
from typing import Any, Final, Protocol, cast

from msgspec import Struct

from domain.engine.commands import Command
from domain.engine.exposure import Exposure
from domain.engine.jackpot import JackpotPort
from domain.engine.limits import Limits
from domain.engine.record import Record
from domain.events.base import Event
from domain.ruleset.base import Ruleset


class Family(Protocol):
    """What a family's package offers; `domain.engine` says what each means."""

    def begin(self, ruleset: Ruleset, limits: Limits, round_id: str, number: int) -> Any: ...
    def decide(self, state: Any, command: Command, jackpot: JackpotPort | None) -> list[Event]: ...
    def evolve(self, state: Any, event: Event) -> Any: ...
    def outputs(self, state: Any, jackpot: JackpotPort | None) -> list[Event]: ...
    def next_actions(self, state: Any) -> list[dict[str, Any]]: ...
    def settlement(self, state: Any) -> Struct: ...
    def exposure(self, state: Any) -> list[Exposure]: ...
    def remaining(self, state: Any) -> list[str]: ...
    def play_record(self, state: Any, record: Record, jackpot: JackpotPort | None) -> list[Event]: ...
    def settle_record(self, ruleset: Ruleset, limits: Limits, record: Record) -> Struct: ...


_PACKAGES: Final = {name: f"domain.engine.{name}" for name in ("stud", "holdem", "roulette")}
_LOADED: dict[str, Family] = {}


def of(engine: str) -> Family:
    """The package of a family."""
    family = _LOADED.get(engine)
    if family is None:
        family = _LOADED[engine] = cast(Family, import_module(_PACKAGES[engine]))
    return family
