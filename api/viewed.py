"""That an auditor read a report is itself noted: one log line with who read what, beside that of the request."""

from typing import Any

import structlog

log = structlog.get_logger("pitclerk.reports")


def report_viewed(report: str, actor: str, **about: Any) -> None:
    """Note that `actor` was shown `report`; about: what was asked for, without what was not."""
    log.info("report_viewed", report=report, actor=actor, **{name: of for name, of in about.items() if of is not None})
