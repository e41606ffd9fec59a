"""A new game, and a room of its own for who types commands."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from hexdeck.authoring import new_game
from hexdeck.engine.discovery import finding
from hexdeck.engine.discovery.definition import forget
from tests.people import room

__all__ = ["room"]


@pytest.fixture
def begun(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    folder = new_game("high-bid", tmp_path)
    with monkeypatch.context() as patch:
        patch.setenv(finding.PATH, str(tmp_path))
        yield folder
    forget()
