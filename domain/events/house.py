"""The house stream: rulesets proposed and published."""

from domain.events.base import Event


class RulesetProposed(Event, frozen=True, kw_only=True):
    """A sheet on which the house is estimated to lose: it waits for a second person's consent.

    edge_ppm is the estimated win of the house per ante in millionths, negative here.
    """

    TOPIC = "house.ruleset_proposed"
    ruleset: str
    digest: str
    text: str
    edge_ppm: int
    approval: str


class RulesetRefused(Event, frozen=True, kw_only=True):
    TOPIC = "house.ruleset_refused"
    ruleset: str
    approval: str
    reason: str


class RulesetPublished(Event, frozen=True, kw_only=True):
    """A ruleset's whole text and digest, so that replay needs nothing but the log.

    digest is the SHA-256 (hex) of the text's UTF-8 bytes; ruleset_version counts from 1 for each ruleset id.
    edge_ppm: the estimated win of the house per ante in millionths (None: a sheet that came with the program).
    approval: the consent it needed, if any.
    """

    TOPIC = "house.ruleset_published"
    ruleset: str
    ruleset_version: int
    digest: str
    text: str
    edge_ppm: int | None = None
    approval: str | None = None
