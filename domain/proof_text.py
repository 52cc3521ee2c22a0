"""A proof file as one line of capital letters, digits and a few signs: what fits into a QR code on a slip.

    PITCLERK1:<the proof file's JSON, deflated (RFC 1950), in base 45 (RFC 9285)>:

QR codes hold this alphabet in five and a half bits a character, so that a proof of a log of many millions of events
still fits. The colon at the end is there because base 45 may end in a space, which scanning programs like to cut off.
docs/auditor-proofs.md reads it with a dozen lines of Python.
"""

from __future__ import annotations

import zlib
from typing import Final

PREFIX: Final = "PITCLERK1:"
_ALPHABET: Final = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ $%*+-./:"
_VALUES: Final = {character: value for value, character in enumerate(_ALPHABET)}


class ProofTextError(ValueError):
    """The text is no proof file as text."""


def to_text(proof_file: bytes) -> str:
    """A proof file's JSON as text."""
    return f"{PREFIX}{to_base45(zlib.compress(proof_file, 9))}:"


def from_text(text: str, most_bytes: int) -> bytes:
    """The proof file's JSON, at most so many bytes. Raises ProofTextError."""
    line = text.strip()
    if not line.startswith(PREFIX) or not line.endswith(":") or len(line) == len(PREFIX):
        raise ProofTextError(f"the text begins with {PREFIX} and ends with a colon")
    inflating = zlib.decompressobj()
    try:
        proof_file = inflating.decompress(from_base45(line[len(PREFIX) : -1]), most_bytes)
    except zlib.error as error:
        raise ProofTextError(f"the text is damaged: {error}") from error
    if not inflating.eof:
        raise ProofTextError("the text is cut off, or of a larger file than a proof can be")
    return proof_file


def to_base45(data: bytes) -> str:
    """RFC 9285: two bytes are three characters, a last single one two; the lowest digit stands first."""
    characters = []
    for at in range(0, len(data), 2):
        pair = data[at : at + 2]
        value = int.from_bytes(pair, "big")
        for _ in range(len(pair) + 1):
            value, digit = divmod(value, 45)
            characters.append(_ALPHABET[digit])
    return "".join(characters)


def from_base45(text: str) -> bytes:
    """The bytes of a base 45 text. Raises ProofTextError."""
    data = bytearray()
    for at in range(0, len(text), 3):
        part = text[at : at + 3]
        size = len(part) - 1
        try:
            value = sum(_VALUES[character] * 45**place for place, character in enumerate(part))
            data += value.to_bytes(size, "big")
        except (KeyError, OverflowError) as error:
            raise ProofTextError(f"{part!r} at character {at} is not base 45") from error
        if not size:
            raise ProofTextError("a single character is left over at the end")
    return bytes(data)
