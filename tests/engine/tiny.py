"""Games so small that every history can be walked: their numbers stand in `settings.json` of the games' tests.

A history is all events so far; of seats that choose together the lowest comes first. The numbers were first counted by
implementations written from the rules pages alone; `python -m tests.engine.tiny` counts them anew, interpreted, for
when a rule changes.
"""

import json
from fractions import Fraction
from typing import Any

import numpy as np

import hexdeck
from hexdeck.engine.play.match import Match
from hexdeck.simulation.game import Game
from tests.settings import GAMES, data, folder_of_tests, much

Walk = dict[str, Any]  # what a walk counts


def followers(match: Match) -> list[tuple[Match, int]]:
    """The positions that may come next, each with its weight: of chance's outcomes, or the same for all moves."""
    out = []
    for outcome, weight in match.chances().items():
        out.append((match.copy_position(), weight))
        out[-1][0].deal(outcome)
    for action in match.legal_ids(match.acting[0]) if match.acting else ():
        out.append((match.copy_position(), 1))
        out[-1][0].play(match.acting[0], action)
    return out


def walk(root: Match) -> Walk:
    """How many histories of each kind begin so; each seat's mean utility and its mean square if all play at random."""
    counts, means = {"chance": 0, "decision": 0, "terminal": 0}, np.zeros((2, root.game.players), object)
    stack = [(root, Fraction(1))]
    while stack:
        match, chance = stack.pop()
        counts["terminal" if match.over else "decision" if match.acting else "chance"] += 1
        if match.over:
            returns = np.array([Fraction(value).limit_denominator(1000) for value in match.returns()], object)
            means = means + chance * np.array([returns, returns**2])
            continue
        next_ones = followers(match)
        total = sum(weight for _, weight in next_ones)
        stack += [(after, chance * Fraction(weight, total)) for after, weight in next_ones]
    mean, square = ([str(value) for value in row] for row in means)
    return counts | {"mean": mean, "square": square}


def tiny_games() -> list[tuple[Game, Walk]]:
    """The tiny games of all games, with what stands in their data; in a usual run only the tiniest."""
    entries = [(name, entry) for name in GAMES for entry in data(name)["tiny"]]
    entries = [each for each in entries if each[1]["histories"]["decision"] <= much(1500, 10**9)]
    return [(hexdeck.game(name, entry["players"], **entry["options"]), entry["histories"]) for name, entry in entries]


def write() -> None:
    """Count every tiny game, and write the numbers into the data."""
    for name in GAMES:
        entries, rest = data(name)["tiny"], {key: value for key, value in data(name).items() if key != "tiny"}
        for entry in entries:
            game = hexdeck.game(name, entry["players"], **entry["options"])
            entry["histories"] = walk(game.match(by_hand=True, backend="interpreted"))
        lines = [f"{json.dumps(key)}: {json.dumps(value)}" for key, value in rest.items()]
        rows = ",\n    ".join(json.dumps(entry) for entry in entries)
        text = ",\n  ".join([*lines, f'"tiny": [\n    {rows}\n  ]'])
        (folder_of_tests(name) / "settings.json").write_text(f"{{\n  {text}\n}}\n", encoding="utf-8")


if __name__ == "__main__":
    write()
