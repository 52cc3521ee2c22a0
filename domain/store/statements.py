"""The SQL of a save. Every statement is prepared, and sees what was committed before it began (READ COMMITTED).

That is why locking and reading are two statements: one that waited for the lock would still see the log as it was.
"""

from __future__ import annotations

from typing import LiteralString

COMMIT_LOCK = 7_046_029_254_386_353_132
"""The advisory lock that orders all writers of the log: positions are given and committed under it."""

CHANNEL = "pitclerk_events"
"""The NOTIFY channel, named as the library's subscriptions expect; the payload is the save's last position."""

BEGIN: LiteralString = "BEGIN ISOLATION LEVEL READ COMMITTED"
COMMIT: LiteralString = "COMMIT"
ROLLBACK: LiteralString = "ROLLBACK"

LOCK: LiteralString = "SELECT set_config('lock_timeout', %s, true), pg_advisory_xact_lock(%s)"

# One row: the time to stamp, the last link, the versions of the streams asked for, in their order.
READ: LiteralString = """
SELECT greatest(clock_timestamp(),
                (SELECT recorded_at FROM public.pitclerk_events ORDER BY notification_id DESC LIMIT 1)),
       (SELECT link FROM public.pitclerk_chain ORDER BY position DESC LIMIT 1),
       ARRAY(SELECT coalesce((SELECT originator_version FROM public.pitclerk_events
                              WHERE originator_id = stream.id ORDER BY originator_version DESC LIMIT 1), 0)
             FROM unnest(%s::text[]) WITH ORDINALITY AS stream (id, n) ORDER BY n)"""

FIND_ANSWER: LiteralString = """
SELECT identity, key, digest, status, answer, position FROM public.pitclerk_answers WHERE identity = %s AND key = %s"""

INSERT_EVENTS: LiteralString = """
INSERT INTO public.pitclerk_events (originator_id, originator_version, topic, state, recorded_at)
SELECT stream, version, topic, state, %s
FROM unnest(%s::text[], %s::bigint[], %s::text[], %s::bytea[]) WITH ORDINALITY
     AS event (stream, version, topic, state, n)
ORDER BY n
RETURNING notification_id"""

_INSERT_CHAIN: LiteralString = """
WITH chain AS (
    INSERT INTO public.pitclerk_chain (position, leaf, link)
    SELECT * FROM unnest(%s::bigint[], %s::bytea[], %s::bytea[]))"""

SEAL: LiteralString = f"""{_INSERT_CHAIN}
SELECT pg_notify('{CHANNEL}', %s)"""

SEAL_AND_ANSWER: LiteralString = f"""{_INSERT_CHAIN}, answer AS (
    INSERT INTO public.pitclerk_answers (identity, key, digest, status, answer, position, recorded_at)
    VALUES (%s, %s, %s, %s, %s, %s, %s))
SELECT pg_notify('{CHANNEL}', %s)"""  # noqa: S608 -- constants

HEAD: LiteralString = "SELECT coalesce(max(notification_id), 0) FROM public.pitclerk_events"
