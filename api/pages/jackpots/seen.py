"""Who sees what of a jackpot: the meter is everybody's, the reserve and the house's own part are not."""

from typing import Final

from api.auth.people import Person
from api.http.read_jackpots import hit_record
from api.i18n.catalogue import gettext
from api.pages.form import FormError
from api.pages.visit import Visit, known_person
from projections.reads.jackpot_hit_record import HitRecord

BOOKS: Final = "GET /v1/jackpots/{jackpot}/reconciliation"
STEPS: Final = ("hand_verified", "deck_checked", "surveillance_confirmed")
"""The verification of a hit, in the order of a house; the domain asks for no order."""


def sees_books(visit: Visit) -> bool:
    """Whether reserve, overflow and liability are for this visitor; never for a guest or a display."""
    return visit.may(BOOKS) or (visit.person is not None and visit.person.role == "admin")


def record_of(visit: Visit) -> HitRecord:
    """The hit that the path names. Refuses `unknown_hit`."""
    jackpot, hit = visit.names
    found = visit.read(lambda conn: hit_record(conn, jackpot, hit))
    visit.position = found.position
    return found


def second_or_none(visit: Visit) -> Person | None:
    """The second person, where the form names one: known before anything is recorded."""
    given, password = visit.form.text("second_person"), visit.form.fields.get("second_password", "")
    if not given and not password:
        return None
    if not given or not password:
        raise FormError("second_password", gettext("the second person gives both a name and a password"))
    return known_person(visit.doors, given, password)
