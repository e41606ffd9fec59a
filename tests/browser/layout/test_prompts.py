"""What a player is asked fits its place on phones, in both languages."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import gallery
import pytest

from hexdeck.engine.discovery.finding import game_names
from hexdeck.web.html import table_page
from hexdeck.web.html.models import Site, TablePage
from hexdeck.web.html.rendering import game_catalogue

SIZES = ((844, 390), (360, 640), (640, 360))
CUT = """() => {
  const { scrollHeight, clientHeight, textContent } = document.getElementById("prompt");
  return scrollHeight > clientHeight + 1 && [textContent, scrollHeight, clientHeight];
}"""


def asked(game: str, lang: str) -> list[TablePage]:
    """A page for each thing that seat 0 is asked or told at its turn, with the longest words that it then has."""
    site, longest = Site(lang, "dark"), dict[tuple[str, bool], tuple[int, int, TablePage]]()
    for seed in range(11, 16):
        match = gallery.played(game, None, seed)
        words = game_catalogue(site, game, match.names)
        for ply in range(match.length):
            match.go(ply)
            page = gallery.table_of(match, site)
            text = words.words(page.view.prompt)
            key = page.view.prompt.key, bool(page.view.moves)
            if len(text) > longest.get(key, (0,))[0]:
                longest[key] = len(text), ply, replace(page, clock=None, hints=True)
    return [page for _, _, page in longest.values()]


@pytest.mark.parametrize("lang", ["en", "nl"])
@pytest.mark.parametrize("game", game_names())
def test_no_prompt_is_cut_on_a_phone(visit: Any, shown: Any, game: str, lang: str) -> None:
    opened, cut = visit(shown.names[0]), []
    found = asked(game, lang)
    for k, page in enumerate(found):
        opened.goto(f"{shown.address}/{shown.add(f'asked-{game}-{lang}-{k}', table_page.table(page))}.html")
        for wide, high in SIZES:
            opened.set_viewport_size({"width": wide, "height": high})
            if told := opened.evaluate(CUT):
                cut.append(((wide, high), *told))
    assert found and cut == []
