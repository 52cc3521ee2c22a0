"""How an older shape of an event becomes the next one: (topic, version) -> fields -> fields.

Each entry lifts the data of `version` to `version + 1`. The first release has one version of every event, so there is
nothing to lift yet; tests pin the fields of every event so that a changed shape cannot slip in without an entry here.
"""

from collections.abc import Callable, Mapping
from typing import Any

UPCASTS: Mapping[tuple[str, int], Callable[[dict[str, Any]], dict[str, Any]]] = {}
