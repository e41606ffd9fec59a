"""Settings of all tests."""

import contextlib
import os
import random
import secrets
from collections.abc import Iterator

import hypothesis
import pytest

for name in ("local", "ci"):
    hypothesis.settings.register_profile(name, deadline=None, derandomize=name == "ci", print_blob=name == "ci")
hypothesis.settings.load_profile("ci" if os.environ.get("CI") else "local")


def pytest_configure(config: pytest.Config) -> None:
    """Markers of ours."""
    config.addinivalue_line("markers", "rule(*ids): the rules that a test proves, by the ids of the game's rules page")


@contextlib.contextmanager
def drawn_for(name: str) -> Iterator[None]:
    """In CI, what nobody seeded (the cards of tables, keys, bots) follows from a name, where one thread draws it."""
    with pytest.MonkeyPatch.context() as patch:
        if os.environ.get("CI"):
            drawn = random.Random(name)
            patch.setattr(secrets, "token_bytes", lambda nbytes=32: drawn.randbytes(32 if nbytes is None else nbytes))
        yield


@pytest.fixture(scope="module", autouse=True)
def _drawn_for_a_module(request: pytest.FixtureRequest) -> Iterator[None]:
    with drawn_for(request.node.nodeid):
        yield


@pytest.fixture(autouse=True)
def _drawn_for_a_test(request: pytest.FixtureRequest) -> Iterator[None]:
    with drawn_for(request.node.nodeid):
        yield
