"""What a game consists of, declared and validated once. Nothing else looks into a game's folder for modules.

Two files make a game: `rules.py`, the kernel, and `table.py`, what seats see; it may have others. `engine/contract.py`
lists what each file may define, and the default for what it leaves out. A game is validated when it is first asked for.
If something is wrong, `BrokenGame` says it in one sentence, and no other game is affected.
"""

import functools
import inspect
import json
import re
import sys
import tomllib
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import replace
from importlib import import_module, invalidate_caches
from pathlib import Path
from traceback import extract_tb
from types import ModuleType
from typing import Any

import numpy as np

from hexdeck.engine import defaults
from hexdeck.engine.backends.interpreted import strict
from hexdeck.engine.contract import FILES, MADE, NEEDED, PLAIN, Part, of_file
from hexdeck.engine.discovery.bounded_loading import (
    KINDS,
    TooLate,
    TooSlow,
    calling_itself,
    guarded,
    limited,
    try_out,
    where,
)
from hexdeck.engine.discovery.finding import CLEARED, GAMES, OWN, Place, cleared_by_forget, find_game, places
from hexdeck.engine.errors import BadOption, BrokenGame, HexdeckError, UnknownGame, shortened
from hexdeck.engine.layout import END, HEADER, version_of
from hexdeck.engine.options import Choice, Preset, parse_options
from hexdeck.engine.study import LEGAL, About, Reason, Study
from hexdeck.engine.text import CARD_NAMES, Cards, Seat, Text, Translations, _, card_names, names_from, say
from hexdeck.engine.view import MOST_SEATS, Aside, Caption, Outcome, Stop, Zone, one_step, waiting

MOST_OBSERVED = 512  # numbers of an observation
OPTIONAL = tuple(file for file in FILES if file not in ("rules", "table", "strategy"))
FORK = (
    "fork.toml"  # in a fork's folder: the name of the game that it is `of`, and the `options` that are its own defaults
)


class GameDefinition:
    """A game as all other code sees it: its modules, with defaults for what they leave out.

    `own`: whether it is one of hexdeck's; `left_out`: the parts that its files leave to their defaults; `original`: the
    name of the game that it is a fork of, or "". Modules that most callers don't need are loaded on first use.
    """

    hints: ModuleType  # how results are told to people, and reasons for moves
    bounds: ModuleType | None  # the best and worst results, the greatest length of a match, what numbers can be
    coach: ModuleType | None  # its lessons, if it can be learned by playing
    solver: ModuleType | None  # exact best play
    deck: ModuleType | None  # what is printed on its cards: its cards, score sheet and board on paper

    def __init__(self, location: Place) -> None:
        self.place, self.name, self.folder, self.own = location, location.name, location.folder, location.own
        self.left_out: set[str] = set()
        self.rules, self.table = (_loaded(location, part) for part in ("rules", "table"))
        self.strategy = _loaded(location, "strategy") if self.file("strategy.py") else defaults
        for part in ("rules", "table", "strategy"):
            fill(self, part, getattr(self, part))
        vars(self.table).update(ABOUT=about(self), WORDS=words(self))  # where it is silent
        self.rules.OPTIONS = tuple(  # type: ignore[attr-defined] # a module of a game
            replace(option, words=self.table.WORDS) if isinstance(option, Choice) else option
            for option in self.rules.OPTIONS
        )
        check_rules(self)
        fork = fork_data(self.folder)
        self.original = str(fork.get("of", ""))
        set_defaults(self, fork.get("options", {}))

    def __getattr__(self, part: str) -> ModuleType | None:
        """An optional module, loaded when it is first asked for. Raises BrokenGame."""
        if part not in OPTIONAL:
            raise AttributeError(part)
        module = _loaded(self.place, part) if self.file(f"{part}.py") else None
        if part == "hints" and module is None:
            module = ModuleType(f"{self.place.package}.hints")
        setattr(self, part, fill(self, part, module) if module else None)
        return vars(self)[part]  # type: ignore[no-any-return]

    def load(self) -> None:
        """Load all optional modules that the game has. Raises BrokenGame."""
        for part in OPTIONAL:
            getattr(self, part)

    @property
    def owners(self) -> tuple[str, ...]:
        """The names of the modules whose functions are compiled together."""
        return self.rules.__name__, self.strategy.__name__

    @property
    def struct_version(self) -> int:
        """The version of the struct, which records and tables name."""
        return version_of(self.rules.STRUCT)

    def reason(self, number: int) -> Reason:
        """The reason that `illegal_reason` gives by its number; 0 is for legal moves."""
        reasons: tuple[Reason, ...] = (LEGAL, *self.table.REASONS)
        return reasons[number]

    @property
    def endings(self) -> tuple[Text, ...]:
        """What ends a match, in words, by the number in a struct's `ending`."""
        return say("not over"), *(self.table.WORDS[name] for name in self.rules.ENDINGS[1:])

    @property
    def credits(self) -> tuple[Text, ...]:
        """Who designed the game and, for ours, that this version is unofficial."""
        ours = (say("Unofficial: made from public rules."),) if self.own else ()
        return self.table.ABOUT.credit, *ours

    def file(self, name: str) -> Path | None:
        """The path of a file in the game's folder, or None if there is no such file."""
        path = self.folder / name
        return path if path.is_file() else None


def fork_data(folder: Path) -> dict[str, Any]:
    """What a fork's folder says of it; nothing where the folder is no fork's."""
    file = folder / FORK
    return tomllib.loads(file.read_text(encoding="utf-8")) if file.is_file() else {}


def set_defaults(game: GameDefinition, values: dict[str, Any]) -> None:
    """Give options other defaults. Raises BrokenGame for a bad value, or where they leave too little to play with."""
    rules: Any = game.rules
    if not values:
        return
    try:
        chosen = parse_options(rules.OPTIONS, values)
        for players in range(rules.PLAYERS[0], rules.PLAYERS[1] + 1):
            if refusal := rules.refuse(players, chosen):
                raise BadOption(refusal)
    except BadOption as error:
        raise BrokenGame(say("{game}: {why}", game=game.name, why=error.text)) from error
    rules.OPTIONS = tuple(replace(option, default=chosen[option.name]) for option in rules.OPTIONS)


def definition(name: str) -> GameDefinition:
    """The definition of the game with that canonical name. Raises UnknownGame, or BrokenGame saying what is wrong."""
    location = places().get(name)
    if location is None:
        raise UnknownGame(say("There is no game {name}; there are {there}.", name=name, there=", ".join(places())))
    if location not in CHECKED:
        CHECKED[location] = _checked(location)
    checked = CHECKED[location]
    if isinstance(checked, Text):
        raise BrokenGame(checked)
    return checked


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


def soonest_learned() -> list[str]:
    """The names of all games that work, those first that are learned soonest: by the words of their rules."""
    return sorted(playable(), key=_words_of_rules)


@cleared_by_forget
@functools.cache
def _words_of_rules(name: str) -> int:
    file = definition(name).file("rules.en.md")
    return len(file.read_text(encoding="utf-8").split()) if file else 0


def presets(name: str, players: int | None = None) -> tuple[Preset, ...]:
    """A game's `PRESETS`, or those that can be played with so many players; the first is the default at a table."""
    game = definition(find_game(name))
    preset_list: tuple[Preset, ...] = game.table.PRESETS
    options = game.rules.OPTIONS
    return tuple(
        entry
        for entry in preset_list
        if players is None or game.rules.refuse(players, parse_options(options, entry.options_for(players))) is None
    )


def preset(name: str, beginning: str = "") -> Preset:
    """A game's preset by its name or the beginning of it, the default at a table for ""; raises BadOption."""
    by_name = {entry.name: entry for entry in presets(name)}
    matching = [entry for key, entry in by_name.items() if key.startswith(beginning.strip().lower())]
    if beginning and len(matching) != 1 and beginning not in by_name:
        text = _("There is no preset {name}; there are {there}.")
        raise BadOption(say(text, name=shortened(beginning), there=", ".join(by_name)))
    return by_name.get(beginning) or matching[0]


def first_game(name: str) -> str:
    """The name of the preset that the coach explains; "" for the default at a table."""
    return next((entry.name for entry in presets(name) if entry.first_game), "")


CHECKED: dict[Place, GameDefinition | Text] = {}  # the games that were asked for, or what is wrong with them


def _checked(location: Place) -> GameDefinition | Text:
    """A game's definition, or the sentence that says what is wrong with it. Raises BrokenGame if that isn't certain."""
    try:
        if location.own:
            return GameDefinition(location)
        with limited():
            game = GameDefinition(location)
            game.load()
            check_files(game)
            try_out(game)
            for part in (part for file in GUARDED if getattr(game, file) for part in of_file(file)):
                if part.takes is not None:
                    module = getattr(game, part.file)
                    setattr(module, part.name, guarded(getattr(module, part.name), game.name, game.folder))
    except BrokenGame as error:
        return error.text
    except (Exception, SystemExit, TooSlow) as error:  # a game's files may contain anything
        text = say("{game}: {why}.", game=location.name, why=where(error, location.folder))
        if isinstance(error, TooLate):  # that says little of the game: it is tried again
            raise BrokenGame(text) from error
        return text
    return game


def _loaded(location: Place, part: str) -> ModuleType:
    """Import a module of a game. Raises BrokenGame if it is missing or can't be imported."""
    file = location.folder / f"{part}.py"
    if not file.is_file():
        raise BrokenGame(say("{game}: {file} is missing.", game=location.name, file=str(file)))
    try:
        return import_module(f"{location.package}.{part}")
    except HexdeckError as error:
        raise BrokenGame(error.text) from error
    except (Exception, SystemExit) as error:  # the game's own code may do anything
        text = _("{game}: {file} can't be loaded: {why}.")
        raise BrokenGame(say(text, game=location.name, file=str(file), why=with_line(error, file))) from error


def with_line(error: BaseException, file: Path) -> str:
    """What an error says, and the line of the file where it was raised."""
    lines = [error.lineno] if isinstance(error, SyntaxError) and error.filename == str(file) else []
    lines += [frame.lineno for frame in extract_tb(error.__traceback__) if frame.filename == str(file)]
    message = " ".join(str(error).split()) or type(error).__name__
    return f"{message} (line {lines[-1]})" if lines and "line" not in message else message


def fill(game: GameDefinition, name: str, module: ModuleType) -> ModuleType:
    """Fill in a module's defaults. Raises BrokenGame if a part is missing, or a function takes other arguments."""
    filled = vars(module).setdefault("left_out_", set())
    for part in of_file(name):
        if module is not defaults and part.name not in filled and hasattr(module, part.name):
            check_part(game, part, getattr(module, part.name))
            continue
        game.left_out.add(part.name)
        filled.add(part.name)
        if module is not defaults or part.default is not NEEDED:
            default = part.default
            if default is NEEDED:
                text = say("{game}: {file} defines no {name}.", game=game.name, file=f"{part.file}.py", name=part.name)
                raise BrokenGame(text)
            if default is PLAIN:
                default = getattr(defaults, part.name, None) or DEFAULTS[part.name]
            elif default is MADE:
                default = DEFAULTS[part.name.lower()](game)
            elif isinstance(default, str):
                default = getattr(module, default)
            setattr(module, part.name, default)
    return module


def check_part(game: GameDefinition, part: Part, value: Any) -> None:
    """Raise BrokenGame if a part is a function of other arguments, or a value of another type."""
    file, kind = f"{part.file}.py", KINDS.get(part.gives)
    if part.takes is not None and not takes(value, len(part.arguments)):
        text = _("{game}: {name} in {file} must be a function of {n} arguments.")
        raise BrokenGame(say(text, game=game.name, name=part.name, file=file, n=len(part.arguments)))
    if part.takes is None and kind is not None and not isinstance(value, kind):
        message = _("{game}: {name} in {file} must be a {kind}, not {given}.")
        raise BrokenGame(
            say(message, game=game.name, name=part.name, file=file, kind=part.gives, given=repr(value)[:60])
        )


GUARDED = "table", "hints", "bounds"  # the files that are asked while people play, besides the kernel
COMPILED = {  # what is remembered of machine code and its sources
    "hexdeck.engine.backends.compiler": ("backend",),
    "hexdeck.engine.backends.cache": ("source_hash", "imported", "backend_folder"),
}
READERS: dict[str, Callable[[bytes], object]] = {
    "levels.json": json.loads,
    "manners.json": json.loads,
    "example.json": json.loads,
    "versions.toml": lambda data: tomllib.loads(data.decode()),
    f"locale/{CARD_NAMES}": lambda data: names_from(data.decode()),
    "locale/*/LC_MESSAGES/messages.po": lambda data: Translations.parsed(data.decode()),
}


def check_files(game: GameDefinition) -> None:
    """Raise BrokenGame if one of a game's data files can't be read, or functions of its kernel call themselves."""
    for file in filter(None, map(game.file, ("rules.py", "strategy.py"))):
        if names := calling_itself(file):
            message = _("{game}: functions in {file} can't call each other in a circle: {names}.")
            raise BrokenGame(say(message, game=game.name, file=file.name, names=names))
    for pattern, read in READERS.items():
        for file in game.folder.glob(pattern):
            try:
                read(file.read_bytes())
            except Exception as error:  # each reader has errors of its own
                why = " ".join(str(error).split()) or type(error).__name__
                text = say("{game}: {file} can't be read: {why}.", game=game.name, file=str(file), why=why)
                raise BrokenGame(text) from error


def takes(function: Any, arguments: int) -> bool:
    """Whether something can be called with that many arguments."""
    try:
        inspect.signature(function).bind(*range(arguments))
    except (TypeError, ValueError):
        return False
    return True


def check_rules(game: GameDefinition) -> None:
    """Raise BrokenGame if the values in `rules.py` don't fit together."""
    rules = game.rules
    low, high = rules.PLAYERS if isinstance(rules.PLAYERS, tuple) and len(rules.PLAYERS) == 2 else (0, 0)
    end = max((stop for _start, stop in rules.SLICES.values()), default=0)
    has_header = (getattr(rules.STRUCT, "names", None) or ())[: len(HEADER.names or ())] == HEADER.names
    has_pair = (rules.chance_total is None) == (rules.chance_outcome is None)
    hides = ("conceal" in game.left_out) == ("resample" in game.left_out)
    has_reasons = all(isinstance(reason, Reason) for reason in game.table.REASONS)
    for holds, why in (
        (1 <= low <= high <= MOST_SEATS, say("in rules.py PLAYERS must be the least and the most, from 1 to 15")),
        (has_header, say("in rules.py STRUCT must be made by engine.layout.struct")),
        (len({*rules.ACTIONS}) == len(rules.ACTIONS) > 0, say("in rules.py ACTIONS must be different names")),
        (len({*rules.OUTCOMES}) == len(rules.OUTCOMES), say("in rules.py OUTCOMES must be different names")),
        (0 < end <= MOST_OBSERVED, say("in rules.py SLICES must have 1 to {most} numbers", most=MOST_OBSERVED)),
        (has_pair, say("in rules.py chance_total and chance_outcome go together")),
        (hides, say("in rules.py conceal and resample go together; a game without secrets has neither")),
        (has_reasons, say("REASONS in table.py must be Reasons, each with a rule and a sentence")),
    ):
        if not holds:
            raise BrokenGame(say("{game}: {why}.", game=game.name, why=why))


def forget(name: str = "") -> None:
    """Forget all games found so far, or one of them, since those from outside may have been added or changed."""
    card_names.cache_clear()
    for cached in CLEARED:
        cached.cache_clear()
    invalidate_caches()
    for module, functions in COMPILED.items():
        for function in functions if module in sys.modules else ():
            getattr(sys.modules[module], function).cache_clear()
    for location in [location for location in CHECKED if name in ("", location.name)]:
        del CHECKED[location]
    within = f"{GAMES}.{name.replace('-', '_')}"
    if not name:
        search = import_module(GAMES).__path__
        search[:] = [folder for folder in search if folder == str(OWN)]
    for module in [loaded for loaded in sys.modules if f"{loaded}.".startswith(f"{within}." if name else within)]:
        file = getattr(sys.modules[module], "__file__", None)
        if file and not Path(file).is_relative_to(OWN):
            del sys.modules[module]


# --- defaults of `table` and `hints`, by the names of their parts: those that are `MADE` take the definition ----------
NO_CREDIT = say("The game doesn't say who designed it.")


def literal(text: str) -> Text:
    """A game's own words as a text that is in no catalogue."""
    return Text(text.replace("{", "{{").replace("}", "}}"))


def about(game: GameDefinition) -> About:
    """The name of the game's folder, and the first paragraph of its rules' docstring."""
    paragraph = " ".join(inspect.cleandoc(game.rules.__doc__ or "").partition("\n\n")[0].split())
    declared: About = vars(game.table).get("ABOUT") or About()
    return replace(
        declared,
        title=declared.title or literal(game.name.replace("-", " ").title()),
        text=declared.text or literal(paragraph),
        tagline=declared.tagline or literal(re.split(r"(?<=[.!?])\s", paragraph)[0]),
        credit=declared.credit or NO_CREDIT,
        deal=declared.deal or say("Deal"),
    )


def words(game: GameDefinition) -> dict[str, Text]:
    """Names as they are written."""
    values = {value for option in game.rules.OPTIONS if isinstance(option, Choice) for value in option.values}
    names = sorted({*values, *game.rules.ENDINGS[1:]})
    declared: dict[str, Text] = vars(game.table).get("WORDS", {})
    return {name: literal(name) for name in names} | declared


def reasons(_game: GameDefinition) -> tuple[Reason, ...]:
    """One reason: the rules don't allow the move now."""
    return (Reason("", say("The rules don't allow that now.")),)


def prompt(s: Any, seat: int) -> Text:
    """What the table is waiting for, as told to a seat."""
    if seat >= 0 and s.acting >> seat & 1:
        return say("It is your move.")
    return waiting(s, say("Waiting for the others."))


def caption(game: GameDefinition) -> Callable[[Stop, int], Caption | None]:
    """An event is one step, told by the label of its move and by what comes to light in zones."""
    table = game.table

    def single(stop: Stop, seat: int) -> Caption | None:
        if stop.kind != END:
            return None
        old, new = table.zones(stop.before, seat), table.zones(stop.now, seat)
        before = {zone.id: zone for zone in old}
        lines = [moved(table, stop, seat)] if stop.actor >= 0 else []
        for zone in new:
            lines += changes(before.get(zone.id, zone), zone, seat, skipped=seat == stop.actor)
        return one_step(old, new, tuple(lines)) if lines else None

    return single


def moved(table: ModuleType, stop: Stop, seat: int) -> Text:
    """The player who moves is told the move's label; the others only that there was a move, unless moves are public."""
    if seat == stop.actor:
        return say("You: {move}", move=table.label(stop.before, seat, stop.action))
    if stop.action < 0:
        return say("{seat} has moved.", seat=Seat(stop.actor))
    label = table.label(stop.before, stop.actor, stop.action)
    return say("{seat}: {move}", seat=Seat(stop.actor), move=label)


def changes(old: Zone, new: Zone, seat: int, *, skipped: bool) -> Iterator[Text]:
    """A zone's new cards, owner by owner, and its count if that has changed. Hands are left out.

    `skipped`: also leave out the cards of `seat`, who has just read which move it made.
    """
    if new.shape != "fan":
        come = cards_of(new) - cards_of(old)
        for owner in dict.fromkeys(owner for owner, _ in come):
            cards = Cards(tuple(card for (holder, card), n in come.items() if holder == owner for _ in range(n)))
            if not (skipped and owner == seat):
                yield line(owner, seat, new, cards)
    if new.count is not None and new.count != old.count:
        yield line(new.seat, seat, new, new.count)


def cards_of(zone: Zone) -> Counter[tuple[int | None, str]]:
    """The face-up cards of a zone, each with its owner."""
    owners = zone.owners or (zone.seat,) * len(zone.cards)
    return Counter((owner, card) for owner, card in zip(owners, zone.cards, strict=True) if card)


def line(owner: int | None, seat: int, zone: Zone, contents: Cards | int) -> Text:
    """A line of the log for a seat: whose zone it is, its title, and what is in it."""
    if owner is None:
        return say("{zone}: {what}", zone=zone.title, what=contents)
    player = say("You") if owner == seat else Seat(owner)
    return say("{who}: {zone} {what}", who=player, zone=zone.title, what=contents)


def outcome(game: GameDefinition) -> Callable[[Any, int], Outcome]:
    """How a match ended for each seat, told from its returns."""

    def outcome_of(s: Any, _seat: int) -> Outcome:
        out = np.zeros(game.rules.PLAYERS[1])
        game.rules.returns(s, strict(out))
        utilities = out[: s.seats].tolist()
        shared = utilities.count(max(utilities)) > 1
        return Outcome([result_text(utility, utility == max(utilities), shared) for utility in utilities])

    return outcome_of


def result_text(result: float, best: bool, shared: bool) -> Text:
    """How a match ended for a seat."""
    number = f"{result:g}"
    if best and shared:
        return say("shared the first place ({number})", number=number)
    return say("won ({number})", number=number) if best else say("lost ({number})", number=number)


def tallies(_s: Any) -> list[Any]:
    """No score sheet."""
    return []


def nobody_decides(_s: Any, _seat: int) -> bool:
    """Whoever is to act has a decision to make."""
    return False


def asides(_s: Any, _seat: int) -> tuple[Aside, ...]:
    """Nothing is said of others beside the moves."""
    return ()


def because(_s: Any, _seat: int, _action: int, _worlds: Any) -> None:
    """No reason for a move is known."""


def study(_game: GameDefinition) -> Study:
    """Results as the rules return them; nothing else is known."""
    return Study()


DEFAULTS: dict[str, Callable[..., Any]] = {
    function.__name__: function
    for function in (about, words, reasons, prompt, caption, outcome, tallies, nobody_decides, asides, because, study)
}
