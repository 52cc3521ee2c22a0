"""Drop boxes: mounted, removed, received, and counted twice, the second counter blind to the first.

N.J.A.C. 13:69D-1.33(b): two independent counts, the result of the first hidden from the second counter until done. No
answer tells a total before the box is settled. Where the two differ a third person counts, and one of the two must be
borne out.
"""

from domain import streams
from domain.acts.chip_lists import check_chips
from domain.commands import CountBox, MountBox, MoveBox
from domain.counts import COUNTED, COUNTING, MOUNTED, RECEIVED, REMOVED, CountBook, DropBox
from domain.duties import another_person, on_duty
from domain.events.base import Event, chips_total
from domain.events.count import BoxCounted, BoxMounted, BoxReceived, BoxRemoved, BoxSettled
from domain.refusals import Refusal
from domain.request import Reply
from domain.work import Work

_MOST_COUNTS = 9
"""A box that nine people could not count twice alike is no matter of counting any more."""


def mount(work: Work, table: str, command: MountBox) -> Reply:
    """Lock an empty box to a table with an open session. Refuses `box_in_use` for a label that is still elsewhere."""
    on_duty(work, "mount a drop box")
    stream, session = work.open_session(table)
    opened = session.opened
    day = opened.gaming_day
    book = work.counts(day)
    for drop, known in book.boxes.items():
        if known.mounted.box == command.box and known.state != COUNTED:
            raise Refusal("box_in_use", f"box {command.box} is {known.state} as {drop}; mount an empty one")
    number = len(book.boxes) + 1
    mounted = BoxMounted(
        drop=f"drop-{day}-{number:04d}",
        number=number,
        box=command.box,
        table=table,
        session=opened.session,
        session_stream=stream,
        currency=opened.currency,
    )
    work.record(streams.count(day), [mounted], gaming_day=day, shift=opened.shift)
    return Reply({"drop": mounted.drop, "state": MOUNTED})


def remove(work: Work, drop: str, _command: MoveBox) -> Reply:
    """Take the box off its table."""
    on_duty(work, "remove a drop box")
    box = find_box(work, drop, MOUNTED)
    return _move(work, drop, box, BoxRemoved(drop=drop), REMOVED)


def receive(work: Work, drop: str, _command: MoveBox) -> Reply:
    """Take the box over in the count room, from another person."""
    on_duty(work, "receive a drop box")
    box = find_box(work, drop, REMOVED)
    another_person(work, f"receive {drop}", box.people)
    return _move(work, drop, box, BoxReceived(drop=drop), RECEIVED)


def _move(work: Work, drop: str, box: DropBox, event: Event, state: str) -> Reply:
    work.record(streams.count(day_of(drop)), [event], gaming_day=day_of(drop))
    return Reply({"drop": drop, "state": state, "table": box.mounted.table}, status=200)


def count(work: Work, drop: str, command: CountBox) -> Reply:
    """One count of an open box, by somebody who has neither carried it nor counted it before.

    Answers `counting` until two counts agree, and no total before: then `counted` with it. Refuses `drop_state` while
    its session goes on: more may be mounted there, and a session is counted as a whole.
    """
    on_duty(work, "count a drop box")
    box = find_box(work, drop, RECEIVED, COUNTING)
    session = work.session(box.mounted.session_stream)
    if not session.closed:
        raise Refusal("drop_state", f"session {box.mounted.session} of {drop} is still open; close it first")
    another_person(work, f"count {drop}", [*_carriers(box), *box.counters])
    check_chips(command.cash, "cash")
    if len(box.counts) >= _MOST_COUNTS:
        raise Refusal("drop_state", f"{drop} was counted {len(box.counts)} times without agreement")
    total = chips_total(command.cash)
    counted = BoxCounted(drop=drop, count=len(box.counts) + 1, cash=command.cash, total=total)
    events: list[Event] = [counted]
    if total in box.counts:
        events.append(_settled(work.counts(day_of(drop)), box, total, session.buy_ins))
    work.record(streams.count(day_of(drop)), events, gaming_day=day_of(drop))
    if len(events) == 1:
        return Reply({"drop": drop, "state": COUNTING, "count": counted.count})
    return Reply({"drop": drop, "state": COUNTED, "count": counted.count, "total": total})


def _settled(book: CountBook, box: DropBox, total: int, buy_ins: int) -> BoxSettled:
    mounted = box.mounted
    others = [other.counted for other in book.of_session(mounted.session) if other is not box]
    buy_ins += book.learned.get(mounted.session, 0)
    known = [counted for counted in others if counted is not None]
    return BoxSettled(
        drop=mounted.drop,
        table=mounted.table,
        session=mounted.session,
        session_stream=mounted.session_stream,
        currency=mounted.currency,
        total=total,
        differ=len(box.counts) > 1,
        difference=total + sum(known) - buy_ins if len(known) == len(others) else None,
    )


def _carriers(box: DropBox) -> list[str]:
    """Who had it at the table or on the way. Who received it in the count room may count it."""
    return box.people[:2]


def find_box(work: Work, drop: str, *states: str) -> DropBox:
    """The box of a name in one of these states. Refuses `unknown_drop` and `drop_state`."""
    book = work.counts(day_of(drop))
    box = book.boxes.get(drop)
    if box is None:
        raise Refusal("unknown_drop", f"there is no drop box {drop!r}; they are named like drop-2026-03-14-0001")
    if box.state not in states:
        raise Refusal("drop_state", f"{drop} is {box.state}; this needs it {' or '.join(states)}")
    return box


def day_of(drop: str) -> str:
    """The gaming day in the name of a drop box."""
    return drop.removeprefix("drop-")[:10]
