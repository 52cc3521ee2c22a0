"""Publishing a ruleset into the log, so that replay needs nothing but the log."""

from domain import streams
from domain.commands import PublishRuleset
from domain.events.house import RulesetPublished
from domain.refusals import Refusal
from domain.request import Reply
from domain.ruleset import InvalidRulesetError, load_text
from domain.work import Work


def publish(work: Work, command: PublishRuleset) -> Reply:
    """Publish version n+1 of a ruleset; the same text again is answered with the version it has.

    Refuses `bad_ruleset` with every problem of the file and its line.
    """
    try:
        ruleset = load_text(command.text)
    except InvalidRulesetError as error:
        raise Refusal("bad_ruleset", "; ".join(str(p) for p in error.problems)) from error
    house = work.house()
    current = house.published.get(ruleset.id)
    if current is not None and current.digest == ruleset.digest:
        raise Refusal("already_published", f"{ruleset.id} version {current.ruleset_version} reads exactly so")
    version = 1 if current is None else current.ruleset_version + 1
    event = RulesetPublished(ruleset=ruleset.id, ruleset_version=version, digest=ruleset.digest, text=command.text)
    work.record(streams.HOUSE, [event])
    return Reply({"ruleset": ruleset.id, "version": version, "digest": ruleset.digest})
