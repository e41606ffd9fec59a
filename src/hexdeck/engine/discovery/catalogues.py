"""The catalogue of messages for a game, in a language."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from hexdeck.engine.discovery.finding import game_folder
from hexdeck.engine.text import Catalogue

SHARED = Path(__file__).parents[2] / "locale"


def game_words(game: str, lang: str, names: Sequence[str] = ()) -> Catalogue:
    """A catalogue of a game's own messages and the shared ones; `names`: the names of the players."""
    return Catalogue(lang, (game_folder(game) / "locale", SHARED), tuple(names))
