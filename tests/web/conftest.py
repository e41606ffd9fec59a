"""A server for the tests of a module, interpreted, since compiled code is tested elsewhere."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.web.serving import Served, file_in, hang_up, served


@pytest.fixture(scope="module", autouse=True)
def _interpreted() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HEXDECK_BACKEND", "interpreted")
        yield


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory, _interpreted: None) -> Iterator[Served]:
    """A server without tight limits."""
    with served(file_in(Path(tmp_path_factory.mktemp("site")))) as server:
        yield server


@pytest.fixture(autouse=True)
def _everybody_leaves() -> Iterator[None]:
    yield
    hang_up()
