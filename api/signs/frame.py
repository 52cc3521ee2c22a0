"""The frame that a sign is sent: one line of ASCII a level, with a checksum.

    STX PC1;SEQ;JACKPOT;LEVEL;STATE;AMOUNT;CURRENCY;DECIMALS;AWARD;TABLE;POSITION;FRESH ETX CRC CR LF

AMOUNT and AWARD are whole minor units (AWARD and TABLE empty where no award waits), DECIMALS how many of the digits are
decimals. STATE: NORMAL, PENDING, STOPPED. FRESH: F, or S for stale: the figure may be old and should be marked. SEQ
counts frames from 0 to 9999 and round. CRC: CRC-16/CCITT (polynomial 1021, start FFFF) of everything between STX and
CRC, STX not and ETX in it, as four hexadecimal digits.
"""

import binascii
from typing import Final, NamedTuple

from domain.money import CURRENCIES

STX: Final = b"\x02"
ETX: Final = b"\x03"
END: Final = b"\r\n"
KIND: Final = "PC1"
SEQUENCES: Final = 10_000


class FrameError(ValueError):
    """Bytes that are no frame, or one that was damaged on its way."""


class Shown(NamedTuple):
    """What one level's sign shows; amounts in minor units."""

    jackpot: str
    level: int
    state: str
    amount: int
    currency: str
    award: int | None
    table: str | None
    position: int


def encode(shown: Shown, sequence: int, *, fresh: bool) -> bytes:
    """The frame's bytes. Names hold only letters, digits, `_`, `.` and `-`, so no field can hold a separator."""
    fields = (
        KIND,
        f"{sequence % SEQUENCES:04d}",
        shown.jackpot,
        shown.level,
        shown.state,
        shown.amount,
        shown.currency,
        CURRENCIES.get(shown.currency, 2),
        "" if shown.award is None else shown.award,
        shown.table or "",
        shown.position,
        "F" if fresh else "S",
    )
    body = ";".join(map(str, fields)).encode("ascii") + ETX
    return STX + body + b"%04X" % checksum(body) + END


def checksum(body: bytes) -> int:
    """CRC-16/CCITT with the start value FFFF."""
    return binascii.crc_hqx(body, 0xFFFF)


def decode(data: bytes) -> tuple[Shown, int, bool]:
    """What a frame says, its sequence number, and whether it is fresh. Raises FrameError."""
    if not (data.startswith(STX) and data.endswith(END) and data[-7:-6] == ETX):
        raise FrameError("not framed by STX, ETX, a checksum and CR LF")
    body, sum_ = data[1:-6], data[-6:-2]
    if b"%04X" % checksum(body) != sum_:
        raise FrameError("the checksum does not fit")
    fields = body[:-1].decode("ascii").split(";")
    if len(fields) != 12 or fields[0] != KIND:
        raise FrameError("not twelve fields that begin with PC1")
    _, sequence, jackpot, level, state, amount, currency, _, award, table, position, fresh = fields
    shown = Shown(
        jackpot, int(level), state, int(amount), currency, int(award) if award else None, table or None, int(position)
    )
    return shown, int(sequence), fresh == "F"
