"""A round of the log beside what its record settles to now, box by box; corrections made since are said."""

from typing import Any, NamedTuple

import msgspec
from psycopg import Connection

from api.i18n.catalogue import gettext
from api.pages.visit import Visit
from api.problems import ProblemError
from api.viewed import report_viewed
from domain.ruleset import Ruleset, shipped
from domain.settle import Resolver
from projections.reads import rounds
from projections.reads.rounds import RoundRow

_DOOR = "GET /v1/rounds/{round}"


class Recorded(NamedTuple):
    """A recorded round: its record, what it settled to (None while it is live), the sheet it was played by."""

    row: RoundRow
    record: dict[str, Any]
    settlement: dict[str, Any] | None
    sheet: Ruleset

    @property
    def rulesets(self) -> Resolver:
        """The round's own published sheet under its id, and the shipped ones."""
        return lambda name: self.sheet if name == self.sheet.id else shipped(name)


class Line(NamedTuple):
    """One box or bet: what its player won as recorded and as settled now; None where it is not there."""

    name: str
    recorded: int | None
    now: int | None


class Compared(NamedTuple):
    """same: the two settlements are equal in everything, not only in these sums."""

    row: RoundRow
    lines: list[Line]
    recorded: int
    now: int
    same: bool


def recorded(visit: Visit, round_id: str) -> Recorded:
    """The round, for who may see rounds. Refuses `role_required` and `unknown_round`; the reading is noted."""
    if not visit.may(_DOOR):
        raise ProblemError("role_required", gettext("sign in as one of the staff to load a recorded round"))
    found = visit.read(lambda conn: _read(conn, round_id))
    if visit.request.method != "GET":  # the frame notes what is opened; this is the board's, on a change
        _note(visit, round_id)
    return found


def _note(visit: Visit, round_id: str) -> None:
    assert visit.person is not None, "guests may see no rounds"
    report_viewed(
        "POST /settle",
        actor=visit.person.id,
        role=visit.person.role,
        asked={"round": round_id},
        position=visit.doors.house.hub.views_at,
        request=visit.request.scope["state"]["request_id"],
    )


def _read(conn: Connection[Any], round_id: str) -> Recorded:
    whole, sheet = rounds.round_record(conn, round_id), rounds.sheet_of(conn, round_id)
    if whole is None or sheet is None:
        raise ProblemError("unknown_round", gettext("there is no round %(round)s") % {"round": round_id[:80]})
    settlement = None if whole.settlement is None else msgspec.to_builtins(whole.settlement)
    return Recorded(whole.round, whole.record, settlement, sheet)


def compared(of: Recorded, settlement: dict[str, Any]) -> Compared | None:
    """What was recorded beside a settlement; None while the round is live."""
    if of.settlement is None:
        return None
    before, now = _nets(of.settlement), _nets(settlement)
    names = list(dict.fromkeys((*before, *now)))
    return Compared(
        row=of.row,
        lines=[Line(name, before.get(name), now.get(name)) for name in names],
        recorded=of.settlement.get("house_net", 0),
        now=settlement.get("house_net", 0),
        same=msgspec.json.encode(of.settlement) == msgspec.json.encode(settlement),
    )


def _nets(settlement: dict[str, Any]) -> dict[str, int]:
    boxes = {gettext("Box %(number)s") % {"number": box["box"]}: box["net"] for box in settlement.get("boxes", [])}
    bets = {f"{number}. {bet['on']}": bet["net"] for number, bet in enumerate(settlement.get("bets", []), 1)}
    return {**boxes, **bets}
