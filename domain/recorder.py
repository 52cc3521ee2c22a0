"""The recorder of the log: the event store library's PostgreSQL recorder with a save of our own.

Loaded through APPLICATION_RECORDER_TOPIC (see `domain.store.connection.environment`). Against the library's: no
retries behind the caller's back (ten of them turn a time-out of one second into twelve, and a lost answer into a false
conflict), no table lock (the service's role may not take it), conditions, chain rows and the answer in the same
transaction, and errors that say what to do next.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from eventsourcing.postgres import PostgresApplicationRecorder
from psycopg.rows import tuple_row

from domain.store import arrays, statements
from domain.store.errors import (
    AlreadyAnswered,
    LockTimeout,
    StaleVersion,
    StoreError,
    StoreRefused,
    StoreUnavailable,
    Unknown,
)
from domain.store.locked import JACKPOT_TOPICS, LockedLog, LogRow
from domain.store.naming import ANSWERS_KEY, named_errors, violated_key
from domain.store.save import AnswerRow, Placed, Save, Saved
from domain.store.transaction import Progress, record

if TYPE_CHECKING:
    from collections.abc import Sequence
    from uuid import UUID

    from eventsourcing.persistence import Notification, StoredEvent
    from eventsourcing.postgres import PostgresDatastore

__all__ = [
    "JACKPOT_TOPICS",
    "AlreadyAnswered",
    "AnswerRow",
    "CasinoRecorder",
    "LockTimeout",
    "LockedLog",
    "LogRow",
    "Placed",
    "Save",
    "Saved",
    "StaleVersion",
    "StoreError",
    "StoreRefused",
    "StoreUnavailable",
    "Unknown",
]

DEFAULT_LOCK_TIMEOUT_S = 5
EVENTS_TABLE = "pitclerk_events"

# The library's reads without its retry decorator: ten attempts, each up to a time-out long, are no wait anyone chose.
_select_events = PostgresApplicationRecorder.select_events.__wrapped__
_select_notifications = PostgresApplicationRecorder.select_notifications.__wrapped__
_max_notification_id = PostgresApplicationRecorder.max_notification_id.__wrapped__


class CasinoRecorder(PostgresApplicationRecorder):
    """Reads and writes the log. Every writer of the log goes through `save` or `insert_events`."""

    def __init__(self, datastore: PostgresDatastore, *, events_table_name: str = EVENTS_TABLE) -> None:
        """Raise StoreUnavailable without a server, StoreRefused if the settings are of another log."""
        if events_table_name != EVENTS_TABLE or datastore.schema != "public" or datastore.originator_id_type != "text":
            raise StoreRefused(f"the log is public.{EVENTS_TABLE} with text ids; the application's name is pitclerk")
        arrays.register()
        with named_errors():
            super().__init__(datastore, events_table_name=events_table_name)
        self._lock_timeout_ms = (datastore.lock_timeout or DEFAULT_LOCK_TIMEOUT_S) * 1000

    def insert_events(
        self, stored_events: Sequence[StoredEvent], *, save: Save | None = None, **_: Any
    ) -> Sequence[int]:
        """Record events and return their positions: the library's door to `save`."""
        return [placed.position for placed in self.save(stored_events, save).placed]

    def save(self, stored_events: Sequence[StoredEvent], save: Save | None = None) -> Saved:
        """Record events, chain rows and answer in one transaction, once, without retrying.

        Raises StaleVersion, AlreadyAnswered, LockTimeout (after the datastore's lock_timeout, 5 s if it has none),
        StoreUnavailable, StoreRefused: nothing was recorded. Raises Unknown: see there.
        """
        wanted = save or Save()
        progress = Progress()
        try:
            with named_errors(progress), self.datastore.get_connection() as conn:
                return record(conn, stored_events, wanted, self._lock_timeout_ms, progress)
        except StoreRefused as error:
            # Only a row written past the lock gets here: the lock's holder has looked for the key before.
            row = self.find_answer(wanted.identity, wanted.key) if violated_key(error) == ANSWERS_KEY else None
            if row is None:
                raise
            raise AlreadyAnswered(row) from error

    def find_answer(self, identity: str, key: str, *, settled: bool = False) -> AnswerRow | None:
        """Return the answer kept for this identity and key.

        `settled`: first wait until no save is under way, so that None means that an earlier one has not been and will
        not be recorded, not even one whose connection was lost. Raises LockTimeout, StoreUnavailable.
        """
        with (
            named_errors(),
            self.datastore.get_connection() as conn,
            conn.transaction(),
            conn.cursor(row_factory=tuple_row, binary=True) as cursor,
        ):
            if settled:
                limit = (str(self._lock_timeout_ms), statements.COMMIT_LOCK)
                cursor.execute(statements.LOCK, limit, prepare=True)
            row = cursor.execute(statements.FIND_ANSWER, (identity, key), prepare=True).fetchone()
        return None if row is None else AnswerRow(*row)

    def select_events(self, originator_id: UUID | str, **limits: Any) -> Sequence[StoredEvent]:
        """Read a stream, as the library does, once. Raises StoreUnavailable."""
        with named_errors():
            events: Sequence[StoredEvent] = _select_events(self, originator_id, **limits)
        return events

    def select_notifications(self, start: int | None, limit: int, *args: Any, **more: Any) -> Sequence[Notification]:
        """Read the log, as the library does, once. Raises StoreUnavailable."""
        with named_errors():
            notifications: Sequence[Notification] = _select_notifications(self, start, limit, *args, **more)
        return notifications

    def max_notification_id(self) -> int | None:
        """Return the position of the last event, None for an empty log. Raises StoreUnavailable."""
        with named_errors():
            head: int | None = _max_notification_id(self)
        return head
