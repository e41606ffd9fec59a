"""How often every sentence of a table came in some matches: which rules come into play, in people's words.

What a table could say is read from its source, so that a sentence that never comes is noticed.
"""

from __future__ import annotations

import ast
import functools
import inspect
import json
import re
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from types import ModuleType
from typing import Any

from hexdeck.engine.discovery.definition import GameDefinition
from hexdeck.engine.play.game import GameSetup
from hexdeck.engine.play.match import Match
from hexdeck.engine.text import OF, Text, say
from hexdeck.lab.counts import kind_numbers, kinds
from hexdeck.stats import Estimate, Moments, share

SAYING = ("say", "say_n")
GAP = "…"
PLACES = re.compile(r"\{(\w+)\}")
BEGINS = re.compile(r"(^|[.!?] )\{seat\}")  # where a seat begins a sentence


@dataclass(frozen=True)
class Sentence:
    """A sentence with gaps in place of its arguments. `private`: only the seat that it is about is told it."""

    text: Text
    private: bool


@dataclass(frozen=True)
class Source:
    """A module, and the functions and constants of its top level by name."""

    module: ModuleType
    defined: dict[str, ast.stmt]


@functools.cache
def sentences(module: ModuleType, function: str) -> tuple[Sentence, ...]:
    """The sentences of a function and of what it uses in its own package, each once, as they are reached."""
    found: dict[str, Sentence] = {}
    for where, node in reachable(module, function):
        private = private_calls(node)
        for call in calls(node):
            words = keys_of(where, call)
            if not words:
                continue
            sentence = Sentence(text_of(call, words), call in private)
            if sentence.text.key not in found or not sentence.private:
                found[sentence.text.key] = sentence
    return tuple(found.values())


def reachable(module: ModuleType, function: str) -> list[tuple[ModuleType, ast.stmt]]:
    """The definitions that a function uses, directly or not, itself first, each with its module."""
    out: dict[tuple[str, str], tuple[ModuleType, ast.stmt]] = {}
    waiting = [defined_in(module, function)]
    while waiting:
        where, name = waiting.pop()
        node = source(where).defined.get(name)
        if node is None or (where.__name__, name) in out:
            continue
        out[where.__name__, name] = where, node
        waiting += references(where, node)
    return list(out.values())


@functools.cache
def source(module: ModuleType) -> Source:
    """A module's top-level definitions."""
    defined: dict[str, ast.stmt] = {}
    for node in ast.parse(inspect.getsource(module)).body:
        if isinstance(node, ast.FunctionDef):
            defined[node.name] = node
        elif isinstance(node, ast.Assign):
            defined |= {target.id: node for target in node.targets if isinstance(target, ast.Name)}
    return Source(module, defined)


def references(module: ModuleType, node: ast.stmt) -> Iterator[tuple[ModuleType, str]]:
    """The names that a definition uses, with the module of the same package where each is defined."""
    for part in ast.walk(node):
        if isinstance(part, ast.Name):
            yield defined_in(module, part.id)
        elif isinstance(part, ast.Attribute) and isinstance(part.value, ast.Name):
            other = vars(module).get(part.value.id)
            if isinstance(other, ModuleType) and other.__name__.startswith(package(module)):
                yield other, part.attr


def defined_in(module: ModuleType, name: str) -> tuple[ModuleType, str]:
    """The module that defines a name: this one, or the one of the same package that it is imported from."""
    owner = getattr(vars(module).get(name), "__module__", None)
    if isinstance(owner, str) and owner in sys.modules and owner.startswith(package(module)):
        return sys.modules[owner], name
    return module, name


def package(module: ModuleType) -> str:
    """The name of a module's package, with a dot after it."""
    return module.__name__.rpartition(".")[0] + "."


def calls(node: ast.AST) -> list[ast.Call]:
    """The calls of `say` and `say_n`."""
    return [
        part
        for part in ast.walk(node)
        if isinstance(part, ast.Call) and isinstance(part.func, ast.Name) and part.func.id in SAYING
    ]


def keys_of(module: ModuleType, call: ast.Call) -> list[str]:
    """The key of such a call and its plural: literals, or constants of a module; nothing if they aren't known."""
    words = [key_of(module, part) for part in call.args[:2]]
    return words if all(words) else []


def key_of(module: ModuleType, part: ast.expr) -> str:
    """A literal, or the value of a constant such as `WINS` or `words.WINS`; an empty string for anything else."""
    value: Any = None
    if isinstance(part, ast.Constant):
        value = part.value
    elif isinstance(part, ast.Name):
        value = vars(module).get(part.id)
    elif isinstance(part, ast.Attribute) and isinstance(part.value, ast.Name):
        value = getattr(vars(module).get(part.value.id), part.attr, None)
    return value if isinstance(value, str) else ""


def text_of(call: ast.Call, keys: list[str]) -> Text:
    """The text that such a call makes, with gaps in place of its arguments."""
    given = [keyword.arg for keyword in call.keywords if keyword.arg]
    names = list(dict.fromkeys([*given, *PLACES.findall(" ".join(keys))]))  # some are handed on with **
    plural = keys[1] if len(keys) > 1 else ""
    return Text(keys[0], gaps(keys[0], [*names, "n"] if plural else names), plural)


def gaps(key: str, names: Iterable[str]) -> dict[str, Any]:
    """Stand-ins for the arguments of a sentence: “a player” for a seat, dots for the rest."""
    player = say("A player") if BEGINS.search(key) else say("a player")
    return {name: player if name == "seat" else GAP for name in names}


def private_calls(node: ast.stmt) -> set[ast.Call]:
    """The calls in a definition that make a private sentence: the third argument of `told`."""
    assigned = {
        target.id: part.value
        for part in ast.walk(node)
        if isinstance(part, ast.Assign)
        for target in part.targets
        if isinstance(target, ast.Name)
    }
    out: set[ast.Call] = set()
    for part in ast.walk(node):
        if isinstance(part, ast.Call) and isinstance(part.func, ast.Name) and part.func.id == "told":
            you = part.args[2]
            you = assigned.get(you.id, you) if isinstance(you, ast.Name) else you
            out |= set(calls(you))
    return out


REACHABLE = "reachable_messages.json"
TO_ONE = re.compile(r"\byou\b", re.IGNORECASE)  # in sentences that only the seat they are about is told
GAPS = re.compile(r"\{\w+\}")
WORDS = 2  # words beside gaps that are enough to say what a move is


@dataclass
class MessageCounts:
    """Counts of the public messages of some matches, by key, and of the labels of moves.

    `matches`: how many matches were counted. `matches_with`: in how many of them everybody was told the message;
    `totals`: how often in all; `squares`, `cubes`: the sums over matches of those of that. `texts`: a text for each.
    `labels`: by kind of action, how often its moves had which label. `first_seen`: for each message and label, the
    first match (from 0) with it and the ply after it. `shown`: the keys of what was said only on screens or by players.
    """

    game: GameSetup
    matches: int = 0
    matches_with: Counter[str] = field(default_factory=Counter)
    totals: Counter[str] = field(default_factory=Counter)
    squares: Counter[str] = field(default_factory=Counter)
    cubes: Counter[str] = field(default_factory=Counter)
    texts: dict[str, Text] = field(default_factory=dict)
    labels: dict[str, Counter[str]] = field(default_factory=dict)
    first_seen: dict[str, tuple[int, int]] = field(default_factory=dict)
    shown: set[str] = field(default_factory=set)

    def add(self, match: Match) -> None:
        """Count the messages of a match that is over."""
        public: Counter[str] = Counter()
        for ply, (lines, others) in enumerate(match.seat_views.public_lines(), 1):
            self.shown.update(text.key for text in flat(others))
            for text in flat(lines):
                public[text.key] += 1
                self.first_seen.setdefault(text.key, (self.matches, ply))
                self.texts.setdefault(text.key, text)
        self.matches += 1
        self.matches_with.update(public.keys())
        self.totals.update(public)
        self.squares.update({key: often**2 for key, often in public.items()})
        self.cubes.update({key: often**3 for key, often in public.items()})

    def add_labels(self, match: Match, number: int) -> None:
        """Count the labels of all legal moves at each decision of a match that is over; `number` is its number."""
        kind, at = kinds(match.game.rules.ACTIONS), match.ply
        for ply in range(at):
            event = match.event(ply)
            if event.seat >= 0:
                match.go(ply)
                for move in match.legal(event.seat):
                    self.texts.setdefault(move.label.key, shown(move.label))
                    self.labels.setdefault(kind[move.name], Counter())[move.label.key] += 1
                    if move.id == event.id:
                        self.first_seen.setdefault(move.label.key, (number, ply + 1))
        match.go(at)

    def without_label(self, kinds_used: dict[int, int]) -> dict[int, int]:
        """Those of the kinds of moves that have no label yet; kinds are numbers, and the values are kept."""
        listed = kind_numbers(self.game.rules.ACTIONS)[0]
        return {kind: number for kind, number in kinds_used.items() if listed[kind] not in self.labels}

    def share(self, key: str) -> Estimate:
        """The share of matches in which everybody was told a message."""
        return share(self.matches_with[key], self.matches)

    def mean(self, key: str) -> Estimate:
        """How often a message comes in a match, in the mean."""
        moments = Moments(1)
        moments.count, moments.sums[0] = self.matches, self.totals[key]
        moments.squares[0], moments.cubes[0] = self.squares[key], self.cubes[key]
        return moments.estimate(0)

    def label(self, kind: str) -> Text | None:
        """The most frequent label of moves of a kind; None if there was none."""
        often = self.labels.get(kind)
        return self.texts[often.most_common(1)[0][0]] if often else None

    def listed(self) -> list[str]:
        """The keys of messages that have words of their own, the most frequent first."""
        return [key for key, _ in self.matches_with.most_common() if wordy(key)]

    def never(self) -> list[Text]:
        """The public messages that can come with these options, as far as is known, and never came."""
        missing = {
            key: text
            for key, text in self.sayable().items()
            if key not in self.shown | self.totals.keys() and wordy(key)
        }
        return [text for key, text in missing.items() if not TO_ONE.search(key) and can_come(self.game, "told", key)]

    def sayable(self) -> dict[str, Text]:
        """All messages that the table could tell to others than the seat that acts, by key."""
        return {each.text.key: each.text for each in possible(self.game)}


@functools.cache
def needed_options(definition: GameDefinition) -> dict[str, dict[str, list[str] | None]]:
    """The options that sentences (`told`) and endings (`ended`) need, by `tools/reachable_messages.py`."""
    file = definition.file(REACHABLE)
    loaded: dict[str, dict[str, list[str] | None]] = json.loads(file.read_text(encoding="utf-8")) if file else {}
    return {"told": {}, "ended": {}} | loaded


def can_come(game: GameSetup, what: str, key: str) -> bool:
    """Whether a sentence (`told`) or an ending (`ended`) can come with a game's options, as far as is known."""
    needs = needed_options(game.definition)[what].get(key)
    usual = {option.name for option in game.rules.OPTIONS if game.options[option.name] == option.default}
    return needs is None or not usual & {*needs}


def wordy(key: str) -> bool:
    """Whether a message has words beside its gaps."""
    return any(letter.isalpha() for letter in GAPS.sub("", key))


def possible(game: GameSetup) -> list[Sentence]:
    """The sentences that a game's table could tell to others than the seat that acts."""
    return [each for each in sentences(game.table, "caption") if not each.private]


def flat(texts: Iterable[Text]) -> Iterator[Text]:
    """Each text and the texts in it, with gaps in place of numbers, names and cards."""
    for text in texts:
        if text.key == OF:  # a number in words
            continue
        yield blanked(text)
        yield from flat(value for value in text.args.values() if isinstance(value, Text))


def shown(text: Text) -> Text:
    """A label with gaps in place of its arguments; with the arguments as an example where few words are left."""
    empty = blanked(text)
    if len(GAPS.sub(" ", text.key).split()) >= WORDS:
        return empty
    filled = {name: say("… ({example})", example=text.args[name]) for name in empty.args if f"{{{name}}}" in text.key}
    return Text(text.key, {**empty.args, **filled}, text.plural)


def blanked(text: Text) -> Text:
    """A text with gaps in place of its arguments."""
    return Text(text.key, gaps(text.key, text.args), text.plural)
