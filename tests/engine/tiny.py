"""Games so small that every history can be walked: counted with the reference, for the kernels to have the same.

A history is all events so far; of seats that choose together the lowest comes first. `python -m tests.engine.tiny`
counts every tiny game in `settings.json` of the games' tests anew, with the references, and writes the numbers there.
"""

import json
import pickle
from fractions import Fraction
from typing import Any

import numpy as np

import hexdeck
from hexdeck.simulation.game import Game
from tests.rules.test_reference import reference
from tests.settings import GAMES, data, folder_of_tests, much

Walk = dict[str, Any]  # what a walk counts
Event = tuple[int, str]  # seat, or -1 for chance, and the name


def events(judge: Any) -> dict[Event, int]:
    """What may happen next to a reference, and its weight: of chance's outcomes, or the same for all moves."""
    if judge.chance():
        return {(-1, name): weight for name, weight in judge.chance().items()}
    seat = min(judge.acting(), default=-1)
    return {(seat, name): 1 for name in sorted(judge.legal(seat))} if seat >= 0 else {}


def after(packed: bytes, event: Event) -> Any:
    copied = pickle.loads(packed)  # quicker than a deep copy
    if event[0] < 0:
        copied.happen(event[1])
    else:
        copied.apply(*event)
    return copied


def walk(root: Any) -> Walk:
    """How many histories of each kind begin so; each seat's mean utility and its mean square if all play at random."""
    counts, means = {"chance": 0, "decision": 0, "terminal": 0}, np.zeros((2, 0), object)
    stack = [(root, Fraction(1))]
    while stack:
        judge, chance = stack.pop()
        counts["terminal" if judge.over else "decision" if judge.acting() else "chance"] += 1
        if judge.over:
            returns = np.array([Fraction(value).limit_denominator(1000) for value in judge.returns()], object)
            weighed = chance * np.array([returns, returns**2])
            means = means + weighed if means.size else weighed
            continue
        found = events(judge)
        total = sum(found.values())
        packed = pickle.dumps(judge, pickle.HIGHEST_PROTOCOL)
        stack += [(after(packed, event), chance * Fraction(weight, total)) for event, weight in found.items()]
    mean, square = ([str(value) for value in row] for row in means)
    return counts | {"mean": mean, "square": square}


def tiny_games() -> list[tuple[Game, Walk]]:
    """The tiny games of all games, with what stands in their data; in a usual run only the tiniest."""
    entries = [(name, entry) for name in GAMES for entry in data(name)["tiny"]]
    entries = [each for each in entries if each[1]["histories"]["decision"] <= much(1500, 10**9)]
    return [(hexdeck.game(name, entry["players"], **entry["options"]), entry["histories"]) for name, entry in entries]


def write() -> None:
    """Count every tiny game with its reference, and write the numbers into the data."""
    for name in GAMES:
        entries, rest = data(name)["tiny"], {key: value for key, value in data(name).items() if key != "tiny"}
        for entry in entries:
            entry["histories"] = walk(reference(hexdeck.game(name, entry["players"], **entry["options"])))
        lines = [f"{json.dumps(key)}: {json.dumps(value)}" for key, value in rest.items()]
        rows = ",\n    ".join(json.dumps(entry) for entry in entries)
        text = ",\n  ".join([*lines, f'"tiny": [\n    {rows}\n  ]'])
        (folder_of_tests(name) / "settings.json").write_text(f"{{\n  {text}\n}}\n", encoding="utf-8")


if __name__ == "__main__":
    write()
