"""The library's PostgreSQL factory, with connection parameters that it lacks. PERSISTENCE_MODULE names it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec
from eventsourcing.postgres import PostgresFactory

from domain.store import arrays
from domain.store.pool import replace_pool

if TYPE_CHECKING:
    from eventsourcing.utils import Environment, EnvType

PARAMETERS = "POSTGRES_PARAMETERS"
"""The key of further libpq parameters, a JSON object of texts: TLS, time-outs, which of several hosts to take."""


class Factory(PostgresFactory):
    """Makes recorders whose connections carry the parameters of the address they were made from."""

    def __init__(self, env: Environment | EnvType | None) -> None:
        arrays.register()  # the pool's first connections may be older than the recorder
        super().__init__(env)
        parameters = msgspec.json.decode(self.env.get(PARAMETERS) or "{}", type=dict[str, str])
        replace_pool(self.datastore, parameters)
