"""A real browser, and pages of every game to look at with it."""

import argparse
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import gallery
import pytest

from hexdeck.engine.discovery.finding import game_names
from tests.web.serving import BACKEND, Served, file_in, served


class Shown(NamedTuple):
    """Pages that are served: where, their names, and the folder that holds them."""

    address: str
    names: list[str]
    folder: Path

    def add(self, name: str, html: str) -> str:
        """One more page; returns its name."""
        (self.folder / f"{name}.html").write_text(html, encoding="utf-8")
        return name


@pytest.fixture(scope="session")
def shown(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Shown]:
    """Every page of the gallery, light and dark, as a server on this machine gives them."""
    folder: Path = tmp_path_factory.mktemp("gallery")
    options = argparse.Namespace(games=list(game_names()), players=None, seed=7, lang="en")
    names = gallery.written(folder, options)
    server = gallery.serve(folder)
    yield Shown(f"http://localhost:{server.server_port}", names, folder)
    server.shutdown()
    server.server_close()


@pytest.fixture
def visit(browser: Any, shown: Shown) -> Iterator[Callable[..., Any]]:
    """Opens a page of the gallery on a phone, or as asked; `before` is done with the page before it loads.

    `visit.folder` holds the files of all pages.
    """
    contexts = []

    def opened(name: str, before: Callable[[Any], None] | None = None, **how: Any) -> Any:
        context = browser.new_context(**({"viewport": {"width": 360, "height": 640}} | how))
        contexts.append(context)
        page = context.new_page()
        if before:
            before(page)
        page.goto(f"{shown.address}/{name}.html")
        return page

    opened.folder = shown.folder  # type: ignore[attr-defined]
    yield opened
    for context in contexts:
        context.close()


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HEXDECK_BACKEND", BACKEND)
        with served(file_in(Path(tmp_path_factory.mktemp("site"))), pause=0.05) as server:
            yield server
