"""Table sessions and the chips that cross the table's edge."""

from api.http.doors import Doors
from domain.acts import tables
from domain.commands import BuyChips, CloseTable, DropTip, OpenTable, PostLimits


def mount(doors: Doors) -> None:
    at = "/v1/tables/{table}"
    doors.write(f"{at}/open", OpenTable, tables.open_table, "Open a table's session with its counted opener")
    doors.write(f"{at}/limits", PostLimits, tables.post_limits, "Post new limits, good from the next round")
    doors.write(f"{at}/close", CloseTable, tables.close_table, "Close the session with its counted closer")
    doors.write(f"{at}/buy-ins", BuyChips, tables.buy_in, "Sell chips for cash into the drop box")
    doors.write(f"{at}/tips", DropTip, tables.drop_tip, "Drop a tip into the toke box")
