"""A proof as text: RFC 9285's own examples, any bytes there and back, and nothing damaged is taken."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.proof import ProofError, read
from domain.proof_text import ProofTextError, from_base45, from_text, to_base45, to_text


@pytest.mark.parametrize(
    ("data", "text"), [(b"AB", "BB8"), (b"Hello!!", "%69 VD92EX0"), (b"base-45", "UJCLQE7W581"), (b"ietf!", "QED8WEX0")]
)
def test_base_45_is_that_of_the_standard(data: bytes, text: str) -> None:
    assert to_base45(data) == text
    assert from_base45(text) == data


@given(st.binary(max_size=300))
def test_any_bytes_come_back(data: bytes) -> None:
    assert from_text(f" {to_text(data)}\r\n", 1_000) == data


@pytest.mark.parametrize("text", ["GGW", ":::", "a", "BB8=", "B"])
def test_what_is_not_base_45_is_refused(text: str) -> None:
    with pytest.raises(ProofTextError):
        from_base45(text)


def test_damaged_cut_or_too_large_texts_are_refused() -> None:
    text = to_text(b"x" * 500)
    for damaged in (text[:-1], text[:-4] + ":", text.replace("PITCLERK1", "PITCLERK2"), "PITCLERK1:", text[:20] + ":"):
        with pytest.raises(ProofTextError):
            from_text(damaged, 1_000)
    with pytest.raises(ProofTextError, match="larger"):
        from_text(text, 400)
    with pytest.raises(ProofError, match="no proof text"):
        read(b"PITCLERK1:\xff:")
