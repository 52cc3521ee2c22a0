"""What `/openapi.json` says: OpenAPI 3.1, made from the shapes that decode the requests, so that it cannot differ."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

import msgspec
from fastapi import FastAPI
from msgspec import Struct

from api.auth import roles
from api.http.bodies import LINES_TYPE
from api.http.keys import HEADER, PATTERN
from api.http.names import PATTERNS
from api.problems import KINDS, MEDIA_TYPE

VERSION: Final = "3.1.0"
REF: Final = "#/components/schemas/{name}"

_JSON: Final = "application/json"
_STATUS_WORDS: Final = {200: "Done", 201: "Recorded", 202: "Waits for a second person"}
_POSITION: Final = {"position": {"type": "integer", "description": "position of the last event this is true at"}}


@dataclass(slots=True)
class Book:
    """Every door as OpenAPI describes it, filled while doors are mounted."""

    paths: dict[str, dict[str, Any]] = field(default_factory=dict)
    shapes: list[Any] = field(default_factory=list)

    def write(self, path: str, shape: type[Struct], summary: str, statuses: tuple[int, ...]) -> None:
        """A recording POST."""
        self.shapes.append(shape)
        body = {"content": {"application/json": {"schema": {"$ref": REF.format(name=shape.__name__)}}}}
        self.add("POST", path, summary, statuses, body={"required": True, **body}, keyed=True)

    def read(self, path: str, query: type[Struct], summary: str, *, media: str = _JSON) -> None:
        """A GET with parameters."""
        self.add("GET", path, summary, (200,), parameters=_query_parameters(query), media=media)

    def add(
        self,
        method: str,
        path: str,
        summary: str,
        statuses: tuple[int, ...],
        *,
        parameters: list[dict[str, Any]] | None = None,
        body: Mapping[str, Any] | None = None,
        keyed: bool = False,
        media: str = _JSON,
    ) -> None:
        """A door whose parts are given; `keyed`: it takes an idempotency key."""
        schema = {"type": "string"} if media != _JSON else {"type": "object", "properties": _POSITION}
        content = {media: {"schema": schema}}
        answers: dict[str, Any] = {
            str(status): {"description": _STATUS_WORDS[status], "content": content} for status in statuses
        }
        answers["default"] = {"$ref": "#/components/responses/Problem"}
        operation: dict[str, Any] = {
            "summary": summary,
            "description": "Roles: " + ", ".join(sorted(roles.allowed(method, path))) + ".",
            "operationId": _operation_id(method, path),
            "tags": [path.split("/")[2]],
            "parameters": [*_path_parameters(path), *([_KEY_PARAMETER] if keyed else []), *(parameters or [])],
            "responses": answers,
        }
        if body is not None:
            operation["requestBody"] = body
        self.paths.setdefault(path, {})[method.lower()] = operation

    def document(self, version: str) -> dict[str, Any]:
        """The whole document."""
        _, schemas = msgspec.json.schema_components([_describable(shape) for shape in self.shapes], ref_template=REF)
        return {
            "openapi": VERSION,
            "info": {
                "title": "pitclerk",
                "version": version,
                "summary": "An event-sourced ledger for casino table games",
                "description": _ABOUT,
            },
            "paths": self.paths,
            "components": {
                "schemas": {**schemas, "Problem": _PROBLEM},
                "responses": {"Problem": {"description": "Refused", "content": {MEDIA_TYPE: {"schema": _PROBLEM_REF}}}},
                "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
            },
            "security": [{"token": []}],
        }


def publish(app: FastAPI, book: Book, version: str) -> None:
    """Let the application answer /openapi.json from the book, made once."""
    made: list[dict[str, Any]] = []

    def document() -> dict[str, Any]:
        if not made:
            made.append(book.document(version))
        return made[0]

    app.openapi = document  # type: ignore[method-assign]  # the way FastAPI documents


_ABOUT: Final = (
    "Amounts are whole minor units; fields ending in `_u` are millionths of a minor unit as decimal text; times are"
    " RFC 3339 in UTC; `position` is the log's own order. Every refusal is a problem document (RFC 9457)."
)

_KEY_PARAMETER: Final = {
    "name": HEADER,
    "in": "header",
    "required": True,
    "description": "of your own making; the same key with the same request gives the same answer, once recorded",
    "schema": {"type": "string", "pattern": f"^{PATTERN}$"},
}

_PROBLEM: Final = {
    "type": "object",
    "required": ["type", "title", "status", "detail", "code"],
    "properties": {
        "type": {"type": "string", "format": "uri-reference"},
        "title": {"type": "string"},
        "status": {"type": "integer"},
        "detail": {"type": "string"},
        "code": {"type": "string", "enum": sorted(KINDS)},
        "box": {"type": "integer", "description": "the box that is wrong, where it is one's"},
    },
}
_PROBLEM_REF: Final = {"$ref": REF.format(name="Problem")}

RECORD_BODY: Final = {
    "required": True,
    "content": {
        "application/json": {"schema": {"$ref": REF.format(name="Record")}},
        LINES_TYPE: {"schema": {"type": "string", "description": "one round record a line"}},
    },
}


def _describable(shape: type[Struct]) -> type[Struct]:
    """The shape, or a twin of it without default where one is raw JSON, which has no description."""
    found = msgspec.structs.fields(shape)
    if not any(isinstance(one.default, msgspec.Raw) for one in found):
        return shape
    twins: list[Any] = []
    for one in found:
        if isinstance(one.default, msgspec.Raw):
            twins.append((one.encode_name, msgspec.Raw | msgspec.UnsetType, msgspec.UNSET))
        elif one.required:
            twins.append((one.encode_name, one.type))
        else:
            twins.append((one.encode_name, one.type, one.default))
    twin = msgspec.defstruct(shape.__name__, twins, kw_only=True, forbid_unknown_fields=True)
    twin.__doc__ = shape.__doc__
    return twin


def _path_parameters(path: str) -> list[dict[str, Any]]:
    names = [part[1:-1] for part in path.split("/") if part.startswith("{")]
    return [
        {"name": name, "in": "path", "required": True, "schema": {"type": "string", "pattern": f"^({PATTERNS[name]})$"}}
        for name in names
    ]


def _query_parameters(query: type[Struct]) -> list[dict[str, Any]]:
    _, components = msgspec.json.schema_components([query], ref_template=REF)
    properties = components[query.__name__]["properties"]
    return [{"name": name, "in": "query", "required": False, "schema": of} for name, of in sorted(properties.items())]


def _operation_id(method: str, path: str) -> str:
    words = [part.strip("{}").replace("-", "_") for part in path.split("/")[2:]]
    return "_".join([method.lower(), *words])
