"""Stored events are for ever: their topics, versions and fields stand pinned in `events.json`."""

import json

import pytest

from tests.repository.shapes import PINNED, shapes

KNOWN = json.loads(PINNED.read_text())


def test_no_topic_has_come_or_gone_unseen() -> None:
    assert list(shapes()) == list(KNOWN)


@pytest.mark.parametrize("topic", KNOWN)
def test_an_event_has_its_pinned_fields(topic: str) -> None:
    assert shapes()[topic] == KNOWN[topic], (
        "a changed shape needs a new VERSION and an upcast; see tests/repository/shapes.py"
    )
