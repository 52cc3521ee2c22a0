"""Who signs at a screen that several people share: whoever gives a name and password, else who is signed in."""

from api.auth import roles
from api.auth.people import Person
from api.i18n.catalogue import gettext
from api.pages.form import FormError
from api.pages.terms import term
from api.pages.visit import Visit, known_person
from api.problems import ProblemError


def signer(visit: Visit) -> Person:
    """The person whose act the form records. Refuses `sign_in_failed`, `must_wait` and a name without a password."""
    given, password = visit.form.text("second_person"), visit.form.fields.get("second_password", "")
    if given and password:
        return known_person(visit.doors, given, password)
    if given or password:
        missing = gettext("the password") if given else gettext("the name")
        raise FormError(
            "second_password" if given else "second_person", gettext("%(field)s is missing") % {"field": missing}
        )
    if visit.person is None:
        raise ProblemError("unauthenticated", "sign in to do this")
    return visit.person


def in_role(door: str) -> str:
    """The roles that may use a door, in the reader's words: whom the page asks for."""
    return gettext(" or ").join(term(role, "role") for role in sorted(roles.DOORS[door]))
