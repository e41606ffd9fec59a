"""Which options a game's messages and endings need, as measured: `reachable_messages.json` in the game's folder.

`python tools/reachable_messages.py [GAME …]` lets bots play under all settings of the tests. For each message and each
ending it writes the fewest options that had to differ from their defaults: [] if none had to, null if it never came.
What came with many options is tried with fewer; what didn't come is waited for in more matches. A report leaves out
what its own options can't bring.
"""

import json
import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent.parent))

import hexdeck
from hexdeck.engine.discovery.finding import game_folder, game_names
from hexdeck.lab.counts import ENDED, collect
from hexdeck.lab.log import SimulationSetup, matches
from hexdeck.lab.messages import REACHABLE, MessageCounts, possible
from hexdeck.simulation.game import Game
from tests.settings import all_settings, alone
from tests.settings import possible as possible_game

FEW, MANY = 30, 300  # matches whose messages are noted at first, and for those that didn't come
COUNTED = 1000  # games whose endings are counted
Key = tuple[str, str]
Found = dict[Key, list[str] | None]


def unusual(game: Game) -> list[str]:
    """The names of the options that differ from their defaults."""
    return sorted(option.name for option in game.rules.OPTIONS if game.options[option.name] != option.default)


def brought(game: Game, often: int) -> set[Key]:
    """The messages and endings that come in some matches with a game's options."""
    found: set[Key] = set()
    for bots in ("house", "random"):
        heard = MessageCounts(game)
        for match in matches(SimulationSetup(game, bots, 1), often):
            heard.add(match)
        ended = collect(SimulationSetup(game, bots, 1), COUNTED)
        found |= {("told", key) for key in heard.shown | heard.often.keys()}
        found |= {("ended", name) for k, name in enumerate(game.rules.ENDINGS[1:], 1) if ended[ENDED, k].value}
    return found


def fewest(game: Game, key: Key) -> list[str]:
    """The options that a message or ending needs: each option is left out in turn, and stays out if it isn't missed."""
    names = unusual(game)
    for name in tuple(names) * 2:  # twice: one may be needed by another that was left out only later
        fewer = {each: game.options[each] for each in names if each != name}
        other = possible_game(game.name, game.players, fewer) if name in names else None
        if other is not None and key in brought(other, FEW):
            names.remove(name)
    return names


def measured(name: str) -> Found:
    """The options that each message and ending of a game needs."""
    usual = hexdeck.game(name)
    messages: list[Key] = [("told", each.text.key) for each in possible(usual)]
    found: Found = dict.fromkeys([*messages, *(("ended", ending) for ending in usual.rules.ENDINGS[1:])])
    for often, games in ((FEW, all_settings(name)), (MANY, alone(name))):
        for game in sorted(games, key=lambda each: len(unusual(each))):
            if often == FEW or None in found.values():
                for key in brought(game, often) & {key for key in found if found[key] is None}:
                    found[key] = fewest(game, key)
    return found


def main() -> None:
    """Measure and write."""
    for name in sys.argv[1:] or game_names():
        kept: dict[str, dict[str, Any]] = {"told": {}, "ended": {}}
        for (what, key), names in measured(name).items():
            kept[what][key] = names
        lines = [f" {json.dumps(what)}: {{\n{rows(each)}\n }}" for what, each in kept.items()]
        (game_folder(name) / REACHABLE).write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")


def rows(each: dict[str, Any]) -> str:
    """A row for each key."""
    return ",\n".join(f"  {json.dumps(key, ensure_ascii=False)}: {json.dumps(names)}" for key, names in each.items())


if __name__ == "__main__":
    main()
