"""The demonstration's gaming day: somebody may have closed the newest, and then no table could open."""

from api.simulator.house import SUPERVISOR, House
from domain.acts import days
from domain.commands import OpenDay
from domain.refusals import Refusal
from domain.request import Reply
from domain.work import Work


def ensure_day(house: House) -> None:
    """Begin the day after the newest where that is closed. A house that keeps no days stays without."""
    house.try_ask(SUPERVISOR, _begin, "already_exists")


def _begin(work: Work) -> Reply:
    known = work.house().days
    following = known.after_newest()
    if following is None or known.newest is None or known.newest.closed_by is None:
        raise Refusal("already_exists", "the newest gaming day is open, or the house keeps none")
    return days.open_day(work, OpenDay(day=following))
