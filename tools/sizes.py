"""Measure the frozen sizes of all games, and write the table of `docs/reference/sizes.md`.

    python tools/sizes.py [GAME …]     measure sizes of these games (default: all), then write the table
    python tools/sizes.py --table      only write the table, from what the games' sizes.toml say

NashConv of four ways of playing and the range of rewards go into `sizes.toml` of
each game. Mid sizes keep what they say of uniform play, and get range and counts alone: the other ways take long there.
Counts are left out where merging deals that only differ in the order of events leaves more than 20 million histories.
"""

from __future__ import annotations

import argparse
import re
import sys
import time
from pathlib import Path

import numpy as np

from hexdeck.bots.players.roster import bot
from hexdeck.engine.discovery.finding import FILE, frozen, game_folder, game_names
from hexdeck.research.benchmark.algorithms import MOST as LARGEST
from hexdeck.research.benchmark.algorithms import Ground
from hexdeck.research.exact import GameTree, Policy, Size, sizes
from hexdeck.research.exact.tree import bot_policy
from hexdeck.simulation.game import Game

WAYS = "uniform", "house", "reply", "solver"
STEPS = 200  # of CFR+
MOST = 1_000_000  # histories of a tree that all four ways are measured in
PAGE = Path(__file__).resolve().parent.parent / "docs" / "reference" / "sizes.md"
COUNTS = "sets", "observations", "states"
HEADS = ("size", "players", "histories", *COUNTS, "uniform", "house", "reply", "CFR+", "range", "options")


def main() -> int:
    """Measure what is asked for; write the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("games", nargs="*", metavar="GAME", help="games to measure (default: all)")
    parser.add_argument("--table", action="store_true", help="only write the table")
    arguments = parser.parse_args()
    for name in [] if arguments.table else arguments.games or game_names():
        measure(name)
    PAGE.write_text(with_table(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
    return 0


def measure(name: str) -> None:
    """Write the figures of a game's tiny and small sizes into its file."""
    file = game_folder(name) / FILE
    lines = file.read_text(encoding="utf-8").splitlines()
    places = [k for k, line in enumerate(lines) if line.startswith("  {")]
    for place, size in zip(places, sizes(name), strict=True):
        began, ground = time.process_time(), Ground(size.name, size.game, size.histories)
        found = nash_convs(ground.tree) if size.histories <= MOST else {"uniform": size.uniform}
        written = "".join(
            f"{name} = {max(value, 0):.6f}, " for name, value in (found | {"range": ground.scale}).items()
        )
        if ground.tree.histories <= LARGEST:
            written += f"sets = {len(ground.tree.keys)}, observations = {distinct_observations(ground.tree)}, "
        if size.name.endswith("/tiny"):
            written += f"states = {information_states(size.game)}, "
        lines[place] = re.sub(r"uniform = [\d.]+, (?:\w+ = [\d.]+, )*", written, lines[place])
        print(f"{size.name} {size.game.players}: {written}{time.process_time() - began:.1f} s", file=sys.stderr)
    file.write_text("\n".join(lines) + "\n", encoding="utf-8")


def information_states(game: Game) -> int:
    """How many information states OpenSpiel's form of a game has: all that a seat was told, in its order."""
    from hexdeck.envs import open_spiel

    strings, waiting = set[tuple[int, str]](), [open_spiel.load(game).new_initial_state()]
    while waiting:
        state = waiting.pop()
        if not state.is_chance_node() and not state.is_terminal():
            strings.add((state.current_player(), state.information_state_string(state.current_player())))
        waiting += [state.child(action) for action in state.legal_actions()]
    return len(strings)


def distinct_observations(tree: GameTree) -> int:
    """How many observations there are in the information sets of a tree, each seat's counted apart."""
    return len(np.unique(np.column_stack([tree.seats, tree.observations]).view(f"V{1 + tree.observations.shape[1]}")))


def greedy_reply(tree: GameTree, policy: Policy) -> Policy:
    """The policy in which each seat plays its best response to all others playing by a policy."""
    reply = policy.copy()
    for seat in range(tree.game.players):
        own = np.repeat(tree.seats == seat, np.diff(tree.slots))
        reply[own] = tree.best_response(policy, seat)[1][own]
    return reply


def nash_convs(tree: GameTree) -> dict[str, float]:
    """NashConv, by WAYS: of uniform play, the house bot, the best responses to uniform play, and CFR+."""
    uniform = tree.uniform()
    policies = uniform, bot_policy(tree, bot("house", tree.game)), greedy_reply(tree, uniform), tree.cfr_plus(STEPS)
    return {name: tree.nash_conv(policy) for name, policy in zip(WAYS, policies, strict=True)}


def with_table(page: str) -> str:
    """The page with the table of all sizes in place of the one that it has."""
    rows = [row(size, each) for name in game_names() for size, each in zip(sizes(name), frozen(name), strict=True)]
    table = "\n".join([line(HEADS), line(["---"] * len(HEADS)), *map(line, rows)])
    return re.sub(r"(?m)^\| size .*(?:\n\|.*)*", lambda _: table, page, count=1)


def line(cells: tuple[str, ...] | list[str]) -> str:
    """A row of a Markdown table."""
    return f"| {' | '.join(cells)} |"


def row(size: Size, each: dict[str, object]) -> list[str]:
    """The row of a size."""
    convs = [f"{each[way]:.3f}" if way in each else "–" for way in WAYS]
    spread = f"{each['range']:g}" if "range" in each else "–"
    options = " ".join(f"`{pair}`" for pair in spelled(size, each))
    counts = [f"{each[form]:,}" if form in each else "–" for form in COUNTS]
    return [f"`{size.name}`", str(size.game.players), f"{size.histories:,}", *counts, *convs, spread, options]


def spelled(size: Size, each: dict[str, object]) -> list[str]:
    """The options of a size as they are typed."""
    known = {option.name: option for option in size.game.rules.OPTIONS}
    return [f"{name}={known[name].spell(size.game.options[name])}" for name in each["options"]]  # type: ignore[attr-defined]


if __name__ == "__main__":
    sys.exit(main())
