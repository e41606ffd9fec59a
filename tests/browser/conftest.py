"""A real browser, and pages of every game to look at with it."""

import argparse
import functools
from collections.abc import Callable, Iterator, Sequence
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

    Its `scripts` come before its own, and what goes wrong on it into `wrong`. `visit.folder` holds the files of all.
    """
    contexts = []

    def opened(
        name: str,
        before: Callable[[Any], object] | None = None,
        scripts: Sequence[str] = (),
        wrong: list[str] | None = None,
        **how: Any,
    ) -> Any:
        context = browser.new_context(**({"viewport": {"width": 360, "height": 640}} | how))
        contexts.append(context)
        page = context.new_page()
        if before:
            before(page)
        for script in scripts:
            page.add_init_script(script)
        if wrong is not None:
            page.on("pageerror", lambda error: wrong.append(str(error)))
        page.goto(f"{shown.address}/{name}.html")
        return page

    opened.folder = shown.folder  # type: ignore[attr-defined]
    yield opened
    for context in contexts:
        context.close()


def visiting(visit: Callable[..., Any], **how: Any) -> Any:
    """The same, always in a size or with settings of one's own."""
    opened = functools.partial(visit, **how)
    opened.folder = visit.folder  # type: ignore[attr-defined]
    return opened


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HEXDECK_BACKEND", BACKEND)
        with served(file_in(Path(tmp_path_factory.mktemp("site"))), pause=0.05) as server:
            yield server
