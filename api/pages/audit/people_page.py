"""Who did what: everybody who has, or had, access, each leading on to what they did or agreed to."""

from starlette.responses import Response

from api.auth import people
from api.pages.audit.shown import audit_page
from api.pages.frame import Pages
from api.pages.visit import Visit


def mount(pages: Pages) -> None:
    pages.show("/audit/people", _people)


def _people(visit: Visit) -> Response:
    wanted = visit.asked("name").strip().casefold()
    everybody = visit.read(people.list_all)
    shown = [one for one in everybody if wanted in one.id.casefold() or wanted in one.name.casefold()]
    return audit_page(visit, "people.html", people=shown, wanted=visit.asked("name"), everybody=len(everybody))
