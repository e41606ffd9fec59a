"""A server for the tests of a module, whose workshop nobody else uses, and a real browser."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from hexdeck.web.server.workshop import COMMAND
from tests.web.conftest import _backend, _everybody_leaves, backend  # noqa: F401 - fixtures
from tests.web.serving import Served, file_in, served


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory, _backend: None) -> Iterator[Served]:  # noqa: F811
    """A server without tight limits; its workshop has the priority of the tests, which else would leave it nothing."""
    with served(file_in(Path(tmp_path_factory.mktemp("site")))) as server:
        server.app.state.workshop.command = (*COMMAND, "0")
        yield server
