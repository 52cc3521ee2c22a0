"""Gaming days and shifts, rolled by hand, table by table."""

from api.http.doors import Doors
from domain.acts import days
from domain.commands import AuditDay, CloseDay, OpenDay, OpenShift


def mount(doors: Doors) -> None:
    at = "/v1/gaming-days"
    doors.write(at, OpenDay, days.open_day, "Begin a gaming day; tables then roll to it one by one")
    doors.write(f"{at}/{{day}}/shifts", OpenShift, days.open_shift, "Begin the next shift of a gaming day")
    doors.write(f"{at}/{{day}}/close", CloseDay, days.close_day, "Close a gaming day: its figure is fixed")
    doors.write(f"{at}/{{day}}/audit", AuditDay, days.audit_day, "Sign a closed and counted gaming day as audited")
