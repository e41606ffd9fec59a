"""`python tools/specs.py [FOLDER]`: a page about each game as an environment, into `docs/games` or another folder."""

import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from hexdeck.engine.game import Game, game, game_module, game_names
from hexdeck.envs.versions import camel_name, history, module_name

ROOT = Path(__file__).parents[1]
FOLDER = ROOT / "docs" / "games"
SAMPLE = 2000  # random matches that lengths are told from
SMALL = (
    "Every history is counted. The value is what seat 0 wins under the policy that CFR+ finds, ± what could be gained "
    "against that policy, by OpenSpiel's exact exploitability."
)
NAMED = 40  # actions and outcomes that a page lists


def page(name: str, value: Callable[[Game, int], str]) -> str:
    """The page of a game; `value` tells what a small configuration is worth."""
    rules, usual = game_module(name, "rules"), game(name)
    low, high = rules.PLAYERS
    sections = [
        f"# {game_module(name, 'table').TITLE}",
        f"{game_module(name, 'table').ABOUT}\n\nHow it is played: `hexdeck rules {name}`. Made by `tools/specs.py`.",
        "## Names",
        names(name),
        "## Players and options",
        f"{low} to {high} players.",
        table(("option", "usually", "allowed", "rule", ""), options(name)),
        "## Observations",
        f"int8, {usual.observation_size} numbers, in slices:",
        table(("slice", "from", "to"), ((key, str(a), str(b)) for key, (a, b) in rules.SLICES.items())),
        "## Actions",
        f"{len(rules.ACTIONS)} actions: {listed(rules.ACTIONS)}.",
        f"Chance has {len(rules.OUTCOMES)} outcomes: {listed(rules.OUTCOMES)}.",
        "## Rewards",
        rewards(name),
        "## Lengths",
        f"Of {SAMPLE} random matches with usual options:",
        table(("players", "decisions: mean", "most", "chance events: mean", "most"), lengths(name)),
        "## Small configurations",
        SMALL,
        table(("players", "options", "chance", "decisions", "ends", "value"), small(name, value)),
        "## Versions",
        table(("version", "changes"), ((str(one["number"]), str(one["changes"])) for one in history(name))),
    ]
    return "\n\n".join(sections) + "\n"


def names(name: str) -> str:
    """What it is called in each form."""
    pettingzoo, gymnasium = f"`hexdeck.envs.pettingzoo.{module_name(name)}`", f"`hexdeck/{camel_name(name)}`"
    openspiel = f"`python_hexdeck_{name.replace('-', '_')}`"
    return f'`hexdeck.game("{name}")`; PettingZoo: {pettingzoo}; Gymnasium: {gymnasium}; OpenSpiel: {openspiel}.'


def rewards(name: str) -> str:
    """What the ends of matches are worth."""
    usual = game(name)
    least, greatest, total = game_module(name, "bounds").bounds(usual.players, usual.options)
    sums = "need not add up to anything fixed" if total is None else f"add up to {total:g}"
    bounds = f"At the end of a match, from {least:g} to {greatest:g} with {usual.players} players and usual options"
    return f"{bounds}; those of all seats {sums}."


def table(heads: tuple[str, ...], rows: Any) -> str:
    """A table."""
    lines = [heads, tuple("---" for _ in heads), *rows]
    return "\n".join(f"| {' | '.join(cell.replace('|', '/') for cell in line)} |" for line in lines)


def listed(names: tuple[str, ...]) -> str:
    """Some names in code, and how many more there are."""
    shown = ", ".join(f"`{name}`" for name in names[:NAMED])
    return shown if len(names) <= NAMED else f"{shown} and {len(names) - NAMED} more"


def options(name: str) -> Iterator[tuple[str, ...]]:
    """The options of a game."""
    for option in game_module(name, "rules").OPTIONS:
        yield f"`{option.name}`", f"`{option.default}`", str(option.allowed()), option.rule, str(option.about)


def lengths(name: str) -> Iterator[tuple[str, ...]]:
    """How long random matches are."""
    low, high = game_module(name, "rules").PLAYERS
    for players in sorted({low, min(max(4, low), high), high}):
        results = game(name, players).simulate(SAMPLE, "random", seed=1)
        told = [f"{column.mean():.1f}|{column.max()}".split("|") for column in (results.moves, results.chances)]
        yield str(players), *told[0], *told[1]


def small(name: str, value: Callable[[Game, int], str]) -> Iterator[tuple[str, ...]]:
    """The small configurations of a game."""
    from tests.settings import data

    for tiny in data(name)["tiny"][:4]:
        chosen, counts = game(name, tiny["players"], **tiny["options"]), tiny["histories"]
        shown = ", ".join(f"`{key}={value}`" for key, value in tiny["options"].items())
        numbers = (str(counts[kind]) for kind in ("chance", "decision", "terminal"))
        yield str(tiny["players"]), shown, *numbers, value(chosen, counts["decision"])


def solved(chosen: Game, decisions: int) -> str:
    """What a small game of two is worth to seat 0 under best play, and how far from it this may be; else nothing."""
    from open_spiel.python.algorithms import cfr, expected_game_score, exploitability

    from hexdeck.envs.open_spiel import load

    spiel = load(chosen)
    if spiel.get_type().utility != spiel.get_type().Utility.ZERO_SUM or chosen.players != 2 or decisions > 1200:
        return ""
    solver = cfr.CFRPlusSolver(spiel)
    for _ in range(60):
        solver.evaluate_and_update_policy()
    policy = solver.average_policy()
    worth = expected_game_score.policy_value(spiel.new_initial_state(), [policy] * 2)[0]
    return f"{round(worth, 3) + 0.0:+.3f} ± {exploitability.exploitability(spiel, policy) * 2:.3f}"


def main(words: list[str]) -> None:
    """Write the pages."""
    folder = Path(words[0]) if words else FOLDER
    folder.mkdir(parents=True, exist_ok=True)
    for name in game_names():
        (folder / f"{name}.md").write_text(page(name, solved), encoding="utf-8")


if __name__ == "__main__":
    sys.path.insert(0, str(ROOT))
    main(sys.argv[1:])
