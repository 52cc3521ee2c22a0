"""Expected rows against stored ones, all at once or a few at a time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
from psycopg import sql

from projections.check.examiner import Look, Violations
from projections.store import LIVE, table

Key = tuple[Any, ...]
Row = Mapping[str, Any]
Rows = Mapping[Key, Row]


class Compared:
    """One table of a view. keys: its primary key's columns with their SQL types."""

    def __init__(self, violations: Violations, name: str, keys: Mapping[str, str]) -> None:
        self._violations = violations
        self._name = name
        self._keys = tuple(keys)
        self._expected = 0
        typed = ", ".join(f'"{key}" {kind}' for key, kind in keys.items())
        self._some = sql.SQL("SELECT t.* FROM {} t JOIN json_to_recordset(%s::json) AS r({}) USING ({})").format(
            table(LIVE, name),
            sql.SQL(typed),
            sql.SQL(", ").join(map(sql.Identifier, keys)),
        )
        self._all = sql.SQL("SELECT * FROM {}").format(table(LIVE, name))
        self._count = sql.SQL("SELECT count(*) FROM {}").format(table(LIVE, name))

    def some(self, look: Look, expected: Rows) -> None:
        """These rows must be there and read so; `finish` sees to it that there are no others."""
        if not expected:
            return
        keys = [dict(zip(self._keys, key, strict=True)) for key in expected]
        found = look.dicts(self._some, (msgspec.json.encode(keys).decode(),))
        self._hold(found, expected)
        self._expected += len(expected)

    def all(self, look: Look, expected: Rows) -> None:
        """The table holds exactly these rows."""
        found = look.dicts(self._all)
        self._hold(found, expected)
        extra = len(found) - sum(self._key(row) in expected for row in found)
        if extra:
            self._violations.add(f"{self._name} holds {extra} rows that the log does not give")

    def finish(self, look: Look) -> None:
        """No rows but those compared."""
        count = look.rows(self._count)[0][0]
        if count != self._expected:
            self._violations.add(f"{self._name} holds {count} rows, the log gives {self._expected}")

    def _key(self, row: Row) -> Key:
        return tuple(row[key] for key in self._keys)

    def _hold(self, found: Sequence[Row], expected: Rows) -> None:
        stored = {self._key(row): row for row in found}
        for key, row in expected.items():
            has = stored.get(key)
            if has is None:
                self._violations.add(f"{self._name} lacks {key}")
                continue
            wrong = [f"{name} {has[name]} for {value}" for name, value in row.items() if has[name] != value]
            if wrong:
                self._violations.add(f"{self._name} {key}: {', '.join(wrong)}")
