"""Moments as people name them: a position of the log, or a day and a time in UTC."""

import re
from datetime import UTC, datetime, timedelta
from typing import Any, Final

import psycopg

from api.i18n.catalogue import gettext
from api.problems import ProblemError
from projections.reads.moments import position_before
from projections.reads.snapshot import snapshot

_POSITION: Final = re.compile(r"\d{1,18}")


def moment(text: str, name: str) -> datetime | None:
    """A time in UTC: `2026-03-14 21:05`, `2026-03-14T21:05:00Z`; None where there is none. Refuses `bad_parameter`."""
    text = text.strip()
    if not text:
        return None
    try:
        at = datetime.fromisoformat(text)
        return at.replace(tzinfo=UTC) if at.tzinfo is None else at.astimezone(UTC)
    except (ValueError, OverflowError) as error:
        detail = gettext("%(field)s is a time such as 2026-03-14 21:05, not “%(given)s”")
        raise ProblemError(
            "bad_parameter", detail % {"field": name, "given": text[:40]}, extra={"field": name}
        ) from error


def position(conn: psycopg.Connection[Any], text: str, name: str) -> int | None:
    """The position that is named, or the last one recorded up to the time that is. Refuses `bad_parameter`."""
    text = text.strip()
    if _POSITION.fullmatch(text):
        return int(text)
    at = moment(text, name)
    if at is None:
        return None
    with snapshot(conn) as look:
        return position_before(look, at + timedelta(microseconds=1))
