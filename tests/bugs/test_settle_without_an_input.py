"""`pitclerk settle -` with no standard input at all is a usage error (2), not a traceback."""

from __future__ import annotations

import subprocess

from tests.cli.program import PROGRAM, environment


def test_a_closed_standard_input_is_said_so() -> None:
    done = subprocess.run(
        ["/bin/sh", "-c", f'"{PROGRAM}" settle - <&-'], env=environment(), capture_output=True, text=True, check=False
    )
    assert "Traceback" not in done.stderr
    assert done.returncode == 2
