"""What a game consists of, declared and validated once. Nothing else looks into a game's folder for modules.

Two files make a game: `rules.py`, the kernel, and `table.py`, what seats see. `CONTRACT` lists what each file defines
and the default for what it leaves out; `OPTIONAL` lists further files that a game may have. A game is validated when it
is first asked for. If something is wrong, `BrokenGame` says it in one sentence, and no other game is affected.
"""

from __future__ import annotations

import functools
import gettext
import inspect
import io
import json
import sys
import tomllib
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

from hexdeck.engine.discovery import default_rules, default_table
from hexdeck.engine.discovery.finding import GAMES, OWN, Place, find_game, places, places_on
from hexdeck.engine.discovery.trial import limited, try_out, where
from hexdeck.engine.errors import BrokenGame, HexdeckError, UnknownGame
from hexdeck.engine.layout import HEADER
from hexdeck.engine.renamed import is_now
from hexdeck.engine.text import Text, say
from hexdeck.engine.view import MOST_SEATS

NEEDED = object()  # there is no default: the game must define it
MOST_OBSERVED = 512  # numbers of an observation


@dataclass(frozen=True)
class Part:
    """Something that a game's file defines: a function with that many arguments, or a value.

    `default`: what is used if the file leaves it out; `made`: a function that makes a default from the game's modules;
    `kind`: the type of a value; `was`: its name in earlier versions.
    """

    name: str
    arguments: int | None = None
    default: Any = NEEDED
    made: Callable[..., Any] | None = None
    kind: type | None = None
    was: str = ""


CONTRACT: dict[str, tuple[Part, ...]] = {
    "rules": (
        Part("PLAYERS"), Part("STRUCT"), Part("ACTIONS"), Part("OUTCOMES"), Part("SLICES"),
        Part("SEATS", made=lambda it: it.rules.PLAYERS[1]), Part("STRUCT_VERSION", default=1),
        Part("OPTIONS", default=()), Part("ADDED", default={}), Part("ENDINGS", default=("", "over")),
        Part("REASONS", default=("", "")),
        Part("PERFECT_INFORMATION", default=False), Part("refuse", 2, default=default_rules.nothing_refused),
        Part("start", 1), Part("chance_weights", 2, was="chance"), Part("chance_total", 1, default=None),
        Part("chance_outcome", 2, default=None), Part("apply_chance", 2, was="happen"),
        Part("legal_actions", 3, was="legal"), Part("illegal_reason", 3, was="forbids"),
        Part("apply_action", 3, was="apply"), Part("returns", 2), Part("conceal", 2), Part("observe", 3),
        Part("resample", 3, was="redeal"),
        Part("clear_hidden_choices", 2, default=default_rules.no_hidden_choices, was="recall"),
        Part("take_back", 1, default=default_rules.nothing_taken_back),
        Part("inventory", 1, default=None),
    ),
    "table": (
        Part("TITLE", kind=Text), Part("zones", 2), Part("label", 3),
        Part("ABOUT", made=lambda it: default_table.summary(it.rules), kind=Text),
        Part("TAGLINE", made=lambda it: default_table.tagline(it.rules), kind=Text),
        Part("CREDIT", default=default_table.NO_CREDIT, kind=Text),
        Part("WHY", made=lambda it: default_table.reasons(it.rules)),
        Part("ENDED", made=lambda it: default_table.endings(it.rules)), Part("VALUES", default={}),
        Part("DEAL", default=say("Deal"), kind=Text), Part("PRESET", default={}, kind=dict),
        Part("MEASURED", default={}, kind=dict),
        Part("MINUTES", default=None), Part("MOVES_ARE_PUBLIC", default=False),
        Part("prompt", 2, default=default_table.prompt),
        Part("narrate", 3, made=lambda it: default_table.narrator(it.rules, it.table), was="tell"),
        Part("outcome_texts", 1, made=lambda it: default_table.results(it.rules), was="fates"),
        Part("tallies", 1, default=default_table.no_tallies), Part("as_single_deal", 1, default=None, was="alone"),
        Part("teams", 1, default=default_table.no_teams, was="sides"),
        Part("no_winner", 1, default=default_table.a_winner, was="nobody_won"),
        Part("won_by", 1, default=default_table.not_counted),
        Part("decided_by", 2, default=default_table.nothing_more),
        Part("nobody_decides", 2, default=default_table.always_decided),
        Part("asides", 2, default=default_table.no_asides),
        Part("spot", 3, default=default_table.no_cell),
        Part("beats", 4, made=lambda it: default_table.single_beats(it.table)),
    ),
    "strategy": (
        Part("choose", 5), Part("gentle", 5, made=lambda it: it.strategy.choose),
        Part("surprises", 2, default=default_rules.nothing_surprising), Part("HORIZON", default=None),
        Part("guess", 5, default=None),
    ),
    "hints": (
        Part("measure", 1, default=default_table.result), Part("because", 4, default=default_table.no_reason),
        Part("starting", 1, default=default_table.start_not_said),
        Part("accounts", 1, default=default_table.no_accounts), Part("CARD_NAMES", default={}, kind=dict),
        Part("lacking", 1, default=default_table.nothing_lacks), Part("PROBES", default=(), kind=tuple),
        Part("EVENING", default=None), Part("MANNERS", default=(), kind=tuple),
        Part("EASY_ERRORS", default=(), kind=tuple),
    ),
    "bounds": (Part("bounds", 2), Part("lengths", 2), Part("limits", 1, default=default_table.no_limits)),
    "coach": (
        Part("LESSONS"), Part("AIM"), Part("scored", 2), Part("aspect", 2, default=default_table.no_aspect),
    ),
    "solver": (Part("is_quick", 1, default=default_table.always_quick),),
    "deck": (
        Part("sheets", 0, default=default_table.no_sheets), Part("printed", 0, default=default_table.nothing_printed),
        Part("SCORE_SHEET", default=None), Part("BOARD", default=None),
    ),
}  # fmt: skip
OPTIONAL = "hints", "bounds", "coach", "solver", "deck"
SECRETS = "conceal", "resample"


class GameDefinition:
    """A game as all other code sees it: its modules, with defaults for what they leave out.

    `own`: whether it is one of hexdeck's. Modules that most callers don't need are loaded on first use.
    """

    def __init__(self, place: Place) -> None:
        self.place, self.name, self.folder, self.own = place, place.name, place.folder, place.own
        self.rules, self.table = (_loaded(place, part) for part in ("rules", "table"))
        self.strategy = _loaded(place, "strategy") if self.file("strategy.py") else default_rules
        check_information(self)
        for part in ("rules", "table", "strategy"):
            fill(self, part, getattr(self, part))
        vars(self.table)["VALUES"] = default_table.values(self.rules, self.table.VALUES)
        check_rules(self)

    @functools.cached_property
    def hints(self) -> ModuleType:
        """How results are told to people, and reasons for moves."""
        return self._optional("hints") or fill(self, "hints", ModuleType(f"{self.place.package}.hints"))

    @functools.cached_property
    def bounds(self) -> ModuleType | None:
        """The best and worst results, the greatest length of a match, what numbers can be; if the game says them."""
        return self._optional("bounds")

    @functools.cached_property
    def coach(self) -> ModuleType | None:
        """Its lessons, if it can be learned by playing."""
        return self._optional("coach")

    @functools.cached_property
    def solver(self) -> ModuleType | None:
        """Exact best play, if the game has a solver."""
        return self._optional("solver")

    @functools.cached_property
    def deck(self) -> ModuleType | None:
        """What is printed on its cards: tables for its rules page, and its cards, score sheet and board on paper."""
        return self._optional("deck")

    def _optional(self, part: str) -> ModuleType | None:
        return fill(self, part, _loaded(self.place, part)) if self.file(f"{part}.py") else None

    def load(self) -> None:
        """Load all optional modules that the game has. Raises BrokenGame."""
        for part in OPTIONAL:
            getattr(self, part)

    @property
    def owners(self) -> tuple[str, ...]:
        """The names of the modules whose functions are compiled together."""
        return self.rules.__name__, self.strategy.__name__

    @property
    def credits(self) -> tuple[Text, ...]:
        """Who designed the game and, for ours, that this version is unofficial."""
        ours = (say("Unofficial: made from public rules."),) if self.own else ()
        return self.table.CREDIT, *ours

    def file(self, name: str) -> Path | None:
        """The path of a file in the game's folder, or None if there is no such file."""
        path = self.folder / name
        return path if path.is_file() else None


def definition(name: str) -> GameDefinition:
    """The definition of the game with that canonical name. Raises UnknownGame, or BrokenGame saying what is wrong."""
    place = places().get(name)
    if place is None:
        raise UnknownGame(say("There is no game {name}; there are {there}.", name=name, there=", ".join(places())))
    found = _checked(place)
    if isinstance(found, Text):
        raise BrokenGame(found)
    return found


def wrong_with(name: str) -> Text | None:
    """What is wrong with a game that was found, or None."""
    try:
        definition(name)
    except BrokenGame as error:
        return error.text
    return None


def playable() -> tuple[str, ...]:
    """The names of all games that work."""
    return tuple(name for name in places() if wrong_with(name) is None)


def measured_with(name: str) -> dict[str, Any]:
    """The options that the measurements stored with a game were made with: the defaults.

    Defaults that can be edited, such as what is printed on cards, may have changed since; the table's `MEASURED` has
    the values of that time.
    """
    game = definition(name)
    return {option.name: option.default for option in game.rules.OPTIONS} | dict(game.table.MEASURED)


def preset(name: str) -> dict[str, Any]:
    """A game's `PRESET`: options that differ from the defaults at tables, unless somebody chooses others."""
    return dict(definition(find_game(name)).table.PRESET)


@functools.cache
def _checked(place: Place) -> GameDefinition | Text:
    """A game's definition, or the sentence that says what is wrong with it."""
    try:
        if place.own:
            return GameDefinition(place)
        with limited():
            made = GameDefinition(place)
            made.load()
            check_files(made)
            try_out(made)
    except BrokenGame as error:
        return error.text
    except (Exception, SystemExit) as error:  # a game's files may contain anything
        return say("{game}: {why}.", game=place.name, why=where(error, place.folder))
    return made


def _loaded(place: Place, part: str) -> ModuleType:
    """Import a module of a game. Raises BrokenGame if it is missing or can't be imported."""
    file = place.folder / f"{part}.py"
    if not file.is_file():
        raise BrokenGame(say("{game}: {file} is missing.", game=place.name, file=str(file)))
    try:
        return import_module(f"{place.package}.{part}")
    except HexdeckError as error:
        raise BrokenGame(error.text) from error
    except (Exception, SystemExit) as error:  # the game's own code may do anything
        text = say(
            "{game}: {file} can't be loaded: {why}.", game=place.name, file=str(file), why=with_line(error, file)
        )
        raise BrokenGame(text) from error


def with_line(error: BaseException, file: Path) -> str:
    """What an error says, and the line of the file where it was raised."""
    at = error.__traceback__
    lines = [error.lineno] if isinstance(error, SyntaxError) and error.filename == str(file) else []
    while at:
        if at.tb_frame.f_code.co_filename == str(file):
            lines.append(at.tb_lineno)
        at = at.tb_next
    said = " ".join(str(error).split()) or type(error).__name__
    return f"{said} (line {lines[-1]})" if lines and "line" not in said else said


def check_information(made: GameDefinition) -> None:
    """Fill in `conceal` and `resample` for a game of perfect information. Raises BrokenGame if another lacks them."""
    if getattr(made.rules, "PERFECT_INFORMATION", False):
        vars(made.rules).setdefault("conceal", default_rules.nothing_hidden)
        vars(made.rules).setdefault("resample", default_rules.nothing_unknown)
    missing = [name for name in SECRETS if not hasattr(made.rules, name)]
    if missing:
        text = say("{game}: rules.py defines no {names}; a game without secrets says PERFECT_INFORMATION = True.",
                   game=made.name, names=" and no ".join(missing))  # fmt: skip
        raise BrokenGame(text)


def fill(made: GameDefinition, name: str, module: ModuleType) -> ModuleType:
    """Fill in a module's defaults. Raises BrokenGame if a part is missing, or a function takes other arguments."""
    file = f"{name}.py"
    for part in CONTRACT[name]:
        if not hasattr(module, part.name):
            if part.was and hasattr(module, part.was):
                now = is_now(part.was, part.name)
                raise BrokenGame(say("{game}: {file}: {why}", game=made.name, file=file, why=now))
            if part.default is NEEDED and part.made is None:
                raise BrokenGame(say("{game}: {file} defines no {name}.", game=made.name, file=file, name=part.name))
            setattr(module, part.name, part.made(made) if part.made else part.default)
        found = getattr(module, part.name)
        if part.arguments is not None and found is not part.default and not takes(found, part.arguments):
            text = say("{game}: {name} in {file} must be a function of {n} arguments.",
                       game=made.name, name=part.name, file=file, n=part.arguments)  # fmt: skip
            raise BrokenGame(text)
        if part.kind is not None and not isinstance(found, part.kind):
            kind, given = part.kind.__name__, repr(found)[:60]
            text = say("{game}: {name} in {file} must be a {kind}, not {given}.",
                       game=made.name, name=part.name, file=file, kind=kind, given=given)  # fmt: skip
            raise BrokenGame(text)
    return module


COMPILED = {  # what is remembered of machine code and its sources
    "hexdeck.engine.backends.compiler": ("backend",),
    "hexdeck.engine.backends.sources": ("source_hash", "imported"),
    "hexdeck.engine.backends.cache": ("backend_folder",),
}
READERS: dict[str, Callable[[bytes], object]] = {
    "levels.json": json.loads, "manners.json": json.loads, "example.json": json.loads,
    "versions.toml": lambda data: tomllib.loads(data.decode()),
    "locale/*/LC_MESSAGES/messages.mo": lambda data: gettext.GNUTranslations(io.BytesIO(data)),
}  # fmt: skip


def check_files(made: GameDefinition) -> None:
    """Raise BrokenGame if one of a game's data files can't be read."""
    for pattern, read in READERS.items():
        for file in made.folder.glob(pattern):
            try:
                read(file.read_bytes())
            except Exception as error:  # each reader has errors of its own
                why = " ".join(str(error).split()) or type(error).__name__
                text = say("{game}: {file} can't be read: {why}.", game=made.name, file=str(file), why=why)
                raise BrokenGame(text) from error


def takes(found: Any, arguments: int) -> bool:
    """Whether something can be called with that many arguments."""
    try:
        inspect.signature(found).bind(*range(arguments))
    except (TypeError, ValueError):
        return False
    return True


def check_rules(made: GameDefinition) -> None:
    """Raise BrokenGame if the values in `rules.py` don't fit together."""
    rules = made.rules
    low, high = rules.PLAYERS if isinstance(rules.PLAYERS, tuple) and len(rules.PLAYERS) == 2 else (0, 0)
    end = max((stop for _start, stop in rules.SLICES.values()), default=0)
    header = getattr(rules.STRUCT, "names", None) or ()
    for holds, why in (
        (1 <= low <= high <= MOST_SEATS, say("in rules.py PLAYERS must be the least and the most, from 1 to 15")),
        (high <= rules.SEATS <= MOST_SEATS, say("in rules.py SEATS must be at least the most players, and at most 15")),
        (
            header[: len(HEADER.names or ())] == HEADER.names,
            say("in rules.py STRUCT must be made by engine.layout.struct"),
        ),
        (len({*rules.ACTIONS}) == len(rules.ACTIONS) > 0, say("in rules.py ACTIONS must be different names")),
        (len({*rules.OUTCOMES}) == len(rules.OUTCOMES), say("in rules.py OUTCOMES must be different names")),
        (0 < end <= MOST_OBSERVED, say("in rules.py SLICES must have 1 to {most} numbers", most=MOST_OBSERVED)),
        (
            (rules.chance_total is None) == (rules.chance_outcome is None),
            say("in rules.py chance_total and chance_outcome go together"),
        ),
        (rules.REASONS[:1] == ("",), say("in rules.py REASONS must begin with an empty name, for what is legal")),
        (len(made.table.WHY) == len(rules.REASONS), say("WHY in table.py needs a sentence for each of REASONS")),
        (len(made.table.ENDED) == len(rules.ENDINGS), say("ENDED in table.py needs a sentence for each of ENDINGS")),
    ):
        if not holds:
            raise BrokenGame(say("{game}: {why}.", game=made.name, why=why))


def forget() -> None:
    """Forget all games found so far, since games from outside may have been added, changed or removed."""
    places_on.cache_clear()
    _checked.cache_clear()
    for module, functions in COMPILED.items():
        for function in functions if module in sys.modules else ():
            getattr(sys.modules[module], function).cache_clear()
    search = import_module(GAMES).__path__
    search[:] = [each for each in search if each == str(OWN)]
    for name in [name for name in sys.modules if name.startswith(f"{GAMES}.")]:
        file = getattr(sys.modules[name], "__file__", None)
        if file and not Path(file).is_relative_to(OWN):
            del sys.modules[name]
