"""Signed notes and checkpoints: the vectors of Go's `sumdb/note`, witnesses, and what is refused."""

from __future__ import annotations

import base64

import pytest
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from domain.note import (
    COSIGNATURE,
    ED25519,
    Checkpoint,
    Note,
    NoteError,
    VerifierKey,
    checkpoint,
    cosign,
    is_signed,
    note,
    notes,
    sign,
    signature_line,
    signers,
    verifier_key,
)

# golang.org/x/mod/sumdb/note, its package example.
GO_VKEY = "PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW"
GO_SEED = base64.b64decode("AYEKFALVFGyNhPJEMzD1QIDr+Y7hfZx09iUvxdXHKDFz")[1:]
GO_NOTE = (
    "If you think cryptography is the answer to your problem,\n"
    "then you don't know what your problem is.\n"
    "\n"
    "— PeterNeumann x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM=\n"
)
# C2SP tlog-checkpoint, its example.
C2SP_NOTE = (
    "example.com/behind-the-sofa\n"
    "20852163\n"
    "CsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=\n"
    "\n"
    "— example.com/behind-the-sofa "
    "Az3grlgtzPICa5OS8npVmf1Myq/5IZniMp+ZJurmRDeOoRDe4URYN7u5/Zhcyv2q1gGzGku9nTo+zyWE+xeMcTOAYQ8=\n"
)
SECRET = Ed25519PrivateKey.from_private_bytes(bytes(range(32)))
PUBLIC = SECRET.public_key().public_bytes_raw()
HOUSE = VerifierKey("pitclerk/house", ED25519, PUBLIC)
WITNESS = VerifierKey("witness.example/w1", COSIGNATURE, PUBLIC)
TEXT = Checkpoint("pitclerk/house", 3, bytes(range(32))).text


def check(public: bytes, signature: bytes, message: bytes) -> bool:
    try:
        Ed25519PublicKey.from_public_bytes(public).verify(signature, message)
    except InvalidSignature:
        return False
    return True


def test_the_note_of_go_is_read_checked_and_made() -> None:
    key, found = verifier_key(GO_VKEY), note(GO_NOTE)
    assert (str(key), str(found)) == (GO_VKEY, GO_NOTE)
    assert signers(found, [key, HOUSE], check) == [key]
    assert sign(found.text, key, Ed25519PrivateKey.from_private_bytes(GO_SEED).sign) == found.signatures[0]


def test_the_checkpoint_of_c2sp_is_read() -> None:
    found = note(C2SP_NOTE)
    assert checkpoint(found.text).origin == "example.com/behind-the-sofa"
    assert checkpoint(found.text).size == 20852163
    assert checkpoint(found.text).text == found.text
    assert str(found) == C2SP_NOTE


def test_a_witness_signs_a_time_and_the_text() -> None:
    signed = cosign(TEXT, WITNESS, 1_700_000_000, SECRET.sign)
    assert len(signed.signature) == 72
    assert check(PUBLIC, signed.signature[8:], b"cosignature/v1\ntime 1700000000\n" + TEXT.encode())
    assert is_signed(TEXT, signed, WITNESS, check)
    assert signature_line(str(signed)) == signed
    later = base64.b64encode(signed.key_id + b"\0" * 7 + b"\1" + signed.signature[8:]).decode()
    assert not is_signed(TEXT, signature_line(f"— {WITNESS.name} {later}"), WITNESS, check)


def test_a_signature_is_of_one_text_by_one_key() -> None:
    signed = sign(TEXT, HOUSE, SECRET.sign)
    assert is_signed(TEXT, signed, HOUSE, check)
    assert not is_signed(TEXT.replace("3\n", "4\n"), signed, HOUSE, check)
    assert not is_signed(TEXT, signed, WITNESS, check)
    assert not is_signed(TEXT, signed, VerifierKey("pitclerk/other", ED25519, PUBLIC), check)
    assert signers(Note(TEXT, ()), [HOUSE], check) == []


def test_notes_may_stand_one_behind_the_other() -> None:
    assert [str(one) for one in notes(f"\n{C2SP_NOTE}{GO_NOTE}\n\n{C2SP_NOTE}")] == [C2SP_NOTE, GO_NOTE, C2SP_NOTE]
    assert notes(" \n") == []
    assert len(notes(C2SP_NOTE.removesuffix("\n"))) == 1, "an editor may have taken the last newline"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "a\n",
        "a\n\nb\n",
        GO_NOTE.replace("\n\n", "\n"),
        GO_NOTE.replace("—", "-"),
        GO_NOTE.replace("x08go", "x08g!"),
        GO_NOTE.replace("PeterNeumann ", "Peter+Neumann "),
        GO_NOTE.replace("PeterNeumann ", " "),
        "a\tb\n" + GO_NOTE,
        "— only AAAAAAAA\n",
        GO_NOTE + "\n",
        "a\n\n— name AAAAAA==\n",
    ],
)
def test_what_is_no_note_is_refused(text: str) -> None:
    with pytest.raises(NoteError):
        note(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "o\n3\n",
        "\n3\n" + TEXT.split("\n")[2] + "\n",
        TEXT.replace("\n3\n", "\n03\n"),
        TEXT.replace("\n3\n", "\n-3\n"),
        TEXT.replace("\n3\n", "\n3.0\n"),
        TEXT.replace("\n3\n", "\n99999999999999999999\n"),
        "o\n3\nAAAA\n",
        "o\n3\n????\n",
    ],
)
def test_what_is_no_checkpoint_is_refused(text: str) -> None:
    with pytest.raises(NoteError):
        checkpoint(text)


@pytest.mark.parametrize(
    "text",
    ["", "a", "a+b+c", GO_VKEY.replace("c74f", "c74e"), GO_VKEY + "=", GO_VKEY.replace("+AR", "+AB"), f"x{GO_VKEY}"],
)
def test_what_is_no_key_is_refused(text: str) -> None:
    with pytest.raises(NoteError):
        verifier_key(text)


def test_extension_lines_are_signed_and_left_alone() -> None:
    text = TEXT + "position 4711\n"
    assert checkpoint(text) == checkpoint(TEXT)
    assert is_signed(text, sign(text, HOUSE, SECRET.sign), HOUSE, check)
