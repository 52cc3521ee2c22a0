"""How a save or a read of the log can fail, closed. Except for Unknown, nothing has been recorded.

They are also the event store library's errors of the same meaning, so its own callers understand them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from eventsourcing.persistence import DataError, IntegrityError, OperationalError

if TYPE_CHECKING:
    from domain.store.save import AnswerRow


class StoreError(Exception):
    """The log could not be written or read."""


class StaleVersion(StoreError, IntegrityError):  # noqa: N818 -- the name says what happened, as a caller reads it
    """A stream has moved since the decision was made: load it again and decide again.

    Versions: `expected` by the decision, `found` under the lock; 0 is a stream that does not exist.
    """

    def __init__(self, stream: str, expected: int, found: int) -> None:
        super().__init__(f"stream {stream} is at version {found}, the decision was made at {expected}")
        self.stream = stream
        self.expected = expected
        self.found = found


class AlreadyAnswered(StoreError, IntegrityError):  # noqa: N818
    """This identity has used this idempotency key before; `row` is what it was answered."""

    def __init__(self, row: AnswerRow) -> None:
        super().__init__(f"{row.identity} has used key {row.key} already, answered with position {row.position}")
        self.row = row


class LockTimeout(StoreError, OperationalError):  # noqa: N818
    """The commit lock was not to be had in time. Safe to try again."""


class StoreUnavailable(StoreError, OperationalError):  # noqa: N818
    """There is no server, no free connection, or it was lost before COMMIT was sent. Safe to try again."""


class Unknown(StoreError, OperationalError):  # noqa: N818
    """The connection was lost after COMMIT was sent: recorded or not, nobody has told us.

    Look with `find_answer(identity, key, settled=True)`, or save again with the same key, which looks by itself.
    """


class StoreRefused(StoreError, DataError):  # noqa: N818
    """The database refuses these rows or this role for good: a mistake of ours, trying again will not help."""
