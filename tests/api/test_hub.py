"""The hub by itself: the ring, its bounds, and the order of what a display is told."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from api.feed import hub as hub_module
from api.feed.frames import Data, Frame, render
from api.feed.hub import Hub
from api.feed.picture import Picture
from api.feed.stream import FeedStream
from api.metrics import Metrics
from api.problems import ProblemError

NOW = "2026-03-14T18:00:00.000Z"


def data(position: int, amount: int, jackpot: str = "P", **more: Any) -> Data:
    return Data(
        jackpot=jackpot, level=1, amount=amount, currency="EUR", position=position, as_of=NOW, state="NORMAL", **more
    )


def picture(position: int, **amounts: int) -> Picture:
    return Picture(position, NOW, {(name, 1): data(position, amount, name) for name, amount in amounts.items()})


def hit(position: int) -> Frame:
    return Frame("hit", data(position, 100, hit_amount=100))


def a_hub(most: int = 10) -> Hub:
    hub = Hub(Metrics(), most)
    hub.publish(picture(10, P=100, Q=7), [], 10)
    return hub


def ids(chunk: bytes) -> list[int]:
    return [int(line[4:]) for line in chunk.split(b"\n") if line.startswith(b"id: ")]


def events(chunk: bytes) -> list[str]:
    return [line[7:].decode() for line in chunk.split(b"\n") if line.startswith(b"event: ")]


def test_only_what_moved_is_told_and_only_the_last_frame_has_an_id() -> None:
    hub = a_hub()
    hub.publish(picture(20, P=100, Q=8), [], 20)
    assert events(hub.since(10)) == ["meter"]
    hub.publish(picture(30, P=50, Q=9), [hit(25), Frame("reset", data(25, 50))], 30)
    chunk = hub.since(20)
    assert events(chunk) == ["hit", "reset", "meter", "meter"]
    assert ids(chunk) == [25, 30]


def test_a_slow_display_gets_all_moments_and_the_newest_meters() -> None:
    hub = a_hub()
    for n in range(1, 6):
        hub.publish(picture(10 + 10 * n, P=100 + n, Q=7), [hit(10 * n + 5)], 0)
    chunk = hub.since(10)
    assert events(chunk) == ["hit"] * 5 + ["meter"]
    assert b'"amount":105' in chunk
    assert ids(chunk) == [15, 25, 35, 45, 55, 60]
    assert events(hub.since(35)) == ["hit", "hit", "meter"], "what was told is not told again"


def test_nothing_is_told_where_nothing_moved() -> None:
    hub = a_hub()
    hub.publish(picture(99, P=100, Q=7), [], 99)
    assert not hub.has_news(10)
    assert hub.position == 99


def test_a_moving_meter_is_shown_five_times_a_second_at_positions_of_its_own() -> None:
    now = [100.0]
    hub = a_hub()
    hub._pulse = hub_module._Pulse(lambda: now[0])
    shown: list[int] = []
    for n in range(400):  # four seconds of a floor that moves at every hundredth, of which the meter moves once
        now[0] += 0.01
        before = hub.position
        hub.publish(picture(20 + n, P=101, Q=7), [], 0)
        shown += ids(hub.since(before)) if hub.has_news(before) else []
    in_first_second = [position for position in shown if position < 120]
    assert len(in_first_second) >= 6
    assert len(shown) == len(set(shown))
    assert max(shown) < 20 + 275, "a meter that has come to rest is left alone"


def test_the_ring_is_bounded_and_knows_what_it_has_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hub_module, "RING", 5)
    hub = a_hub()
    for n in range(20):
        hub.publish(picture(20 + n, P=n, Q=7), [], 0)
    assert not hub.remembers(10)
    assert not hub.remembers(33)
    assert hub.remembers(34)
    assert hub.remembers(39)
    assert events(hub.since(34)) == ["meter"]


def test_more_displays_make_for_fewer_pictures_but_never_under_five_a_second() -> None:
    hub = a_hub(most=10_000)
    assert hub.pace_s() < 0.01
    hub._clients = 500
    assert 0.02 < hub.pace_s() < 0.1
    hub._clients = 10_000
    assert hub.pace_s() < 0.2


def test_no_more_displays_than_places() -> None:
    hub = a_hub(most=1)
    hub.check_room()
    with hub.seat(), pytest.raises(ProblemError, match="busy"):
        hub.check_room()
    hub.check_room()


def test_waiting_for_a_position() -> None:
    async def play() -> None:
        hub = a_hub()
        assert await hub.reach(10, 0)
        assert not await hub.reach(11, 0.01)
        waiting = asyncio.create_task(hub.reach(12, 5))
        await asyncio.sleep(0)
        hub.publish(picture(11, P=1), [], 11)
        await asyncio.sleep(0)
        assert not waiting.done()
        hub.publish(picture(12, P=1), [], 12)
        assert await waiting

    asyncio.run(play())


def test_rendering_gives_the_id_to_the_last_frame_of_each_position() -> None:
    chunk = render([hit(5), Frame("reset", data(5, 1)), Frame("meter", data(9, 1)), Frame("meter", data(9, 2, "Q"))])
    lines = [line for line in chunk.split(b"\n") if line and not line.startswith(b"data")]
    assert lines == [b"event: hit", b"id: 5", b"event: reset", b"event: meter", b"id: 9", b"event: meter"]
    assert ids(render([hit(5)], last_id=False)) == []


class Wire:
    """The server's side of a connection: takes chunks at its own speed."""

    def __init__(self) -> None:
        self.sent: list[bytes] = []
        self.may_send = asyncio.Event()
        self.may_send.set()
        self.gone = asyncio.Event()

    async def send(self, message: Any) -> None:
        await self.may_send.wait()
        self.sent.append(message.get("body", b""))

    async def receive(self) -> Any:
        await self.gone.wait()
        return {"type": "http.disconnect"}

    @property
    def text(self) -> bytes:
        return b"".join(self.sent)


async def settled(holds: Any) -> None:
    async with asyncio.timeout(5):
        while not holds():
            await asyncio.sleep(0.001)


async def always() -> bool:
    return True


def stream(hub: Hub, resume: int | None = None, missed: Any = lambda *_: []) -> FeedStream:
    return FeedStream(hub, resume, missed, always)


def test_a_display_blocked_on_its_wire_delays_no_other_and_catches_up() -> None:
    async def play() -> None:
        hub = a_hub()
        slow, quick = Wire(), Wire()
        tasks = [asyncio.create_task(stream(hub)({}, wire.receive, wire.send)) for wire in (slow, quick)]
        await settled(lambda: b"event: meter" in slow.text and b"event: meter" in quick.text)
        slow.may_send.clear()
        for n in range(50):
            hub.publish(picture(20 + n, P=200 + n, Q=7), [hit(20 + n)] if n == 25 else [], 0)
            await settled(lambda n=n: b'"amount":%d' % (200 + n) in quick.text)
        assert b'"amount":210' not in slow.text or slow.text.count(b"event: meter") < 10
        slow.may_send.set()
        await settled(lambda: b'"amount":249' in slow.text)
        assert slow.text.count(b"event: hit") == 1
        slow.gone.set()
        hub.close()
        await asyncio.wait_for(asyncio.gather(*tasks), 5)

    asyncio.run(play())


def test_moments_older_than_the_ring_come_from_the_database_page_by_page() -> None:
    asked: list[tuple[int, int]] = []

    def missed(after: int, upto: int) -> list[Frame]:
        asked.append((after, upto))
        return [hit(n) for n in (2, 4, 6, 8, 10) if after < n <= upto][:2]

    async def play() -> None:
        hub, wire = a_hub(), Wire()
        task = asyncio.create_task(stream(hub, 1, missed)({}, wire.receive, wire.send))
        await settled(lambda: wire.text.count(b"event: meter") == 2)
        assert wire.text.count(b"event: hit") == 5
        assert ids(wire.text) == [2, 4, 6, 8, 10], "the hit at 10 shares its position with the meters after it"
        assert events(wire.text)[-3:] == ["hit", "meter", "meter"]
        wire.gone.set()
        await asyncio.wait_for(task, 5)

    asyncio.run(play())
    assert [after for after, _ in asked] == [1, 4, 8]


def test_a_display_that_takes_nothing_for_too_long_is_let_go(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("api.feed.stream.STUCK_S", 0.05)

    async def play() -> None:
        hub, wire = a_hub(), Wire()
        task = asyncio.create_task(stream(hub)({}, wire.receive, wire.send))
        await settled(lambda: b"event: meter" in wire.text)
        wire.may_send.clear()
        hub.publish(picture(20, P=1, Q=7), [], 0)
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(task, 5)
        assert hub._clients == 0

    asyncio.run(play())
