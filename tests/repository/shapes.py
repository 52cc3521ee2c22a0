"""The pinned shape of every event. After a change that was meant: `python -m tests.repository.shapes` writes it anew.

A stored event is for ever. A topic never goes; a changed field needs a new VERSION, an upcast, and a golden file of the
old shape.
"""

import json
from pathlib import Path

import msgspec

from domain.events.registry import EVENTS

PINNED = Path(__file__).parent / "events.json"


def shapes() -> dict[str, dict[str, object]]:
    """topic -> version and fields, each with its type and whether it may be left out."""
    return {
        topic: {
            "version": cls.VERSION,
            "fields": {
                field.name: f"{_type(field.type)}{'' if field.required else ' = ' + repr(field.default)}"
                for field in msgspec.structs.fields(cls)
            },
        }
        for topic, cls in sorted(EVENTS.items())
    }


def _type(of: object) -> str:
    return of.__name__ if isinstance(of, type) else str(of).replace("domain.events.", "")


def write() -> None:
    """Pin what the program has now."""
    PINNED.write_text(json.dumps(shapes(), indent=1) + "\n")


if __name__ == "__main__":
    write()
