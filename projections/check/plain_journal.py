"""`journal` by a plain fold: the legs of one event after the other."""

from __future__ import annotations

from collections import Counter
from typing import Any, ClassVar

from domain.postings import legs
from projections.check.compare import Compared
from projections.check.examiner import Look, Seen, Violations
from projections.currencies import OPENINGS
from projections.journal import ENTRIES

_KEYS = {"site": "text", "gaming_day": "text", "currency": "text", "entry": "text", "account": "text"}


class PlainJournal:
    """One row a day, currency, entry and account: few, so all are kept to the end."""

    view: ClassVar[str] = "journal"

    def __init__(self, violations: Violations) -> None:
        self._violations = violations
        self._journal = Compared(violations, "journal", _KEYS)
        self._currencies: dict[str, str] = {}
        self._amounts: Counter[tuple[str, ...]] = Counter()
        self._postings: Counter[tuple[str, ...]] = Counter()

    def take(self, seen: Seen, look: Look) -> None:  # noqa: ARG002
        event: Any = seen.event
        if isinstance(event, OPENINGS):
            self._currencies[seen.stream] = event.currency
        entry = legs(event)
        if not entry:
            return
        currency = getattr(event, "currency", None) or self._currencies.get(seen.stream)
        if currency is None:
            self._violations.add(f"position {seen.position}: {event.TOPIC} has no currency")
            return
        day = seen.meta.gaming_day or seen.meta.happened_at.date().isoformat()
        for account, amount in entry:
            key = (seen.meta.site, day, currency, ENTRIES[type(event)], account)
            self._amounts[key] += amount
            self._postings[key] += 1

    def finish(self, look: Look) -> None:
        rows = {key: {"amount_u": self._amounts[key], "postings": count} for key, count in self._postings.items()}
        self._journal.all(look, rows)
