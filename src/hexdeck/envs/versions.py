"""The version of each game as an environment: a change of anything that a learner meets raises it.

`versions.toml` in a game's folder tells the history, and of the newest version fingerprints that a test compares: the
names of actions and of chance's outcomes, the layout of observations, matches with every number of players and under
every option, what seats are told in words, and how the house bot plays.
"""

from __future__ import annotations

import functools
import hashlib
import random
import tomllib
from collections.abc import Iterator
from typing import Any

from hexdeck.engine.discovery.definition import definition
from hexdeck.engine.discovery.finding import game_folder, game_names
from hexdeck.engine.errors import BadOption
from hexdeck.engine.options import Choice, Deck, Number, Numbers, Option, Switch
from hexdeck.envs.histories import desk
from hexdeck.simulation.game import Game, game

PLAYS = 3  # matches of each number of players that a fingerprint looks at
NEAR = 8  # values of a number that are tried, until one can be played
OPPONENTS = 20  # matches between house bots
FILE = "versions.toml"


@functools.cache
def history(name: str) -> list[dict[str, Any]]:
    """The versions of a game's environments, the oldest first: `number`, `changes`, and fingerprints."""
    file = game_folder(name) / FILE
    if not file.is_file():
        return [{"number": 0, "changes": "The first version."}]
    versions: list[dict[str, Any]] = tomllib.loads(file.read_text(encoding="utf-8"))["version"]
    return versions


def version(name: str) -> int:
    """The newest version of a game's environments."""
    return int(history(name)[-1]["number"])


def module_name(name: str) -> str:
    """What a game's environment is called where names are those of modules: `some_game_v0`."""
    return f"{name.replace('-', '_')}_v{version(name)}"


def camel_name(name: str) -> str:
    """What it is called where names are those of classes: `SomeGame-v0`."""
    return f"{''.join(part.capitalize() for part in name.split('-'))}-v{version(name)}"


def named() -> dict[str, str]:
    """The games by the names of their modules."""
    return {module_name(name): name for name in game_names()}


def fingerprints(name: str) -> dict[str, str]:
    """Hashes of what a learner meets."""
    rules = definition(name).rules
    return {
        "actions": digest(repr(rules.ACTIONS)),
        "outcomes": digest(repr(rules.OUTCOMES)),
        "observations": digest(repr(rules.SLICES)),
        "matches": digest("".join(play(chosen, number) for chosen in variants(name) for number in range(PLAYS))),
        "words": digest("".join(words(chosen) for chosen in tables(name))),
        "opponents": digest("".join(opponents(chosen) for chosen in tables(name))),
    }


def tables(name: str) -> list[Game]:
    """A game with each number of players, and usual options."""
    low, high = definition(name).rules.PLAYERS
    return [game(name, players) for players in range(low, high + 1)]


def variants(name: str) -> list[Game]:
    """The same, and with each option as it usually isn't: alone, or with another one where it needs that."""
    options = definition(name).rules.OPTIONS
    changes = [[{option.name: value} for value in values] for option in options for values in others(option)]
    found = (next(changed_games(name, k, changes), None) for k in range(len(changes)))
    return [*tables(name), *filter(None, found)]


def changed_games(name: str, k: int, changes: list[list[dict[str, Any]]]) -> Iterator[Game]:
    """The games in which one of the k-th changes can be played, alone or with another change."""
    low, high = definition(name).rules.PLAYERS
    counts = [low + (k + j) % (high + 1 - low) for j in range(high + 1 - low)]
    companions = [{}, *(other[0] for other in changes if other[0].keys() != changes[k][0].keys())]
    tried = (possible(name, n, other | one) for other in companions for one in changes[k] for n in counts)
    yield from filter(None, tried)


def others(option: Option) -> list[list[Any]]:
    """What an option usually isn't: each of a few values; of numbers a greater and a smaller one, the nearest first."""
    if isinstance(option, Number):
        up, down = range(option.default + 1, option.high + 1), range(option.default - 1, option.low - 1, -1)
        return [list(values[:NEAR]) for values in (up, down) if values]
    if isinstance(option, Choice):
        return [[value] for value in option.values if value != option.default]
    if isinstance(option, Switch):
        return [[not option.default]]
    if isinstance(option, Numbers):
        return [list(near(option))]
    return [[value] for value, _ in option.named if value != option.default] if isinstance(option, Deck) else [["0"]]


def near(option: Numbers) -> Iterator[str]:
    """Lists of numbers with one of them changed, the last first."""
    numbers = option.plain(option.default)
    for k in reversed(range(len(numbers))):
        for value in (numbers[k] - 1, numbers[k] + 1):
            if option.low <= value <= option.high:
                yield "-".join(map(str, [*numbers[:k], value, *numbers[k + 1 :]]))


def possible(name: str, players: int, options: dict[str, Any]) -> Game | None:
    """A game, or None where these don't go together."""
    try:
        return game(name, players, **options)
    except BadOption:
        return None


def play(chosen: Game, number: int) -> str:
    """A random match: every observation, every event, every result."""
    match, dice, told = chosen.match(seed=0, number=number), random.Random(number), []
    while not match.over:
        seat = match.actor
        ids = match.legal_ids(seat)
        told.append(f"{seat} {match.observation(seat).tobytes().hex()} {ids}")
        match.play(seat, ids[int(dice.random() * len(ids))])
    told.append(repr((chosen.players, match.events, match.returns(), match.ending)))
    return "\n".join(told)


def words(chosen: Game) -> str:
    """All that each seat is told in a random match, as its information state."""
    past, dice = desk(chosen.name, chosen.players, tuple(chosen.options.items())).root, random.Random(chosen.players)
    while not past.over:
        past = past.then(past.choices[int(dice.random() * len(past.choices))])
    return "\n\n".join(past.told_to(seat) for seat in range(chosen.players))


def opponents(chosen: Game) -> str:
    """How matches between house bots end, and how long they are."""
    played = chosen.simulate(OPPONENTS, "house", seed=0)
    return repr((played.returns.tolist(), played.moves.tolist(), played.chances.tolist()))


def digest(text: str) -> str:
    """A short hash."""
    return hashlib.sha256(text.encode()).hexdigest()[:16]
