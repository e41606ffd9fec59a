"""Commands and their options as data, the options that several commands share, and what their values name."""

from __future__ import annotations

import argparse
import functools
import os
import socket
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import import_module
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from hexdeck.bots.players.names import kept, spoken
from hexdeck.engine.discovery.finding import SLASH, name_of, places
from hexdeck.engine.errors import BadOption, HexdeckError, UnknownGame, shortened
from hexdeck.engine.text import Catalogue, Text, _, say
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
    "str": str, "int": int, "float": float, "path": Path, "game": whole_name, "bot": kept
}  # fmt: skip
THIS_COMPUTER = socket.inet_ntoa(socket.INADDR_LOOPBACK.to_bytes(4))  # `{address}` in the table
METAVARS: dict[Any, str] = {int: "N", Path: _("FILE"), whole_name: _("GAME"), kept: _("NAME")}


class Several(argparse.Action):
    """An option that takes several values and may be repeated: all values are collected."""

    def __call__(self, _parser: Any, namespace: argparse.Namespace, values: Any, _option: Any = None) -> None:
        """Add the values to those before."""
        setattr(namespace, self.dest, [*(getattr(namespace, self.dest) or []), *values])


@dataclass(frozen=True)
class Option:
    """An option of a command, such as `--games`, or an argument, whose name has no dashes.

    `within`: the least and the greatest value. `goes_with`: options one of which it needs. `apart_from`: options that
    can't be given beside it. `written`: it names a file that the command writes.
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

    def add(self, parser: argparse.ArgumentParser, text: Translate) -> None:
        """Declare it to argparse; what isn't given stays None, see `fill`."""
        how: dict[str, Any] = {**HOW[self.takes], "default": None, "help": text(self.help)}
        if self.takes != "nothing":
            how["type"] = self.type
            if metavar := self.metavar or (not self.choices and METAVARS.get(self.type)):
                how["metavar"] = text(say(metavar))
        if self.choices:
            how["choices"] = self.choices
        if self.const is not None:
            how["const"] = self.const
        if self.name.startswith("-") and self.takes in ("several", "any"):
            how["action"] = Several
        parser.add_argument(*filter(None, (self.name, self.short)), **how)

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

    def check(self, arguments: argparse.Namespace, by_dest: Mapping[str, Option]) -> None:
        """Raise BadOption for a value out of range, or beside others that don't go with it; HexdeckError for a file."""
        value, name = getattr(arguments, self.dest), self.name.lstrip("-")
        if self.within is not None and value is not None and not self.within[0] <= value <= self.within[1]:
            text, number = _("--{name} can't be {number}; it takes {least} to {most}."), str(value).removesuffix(".0")
            raise BadOption(say(text, name=name, number=number[:20], least=self.within[0], most=self.within[1]))
        if self.dest not in arguments.given:
            return
        if self.goes_with and not arguments.given.intersection(self.goes_with):
            if len(self.goes_with) == 1:
                raise BadOption(say("--{name} goes with --{other}; give that too.", name=name, other=self.goes_with[0]))
            others = ", ".join(f"--{other}" for other in self.goes_with)
            raise BadOption(say("--{name} goes with one of {others}; give that too.", name=name, others=others))
        for other in self.apart_from:
            if other in arguments.given:
                names = [by_dest[dest].name for dest in by_dest if dest in (self.dest, other)]
                text = _("{one} and {other} don't go together; leave out one of them.")
                raise BadOption(say(text, one=names[0], other=names[1]))
        if self.written and (
            value.is_dir()
            or not value.parent.is_dir()
            or not os.access(value if value.exists() else value.parent, os.W_OK)
        ):
            raise HexdeckError(say("{file} can't be written; name a file in a folder that exists.", file=str(value)))


@dataclass(frozen=True)
class Command:
    """A command: what it is about, its options, what runs it, examples with captions, the packages that it needs.

    `runs`: a function, or its module and name. `commands`: the commands below it, such as `new` and `check` of `game`.
    """

    name: str
    about: str
    options: tuple[Option, ...] = ()
    runs: Callable[[argparse.Namespace, Catalogue], Any] | str = ""
    examples: Sequence[tuple[str, str]] = ()
    needs: Sequence[Sequence[str]] = ()
    commands: tuple[Command, ...] = ()

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
        for one, other in combinations(files, 2):
            if getattr(arguments, one.dest).resolve() == getattr(arguments, other.dest).resolve():
                text = _("{one} and {other} can't be the same file; name two.")
                raise BadOption(say(text, one=one.name, other=other.name))


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


def option(name: str, **own: Any) -> Option:
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
    return Option(name, converted.pop("help"), value_type, default=usual, **converted)


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
    )


# --- what they name ---------------------------------------------------------------------------------------------------
def parsed_options(pairs: Sequence[str]) -> dict[str, str]:
    """A dict of `key=value` pairs; raises BadOption."""
    out = {}
    for pair in pairs:
        key, sign, value = pair.partition("=")
        if not sign:
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
    return canonical(usual.name, parsed_options(arguments.option))


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
