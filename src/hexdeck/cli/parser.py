"""Reading the command line: light, so that help comes at once."""

from __future__ import annotations

import argparse
import os
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from typing import Any, NoReturn

from hexdeck.engine.errors import BadOption
from hexdeck.engine.text import LANGUAGES, Catalogue, say

COMMANDS = ("games", "rules", "play", "replay", "simulate", "bench", "compile")
LOCALE = Path(__file__).parent.parent / "locale"


class Parser(argparse.ArgumentParser):
    """A parser whose errors are exceptions, so that they are said like all others."""

    def error(self, message: str) -> NoReturn:
        """Bad arguments: one sentence."""
        raise BadOption(say("{message}; hexdeck --help explains.", message=message.rstrip(".")))


def chosen_language(argv: Sequence[str]) -> Catalogue:
    """The catalogue for `--lang`, else for the environment (HEXDECK_LANG, LC_ALL, LC_MESSAGES, LANG)."""
    for k, word in enumerate(argv):
        if word.startswith("--lang="):
            return Catalogue(word.partition("=")[2], (LOCALE,))
        if word == "--lang" and k + 1 < len(argv):
            return Catalogue(argv[k + 1], (LOCALE,))
    for name in ("HEXDECK_LANG", "LC_ALL", "LC_MESSAGES", "LANG"):
        if os.environ.get(name):
            lang = os.environ[name][:2].lower()
            return Catalogue(lang if lang in LANGUAGES else "en", (LOCALE,))
    return Catalogue("en", (LOCALE,))


def build_parser(words: Catalogue) -> Parser:
    """The parser of all commands, in the person's language."""

    def told(key: Any) -> str:
        return words.words(key).replace("%", "%%")

    parser = Parser(prog="hexdeck", description=told(say("Card games to play, to study and to research.")))
    parser.add_argument("--version", action="version", version=f"hexdeck {version()}")
    shared = Parser(add_help=False)
    shared.add_argument("--lang", choices=LANGUAGES, help=told(say("language; otherwise that of your environment")))
    commands = parser.add_subparsers(dest="command", metavar=told(say("COMMAND")))
    for name in COMMANDS:
        module = import_module(f"hexdeck.cli.{name}")
        about = told(module.ABOUT)
        command = commands.add_parser(name, help=about, description=about, parents=[shared])
        module.add(command, told)
        command.set_defaults(run=module.run)
    return parser


def version() -> str:
    """The version of the package."""
    from hexdeck import __version__

    return __version__


def add_game_arguments(parser: argparse.ArgumentParser, told: Any) -> None:
    """Players and options of a game."""
    parser.add_argument("--players", "-n", type=int, metavar="N", help=told(say("how many play")))
    parser.add_argument(
        "--option", "-o", action="append", default=[], metavar="KEY=VALUE",
        help=told(say("an option of the game, as hexdeck rules GAME explains them; may be given again")),
    )  # fmt: skip


def parsed_options(pairs: Sequence[str]) -> dict[str, str]:
    """`key=value` pairs as a dict; raises BadOption."""
    out = {}
    for pair in pairs:
        key, sign, value = pair.partition("=")
        if not sign or not key:
            raise BadOption(say("{pair} is no option; write --option key=value.", pair=repr(pair)))
        out[key.strip()] = value.strip()
    return out


def chosen_game(arguments: argparse.Namespace) -> Any:
    """The Game that the arguments name."""
    from hexdeck.engine.game import game

    return game(arguments.game, arguments.players, **parsed_options(arguments.option))
