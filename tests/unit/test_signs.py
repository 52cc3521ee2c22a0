"""Frames for LED signs: exact bytes, damage found, paced, marked when stale, and never ahead of the feed."""

from __future__ import annotations

import os
import pty
import socket
from pathlib import Path
from typing import Any

import pytest

from api.signs.board import Board
from api.signs.frame import FrameError, Shown, checksum, decode, encode
from api.signs.outlets import outlet

SHOWN = Shown("GRAND", 1, "PENDING", 1_000_035, "EUR", 1_000_070, "C1", 4711)


def data(amount: int, position: int, **more: Any) -> dict[str, Any]:
    given = {"jackpot": "GRAND", "level": 1, "amount": amount, "currency": "EUR", "position": position}
    return given | {"state": "NORMAL", "next_amount": None, "hit_amount": None, "table": None} | more


def seen(board: Board, now: float) -> list[tuple[int, str, bool]]:
    found = [decode(frame) for frame in board.due(now)]
    return [(shown.amount, shown.state, fresh) for shown, _, fresh in found]


def test_a_frame_is_these_bytes() -> None:
    assert checksum(b"123456789") == 0x29B1, "the published check value of this CRC"
    frame = encode(SHOWN, 7, fresh=True)
    assert frame == b"\x02PC1;0007;GRAND;1;PENDING;1000035;EUR;2;1000070;C1;4711;F\x0362F6\r\n"
    assert decode(frame) == (SHOWN, 7, True)
    calm = SHOWN._replace(state="NORMAL", award=None, table=None)
    assert decode(encode(calm, 10_003, fresh=False)) == (calm, 3, False)


@pytest.mark.parametrize("at", range(1, 60))
def test_one_damaged_byte_is_always_found(at: int) -> None:
    frame = bytearray(encode(SHOWN, 7, fresh=True))
    frame[at] ^= 0x11
    with pytest.raises(FrameError):
        decode(bytes(frame))


def test_moves_are_paced_and_the_newest_is_told() -> None:
    board = Board(pace_s=0.2)
    board.take("meter", data(100, 1), 0.0)
    assert seen(board, 0.0) == [(100, "NORMAL", True)]
    for n in range(1, 10):
        board.take("meter", data(100 + n, 1 + n), n / 100)
        assert seen(board, n / 100) == []
    assert seen(board, 0.21) == [(109, "NORMAL", True)]
    assert seen(board, 2.0) == []
    assert seen(board, 3.3) == [(109, "NORMAL", True)], "repeated for a sign that was switched on late"


def test_a_hit_goes_out_at_once_with_the_new_value_and_the_award() -> None:
    board = Board()
    board.take("meter", data(500, 1), 0.0)
    board.due(0.0)
    board.take("hit", data(500, 2, state="PENDING", next_amount=100, hit_amount=500, table="C1"), 0.01)
    ((shown, _, _),) = [decode(frame) for frame in board.due(0.02)]
    assert (shown.amount, shown.state, shown.award, shown.table) == (100, "PENDING", 500, "C1")
    board.take("paid", data(100, 3, hit_amount=500, table="C1"), 0.03)
    ((shown, _, _),) = [decode(frame) for frame in board.due(0.04)]
    assert (shown.amount, shown.state, shown.award, shown.table) == (100, "NORMAL", None, None)


def test_what_may_be_old_is_marked() -> None:
    board = Board()
    board.take("meter", data(500, 1), 0.0)
    assert seen(board, 0.0) == [(500, "NORMAL", True)]
    board.hear(1.0, says_stale=True)
    assert seen(board, 1.0) == [(500, "NORMAL", False)]
    board.hear(2.0, says_stale=False)
    assert seen(board, 2.0) == [(500, "NORMAL", True)]
    assert seen(board, 32.1) == [(500, "NORMAL", False)], "nothing heard for half a minute"
    board.hear(33.0)
    assert seen(board, 33.0) == [(500, "NORMAL", True)]
    board.lose()
    assert seen(board, 33.1) == [(500, "NORMAL", False)]


def test_only_the_jackpots_that_are_wanted() -> None:
    board = Board(frozenset({"OTHER"}))
    board.take("meter", data(500, 1), 0.0)
    assert board.due(0.0) == []


def test_frames_leave_by_udp_by_line_and_into_a_file(tmp_path: Path) -> None:
    frame = encode(SHOWN, 7, fresh=True)
    with socket.socket(type=socket.SOCK_DGRAM) as sign:
        sign.bind(("127.0.0.1", 0))
        sign.settimeout(5)
        with outlet(f"udp://127.0.0.1:{sign.getsockname()[1]}") as udp:
            udp.send(frame)
        assert sign.recv(200) == frame
    near, far = pty.openpty()
    with outlet(os.ttyname(far), baud=19_200) as line:
        line.send(frame)
        assert os.read(near, 200) == frame, "a raw line changes no byte"
    os.close(near)
    os.close(far)
    for _ in range(2):
        with outlet(str(tmp_path / "sign")) as file:
            file.send(frame)
    assert (tmp_path / "sign").read_bytes() == 2 * frame


@pytest.mark.parametrize(("to", "baud"), [("udp://nowhere", 9600), ("udp://:5", 9600), ("file", 9601)])
def test_nonsense_is_no_outlet(to: str, baud: int) -> None:
    with pytest.raises(ValueError, match="is n"):
        outlet(to, baud=baud)
