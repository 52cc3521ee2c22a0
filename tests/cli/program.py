"""Running the program as a user does."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import IO, Any

PROGRAM = Path(sys.executable).parent / "pitclerk"
TIMEOUT_S = 120


class Done:
    """What a command printed, and its exit status."""

    def __init__(self, done: subprocess.CompletedProcess[str]) -> None:
        self.status = done.returncode
        self.out = done.stdout
        self.err = done.stderr

    def json(self) -> Any:
        """The one JSON object on standard output."""
        assert self.out.count("\n") == 1, f"one line expected:\n{self.out}\n{self.err}"
        return json.loads(self.out)


def environment(home: Path | None = None, **settings: str) -> dict[str, str]:
    """This process's, without settings of pitclerk but those given."""
    env = {name: value for name, value in os.environ.items() if not name.startswith("PITCLERK_")}
    if home is not None:
        env["PITCLERK_HOME"] = str(home)
    return env | settings


def pitclerk(*arguments: str, home: Path | None = None, stdin: str = "", **settings: str) -> Done:
    """Run one command to its end."""
    done = subprocess.run(
        [PROGRAM, *arguments],
        input=stdin,
        env=environment(home, **settings),
        capture_output=True,
        text=True,
        timeout=TIMEOUT_S,
        check=False,
    )
    return Done(done)


def start(
    *arguments: str, home: Path, stderr: IO[str] | int = subprocess.PIPE, **settings: str
) -> subprocess.Popen[str]:
    """Start a command that goes on."""
    return subprocess.Popen(
        [PROGRAM, *arguments],
        env=environment(home, **settings),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=stderr,
        text=True,
    )
