"""The house stream: published rulesets."""

from domain.events.base import Event


class RulesetPublished(Event, frozen=True, kw_only=True):
    """A ruleset's whole text and digest, so that replay needs nothing but the log.

    digest is the SHA-256 (hex) of the text's UTF-8 bytes; ruleset_version counts from 1 for each ruleset id.
    """

    TOPIC = "house.ruleset_published"
    ruleset: str
    ruleset_version: int
    digest: str
    text: str
