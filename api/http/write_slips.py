"""Fills and credits: requested at the table, then four more signatures, each of another person."""

from functools import partial

from api.http.doors import Doors
from domain.acts import slips
from domain.commands import MoveChips, PrepareSlip, SignSlip, VoidSlip
from domain.request import Reply
from domain.slips import STEPS
from domain.work import Work

_SUMMARIES = {
    "prepare": "The cashier has prepared the chips",
    "carry": "Security carries the chips",
    "count": "The dealer has counted the chips",
    "receive": "A supervisor verifies: only now the tray moves",
}


def mount(doors: Doors) -> None:
    at = "/v1/tables/{table}"
    doors.write(f"{at}/fills", MoveChips, slips.request_fill, "Ask the cage for chips")
    doors.write(f"{at}/credits", MoveChips, slips.request_credit, "Offer chips to the cage")
    for step in STEPS:
        path = f"/v1/slips/{{slip}}/{step}"
        command = PrepareSlip if step == "prepare" else SignSlip
        doors.write(path, command, partial(_sign, step), _SUMMARIES[step], statuses=(200,))
    doors.write("/v1/slips/{slip}/void", VoidSlip, slips.void, "Void a slip before transport", statuses=(200,))


def _sign(step: str, work: Work, slip: str, command: SignSlip) -> Reply:
    return slips.sign(work, slip, step, command)
