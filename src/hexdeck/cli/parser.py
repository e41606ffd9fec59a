"""The command line parser; it imports little, so that help comes at once."""

from __future__ import annotations

import argparse
import os
from collections.abc import Mapping, Sequence
from importlib import import_module
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hexdeck.cli.help_pages import Overview, default
from hexdeck.engine.discovery.finding import PATH, SLASH, name_of, places
from hexdeck.engine.errors import BadOption, HexdeckError, UnknownGame
from hexdeck.engine.text import LANGUAGES, Catalogue, Text, _, say, translations
from hexdeck.lab import needs

if TYPE_CHECKING:
    from hexdeck.simulation.game import Game

__all__ = ["needs"]  # commands import it from here

ROOMS = {  # the commands by the subpackage of cli that holds them, in the order of the help
    "play": ("games", "rules", "print", "play", "connect", "replay", "verify", "analyse", "puzzles"),
    "study": ("simulate", "report", "compare", "sweep", "probe"),
    "research": ("tournament", "train", "ladder", "manners", "exploit", "solve", "benchmark", "mcp", "bench"),
    "keep": ("serve", "doctor", "backup", "restore", "delete", "compile", "new-game", "check-game", "completion"),
}
TITLES = {"play": say("Play"), "study": say("Study"), "research": say("Research"), "keep": say("Keep")}
COMMANDS = tuple(name for names in ROOMS.values() for name in names)
EXAMPLES = "hexdeck play hawthorn --players 3", "hexdeck simulate cursed-hand --games 10000"
MOST_SEED = (1 << 63) - 1
STDOUT = Path("-")  # in place of a file
LOCALE = Path(__file__).parent.parent / "locale"
ARGPARSE = (  # messages of argparse, for the catalogue: it translates them by itself, see `chosen_language`
    _("usage: "),
    _("positional arguments"),
    _("options"),
    _("show this help message and exit"),
    _("argument %(argument_name)s: %(message)s"),
    _("the following arguments are required: %s"),
    _("ignored explicit argument %r"),
    _("ambiguous option: %(option)s could match %(matches)s"),
)


class Several(argparse.Action):
    """An option that takes several values and may be repeated: all values are collected, in place of the default."""

    def __call__(self, _parser: Any, namespace: argparse.Namespace, values: Any, _option: Any = None) -> None:
        """Add the values to those given before."""
        before = getattr(namespace, self.dest)
        setattr(namespace, self.dest, [*([] if before is self.default else before), *values])


def chosen_language(argv: Sequence[str]) -> Catalogue:
    """The catalogue of all messages in the chosen language (see `language`), in which argparse speaks, too."""
    lang = language(argv)
    shared = translations(LOCALE, lang)
    argparse._ = lambda text: shared.of(text) or text  # type: ignore[attr-defined]
    argparse.ngettext = lambda one, many, n: shared.of(one, n) or (one if n == 1 else many)  # type: ignore[attr-defined]
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


def build_parser(words: Catalogue, wanted: str = "") -> Overview:
    """The parser of all commands, or of the wanted one, which takes less time; with help in the catalogue's language.

    Each command's `add` gets its subparser and `text`, which makes a help text of a message; its `EXAMPLES` are
    commands to type.
    """

    def text(key: Any) -> str:
        return words.words(key).replace("%", "%%")

    about, metavar = words.words(say("Card games to play, to study and to research.")), text(say("COMMAND"))
    parser = Overview(metavar, prog="hexdeck", description=about)
    parser.add_argument(
        "--version", "-V", action="version", version=f"hexdeck {version()}", help=text(say("show the version and exit"))
    )
    add_everywhere(parser, text)
    all_commands = [(room, name) for room, names in ROOMS.items() for name in names]
    for room, name in [each for each in all_commands if each[1] == wanted] or all_commands:
        module = import_module(f"hexdeck.cli.{room}.{name.replace('-', '_')}")
        about = words.words(module.ABOUT)  # argparse formats % in `help`, but not in a description
        command = parser.add_command(name, text(module.ABOUT), description=sentence(about))
        parser.groups.setdefault(words.words(TITLES[room]), []).append((name, text(module.ABOUT)))
        module.add(command, text)
        add_everywhere(command.add_argument_group(text(say("options of every command"))), text)
        command.closing = [(words.words(say("examples")), module.EXAMPLES)]
        command.set_defaults(run=module.run, parser=command)
    parser.closing = [
        (words.words(say("more about a command")), [f"hexdeck help {metavar}"]),
        (words.words(say("examples")), EXAMPLES),
    ]
    return parser


def sentence(text: str) -> str:
    """What a command does, as a sentence."""
    return f"{text[:1].upper()}{text[1:]}."


def add_everywhere(parser: Any, text: Any) -> None:
    """Add `--lang` and `--game-path`, which stand before or after the command."""
    parser.add_argument(
        "--lang", choices=LANGUAGES, default=argparse.SUPPRESS,
        help=text(say("language, English or Dutch (default: that of your environment)")),
    )  # fmt: skip
    parser.add_argument(
        "--game-path", action="append", default=argparse.SUPPRESS, metavar=text(say("FOLDER")),
        help=text(say("a game of your own, or a folder of them; may be given again (default: $HEXDECK_GAME_PATH)")),
    )  # fmt: skip


def version() -> str:
    """The version of the package."""
    from hexdeck import __version__

    return __version__


def whole_name(given: str) -> str:
    """The name of the only game that begins with this, else what was given; raises UnknownGame where several do.

    After a slash a size may follow, as in `hawth/tiny`.
    """
    begun, slash, size = name_of(given).partition(SLASH)
    found = [name for name in places() if begun and name.startswith(begun)]
    if len(found) > 1 and begun not in found:
        text = _("{given} could be any of {games}; type more of the name.")
        raise UnknownGame(say(text, given=given[:40], games=", ".join(found)))
    return f"{found[0]}{slash}{size}" if len(found) == 1 else given


def spell_out_size(arguments: argparse.Namespace) -> None:
    """Put the game, players and options of a size in place of its name, where a command plays a game.

    Raises UnknownGame, or BadOption where there is no such size.
    """
    given = vars(arguments)
    if SLASH not in str(given.get("game") or "") or "option" not in given:
        return
    from hexdeck.engine.discovery.sizes import read_name

    several = isinstance(numbers := given["players"], list)
    chosen = read_name(arguments.game, next(iter(numbers), None) if several else numbers)
    arguments.game = chosen.game
    if chosen.options:
        if given.get("resume"):
            raise BadOption(say("What is resumed keeps its size: name only the game, {game}.", game=chosen.game))
        if several and len(set(numbers)) > 1:
            raise BadOption(say("A size has options of its own for each number of players; give one number."))
        arguments.players = [chosen.players] if several else chosen.players
        arguments.option = [*spelled(chosen.game, chosen.options), *arguments.option]


def spelled(name: str, options: Mapping[str, Any]) -> list[str]:
    """Options as they are typed, and the usual value of those for which people have another one at tables."""
    from hexdeck.engine.discovery.definition import definition, preset

    known = {option.name: option for option in definition(name).rules.OPTIONS}
    wanted = {**{each: known[each].default for each in preset(name).options}, **options}
    return [f"{each}={known[each].spell(known[each].parse(value))}" for each, value in wanted.items()]


def add_game(parser: argparse.ArgumentParser, text: Any) -> None:
    """Add GAME."""
    about = say("name of the game, or its beginning: hawth will do; of a size of it, too: hawthorn/tiny")
    parser.add_argument("game", type=whole_name, metavar=text(say("GAME")), help=text(about))


def add_games(parser: argparse.ArgumentParser, text: Any) -> None:
    """Add any number of GAMEs."""
    about = say("names of games, or their beginnings (default: all games)")
    parser.add_argument("games", nargs="*", type=whole_name, metavar=text(say("GAME")), help=text(about))


def add_game_arguments(parser: argparse.ArgumentParser, text: Any) -> None:
    """Add `--players` and `--option`."""
    add_players(parser, text)
    add_option(parser, text)


def add_players(parser: argparse.ArgumentParser, text: Any) -> None:
    """Add `--players N`."""
    about = say("number of players (default: 4, where the game allows it)")
    parser.add_argument("--players", "-n", type=int, metavar="N", help=text(about))


def add_option(parser: argparse.ArgumentParser, text: Any) -> None:
    """Add `--option KEY=VALUE`."""
    parser.add_argument(
        "--option", "-o", action="append", default=[], metavar=text(say("KEY=VALUE")),
        help=text(say("set an option of the game, may be given again; hexdeck games GAME lists them "
                      "(default: the usual rules)")),
    )  # fmt: skip


def add_seed(parser: argparse.ArgumentParser, text: Any, usual: int = 0) -> None:
    """Add `--seed N`."""
    about = default(say("random seed: the same seed deals the same cards"), usual)
    parser.add_argument("--seed", type=int, default=usual, metavar="N", help=text(about))


def add_json(parser: argparse.ArgumentParser, text: Any) -> None:
    """Add `--json [FILE]`; see `figures`."""
    about = say(
        "print the figures as JSON instead of text, or write them to FILE, a name that ends in .json (default: text)"
    )
    parser.add_argument("--json", nargs="?", const=STDOUT, type=Path, metavar=text(say("FILE")), help=text(about))


def parsed_options(pairs: Sequence[str]) -> dict[str, str]:
    """A dict of `key=value` pairs; raises BadOption."""
    out = {}
    for pair in pairs:
        key, sign, value = pair.partition("=")
        if not sign or not key:
            raise BadOption(say("{pair} isn't an option; write --option key=value.", pair=repr(pair)))
        out[key.strip()] = value.strip()
    return out


def check_seed(seed: int | None) -> None:
    """Raise BadOption for a seed that not every generator takes."""
    check_range("seed", seed, 0, MOST_SEED)


def chosen_seat(given: int | None, players: int) -> int | None:
    """The seat from 0 that people count from 1; None for none. Raises BadOption."""
    if given is not None and not 1 <= given <= players:
        raise BadOption(say("There is no seat {seat}; seats are 1 to {last}.", seat=given, last=players))
    return None if given is None else given - 1


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
    """The game that the arguments name, as their preset has what they leave open; raises UnknownGame or BadOption.

    Without a preset it is the default at a table, or with `--coach` the one for a first game.
    """
    from hexdeck.engine.discovery.definition import first_game

    usual, given = usual_game(arguments), vars(arguments)
    preset = given.get("preset") or (first_game(usual.name) if given.get("coach") else "")
    return usual.at_table(usual.name, arguments.players, preset, **chosen_options(usual, arguments))


def chosen_options(usual: Game, arguments: argparse.Namespace) -> dict[str, Any]:
    """The options that the arguments give, in canonical form; raises BadOption."""
    return known_options(usual.name, parsed_options(arguments.option))


def known_options(name: str, typed: dict[str, str]) -> dict[str, Any]:
    """The options of a game that were typed, in canonical form; raises BadOption."""
    from hexdeck.engine.discovery.definition import definition
    from hexdeck.engine.options import read_options

    return read_options(definition(name).rules.OPTIONS, typed)


def check_file(path: Path | None) -> None:
    """Raise HexdeckError for a file that can't be written; None is no file."""
    if path is None:
        return
    if path.is_dir() or not path.parent.is_dir() or not os.access(path if path.exists() else path.parent, os.W_OK):
        raise HexdeckError(say("{file} can't be written; name a file in a folder that exists.", file=str(path)))


def how_to_go_on(flag: str, file: Path | None) -> Text:
    """What to tell after an interrupt: how to go on, or with which flag that would have been possible."""
    if file is not None:
        return say("Interrupted: the same command resumes where it stopped.")
    return say("Interrupted: with --{flag} FILE, the same command would resume where it stopped.", flag=flag)
