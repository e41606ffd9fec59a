"""`python tools/specs.py [FOLDER]`: a page about each game as an environment, into `docs/games` or another folder.

`spec.toml` in a game's folder says what its slices and its rewards mean, and what a seat knows. To solve small
configurations takes minutes.
"""

import functools
import math
import random
import sys
import textwrap
import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pyspiel
from rulings import chapter
from versions import PLAYS, variants

from hexdeck.engine.discovery.definition import definition
from hexdeck.engine.discovery.finding import game_folder, game_names
from hexdeck.engine.options import Choice, Option
from hexdeck.envs import camel_name, history, module_name
from hexdeck.envs.open_spiel import lengths as longest
from hexdeck.envs.open_spiel import load, short_name, written
from hexdeck.simulation.game import Game, game

ROOT = Path(__file__).parents[1]
FOLDER = ROOT / "docs" / "games"
INDEX = "README.md"
SAMPLE = 2000  # random matches that lengths are told from
ITERATIONS = 200
Solution = tuple[str, str, str]
LAYOUT = (
    "int8, {size} numbers. Numbers by seat begin with the observer and go round to the left, with zeros for seats that "
    "nobody takes; `least` and `most` were seen in random matches with every number of players and every option."
)
KNOWN = (
    "Views, logs and observations tell a seat this and no more; an observation, only what the table above lists, of "
    "the position as it is now. The codes in brackets number the rules of the game."
)
SMALL = (
    "Parameters are as OpenSpiel takes them. Every history is counted. NashConv is what all seats together could gain "
    "by deviating alone, by exact best responses, rounded up: from uniformly random play, and from the average policy "
    "of {iterations} iterations of CFR+, whose result for each seat is in the last column; where the results of two "
    "seats cancel out, the value of the game is at most that far from it. OpenSpiel computes it, on the tree it "
    "exports."
)
LENGTHS = (
    "From {sample} random matches with the usual options: the mean, the range that 90 % lie in, the most seen, and the "
    "bound that no match can exceed."
)
LEADS = (
    "[The rules](../../src/hexdeck/games/{folder}/rules.en.md)"
    " ([in Dutch](../../src/hexdeck/games/{folder}/rules.nl.md)) · "
    "[an example of play](../../src/hexdeck/games/{folder}/example.en.md)"
    '<!-- on the site: · <a href="../samples/replay-{name}.html">a match to step through</a> · '
    '<a href="../samples/report-{name}.html">a sample report</a> · '
    "[how strong the bots are](../generated/levels.md#{name}) -->\n\n"
    "At the terminal: `hexdeck rules {name}`, `hexdeck rules {name} --example` and `hexdeck games {name}`. "
    "Made by `tools/specs.py`."
)


def page(name: str, value: Callable[[Game], Solution]) -> str:
    """The page of a game; `value` tells what a small configuration is worth, and NashConv of two policies."""
    rules, usual = definition(name).rules, game(name)
    low, high = rules.PLAYERS
    sections = [
        f"# {definition(name).table.ABOUT.title}",
        str(definition(name).table.ABOUT.text),
        LEADS.format(name=name, folder=name.replace("-", "_")),
        "## Names",
        names(name),
        "## Players and options",
        f"{low} to {high} players.",
        table(("option", "usually", "allowed", "rule", ""), options(name)),
        *filter(None, [chapter(name), "\n".join(f"- {each}" for each in about(name).get("measured", []))]),
        "## Observations",
        LAYOUT.format(size=usual.observation_size),
        table(("slice", "from", "to", "least", "most", ""), layout(name)),
        "## What a seat knows",
        KNOWN,
        "\n".join(f"- {each}" for each in about(name)["knowledge"]),
        "## Actions",
        f"{len(rules.ACTIONS)} actions, from 0:",
        listed(rules.ACTIONS),
        f"Chance has {len(rules.OUTCOMES)} outcomes, from 0:",
        listed(rules.OUTCOMES),
        "## Rewards",
        f"At the end of a match. {about(name)['reward']} With the usual options:",
        table(("players", "least", "greatest", "all together"), rewards(name)),
        "## Lengths",
        LENGTHS.format(sample=SAMPLE),
        table(("players", "", "mean", "90 %", "most", "at most"), lengths(name)),
        "## Small configurations",
        SMALL.format(iterations=ITERATIONS),
        table(
            ("parameters", "chance", "decisions", "ends", "NashConv at random", "of CFR+", "results"),
            small(name, value),
        ),
        "## Versions",
        table(("version", "changes"), ((str(one["number"]), str(one["changes"])) for one in history(name))),
    ]
    return "\n\n".join(sections) + "\n"


def index() -> str:
    """The page that leads to the others."""
    rows = []
    for name in game_names():
        rules, title = definition(name).rules, definition(name).table.ABOUT.title
        players = "{} to {}".format(*rules.PLAYERS)
        sizes = (str(n) for n in (game(name).observation_size, len(rules.ACTIONS), len(rules.OUTCOMES)))
        rows.append((f"[{title}]({name}.md)", players, *sizes, f"`{module_name(name)}`"))
    heads = ("game", "players", "numbers in an observation", "actions", "outcomes of chance", "name and version")
    about = (
        "What each game is as an environment for learners, with links to its rules, a match to step through, a sample "
        "report and the strength of its bots. Made by `tools/specs.py`."
    )
    pages = "<!-- on the site:\n```{toctree}\n:hidden:\n:glob:\n\n[!R]*\n```\n-->"
    return "\n\n".join(["# The games as environments", about, table(heads, rows), pages]) + "\n"


@functools.cache
def about(name: str) -> dict[str, Any]:
    """What a game's numbers mean: `reward`, and `slices` by name; `knowledge`, what a seat knows; `ours`, rulings.

    `measured` may hold lines on what else was measured of rulings.
    """
    return tomllib.loads((game_folder(name) / "spec.toml").read_text(encoding="utf-8"))


def names(name: str) -> str:
    """What it is called in each form."""
    pettingzoo, gymnasium = f"`hexdeck.envs.pettingzoo.{module_name(name)}`", f"`hexdeck/{camel_name(name)}`"
    called = (
        f'`hexdeck.game("{name}")`; PettingZoo: {pettingzoo}; Gymnasium: {gymnasium}; OpenSpiel: `{short_name(name)}`'
    )
    return f"{called}, with parameters in brackets: `{parameters(game(name), definition(name).rules.OPTIONS[:1])}`."


def parameters(chosen: Game, options: Any) -> str:
    """A game as OpenSpiel loads it, with some of its options."""
    given = [f"players={chosen.players}", *(f"{each.name}={written(chosen.options[each.name])}" for each in options)]
    return f"{short_name(chosen.name)}({','.join(given)})"


def layout(name: str) -> Iterator[tuple[str, ...]]:
    """The slices, what was seen in them and what they mean."""
    least, most = seen(name)
    for key, (a, b) in definition(name).rules.SLICES.items():
        yield key, str(a), str(b), str(least[a:b].min()), str(most[a:b].max()), about(name)["slices"][key]


@functools.cache
def seen(name: str) -> tuple[np.ndarray, np.ndarray]:
    """The least and the most in each place of observations, in random matches."""
    least = np.full(game(name).observation_size, 127)
    most = np.full(game(name).observation_size, -128)
    for chosen in variants(game(name)):
        for number in range(PLAYS):
            match, dice = chosen.match(seed=9, number=number), random.Random(number)
            while not match.over:
                for seat in range(chosen.players):
                    now = match.observation(seat)
                    least, most = np.minimum(least, now), np.maximum(most, now)
                match.play(match.actor, dice.choice(match.legal_ids(match.actor)))
    return least, most


def rewards(name: str) -> Iterator[tuple[str, ...]]:
    """What the ends of matches are worth, by the number of players."""
    low, high = definition(name).rules.PLAYERS
    for players in range(low, high + 1):
        chosen = game(name, players)
        least, greatest, total = chosen.bounds.bounds(players, chosen.options)[:3]
        yield str(players), f"{least:g}", f"{greatest:g}", "nothing fixed" if total is None else f"{total:g}"


def table(heads: tuple[str, ...], rows: Any) -> str:
    """A table."""
    lines = [heads, tuple("---" for _ in heads), *rows]
    return "\n".join(f"| {' | '.join(cell.replace('|', '/') for cell in line)} |" for line in lines)


def listed(names: tuple[str, ...]) -> str:
    """All names with their numbers."""
    rows = textwrap.wrap(
        ", ".join(f"{k}\N{NO-BREAK SPACE}{name.replace(' ', chr(160))}" for k, name in enumerate(names)), 110
    )
    return "\n".join(["```text", *(row.replace(chr(160), " ") for row in rows), "```"])


def options(name: str) -> Iterator[tuple[str, ...]]:
    """The options of a game."""
    for option in definition(name).rules.OPTIONS:
        rule = f"`{option.rule}`" if option.rule else ""
        yield f"`{option.name}`", f"`{option.default}`", values(option), rule, str(option.about)


def values(option: Option) -> str:
    """What an option takes: as people type it, and in Python where that differs."""
    typed, python = str(option.typeable()), str(option.allowed())
    return typed if typed == python or isinstance(option, Choice) else f"{typed}; in Python and records {python}"


def lengths(name: str) -> Iterator[tuple[str, ...]]:
    """How long random matches are."""
    low, high = definition(name).rules.PLAYERS
    for players in sorted({low, min(max(4, low), high), high}):
        chosen = game(name, players)
        played = chosen.simulate(SAMPLE, "random", seed=1)
        columns = (("decisions", played.moves), ("chance events", played.chances))
        for (kind, column), most in zip(columns, longest(chosen), strict=True):
            between = "{:.0f} to {:.0f}".format(*np.percentile(column, (5, 95)))
            yield str(players), kind, f"{column.mean():.1f}", between, str(column.max()), str(most)


def small(name: str, value: Callable[[Game], Solution]) -> Iterator[tuple[str, ...]]:
    """The small configurations of a game."""
    from tests.settings import data

    for tiny in data(name)["tiny"]:
        chosen, counts = game(name, tiny["players"], **tiny["options"]), tiny["histories"]
        asked = [option for option in chosen.rules.OPTIONS if option.name in tiny["options"]]
        numbers = (str(counts[kind]) for kind in ("chance", "decision", "terminal"))
        yield f"`{parameters(chosen, asked)}`", *numbers, *value(chosen)


def solved(chosen: Game) -> Solution:
    """NashConv of random play and of the policy that CFR+ finds, and what that one gives each seat."""
    tree = exported(chosen)
    solver = pyspiel.CFRPlusSolver(tree)
    for _ in range(ITERATIONS):
        solver.evaluate_and_update_policy()
    found = solver.average_policy()
    worth = pyspiel.expected_returns(tree.new_initial_state(), found, -1, True)
    results = ", ".join(f"{round(each, 3) + 0.0:+.3f}" for each in worth)
    at_random = pyspiel.nash_conv(tree, pyspiel.UniformRandomPolicy(tree))
    return ceiled(at_random), ceiled(pyspiel.nash_conv(tree, found)), results


def exported(chosen: Game) -> Any:
    """The whole tree of a small game, as OpenSpiel writes it for Gambit: its solvers in C++ walk that quickly."""
    from open_spiel.python.algorithms import gambit

    return pyspiel.load_efg_game(gambit.export_gambit(load(chosen)))


def ceiled(number: float) -> str:
    """A number that isn't negative with three decimals, never too small."""
    return f"{math.ceil(round(max(0.0, number) * 1000, 6)) / 1000:.3f}"


def main(words: list[str]) -> None:
    """Write the pages."""
    folder = Path(words[0]) if words else FOLDER
    folder.mkdir(parents=True, exist_ok=True)
    (folder / INDEX).write_text(index(), encoding="utf-8")
    for name in game_names():
        (folder / f"{name}.md").write_text(page(name, solved), encoding="utf-8")


if __name__ == "__main__":
    sys.path.insert(0, str(ROOT))
    main(sys.argv[1:])
