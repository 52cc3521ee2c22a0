"""Publishing a ruleset: what it is worth to the house is estimated first, and one that loses waits for consent."""

from typing import Final

import anyio
from anyio import to_thread
from starlette.requests import Request
from starlette.responses import Response

from api.http import bodies
from api.http.doors import Doors
from domain import edge
from domain.acts import rulesets
from domain.commands import PublishRuleset
from domain.money import MICRO
from domain.ruleset import InvalidRulesetError, load_text, shipped, shipped_ids

_PATH: Final = "/v1/rulesets"
ROUNDS: Final = 10_000  # one or two seconds, and an error well under what makes a sheet worth dealing
SEED: Final = 1


def mount(doors: Doors) -> None:
    one_at_a_time = anyio.CapacityLimiter(1)

    async def publish(request: Request) -> Response:
        prepared = await doors.recording(request, _PATH)
        command = bodies.decode(prepared.body, PublishRuleset)
        edge_ppm = await to_thread.run_sync(estimate, command.text, limiter=one_at_a_time)
        return await doors.handle(prepared, command.at, lambda work: rulesets.publish(work, command, edge_ppm))

    doors.mount("POST", _PATH, publish)
    doors.book.write(_PATH, PublishRuleset, "Publish the next version of a ruleset", (201, 202))


def estimate(text: str) -> int | None:
    """The house's win per ante in millionths; None where it is known (a shipped sheet) or the text is no ruleset."""
    try:
        ruleset = load_text(text)
    except InvalidRulesetError:
        return None  # the act refuses it with every problem
    if any(shipped(ruleset_id).digest == ruleset.digest for ruleset_id in shipped_ids()):
        return None
    per_ante: float = edge.edge(ruleset, rounds=ROUNDS, seed=SEED)["house_edge_per_ante"]
    return round(per_ante * MICRO)
