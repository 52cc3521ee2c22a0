"""The whole log out and in again: the same head, the same figures; and a schema that every line keeps to."""

from __future__ import annotations

import base64
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import psycopg
import pyarrow.parquet as pq  # type: ignore[import-untyped]
import pytest

from api.simulator.run import simulate
from deploy.import_log import ImportRefusedError, import_log
from domain.application import Application
from domain.events.registry import EVENTS
from projections.catch_up import run_until
from projections.connect import connector
from projections.event_schemas import files, schemas
from projections.reads.hold import hold
from projections.verify import verify
from tests.application.scenes import begin
from tests.cli.conftest import Played
from tests.cli.program import pitclerk
from tests.databases import Database, Databases
from tests.projections.rows import everything

SCHEMAS = Path(__file__).parents[2] / "docs" / "events"

Lines = list[bytes]


@pytest.fixture(scope="module")
def exported(played: Played, tmp_path_factory: pytest.TempPathFactory) -> tuple[dict[str, Any], Path]:
    """The simulated floor's log as the program writes it."""
    out = tmp_path_factory.mktemp("export") / "log.jsonl"
    document = pitclerk("export", "--format", "jsonl", "--out", str(out), "--json", home=played.home).json()
    return document, out


@pytest.fixture
def lines(exported: tuple[dict[str, Any], Path]) -> Lines:
    return exported[1].read_bytes().splitlines(keepends=True)


def test_the_log_comes_back_to_the_same_head_and_figures(
    played: Played, exported: tuple[dict[str, Any], Path], pg: Database
) -> None:
    document, file = exported
    url = pitclerk("settings", "--json", home=played.home).json()["database_url"]
    done = import_log(pg.superuser_url, file.open("rb"), head=document["head"])
    assert (done.rows, done.position, done.head) == (document["rows"], document["position"], document["head"])
    with connector(pg.url)() as conn:
        assert verify(conn).ok
        run_until(pg.url)
        assert hold(conn, by="table").rows == _hold(url)
        with connector(url)() as there:
            assert everything(conn) == everything(there), "every row of every view"
    more = simulate(pg.url, "house", ["texas-ua"], tables=1, rounds=2, seed=99)
    assert more["position"] > done.position, "the log goes on where it stopped"


def _hold(url: str) -> Any:
    run_until(url)
    with connector(url)() as conn:
        return hold(conn, by="table").rows


def test_the_commands(exported: tuple[dict[str, Any], Path], databases: Databases, tmp_path: Path) -> None:
    document, file = exported
    with databases.fresh() as database:
        address = {"PITCLERK_DATABASE_URL": database.superuser_url}
        wrong = pitclerk("import", str(file), "--head", "00" * 32, home=tmp_path, **address)
        assert (wrong.status, "it is not that log" in wrong.err) == (2, True)
        done = pitclerk("import", str(file), "--head", document["head"], "--json", home=tmp_path, **address)
        assert done.status == 0, done.err
        assert done.json() | {"ok": True, "rows": document["rows"], "head": document["head"]} == done.json()
        assert pitclerk("check", home=tmp_path, **address).status == 0
        again = pitclerk("import", str(file), home=tmp_path, **address)
        assert (again.status, "only brought into an empty database" in again.err) == (2, True)
    with databases.fresh() as database:
        service = pitclerk("import", str(file), home=tmp_path, PITCLERK_DATABASE_URL=database.url)
        assert service.status == 2, "the service's role may not"
        assert _events(database) == 0


def _events(database: Database) -> int:
    with psycopg.connect(database.url) as conn:
        row = conn.execute("SELECT count(*) FROM pitclerk_events").fetchone()
    assert row is not None
    return int(row[0])


def _reword(lines: Lines) -> None:
    lines[40] = lines[40].replace(b'"data":{', b'"data":{"amount":7,', 1)


def _rename(lines: Lines) -> None:
    lines[40] = lines[40].replace(b'"stream":"', b'"stream":"other', 1)


def _swap(lines: Lines) -> None:
    lines[40], lines[41] = lines[41], lines[40]


def _drop(lines: Lines) -> None:
    """Of a stream that goes on: later versions of it come out of turn."""
    streams = [json.loads(line)["stream"] for line in lines]
    del lines[next(at for at, stream in enumerate(streams) if stream in streams[at + 1 :])]


def _bytes(lines: Lines) -> None:
    shown = json.loads(lines[40])
    data = base64.b64decode(shown["leaf_bytes"])
    shown["leaf_bytes"] = base64.b64encode(data.replace(b'"v":1', b'"v":9')).decode()
    lines[40] = json.dumps(shown).encode() + b"\n"


def _cut(lines: Lines) -> None:
    lines[-1] = lines[-1][:50]


def _none(lines: Lines) -> None:
    del lines[:]


def _plain(lines: Lines) -> None:
    shown = json.loads(lines[3])
    del shown["leaf_bytes"]
    lines[3] = json.dumps(shown).encode() + b"\n"


@pytest.mark.parametrize("change", [_reword, _rename, _swap, _drop, _bytes, _cut, _none, _plain])
def test_a_file_that_is_no_log_brings_nothing_in(pg: Database, lines: Lines, change: Callable[[Lines], None]) -> None:
    change(lines)
    with pytest.raises(ImportRefusedError):
        import_log(pg.superuser_url, lines)
    assert _events(pg) == 0


def test_a_log_is_never_written_over(pg: Database, lines: Lines) -> None:
    with Application(pg.url, site="test") as app:
        begin(app)
    before = _events(pg)
    with pytest.raises(ImportRefusedError, match="the log, the chain hold something"):
        import_log(pg.superuser_url, lines)
    assert _events(pg) == before


def test_parquet_holds_the_same(played: Played, exported: tuple[dict[str, Any], Path], tmp_path: Path) -> None:
    document, file = exported
    out = tmp_path / "log.parquet"
    options = ["--format", "parquet", "--log", "--out", str(out), "--json"]
    told = pitclerk("export", *options, home=played.home).json()
    assert (told["rows"], told["head"]) == (document["rows"], document["head"])
    table = pq.read_table(out)
    assert table.schema.metadata[b"head"].decode() == document["head"]
    for row, line in zip(table.to_pylist(), file.read_bytes().splitlines(), strict=True):
        shown = json.loads(line)
        assert (row["position"], row["type"], row["leaf_bytes"]) == (
            shown["position"],
            shown["type"],
            shown["leaf_bytes"],
        )
        assert json.loads(row["data"]) == shown["data"]
    assert pitclerk("export", "--format", "csv", "--log", "--out", str(out), home=played.home).status == 2


def test_the_schemas_in_the_documents_are_fresh() -> None:
    there = {path.name: path.read_text() for path in SCHEMAS.glob("*.json")}
    assert there == files(), "an event has come or changed: python -m projections.event_schemas docs/events"


def test_every_line_keeps_to_its_schema(lines: Lines) -> None:
    known = schemas()
    assert set(known) == set(EVENTS)
    seen = set()
    for line in lines:
        event = json.loads(line)
        schema = known[event["type"]]
        assert _fits(event, schema, schema.get("$defs", {})) == [], event
        assert set(event) <= set(schema["properties"])
        seen.add(event["type"])
    assert len(seen) > 25


def test_a_schema_refuses_what_an_event_is_not(lines: Lines) -> None:
    event = next(e for line in lines if (e := json.loads(line))["type"] == "table.payout_made")
    schema = schemas()["table.payout_made"]
    for change in ({"paid": "1"}, {"more": 1}, {"clause": None}):
        assert _fits(event | {"data": event["data"] | change}, schema, {})
    assert _fits({k: v for k, v in event.items() if k != "position"}, schema, {})


_TYPES: dict[str, tuple[type, ...]] = {
    "integer": (int,),
    "string": (str,),
    "boolean": (bool,),
    "null": (type(None),),
    "array": (list,),
    "object": (dict,),
    "number": (int, float),
}


def _fits(value: Any, schema: dict[str, Any], parts: dict[str, Any]) -> list[str]:
    """What is wrong with a value, by the few words of JSON Schema that these schemas use."""
    if "$ref" in schema:
        return _fits(value, parts[schema["$ref"].removeprefix("#/$defs/")], parts)
    if "anyOf" in schema:
        found = [_fits(value, one, parts) for one in schema["anyOf"]]
        return [] if [] in found else found[0]
    if "const" in schema or "enum" in schema:
        return [] if value in schema.get("enum", [schema.get("const")]) else [f"{value!r}"]
    named = schema.get("type", [])
    types = [kind for name in ([named] if isinstance(named, str) else named) for kind in _TYPES[name]]
    if types and type(value) not in types:
        return [f"{value!r} is no {named}"]
    if isinstance(value, list):
        return [wrong for one in value for wrong in _fits(one, schema.get("items", {}), parts)]
    if not isinstance(value, dict):
        return []
    properties = schema.get("properties", {})
    wrong = [f"{name} is missing" for name in schema.get("required", []) if name not in value]
    if schema.get("additionalProperties") is False:
        wrong += [f"{name} is unknown" for name in value if name not in properties]
    return wrong + [w for name in value for w in _fits(value[name], properties.get(name, {}), parts)]
