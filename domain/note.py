"""Checkpoints as the rest of the world writes them: C2SP tlog-checkpoint in a C2SP signed-note.

    pitclerk/house                                    origin: the log's name
    4711                                              size: how many leaves
    CsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=      root: of the Merkle tree over them, base64
                                                      (an empty line)
    \N{EM DASH} pitclerk/house Az3grlgtzPICa5OS8npVmf1Myq/5I...    signatures: key name, base64 of key id and signature

A key id is the first 4 bytes of SHA-256(name || 0x0A || algorithm || public key). Algorithm 1 is Ed25519 over the text
above the empty line; 4 is a witness's cosignature (C2SP tlog-cosignature): a time, and Ed25519 over that and the text.
Everything here is pure: who signs or checks is passed in.
"""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from hashlib import sha256

from domain.merkle import HASH_BYTES

ED25519, COSIGNATURE = 1, 4
KEY_BYTES, SIGNATURE_BYTES, TIME_BYTES, ID_BYTES = 32, 64, 8, 4

MOST_NOTE = 100_000
"""Characters: far more than a checkpoint with a hundred witnesses has."""

_DASH = "\N{EM DASH} "
_NAME = re.compile(r"[^\s+]{1,200}")
_NUMBER = re.compile(r"0|[1-9][0-9]{0,18}")
_CONTROL = re.compile(r"[\x00-\x09\x0b-\x1f]")

Sign = Callable[[bytes], bytes]
"""Signs a message with Ed25519."""

Check = Callable[[bytes, bytes, bytes], bool]
"""Whether (public key, signature, message) fit together, by Ed25519."""


class NoteError(ValueError):
    """A text is no signed note, checkpoint or key."""


@dataclass(frozen=True, slots=True)
class VerifierKey:
    """A public key in C2SP vkey form: NAME+ID+BASE64(algorithm || key)."""

    name: str
    algorithm: int
    public: bytes

    @property
    def id(self) -> bytes:
        """The key id: 4 bytes."""
        return sha256(self.name.encode() + b"\n" + bytes([self.algorithm]) + self.public).digest()[:ID_BYTES]

    def __str__(self) -> str:
        return f"{self.name}+{self.id.hex()}+{_encode(bytes([self.algorithm]) + self.public)}"


@dataclass(frozen=True, slots=True)
class Signature:
    """One signature line: whose key, and the signature as it stands after the key id."""

    name: str
    key_id: bytes
    signature: bytes

    def __str__(self) -> str:
        return f"{_DASH}{self.name} {_encode(self.key_id + self.signature)}"

    def made_by(self, key: VerifierKey) -> bool:
        """Whether it says that this key made it."""
        return (self.name, self.key_id) == (key.name, key.id)


@dataclass(frozen=True, slots=True)
class Note:
    """A text (its last line ended) and who signed it."""

    text: str
    signatures: tuple[Signature, ...]

    def __str__(self) -> str:
        return self.text + "\n" + "".join(f"{signature}\n" for signature in self.signatures)


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """What a log says of itself: its first `size` leaves have this root."""

    origin: str
    size: int
    root: bytes

    @property
    def text(self) -> str:
        """The text that is signed."""
        return f"{self.origin}\n{self.size}\n{_encode(self.root)}\n"


def verifier_key(text: str) -> VerifierKey:
    """Read a vkey. Raises NoteError."""
    name, _, rest = text.strip().partition("+")
    key_id, _, data = rest.partition("+")
    blob = _decode(data, "the key")
    if not _NAME.fullmatch(name) or len(blob) != 1 + KEY_BYTES or blob[0] not in (ED25519, COSIGNATURE):
        raise NoteError("a verifier key is NAME+ID+BASE64, of algorithm 1 (Ed25519) or 4 (cosignature)")
    key = VerifierKey(name, blob[0], blob[1:])
    if key_id != key.id.hex():
        raise NoteError(f"the key id is {key.id.hex()}, not {key_id[:16]!r}: the key was not copied whole")
    return key


def signature_line(line: str) -> Signature:
    """Read a signature line. Raises NoteError."""
    if not line.startswith(_DASH):
        raise NoteError("a signature line begins with an em dash and a space")
    name, _, data = line.removeprefix(_DASH).rstrip("\n").partition(" ")
    blob = _decode(data, "the signature")
    if not _NAME.fullmatch(name) or len(blob) <= ID_BYTES:
        raise NoteError("a signature line is a dash, the key's name, and the base64 of key id and signature")
    return Signature(name, blob[:ID_BYTES], blob[ID_BYTES:])


def note(text: str) -> Note:
    """Read one signed note. Raises NoteError."""
    body, _, lines = text.rpartition("\n\n")
    if len(text) > MOST_NOTE or _CONTROL.search(text) or not body or not lines.endswith("\n"):
        raise NoteError("a signed note is a text, an empty line, and signature lines, each ended")
    return Note(body + "\n", tuple(signature_line(line) for line in lines.splitlines()))


def notes(text: str) -> list[Note]:
    """Read notes that stand one behind the other, as a file kept over the years has them. Raises NoteError."""
    found: list[Note] = []
    rest = text.splitlines(keepends=True)
    while any(line.strip() for line in rest):
        first = next(at for at, line in enumerate(rest) if line.strip())
        signed = next((at for at in range(first, len(rest)) if rest[at].startswith(_DASH)), len(rest))
        end = next((at for at in range(signed, len(rest)) if not rest[at].startswith(_DASH)), len(rest))
        found.append(note("".join(rest[first:end]).removesuffix("\n") + "\n"))
        rest = rest[end:]
    return found


def checkpoint(text: str) -> Checkpoint:
    """Read a checkpoint's text; further lines (extensions) are left to those who know them. Raises NoteError."""
    lines = text.split("\n")
    if len(lines) < 4 or not lines[0] or not _NUMBER.fullmatch(lines[1]):
        raise NoteError("a checkpoint's lines are its origin, its size and its root")
    root = _decode(lines[2], "the root")
    if len(root) != HASH_BYTES:
        raise NoteError(f"the root has {len(root)} bytes, not {HASH_BYTES}")
    return Checkpoint(lines[0], int(lines[1]), root)


def sign(text: str, key: VerifierKey, with_: Sign) -> Signature:
    """Sign a text with the private half of `key` (algorithm 1)."""
    assert key.algorithm == ED25519, "cosignatures are a witness's"
    return Signature(key.name, key.id, with_(text.encode()))


def cosign(text: str, key: VerifierKey, seconds: int, with_: Sign) -> Signature:
    """Sign as a witness (algorithm 4): the checkpoint was seen at this time, and follows those seen before."""
    assert key.algorithm == COSIGNATURE, "other keys sign the text alone"
    return Signature(key.name, key.id, seconds.to_bytes(TIME_BYTES, "big") + with_(_witnessed(text, seconds)))


def is_signed(text: str, signature: Signature, key: VerifierKey, check: Check) -> bool:
    """Whether a signature is this key's, over this text."""
    if not signature.made_by(key):
        return False
    if key.algorithm == ED25519:
        return len(signature.signature) == SIGNATURE_BYTES and check(key.public, signature.signature, text.encode())
    time, signed = signature.signature[:TIME_BYTES], signature.signature[TIME_BYTES:]
    message = _witnessed(text, int.from_bytes(time, "big"))
    return len(signed) == SIGNATURE_BYTES and check(key.public, signed, message)


def signers(of: Note, keys: Iterable[VerifierKey], check: Check) -> list[VerifierKey]:
    """Those of the keys that signed the note."""
    return [key for key in keys if any(is_signed(of.text, one, key, check) for one in of.signatures)]


def _witnessed(text: str, seconds: int) -> bytes:
    return f"cosignature/v1\ntime {seconds}\n{text}".encode()


def _encode(data: bytes) -> str:
    return base64.b64encode(data).decode()


def _decode(text: str, what: str) -> bytes:
    try:
        data = base64.b64decode(text.encode("ascii"), validate=True)
    except (binascii.Error, UnicodeEncodeError) as error:
        raise NoteError(f"{what} is not base64") from error
    if _encode(data) != text:
        raise NoteError(f"{what} is not base64 in its one canonical form")
    return data
