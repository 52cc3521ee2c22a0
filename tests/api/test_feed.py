"""The live feed over a real connection: exact, in order, without gap or repeat, and nobody waits for anybody else."""

from __future__ import annotations

import itertools
import socket
import threading
import time
from typing import Any
from urllib.parse import urlsplit

import msgspec
import psycopg
import pytest

from api.auth import tokens
from api.feed.follower import Follower, FollowError, missed_moments
from domain.codec import decode
from domain.progressive.folding import fold
from domain.progressive.meters import Meters
from projections.reads import jackpot_hits as jackpot_views
from tests.api.live import Live
from tests.api.sse import Display, Seen

ROYAL = {
    "ruleset": "caribbean-ee",
    "boxes": [
        {"box": 1, "player": "A", "ante": 1000, "jackpot": 50, "cards": "As Ks Qs Js Ts", "play": [{"do": "bet"}]},
        {"box": 2, "player": "B", "ante": 1000, "jackpot": 50, "cards": "4d 4h 4c 9d 8h", "play": [{"do": "bet"}]},
    ],
    "dealer": {"cards": "Ah Kc 8c 7s 3h"},
}
PLAIN: dict[str, Any] = {
    **ROYAL,
    "boxes": [
        {"box": 1, "player": "A", "ante": 1000, "jackpot": 50, "cards": "As Kd Qh 7c 2d", "play": [{"do": "bet"}]}
    ],
}


@pytest.fixture(scope="module", autouse=True)
def _floor(live: Live) -> None:
    live.open_progressive("PX")
    live.open_progressive("PY", seed=5000)
    live.open_table("FX", progressive="PX")
    live.open_table("FY", progressive="PY")
    live.settle_down()


def play(live: Live, record: dict[str, Any], table: str = "FX") -> int:
    return int(live.done(f"/v1/tables/{table}/rounds", record)["position"])


def pay(live: Live, jackpot: str) -> int:
    """Pay every pending hit of a jackpot; the last position."""
    last = 0
    live.settle_down()  # the feed may be ahead of the list
    hits = live.get(f"/v1/jackpots/{jackpot}/hits", "cashier", state="pending").json()["hits"]
    assert hits
    for hit in hits:
        last = live.done(f"/v1/jackpots/{jackpot}/hits/{hit['hit']}/pay", {"paid_by": "cage"}, "cashier")["position"]
    return last


def amounts_at(live: Live) -> dict[int, dict[str, int]]:
    """What every sign should show after every position, folded from the log alone."""
    running: dict[str, Meters] = {}
    at: dict[int, dict[str, int]] = {}
    with psycopg.connect(live.database.url) as conn:
        for position, topic, state in conn.execute(
            "SELECT notification_id, topic, state FROM pitclerk_events ORDER BY notification_id"
        ):
            fold(running, decode(topic, bytes(state))[1])
            at[position] = {name: meters.levels[1].display for name, meters in running.items()}
    return at


def check_order(frames: list[Seen], resumed_at: int | None = None) -> None:
    """Positions never go back, and only the last frame of a position carries its id: once, also over connections."""
    positions = [frame.data["position"] for frame in frames]
    assert positions == sorted(positions)
    for frame, following in itertools.pairwise(frames):
        if frame.data["position"] in (following.data["position"], resumed_at):
            assert frame.id is None
        else:
            assert frame.id == frame.data["position"]


def test_one_meter_a_level_then_what_moves(live: Live) -> None:
    with Display(live) as display:
        first = display.wait(lambda frames: len(frames) >= 2)[:2]
        assert [(f.event, f.data["jackpot"]) for f in first] == [("meter", "PX"), ("meter", "PY")]
        assert [f.id is None for f in first] == [True, False]
        wanted = ["jackpot", "level", "amount", "currency", "position", "as_of", "state"]
        assert list(first[0].data) == [*wanted, "next_amount", "hit_amount", "table"]
        last = 0
        for _ in range(20):
            last = play(live, PLAIN)
        shown = first[0].data["amount"] + 20 * 35
        frames = display.wait(
            lambda frames: any(f.data["jackpot"] == "PX" and f.data["amount"] >= shown for f in frames)
        )
        assert display.status == 200
    check_order(frames)
    truth = amounts_at(live)
    assert last in truth
    for frame in frames:
        assert frame.data["amount"] == truth[frame.data["position"]][frame.data["jackpot"]]


def test_a_hit_its_reset_and_its_payment(live: Live) -> None:
    with Display(live) as display:
        shown = display.wait(lambda frames: len(frames) >= 2)[0].data["amount"]
        play(live, ROYAL)
        frames = display.wait(lambda frames: "paid" in [f.event for f in frames])
        hit = next(f for f in frames if f.event == "hit").data
        # Both stakes of 50 have added 70 per cent before the hit.
        assert (hit["amount"], hit["hit_amount"]) == (shown + 70, shown + 70)
        assert (hit["state"], hit["table"], hit["next_amount"]) == ("PENDING", "FX", 1000000)
        reset = next(f for f in frames if f.event == "reset")
        assert (reset.data["amount"], reset.data["position"]) == (1000000, hit["position"])
        small = [f.data for f in frames if f.event == "paid"]
        assert [(p["hit_amount"], p["amount"]) for p in small] == [(200, 1000000)], "three of a kind is paid at once"
        after = frames[-1].data["position"]
        display.wait(lambda frames: any(f.key[:2] == ("meter", "PX") and f.data["position"] >= after for f in frames))
        meter = [f for f in display.frames if f.key[:2] == ("meter", "PX")][-1].data
        assert (meter["state"], meter["hit_amount"]) == ("PENDING", shown + 70)
        position = pay(live, "PX")
        frames = display.wait_for_position(position)
        paid = [f for f in frames if f.event == "paid"][-1].data
        assert (paid["hit_amount"], paid["state"], paid["table"]) == (shown + 70, "NORMAL", "FX")
        display.wait(lambda frames: frames[-1].event == "meter")
        assert [f for f in display.frames if f.key[:2] == ("meter", "PX")][-1].data["state"] == "NORMAL"
    check_order(frames)


def test_resuming_misses_nothing_and_repeats_nothing(live: Live) -> None:
    with Display(live) as whole:
        whole.wait(lambda frames: len(frames) >= 2)
        parts: list[tuple[Display, int | None]] = []
        resume: int | None = None
        for n in range(4):
            with Display(live, resume) as part:
                part.wait(lambda frames: len(frames) >= 2)
                parts.append((part, resume))
                position = play(live, ROYAL, "FX" if n % 2 else "FY")
                part.wait_for_position(position - 1)
                resume = part.last_id
            # Nobody looks while these happen.
            play(live, ROYAL, "FY")
            play(live, PLAIN, "FX")
        with Display(live, resume) as part:
            part.wait(lambda frames: len([f for f in frames if f.event == "meter"]) >= 2)
            parts.append((part, resume))
            last = play(live, ROYAL, "FX")
            for display in (part, whole):
                display.wait(lambda frames: any(f.event == "paid" and f.data["position"] >= last - 3 for f in frames))
                display.wait(lambda frames: frames[-1].event == "meter")
        seen = [frame.key for part, _ in parts for frame in part.moments()]
        assert seen == [frame.key for frame in whole.moments()]
        assert len(seen) == len(set(seen)) == 4 * 2 * 4 + 4
        ids = [frame.id for part, _ in parts for frame in part.frames if frame.id is not None]
        assert len(ids) == len(set(ids))
        check_order(whole.frames)
        for part, resumed_at in parts:
            check_order(part.frames, resumed_at)
    pay(live, "PX")
    pay(live, "PY")


def test_resuming_where_nothing_happened_gives_no_id_again(live: Live) -> None:
    live.settle_down()
    with Display(live) as display:
        display.wait(lambda frames: len(frames) >= 2)
        last = display.last_id
    with Display(live, last) as display:
        frames = display.wait(lambda frames: len(frames) >= 2)
        assert [(f.event, f.id) for f in frames] == [("meter", None), ("meter", None)]


def test_resuming_from_the_beginning_reads_the_log(live: Live) -> None:
    hits = [h for name in ("PX", "PY") for h in live.get(f"/v1/jackpots/{name}/hits", "auditor").json()["hits"]]
    with Display(live, 0) as display:
        display.wait(lambda frames: len([f for f in frames if f.event == "meter"]) >= 2)
        positions = [f.data["position"] for f in display.frames if f.event == "hit"]
        assert positions == sorted(h["position"] for h in hits)
        paid = sorted(h["paid_position"] for h in hits if h["paid_position"])
        assert [f.data["position"] for f in display.frames if f.event == "paid"] == paid
        check_order(display.frames)


def test_an_id_of_another_log_begins_anew_and_nonsense_is_refused(live: Live) -> None:
    with Display(live, 10**15) as display:
        display.wait(lambda frames: len(frames) >= 2)
    for nonsense in ("abc", "-1", "1.5", "9" * 40, "١"):
        with live.client("display") as client:
            answer = client.get("/v1/jackpots/stream", headers=[(b"last-event-id", nonsense.encode())])
        assert (answer.status_code, answer.json()["code"]) == (400, "bad_parameter"), nonsense
    assert live.get("/v1/jackpots/stream", "display", x=1).json()["code"] == "unknown_parameter"


def test_a_display_that_does_not_read_hurts_nobody_and_catches_up(live: Live) -> None:
    where = urlsplit(live.url)
    slow = socket.create_connection((where.hostname, where.port), timeout=20)
    slow.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
    request = f"GET /v1/jackpots/stream HTTP/1.1\r\nhost: a\r\nauthorization: Bearer {live.tokens['display']}\r\n\r\n"
    slow.sendall(request.encode())
    with slow, Display(live) as quick:
        quick.wait(lambda frames: len(frames) >= 2)
        for _ in range(150):
            play(live, PLAIN)
        position = play(live, ROYAL)
        began = time.monotonic()
        quick.wait(lambda frames: any(f.event == "hit" and f.data["position"] >= position - 8 for f in frames))
        assert time.monotonic() - began < 2
        text = b""
        while b"event: hit" not in text:
            piece = slow.recv(65536)
            assert piece, "the slow display was let go"
            text += piece
    pay(live, "PX")


def test_many_displays_see_the_same(live: Live) -> None:
    displays = [Display(live) for _ in range(40)]
    try:
        for display in displays:
            display.wait(lambda frames: len(frames) >= 2)
        position = play(live, ROYAL)
        for display in displays:
            display.wait(lambda frames: any(f.event == "hit" and f.data["position"] >= position - 8 for f in frames))
        moments = {tuple(f.key for f in display.moments() if f.event == "hit") for display in displays}
        assert len(moments) == 1
    finally:
        for display in displays:
            display.close()
    pay(live, "PX")


def test_the_feed_survives_its_connection_and_says_that_it_was_lost(live: Live) -> None:
    with Display(live) as display:
        display.wait(lambda frames: len(frames) >= 2)
        with psycopg.connect(live.database.superuser_url, autocommit=True) as admin:
            killed = admin.execute(
                "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity"
                " WHERE datname = current_database() AND application_name = 'pitclerk feed'"
            ).fetchone()
        assert killed is not None
        assert killed[0] == 1
        position = play(live, ROYAL)
        display.wait(lambda frames: any(f.event == "hit" and f.data["position"] >= position - 8 for f in frames))
        assert any(comment.startswith("stale") for comment in display.comments)
        assert any(comment.startswith("current") for comment in display.comments)
    pay(live, "PX")


def test_a_revoked_token_is_let_go(live: Live) -> None:
    with psycopg.connect(live.database.url) as conn:
        token_id, live.tokens["leaver"] = tokens.create(conn, role="display", name="leaver", created_by="test")
    with Display(live, role="leaver") as display:
        display.wait(lambda frames: len(frames) >= 2)
        with psycopg.connect(live.database.url) as conn:
            assert tokens.revoke(conn, token_id)
        assert display.ended.wait(12)
        assert display.comments[-1] == "the token is no longer valid"
    assert live.get("/v1/jackpots", "leaver").status_code == 401


def test_a_moving_meter_shows_five_frames_a_second(live: Live) -> None:
    over = threading.Event()

    def deal() -> None:
        while not over.is_set():
            play(live, PLAIN)

    dealing = threading.Thread(target=deal)
    with Display(live) as display:
        display.wait(lambda frames: len(frames) >= 2)
        dealing.start()
        time.sleep(2)  # a stretch of time is what is measured here
        over.set()
        dealing.join()
        seen = len(display.frames) - 2
    assert seen >= 10


def test_a_follower_that_stumbles_begins_anew_and_misses_nothing(live: Live, monkeypatch: pytest.MonkeyPatch) -> None:
    live.settle_down()
    steady, stumbling = Follower(), Follower()
    with psycopg.connect(live.database.url, autocommit=True) as conn:
        assert steady.next(conn)[1] == stumbling.next(conn)[1] == []
        for table in ("FX", "FY", "FX"):
            play(live, ROYAL, table)
        with monkeypatch.context() as broken:
            broken.setattr("api.feed.follower.fold", _stumble)
            with pytest.raises(FollowError):
                stumbling.next(conn)
        live.settle_down()
        picture, frames = steady.next(conn)
        again, found = stumbling.next(conn)
        assert {key: data.amount for key, data in again.levels.items()} == {
            key: data.amount for key, data in picture.levels.items()
        }
        assert [(f.event, f.data.position) for f in found] == [(f.event, f.data.position) for f in frames]
        assert [f.event for f in frames].count("hit") == 6
    pay(live, "PX")
    pay(live, "PY")


def _stumble(*_: object) -> None:
    raise AssertionError("the log does not continue")


def test_moments_that_the_views_have_not_folded_come_from_the_log(live: Live, monkeypatch: pytest.MonkeyPatch) -> None:
    live.settle_down()
    with psycopg.connect(live.database.url, autocommit=True) as conn:
        now, _ = Follower().next(conn)
        behind = jackpot_views.changes(conn, 0)
        whole = missed_moments(conn, 0, now.position, now)
        cut = whole[len(whole) // 2].data.position

        def as_it_stood(_conn: object, after: int, *, limit: int) -> jackpot_views.JackpotChanges:
            hits = [hit for hit in behind.hits if after < hit.position <= cut]
            paid = [hit for hit in behind.paid if after < (hit.paid_position or 0) <= cut]
            return msgspec.structs.replace(behind, position=cut, hits=hits[:limit], paid=paid[:limit])

        monkeypatch.setattr("api.feed.follower.views.changes", as_it_stood)
        assert missed_moments(conn, 0, now.position, now) == whole
