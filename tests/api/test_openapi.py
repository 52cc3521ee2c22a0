"""The description of the doors: OpenAPI 3.1, every door, and shapes that the doors themselves accept."""

from __future__ import annotations

from typing import Any

import pytest

from api.auth.roles import DOORS
from tests.api.live import Live


@pytest.fixture(scope="module")
def document(live: Live) -> dict[str, Any]:
    return dict(live.get("/openapi.json", None).json())


def test_every_door_is_described_with_its_roles(document: dict[str, Any]) -> None:
    assert document["openapi"] == "3.1.0"
    described = {f"{method.upper()} {path}" for path, item in document["paths"].items() for method in item}
    assert described == DOORS.keys()
    for door, allowed in DOORS.items():
        method, path = door.split(" ")
        operation = document["paths"][path][method.lower()]
        for role in allowed:
            assert role in operation["description"]
    names = [op["operationId"] for item in document["paths"].values() for op in item.values()]
    assert len(names) == len(set(names))


def test_every_reference_leads_somewhere(document: dict[str, Any]) -> None:
    def references(node: Any) -> list[str]:
        if isinstance(node, dict):
            here = [node["$ref"]] if isinstance(node.get("$ref"), str) else []
            return here + [r for value in node.values() for r in references(value)]
        return [r for value in node for r in references(value)] if isinstance(node, list) else []

    for reference in set(references(document)):
        node: Any = document
        for part in reference.removeprefix("#/").split("/"):
            node = node[part]


def test_bodies_and_parameters_are_there(document: dict[str, Any]) -> None:
    schemas = document["components"]["schemas"]
    opening = schemas["OpenTable"]
    assert opening["additionalProperties"] is False
    assert {"ruleset", "currency", "opener"} <= set(opening["required"])
    rounds = document["paths"]["/v1/tables/{table}/rounds"]["post"]
    assert len(rounds["requestBody"]["content"]["application/json"]["schema"]["oneOf"]) == 2
    assert {p["name"] for p in rounds["parameters"]} == {"table", "Idempotency-Key"}
    hold = document["paths"]["/v1/hold"]["get"]
    assert {"from", "to", "by", "min_position", "wait_ms"} <= {p["name"] for p in hold["parameters"]}


def test_there_is_no_page_that_loads_from_elsewhere(live: Live) -> None:
    assert live.get("/docs", None).status_code == 404
    assert live.get("/redoc", None).status_code == 404
