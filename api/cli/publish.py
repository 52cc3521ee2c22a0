"""The shipped sheets into the log: what a new house can deal from its first minute."""

from functools import partial
from typing import Any, Final

from api.cli.place import Place, operator
from domain.acts import rulesets
from domain.application import Application
from domain.commands import PublishRuleset
from domain.refusals import Refusal
from domain.request import Reply, Request
from domain.ruleset import Ruleset, shipped, shipped_ids
from domain.work import Work

_ALREADY: Final = "already_published"


def publish_shipped_at(place: Place) -> list[str]:
    """Publish them where a command works; see `publish_shipped`."""
    with Application(place.database_url, site=place.settings.site) as application:
        return publish_shipped(application, actor=operator())


def publish_shipped(application: Application, *, actor: str) -> list[str]:
    """Publish every shipped sheet that the log does not hold, word for word; the ids of those that were new.

    A house that has published its own newer version of a sheet keeps it: what once was published is not put on top of
    it again.
    """
    new = []
    for ruleset in map(shipped, shipped_ids()):
        try:
            application.handle(_request(actor), partial(_publish_new, ruleset=ruleset))
        except Refusal as refusal:
            if refusal.code != _ALREADY:
                raise
        else:
            new.append(ruleset.id)
    return new


def publish(application: Application, ruleset: Ruleset, *, actor: str) -> dict[str, Any]:
    """Publish a casino's own sheet as the next version of its id, or propose it where the house would lose.

    Raises Refusal.
    """
    from api.http.write_rulesets import estimate

    edge_ppm = estimate(ruleset.text)
    replies: list[Reply] = []

    def act(work: Work) -> Reply:
        replies.append(rulesets.publish(work, PublishRuleset(text=ruleset.text), edge_ppm))
        return replies[-1]

    answer = application.handle(_request(actor), act)
    return {**replies[-1].body, "position": answer.position}


def _publish_new(work: Work, ruleset: Ruleset) -> Reply:
    if ruleset.digest in work.house().by_digest:
        raise Refusal(_ALREADY, f"{ruleset.id} is published")
    return rulesets.publish(work, PublishRuleset(text=ruleset.text))


def _request(actor: str) -> Request:
    return Request(identity=actor, actor=actor, role="admin")
