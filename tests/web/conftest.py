"""A server for the tests of a module; people's connections end with a test."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.web.serving import BACKEND, Served, file_in, hang_up, served


@pytest.fixture(scope="module")
def backend() -> str:
    """What servers play with; hints and breaks of rules want interpreted rules, and say so in their module."""
    return BACKEND


@pytest.fixture(scope="module", autouse=True)
def _backend(backend: str) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HEXDECK_BACKEND", backend)
        yield


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory, _backend: None) -> Iterator[Served]:
    """A server without tight limits."""
    with served(file_in(Path(tmp_path_factory.mktemp("site")))) as server:
        yield server


@pytest.fixture(autouse=True)
def _everybody_leaves() -> Iterator[None]:
    yield
    hang_up()
