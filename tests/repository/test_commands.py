"""Every command of the program says what it does, and some document shows how it is used."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from typer.main import get_command

from api.cli.app import app

ROOT = Path(__file__).parents[2]
DOCUMENTS = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]


def commands() -> Iterator[tuple[str, object]]:
    top = get_command(app)
    for name, command in top.commands.items():  # type: ignore[attr-defined]
        inner = getattr(command, "commands", None)
        if inner is None:
            yield name, command
        else:
            yield from ((f"{name} {sub}", of) for sub, of in inner.items())


COMMANDS = dict(commands())


@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_has_help(name: str) -> None:
    command = COMMANDS[name]
    assert (command.help or "").strip().endswith((".", "?", ")")), "one whole sentence"  # type: ignore[attr-defined]
    silent = [p.name for p in command.params if p.param_type_name == "option" and not p.help]  # type: ignore[attr-defined]
    assert silent == [], "options without a word"


@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_is_documented(name: str) -> None:
    assert any(f"pitclerk {name}" in document.read_text() for document in DOCUMENTS)
