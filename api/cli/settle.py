"""`pitclerk settle`: settle round records from files or standard input. Imports nothing that makes it start slowly."""

import sys
from io import BufferedReader, RawIOBase
from typing import TYPE_CHECKING, BinaryIO

if TYPE_CHECKING:
    from typing_extensions import Buffer

USAGE = """\
Usage: pitclerk settle FILE...

  Settle round records and print what each box is paid; nothing is written to the log.

  FILE is a .json file (one record), a .jsonl file (one record a line) or - for standard input, which may hold either.
  Exit status: 0 settled; 1 a line of a .jsonl was refused; 2 the record of a .json was refused or a file is unreadable.
"""
TROUBLE = 2


def run(arguments: list[str]) -> int:
    """Settle every file in turn; the worst exit status of them all."""
    if any(argument in ("--help", "-h") for argument in arguments):
        sys.stdout.write(USAGE)
        return 0
    files = [argument for argument in arguments if argument != "--json"]  # JSON is all that it prints
    unknown = [argument for argument in files if argument.startswith("-") and argument != "-"]
    if unknown or not files:
        sys.stderr.write(USAGE)
        sys.stderr.write(f"\nNo such option: {unknown[0]}\n" if unknown else "\nMissing argument FILE...\n")
        return TROUBLE
    return max(_settle_file(name) for name in files)


def _settle_file(name: str) -> int:
    from domain.settle import settle_stream

    out = sys.stdout.buffer
    try:
        if name == "-":
            if sys.stdin is None:
                sys.stderr.write("-: there is no standard input\n")
                return TROUBLE
            whole, is_jsonl = _told_apart(sys.stdin.buffer)
            return settle_stream(whole, out, jsonl=is_jsonl)
        with open(name, "rb") as file:
            if name.endswith(".json"):
                return settle_stream(file, out, jsonl=False)
            if name.endswith(".jsonl"):
                return settle_stream(file, out, jsonl=True)
            whole, is_jsonl = _told_apart(file)
            return settle_stream(whole, out, jsonl=is_jsonl)
    except BrokenPipeError:
        raise
    except OSError as error:
        sys.stderr.write(f"{name}: {error.strerror or error}\n")
        return TROUBLE


def _told_apart(file: BinaryIO) -> tuple[BinaryIO, bool]:
    """The input from its beginning, and whether it is JSON Lines rather than one record over one or many lines."""
    first = _next_line(file)
    second = _next_line(file)
    many = bool(second) and (_is_object(first) or _is_record(second))  # or: a broken line among whole ones
    return _rewound(first + second, file), many


def _next_line(file: BinaryIO) -> bytes:
    """The next line that is not blank, with the blank ones before it; empty at the end."""
    lines = b""
    while line := file.readline():
        lines += line
        if line.strip():
            return lines
    return b""


def _is_object(line: bytes) -> bool:
    import msgspec

    try:
        return isinstance(msgspec.json.decode(line), dict)
    except msgspec.DecodeError:
        return False


def _is_record(line: bytes) -> bool:
    return b'"ruleset"' in line and _is_object(line)


class _Rewound(RawIOBase):
    """Bytes read already, then the rest of the file."""

    def __init__(self, head: bytes, file: BinaryIO) -> None:
        self._head = memoryview(head)
        self._file = file

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: "Buffer") -> int:
        into = memoryview(buffer)
        if self._head:
            count = min(len(into), len(self._head))
            into[:count] = self._head[:count]
            self._head = self._head[count:]
            return count
        data = self._file.read1(len(into))  # type: ignore[attr-defined]  # what is there now: a pipe may not be full yet
        into[: len(data)] = data
        return len(data)


def _rewound(head: bytes, file: BinaryIO) -> BinaryIO:
    return BufferedReader(_Rewound(head, file), 1 << 16)
