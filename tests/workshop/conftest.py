"""A server for the tests of a module, and a real browser; people's connections end with a test."""

from tests.browser.conftest import browser  # noqa: F401 - fixtures
from tests.web.conftest import _backend, _everybody_leaves, backend, site  # noqa: F401 - fixtures
