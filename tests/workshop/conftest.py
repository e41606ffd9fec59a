"""A server for the tests of a module, and a real browser; people's connections end with a test."""

import pytest

from hexdeck.web.workshop.jobs import COMMAND
from tests.web.conftest import _backend, _everybody_leaves, backend, site  # noqa: F401 - fixtures
from tests.web.serving import Served


@pytest.fixture(scope="module", autouse=True)
def _measures_at_once(site: Served) -> None:  # noqa: F811
    """The workshop has the priority of the tests: other tests beside them would leave it nothing."""
    site.app.state.workshop.command = (*COMMAND, "0")
