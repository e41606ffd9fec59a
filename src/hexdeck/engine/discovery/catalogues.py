"""The words of a game and of the screens, in a language."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from hexdeck.engine.discovery.finding import game_folder
from hexdeck.engine.text import Catalogue

SHARED = Path(__file__).parents[2] / "locale"


def game_words(game: str, lang: str, names: Sequence[str] = ()) -> Catalogue:
    """The catalogue of a game's messages and the shared ones; `names` are the players'."""
    return Catalogue(lang, (game_folder(game) / "locale", SHARED), tuple(names))
