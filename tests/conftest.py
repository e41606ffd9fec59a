"""Settings of all tests."""

import os

import hypothesis
import pytest

for name in ("local", "ci"):
    hypothesis.settings.register_profile(name, deadline=None, derandomize=name == "ci", print_blob=name == "ci")
hypothesis.settings.load_profile("ci" if os.environ.get("CI") else "local")


def pytest_configure(config: pytest.Config) -> None:
    """Markers of ours."""
    config.addinivalue_line("markers", "rule(*ids): the rules that a test proves, by the ids of the game's rules page")
