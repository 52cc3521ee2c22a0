"""A house as one process holds it: the application, the readers' connections, and the hub of the live feed.

Database connections are counted, because PostgreSQL has a hundred of them for everybody: those of the application, the
readers here, and one for the feed. The projections' runner is whoever's who serves.
"""

from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import ExitStack, asynccontextmanager, contextmanager
from dataclasses import dataclass
from typing import Any, Final, TypeVar

from anyio import to_thread
from psycopg import Connection
from psycopg_pool import ConnectionPool

from api.auth.tokens import TokenBook
from api.feed.hub import Hub
from api.feed.source import Source
from api.metrics import Metrics
from api.second_opinion import second_opinion
from api.settings import Settings
from domain.application import Application
from domain.store.connection import conninfo

READERS: Final = 8
POOL_WAIT_S: Final = 5.0

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class House:
    """What the doors, the feed and the pages stand on."""

    settings: Settings
    database_url: str
    application: Application
    pool: ConnectionPool[Connection[Any]]
    tokens: TokenBook
    metrics: Metrics
    hub: Hub

    def read(self, read: Callable[[Connection[Any]], T]) -> T:
        """Run a read on an idle connection; it opens the snapshot it needs."""
        with self.pool.connection() as conn:
            return read(conn)

    @asynccontextmanager
    async def serving(self) -> AsyncIterator[None]:
        """While the event loop runs: the feed reads, displays follow."""
        source = Source(self.hub, conninfo(self.database_url))
        source.start()
        try:
            yield
        finally:
            self.hub.close()
            await to_thread.run_sync(source.stop)


@contextmanager
def house_on(database_url: str, settings: Settings) -> Iterator[House]:
    """A house on a migrated database."""
    metrics = Metrics()
    with ExitStack() as stack:
        opinion = second_opinion if settings.shadow else None
        application = stack.enter_context(Application(database_url, site=settings.site, second_opinion=opinion))
        pool = stack.enter_context(reading_pool(database_url))
        yield House(
            settings=settings,
            database_url=database_url,
            application=application,
            pool=pool,
            tokens=TokenBook(pool),
            metrics=metrics,
            hub=Hub(metrics, settings.feed_clients),
        )


def reading_pool(database_url: str) -> ConnectionPool[Connection[Any]]:
    """Connections that only read, each statement bounded in time."""

    return ConnectionPool(
        conninfo(database_url),
        min_size=1,
        max_size=READERS,
        timeout=POOL_WAIT_S,
        kwargs={"autocommit": True},
        check=ConnectionPool.check_connection,
        name="readers",
        open=False,
    )
