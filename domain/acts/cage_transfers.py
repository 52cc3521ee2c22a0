"""Transfers between windows: only along the pairs the money rules allow, sent by one, signed for by another."""

from domain.acts.cage import at_window, open_shift, record
from domain.cage_commands import ReceiveTransfer, SendTransfer
from domain.duties import another_person
from domain.events.cage import TransferArrived, TransferReceived, TransferSent
from domain.refusals import Refusal
from domain.request import Reply
from domain.work import Work


def send(work: Work, window: str, command: SendTransfer) -> Reply:
    """Send cash and chips to another window. Refuses `transfer_not_allowed` and `window_short`."""
    stream, shift, opened = at_window(work, window)
    rules = work.house().rules.in_force(opened.gaming_day)
    if not any((pair.sender, pair.receiver) == (window, command.to) for pair in rules.transfers):
        raise Refusal("transfer_not_allowed", f"the money rules allow no transfer from {window} to {command.to}")
    if not command.cash and not command.chips:
        raise Refusal("bad_chips", "a transfer is of cash, of chips, or of both")
    if command.cash > shift.cash or command.chips > shift.chips:
        held = f"{shift.cash} in cash and {shift.chips} in chips"
        raise Refusal("window_short", f"window {window} should hold {held}; it cannot send more")
    transfer = f"{opened.cage_shift}-t{shift.transfers + 1}"
    sent = TransferSent(transfer=transfer, to=command.to, cash=command.cash, chips=command.chips)
    record(work, stream, opened, sent)
    return Reply({"transfer": transfer, "state": "sent"})


def receive(work: Work, window: str, transfer: str, command: ReceiveTransfer) -> Reply:
    """Sign for what was sent to this window. Refuses `unknown_transfer`, `same_person`, and `count_differs`."""
    stream, _, opened = at_window(work, window)
    sender = transfer.rsplit("-", 5)[0]
    from_stream, from_shift, from_opened = open_shift(work, sender)
    sent = from_shift.sent.get(transfer)
    if sent is None or sent.to != window:
        raise Refusal("unknown_transfer", f"no transfer {transfer!r} is on its way to {window}")
    another_person(work, f"receive {transfer}", [from_shift.cashier])
    if (command.cash, command.chips) != (sent.cash, sent.chips):
        raise Refusal("count_differs", f"what was counted is not what {sender} sent; count again, both of you")
    received = TransferReceived(transfer=transfer, sender=sender, cash=sent.cash, chips=sent.chips)
    record(work, stream, opened, received)
    record(work, from_stream, from_opened, TransferArrived(transfer=transfer))
    return Reply({"transfer": transfer, "state": "received"})
