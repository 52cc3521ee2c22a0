"""From a PostgreSQL address to the settings of the event store library."""

from __future__ import annotations

import msgspec
import psycopg
from psycopg.conninfo import conninfo_to_dict, make_conninfo

from domain.store.errors import StoreRefused
from domain.store.factory import PARAMETERS

APPLICATION = "pitclerk"

LOCK_TIMEOUT_S = 5
STATEMENT_TIMEOUT_S = 15
IDLE_IN_TRANSACTION_TIMEOUT_S = 5
CONNECT_TIMEOUT_S = 5

# A server that vanishes without a word is noticed after some ten seconds instead of the kernel's quarter of an hour.
_NETWORK = {
    "connect_timeout": str(CONNECT_TIMEOUT_S),
    "keepalives_idle": "5",
    "keepalives_interval": "2",
    "keepalives_count": "3",
    "tcp_user_timeout": "10000",
}
_SESSION = (
    f"-c statement_timeout={STATEMENT_TIMEOUT_S * 1000}"
    f" -c idle_in_transaction_session_timeout={IDLE_IN_TRANSACTION_TIMEOUT_S * 1000}"
    " -c timezone=UTC"
)


def parameters(url: str) -> dict[str, str]:
    """Return the libpq parameters of an address, completed with time-outs. What the address says itself prevails.

    The address is a URL or a conninfo string; its host may be a socket's directory (`?host=/path`) or several hosts, of
    which the one that accepts writes is taken. StoreRefused if it cannot be read.
    """
    try:
        given = {name: str(value) for name, value in conninfo_to_dict(url).items() if value is not None}
    except psycopg.ProgrammingError as error:
        raise StoreRefused(f"not a PostgreSQL address: {error}") from error
    complete = {"application_name": APPLICATION, **_NETWORK, **given}
    complete["options"] = f"{_SESSION} {given.get('options', '')}".strip()
    if "," in given.get("host", "") + given.get("hostaddr", ""):
        complete.setdefault("target_session_attrs", "read-write")
    return complete


def conninfo(url: str) -> str:
    """Return the address as a conninfo string with the time-outs, for connections outside the library's pool."""
    return make_conninfo("", **parameters(url))


def environment(
    url: str,
    *,
    pool_size: int = 5,
    max_overflow: int = 10,
    lock_timeout_s: int = LOCK_TIMEOUT_S,
    pool_timeout_s: int = CONNECT_TIMEOUT_S,
) -> dict[str, str]:
    """Return the library's settings for an application named `pitclerk` on the log at `url`.

    Connections: `pool_size` at once, `max_overflow` more under load. Seconds: `lock_timeout_s` for the commit lock,
    `pool_timeout_s` for a free connection.
    """
    rest = parameters(url)
    return {
        "PERSISTENCE_MODULE": "domain.store.factory:Factory",
        "APPLICATION_RECORDER_TOPIC": "domain.recorder:CasinoRecorder",
        "CREATE_TABLE": "no",
        "ORIGINATOR_ID_TYPE": "text",
        "POSTGRES_SCHEMA": "public",
        "POSTGRES_HOST": rest.pop("host", ""),
        "POSTGRES_PORT": rest.pop("port", "5432"),
        "POSTGRES_DBNAME": rest.pop("dbname", ""),
        "POSTGRES_USER": rest.pop("user", ""),
        "POSTGRES_PASSWORD": rest.pop("password", ""),
        "POSTGRES_POOL_SIZE": str(pool_size),
        "POSTGRES_MAX_OVERFLOW": str(max_overflow),
        "POSTGRES_CONNECT_TIMEOUT": str(pool_timeout_s),
        "POSTGRES_PRE_PING": "y",
        "POSTGRES_LOCK_TIMEOUT": str(lock_timeout_s),
        "POSTGRES_IDLE_IN_TRANSACTION_SESSION_TIMEOUT": str(IDLE_IN_TRANSACTION_TIMEOUT_S),
        PARAMETERS: msgspec.json.encode(rest).decode(),
    }
