"""Games so small that every history can be walked: counted with a kernel, and with the reference as a second opinion.

A history is all events so far; of seats that choose together the lowest comes first. `python -m tests.engine.tiny`
counts every tiny game in `settings.json` of the games' tests anew, with the references, and writes the numbers there.
"""

import copy
import json
from fractions import Fraction
from typing import Any, Protocol

import numpy as np

import hexdeck
from hexdeck.simulation.game import Game
from tests.rules.test_reference import reference
from tests.settings import GAMES, data, folder_of_tests, much

from .bench import Bench

Walk = dict[str, Any]  # what a walk counts
Event = tuple[int, str]  # seat, or -1 for chance, and the name


class Node(Protocol):
    """A history."""

    def kind(self) -> str:
        """Who is to act: chance, decision (a seat) or terminal (nobody)."""

    def events(self) -> dict[Event, int]:
        """What may happen next, and its weight: of chance's outcomes, or the same for all moves."""

    def after(self, event: Event) -> "Node":
        """The history with one event more."""

    def returns(self) -> list[float]:
        """Utilities at the end."""


class Kernel:
    """A history played by a kernel."""

    def __init__(self, bench: Bench, world: bytes) -> None:
        self.bench, self.world = bench, world

    @classmethod
    def root(cls, setting: Game) -> "Kernel":
        """Nothing has happened yet."""
        bench = Bench(setting, "fast")
        return cls(bench, bench.world())

    def kind(self) -> str:
        self.bench.put(self.world)
        if self.bench.struct.over:
            return "terminal"
        return "decision" if self.bench.struct.acting else "chance"

    def events(self) -> dict[Event, int]:
        self.bench.put(self.world)
        rules, weights = self.bench.rules, self.bench.chances()[1]
        names = rules.OUTCOMES if weights else rules.ACTIONS
        return {(seat, names[id]): weights[id] if weights else 1 for seat, id in self.bench.events()}

    def after(self, event: Event) -> "Kernel":
        self.bench.put(self.world)
        names = self.bench.rules.OUTCOMES if event[0] < 0 else self.bench.rules.ACTIONS
        self.bench.step((event[0], names.index(event[1])))
        return Kernel(self.bench, self.bench.world())

    def returns(self) -> list[float]:
        self.bench.put(self.world)
        return self.bench.results()[: self.bench.setting.players]


class Judge:
    """A history played by the reference."""

    def __init__(self, judge: Any) -> None:
        self.judge = judge

    @classmethod
    def root(cls, setting: Game) -> "Judge":
        """Nothing has happened yet."""
        return cls(reference(setting))

    def kind(self) -> str:
        if self.judge.over:
            return "terminal"
        return "decision" if self.judge.acting() else "chance"

    def events(self) -> dict[Event, int]:
        if self.judge.chance():
            return {(-1, name): weight for name, weight in self.judge.chance().items()}
        seat = min(self.judge.acting(), default=-1)
        return {(seat, name): 1 for name in sorted(self.judge.legal(seat))} if seat >= 0 else {}

    def after(self, event: Event) -> "Judge":
        judge = copy.deepcopy(self.judge)
        if event[0] < 0:
            judge.happen(event[1])
        else:
            judge.apply(*event)
        return Judge(judge)

    def returns(self) -> list[float]:
        return [float(value) for value in self.judge.returns()]


def walk(root: Node) -> Walk:
    """How many histories of each kind begin so; each seat's mean utility and its mean square if all play at random."""
    counts, means = {"chance": 0, "decision": 0, "terminal": 0}, np.zeros((2, 0), object)
    stack = [(root, Fraction(1))]
    while stack:
        node, chance = stack.pop()
        counts[node.kind()] += 1
        events = node.events()
        if not events:
            returns = np.array([Fraction(value).limit_denominator(1000) for value in node.returns()], object)
            weighed = chance * np.array([returns, returns**2])
            means = means + weighed if means.size else weighed
        total = sum(events.values())
        stack += [(node.after(event), chance * Fraction(weight, total)) for event, weight in events.items()]
    mean, square = ([str(value) for value in row] for row in means)
    return counts | {"mean": mean, "square": square}


def breakdown(kernel: Node, judge: Node, path: tuple[Event, ...] = ()) -> str:
    """Where the kernel first counts otherwise than the reference: per event there, both counts."""
    ours, theirs = kernel.events(), judge.events()
    lines, wrong = [f"after {path}:"], []
    for event in sorted(ours | theirs):
        a = walk(kernel.after(event)) if event in ours else {}
        b = walk(judge.after(event)) if event in theirs else {}
        lines.append(f"  {event} of weight {ours.get(event)}: {a}")
        if a != b or ours[event] != theirs[event]:
            lines.append(f"  {event} of weight {theirs.get(event)}: {b} in the reference")
            wrong.append(event)
    if wrong and ours == theirs:
        return breakdown(kernel.after(wrong[0]), judge.after(wrong[0]), (*path, wrong[0]))
    return "\n".join(lines if wrong else [*lines, f"{kernel.returns()}, {judge.returns()} in the reference"])


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
            entry["histories"] = walk(Judge.root(hexdeck.game(name, entry["players"], **entry["options"])))
        lines = [f"{json.dumps(key)}: {json.dumps(value)}" for key, value in rest.items()]
        rows = ",\n    ".join(json.dumps(entry) for entry in entries)
        text = ",\n  ".join([*lines, f'"tiny": [\n    {rows}\n  ]'])
        (folder_of_tests(name) / "settings.json").write_text(f"{{\n  {text}\n}}\n", encoding="utf-8")


if __name__ == "__main__":
    write()
