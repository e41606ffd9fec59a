"""Inserts a row unless its key is taken, in each database's dialect."""

import functools
from typing import Any

from sqlalchemy import Connection, Table
from sqlalchemy.dialects import postgresql, sqlite

from hexdeck.tables.storage.ready import ready


def insert_if_absent(connection: Connection, table: Table, row: dict[str, Any]) -> bool:
    """Insert a row unless its key is taken; returns whether it was inserted."""
    statement = ready(connection.dialect, _insertion(connection.dialect.name, table), tuple(row))
    return statement.first(connection, row) is not None


@functools.cache
def _insertion(name: str, table: Table) -> Any:
    dialect: Any = postgresql if name == "postgresql" else sqlite
    return dialect.insert(table).on_conflict_do_nothing().returning(*table.primary_key.columns)
