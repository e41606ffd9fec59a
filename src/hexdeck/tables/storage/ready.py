"""Statements that run with every move, compiled once: SQLAlchemy writes them, and the driver runs them as they are.

For that their values must be what drivers take: numbers, texts, bytes. A file's connection has one reader, so that even
its cursor can be the driver's; to a server, SQLAlchemy watches for connections that are lost.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping
from typing import Any

from sqlalchemy import Connection
from sqlalchemy.engine import Dialect


class Ready:
    """A statement of a dialect with values for these columns or parameters."""

    def __init__(self, dialect: Dialect, statement: Any, columns: tuple[str, ...]) -> None:
        compiled = statement.compile(dialect=dialect, column_keys=list(columns))
        self.text, self.order, self.is_file = str(compiled), compiled.positiontup, dialect.name == "sqlite"

    def first(self, connection: Connection, values: Mapping[str, Any]) -> Any:
        """Run it; returns the first row that it gives."""
        if self.is_file:
            return self._run_in_file(connection, values).fetchone()
        return connection.exec_driver_sql(self.text, dict(values)).first()

    def run(self, connection: Connection, values: Mapping[str, Any]) -> None:
        """Run it; it gives no rows."""
        if self.is_file:
            self._run_in_file(connection, values)
        else:
            connection.exec_driver_sql(self.text, dict(values))

    def _run_in_file(self, connection: Connection, values: Mapping[str, Any]) -> Any:
        driver: Any = connection.connection.dbapi_connection
        return driver.execute(self.text, tuple([values[name] for name in self.order or ()]))


@functools.lru_cache(256)
def ready(dialect: Dialect, statement: Any, columns: tuple[str, ...]) -> Ready:
    """A statement with values for these columns or parameters, compiled once for each database."""
    return Ready(dialect, statement, columns)
