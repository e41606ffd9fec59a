"""Which players and options of each game the generic tests use: from its options and its `tests/settings.json`.

The file has: `players`, a spread; `values`, what options of numbers are set to, the default first; `changed_worlds`,
the share of random worlds that must differ from the true one; `hiding`, options under which all is hidden that can be;
`hidden`, the fields that hold it; `several`, options under which everything is dealt more than once; `long`, players
and options of matches of more than 256 events; `small`, options of quick matches; `utility`, how utilities add up if
not to nothing ("win": to one or none, "lead": each is the lead over the best other); `combined`, sets of options that
only go together; `tiny`, games small enough to be walked completely, and what the walk must count.
"""

import functools
import itertools
import json
import os
import random
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any, TypeVar

import pytest

import hexdeck
from hexdeck.engine.discovery.definition import definition
from hexdeck.engine.discovery.finding import game_folder, places
from hexdeck.engine.options import Choice, Option, Switch
from hexdeck.simulation.game import Game

GAMES = tuple(name for name, place in places().items() if place.own and (place.folder / "tests").is_dir())
EVERYTHING = "HEXDECK_TEST_EVERYTHING"  # set by pytest --everything
Options = dict[str, Any]
T = TypeVar("T")


def much(few: T, everything: T) -> T:
    """How much a test does: in a short run, and in a run of everything."""
    return everything if os.environ.get(EVERYTHING) else few


def folder_of_tests(name: str) -> Path:
    """What a game's tests consist of, in its own folder."""
    return game_folder(name) / "tests"


def module_of_tests(name: str, module: str) -> ModuleType:
    """A module of a game's tests: its `worlds`, its `reference`."""
    return import_module(f"{definition(name).place.package}.tests.{module}")


@functools.cache
def data(name: str) -> dict[str, Any]:
    loaded: dict[str, Any] = json.loads((folder_of_tests(name) / "settings.json").read_text(encoding="utf-8"))
    return loaded


def options(name: str) -> tuple[Option, ...]:
    found: tuple[Option, ...] = definition(name).rules.OPTIONS
    return found


def values(name: str, option: Option) -> list[Any]:
    """What an option is set to in tests, its default first."""
    if isinstance(option, Choice):
        return [option.default, *(value for value in option.values if value != option.default)]
    if isinstance(option, Switch):
        return [option.default, not option.default]
    listed: list[Any] = data(name)["values"][option.name]
    return listed


def option_sets(name: str) -> list[Options]:
    """The defaults; each other value of each option alone; the last value of every option together."""
    alone = [{option.name: value} for option in options(name) for value in values(name, option)[1:]]
    together = {option.name: values(name, option)[-1] for option in options(name)}
    return [{}, *alone, *data(name).get("combined", []), together]


def possible(name: str, players: int, chosen: Options) -> Game | None:
    """The game, or None where the cards don't suffice for so many."""
    try:
        return hexdeck.game(name, players, **chosen)
    except hexdeck.BadOption:
        return None


def small_game(name: str, players: int | None = None) -> Game:
    return hexdeck.game(name, players, **data(name).get("small", {}))


def settings(name: str) -> list[Game]:
    """The settings of a game: in a run of everything one by one, else as many together as can be."""
    return much(covering, alone)(name)


def alone(name: str) -> list[Game]:
    """The defaults with every number of the spread of players; each other set of options with one of them, in turn."""
    spread, found = data(name)["players"], []
    for k, chosen in enumerate(option_sets(name)):
        turned = spread[k % len(spread) :] + spread[: k % len(spread)]
        possible_games = filter(None, (possible(name, players, chosen) for players in turned))
        found += list(possible_games)[: None if not chosen else 1]
    return found


def covering(name: str) -> list[Game]:
    """Few games that have every value of every option: the defaults for the fewest and the most players, then others.

    Each of the others begins with values that need each other, and takes every value not yet had that it can; options
    for study (tiny decks, short hands) go together, so that they don't make the games with the rules' options small.
    A value that goes with nothing else is left to a run of everything.
    """
    spread = data(name)["players"]
    found = [hexdeck.game(name, min(spread)), hexdeck.game(name, max(spread))]
    begun = list(data(name).get("combined", []))
    for study in (False, True):
        listed = [option for option in options(name) if (not option.rule) == study]
        missing = [(option.name, option.parse(value)) for option in listed for value in values(name, option)[1:]]
        while missing or begun:
            chosen = begun.pop(0) if begun else {}
            turned = spread[len(found) % len(spread) :] + spread[: len(found) % len(spread)]
            grown = [made for players in turned if (made := with_more(name, players, chosen, missing))]
            made = next((made for made in grown if chosen or len(left_of(missing, made)) < len(missing)), None)
            if made is None:
                break
            found.append(made)
            missing = left_of(missing, made)
    return found


def left_of(missing: list[tuple[str, Any]], made: Game) -> list[tuple[str, Any]]:
    return [(option, value) for option, value in missing if made.options[option] != value]


def with_more(name: str, players: int, chosen: Options, wanted: list[tuple[str, Any]]) -> Game | None:
    """A game with these options and as many of the wanted values as go with them; None if these can't be played."""
    made = possible(name, players, chosen)
    for option, value in wanted:
        more = possible(name, players, {**chosen, option: value}) if made and option not in chosen else None
        if more:
            made, chosen = more, {**chosen, option: value}
    return made


def all_settings(name: str) -> list[Game]:
    games = [possible(name, players, chosen) for players in data(name)["players"] for chosen in option_sets(name)]
    return [game for game in games if game]


def random_game(name: str, rng: random.Random) -> Game:
    """Any number of players, any value of each option."""
    low, high = definition(name).rules.PLAYERS
    while True:
        chosen = {option.name: rng.choice(values(name, option)) for option in options(name)}
        setting = possible(name, rng.randint(low, high), chosen)
        if setting:
            return setting


def title(setting: Game) -> str:
    """A setting in a few words, for the names of tests: players, and what isn't as usual."""
    usual = {option.name: option.default for option in setting.rules.OPTIONS}
    parts = [f"{name}={value}" for name, value in setting.options.items() if value != usual[name]]
    return "-".join([setting.name, f"{setting.players}p", *parts])


def _each(choose: Any, marks: Any = lambda setting: ()) -> Any:
    found = (setting for name in GAMES for setting in choose(name))
    cases = [pytest.param(setting, id=title(setting), marks=marks(setting)) for setting in found]
    return pytest.mark.parametrize("setting", cases)


def fullest(name: str) -> list[Game]:
    """The settings of a game; in a usual run that one in which most options differ from what is usual."""
    return much([max(covering(name), key=differing)], alone(name))


def differing(setting: Game) -> int:
    return sum(setting.options[option.name] != option.default for option in setting.rules.OPTIONS)


def in_turn(*lists: Sequence[Any]) -> list[tuple[Any, ...]]:
    """Combinations in which each value of each list comes, as few as that takes."""
    return [tuple(values[k % len(values)] for values in lists) for k in range(max(map(len, lists)))]


def covered(names: tuple[str, ...], *lists: Sequence[Any]) -> Any:
    """Parametrize a test with all combinations; in a usual run each value comes, in as few cases as that takes."""
    return pytest.mark.parametrize(names, much(in_turn(*lists), [*itertools.product(*lists)]))


every_setting = _each(settings)
fullest_setting = _each(fullest)
every_game = pytest.mark.parametrize("name", GAMES)


def soonest(*names: str) -> Any:
    """Every game; in short runs only the named ones."""
    cases = [pytest.param(name, marks=() if name in names else pytest.mark.long) for name in GAMES]
    return pytest.mark.parametrize("name", cases)
