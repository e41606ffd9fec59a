"""Reading the command line: light, so that help comes at once."""

from __future__ import annotations

import argparse
import gettext
import os
from collections.abc import Sequence
from importlib import import_module
from itertools import pairwise
from pathlib import Path
from typing import Any, NoReturn

from hexdeck.engine.discovery.finding import PATH, places
from hexdeck.engine.errors import BadOption, HexdeckError
from hexdeck.engine.text import LANGUAGES, Catalogue, Text, _, say
from hexdeck.lab.optional_dependencies import needs

__all__ = ["needs"]  # for the commands

ROOMS = {  # the commands by the package of cli that they are in, in the order of the help
    "play": ("games", "rules", "play", "connect", "replay", "verify", "analyse"),
    "study": ("simulate", "report", "compare", "ledger", "tournament"),
    "research": ("train", "ladder", "exploit", "solve", "bench"),
    "keep": ("serve", "compile", "new-game", "check-game"),
}
COMMANDS = tuple(name for names in ROOMS.values() for name in names)
MOST_SEED = (1 << 63) - 1
LOCALE = Path(__file__).parent.parent / "locale"
ARGPARSE = (  # what argparse says, for the catalogue: it looks its messages up by itself, see `chosen_language`
    _("usage: "),
    _("positional arguments"),
    _("options"),
    _("show this help message and exit"),
    _("argument %(argument_name)s: %(message)s"),
    _("invalid choice: %(value)r (choose from %(choices)s)"),
    _("invalid %(type)s value: %(value)r"),
    _("the following arguments are required: %s"),
    _("unrecognized arguments: %s"),
    _("expected one argument"),
    _("expected at least one argument"),
    _("ignored explicit argument %r"),
    _("ambiguous option: %(option)s could match %(matches)s"),
)


class Parser(argparse.ArgumentParser):
    """A parser whose errors are exceptions, so that they are said like all others."""

    def error(self, message: str) -> NoReturn:
        """Bad arguments: one sentence."""
        raise BadOption(say("{message}; hexdeck --help explains.", message=message.rstrip(".")))


class Several(argparse.Action):
    """Values that may be given one after another, and again: all of them count, and replace the default."""

    def __call__(self, _parser: Any, namespace: argparse.Namespace, values: Any, _option: Any = None) -> None:
        """Add to what was given before."""
        before = getattr(namespace, self.dest)
        setattr(namespace, self.dest, [*([] if before is self.default else before), *values])


def chosen_language(argv: Sequence[str]) -> Catalogue:
    """The catalogue for `--lang`, else for the environment, games' messages too; argparse is told in gettext's way."""
    lang = language(argv)
    os.environ["LANGUAGE"] = lang
    gettext.bindtextdomain("messages", os.fspath(LOCALE))
    return Catalogue(lang, (LOCALE, *(place.folder / "locale" for place in places().values())))


def take_game_path(argv: Sequence[str]) -> None:
    """Let games be looked for in the folders of `--game-path` too, by this process and by those that it starts."""
    given = [word.partition("=")[2] for word in argv if word.startswith("--game-path=")]
    given += [after for word, after in pairwise(argv) if word == "--game-path"]
    if given:
        folders = [os.fspath(Path(each).expanduser().resolve()) for each in given]
        os.environ[PATH] = os.pathsep.join([*folders, *filter(None, [os.environ.get(PATH)])])


def language(argv: Sequence[str]) -> str:
    """The language of `--lang`, else of HEXDECK_LANG, LC_ALL, LC_MESSAGES or LANG, else English."""
    for k, word in enumerate(argv):
        if word.startswith("--lang="):
            return known_language(word.partition("=")[2])
        if word == "--lang" and k + 1 < len(argv):
            return known_language(argv[k + 1])
    for name in ("HEXDECK_LANG", "LC_ALL", "LC_MESSAGES", "LANG"):
        if os.environ.get(name):
            return known_language(os.environ[name][:2].lower())
    return "en"


def known_language(lang: str) -> str:
    """The language if there is a catalogue for it, else English."""
    return lang if lang in LANGUAGES else "en"


def build_parser(words: Catalogue, wanted: str = "") -> Parser:
    """The parser of all commands, or of the wanted one, which takes less time; in the person's language."""

    def told(key: Any) -> str:
        return words.words(key).replace("%", "%%")

    parser = Parser(prog="hexdeck", description=words.words(say("Card games to play, to study and to research.")))
    parser.add_argument(
        "--version", action="version", version=f"hexdeck {version()}",
        help=told(say("show program's version number and exit")),
    )  # fmt: skip
    shared = Parser(add_help=False)
    for each in (parser, shared):
        each.add_argument("--lang", choices=LANGUAGES, help=told(say("language; otherwise that of your environment")))
        each.add_argument(
            "--game-path", action="append", metavar=told(say("FOLDER")),
            help=told(say("a game of your own, or a folder of them; may be given again")),
        )  # fmt: skip
    commands = parser.add_subparsers(dest="command", metavar=told(say("COMMAND")))
    all_commands = [(room, name) for room, names in ROOMS.items() for name in names]
    for room, name in [each for each in all_commands if each[1] == wanted] or all_commands:
        module = import_module(f"hexdeck.cli.{room}.{name.replace('-', '_')}")
        about = words.words(module.ABOUT)  # argparse formats what `help` says, and not a description
        command = commands.add_parser(name, help=told(module.ABOUT), description=about, parents=[shared])
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
        "--option", "-o", action="append", default=[], metavar=told(say("KEY=VALUE")),
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


def check_seed(seed: int | None) -> None:
    """Raise BadOption for a seed that not every generator takes."""
    if seed is not None and not 0 <= seed <= MOST_SEED:
        text = _("--{name} can't be {number}; it takes {least} to {most}.")
        raise BadOption(say(text, name="seed", number=str(seed)[:20], least=0, most=MOST_SEED))


def chosen_game(arguments: argparse.Namespace) -> Any:
    """The Game that the arguments name."""
    from hexdeck.simulation.game import game

    return game(arguments.game, arguments.players, **chosen_options(arguments))


def chosen_table(arguments: argparse.Namespace) -> Any:
    """The same as people sit down to play it: what the arguments leave open is as at tables."""
    from hexdeck.simulation.game import Game

    return Game.at_table(arguments.game, arguments.players, **chosen_options(arguments))


def chosen_options(arguments: argparse.Namespace) -> dict[str, str]:
    """The options that the arguments name, all of them known to the game; raises BadOption or UnknownGame."""
    from hexdeck.engine.discovery.finding import find_game

    return known_options(find_game(arguments.game), parsed_options(arguments.option))


def known_options(name: str, given: dict[str, str]) -> dict[str, str]:
    """The options given, all of them known to the game of that name; raises BadOption."""
    from hexdeck.engine.discovery.definition import definition
    from hexdeck.engine.options import unknown_option

    known = {option.name: option for option in definition(name).rules.OPTIONS}
    for each in given:
        if each not in known:  # asked here, for "players" is a name that `game` would take
            raise BadOption(unknown_option(each, known))
    return given


def check_file(path: Path | None) -> None:
    """Raise HexdeckError where a file can't be written."""
    if path is None:
        return
    if path.is_dir() or not path.parent.is_dir() or not os.access(path if path.exists() else path.parent, os.W_OK):
        raise HexdeckError(say("{file} can't be written; name a file in a folder that there is.", file=str(path)))


def how_to_go_on(flag: str, file: Path | None) -> Text:
    """What is said when something was interrupted that a flag keeps in a file."""
    if file is not None:
        return say("Interrupted: the same command goes on where it was.")
    return say("Interrupted: give --{flag} FILE, and the same command goes on where it was.", flag=flag)
