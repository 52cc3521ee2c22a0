"""P7: a program knows its own files by their digest, and the log which program wrote it."""

from __future__ import annotations

from pathlib import Path

from api.self_check import Files, check_program, digest_of, own_files
from domain.application import Application
from domain.codec import decode
from domain.events.program import ProgramStarted
from tests.databases import Database


def recorded(app: Application) -> list[tuple[str, str | None]]:
    """Digest and the one before it, of every program that the log knows."""
    events = [decode(stored.topic, stored.state)[1] for stored in app.recorder.select_events("program")]
    return [(event.digest, event.previous) for event in events if isinstance(event, ProgramStarted)]


def test_given_a_program_when_it_starts_again_then_only_a_changed_one_is_recorded(pg: Database) -> None:
    with Application(pg.url, site="test") as app:
        assert not check_program(app, actor="op", files=Files("aa", 1)), "the first is new"
        assert check_program(app, actor="op", files=Files("aa", 1))
    with Application(pg.url, site="test") as app:
        assert check_program(app, actor="op", files=Files("aa", 1)), "after a restart"
        assert not check_program(app, actor="op", files=Files("bb", 2))
        assert recorded(app) == [("aa", None), ("bb", "aa")]


def test_any_changed_added_renamed_or_lost_file_changes_the_digest(tmp_path: Path) -> None:
    place = tmp_path / "p"
    (place / "in").mkdir(parents=True)
    (place / "a.py").write_text("x = 1\n")
    (place / "in" / "b.sql").write_text("SELECT 1;\n")
    seen = [digest_of({"p": place}).digest]
    (place / "a.py").write_text("x = 2\n")
    seen.append(digest_of({"p": place}).digest)
    (place / "c.py").write_text("")
    seen.append(digest_of({"p": place}).digest)
    (place / "c.py").rename(place / "d.py")
    seen.append(digest_of({"p": place}).digest)
    (place / "in" / "b.sql").unlink()
    seen.append(digest_of({"p": place}).digest)
    assert len(set(seen)) == len(seen)
    (place / "__pycache__").mkdir()
    (place / "__pycache__" / "a.cpython-311.pyc").write_bytes(b"compiled")
    assert digest_of({"p": place}).digest == seen[-1]


def test_the_program_itself_is_all_four_packages() -> None:
    here = Path(__file__).parents[2]
    files = own_files()
    assert files == own_files()
    counted = sum(
        1
        for name in ("api", "deploy", "domain", "projections")
        for path in (here / name).rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    )
    assert files.number == counted > 400
