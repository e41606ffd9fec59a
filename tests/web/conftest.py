"""A server for all tests of a worker; people's connections end with a test."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from hexdeck.bots.advice.hints import GAMES
from hexdeck.engine.play import game as setups
from tests.settings import much
from tests.web.serving import BACKEND, Served, file_in, hang_up


@pytest.fixture(scope="module")
def backend() -> str:
    """What servers play with; hints and breaks of rules want interpreted rules, and say so in their module."""
    return BACKEND


@pytest.fixture(scope="module", autouse=True)
def _backend(backend: str) -> Iterator[None]:
    """With it, how long is thought about a hint, or a decision of a match that is over: one that a test left, too."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HEXDECK_BACKEND", backend)
        ours = setups.is_compiled  # of the games of the package it is true, whatever other processes compile just now
        patch.setattr(setups, "is_compiled", lambda game, *how: game.place.own or ours(game, *how))
        patch.setitem(GAMES, BACKEND, much(30, GAMES[BACKEND]))
        yield


SITES: list[Served] = []  # one for all tests of a worker, once it is there


@pytest.fixture(scope="module")
def site(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory, _backend: None) -> Served:
    if not SITES:
        SITES.append(Served(file_in(Path(tmp_path_factory.mktemp("site")))))
        request.session.addfinalizer(lambda: SITES.pop().stop())
    return SITES[0]


@pytest.fixture(autouse=True)
def _everybody_leaves() -> Iterator[None]:
    yield
    hang_up()
