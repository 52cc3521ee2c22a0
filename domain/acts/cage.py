"""A cashier's shift at a window: imprest in, chips sold and redeemed, jackpots paid, counted out or over.

Only who opened the shift works the window; two people count at a handover, and they must find the same.
"""

from msgspec import structs

from domain import streams
from domain.acts import hits
from domain.acts.chip_lists import check_chips
from domain.cage import CageShift
from domain.cage_commands import CountWindow, HandPay, OpenWindow, TradeChips
from domain.commands import PayHit
from domain.duties import another_person, on_duty
from domain.events.base import Event, chips_total
from domain.events.cage import (
    ChipsRedeemed,
    ChipsSold,
    HandoverOffered,
    HandPaid,
    WindowClosed,
    WindowOpened,
    WindowRegistered,
    WindowReleased,
)
from domain.money_rules import window_of
from domain.refusals import Refusal
from domain.request import Reply
from domain.work import Work


def open_window(work: Work, window: str, command: OpenWindow) -> Reply:
    """Begin a shift with the counted imprest. Refuses `unknown_window`, `already_open`, `imprest_differs`."""
    on_duty(work, "work a window")
    registry = work.window(window)
    if registry.open_stream is not None:
        raise Refusal("already_open", f"window {window} has a shift open; close it or take it over")
    day, shift = _day_and_shift(work, command)
    rules = window_of(work.house().rules.in_force(day), window)
    if rules is None:
        raise Refusal("unknown_window", f"the money rules of {day} name no window {window!r}")
    total = _total(command)
    if total != rules.imprest:
        raise Refusal("imprest_differs", f"window {window} opens with {rules.imprest}; counted are {total}")
    opened = _opened(window, registry.number + 1, day=day, shift=shift, currency=rules.currency, counted=command)
    _record_opening(work, opened)
    return Reply({"cage_shift": opened.cage_shift, "cash": opened.cash_total, "chips": opened.chips_total})


def _day_and_shift(work: Work, command: OpenWindow) -> tuple[str, str]:
    days = work.house().days
    running = days.newest
    day = command.gaming_day or (work.now.date().isoformat() if running is None else running.day)
    known = days.by_day.get(day)
    if running is not None and known is None:
        raise Refusal("unknown_day", f"gaming day {day} was never opened; open are {', '.join(days.not_closed())}")
    if known is not None and known.closed_by is not None:
        raise Refusal("day_closed", f"gaming day {day} is closed; open are {', '.join(days.not_closed())}")
    return day, command.shift or (known.shift if known is not None else "1")


def _total(command: OpenWindow | CountWindow) -> int:
    check_chips(command.cash, "cash")
    check_chips(command.chips, "chips")
    return chips_total(command.cash) + chips_total(command.chips)


def _opened(
    window: str, number: int, *, day: str, shift: str, currency: str, counted: OpenWindow | CountWindow
) -> WindowOpened:
    return WindowOpened(
        window=window,
        cage_shift=f"{window}-{day}-{number}",
        number=number,
        gaming_day=day,
        shift=shift,
        currency=currency,
        cash=counted.cash,
        chips=counted.chips,
        cash_total=chips_total(counted.cash),
        chips_total=chips_total(counted.chips),
    )


def _record_opening(work: Work, opened: WindowOpened) -> None:
    stream = streams.cage(opened.window, opened.gaming_day, opened.number)
    registered = WindowRegistered(
        window=opened.window, cage_shift=opened.cage_shift, number=opened.number, gaming_day=opened.gaming_day
    )
    work.expect_new(stream)
    work.record(stream, [opened], gaming_day=opened.gaming_day, shift=opened.shift)
    work.record(streams.window(opened.window), [registered], gaming_day=opened.gaming_day, shift=opened.shift)


def at_window(work: Work, window: str) -> tuple[str, CageShift, WindowOpened]:
    """The open shift that the asker works. Refuses `window_closed` and `window_of_another`."""
    stream, shift, opened = open_shift(work, window)
    if shift.cashier != work.request.actor:
        raise Refusal("window_of_another", f"{shift.cashier} works window {window}; {work.request.actor} may not")
    if shift.offered is not None:
        raise Refusal("window_closed", f"window {window} is counted out and waits to be taken over")
    return stream, shift, opened


def open_shift(work: Work, window: str) -> tuple[str, CageShift, WindowOpened]:
    """The window's open shift. Refuses `window_closed` and the roles that do not work windows."""
    on_duty(work, "work a window")
    stream = work.window(window).open_stream
    if stream is None:
        raise Refusal("window_closed", f"window {window} has no open shift")
    shift = work.cage_shift(stream)
    assert shift.opened is not None, "a shift's stream begins with its opening"
    return stream, shift, shift.opened


def record(work: Work, stream: str, opened: WindowOpened, event: Event) -> None:
    """Record on a shift's stream, under its gaming day."""
    work.record(stream, [event], gaming_day=opened.gaming_day, shift=opened.shift)


def sell(work: Work, window: str, command: TradeChips) -> Reply:
    """Chips for cash. Refuses `window_short` where the window should not hold so many chips."""
    stream, shift, opened = at_window(work, window)
    if command.amount > shift.chips:
        raise Refusal("window_short", f"window {window} should hold chips of {shift.chips}, not of {command.amount}")
    record(work, stream, opened, ChipsSold(amount=command.amount, player=command.player))
    return Reply({"cash": shift.cash + command.amount, "chips": shift.chips - command.amount})


def redeem(work: Work, window: str, command: TradeChips) -> Reply:
    """Cash for chips. Refuses `window_short` where the window should not hold so much cash."""
    stream, shift, opened = at_window(work, window)
    _has_cash(window, shift, command.amount)
    record(work, stream, opened, ChipsRedeemed(amount=command.amount, player=command.player))
    return Reply({"cash": shift.cash - command.amount, "chips": shift.chips + command.amount})


def hand_pay(work: Work, window: str, command: HandPay) -> Reply:
    """Pay a pending hit, once, from the window's cash. Refuses what paying a hit refuses, and `window_short`."""
    stream, shift, opened = at_window(work, window)
    paid = hits.pay(work, command.progressive, command.hit, PayHit(paid_by="cage"))
    amount = int(paid.body["amount"])
    _has_cash(window, shift, amount)
    event = HandPaid(progressive=command.progressive, hit=command.hit, amount=amount, player=command.player)
    record(work, stream, opened, event)
    return Reply({"hit": command.hit, "amount": amount, "cash": shift.cash - amount})


def _has_cash(window: str, shift: CageShift, amount: int) -> None:
    if amount > shift.cash:
        raise Refusal("window_short", f"window {window} should hold {shift.cash} in cash; it cannot pay {amount}")


def close_window(work: Work, window: str, command: CountWindow) -> Reply:
    """Count out; everything goes back to the main bank. Refuses `transfer_pending`."""
    stream, shift, opened = at_window(work, window)
    _total(command)
    closed = _closed(shift, opened, command, handed_to=None)
    record(work, stream, opened, closed)
    released = WindowReleased(window=window, cage_shift=opened.cage_shift)
    record(work, streams.window(window), opened, released)
    return Reply(_balance(closed))


def offer(work: Work, window: str, command: CountWindow) -> Reply:
    """Count out for the next cashier. From here on only the handover can happen at the window."""
    stream, shift, opened = at_window(work, window)
    _total(command)
    if shift.sent:
        raise Refusal("transfer_pending", f"not received yet: {', '.join(shift.sent)}")
    offered = HandoverOffered(
        cash=command.cash,
        chips=command.chips,
        cash_total=chips_total(command.cash),
        chips_total=chips_total(command.chips),
    )
    record(work, stream, opened, offered)
    return Reply({"cage_shift": opened.cage_shift, "state": "offered"})


def take_over(work: Work, window: str, command: CountWindow) -> Reply:
    """Count in what was offered: one shift closes and the next opens in one save.

    Refuses `no_handover`, `same_person`, and `count_differs`: the two counts must be the same, denomination by
    denomination.
    """
    stream, shift, opened = open_shift(work, window)
    offered = shift.offered
    if offered is None:
        raise Refusal("no_handover", f"{shift.cashier} has not offered window {window}")
    another_person(work, f"take window {window} over", [shift.cashier])
    _total(command)
    if (_sorted(command.cash), _sorted(command.chips)) != (_sorted(offered.cash), _sorted(offered.chips)):
        raise Refusal("count_differs", "the two counts are not the same; count again, both of you")
    closed = _closed(shift, opened, command, handed_to=work.request.actor)
    record(work, stream, opened, closed)
    record(work, streams.window(window), opened, WindowReleased(window=window, cage_shift=opened.cage_shift))
    number = work.window(window).number + 1
    following = _opened(
        window, number, day=opened.gaming_day, shift=opened.shift, currency=opened.currency, counted=command
    )
    _record_opening(work, structs.replace(following, taken_over=shift.cashier))
    return Reply({**_balance(closed), "next_shift": following.cage_shift})


def _sorted(chips: object) -> list[tuple[int, int]]:
    return sorted((c.denomination, c.count) for c in chips if c.count)  # type: ignore[attr-defined]


def _closed(shift: CageShift, opened: WindowOpened, counted: CountWindow, *, handed_to: str | None) -> WindowClosed:
    if shift.sent:
        raise Refusal("transfer_pending", f"not received yet: {', '.join(shift.sent)}")
    cash, chips = chips_total(counted.cash), chips_total(counted.chips)
    return WindowClosed(
        window=opened.window,
        cage_shift=opened.cage_shift,
        cash=counted.cash,
        chips=counted.chips,
        cash_total=cash,
        chips_total=chips,
        expected_cash=shift.cash,
        expected_chips=shift.chips,
        over_short=cash + chips - shift.cash - shift.chips,
        handed_to=handed_to,
    )


def _balance(closed: WindowClosed) -> dict[str, object]:
    return {
        "cage_shift": closed.cage_shift,
        "cash": closed.cash_total,
        "chips": closed.chips_total,
        "expected_cash": closed.expected_cash,
        "expected_chips": closed.expected_chips,
        "over_short": closed.over_short,
    }
