"""The signing key: made once whoever comes first, for its owner's eyes, and refused when anything about it is wrong."""

from __future__ import annotations

import stat
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from api.seals import keys
from api.seals.keys import KeyFileError, check, obtain, read
from domain.note import Checkpoint, NoteError, is_signed

TEXT = Checkpoint("pitclerk/house", 3, bytes(32)).text
GO = "PRIVATE+KEY+PeterNeumann+c74f20a3+AYEKFALVFGyNhPJEMzD1QIDr+Y7hfZx09iUvxdXHKDFz"


def test_a_key_is_made_once_and_for_its_owner_alone(tmp_path: Path) -> None:
    path = tmp_path / "new" / "checkpoint.key"
    made = obtain(path, "pitclerk/house")
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    assert obtain(path, "another name").verifier == made.verifier == read(path).verifier
    assert is_signed(TEXT, made.sign(TEXT), made.verifier, check)
    assert list(path.parent.iterdir()) == [path], "nothing unfinished is left"


def test_all_who_come_at_once_get_one_key(tmp_path: Path) -> None:
    path = tmp_path / "checkpoint.key"
    with ThreadPoolExecutor(16) as pool:
        found = list(pool.map(lambda _: str(obtain(path, "pitclerk/house").verifier), range(64)))
    assert len(set(found)) == 1
    assert list(tmp_path.iterdir()) == [path]


def test_the_secret_is_in_no_text_of_the_key(tmp_path: Path) -> None:
    path = tmp_path / "checkpoint.key"
    made = obtain(path, "pitclerk/house")
    secret = path.read_text().strip().rpartition("+")[2]
    assert secret not in repr(made)
    assert secret not in str(made.verifier)


def test_a_key_of_gos_note_tools_is_read(tmp_path: Path) -> None:
    path = tmp_path / "go.key"
    path.write_text(GO + "\n")
    path.chmod(0o600)
    assert str(read(path).verifier) == "PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW"


@pytest.mark.parametrize("mode", [0o604, 0o644, 0o602])
def test_a_key_that_everybody_may_read_or_change_is_not_used(tmp_path: Path, mode: int) -> None:
    path = tmp_path / "checkpoint.key"
    obtain(path, "pitclerk/house")
    path.chmod(mode)
    with pytest.raises(KeyFileError, match="open to everybody"):
        obtain(path, "pitclerk/house")


@pytest.mark.parametrize(
    "text",
    [
        "",
        "nonsense",
        GO.replace("PRIVATE+KEY+", ""),
        GO.replace("c74f", "c74e"),
        GO[:-4],
        GO.replace("+AY", "+BY"),
        "é",
    ],
)
def test_what_is_no_key_is_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "checkpoint.key"
    path.write_text(text)
    path.chmod(0o600)
    with pytest.raises(KeyFileError, match="holds no signing key"):
        obtain(path, "pitclerk/house")


def test_a_place_where_no_file_can_be_is_said(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(KeyFileError, match="cannot be used"):
        obtain(tmp_path / "file" / "checkpoint.key", "pitclerk/house")


def test_parse_says_what_is_wrong() -> None:
    with pytest.raises(NoteError, match="not copied whole"):
        keys.parse(GO.replace("c74f", "c74e"))
