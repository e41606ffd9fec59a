"""`hexdeck completion`, and completion by argcomplete: commands, games, bots, options with their values, files."""

from __future__ import annotations

import argparse
import os
import shlex
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hexdeck.bots.players.bot_names import spoken
from hexdeck.cli.command_line import COMMANDS as NAMES
from hexdeck.cli.command_line import HELP, build_parser, chosen_language, take_game_path
from hexdeck.engine.discovery.finding import SLASH, game_names, name_of, size_names
from hexdeck.engine.errors import HexdeckError
from hexdeck.engine.text import Catalogue

if TYPE_CHECKING:
    from hexdeck.simulation.game import Game

FILES = "file", "record", "resume", "database"  # arguments that take a file, beside those of type Path


def complete() -> None:
    """Write how the word at the cursor may go on, and exit."""
    from argcomplete import autocomplete
    from argcomplete.completers import FilesCompleter

    line = os.environ.get("COMP_LINE", "")
    try:
        typed = shlex.split(line)
    except ValueError:  # it ends in the middle of a quotation
        typed = line.split()
    try:
        take_game_path(typed)
        catalogue = chosen_language(typed)
    except HexdeckError:  # a game path that leads nowhere
        raise SystemExit(1) from None
    parser = build_parser(catalogue)
    for command in parser.commands.values():
        for action in command.arguments():
            if action.choices is not None:
                continue
            takes_file = action.type is Path or action.dest in FILES
            completer = FilesCompleter() if takes_file else COMPLETERS.get(action.dest, lambda **_how: [])
            action.completer = completer  # type: ignore[attr-defined]
    parser.add_command(HELP).add_argument("topic", nargs="?", choices=NAMES)
    autocomplete(parser, always_complete_options="long", default_completer=FilesCompleter())


def games(prefix: str = "", **_how: Any) -> list[str]:
    """The names of all games; after the name of a game and a slash, those of its sizes."""
    base = name_of(prefix).partition(SLASH)[0]
    return [*size_names(base)] if SLASH in prefix and base in game_names() else [*game_names()]


def bots(parsed_args: argparse.Namespace, **_how: Any) -> list[str]:
    """The bots that can play the game, or the names of all kinds."""
    from hexdeck.bots.players.levels import LEVELS
    from hexdeck.bots.players.roster import KINDS, bots_of

    game = game_of(parsed_args)
    return sorted(map(spoken, bots_of(game) if game else {*LEVELS, *KINDS}))


def players(parsed_args: argparse.Namespace, **_how: Any) -> list[str]:
    """How many can play."""
    game = game_of(parsed_args)
    low, high = game.rules.PLAYERS if game else (2, 10)
    return [str(number) for number in range(low, high + 1)]


def seats(parsed_args: argparse.Namespace, **_how: Any) -> list[str]:
    """The seats of the table, from 1."""
    game = game_of(parsed_args)
    count = vars(parsed_args).get("players") or (game.players if game else 4)
    return [str(seat) for seat in range(1, count + 1)]


def options(prefix: str, parsed_args: argparse.Namespace, **_how: Any) -> list[str]:
    """The game's options as KEY=, or after that with each value, or the default of an option with many values."""
    from hexdeck.engine.options import Choice, Switch

    game = game_of(parsed_args)
    by_name = {option.name: option for option in game.rules.OPTIONS} if game else {}
    name, sign, _typed = prefix.partition("=")
    if not sign:
        return [f"{key}=" for key in by_name]
    option = by_name.get(name)
    if isinstance(option, Choice):
        return [f"{name}={value}" for value in option.values]
    if isinstance(option, Switch):
        return [f"{name}=on", f"{name}=off"]
    return [f"{name}={option.spell(option.default)}"] if option else []


def game_of(parsed_args: argparse.Namespace) -> Game | None:
    """The game that was typed, None if none was yet."""
    from hexdeck.simulation.game import game

    values = vars(parsed_args)
    name = values.get("game") or values.get("file") or next(iter(values.get("games") or []), "")
    try:
        return game(name)
    except HexdeckError:
        return None


def names_of(parts: Callable[[Game], Iterable[Any]]) -> Callable[..., list[str]]:
    """A completer with the names of parts of the game, such as its presets."""

    def names(parsed_args: argparse.Namespace, **_how: Any) -> list[str]:
        game = game_of(parsed_args)
        return [part.name for part in parts(game)] if game else []

    return names


COMPLETERS: dict[str, Callable[..., list[str]]] = {
    **dict.fromkeys(("game", "games"), games),
    **dict.fromkeys(("bot", "bots", "opponents", "imitate"), bots),
    **dict.fromkeys(("players", "people"), players),
    **dict.fromkeys(("option", "a", "b", "vary"), options),
    "seat": seats,
    "preset": names_of(lambda game: game.table.PRESETS),
    "probe": names_of(lambda game: game.hints.STUDY.probes),
}


def run(arguments: argparse.Namespace, _catalogue: Catalogue) -> int:
    """Print the script with which a shell completes `hexdeck` commands."""
    from argcomplete.shell_integration import shellcode

    print(shellcode(["hexdeck"], shell=arguments.shell))
    return 0
