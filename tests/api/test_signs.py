"""`pitclerk sign` beside a running service: what a sign is sent is what the log gives at that position."""

from __future__ import annotations

import signal
import socket
import subprocess
import threading
import time
from pathlib import Path

import pytest

from api.signs.board import Board
from api.signs.follow import Follower
from api.signs.frame import Shown, decode
from tests.api.live import Live
from tests.api.test_feed import PLAIN, ROYAL, amounts_at, play
from tests.cli.program import PROGRAM, environment, pitclerk

WAIT_S = 20.0


@pytest.fixture(scope="module", autouse=True)
def _floor(live: Live) -> None:
    live.open_progressive("PX")
    live.open_table("FX", progressive="PX")
    live.settle_down()


def acknowledged(live: Live, position: int) -> list[str]:
    """Who has shown the royal flush of the save that ended there, once somebody has."""
    deadline = time.monotonic() + WAIT_S
    hits = live.get("/v1/jackpots/PX/hits", min_position=position, wait_ms=20_000).json()["hits"]
    royal = next(one["hit"] for one in reversed(hits) if one["hand"] == "royal flush")
    while time.monotonic() < deadline:
        shown = live.get(f"/v1/jackpots/PX/hits/{royal}").json()["after"]["shown"]
        if shown:
            return [one["display"] for one in shown]
        time.sleep(0.05)  # bounded by the deadline
    return []


def test_a_sign_is_told_the_truth_and_nothing_above_it(live: Live, tmp_path: Path) -> None:
    token = tmp_path / "token"
    token.write_text(live.tokens["display"])
    with socket.socket(type=socket.SOCK_DGRAM) as sign:
        sign.bind(("127.0.0.1", 0))
        sign.settimeout(WAIT_S)
        to = f"udp://127.0.0.1:{sign.getsockname()[1]}"
        command = [PROGRAM, "sign", "--to", to, "--url", live.url, "--token-file", str(token), "--pace-ms", "20"]
        command += ["--as", "led-north"]
        running = subprocess.Popen(command, env=environment(), stderr=subprocess.DEVNULL)
        try:
            frames = [decode(sign.recv(500))]
            for _ in range(20):
                play(live, PLAIN)
            last = play(live, ROYAL)
            while frames[-1][0].state != "PENDING" or frames[-1][0].position < last - 8:
                frames.append(decode(sign.recv(500)))
            assert acknowledged(live, last) == ["led-north"]
        finally:
            running.send_signal(signal.SIGTERM)
            assert running.wait(WAIT_S) == 128 + signal.SIGTERM
    truth = amounts_at(live)
    assert all(fresh for _, _, fresh in frames)
    assert [sequence for _, sequence, _ in frames] == list(range(len(frames)))
    for shown, _, _ in frames:
        assert shown.amount <= truth[shown.position]["PX"], shown


def test_a_cut_feed_marks_the_sign_and_mends_by_itself(live: Live) -> None:
    board = Board()
    follower = Follower(live.url, live.tokens["display"], board)
    follower.start()
    try:
        assert _next(board, fresh=True).jackpot == "PX"
        live.house.hub.close()  # as when the service stops: every display is let go, none is let in
        _next(board, fresh=False)
        live.house.hub.closing = False
        play(live, PLAIN)
        _next(board, fresh=True)
    finally:
        follower.stop()


def _next(board: Board, *, fresh: bool) -> Shown:
    deadline = time.monotonic() + WAIT_S
    while time.monotonic() < deadline:
        for frame in board.due(time.monotonic()):
            shown, _, is_fresh = decode(frame)
            if is_fresh == fresh:
                return shown
        threading.Event().wait(0.02)
    raise AssertionError("the sign was not told in time")


def test_a_token_that_may_not_is_said_and_not_tried_again(live: Live, tmp_path: Path) -> None:
    done = pitclerk("sign", "--to", str(tmp_path / "s"), "--url", live.url, PITCLERK_TOKEN="pck_nobody")
    assert done.status == 2
    assert "refuses this token" in done.err
    assert pitclerk("sign", "--to", str(tmp_path / "s")).status == 2
