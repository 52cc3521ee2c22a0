"""What must hold of every file: the one direction of imports, sizes, no loose ends, no traces of somebody's machine."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
MOST_LINES = 400
TEXT = {".py", ".toml", ".md", ".sql", ".html", ".css", ".js", ".sh", ".yaml", ".yml", ".lock", ".txt", ""}

# Spelt so that this file does not find itself.
LOOSE_ENDS = re.compile(r"\b(TO" r"DO|FIX" r"ME|HA" r"CK)\b|Not" r"ImplementedError")
SOMEBODYS_MACHINE = re.compile(r"(?<![\w./~$}])/(?:root|work|home|Users)/\w")


def tracked() -> list[Path]:
    """The files under version control, those about to be added too."""
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT, capture_output=True, text=True, timeout=30, check=True,
    )  # fmt: skip
    return [path for name in listed.stdout.splitlines() if (path := ROOT / name).is_file()]


def texts() -> list[tuple[str, str]]:
    return [
        (str(path.relative_to(ROOT)), path.read_text("utf-8"))
        for path in tracked()
        if path.suffix in TEXT and "golden" not in path.parts and path.name != "LICENSE"
    ]


def test_imports_go_one_way() -> None:
    command = [str(Path(sys.executable).parent / "lint-imports"), "--no-cache"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_no_python_file_is_too_long_to_be_one_idea() -> None:
    long = {name: text.count("\n") for name, text in texts() if name.endswith(".py") and text.count("\n") > MOST_LINES}
    assert long == {}


@pytest.mark.parametrize(("what", "pattern"), [("loose ends", LOOSE_ENDS), ("paths of one machine", SOMEBODYS_MACHINE)])
def test_no_file_has(what: str, pattern: re.Pattern[str]) -> None:
    found = [
        f"{name}:{number}: {line.strip()[:100]}"
        for name, text in texts()
        for number, line in enumerate(text.splitlines(), 1)
        if pattern.search(line)
    ]
    assert found == [], what


def test_every_python_module_says_what_it_is_for() -> None:
    modules = [
        (name, text.lstrip()) for name, text in texts() if name.endswith(".py") and not name.startswith("tests/")
    ]
    assert [name for name, text in modules if text and not text.startswith(('"""', 'r"""'))] == []


def test_the_lock_pins_everything_and_names_no_index() -> None:
    lines = (ROOT / "requirements.lock").read_text().splitlines()
    pins = [line for line in lines if line and not line.startswith("#")]
    assert [pin for pin in pins if not re.fullmatch(r"[A-Za-z0-9_.-]+==[A-Za-z0-9_.+!-]+", pin)] == []
    assert "://" not in "".join(lines)


def test_the_lock_has_what_the_project_asks_for() -> None:
    import tomllib

    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    asked = [*project["dependencies"], *project["optional-dependencies"]["dev"]]
    pinned = {_plain(line) for line in (ROOT / "requirements.lock").read_text().splitlines()}
    assert [one for one in asked if _plain(re.sub(r"\[.*\]", "", one)) not in pinned] == []


def _plain(requirement: str) -> str:
    return requirement.lower().replace("_", "-").strip()


def test_only_known_folders_stand_at_the_top() -> None:
    top = {path.relative_to(ROOT).parts[0] for path in tracked()}
    known = {"domain", "projections", "api", "tests", "deploy", "docs", "pyproject.toml", "README.md", "Makefile"}
    assert top - known <= {"LICENSE", "CHANGELOG.md", "requirements.lock", ".ci", ".gitignore", ".dockerignore"}
