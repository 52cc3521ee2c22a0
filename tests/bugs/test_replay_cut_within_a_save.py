"""A range of replay that ends (or begins) within one save reports differences in a log that is right."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path

from deploy.embedded import EmbeddedServer
from tests.cli.program import pitclerk


def test_any_range_of_a_right_log_has_no_differences() -> None:
    with tempfile.TemporaryDirectory(prefix="pitclerk-cut-") as directory, EmbeddedServer(Path(directory)):
        home = Path(directory)
        options = ["--ruleset", "caribbean-ee-ak", "--tables", "1", "--rounds", "6", "--seed", "2", "--json"]
        head = pitclerk("simulate", *options, home=home).json()["position"]
        wrong = {}
        for last in range(head - 12, head):
            done = pitclerk("replay", "--to", str(last), "--json", home=home)
            if done.status:
                wrong[last] = json.loads(done.out)["differences"][0]
        assert not wrong


def test_a_day_that_is_no_day_is_refused() -> None:
    with tempfile.TemporaryDirectory(prefix="pitclerk-cut-") as directory, EmbeddedServer(Path(directory)):
        assert pitclerk("replay", "--day", "2026-31-12", "--json", home=Path(directory)).status == 2
