"""Levels of play for people: gentle, steady, sharp, best. Which bot each is, and what was measured, is a game's data.

`levels.json` in a game's folder: `levels`, by number of players (or `*`, all others), the bot of each level;
`measured`, by number of players, the command and contests as `contest.Contest.summary` gives them; `one_loser`,
whether a match has one loser rather than one winner.
"""

from __future__ import annotations

import functools
import json
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from hexdeck.engine.game import Game, game_folder
from hexdeck.engine.text import Text, _, say

if TYPE_CHECKING:
    from hexdeck.bots.contest import Contest

LEVELS = ("gentle", "steady", "sharp", "best")
NAMES = {"gentle": _("gentle"), "steady": _("steady"), "sharp": _("sharp"), "best": _("best")}
ABOUT = {
    "gentle": say("Gentle: plays in a style of its own, and forgives much"),
    "steady": say("Steady: plays like a sensible person"),
    "sharp": say("Sharp: thinks ahead"),
    "best": say("Best: as well as a computer can in the blink of an eye"),
}


@functools.cache
def data(name: str) -> dict[str, Any]:
    """The levels of a game, and what was measured."""
    path = game_folder(name) / "levels.json"
    loaded: dict[str, Any] = json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {"levels": {}}
    return loaded


def levels_of(game: Game) -> dict[str, str]:
    """The bot of each level in a game of so many players, the gentlest first; empty where nothing was measured."""
    kept = data(game.name)["levels"]
    found: dict[str, str] = {**kept.get("*", {}), **kept.get(str(game.players), {})}
    return {level: found[level] for level in LEVELS if level in found}


def measured(game: Game, one: str, others: str) -> dict[str, Any] | None:
    """What was measured of one level among others at a table of so many, or None."""
    for contest in data(game.name).get("measured", {}).get(str(game.players), {}).get("contests", []):
        if (contest["one"], contest["others"]) == (one, others):
            found: dict[str, Any] = contest
            return found
    return None


def keep(game: Game, contests: Iterable[Contest], command: str) -> None:
    """Write what was measured at a table of so many into the game's data, in the place of what was there."""
    path, loaded = game_folder(game.name) / "levels.json", dict(data(game.name))
    rows = {"command": command, "contests": [each.summary() for each in contests]}
    loaded["measured"] = {**loaded.get("measured", {}), str(game.players): rows}
    path.write_text(json.dumps(loaded, indent=1) + "\n", encoding="utf-8")
    data.cache_clear()


def label(game: Game, level: str) -> Text:
    """What is known of how a level plays, for menus: its share of wins, or of losses where a game has one loser."""
    rival = "steady" if level != "steady" else "gentle"
    found = measured(game, level, rival)
    if found is None:
        return ABOUT[level]
    loses = found["last"][0] > 0 and one_loser(game)
    share = round(100 * found["last" if loses else "first"][0])
    if game.players == 2:
        text = (
            _("loses {share} % against one {rival} player") if loses else _("wins {share} % against one {rival} player")
        )
    else:
        text = (
            _("loses {share} % at a table of {players} against {n} {rival} players")
            if loses
            else _("wins {share} % at a table of {players} against {n} {rival} players")
        )
    return say(text, share=share, players=game.players, n=game.players - 1, rival=say(NAMES[rival]))


def one_loser(game: Game) -> bool:
    """Whether a match has one loser rather than one winner: most who play come in first together."""
    return bool(data(game.name).get("one_loser", False))
