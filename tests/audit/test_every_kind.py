"""Every kind of event that there is goes out and comes in again as it was: whoever adds one adds it here too."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import msgspec
import psycopg
import pyarrow.parquet as pq  # type: ignore[import-untyped]
import pytest
from eventsourcing.persistence import StoredEvent

from api.cli.exporting import export_jsonl, export_log_parquet
from deploy.import_log import import_log
from domain.codec import decode, encode
from domain.events.registry import EVENTS
from projections.connect import connector
from projections.event_schemas import schemas
from projections.verify import verify
from tests.audit.filled import filled, meta
from tests.audit.test_export_import import _fits
from tests.databases import Database, Databases

ROWS = "SELECT notification_id, originator_id, originator_version, topic, state, recorded_at FROM pitclerk_events"


@pytest.fixture(scope="module")
def log(databases: Databases) -> Iterator[Database]:
    """One event of each kind, every field filled; what they say together makes no sense, and need not."""
    with databases.fresh() as database:
        with database.recorder() as recorder:
            for number, (topic, kind) in enumerate(sorted(EVENTS.items()), 1):
                state = encode(meta(number), filled(kind))
                recorder.insert_events([StoredEvent(f"kind/{topic}", 1, topic, state)])
        yield database


def _rows(url: str) -> list[tuple[object, ...]]:
    with psycopg.connect(url) as conn:
        return [tuple(row) for row in conn.execute(f"{ROWS} ORDER BY notification_id").fetchall()]


def test_no_field_of_any_kind_is_left_out() -> None:
    for topic, kind in EVENTS.items():
        event = filled(kind)
        said = msgspec.json.decode(encode(meta(1), event))["data"]
        assert set(said) == {field.encode_name for field in msgspec.structs.fields(kind)}, topic
        assert decode(topic, encode(meta(1), event)) == (meta(1), event)


def test_every_kind_comes_back_as_it_was(log: Database, pg: Database, tmp_path: Path) -> None:
    out = tmp_path / "log.jsonl"
    with psycopg.connect(log.url, autocommit=True) as conn:
        told = export_jsonl(conn, out, None)
    lines = out.read_bytes().splitlines(keepends=True)
    assert {json.loads(line)["type"] for line in lines} == set(EVENTS)
    done = import_log(pg.superuser_url, lines, head=told["head"])
    assert (done.rows, done.head) == (len(EVENTS), told["head"])
    assert _rows(pg.url) == _rows(log.url)
    with connector(pg.url)() as conn:
        assert verify(conn).ok


def test_every_kind_keeps_to_its_schema_and_is_in_the_columns(log: Database, tmp_path: Path) -> None:
    known = schemas()
    out, columns = tmp_path / "log.jsonl", tmp_path / "log.parquet"
    with psycopg.connect(log.url, autocommit=True) as conn:
        export_jsonl(conn, out, None)
        export_log_parquet(conn, columns, None)
    for line, row in zip(out.read_text().splitlines(), pq.read_table(columns).to_pylist(), strict=True):
        event = json.loads(line)
        schema = known[event["type"]]
        assert _fits(event, schema, schema.get("$defs", {})) == [], event["type"]
        assert (row["type"], json.loads(row["data"])) == (event["type"], event["data"])
