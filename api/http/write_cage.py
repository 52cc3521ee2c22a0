"""The cage: a cashier's shift at a window, transfers between windows, and the money rules that all of it stands on."""

from api.http.doors import Doors
from domain.acts import cage, cage_transfers, money_rules
from domain.cage_commands import CountWindow, HandPay, OpenWindow, ReceiveTransfer, SendTransfer, TradeChips
from domain.commands import ProposeRules


def mount(doors: Doors) -> None:
    at = "/v1/cage/windows/{window}"
    doors.write(f"{at}/open", OpenWindow, cage.open_window, "Begin a shift at a window with its counted imprest")
    doors.write(f"{at}/sales", TradeChips, cage.sell, "Sell chips for cash")
    doors.write(f"{at}/redemptions", TradeChips, cage.redeem, "Redeem chips for cash")
    doors.write(f"{at}/hand-pays", HandPay, cage.hand_pay, "Pay a pending jackpot hit from the window's cash")
    doors.write(f"{at}/transfers", SendTransfer, cage_transfers.send, "Send cash and chips to another window")
    receive = f"{at}/transfers/{{transfer}}/receive"
    doors.write(receive, ReceiveTransfer, cage_transfers.receive, "Sign for what another window sent")
    doors.write(f"{at}/close", CountWindow, cage.close_window, "Count the window out and close the shift")
    doors.write(f"{at}/handover", CountWindow, cage.offer, "Count the window out for the next cashier")
    doors.write(f"{at}/take-over", CountWindow, cage.take_over, "Count the window in: the next shift opens")
    propose = "Propose windows, allowed transfers and thresholds; finance must agree"
    doors.write("/v1/money-rules", ProposeRules, money_rules.propose, propose, statuses=(202,))
