"""Inserts a row unless its key is taken, in each database's dialect."""

from typing import Any

from sqlalchemy import Connection, Table
from sqlalchemy.dialects import postgresql, sqlite


def insert_if_absent(connection: Connection, table: Table, row: dict[str, Any]) -> bool:
    """Insert a row unless its key is taken; returns whether it was inserted."""
    dialect: Any = postgresql if connection.dialect.name == "postgresql" else sqlite
    statement: Any = dialect.insert(table).on_conflict_do_nothing().returning(*table.primary_key.columns)
    return connection.execute(statement, row).first() is not None
