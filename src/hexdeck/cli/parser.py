"""The command line parser; it imports little, so that help comes at once."""

from __future__ import annotations

import argparse
import gettext
import os
from collections.abc import Mapping, Sequence
from importlib import import_module
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

from hexdeck.engine.discovery.finding import PATH, places
from hexdeck.engine.errors import BadOption, HexdeckError
from hexdeck.engine.renamed import is_now
from hexdeck.engine.text import LANGUAGES, Catalogue, Text, _, say
from hexdeck.lab.optional_dependencies import needs

if TYPE_CHECKING:
    from hexdeck.simulation.game import Game

__all__ = ["needs"]  # commands import it from here

ROOMS = {  # the commands by the subpackage of cli that holds them, in the order of the help
    "play": ("games", "rules", "play", "connect", "replay", "verify", "analyse"),
    "study": ("simulate", "report", "compare", "ledger", "tournament"),
    "research": ("train", "ladder", "exploit", "solve", "bench"),
    "keep": ("serve", "compile", "new-game", "check-game"),
}
COMMANDS = tuple(name for names in ROOMS.values() for name in names)
MOST_SEED = (1 << 63) - 1
LOCALE = Path(__file__).parent.parent / "locale"
ARGPARSE = (  # messages of argparse, for the catalogue: it translates them by itself, see `chosen_language`
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
    """A parser that raises its errors, so that they are printed like all others, and takes no flag cut short."""

    def __init__(self, *args: Any, **how: Any) -> None:
        super().__init__(*args, **({"allow_abbrev": False} | how))

    def error(self, message: str) -> NoReturn:
        """Raise BadOption for bad arguments."""
        raise BadOption(say("{message}; hexdeck --help explains.", message=message.rstrip(".")))


class Several(argparse.Action):
    """An option that takes several values and may be repeated: all values are collected, in place of the default."""

    def __call__(self, _parser: Any, namespace: argparse.Namespace, values: Any, _option: Any = None) -> None:
        """Add the values to those given before."""
        before = getattr(namespace, self.dest)
        setattr(namespace, self.dest, [*([] if before is self.default else before), *values])


class Renamed(argparse.Action):
    """A flag that has another name now (`const`): it raises BadOption with a sentence that says which."""

    def __call__(self, _parser: Any, _namespace: Any, _values: Any, option: str | None = None) -> None:
        """Refuse the old flag."""
        raise BadOption(is_now(str(option), self.const))


def refuse_old_flags(parser: argparse.ArgumentParser, flags: Mapping[str, str]) -> None:
    """Let a parser answer flags under their old names with the new ones; help doesn't show them."""
    for old, new in flags.items():
        parser.add_argument(old, nargs="*", action=Renamed, const=new, dest=argparse.SUPPRESS, help=argparse.SUPPRESS)


def chosen_language(argv: Sequence[str]) -> Catalogue:
    """The catalogue of all messages in the chosen language (see `language`); argparse gets it through gettext."""
    lang = language(argv)
    os.environ["LANGUAGE"] = lang
    gettext.bindtextdomain("messages", os.fspath(LOCALE))
    return Catalogue(lang, (LOCALE, *(place.folder / "locale" for place in places().values())))


def take_game_path(argv: Sequence[str]) -> None:
    """Add the folders of `--game-path` to the environment, so that this process and its children find games there."""
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
    """The language itself if there is a catalogue for it, else English."""
    return lang if lang in LANGUAGES else "en"


def build_parser(words: Catalogue, wanted: str = "") -> Parser:
    """The parser of all commands, or of the wanted one, which takes less time; with help in the catalogue's language.

    Each command's `add` gets its subparser and `text`, which makes a help text of a message.
    """

    def text(key: Any) -> str:
        return words.words(key).replace("%", "%%")

    parser = Parser(prog="hexdeck", description=words.words(say("Card games to play, to study and to research.")))
    parser.add_argument(
        "--version", action="version", version=f"hexdeck {version()}",
        help=text(say("show program's version number and exit")),
    )  # fmt: skip
    shared = Parser(add_help=False)
    for each in (parser, shared):
        each.add_argument("--lang", choices=LANGUAGES, help=text(say("language; otherwise that of your environment")))
        each.add_argument(
            "--game-path", action="append", metavar=text(say("FOLDER")),
            help=text(say("a game of your own, or a folder of them; may be given again")),
        )  # fmt: skip
    commands = parser.add_subparsers(dest="command", metavar=text(say("COMMAND")))
    all_commands = [(room, name) for room, names in ROOMS.items() for name in names]
    for room, name in [each for each in all_commands if each[1] == wanted] or all_commands:
        module = import_module(f"hexdeck.cli.{room}.{name.replace('-', '_')}")
        about = words.words(module.ABOUT)  # argparse formats % in `help`, but not in a description
        command = commands.add_parser(name, help=text(module.ABOUT), description=about, parents=[shared])
        module.add(command, text)
        command.set_defaults(run=module.run)
    return parser


def version() -> str:
    """The version of the package."""
    from hexdeck import __version__

    return __version__


def add_game_arguments(parser: argparse.ArgumentParser, text: Any) -> None:
    """Add `--players` and `--option`."""
    add_players(parser, text)
    add_option(parser, text)


def add_players(parser: argparse.ArgumentParser, text: Any) -> None:
    """Add `--players N`."""
    parser.add_argument("--players", "-n", type=int, metavar="N", help=text(say("how many play")))


def add_option(parser: argparse.ArgumentParser, text: Any) -> None:
    """Add `--option KEY=VALUE`."""
    parser.add_argument(
        "--option", "-o", action="append", default=[], metavar=text(say("KEY=VALUE")),
        help=text(say("an option of the game, as hexdeck rules GAME explains them; may be given again")),
    )  # fmt: skip


def parsed_options(pairs: Sequence[str]) -> dict[str, str]:
    """A dict of `key=value` pairs; raises BadOption."""
    out = {}
    for pair in pairs:
        key, sign, value = pair.partition("=")
        if not sign or not key:
            raise BadOption(say("{pair} is no option; write --option key=value.", pair=repr(pair)))
        out[key.strip()] = value.strip()
    return out


def check_seed(seed: int | None) -> None:
    """Raise BadOption for a seed that not every generator takes."""
    check_range("seed", seed, 0, MOST_SEED)


def check_range(name: str, given: float | None, least: float, most: float) -> None:
    """Raise BadOption for the value of an option `--name` that isn't from `least` to `most`; None is no value."""
    if given is not None and not least <= given <= most:
        text = _("--{name} can't be {number}; it takes {least} to {most}.")
        raise BadOption(say(text, name=name, number=str(given)[:20], least=least, most=most))


def usual_game(arguments: argparse.Namespace) -> Game:
    """The game that the arguments name, with its default options and number of players; raises UnknownGame."""
    from hexdeck.simulation.game import game

    return game(arguments.game)


def chosen_game(arguments: argparse.Namespace) -> Game:
    """The game that the arguments name, with their players and options; raises UnknownGame or BadOption."""
    usual = usual_game(arguments)
    return usual.variant(arguments.players, **chosen_options(usual, arguments))


def chosen_table(arguments: argparse.Namespace) -> Game:
    """The game that the arguments name, with its `PRESET` for what they leave open; raises UnknownGame or BadOption."""
    usual = usual_game(arguments)
    return usual.at_table(usual.name, arguments.players, **chosen_options(usual, arguments))


def chosen_options(usual: Game, arguments: argparse.Namespace) -> dict[str, str]:
    """The options that the arguments give, all of them known to the game; raises BadOption."""
    return known_options(usual.name, parsed_options(arguments.option))


def known_options(name: str, given: dict[str, str]) -> dict[str, str]:
    """The same options, if a game of that name has all of them; raises BadOption."""
    from hexdeck.engine.discovery.definition import definition
    from hexdeck.engine.options import unknown_option

    known = {option.name: option for option in definition(name).rules.OPTIONS}
    for each in given:
        if each not in known:  # checked here, since `game` would take "players" for the number of players
            raise BadOption(unknown_option(each, known))
    return given


def check_file(path: Path | None) -> None:
    """Raise HexdeckError for a file that can't be written; None is no file."""
    if path is None:
        return
    if path.is_dir() or not path.parent.is_dir() or not os.access(path if path.exists() else path.parent, os.W_OK):
        raise HexdeckError(say("{file} can't be written; name a file in a folder that there is.", file=str(path)))


def how_to_go_on(flag: str, file: Path | None) -> Text:
    """What to tell after an interrupt: how to go on, or with which flag that would have been possible."""
    if file is not None:
        return say("Interrupted: the same command goes on where it was.")
    return say("Interrupted: give --{flag} FILE, and the same command goes on where it was.", flag=flag)
