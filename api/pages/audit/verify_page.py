"""The whole log held against its chain and its seals, while one waits or does something else."""

from typing import Final

from starlette.responses import Response

from api.i18n.catalogue import gettext
from api.pages.audit.shown import audit_page
from api.pages.audit.verifier import Verifier
from api.pages.frame import Pages
from api.pages.visit import Visit
from projections.reads import tree

_PAGE: Final = "/audit/verify"
GLANCE_S: Final = 0.3
"""How long the form waits for the verdict: a short log is verified before the page is shown."""


def mount(pages: Pages) -> None:
    verifier = Verifier(pages.house)

    def show(visit: Visit) -> Response:
        standing = verifier.standing
        head = visit.read(tree.head)
        verdict = None if standing is None else standing.verdict
        visit.position = None if verdict is None else verdict.position
        return audit_page(visit, "verify.html", standing=standing, verdict=verdict, head=head)

    def start(visit: Visit) -> Response:
        assert visit.person is not None, "the page is for those who are signed in"
        begun = verifier.start(visit.person.id)
        verifier.wait(GLANCE_S)
        return visit.go(_PAGE, said="" if begun else gettext("A verification is running already; this is it."))

    pages.show(_PAGE, show)
    pages.form(_PAGE, start, show)
