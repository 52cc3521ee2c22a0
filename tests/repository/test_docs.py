"""Every command in the documents is run, page by page, as a reader would type it beside `make demo`."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.cli.program import environment

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
BLOCK = re.compile(r"^```sh\n(.*?)^```$", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\]\((?!https?:)([^)#]+)\)")
PAGE_S = 180


@pytest.fixture(scope="module")
def demo() -> Iterator[dict[str, str]]:
    """`make demo`, and the environment of a reader beside it."""
    # Not below pytest's own directory: root's is closed to the ordinary user that the server runs as.
    with tempfile.TemporaryDirectory(prefix="pitclerk-docs-", ignore_cleanup_errors=True) as home:
        settings = environment(Path(home)) | {"PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"}
        command = ["make", "--silent", "demo", "PORT=0", f"PITCLERK_HOME={home}", "DEMO_FLAGS=--rounds-per-second 10"]
        make = subprocess.Popen(
            command, cwd=ROOT, env=settings, stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, start_new_session=True,
        )  # fmt: skip
        try:
            assert make.stdout is not None
            line = make.stdout.readline()
            assert line.startswith("ready http://"), line
            yield settings | {"URL": line.split()[1]}
        finally:
            os.killpg(make.pid, signal.SIGINT)
            make.communicate(timeout=20)


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_the_commands_of_a_page_work(page: Path, demo: dict[str, str], tmp_path: Path) -> None:
    script = "set -euo pipefail\n" + "\n".join(BLOCK.findall(page.read_text()))
    done = subprocess.run(
        ["bash", "-x", "-c", script], cwd=tmp_path, env=demo, stdin=subprocess.DEVNULL,
        capture_output=True, text=True, timeout=PAGE_S, check=False,
    )  # fmt: skip
    assert done.returncode == 0, f"{done.stdout[-2000:]}\n{done.stderr[-3000:]}"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_what_a_page_links_to_is_there(page: Path) -> None:
    missing = [link for link in LINK.findall(page.read_text()) if not (page.parent / link).exists()]
    assert missing == []


def test_only_what_would_not_end_is_left_out_of_the_run() -> None:
    """Blocks that are not run are marked `text`; they hold the commands that serve until they are stopped."""
    for page in PAGES:
        for block in re.findall(r"^```text\n(.*?)^```$", page.read_text(), re.MULTILINE | re.DOTALL):
            assert all(line.startswith(("make demo", "make test", "pitclerk serve")) for line in block.splitlines())
