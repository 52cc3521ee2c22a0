"""Many records in one stream: each line its answer, the exit status of the whole, and nothing that stops it."""

import io
import json
import tracemalloc

from domain.settle import MOST_BYTES, settle_line, settle_stream
from tests.rules.rounds import box, record

GOOD = json.dumps(record("vesuvius-ro", box("9d 9s 6c 4h 2c", "bet"))).encode()
BAD = json.dumps(record("vesuvius-ro", box("9d 9s 6c 4h 2c"))).encode()


def stream(source: bytes, *, jsonl: bool = True) -> tuple[int, list[bytes]]:
    sink = io.BytesIO()
    status = settle_stream(io.BytesIO(source), sink, jsonl=jsonl)
    return status, sink.getvalue().splitlines()


def test_a_line_is_answered_by_a_line() -> None:
    status, lines = stream(GOOD + b"\n" + GOOD + b"\n")
    assert (status, lines) == (0, [settle_line(GOOD)] * 2)


def test_a_refused_line_leaves_the_others_settled() -> None:
    status, lines = stream(b"\n".join([GOOD, BAD, b"{", GOOD]))
    assert status == 1
    assert [b"error" in line[:9] for line in lines] == [False, True, True, False]


def test_blank_lines_and_line_ends_of_any_kind_are_passed_over() -> None:
    status, lines = stream(b"\n  \r\n" + GOOD + b"\r\n\n\t\n" + GOOD)
    assert (status, len(lines)) == (0, 2)
    assert stream(b"") == (0, [])


def test_an_over_long_line_is_refused_and_the_next_one_read() -> None:
    status, lines = stream(b"[" * (3 * MOST_BYTES) + b"\n" + GOOD + b"\n")
    assert (status, len(lines)) == (1, 2)
    assert json.loads(lines[0])["error"]["code"] == "bad_record"
    assert lines[1] == settle_line(GOOD)


def test_one_record_alone_may_span_lines() -> None:
    spread = json.dumps(json.loads(GOOD), indent=2).encode()
    assert stream(spread, jsonl=False) == (0, [settle_line(GOOD)])
    assert stream(BAD, jsonl=False)[0] == 2
    assert stream(b"", jsonl=False)[0] == 2
    assert stream(b" " * (MOST_BYTES + 1), jsonl=False)[0] == 2


def test_memory_stays_flat_however_many_lines_there_are() -> None:
    class Endless(io.RawIOBase):
        def __init__(self, lines: int) -> None:
            self.left = lines

        def readline(self, _size: int | None = -1, /) -> bytes:
            self.left -= 1
            return GOOD + b"\n" if self.left >= 0 else b""

    class Sink(io.RawIOBase):
        def write(self, data: object, /) -> int:
            return len(data)  # type: ignore[arg-type]

    settle_stream(Endless(100), Sink(), jsonl=True)  # type: ignore[arg-type]
    tracemalloc.start()
    settle_stream(Endless(5_000), Sink(), jsonl=True)  # type: ignore[arg-type]
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 1_000_000
