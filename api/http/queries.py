"""Query parameters in: strict shapes, every list bounded, unknown names refused.

`min_position` and `wait_ms` belong to every read: the answer is true at that position or a later one, or it is
`not_caught_up`.
"""

from collections.abc import Mapping
from typing import Annotated, Final, TypeVar

import msgspec
from msgspec import Meta, Struct
from starlette.requests import Request

from api.http.names import NAME
from api.http.wording import plain
from api.problems import ProblemError

MOST_WAIT_MS: Final = 30_000

Position = Annotated[int, Meta(ge=0, le=2**63 - 1)]
Name = Annotated[str, Meta(pattern=f"^{NAME}$")]
Limit = Annotated[int, Meta(ge=1, le=1000)]
Flag = Annotated[int, Meta(ge=0, le=1)]
Day = Annotated[str, Meta(pattern=r"^\d{4}-\d{2}-\d{2}$")]


class Query(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What every read takes."""

    min_position: Position | None = None
    wait_ms: Annotated[int, Meta(ge=0, le=MOST_WAIT_MS)] = 2000


Q = TypeVar("Q", bound=Struct)


def refuse_any(request: Request) -> None:
    """A recording request says everything in its body. Refuses `unknown_parameter`."""
    for name in request.query_params:
        raise ProblemError("unknown_parameter", f"this door takes no parameters, {name[:40]!r} neither")


def parse(request: Request, shape: type[Q]) -> Q:
    """The query as the strict shape of a door. Refuses `unknown_parameter` and `bad_parameter`."""
    given: dict[str, str] = {}
    known = {field.encode_name for field in msgspec.structs.fields(shape)}
    for name, value in request.query_params.multi_items():
        if name not in known:
            offered = ", ".join(sorted(known))
            raise ProblemError("unknown_parameter", f"there is no parameter {name[:40]!r} here; there are {offered}")
        if name in given:
            raise ProblemError("bad_parameter", f"{name} is given twice")
        if value:  # an empty one, as a form sends it, is one left out
            given[name] = value
    return understood(given, shape)


def understood(given: Mapping[str, object], shape: type[Q]) -> Q:
    """Parameters as a strict shape. Refuses `bad_parameter`."""
    try:
        return msgspec.convert(given, shape, strict=False)
    except msgspec.ValidationError as error:
        what, _, path = plain(str(error)).partition(" - at `$.")
        raise ProblemError("bad_parameter", f"{path.rstrip('`')}: {what}" if path else what) from error
