"""The command line parser: it imports little, so that help comes at once; its errors suggest what was meant."""

from __future__ import annotations

import argparse
import difflib
import os
import re
from collections.abc import Iterable, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any, NoReturn, cast

from hexdeck.cli.options import GROUPS, Command, command, whole_name
from hexdeck.engine.discovery.finding import PATH, game_names, places
from hexdeck.engine.errors import BadOption
from hexdeck.engine.text import LANGUAGES, Catalogue, Text, _, say, translations

TITLES = {"play": say("Play"), "study": say("Study"), "research": say("Research"), "keep": say("Keep")}
COMMANDS = tuple(name for names in GROUPS.values() for name in names)
EXAMPLES = (
    (_("play in the browser, with others or against bots"), "hexdeck serve"),
    (_("play at this terminal, three at the table"), "hexdeck play hawthorn --players 3"),
    (_("see who wins when bots play"), "hexdeck simulate cursed-hand --games 10000"),
)
LOCALE = Path(__file__).parent.parent / "locale"
HELP = "help"
WITH_VALUE = "--lang", "--game-path"  # of what may stand before a command
EVERYWHERE = "-h", "--help", "-V", "--version", *WITH_VALUE  # what may stand before a command
REQUIRED = "the following arguments are required: %s"  # as argparse words it
IGNORED = "ignored explicit argument %r"
LONG_FLAG = re.compile(r"--[\w-]+")
KINDS = {  # by type: what is told of a word that isn't of it
    int: _("{argument} takes a whole number, not {value}."),
    float: _("{argument} takes a number, not {value}."),
}
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


class Parser(argparse.ArgumentParser):
    """A parser that raises its errors, so that they are printed like all others, and takes no flag cut short.

    `closing`: what its help ends with: titles, and the lines below each. `entry`: the command that it parses.
    """

    def __init__(self, *args: Any, **how: Any) -> None:
        super().__init__(*args, **({"allow_abbrev": False} | how))
        self.closing: list[tuple[str, Sequence[str]]] = []
        self.entry: Command | None = None

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        """The arguments with their defaults, and the words that nothing takes."""
        arguments, unparsed = super().parse_known_args(args, namespace)
        if self.entry is not None:
            self.entry.fill(arguments)
        return arguments, unparsed

    def error(self, message: str) -> NoReturn:
        """Raise BadOption for bad arguments, with argparse's message where there is no better one."""
        translated = vars(argparse)["_"]
        missing = message.removeprefix(translated(REQUIRED).removesuffix("%s"))
        if missing != message:
            text = _("{command} needs {words}; {command} --help explains.")
            raise BadOption(say(text, command=self.prog, words=missing))
        ignored = translated(IGNORED).partition("%r")[0]
        if ignored in message and (flag := LONG_FLAG.search(message)):
            text = _("{flag} takes no value; {command} --help explains.")
            raise BadOption(say(text, flag=flag[0], command=self.prog))
        text = _("{message}; {command} --help explains.")
        raise BadOption(say(text, message=message.rstrip("."), command=self.prog))

    def _get_value(self, action: argparse.Action, arg_string: str) -> Any:
        """A word as the value of an argument; raises BadOption where it isn't of its type."""
        try:
            return super()._get_value(action, arg_string)
        except argparse.ArgumentError as error:
            if action.type not in KINDS:
                self.error(str(error))
            text = KINDS[action.type]
            raise BadOption(say(text, argument=called(action), value=quoted(arg_string))) from None

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        """Raise BadOption for a value that isn't among the choices, with the one that may be meant."""
        if action.choices is None or value in action.choices:
            return
        text = _("{argument} can't be {value}; it takes one of {names}.")
        if near := nearest(str(value).lower(), map(str, action.choices)):
            text = _("{argument} can't be {value} (did you mean {near}?); it takes one of {names}.")
        names = ", ".join(map(str, action.choices))
        raise BadOption(say(text, argument=called(action), value=quoted(value), near=near, names=names))

    def _match_argument(self, action: argparse.Action, arg_strings_pattern: str) -> int:
        """How many words an argument takes; raises BadOption for an option that stands without its value."""
        try:
            return super()._match_argument(action, arg_strings_pattern)
        except argparse.ArgumentError as error:
            if not action.option_strings:
                self.error(str(error))
            text = _("{argument} needs a value; {command} --help explains.")
            raise BadOption(say(text, argument=called(action), command=self.prog)) from None

    def flags(self) -> list[str]:
        """The options that the help shows, such as `--seed`."""
        listed_actions = [action for action in self._actions if action.help != argparse.SUPPRESS]
        return [flag for action in listed_actions for flag in action.option_strings]

    def arguments(self) -> list[argparse.Action]:
        """All arguments and options."""
        return self._actions

    def format_help(self) -> str:
        """The help, with its closing lines."""
        return self.closed(super().format_help())

    def closed(self, text: str) -> str:
        """A help text with the closing lines."""
        ends = ("\n  ".join([f"{title}:", *lines]) + "\n" for title, lines in self.closing)
        return "\n".join([text, *ends])

    def refuse(self, unparsed: Sequence[str]) -> NoReturn:
        """Raise BadOption for words that nothing takes: for the first flag among them, if there is one."""
        flag = next((word.partition("=")[0] for word in unparsed if word.startswith("-")), None)
        if flag is None:
            text = _("{command} doesn't take {words}; {command} --help explains.")
            raise BadOption(say(text, command=self.prog, words=" ".join(unparsed)[:80]))
        text = _("{command} has no option {flag}; {command} --help lists them.")
        if near := nearest(flag, self.flags()):
            text = _("{command} has no option {flag} (did you mean {near}?); {command} --help lists them.")
        raise BadOption(say(text, command=self.prog, flag=flag[:40], near=near))


class Overview(Parser):
    """A parser of several commands; its help lists them by `groups`, each a title and commands with what they do.

    `commands`: the parser of each, by its whole name, such as `game new`.
    """

    def __init__(self, metavar: str = "COMMAND", dest: str = "command", **how: Any) -> None:
        super().__init__(**how)
        self.metavar, self.dest = metavar, dest
        self.groups: dict[str, list[tuple[str, str]]] = {}
        self.commands: dict[str, Parser] = {}
        self._below: Any = None

    def add_command(self, name: str, about: str = "", kind: type[Parser] = Parser, **how: Any) -> Any:
        """Add the parser of a command; `about`: what it does, for the list of commands."""
        if self._below is None:
            self._below = self.add_subparsers(
                dest=self.dest,
                metavar=self.metavar,
                prog=self.prog,
                parser_class=cast("type[Parser]", lambda kind, **how: kind(**how)),
            )
        parser: Parser = self._below.add_parser(name, help=about, kind=kind, **how)
        self.commands[name] = parser
        return parser

    def format_help(self) -> str:
        """The help, with the commands by group."""
        formatter = self._get_formatter()
        formatter.add_usage(self.usage, self._actions, self._mutually_exclusive_groups)
        formatter.add_text(self.description)
        for title, commands in self.groups.items():
            if commands:
                formatter.start_section(title)
                formatter.add_arguments([argparse.Action([], name, metavar=name, help=what) for name, what in commands])
                formatter.end_section()
        formatter.start_section(self._optionals.title)
        formatter.add_arguments([action for action in self._actions if action.option_strings])
        formatter.end_section()
        return self.closed(formatter.format_help())


def called(action: argparse.Action) -> str:
    """The name of an argument in a sentence: its long flag, else what the help calls it."""
    flags = [*action.option_strings, str(action.metavar or action.dest)]
    return next((flag for flag in flags if flag.startswith("--")), flags[0])


def quoted(word: Any) -> str:
    """What was typed, in quotation marks and not too long."""
    return repr(word)[:60]


def nearest(word: str, names: Iterable[str]) -> str:
    """The name that is most like a misspelt one; empty if none is."""
    return next(iter(difflib.get_close_matches(word, list(names), 1)), "")


# --- the parser of all commands ---------------------------------------------------------------------------------------
def build_parser(catalogue: Catalogue, wanted: str = "") -> Overview:
    """The parser of all commands, or of the wanted one, which takes less time; with help in the catalogue's language.

    Commands are data, see `options.Command` and `commands.toml`.
    """
    from hexdeck import __version__

    metavar = plain(catalogue, say("COMMAND"))
    about = catalogue.words(say("Card games to play, to study and to research."))
    parser = Overview(metavar, prog="hexdeck", description=about)
    parser.add_argument(
        "--version",
        "-V",
        action="version",
        version=f"hexdeck {__version__}",
        help=plain(catalogue, say("show the version and exit")),
    )
    add_everywhere(parser, catalogue)
    for group, names in GROUPS.items():
        for name in [wanted] if wanted in names else [] if wanted in COMMANDS else names:
            entry = command(name)
            about = plain(catalogue, say(entry.about))
            parser.groups.setdefault(catalogue.words(TITLES[group]), []).append((name, about))
            add_command(parser, entry, catalogue)
    parser.closing = [
        (catalogue.words(say("more about a command")), [f"hexdeck help {metavar}"]),
        (catalogue.words(say("examples")), captioned(EXAMPLES, catalogue)),
    ]
    return parser


def add_command(parser: Overview, command: Command, catalogue: Catalogue) -> None:
    """Add a command to the parser of several, and the commands below it."""
    about = plain(catalogue, say(command.about))
    description = catalogue.words(say(command.about))  # in which argparse formats no %
    description = f"{description[:1].upper()}{description[1:]}."
    if command.commands:
        below: Overview = parser.add_command(command.name, about, Overview, dest="below", description=description)
        title = catalogue.words(say("commands"))
        for entry in command.commands:
            below.groups.setdefault(title, []).append((entry.name, plain(catalogue, say(entry.about))))
            add_command(below, entry, catalogue)
        add_everywhere(below, catalogue)
        examples = [example for entry in command.commands for example in entry.examples]
        below.closing = [(catalogue.words(say("examples")), captioned(examples, catalogue))]
        below.set_defaults(parser=below)
        del parser.commands[command.name]
        parser.commands |= {f"{command.name} {name}": leaf for name, leaf in below.commands.items()}
        return
    leaf: Parser = parser.add_command(command.name, about, description=description)
    leaf.entry = command
    for option in command.options:
        option.add(leaf, lambda text: plain(catalogue, text))
    add_everywhere(leaf.add_argument_group(plain(catalogue, say("options of every command"))), catalogue)
    leaf.closing = [(catalogue.words(say("examples")), captioned(command.examples, catalogue))]
    leaf.set_defaults(entry=command, parser=leaf)


def captioned(examples: Iterable[Sequence[str]], catalogue: Catalogue) -> list[str]:
    """Examples, each below its caption, as a shell reads them."""
    return [line for caption, typed in examples for line in (f"# {catalogue.words(say(caption))}", typed)]


def plain(catalogue: Catalogue, text: Text) -> str:
    """A text for argparse, which formats %."""
    return catalogue.words(text).replace("%", "%%")


def add_everywhere(parser: Any, catalogue: Catalogue) -> None:
    """Add `--lang` and `--game-path`, which stand before or after the command."""
    parser.add_argument(
        "--lang",
        choices=LANGUAGES,
        default=argparse.SUPPRESS,
        help=plain(catalogue, say("language, English or Dutch (default: that of your environment)")),
    )
    about = say("a game of your own, or a folder of them; may be given again (default: $HEXDECK_GAME_PATH)")
    parser.add_argument(
        "--game-path",
        action="append",
        default=argparse.SUPPRESS,
        metavar=plain(catalogue, say("FOLDER")),
        help=plain(catalogue, about),
    )


# --- words before they are parsed -------------------------------------------------------------------------------------
def place_of_command(typed: Sequence[str]) -> int:
    """The index of the command among the words; how many words there are if none is a command."""
    at = 0
    while at < len(typed) and typed[at].startswith("-"):
        at += 2 if typed[at] in WITH_VALUE else 1
    return min(at, len(typed))


def unknown_before(typed: Sequence[str]) -> str:
    """The first option before the command that doesn't belong there; empty if there is none."""
    before = [word for word in typed[: place_of_command(typed)] if word.startswith("-") and word != "-"]
    return next((word for word in before if word.partition("=")[0] not in EVERYWHERE), "")


def spelled_out(typed: Sequence[str]) -> list[str]:
    """The words as argparse takes them: `help COMMAND` as `COMMAND --help`."""
    at = place_of_command(typed)
    return [*typed[:at], *typed[at + 1 :], "--help"] if [*typed[at : at + 1]] == [HELP] else [*typed]


def check_command(name: str) -> None:
    """Raise BadOption for a command that there is not, with the one that may be meant."""
    if name in COMMANDS:
        return
    if (near := nearest(name, [*COMMANDS, HELP])) or whole_name(name) not in game_names():
        text = _("There is no command {name}; hexdeck --help lists them.")
        if near:
            text = _("There is no command {name} (did you mean {near}?); hexdeck --help lists them.")
        raise BadOption(say(text, name=name[:40], near=near))
    raise BadOption(say("{name} is a game: hexdeck play {name} plays it.", name=whole_name(name)))


def chosen_language(typed: Sequence[str]) -> Catalogue:
    """The catalogue of all messages in the chosen language (see `language`), in which argparse speaks, too."""
    lang = language(typed)
    shared = translations(LOCALE, lang)
    argparse._ = lambda text: shared.of(text) or text  # type: ignore[attr-defined]
    argparse.ngettext = lambda one, many, n: shared.of(one, n) or (one if n == 1 else many)  # type: ignore[attr-defined]
    return Catalogue(lang, (LOCALE, *(location.folder / "locale" for location in places().values())))


def language(typed: Sequence[str]) -> str:
    """The language of `--lang`, else of HEXDECK_LANG, LC_ALL, LC_MESSAGES or LANG, else English."""
    for word, after in pairwise([*typed, ""]):
        if word.startswith("--lang="):
            return language_or_english(word.partition("=")[2])
        if word == "--lang" and after:
            return language_or_english(after)
    for name in ("HEXDECK_LANG", "LC_ALL", "LC_MESSAGES", "LANG"):
        if os.environ.get(name):
            return language_or_english(os.environ[name][:2].lower())
    return "en"


def language_or_english(lang: str) -> str:
    """The language itself if there is a catalogue for it, else English."""
    return lang if lang in LANGUAGES else "en"


def take_game_path(typed: Sequence[str]) -> None:
    """Add the folders of `--game-path` to the environment, so that this process and its children find games there."""
    folders = [word.partition("=")[2] for word in typed if word.startswith("--game-path=")]
    folders += [after for word, after in pairwise(typed) if word == "--game-path"]
    if folders:
        paths = [os.fspath(Path(folder).expanduser().resolve()) for folder in folders]
        os.environ[PATH] = os.pathsep.join([*paths, *filter(None, [os.environ.get(PATH)])])
