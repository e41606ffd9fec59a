"""Commands and their options as data, the parser that is made of them, and what values of options name.

It imports little, so that help comes at once.
"""

from __future__ import annotations

import argparse
import difflib
import functools
import os
import re
import socket
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import import_module
from itertools import combinations, pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NoReturn, cast

from hexdeck.bots.players.bot_names import spoken, stored
from hexdeck.engine.discovery.finding import PATH, SLASH, game_names, name_of, places
from hexdeck.engine.errors import BadOption, HexdeckError, UnknownGame, shortened
from hexdeck.engine.text import LANGUAGES, Catalogue, Text, _, count, say, translations
from hexdeck.lab import needs

if TYPE_CHECKING:
    from hexdeck.engine.play.game import GameSetup
    from hexdeck.lab.counts import Source
    from hexdeck.lab.log import SimulationSetup
    from hexdeck.simulation.game import Game


def whole_name(typed: str) -> str:
    """The name of the only game that begins with this, else what was typed; raises UnknownGame where several do.

    After a slash a size may follow, as in `hawth/tiny`.
    """
    start, slash, size = name_of(typed).partition(SLASH)
    names = [name for name in places() if start and name.startswith(start)]
    if len(names) > 1 and start not in names:
        text = _("{given} could be any of {games}; type more of the name.")
        raise UnknownGame(say(text, given=typed[:40], games=", ".join(names)))
    return f"{names[0]}{slash}{size}" if len(names) == 1 else typed


Takes = Literal["one", "maybe", "nothing", "several", "any", "again"]
Translate = Callable[[Any], str]
HOW: dict[Takes, dict[str, Any]] = {
    "one": {},
    "maybe": {"nargs": "?"},
    "nothing": {"action": "store_true"},
    "several": {"nargs": "+"},
    "any": {"nargs": "*"},
    "again": {"action": "append"},
}
LISTS = "several", "any", "again"  # what gives a list
TYPES: dict[str, Callable[[str], Any]] = {
    "str": str, "int": int, "float": float, "path": Path, "game": whole_name, "bot": stored
}  # fmt: skip
THIS_COMPUTER = socket.inet_ntoa(socket.INADDR_LOOPBACK.to_bytes(4))  # `{address}` in the table
METAVARS: dict[Any, str] = {int: "N", Path: _("FILE"), whole_name: _("GAME"), stored: _("NAME")}


class Several(argparse.Action):
    """An option that takes several values and may be repeated: all values are collected."""

    def __call__(self, _parser: Any, namespace: argparse.Namespace, values: Any, _option: Any = None) -> None:
        """Add the values to those before."""
        setattr(namespace, self.dest, [*(getattr(namespace, self.dest) or []), *values])


@dataclass(frozen=True)
class Argument:
    """An option of a command, such as `--games`, or an argument, whose name has no dashes.

    `within`: the least and the greatest value. `goes_with`: options one of which it needs. `apart_from`: options that
    can't be given beside it. `written`: it names a file that the command writes. `section`: where the help lists it,
    if not among the options.
    """

    name: str
    about: str
    type: Callable[[str], Any] = str
    metavar: str = ""
    default: Any = None
    takes: Takes = "one"
    within: tuple[float, float] | None = None
    choices: tuple[str, ...] = ()
    goes_with: tuple[str, ...] = ()
    apart_from: tuple[str, ...] = ()
    written: bool = False
    section: str = ""
    short: str = ""
    const: Any = None

    @property
    def dest(self) -> str:
        """Its attribute among the arguments."""
        return self.name.lstrip("-").replace("-", "_")

    @property
    def help(self) -> Text:
        """What it is, with its default where the sentence doesn't say that."""
        usual = self.default[0] if isinstance(self.default, list) else self.default
        if usual is None or "(default: " in self.about:
            return say(self.about, address=THIS_COMPUTER)
        value = f"{usual:g}" if isinstance(usual, float) else spoken(str(usual))
        return say("{about} (default: {value})", about=say(self.about), value=value)

    def add(self, parser: argparse._ActionsContainer, text: Translate) -> None:
        """Declare it to argparse; what isn't given stays None, see `fill`."""
        settings: dict[str, Any] = {**HOW[self.takes], "default": None, "help": text(self.help)}
        if self.takes != "nothing":
            settings["type"] = self.type
            if metavar := self.metavar or (not self.choices and METAVARS.get(self.type)):
                settings["metavar"] = text(say(metavar))
        if self.choices:
            settings["choices"] = self.choices
        if self.const is not None:
            settings["const"] = self.const
        if self.name.startswith("-") and self.takes in ("several", "any"):
            settings["action"] = Several
        parser.add_argument(*filter(None, (self.name, self.short)), **settings)

    def fill(self, arguments: argparse.Namespace) -> bool:
        """Put its default in place of a value that wasn't given; returns whether one was."""
        value = getattr(arguments, self.dest, None)
        is_given = value is not None and (value != [] or self.name.startswith("-"))
        if not is_given:
            usual = self.default
            if usual is None and self.takes in LISTS:
                usual = []
            elif usual is None and self.takes == "nothing":
                usual = False
            elif isinstance(usual, str):
                usual = self.type(usual)
            setattr(arguments, self.dest, [*usual] if isinstance(usual, list) else usual)
        return is_given

    def check(self, arguments: argparse.Namespace, by_dest: Mapping[str, Argument]) -> None:
        """Raise BadOption for a value out of range, or beside others that don't go with it; HexdeckError for a file."""
        value, name = getattr(arguments, self.dest), self.name.lstrip("-")
        if self.within is not None and value is not None and not self.within[0] <= value <= self.within[1]:
            text, number = _("--{name} can't be {number}; it takes {least} to {most}."), str(value).removesuffix(".0")
            least, most = (count(int(end)) if end == int(end) else str(end) for end in self.within)
            raise BadOption(say(text, name=name, number=number[:20], least=least, most=most))
        if self.dest not in arguments.given:
            return
        if self.goes_with and not arguments.given.intersection(self.goes_with):
            if len(self.goes_with) == 1:
                raise BadOption(say("--{name} goes with --{other}; give that too.", name=name, other=self.goes_with[0]))
            flags = ", ".join(f"--{partner}" for partner in self.goes_with)
            raise BadOption(say("--{name} goes with one of {others}; give that too.", name=name, others=flags))
        for excluded in self.apart_from:
            if excluded in arguments.given:
                names = [by_dest[dest].name for dest in by_dest if dest in (self.dest, excluded)]
                text = _("{one} and {other} don't go together; leave out one of them.")
                raise BadOption(say(text, one=names[0], other=names[1]))
        if self.written and value.is_dir():
            text = _("{file} is a folder; name a file, such as {example}.")
            raise HexdeckError(say(text, file=str(value), example=str(value / "out")))
        if self.written and (
            not value.parent.is_dir() or not os.access(value if value.exists() else value.parent, os.W_OK)
        ):
            raise HexdeckError(say("{file} can't be written; name a file in a folder that exists.", file=str(value)))


@dataclass(frozen=True)
class Command:
    """A command: what it is about, its options, what runs it, examples with captions, the packages that it needs.

    `runs`: a function, or its module and name. `commands`: the commands below it, such as `new` and `check` of `game`.
    `bots`: what a BOT can be, or a NAME of what takes part, with what that is.
    """

    name: str
    about: str
    options: tuple[Argument, ...] = ()
    runs: Callable[[argparse.Namespace, Catalogue], Any] | str = ""
    examples: Sequence[tuple[str, str]] = ()
    needs: Sequence[Sequence[str]] = ()
    commands: tuple[Command, ...] = ()
    bots: Sequence[tuple[str, str]] = ()

    def run(self, arguments: argparse.Namespace, catalogue: Catalogue) -> Any:
        """Run it; returns an exit status, or a result that can be given."""
        if not isinstance(self.runs, str):
            return self.runs(arguments, catalogue)
        module, _colon, name = self.runs.partition(":")
        return getattr(import_module(f"hexdeck.cli.{module}"), name)(arguments, catalogue)

    def fill(self, arguments: argparse.Namespace) -> None:
        """Fill in the defaults, and note the names of the options that were given as `arguments.given`."""
        arguments.given = {option.dest for option in self.options if option.fill(arguments)}

    def check(self, arguments: argparse.Namespace) -> None:
        """Raise HexdeckError for missing packages, values out of range, options that don't go together, and files."""
        for extra, *modules in self.needs:
            needs(extra, *modules)
        by_dest = {option.dest: option for option in self.options}
        for option in self.options:
            option.check(arguments, by_dest)
        files = [option for option in self.options if option.written and getattr(arguments, option.dest) is not None]
        for first, second in combinations(files, 2):
            if getattr(arguments, first.dest).resolve() == getattr(arguments, second.dest).resolve():
                text = _("{one} and {other} can't be the same file; name two.")
                raise BadOption(say(text, one=first.name, other=second.name))


def spell_out_size(arguments: argparse.Namespace) -> None:
    """Put the game, players and options of a size in place of its name, where a command plays a game.

    Raises UnknownGame, or BadOption where there is no such size.
    """
    values = vars(arguments)
    if SLASH not in str(values.get("game") or "") or "option" not in values:
        return
    from hexdeck.engine.discovery.finding import read_name

    several = isinstance(numbers := values["players"], list)
    size = read_name(arguments.game, next(iter(numbers), None) if several else numbers)
    arguments.game = size.game
    if size.options:
        arguments.size = size.size
        if values["command"] == "play" and values["resume"] is not None:
            raise BadOption(say("What is resumed keeps its size: name only the game, {game}.", game=size.game))
        if several and len(set(numbers)) > 1:
            raise BadOption(say("A size has options of its own for each number of players; give one number."))
        arguments.players = [size.players] if several else size.players
        arguments.option = [*spelled(size.game, size.options), *arguments.option]


def spelled(name: str, options: Mapping[str, Any]) -> list[str]:
    """Options as they are typed, and the usual value of those for which people have another one at tables."""
    from hexdeck.engine.discovery.definition import definition, preset

    rules = {option.name: option for option in definition(name).rules.OPTIONS}
    values = {**{key: rules[key].default for key in preset(name).options}, **options}
    return [f"{key}={rules[key].spell(rules[key].parse(value))}" for key, value in values.items()]


# --- the table of commands -------------------------------------------------------------------------------------------
TABLE: dict[str, Any] = tomllib.loads((Path(__file__).parent / "commands.toml").read_text(encoding="utf-8"))
SHARED: dict[str, dict[str, Any]] = TABLE.pop("options")
GROUPS: dict[str, list[str]] = {}  # the names of commands by what they are for, in the order of the help
for _name, _entry in TABLE.items():
    if "group" in _entry:
        GROUPS.setdefault(_entry["group"], []).append(_name)


def option(name: str, **own: Any) -> Argument:
    """An option from its fields in the table, after those that all commands share."""
    fields = {**SHARED.get(name, {}), **own}
    usual = fields.pop("default", None)
    value_type = TYPES[fields.pop("type", "str")]
    if usual == "processors":
        usual = os.cpu_count() or 1
    if isinstance(usual, str):
        usual = usual.replace("{address}", THIS_COMPUTER)
    if value_type is Path and usual is not None:
        usual = Path(usual)
    converted: dict[str, Any] = {
        key: tuple(value) if isinstance(value, list) else value for key, value in fields.items()
    }
    return Argument(name, converted.pop("help"), value_type, default=usual, **converted)


@functools.cache
def command(name: str) -> Command:
    """A command of the table, with those below it, such as `game check` below `game`."""
    entry = TABLE[name]
    return Command(
        name.rpartition(" ")[2],
        entry["about"],
        tuple(option(key, **fields) for key, fields in entry.get("options", {}).items()),
        entry.get("run", ""),
        entry.get("examples", ()),
        entry.get("needs", ()),
        tuple(command(below) for below in TABLE if below.startswith(f"{name} ")),
        entry.get("bots", ()),
    )


# --- the parser of one command, and of several -----------------------------------------------------------------------
TITLES = {
    "play": say("Play"),
    "study": say("Study"),
    "research": say("Research"),
    "make": say("Make"),
    "keep": say("Keep"),
}
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
        for action in self._get_positional_actions():  # argparse takes one that may be missing only right behind others
            missing = action.nargs == argparse.OPTIONAL and getattr(arguments, action.dest, None) is None
            if missing and unparsed and not any(word.startswith("-") for word in unparsed):
                setattr(arguments, action.dest, self._get_values(action, [unparsed.pop(0)]))
        if self.entry is not None:
            self.entry.fill(arguments)
        return arguments, unparsed

    def print_help(self, file: Any = None) -> None:
        """Print the help; unlike argparse's, raises OSError where it can't be written."""
        print(self.format_help(), end="", file=file)

    def error(self, message: str) -> NoReturn:
        """Raise BadOption for bad arguments, with argparse's message where there is no better one."""
        translated = vars(argparse)["_"]
        missing = message.removeprefix(translated(REQUIRED).removesuffix("%s"))
        if missing != message:
            text = _("{command} needs {words}; {command} --help explains.")
            games = (action.metavar for action in self._actions if action.dest == "game")
            if missing in games:
                text = _("{command} needs {words}, such as hawthorn; {command} --help explains.")
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
            raise BadOption(say(text, argument=argument_name(action), value=quoted(arg_string))) from None

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        """Raise BadOption for a value that isn't among the choices, with the one that may be meant."""
        if action.choices is None or value in action.choices:
            return
        text = _("{argument} can't be {value}; it takes one of {names}.")
        if near := nearest(str(value).lower(), map(str, action.choices)):
            text = _("{argument} can't be {value} (did you mean {near}?); it takes one of {names}.")
        if "." in str(value) and any(action.dest == "file" for action in self._get_positional_actions()):
            text = _("{argument} can't be {value}; if it is the file to write, put it before {argument}.")
        names = ", ".join(map(str, action.choices))
        raise BadOption(say(text, argument=argument_name(action), value=quoted(value), near=near, names=names))

    def _match_argument(self, action: argparse.Action, arg_strings_pattern: str) -> int:
        """How many words an argument takes; raises BadOption for an option that stands without its value."""
        try:
            return super()._match_argument(action, arg_strings_pattern)
        except argparse.ArgumentError as error:
            if not action.option_strings:
                self.error(str(error))
            text = _("{argument} needs a value: {argument} {value}; {command} --help explains.")
            value = action.metavar or "|".join(map(str, action.choices or ()))
            raise BadOption(say(text, argument=argument_name(action), value=value, command=self.prog)) from None

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

    def refuse(self, unparsed: Sequence[str], game: str | None = None) -> NoReturn:
        """Raise BadOption for words that nothing takes: for the first flag among them, if there is one.

        `game`: the game that was named, whose options and presets may be meant.
        """
        flag = next((word.partition("=")[0] for word in unparsed if word.startswith("-")), None)
        if flag is None:
            text, words = _("{command} doesn't take {words}; {command} --help explains."), " ".join(unparsed)[:80]
            named = [action for action in self._actions if action.metavar and action.help != argparse.SUPPRESS]
            if named and all(action.option_strings for action in self._actions):
                text = _("{command} doesn't take {words} alone; put an option before it, such as {flag}.")
            raise BadOption(say(text, command=self.prog, words=words, flag=argument_name(named[0]) if named else ""))
        if game is not None and "--option" in self.flags():
            typed = [part for word in unparsed for part in word.split("=", 1)]
            check_option_of_game(flag, next(iter(typed[typed.index(flag) + 1 :]), "-"), game)
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
            kinds = cast("type[Parser]", lambda kind, **how: kind(**how))
            names: dict[str, Any] = {"dest": self.dest, "metavar": self.metavar, "prog": self.prog}
            self._below = self.add_subparsers(**names, parser_class=kinds)
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
                formatter.add_arguments([argparse.Action([], name, metavar=name, help=text) for name, text in commands])
                formatter.end_section()
        formatter.start_section(self._optionals.title)
        formatter.add_arguments([action for action in self._actions if action.option_strings])
        formatter.end_section()
        return self.closed(formatter.format_help())


def argument_name(action: argparse.Action) -> str:
    """The name of an argument in a sentence: its long flag, else what the help calls it."""
    flags = [*action.option_strings, str(action.metavar or action.dest)]
    return next((flag for flag in flags if flag.startswith("--")), flags[0])


def quoted(word: Any) -> str:
    """What was typed, in quotation marks and not too long."""
    return repr(word)[:60]


def nearest(word: str, names: Iterable[str]) -> str:
    """The name that is most like a misspelt one; empty if none is."""
    return next(iter(difflib.get_close_matches(word, list(names), 1)), "")


class Version(argparse.Action):
    """Prints the version, and in a checkout its commit."""

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> None:
        """See `argparse.Action`."""
        from hexdeck import __version__
        from hexdeck.engine.discovery.finding import commit

        print(f"hexdeck {__version__}{f', commit {commit()}' if commit() else ''}")
        parser.exit()


# --- the parser of all commands ---------------------------------------------------------------------------------------
def build_parser(catalogue: Catalogue, only_command: str = "") -> Overview:
    """The parser of all commands, or of the wanted one, which takes less time; with help in the catalogue's language.

    Commands are data, see `command_line.Command` and `commands.toml`.
    """
    metavar = plain(catalogue, say("COMMAND"))
    about = catalogue.words(say("Card games to play, to study and to research."))
    parser = Overview(metavar, prog="hexdeck", description=about)
    about = plain(catalogue, say("show the version and exit"))
    parser.add_argument("--version", "-V", action=Version, nargs=0, help=about)
    add_everywhere(parser, catalogue)
    for group, names in GROUPS.items():
        for name in [only_command] if only_command in names else [] if only_command in COMMANDS else names:
            entry = command(name)
            about = plain(catalogue, say(entry.about))
            parser.groups.setdefault(catalogue.words(TITLES[group]), []).append((name, about))
            add_command(parser, entry, catalogue)
    parser.closing = [
        (catalogue.words(say("more about a command")), [f"hexdeck help {metavar}"]),
        (catalogue.words(say("examples")), captioned(EXAMPLES, catalogue)),
        (
            catalogue.words(say("documentation, in the folder of Hexdeck")),
            ["docs/index.md", "docs/howto/it_does_not_work.md"],
        ),
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
    sections: dict[str, argparse._ActionsContainer] = {"": leaf}
    for option in command.options:
        if option.section not in sections:
            sections[option.section] = leaf.add_argument_group(plain(catalogue, say(option.section)))
        option.add(sections[option.section], lambda text: plain(catalogue, text))
    add_everywhere(leaf.add_argument_group(plain(catalogue, say("options of every command"))), catalogue)
    bots = [f"{typed:<19} {catalogue.words(say(about))}" for typed, about in command.bots]
    title = _("BOT can be") if any(option.name == "bots" for option in command.options) else _("NAME can be")
    leaf.closing = [(catalogue.words(say(title)), bots)] if bots else []
    leaf.closing.append((catalogue.words(say("examples")), captioned(command.examples, catalogue)))
    leaf.set_defaults(entry=command, parser=leaf)


def captioned(examples: Iterable[Sequence[str]], catalogue: Catalogue) -> list[str]:
    """Examples, each below its caption, as a shell reads them."""
    return [line for caption, typed in examples for line in (f"# {catalogue.words(say(caption))}", typed)]


def plain(catalogue: Catalogue, text: Text) -> str:
    """A text for argparse, which formats %."""
    return catalogue.words(text).replace("%", "%%")


def add_everywhere(parser: Any, catalogue: Catalogue) -> None:
    """Add `--lang` and `--game-path`, which stand before or after the command."""
    unset, about = argparse.SUPPRESS, say("language, English or Dutch (default: that of your environment)")
    parser.add_argument("--lang", choices=LANGUAGES, default=unset, help=plain(catalogue, about))
    about = say("a game of your own, or a folder of them; can be repeated (default: $HEXDECK_GAME_PATH)")
    settings = {"action": "append", "default": unset, "metavar": plain(catalogue, say("FOLDER"))}
    parser.add_argument("--game-path", **settings, help=plain(catalogue, about))


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
    if name in {"terminal", "browser"}:  # what `make` and README call them
        raise BadOption(
            say(
                _("There is no command {name}: hexdeck play plays at the terminal, hexdeck serve in the browser."),
                name=name,
            )
        )
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


# --- what they name ---------------------------------------------------------------------------------------------------
def check_option_of_game(flag: str, value: str, name: str) -> None:
    """Raise BadOption for a flag that is an option of the game, or a preset of it, with what to type."""
    from hexdeck.engine.discovery.definition import definition, presets

    name = name.partition(SLASH)[0]
    if name not in game_names():
        return
    if key := next((each.name for each in definition(name).rules.OPTIONS if f"--{each.name}" == flag), ""):
        text = _("{name} is an option of the game: write --option {name}={value}.")
        raise BadOption(say(text, name=key, value="VALUE" if value.startswith("-") else shortened(value)))
    entry = next((each for each in presets(name) if flag == "--preset" and each.name.startswith(value)), None)
    if entry is not None and entry.options:
        options = " ".join(f"--option {option}" for option in spelled(name, entry.options))
        raise BadOption(say("Only games of people have a --preset: here write {options}.", options=options))


def parsed_options(pairs: Sequence[str], game: str = "") -> dict[str, str]:
    """A dict of `key=value` pairs, of a game if they are its options; raises BadOption."""
    from hexdeck.engine.discovery.definition import definition

    out = {}
    for pair in pairs:
        key, sign, value = pair.partition("=")
        if not sign:
            for option in definition(game).rules.OPTIONS if game else ():
                if key in option.choices():
                    text = _("{value} isn't an option, but a value of one: write {name}={value}.")
                    raise BadOption(say(text, value=key, name=option.name))
            raise BadOption(say("The option {name} needs a value: {name}=VALUE.", name=shortened(key)))
        if not key:
            raise BadOption(say("{pair} isn't an option; write --option key=value.", pair=repr(pair)))
        out[key.strip()] = value.strip()
    return out


def chosen_seat(number: int | None, players: int) -> int | None:
    """The seat from 0 that people count from 1; None for none. Raises BadOption."""
    if number is not None and not 1 <= number <= players:
        raise BadOption(say("There is no seat {seat}; seats are 1 to {last}.", seat=number, last=players))
    return None if number is None else number - 1


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

    usual, values = usual_game(arguments), vars(arguments)
    preset = values.get("preset") or (first_game(usual.name) if values.get("coach") else "")
    return usual.at_table(usual.name, arguments.players, preset, **chosen_options(usual, arguments))


def chosen_options(usual: Game, arguments: argparse.Namespace) -> dict[str, Any]:
    """The options that the arguments give, in canonical form; raises BadOption."""
    return canonical(usual.name, parsed_options(arguments.option, usual.name))


def canonical(name: str, typed: dict[str, str]) -> dict[str, Any]:
    """The options of a game that were typed, in canonical form; raises BadOption."""
    from hexdeck.engine.discovery.definition import definition
    from hexdeck.engine.options import read_options

    return read_options(definition(name).rules.OPTIONS, typed)


# --- what plays many games --------------------------------------------------------------------------------------------
def check_engine(arguments: argparse.Namespace) -> None:
    """Raise BadOption for an address without Ray, HexdeckError where Ray isn't installed."""
    if arguments.engine == "ray":
        needs("ray", "ray")
    elif arguments.address is not None:
        raise BadOption(say("--{name} goes with --{other}; give that too.", name="address", other="engine ray"))


def chosen_setup(game: GameSetup, arguments: argparse.Namespace) -> SimulationSetup:
    """The simulation of a game with the bots, seed and threads of the arguments; raises BadOption or UnknownBot."""
    from hexdeck.lab.log import SimulationSetup
    from hexdeck.simulation.simulate import check_bots

    check_bots(game, arguments.bots)
    return SimulationSetup(game, tuple(arguments.bots), arguments.seed, arguments.threads)


@contextmanager
def playing(arguments: argparse.Namespace) -> Iterator[Source]:
    """What plays the games that are counted: threads, or a Ray cluster for as long as this context lasts."""
    if arguments.engine == "ray":
        from hexdeck.lab.store import chunks_of, cluster

        with cluster(arguments.address, arguments.threads) as ray:
            yield chunks_of(ray)
    else:
        from hexdeck.lab.counts import chunks

        yield chunks
