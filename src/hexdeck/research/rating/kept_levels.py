"""Storing what was measured of levels in a game's `levels.json`."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from typing import Any

from hexdeck.bots.files import write_atomically
from hexdeck.bots.players import levels
from hexdeck.bots.players.levels import data, levels_of, read
from hexdeck.engine.backends.sources import program_hash
from hexdeck.engine.play.game import GameSetup
from hexdeck.research.rating.contest import Contest


def keep(game: GameSetup, contests: Iterable[Contest], command: str) -> None:
    """Store contests of a game with so many players, instead of those that were stored."""
    program, rows = program_hash(game.rules.__name__, "hexdeck.research.rating"), [each.summary() for each in contests]
    put(game, {"command": command, "program": program, "bots": levels_of(game), "contests": rows})


def put(game: GameSetup, rows: dict[str, Any]) -> None:
    """Store `rows` as what is known of a game with so many players."""
    read.cache_clear()  # other processes may have written there since
    loaded = dict(data(game))
    there = {**loaded.get("measured", {}), str(game.players): rows}
    loaded["measured"] = {players: there[players] for players in sorted(there, key=int)}
    write_atomically(levels.levels_file(game), formatted(loaded).encode())
    read.cache_clear()


def formatted(loaded: dict[str, Any]) -> str:
    """The data as JSON, each contest on one line."""
    text = json.dumps(loaded, indent=1)
    flat = re.sub(r"\[\s+([^\[\]{}]*?)\s+\]", lambda found: f"[{on_one_line(found[1])}]", text)
    return re.sub(r'\{\s+("one"[^{}]*?)\s+\}', lambda found: f"{{{on_one_line(found[1])}}}", flat) + "\n"


def on_one_line(text: str) -> str:
    """A text without line breaks and indentation."""
    return re.sub(r"\n *", " ", text)
