"""`settle`: files and standard input, exit statuses, a quick start."""

import json
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.cli.program import PROGRAM, pitclerk

GOOD = {"ruleset": "roulette-ua", "bets": [{"on": "straight 17", "amount": 100}], "result": 17}
BAD = {"ruleset": "roulette-ua", "bets": [{"on": "straight 57", "amount": 100}], "result": 17}
PAID = {"bets": [{"on": "straight 17", "amount": 100, "returned": 100, "taken": 0, "paid": 3500, "net": 3500}], "house_net": -3500}  # noqa: E501  # fmt: skip


def lines(*records: object) -> str:
    return "".join(json.dumps(record) + "\n" for record in records)


def test_a_file_of_one_record(tmp_path: Path) -> None:
    file = tmp_path / "round.json"
    file.write_text(json.dumps(GOOD, indent=2))
    done = pitclerk("settle", str(file))
    assert (done.status, done.json()) == (0, PAID)


def test_a_refused_record_is_status_2(tmp_path: Path) -> None:
    file = tmp_path / "round.json"
    file.write_text(json.dumps(BAD))
    done = pitclerk("settle", str(file))
    assert (done.status, done.json()["error"]["code"]) == (2, "bad_bet")


def test_lines_are_settled_one_by_one_and_a_refused_one_is_status_1(tmp_path: Path) -> None:
    file = tmp_path / "night.jsonl"
    file.write_text(lines(GOOD, BAD, GOOD))
    done = pitclerk("settle", str(file))
    answers = [json.loads(line) for line in done.out.splitlines()]
    assert done.status == 1
    assert (answers[0], answers[1]["error"]["code"], answers[2]) == (PAID, "bad_bet", PAID)


def test_a_line_that_is_no_json_leaves_the_others_alone() -> None:
    done = pitclerk("settle", "-", stdin='{"ruleset": "roul\n' + lines(GOOD, GOOD))
    answers = [json.loads(line) for line in done.out.splitlines()]
    assert (done.status, answers[0]["error"]["code"], answers[1:]) == (1, "bad_record", [PAID, PAID])


@pytest.mark.parametrize(
    ("given", "status"),
    [
        (json.dumps(GOOD), 0),
        (json.dumps(GOOD, indent=1), 0),
        (json.dumps(BAD), 2),
        (json.dumps(BAD, indent=1), 2),
        (lines(GOOD, GOOD), 0),
        (lines(GOOD, BAD), 1),
        ("\n" + lines(GOOD) + "\n\n" + lines(GOOD), 0),
        ("", 2),
    ],
)
def test_standard_input_is_one_record_or_many(given: str, status: int) -> None:
    assert pitclerk("settle", "-", stdin=given).status == status


def test_several_files_in_turn_and_the_worst_status(tmp_path: Path) -> None:
    good, bad = tmp_path / "good.json", tmp_path / "bad.jsonl"
    good.write_text(json.dumps(GOOD))
    bad.write_text(lines(BAD))
    done = pitclerk("settle", str(good), str(bad))
    assert (done.status, len(done.out.splitlines())) == (1, 2)


@pytest.mark.parametrize("arguments", [[], ["--wrong", "-"], ["no-such-file.json"]])
def test_usage_is_status_2(arguments: list[str]) -> None:
    done = pitclerk("settle", *arguments)
    assert (done.status, done.out) == (2, "")
    assert done.err


def test_a_reader_that_leaves_ends_it_quietly(tmp_path: Path) -> None:
    file = tmp_path / "night.jsonl"
    file.write_text(lines(GOOD) * 50_000)
    with subprocess.Popen([PROGRAM, "settle", file], stdout=subprocess.PIPE, stderr=subprocess.PIPE) as running:
        assert running.stdout is not None
        assert running.stdout.readline()
        running.stdout.close()
        assert running.stderr is not None
        assert running.stderr.read() == b""
        assert running.wait(timeout=20) == 141


def test_it_starts_quickly() -> None:
    code = "import sys; from api.cli.main import main; main(['settle', '-']); print(len(sys.modules), *sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", code], input=json.dumps(GOOD), capture_output=True, text=True, timeout=60, check=True
    )
    heavy = {"typer", "rich", "psycopg", "pydantic", "fastapi", "structlog", "eventsourcing"}
    assert heavy & set(done.stdout.splitlines()[-1].split()) == set()


def test_it_answers_within_a_breath() -> None:
    def once() -> float:
        started = time.perf_counter()
        assert pitclerk("settle", "-", stdin=json.dumps(GOOD)).status == 0
        return time.perf_counter() - started

    assert min(once() for _ in range(5)) < 0.5, "150 ms on an idle machine; the bound leaves room for a busy one"
