"""From the driver's errors to the store's: what each means for the one who wanted to save."""

from __future__ import annotations

import re
from contextlib import contextmanager
from typing import TYPE_CHECKING

import psycopg
from eventsourcing.persistence import PersistenceError
from psycopg import errors as sql_errors

from domain.store.errors import LockTimeout, StaleVersion, StoreError, StoreRefused, StoreUnavailable, Unknown

if TYPE_CHECKING:
    from collections.abc import Iterator

    from domain.store.transaction import Progress

EVENTS_KEY = "pitclerk_events_pkey"
ANSWERS_KEY = "pitclerk_answers_pkey"

_EVENT_EXISTS = re.compile(r"=\((?P<stream>.*), (?P<version>\d+)\)")


@contextmanager
def named_errors(progress: Progress | None = None) -> Iterator[None]:
    """Raise the store's errors instead of the driver's or the library's; all others pass through."""
    try:
        yield
    except StoreError:
        raise
    except PersistenceError as error:  # the library wraps the driver's
        cause = error.__cause__
        raise _name(cause if isinstance(cause, psycopg.Error) else error, progress) from cause or error
    except psycopg.Error as error:
        raise _name(error, progress) from error


def violated_key(error: StoreError) -> str:
    """Return the unique constraint behind an error, or an empty text."""
    cause = error.__cause__
    return (cause.diag.constraint_name or "") if isinstance(cause, sql_errors.UniqueViolation) else ""


def _name(error: Exception, progress: Progress | None) -> StoreError:
    if progress is not None and progress.commit_sent and progress.connection_lost:
        return Unknown(f"the connection was lost while committing: {error}")
    if isinstance(error, sql_errors.LockNotAvailable):
        return LockTimeout(str(error))
    if isinstance(error, sql_errors.UniqueViolation) and error.diag.constraint_name == EVENTS_KEY:
        return _stale(error)
    temporary = (psycopg.OperationalError, psycopg.InterfaceError, sql_errors.ReadOnlySqlTransaction)
    if isinstance(error, temporary) or not isinstance(error, psycopg.Error):
        return StoreUnavailable(str(error))
    return StoreRefused(str(error))


def _stale(error: psycopg.Error) -> StaleVersion:
    """Name a version that was taken by one who did not hold the lock; the recorder's own conflicts never get here."""
    match = _EVENT_EXISTS.search(error.diag.message_detail or "")
    version = int(match["version"]) if match else 0
    return StaleVersion(match["stream"] if match else "", version - 1, version)
