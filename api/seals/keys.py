"""The key that signs checkpoints: Ed25519, made on first use, in a file that only its owner can read.

The file holds one line in the form of Go's note package, PRIVATE+KEY+NAME+ID+BASE64(algorithm || seed), so that the
tools of transparency logs can use it. Everything else in the program sees the public half only.
"""

from __future__ import annotations

import base64
import os
import stat
import tempfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from domain.note import ED25519, KEY_BYTES, NoteError, Signature, VerifierKey, sign

_PREFIX: Final = "PRIVATE+KEY+"


class KeyFileError(OSError):
    """The signing key cannot be used; the message says why."""


@dataclass(frozen=True, slots=True)
class SigningKey:
    """The house's key."""

    verifier: VerifierKey
    _secret: Ed25519PrivateKey = field(repr=False)

    def sign(self, text: str) -> Signature:
        """Sign the text of a checkpoint."""
        return sign(text, self.verifier, self._secret.sign)


def check(public: bytes, signature: bytes, message: bytes) -> bool:
    """Whether an Ed25519 signature is good."""
    try:
        Ed25519PublicKey.from_public_bytes(public).verify(signature, message)
    except (InvalidSignature, ValueError):
        return False
    return True


def obtain(path: Path, name: str) -> SigningKey:
    """The key in the file, which is made if there is none. Raises KeyFileError."""
    try:
        if not path.exists():
            _make(path, name)
        return read(path)
    except KeyFileError:
        raise
    except OSError as error:
        raise KeyFileError(f"the signing key {path} cannot be used: {error.strerror or error}") from error


def read(path: Path) -> SigningKey:
    """The key in a file that must be there. Raises KeyFileError, and OSError of the file itself."""
    if path.stat().st_mode & stat.S_IRWXO:
        raise KeyFileError(f"the signing key {path} is open to everybody: chmod 600 it, or make a new one")
    try:
        return parse(path.read_text("ascii").strip())
    except (NoteError, ValueError) as error:
        raise KeyFileError(f"{path} holds no signing key: {error}") from error


def parse(text: str) -> SigningKey:
    """Read PRIVATE+KEY+NAME+ID+DATA. Raises NoteError."""
    name, _, rest = text.removeprefix(_PREFIX).partition("+")
    key_id, _, data = rest.partition("+")
    blob = base64.b64decode(data, validate=True)
    if not text.startswith(_PREFIX) or len(blob) != 1 + KEY_BYTES or blob[0] != ED25519:
        raise NoteError("it is not of the form PRIVATE+KEY+NAME+ID+BASE64 with algorithm 1 (Ed25519)")
    key = _signing(name, Ed25519PrivateKey.from_private_bytes(blob[1:]))
    if key_id != key.verifier.id.hex():
        raise NoteError("its id is not that of the key: it was not copied whole")
    return key


def _signing(name: str, secret: Ed25519PrivateKey) -> SigningKey:
    return SigningKey(VerifierKey(name, ED25519, secret.public_key().public_bytes_raw()), secret)


def _make(path: Path, name: str) -> None:
    """Draw a key and put it there, unless another process has been faster: then its key is the house's."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    secret = Ed25519PrivateKey.generate()
    data = base64.b64encode(bytes([ED25519]) + secret.private_bytes_raw()).decode()
    line = f"{_PREFIX}{name}+{_signing(name, secret).verifier.id.hex()}+{data}\n"
    fd, unfinished = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")  # 0600 from the first moment
    try:
        with os.fdopen(fd, "w") as file:
            file.write(line)
            file.flush()
            os.fsync(fd)
        if os.geteuid() == 0:  # a home of an ordinary user stays that user's, also when root is the first to use it
            os.chown(unfinished, path.parent.stat().st_uid, path.parent.stat().st_gid)
        try:
            os.link(unfinished, path)
        except FileExistsError:
            return
    finally:
        Path(unfinished).unlink(missing_ok=True)
