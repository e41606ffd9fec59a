"""Measure the exact engine: beside OpenSpiel on tiny sizes, and alone on games of some billion histories.

    python tools/exact_speed.py [--whole-trees | --largest]

Each tiny size: processor seconds to build the tree and to say what each seat gains by its best response to uniform
play, by us, by OpenSpiel's Python over the same game, and by its C++ over the same tree (exported before, uncounted).
Exit is 1 where the figures differ by more than 1e-9. With `--largest`: one pass of best responses, deal by deal, over
the games of LARGEST, with the memory it took. It prints tables in Markdown; docs/notebook/exact_engine.md keeps
them. With `--whole-trees`: trees of a million and of ten million histories, and a step of CFR+ there.
"""

from __future__ import annotations

import argparse
import functools
import resource
import subprocess
import sys
import time
from collections.abc import Callable
from typing import Any

import hexdeck
from hexdeck.engine.discovery.finding import game_names, read_name
from hexdeck.research.exact import GameTree, sizes
from hexdeck.research.exact.tree import gains_by_deals, histories

NEAR = 1e-9
WHOLE = ("cursed-hand/small", 3), ("blackstone/small", 2), ("cursed-hand/mid", 3), ("blackstone/mid", 3)
STEPS = 5  # of CFR+
ONE = "--one"  # measure one large game, in a process of its own, so that its memory is its own
LARGEST: dict[str, tuple[str, int, dict[str, Any]]] = {  # a title: a game or size, players, options
    "Cursed Hand": ("cursed-hand", 2, {"deck": "2-2-2-2-2", "hand_cards": 4}),
    "Hawthorn": ("hawthorn", 2, {"deck": "2-2-2-2-2-1", "hand_cards": 4}),
    "Black Hearts": ("black-hearts/mid", 3, {"random_copies": "2-2-2-1-0-0"}),
    "Wolf-Man's Curse": ("wolf-mans-curse/mid", 3, {"ranks": 3}),
    "Blackstone": ("blackstone/mid", 2, {}),
    "High Handed": ("high-handed/mid", 2, {}),
}


def main() -> int:
    """Print the tables; 1 where figures differ."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--largest", action="store_true", help="measure the largest games, not the tiny sizes")
    parser.add_argument("--whole-trees", action="store_true", help="measure whole trees of up to ten million histories")
    parser.add_argument(ONE, metavar="NAME", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.one:
        print(large(arguments.one))
        return 0
    if arguments.whole_trees:
        return whole_trees()
    return largest() if arguments.largest else beside_openspiel()


def whole_trees() -> int:
    """The table of trees that are held as a whole."""
    print("| size | players | histories | tree, s | NashConv, s | a step of CFR+, s |")
    print(f"|{'---|' * 6}")
    for name, players in WHOLE:
        warm = GameTree(hexdeck.game(f"{name.partition('/')[0]}/tiny", players))
        warm.nash_conv(warm.cfr_plus(1))  # machine code is there from now on
        began = time.process_time()
        tree = GameTree(hexdeck.game(name, players))
        built = time.process_time()
        tree.nash_conv(tree.uniform())
        measured = time.process_time()
        tree.cfr_plus(STEPS)
        learned = (time.process_time() - measured) / STEPS
        print(
            f"| `{name}` | {players} | {tree.histories:,} | {built - began:.2f} | {measured - built:.2f} "
            f"| {learned:.2f} |",
            flush=True,
        )
    return 0


def beside_openspiel() -> int:
    """The table of tiny sizes."""
    print("| size | players | histories | NashConv | ours, s | Python, s | times | C++, s | times |")
    print(f"|{'---|' * 9}")
    GameTree(hexdeck.game("cursed-hand/tiny")).uniform()  # machine code is there from now on
    worst = 0.0
    for size in (each for name in game_names() for each in sizes(name) if each.name.endswith("/tiny")):
        ours, mine = timed(functools.partial(uniform_gains, size.game))
        theirs, python = timed(functools.partial(in_python, size.game))
        tree = exported(size.game)
        fast, native = timed(functools.partial(in_native_code, tree))
        worst = max(worst, abs(sum(ours) - theirs), abs(sum(ours) - fast))
        print(
            f"| `{size.name}` | {size.game.players} | {size.histories:,} | {sum(ours):.6f} | {mine:.4f} | {python:.2f} "
            f"| {python / mine:,.0f} | {native:.3f} | {native / mine:.1f} |",
            flush=True,
        )
    print(f"\nLargest difference of a NashConv: {worst:.1e}.")
    return int(worst > NEAR)


def timed(work: Callable[[], Any]) -> tuple[Any, float]:
    """What work gives, and the processor seconds it takes: the best of three where it is quick."""
    times = []
    for _ in range(3):
        began = time.process_time()
        found = work()
        times.append(time.process_time() - began)
        if times[0] > 1:
            break
    return found, min(times)


def uniform_gains(game: Any) -> list[float]:
    """What each seat gains by its best response to uniform play."""
    tree = GameTree(game)
    return tree.gains(tree.uniform())


def in_python(game: Any) -> float:
    """NashConv of uniform play by OpenSpiel's Python."""
    from open_spiel.python import policy
    from open_spiel.python.algorithms import exploitability

    from hexdeck.envs.open_spiel import load

    spiel = load(game)
    return float(exploitability.nash_conv(spiel, policy.UniformRandomPolicy(spiel)))


def exported(game: Any) -> Any:
    """The tree of a game as OpenSpiel's C++ holds it."""
    import pyspiel
    from open_spiel.python.algorithms import gambit

    from hexdeck.envs.open_spiel import load

    return pyspiel.load_efg_game(gambit.export_gambit(load(game)))


def in_native_code(tree: Any) -> float:
    """NashConv of uniform play by OpenSpiel's C++."""
    import pyspiel

    return float(pyspiel.nash_conv(tree, pyspiel.UniformRandomPolicy(tree)))


def largest() -> int:
    """The table of large games."""
    print("| game | players | options | histories | NashConv | processor s | memory |")
    print(f"|{'---|' * 7}")
    for name in LARGEST:
        subprocess.run([sys.executable, __file__, ONE, name], check=True)
    return 0


def large(name: str) -> str:
    """The row of a large game."""
    called, players, options = LARGEST[name]
    game, began = hexdeck.game(called, players, **options), time.process_time()
    gains = gains_by_deals(game)
    seconds, memory = time.process_time() - began, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20
    known, given = {each.name: each for each in game.rules.OPTIONS}, read_name(called, players).options | options
    shown = " ".join(f"`{key}={known[key].spell(game.options[key])}`" for key in given)
    count, conv = f"{histories(game):,.0f}", f"{sum(gains):.3f}"
    return f"| {name} | {players} | {shown} | {count} | {conv} | {seconds:.1f} | {memory:.1f} GB |"


if __name__ == "__main__":
    sys.exit(main())
