"""What is counted at and after the table: colour chips, the tray, and drop boxes by people blind to each other."""

from api.http.doors import Doors
from domain.accounting_commands import AdjustFigure, CorrectCount
from domain.acts import adjustments, colours, counts, tray
from domain.commands import (
    CashInColour,
    CountBox,
    CountTray,
    IssueColour,
    MountBox,
    MoveBox,
)


def mount(doors: Doors) -> None:
    at = "/v1/tables/{table}"
    doors.write(f"{at}/colours", IssueColour, colours.issue, "Give a player a colour, its value marked")
    doors.write(f"{at}/colours/cash-in", CashInColour, colours.cash_in, "Take a whole colour back for value chips")
    doors.write(f"{at}/counts", CountTray, tray.count_tray, "Compare the tray with what it should hold")
    doors.write(f"{at}/drop-boxes", MountBox, counts.mount, "Lock an empty drop box to a table")
    box = "/v1/drop-boxes/{drop}"
    doors.write(f"{box}/remove", MoveBox, counts.remove, "Security takes the box off its table", statuses=(200,))
    doors.write(f"{box}/receive", MoveBox, counts.receive, "The count room takes the box over", statuses=(200,))
    doors.write(f"{box}/count", CountBox, counts.count, "Count the box, blind to the counts before")
    accepted = (202,)
    correct = "Say what a settled box held; another person agrees"
    doors.write(f"{box}/corrections", CorrectCount, adjustments.correct_count, correct, statuses=accepted)
    adjust = "Adjust a figure of a closed session; another person agrees"
    doors.write("/v1/gaming-days/{day}/adjustments", AdjustFigure, adjustments.adjust_figure, adjust, statuses=accepted)
