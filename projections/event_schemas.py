"""A JSON Schema for every type of event, as a line of the exported log has it; made from the events themselves.

`python -m projections.event_schemas docs/events` writes them anew after an event has come or changed.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any, Final

import msgspec

from domain.events.base import Event
from domain.events.registry import EVENTS

DIALECT: Final = "https://json-schema.org/draft/2020-12/schema"
_REF: Final = "#/$defs/{name}"
_TEXT: Final = {"type": ["string", "null"]}

_ENVELOPE: Final[dict[str, Any]] = {
    "position": {"type": "integer", "minimum": 1, "description": "the log's own order; gaps mean nothing"},
    "event_id": {"type": "string"},
    "stream": {"type": "string"},
    "version": {"type": "integer", "minimum": 1, "description": "counts from 1 within the stream, without gaps"},
    "recorded_at": {"type": "string", "format": "date-time", "description": "stamped as it was recorded, in UTC"},
    "happened_at": {"type": "string", "format": "date-time", "description": "business time, in UTC"},
    "actor": {"type": "string", "description": "who acted"},
    "approver": _TEXT | {"description": "the second person, where one was needed"},
    "gaming_day": _TEXT,
    "late": {"type": "boolean", "description": "its business time lies before what its stream already knew"},
    "leaf_bytes": {
        "type": "string",
        "contentEncoding": "base64",
        "description": "the exact bytes that the chain and the tree hash",
    },
}


def schemas() -> dict[str, dict[str, Any]]:
    """topic -> its schema. `data` is of the present version; older events of the log may lack younger fields."""
    return {topic: _schema(topic, cls) for topic, cls in sorted(EVENTS.items())}


def _schema(topic: str, cls: type[Event]) -> dict[str, Any]:
    (data,), parts = msgspec.json.schema_components([cls], ref_template=_REF)
    own = parts.pop(cls.__name__)
    envelope = dict(_ENVELOPE)
    properties = {name: envelope.pop(name) for name in ("position", "event_id", "stream", "version")}
    properties |= {"type": {"const": topic}, **envelope, "data": own}
    assert data, "a component refers to itself"
    return {
        "$schema": DIALECT,
        "$id": f"{topic}.json",
        "title": topic,
        "description": own.pop("description", f"{topic}, version {cls.VERSION}"),
        "type": "object",
        "properties": properties,
        "required": [name for name in properties if name != "leaf_bytes"],
        **({"$defs": parts} if parts else {}),
    }


def files() -> dict[str, str]:
    """File name -> text."""
    return {f"{topic}.json": json.dumps(schema, indent=1) + "\n" for topic, schema in schemas().items()}


def write(directory: Path) -> None:
    """Write every schema, and take away those of events that are no more."""
    directory.mkdir(exist_ok=True)
    for path in directory.glob("*.json"):
        path.unlink()
    for name, text in files().items():
        (directory / name).write_text(text)


if __name__ == "__main__":
    write(Path(sys.argv[1]))
