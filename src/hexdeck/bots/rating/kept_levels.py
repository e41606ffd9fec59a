"""What was measured of levels, written into a game's data."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from typing import Any

from hexdeck.bots.files import write_whole
from hexdeck.bots.players import levels
from hexdeck.bots.players.levels import data, levels_of
from hexdeck.bots.rating.contest import Contest, pooled
from hexdeck.engine.play.game import GameSetup


def keep(game: GameSetup, contests: Iterable[Contest], command: str) -> None:
    """Write what was measured at a table of so many into the game's data, in the place of what was there."""
    put(game, {"command": command, "bots": levels_of(game), "contests": [each.summary() for each in contests]})


def put(game: GameSetup, rows: dict[str, Any]) -> None:
    """Write what is known of a table of so many."""
    data.cache_clear()  # others may have written there since
    loaded = dict(data(game.name))
    there = {**loaded.get("measured", {}), str(game.players): rows}
    loaded["measured"] = {players: there[players] for players in sorted(there, key=int)}
    write_whole(levels.place_of(game.name), written(loaded).encode())
    data.cache_clear()


def keep_more(game: GameSetup, contests: Iterable[Contest], command: str) -> None:
    """Put further deals of contests, by this command too, with what is kept."""
    data.cache_clear()
    rows = data(game.name)["measured"][str(game.players)]
    found = {(each.one, each.others): each for each in contests if len(each.groups)}
    old = {(row["one"], row["others"]): row for row in rows["contests"]}
    both = {pair: pooled(row, found[pair]) if pair in found else row for pair, row in old.items()}
    new = {pair: each.summary() for pair, each in found.items() if pair not in old}
    put(game, {**rows, "command": f"{rows['command']} && {command}", "contests": [*both.values(), *new.values()]})


def written(loaded: dict[str, Any]) -> str:
    """The data as JSON, a contest in a line."""
    text = json.dumps(loaded, indent=1)
    flat = re.sub(r"\[\s+([^\[\]{}]*?)\s+\]", lambda found: f"[{re.sub(chr(10) + ' *', ' ', found[1])}]", text)
    return (
        re.sub(r'\{\s+("one"[^{}]*?)\s+\}', lambda found: f"{{{re.sub(chr(10) + ' *', ' ', found[1])}}}", flat) + "\n"
    )
