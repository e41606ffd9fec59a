"""How rules that somebody writes are loaded, in a folder of the game path: no loop of theirs goes on for ever.

Each loop counts its turns (`endless.count_turn`), in compiled code as interpreted, but what only a solver uses, which
may take long; functions of the kernel that call themselves, directly or not, are refused; and what a function raises is
told with its place.
"""

from __future__ import annotations

import ast
import ctypes
import functools
import random
import re
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from pathlib import Path
from symtable import SymbolTable, symtable
from traceback import extract_tb
from types import CodeType, ModuleType
from typing import TYPE_CHECKING, Any

import numpy as np

from hexdeck.engine.backends.interpreted import StopMark, marking_class, proxy_class, strict
from hexdeck.engine.contract import FILES, NAMED
from hexdeck.engine.discovery.finding import GAMES, OWN
from hexdeck.engine.errors import BrokenGame, HexdeckError, RuleFault
from hexdeck.engine.layout import END
from hexdeck.engine.options import Choice, Number, Preset, Switch, parse_options
from hexdeck.engine.random import generator
from hexdeck.engine.study import About, Bounds, ResultUnit, Study
from hexdeck.engine.text import Text, _, say
from hexdeck.engine.view import Caption, Event, Outcome, Stop, Zone

if TYPE_CHECKING:
    from hexdeck.engine.discovery.definition import GameDefinition


SOLVER = "solver.py"
COMPILED = ("rules.py", "strategy.py")
COUNT, COUNTED = "count_turn_", "counted_"
START = f"turns_ = 0\nfrom hexdeck.engine.endless import count_turn as {COUNT}, counted as {COUNTED}"
TURN = f"turns_ = {COUNT}(turns_)"


class BoundedLoops(ast.NodeTransformer):
    """Counts the turns of all loops of a function together, and those of each expression that goes through something.

    `compiled`: lists aren't counted, since the compiler knows them only as they are; they end, for want of memory.
    """

    def __init__(self, *, compiled: bool) -> None:
        self.compiled = compiled

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        """A function with loops: none have turned when it begins."""
        if any(isinstance(each, ast.While | ast.For) for each in ast.walk(node)):
            node.body[ast.get_docstring(node) is not None : 0] = at(node, START)[:1]
        return self.generic_visit(node)

    def visit_While(self, node: ast.While | ast.For) -> ast.AST:
        """A loop."""
        self.generic_visit(node)
        node.body[:0] = at(node, TURN)
        return node

    visit_For = visit_While  # noqa: N815 - ast's name

    def visit_ListComp(self, node: ast.ListComp) -> ast.AST:
        """A list of what an expression gives."""
        return self.generic_visit(node) if self.compiled else self.visit_GeneratorExp(node)

    def visit_GeneratorExp(self, node: Any) -> ast.AST:
        """An expression that goes through something."""
        self.generic_visit(node)
        for each in node.generators:
            name = ast.copy_location(ast.Name(COUNTED, ast.Load()), each.iter)
            each.iter = ast.copy_location(ast.Call(name, [each.iter], []), each.iter)
        return node  # type: ignore[no-any-return]

    visit_SetComp = visit_DictComp = visit_GeneratorExp  # noqa: N815


def at(node: ast.AST, text: str) -> list[ast.stmt]:
    """Statements that stand where a node does."""
    statements = ast.parse(text).body
    for each in (part for statement in statements for part in ast.walk(statement)):
        if isinstance(each, ast.stmt | ast.expr | ast.alias):
            ast.copy_location(each, node)
            each.end_lineno, each.end_col_offset = each.lineno, each.col_offset
    return statements


class BoundedLoader(SourceFileLoader):
    """Loads a module from its source; what it is compiled to isn't kept."""

    def get_code(self, fullname: str) -> CodeType | None:
        """The code of the module."""
        path = self.get_filename(fullname)
        compiled = Path(path).name in COMPILED
        tree = BoundedLoops(compiled=compiled).visit(ast.parse(self.get_data(path), path))
        first = (ast.get_docstring(tree) is not None) + sum(
            isinstance(each, ast.ImportFrom) and each.module == "__future__" for each in tree.body
        )
        tree.body[first:first] = at(ast.Constant(0, lineno=1, col_offset=0), START)
        return compile(tree, path, "exec", dont_inherit=True)


class BoundedFinder:
    """Finds the modules of games on the game path."""

    @staticmethod
    def find_spec(name: str, path: Sequence[str] | None = None, _target: ModuleType | None = None) -> ModuleSpec | None:
        """Where a module is; None for all others."""
        if path is None or not name.startswith(f"{GAMES}.") or all(Path(folder).is_relative_to(OWN) for folder in path):
            return None
        spec = PathFinder.find_spec(name, path)
        file = Path(spec.origin) if spec and spec.origin else None
        if spec is None or file is None or file.suffix != ".py" or file.is_relative_to(OWN) or solves(file):
            return None
        spec.loader = BoundedLoader(name, str(file))
        return spec


def solves(file: Path) -> bool:
    """Whether a file is a game's solver, or only that uses it."""
    if file.stem in FILES:
        return file.name == SOLVER
    uses = re.compile(rf"^\s*(from|import)\b.*\b{file.stem}\b".encode(), re.MULTILINE)
    return [each.name for each in file.parent.glob("*.py") if each.is_file() and uses.search(each.read_bytes())] == [
        SOLVER
    ]


sys.meta_path.insert(0, BoundedFinder)


def calling_itself(file: Path) -> str:
    """The functions of a file that call each other in a circle, the first with its line; "" for none."""
    scopes = symtable(file.read_text(encoding="utf-8"), str(file), "exec").get_children()
    functions = {scope.get_name(): scope for scope in scopes if scope.get_type() == "function"}
    called = {name: [each for each in names_outside(scope) if each in functions] for name, scope in functions.items()}
    done = set[str]()

    def circle(name: str, callers: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
        if name in callers:
            yield (*callers[callers.index(name) :], name)
        elif name not in done:
            for each in called[name]:
                yield from circle(each, (*callers, name))
            done.add(name)

    names = next((found for name in functions for found in circle(name, ())), ())
    return f"{' calls '.join(names)} (line {functions[names[0]].get_lineno()})" if names else ""


def names_outside(scope: SymbolTable) -> Iterator[str]:
    """The names that a function, or one in it, takes from its module."""
    yield from (symbol.get_name() for symbol in scope.get_symbols() if symbol.is_global())
    for inner in scope.get_children():
        yield from names_outside(inner)


def guarded(function: Callable[..., Any], game: str, folder: Path) -> Callable[..., Any]:
    """A function of a game that raises RuleFault, with the place, whatever is wrong."""

    @functools.wraps(function)
    def careful(*arguments: Any) -> Any:
        try:
            return function(*arguments)
        except HexdeckError:
            raise
        except Exception as error:
            raise RuleFault(say("{game}: {why}.", game=game, why=where(error, folder))) from error

    return careful


# --- trial matches ----------------------------------------------------------------------------------------------------
STEPS = 400  # at most; the match need not reach its end
SEEDS, TRIES = 3, 20
SECONDS, PATIENCE = 30.0, 300.0  # of the processor, that a game's code may take until it is known to work; by the clock
LOOKS = 1.0  # seconds, at least, until it is looked at again
ENOUGH = 1.0  # seconds of processor after which a trial match needn't go on
UNWRITTEN = -7  # what weights are before the rules write them
KINDS: dict[str, type] = {
    each.__name__: each for each in (Text, Zone, About, Caption, Study, Outcome, Bounds, dict, tuple)
}  # what parts give, by the name that the contract has for it


def try_out(game: GameDefinition) -> None:
    """Play a few random matches and call everything that a game is asked for.

    Raises BrokenGame if anything is wrong, and whatever the game's own code raises.
    """
    names = [getattr(preset, "name", "") for preset in game.table.PRESETS]
    if not (names and all(isinstance(preset, Preset) for preset in game.table.PRESETS) and len({*names}) == len(names)):
        text = say("PRESETS in table.py must be one Preset or more, each with a name of its own")
        raise BrokenGame(say("{game}: {why}.", game=game.name, why=text))
    for preset in game.table.PRESETS:
        for players in range(game.rules.PLAYERS[0], game.rules.PLAYERS[1] + 1):
            parse_options(game.rules.OPTIONS, preset.options_for(players))
    for seed in range(SEEDS):
        Trial(game, random.Random(seed)).play()


def each_alone(game: GameDefinition) -> Iterator[tuple[str, Trial]]:
    """A match with each option at its extremes, all else as usual, and how the option is set; as far as it is played.

    It is for the fewest players.
    """
    for option in game.rules.OPTIONS:
        values = option.values if isinstance(option, Choice) else (True, False) * isinstance(option, Switch)
        for value in (option.low, option.high) if isinstance(option, Number) else values:
            chosen = {each.name: each.default for each in game.rules.OPTIONS} | {option.name: value}
            if value != option.default and game.rules.refuse(game.rules.PLAYERS[0], chosen) is None:
                yield f"{option.name}={option.spell(value)}", Trial(game, random.Random(0), chosen)


class TooSlow(BaseException):
    """A game's code took longer than SECONDS of the processor."""

    def __str__(self) -> str:
        return f"it takes more than {SECONDS:.0f} seconds; perhaps a loop has no end"


class TooLate(TooSlow):
    """A game's code took longer than PATIENCE by the clock: it waits for something, or the computer is busy."""

    def __str__(self) -> str:
        return f"it isn't done after {PATIENCE:.0f} seconds; perhaps this computer is busy"


def thread_clock() -> Callable[[], float]:
    """The time that this thread has taken of the processor, also for others; where systems don't say, all threads'."""
    if not hasattr(time, "pthread_getcpuclockid"):
        return time.process_time
    return functools.partial(time.clock_gettime, time.pthread_getcpuclockid(threading.get_ident()))


@contextmanager
def limited() -> Iterator[None]:
    """Raise TooSlow in this thread, whatever Python code it runs, if that takes longer than SECONDS; TooLate."""
    thread, clock = ctypes.c_ulong(threading.get_ident()), thread_clock()
    ended, ending = threading.Event(), threading.Lock()
    until, late = clock() + SECONDS, time.monotonic() + PATIENCE

    def watch() -> None:
        while not ended.wait(max(LOOKS, until - clock())):
            why = TooSlow if clock() >= until else TooLate if time.monotonic() >= late else None
            with ending:
                if why is not None and not ended.is_set():
                    ctypes.pythonapi.PyThreadState_SetAsyncExc(thread, ctypes.py_object(why))
                    return

    threading.Thread(target=watch, daemon=True).start()
    try:
        yield
    finally:
        with ending:
            ended.set()


def where(error: BaseException, folder: Path) -> str:
    """What an error says, and the innermost place in the game's folder where it occurred."""
    message = " ".join(str(error).split()) or type(error).__name__
    for frame in reversed(extract_tb(error.__traceback__)):
        if (file := Path(frame.filename)).is_relative_to(folder):
            return f"{frame.name} in {file.name}, line {frame.lineno}, fails: {message}"
    return message


class Trial:
    """One random interpreted match, with these options, or random ones that can be combined."""

    def __init__(self, game: GameDefinition, dice: random.Random, chosen: dict[str, Any] | None = None) -> None:
        self.game, self.rules, self.dice = game, game.rules, dice
        self.proxy = proxy_class(self.rules.STRUCT)
        self.actions = np.zeros(len(self.rules.ACTIONS), np.int16)
        self.weights = np.zeros(len(self.rules.OUTCOMES), np.int32)
        struct = np.zeros(1, self.rules.STRUCT)
        struct["seats"] = seats = dice.randint(*self.rules.PLAYERS) if chosen is None else self.rules.PLAYERS[0]
        self.options = self.drawn_options(seats) if chosen is None else chosen
        for option in self.rules.OPTIONS:
            struct[option.name] = option.store(self.options[option.name])
        self.struct = marking_class(self.proxy)(memoryview(bytearray(struct.tobytes())))

    def drawn_options(self, seats: int) -> dict[str, Any]:
        """Random values for switches and choices, defaults for everything else."""
        usual = {option.name: option.default for option in self.rules.OPTIONS}
        several: dict[str, tuple[Any, ...]] = {
            option.name: option.values for option in self.rules.OPTIONS if isinstance(option, Choice)
        }
        several |= {option.name: (True, False) for option in self.rules.OPTIONS if isinstance(option, Switch)}
        for _try in range(TRIES):
            drawn = usual | {name: self.dice.choice(values) for name, values in several.items()}
            lacks = any(
                option.needs and drawn[option.name] != option.default and drawn[option.needs[0]] != option.needs[1]
                for option in self.rules.OPTIONS
            )
            if not lacks and self.rules.refuse(seats, drawn) is None:
                return drawn
        return usual

    def play(self) -> None:
        """Play the match step by step; at its end, ask for the results."""
        s, until = self.struct, time.thread_time() + ENOUGH
        self.rules.start(s)
        for _step in range(STEPS):
            if s.over or time.thread_time() > until:
                break
            self.look()
            before = self.copy()
            event = self.decided() if s.acting else self.drawn()
            self.retell(before, event, s.stops_)
            s.stops_.clear()
        if s.over:
            out = np.zeros(self.rules.PLAYERS[1])
            self.rules.returns(s, strict(out))
            self.end()

    def ask(self, name: str, *arguments: Any) -> Any:
        """What a part of the game gives. Raises BrokenGame if the contract says otherwise."""
        part = NAMED[name]
        value: Any = getattr(getattr(self.game, part.file), name)(*arguments)
        kind, several = part.gives.removesuffix(" or None").removeprefix("list of "), part.gives.startswith("list of ")
        if kind not in KINDS or (value is None and part.gives.endswith(" or None")):
            return value
        is_of_kind = isinstance(value, (list, tuple) if several else KINDS[kind])
        if not is_of_kind or (several and not all(isinstance(item, KINDS[kind]) for item in value)):
            singular = _("{name} must return a {kind}, not {found}")
            plural = _("{name} must return a list of {kind}s, not {found}")
            text = say(plural if several else singular, name=name, kind=kind, found=repr(value)[:60])
            raise self.broken(text, f"{part.file}.py")
        return value

    def retell(self, before: Any, event: Event, marks: list[StopMark]) -> None:
        """Ask for what the public and the player who moved are told and shown at each stop of an event."""
        for seat in {-1, event.seat}:
            concealed = functools.partial(self.concealed, seat=seat)
            action = event.id if seat >= 0 else -1
            stop = Stop(END, -1, event.seat, -1, concealed, bytes(before.row_))
            for mark in (*marks, StopMark(END, event.seat, bytes(self.struct.row_))):
                stop = Stop(mark.kind, mark.seat, event.seat, action, concealed, mark.struct, stop, mark.detail)
                self.ask("caption", stop, seat)

    def look(self) -> None:
        """Ask for everything that the public and a random seat see."""
        observation = np.zeros(max(end for _, end in self.rules.SLICES.values()), np.int8)
        for seat in (-1, self.dice.randrange(self.struct.seats)):
            view = self.copy(seat)
            self.ask("zones", view, seat)
            self.ask("prompt", view, seat)
            self.rules.observe(view, seat, strict(observation))
            self.rules.resample(view, seat, strict(generator(self.dice.randrange(1 << 30))))
        self.ask("tallies", self.copy(-1))

    def end(self) -> None:
        """Ask for everything that is told at the end of a match."""
        public = self.copy(-1)
        for seat in (-1, 0):
            if len(self.ask("outcome", self.copy(seat), seat).texts) != self.struct.seats:
                raise self.broken(say("outcome needs a text for each seat"), "table.py")
        study: Study = self.game.hints.STUDY
        study.starting_in(public), study.accounts_in(public)
        if not isinstance(study.measure_in(public), ResultUnit):
            raise self.broken(say("measure in STUDY must give a ResultUnit"), "hints.py")
        if self.game.bounds is not None:
            list(self.ask("bounds", self.struct.seats, self.options).limits(self.copy()))

    def decided(self) -> Event:
        """Make a random legal move of a random seat that is to act; returns the event."""
        s = self.struct
        seat = self.dice.choice([p for p in range(s.seats) if s.acting >> p & 1])
        view = self.copy(seat)
        count = self.rules.legal_actions(view, seat, strict(self.actions))
        if not 0 < count <= len(self.actions):
            raise self.broken(say("legal_actions finds {n} moves for a seat that is to act", n=int(count)))
        action = int(self.actions[self.dice.randrange(count)])
        if self.rules.illegal_reason(view, seat, action):
            name = self.rules.ACTIONS[action]
            raise self.broken(say("illegal_reason forbids {name}, which legal_actions lists", name=name))
        self.ask("label", view, seat, action)
        self.consider(view, seat, count)
        self.rules.apply_action(s, seat, action)
        return Event(seat, action, self.rules.ACTIONS[action])

    def consider(self, view: Any, seat: int, count: int) -> None:
        """Ask what else is asked before a move. The game's bots must choose one of those that are listed."""
        self.ask("nobody_decides", view, seat)
        self.rules.clear_hidden_choices(self.copy(), seat)
        for bot in (self.game.strategy.choose, self.game.strategy.gentle):
            chosen = bot(view, seat, strict(self.actions), count, strict(generator(self.dice.randrange(1 << 30))))
            if chosen not in self.actions[:count]:
                text = say("{name} chooses {chosen}, which isn't listed", name=bot.__name__, chosen=repr(chosen)[:20])
                raise self.broken(text, "strategy.py")

    def drawn(self) -> Event:
        """Let a random chance outcome happen, by weight; returns the event."""
        self.weights[:] = UNWRITTEN
        total = self.rules.chance_weights(self.struct, strict(self.weights))
        if UNWRITTEN in self.weights:
            name = self.rules.OUTCOMES[int((self.weights == UNWRITTEN).argmax())]
            raise self.broken(say("chance_weights writes no weight for {name}", name=name))
        if total <= 0 or total != self.weights.sum() or self.weights.min() < 0:
            text = _("chance_weights gives {total}, and its weights add up to {sum}")
            raise self.broken(say(text, total=int(total), sum=int(self.weights.sum())))
        if self.rules.chance_outcome is not None:
            self.compare_units(total)
        outcome = self.dice.choices(range(len(self.weights)), self.weights.tolist())[0]
        self.struct.draws += 1
        self.rules.apply_chance(self.struct, outcome)
        return Event(-1, outcome, self.rules.OUTCOMES[outcome])

    def compare_units(self, total: int) -> None:
        """Raise BrokenGame where the first or the last unit of an outcome's weight falls on another outcome."""
        drawn_total, first = self.rules.chance_total(self.struct), 0
        if drawn_total != total:
            text = _("chance_total gives {given}, and chance_weights {total}")
            raise self.broken(say(text, given=int(drawn_total), total=int(total)))
        for outcome in self.weights.nonzero()[0].tolist():
            last = first + int(self.weights[outcome]) - 1
            for unit in (first, last):
                drawn = self.rules.chance_outcome(self.struct, unit)
                if drawn != outcome:
                    text = _("chance_outcome gives {found} for unit {unit}, which chance_weights gives to {outcome}")
                    raise self.broken(say(text, found=int(drawn), unit=unit, outcome=outcome))
            first = last + 1

    def copy(self, seat: int | None = None) -> Any:
        """A copy of the struct, whole or concealed for a seat (-1: the public)."""
        copy = self.proxy(memoryview(bytearray(self.struct.row_)))
        return copy if seat is None else self.concealed(bytes(self.struct.row_), seat)

    def concealed(self, struct: bytes, seat: int) -> Any:
        """A struct as a seat, or the public (-1), knows it."""
        copy = self.proxy(memoryview(bytearray(struct)))
        self.rules.conceal(copy, seat)
        return copy

    def broken(self, why: Text, file: str = "rules.py") -> BrokenGame:
        """The error for one of the game's files."""
        return BrokenGame(say("{game}: {file}: {why}.", game=self.game.name, file=file, why=why))
