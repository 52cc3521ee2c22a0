"""Seals from the command line, and the page for auditors: its commands are run as they stand there."""

from __future__ import annotations

import json
import re
import shutil
import stat
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from domain.proof_text import to_text
from tests.cli.conftest import Played
from tests.cli.program import PROGRAM, environment, pitclerk

PAGE = Path(__file__).parents[2] / "docs" / "auditor-proofs.md"


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", PAGE.read_text(), re.DOTALL | re.MULTILINE)


def run(command: list[str], place: Path, **options: Any) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, cwd=place, capture_output=True, text=True, timeout=120, check=False, **options)


@pytest.fixture(scope="module")
def proof(played: Played, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A directory with everything that the page makes in its first commands."""
    place = tmp_path_factory.mktemp("auditor")
    env = environment(played.home) | {"PATH": f"{PROGRAM.parent}:/usr/bin:/bin"}
    for block in [one for one in blocks("sh") if "pitclerk" in one]:
        done = run(["/bin/sh", "-ec", block], place, env=env)
        assert done.returncode == 0, done.stderr
    return place


def vkey(proof: Path) -> str:
    return (proof / "house.vkey").read_text().strip()


def document(proof: Path) -> dict[str, Any]:
    return dict(json.loads((proof / "proof.json").read_text()))


def test_seal_keeps_a_checkpoint_and_its_key_to_itself(played: Played, proof: Path) -> None:
    sealed = pitclerk("seal", "--json", home=played.home).json()
    assert sealed["checkpoint"] == (proof / "checkpoint.txt").read_text(), "the same head, the same checkpoint"
    assert sealed["verifier_key"] == vkey(proof)
    assert sealed["origin"] == "pitclerk/house"
    key = played.home / "checkpoint.key"
    assert stat.S_IMODE(key.stat().st_mode) == 0o600
    assert key.read_text().startswith("PRIVATE+KEY+pitclerk/house+")


def test_the_closed_sessions_are_sealed_too(played: Played, proof: Path) -> None:
    found = pitclerk("verify", "--json", home=played.home).json()
    assert found["ok"]
    assert found["seals"]["checkpoints"] == found["seals"]["held"] > 1


def test_verify_says_of_a_kept_checkpoint_that_it_holds(played: Played, proof: Path) -> None:
    done = pitclerk("verify", "--checkpoint", str(proof / "checkpoint.txt"), "--json", home=played.home)
    found = done.json()
    assert (done.status, found["ok"], found["first_bad"]) == (0, True, None)
    assert {"events", "position", "head"} <= set(found)
    assert [one["state"] for one in found["seals"]["judged"] if one["source"] != "log"] == ["holds"]
    assert "holds" in pitclerk("verify", "--checkpoint", str(proof / "checkpoint.txt"), home=played.home).out


def test_verify_says_of_a_forged_checkpoint_that_nobody_signed_it(played: Played, proof: Path, tmp_path: Path) -> None:
    good = (proof / "checkpoint.txt").read_text()
    lines = good.split("\n")
    forged = tmp_path / "forged.txt"
    forged.write_text(good + "\n" + "\n".join([lines[0], str(int(lines[1]) - 1), *lines[2:]]))
    done = pitclerk("verify", "--checkpoint", str(forged), "--json", home=played.home)
    assert done.status == 1
    states = [one["state"] for one in done.json()["seals"]["judged"] if one["source"] != "log"]
    assert sorted(states) == ["holds", "not signed by a known key"]


def test_a_proof_needs_nothing_but_the_key(proof: Path, tmp_path: Path) -> None:
    nowhere = {"PITCLERK_DATABASE_URL": "postgresql://example.invalid/log"}
    arguments = ("verify", "--proof", str(proof / "proof.json"), "--key", vkey(proof))
    done = pitclerk(*arguments, "--json", home=tmp_path / "none", **nowhere)
    found = done.json()
    assert (done.status, found["ok"], found["position"]) == (0, True, 20)
    assert not (tmp_path / "none").exists()
    assert "proved" in pitclerk(*arguments, home=tmp_path / "none", **nowhere).out


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"leaf_bytes": "AAAA"}, "hash to"),
        ({"leaf": None, "leaf_bytes": "AAAA"}, "another root"),
        ({"leaf_bytes": "?"}, "base64"),
        ({"index": 5}, "another root"),
        ({"path": []}, "shorter"),
        ({"path": ["zz"]}, "not hex"),
        ({"path": ["00"]}, "hashes of 32"),
        ({"size": 9}, "the checkpoint of one of"),
        ({"position": 21}, "are of position 20"),
        ({"checkpoint": "x"}, "cannot be read"),
        ({"checkpoint": 5}, "no proof file"),
    ],
)
def test_a_proof_that_was_changed_proves_nothing(
    proof: Path, tmp_path: Path, change: dict[str, Any], reason: str
) -> None:
    file = tmp_path / "changed.json"
    file.write_text(json.dumps({**document(proof), **change}))
    done = pitclerk("verify", "--proof", str(file), "--key", vkey(proof), "--json")
    assert done.status == 1
    assert done.json()["ok"] is False
    assert reason in done.json()["reason"]


def test_another_key_did_not_sign(proof: Path, tmp_path: Path) -> None:
    other = pitclerk("seal", "--vkey", home=tmp_path / "other").out.strip()
    done = pitclerk("verify", "--proof", str(proof / "proof.json"), "--key", other)
    assert done.status == 1
    assert "not signed by any" in done.err


@pytest.mark.parametrize(
    "arguments",
    [
        ("verify", "--key", "nonsense"),
        ("verify", "--proof", "proof.json"),
        ("verify", "--checkpoint", "none.txt"),
        ("proof", "--position", "0"),
        ("seal", "--what"),
    ],
)
def test_bad_options_are_said(tmp_path: Path, arguments: tuple[str, ...]) -> None:
    done = pitclerk(*arguments, home=tmp_path / "home", PITCLERK_DATABASE_URL="postgresql://example.invalid/log")
    assert done.status == 2, done.out
    assert "Traceback" not in done.err


def test_there_is_no_proof_of_an_event_that_is_not_there(played: Played) -> None:
    done = pitclerk("proof", "--position", "99999999", home=played.home)
    assert done.status == 2
    assert "no event at 99999999" in " ".join(done.err.split())


def test_the_page_checks_the_signature_with_openssl(proof: Path) -> None:
    if shutil.which("openssl") is None:
        pytest.skip("NOT RUN: there is no openssl on this machine")
    (block,) = [one for one in blocks("sh") if "openssl" in one]
    done = run(["/bin/sh", "-ec", block], proof)
    assert (done.returncode, done.stdout.strip()) == (0, "Signature Verified Successfully"), done.stderr
    (proof / "wrong").mkdir()
    wrong = document(proof)["checkpoint"].replace("pitclerk/house\n", "pitclerk/mouse\n", 1)
    (proof / "wrong" / "proof.json").write_text(json.dumps({"checkpoint": wrong}))
    shutil.copy(proof / "house.vkey", proof / "wrong" / "house.vkey")
    done = run(["/bin/sh", "-ec", block], proof / "wrong")
    assert done.returncode != 0


def test_the_page_reads_the_code_of_a_slip_with_python(proof: Path, tmp_path: Path) -> None:
    (block,) = [one for one in blocks("python") if "zlib" in one]
    file = (proof / "proof.json").read_bytes()
    (tmp_path / "scanned.txt").write_text(to_text(file) + "\n")
    done = run([sys.executable, "-I", "-c", block], tmp_path)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "proof.json").read_bytes() == file
    checked = pitclerk("verify", "--proof", str(tmp_path / "scanned.txt"), "--key", vkey(proof))
    assert checked.status == 0, checked.err


def test_the_page_checks_the_path_with_python(proof: Path) -> None:
    (block,) = [one for one in blocks("python") if "sha256" in one]
    done = run([sys.executable, "-I", "-c", block], proof)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("proved: ")
    changed = document(proof) | {"index": document(proof)["index"] + 1}
    moved = block.replace('open("proof.json")', "__import__('sys').stdin")
    done = run([sys.executable, "-I", "-c", moved], proof, input=json.dumps(changed))
    assert "not proved" in done.stderr
