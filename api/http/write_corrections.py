"""Afterwards: corrections and rulings, which another supervisor must agree to, and hands announced again."""

from api.http.doors import Doors
from domain.acts import corrections
from domain.commands import MakeRuling, ProposeCorrection, ReannounceHand


def mount(doors: Doors) -> None:
    at = "/v1/tables/{table}"
    doors.write(
        f"{at}/corrections", ProposeCorrection, corrections.propose, "Put a settled round right", statuses=(202,)
    )
    doors.write(f"{at}/rulings", MakeRuling, corrections.propose_ruling, "A manager's ruling", statuses=(202,))
    doors.write(f"{at}/announcements", ReannounceHand, corrections.reannounce, "Announce a hand again")
