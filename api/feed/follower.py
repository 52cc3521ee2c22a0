"""The meters as this process knows them: the views' checkpoint, and every event of the log after it.

The same fold that awards a hit and that the views keep, so the figures are theirs; only sooner, because nothing else
has to be added up before a sign may move.
"""

from typing import Any, Final, LiteralString

import msgspec
from psycopg import Connection, sql

from api.feed.frames import Frame
from api.feed.moments import TOPICS, Moment, frames_of, of_event, of_views
from api.feed.picture import EMPTY, Picture, picture_of
from domain.codec import UnreadableEventError, decode
from domain.events.jackpot import JackpotHit
from domain.progressive.folding import fold
from domain.progressive.meters import Meters, hit_id
from domain.store.locked import JACKPOT_TOPICS
from domain.store.statements import HEAD
from projections.jackpot_meters import JackpotMeters
from projections.reads import jackpot_hits as views
from projections.reads.jackpots import jackpots
from projections.sessions import table_of

PAGE: Final = 500  # events, or hits, a read

_METERS: Final = msgspec.json.Decoder(Meters)

_CHECKPOINT: LiteralString = (
    "SELECT p.at, m.meters FROM views.positions p LEFT JOIN views.jackpot_meters m ON true"
    " WHERE p.name = %s AND p.version = %s"
)
_AFTER: LiteralString = (
    "SELECT notification_id, originator_id, topic, state FROM public.pitclerk_events"
    " WHERE notification_id > %s AND notification_id <= %s AND ({}) ORDER BY notification_id LIMIT %s"
)
# Written into the statements: the planner uses the partial index only for the very condition it was made with.
_JACKPOTS: Final = sql.SQL(" OR ").join(
    sql.SQL("topic LIKE {}").format(sql.Literal(topic.replace("%", "%%"))) for topic in JACKPOT_TOPICS
)
_TOLD: Final = sql.SQL(", ").join(sql.Literal(topic) for topic in TOPICS)
_JACKPOT_EVENTS: Final = sql.SQL(_AFTER).format(_JACKPOTS)
_MOMENTS: Final = sql.SQL(_AFTER).format(sql.SQL("({}) AND topic IN ({})").format(_JACKPOTS, _TOLD))


class FollowError(Exception):
    """The log does not continue what was folded, or holds what this program cannot read."""


class Follower:
    """Follows the log; each `next` takes it to the head."""

    def __init__(self) -> None:
        self.picture: Picture = EMPTY
        self._meters: dict[str, Meters] = {}
        self._tables: dict[str, str] = {}
        self._at = -1

    def next(self, conn: Connection[Any]) -> tuple[Picture, list[Frame]]:
        """The picture at the head of the log, and the moments since the last one (none before the first).

        Raises FollowError and what psycopg raises; the next call then begins anew from the checkpoint, and still finds
        every moment since the last picture.
        """
        row = conn.execute(HEAD, prepare=True).fetchone()
        assert row is not None, "a maximum is one row"
        head, last, begins = int(row[0]), self.picture, self._at < 0
        try:
            if begins:
                self._begin(conn)
            moments = self._fold_to(conn, head)
            picture = picture_of(self._meters, max(head, self._at), self._tables)
            frames: list[Frame] = []
            if not begins:
                frames = frames_of(moments, {key: data.amount for key, data in last.levels.items()}, picture.levels)
            elif last is not EMPTY:
                frames = _all_missed(conn, last.position, picture)
        except BaseException as error:
            self._at = -1
            if isinstance(error, (KeyError, AssertionError, UnreadableEventError)):
                raise FollowError(f"the log after {last.position}: {error!r}") from error
            raise
        self.picture = picture
        return picture, frames

    def _begin(self, conn: Connection[Any]) -> None:
        rows = conn.execute(_CHECKPOINT, (JackpotMeters.name, JackpotMeters.version)).fetchall()
        folded = [_METERS.decode(meters) for _, meters in rows if meters is not None]
        waiting = views.hits(conn, state="pending", limit=PAGE).hits
        self._meters = {meters.progressive: meters for meters in folded}
        self._tables = {hit.hit: hit.table for hit in waiting}
        self._at = rows[0][0] if rows else 0

    def _fold_to(self, conn: Connection[Any], head: int) -> list[Moment]:
        moments: list[Moment] = []
        while self._at < head:
            rows = conn.execute(_JACKPOT_EVENTS, (self._at, head, PAGE), prepare=True).fetchall()
            for position, stream, topic, state in rows:
                meta, event = decode(topic, bytes(state))
                fold(self._meters, event)
                if isinstance(event, JackpotHit) and event.pending:
                    self._tables[hit_id(event)] = table_of(stream)
                moment = of_event(position, stream, meta, event)
                if moment is not None and moment.is_rejection:  # what the meter put back above its limit has spilt
                    level = self._meters[moment.jackpot].levels[moment.level]
                    moment = moment._replace(after=level.display)
                if moment is not None:
                    moments.append(moment)
            self._at = rows[-1][0] if len(rows) == PAGE else head
        waiting = {hit for meters in self._meters.values() for hit in meters.pending}
        self._tables = {hit: table for hit, table in self._tables.items() if hit in waiting}
        return moments


def _all_missed(conn: Connection[Any], after: int, now: Picture) -> list[Frame]:
    frames: list[Frame] = []
    while page := missed_moments(conn, after, now.position, now):
        frames += page
        after = page[-1].data.position
    return frames


def missed_moments(conn: Connection[Any], after: int, upto: int, now: Picture) -> list[Frame]:
    """The moments of some whole positions after `after`, none beyond `upto`; empty only if there are none at all.

    From the views, whose rows are found at once however long ago it was; what they have not folded yet, from the log.
    """
    page = views.changes(conn, after, limit=PAGE)
    complete = _complete_upto(page)
    hits = [hit for hit in page.hits if hit.position <= min(upto, complete)]
    paid = [hit for hit in page.paid if hit.paid_position is not None and hit.paid_position <= min(upto, complete)]
    rejected = [hit for hit in page.rejected if (hit.rejected_position or 0) <= min(upto, complete)]
    moments = of_views(hits, paid, rejected)
    if complete == page.position and complete < upto:
        for position, stream, topic, state in conn.execute(_MOMENTS, (max(after, complete), upto, PAGE)).fetchall():
            meta, event = decode(topic, bytes(state))
            moment = of_event(position, stream, meta, event)
            if moment is not None:
                moments.append(_within_limit(conn, moment) if moment.is_rejection else moment)
    return frames_of(moments, {}, now.levels)


def _within_limit(conn: Connection[Any], moment: Moment) -> Moment:
    """What a meter that is put back has above its limit goes to the overflow."""
    limits = [
        level.limit
        for jackpot in jackpots(conn, progressive=moment.jackpot).jackpots
        for level in jackpot.levels
        if level.level == moment.level and level.limit is not None
    ]
    return moment._replace(after=min([moment.after, *limits]))


def _complete_upto(page: views.JackpotChanges) -> int:
    """Up to where the page holds everything: a full list may have been cut short after its last position."""
    upto = page.position
    if len(page.hits) == PAGE:
        upto = min(upto, page.hits[-1].position)
    if len(page.paid) == PAGE:
        upto = min(upto, page.paid[-1].paid_position or upto)
    if len(page.rejected) == PAGE:
        upto = min(upto, page.rejected[-1].rejected_position or upto)
    return upto
