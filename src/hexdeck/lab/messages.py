"""How often every sentence of a table came; what a table could say is read from its source, so what never came too."""

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

import numpy as np

from hexdeck.engine.discovery.definition import GameDefinition
from hexdeck.engine.play.game import GameSetup
from hexdeck.engine.play.match import Match
from hexdeck.engine.text import OF, Text, say
from hexdeck.lab.counts import KIND_USED, GameStatistics, kind_numbers, kinds
from hexdeck.lab.log import SimulationSetup, matches
from hexdeck.stats import Estimate, mean, share

GAP = "…"
PLACES = re.compile(r"\{(\w+)\}")
BEGINS = re.compile(r"(^|[.!?] )\{seat\}")  # where a seat begins a sentence
TO_ONE = re.compile(r"\byou\b", re.IGNORECASE)  # in sentences that only the seat that they are about is told
THINGS = re.compile(r"\{n\} [a-z ]+")  # a number of things, within sentences
WORDS = 2  # words beside gaps that are enough to say what a move is
REACHABLE = "reachable_messages.json"


# --- what could be told -----------------------------------------------------------------------------------------------
@functools.cache
def sentences(module: ModuleType, function: str) -> tuple[Text, ...]:
    """The sentences of a function and of what it uses in its own package; but for the words of a `Spotlight`."""
    out: dict[str, Text] = {}
    for source, node in reachable(module, function):
        unheard = spotlit(node)
        for call, name in calls(node):
            if name in ("say", "say_n") and call not in unheard:
                literals = [value_of(source, part) for part in call.args[:2]]  # a key, or that and its plural
                if all(isinstance(word, str) for word in literals):
                    key, plural = literals[0], "".join(literals[1:])
                    names = [keyword.arg for keyword in call.keywords if keyword.arg]  # others are handed on with **
                    args = gaps(key, [*names, *PLACES.findall(key + plural), *(["n"] if plural else [])])
                    out.setdefault(key, Text(key, args, plural))
    return tuple(out.values())


def spotlit(node: ast.AST) -> set[ast.AST]:
    """The code in a definition that makes the words of a `Spotlight`."""
    return {part for call, name in calls(node) if name == "Spotlight" for part in ast.walk(call)}


def calls(node: ast.AST) -> Iterator[tuple[ast.Call, str]]:
    """The calls of functions in some code, each with the function's name."""
    for part in ast.walk(node):
        if isinstance(part, ast.Call) and isinstance(part.func, ast.Name):
            yield part, part.func.id


def possible(game: GameSetup) -> list[Text]:
    """The sentences that a game's table could tell to others than the seat that they are about."""
    captions = (text for text in sentences(game.table, "caption") if not TO_ONE.search(text.key))
    return [text for text in captions if wordy(text.key) and not THINGS.fullmatch(text.key)]


def reachable(module: ModuleType, function: str) -> list[tuple[ModuleType, ast.stmt]]:
    """The definitions that a function uses in its own package, directly or not, itself first, each with its module."""
    package = module.__name__.rpartition(".")[0] + "."
    out: dict[tuple[str, str], tuple[ModuleType, ast.stmt]] = {}
    waiting = [(module, function)]
    while waiting:
        source, name = waiting.pop()
        imported = str(getattr(vars(source).get(name), "__module__", ""))
        source = sys.modules[imported] if imported.startswith(package) else source
        node = definitions(source).get(name)
        if node is None or (source.__name__, name) in out:
            continue
        out[source.__name__, name] = source, node
        unheard = spotlit(node)
        for part in (part for part in ast.walk(node) if part not in unheard):
            if isinstance(part, ast.Name):
                waiting.append((source, part.id))
            elif isinstance(part, ast.Attribute):
                owner = value_of(source, part.value)
                if isinstance(owner, ModuleType) and owner.__name__.startswith(package):
                    waiting.append((owner, part.attr))
    return list(out.values())


@functools.cache
def definitions(module: ModuleType) -> dict[str, ast.stmt]:
    """The functions and constants of a module's top level, by name."""
    out: dict[str, ast.stmt] = {}
    for node in ast.parse(inspect.getsource(module)).body:
        if isinstance(node, ast.FunctionDef):
            out[node.name] = node
        elif isinstance(node, ast.Assign):
            out |= {target.id: node for target in node.targets if isinstance(target, ast.Name)}
    return out


def value_of(module: ModuleType, part: ast.expr) -> Any:
    """The value of a literal, or of a name such as `WINS` or `words.WINS` in a module; None for anything else."""
    if isinstance(part, ast.Constant):
        return part.value
    if isinstance(part, ast.Name):
        return vars(module).get(part.id)
    return getattr(value_of(module, part.value), part.attr, None) if isinstance(part, ast.Attribute) else None


@functools.cache
def needed_options(definition: GameDefinition) -> dict[str, dict[str, list[str] | None]]:
    """The options that sentences (`told`) and endings (`ended`) need, by `tools/reachable_messages.py`."""
    file = definition.file(REACHABLE)
    loaded: dict[str, dict[str, list[str] | None]] = json.loads(file.read_text(encoding="utf-8")) if file else {}
    return {"told": {}, "ended": {}} | loaded


def can_come(game: GameSetup, kind: str, key: str) -> bool:
    """Whether a sentence (`told`) or an ending (`ended`) can come with a game's options, as far as is known."""
    needs = needed_options(game.definition)[kind].get(key)
    usual = {option.name for option in game.rules.OPTIONS if game.options[option.name] == option.default}
    return needs is None or not usual & {*needs}


# --- what was told ----------------------------------------------------------------------------------------------------
@dataclass
class MessageCounts:
    """Counts of the public messages of some matches, by key, and of the labels of moves."""

    game: GameSetup
    matches: int = 0  # that were counted
    often: dict[str, Counter[int]] = field(default_factory=dict)  # how many times in a match, in how many matches
    texts: dict[str, Text] = field(default_factory=dict)  # for each message and label
    labels: dict[str, Counter[str]] = field(default_factory=dict)  # by kind of action: how often its moves had which
    first_seen: dict[str, tuple[int, int]] = field(default_factory=dict)  # the first match, from 0; the ply after it
    shown: set[str] = field(default_factory=set)  # the keys of what was said only on screens or by players

    def add(self, match: Match) -> None:
        """Count the messages of a match that is over."""
        public: Counter[str] = Counter()
        for ply, lines, private in match.public_lines():
            self.shown.update(text.key for text in flat(private))
            for text in flat(lines):
                public[text.key] += 1
                if text.key not in self.first_seen:
                    self.first_seen[text.key], self.texts[text.key] = (self.matches, ply), blanked(text)
        self.matches += 1
        for key, times in public.items():
            self.often.setdefault(key, Counter())[times] += 1

    def add_labels(self, match: Match, number: int) -> None:
        """Count the labels of all legal moves at each decision of a match that is over; `number` is its number."""
        kind, at = kinds(match.game.rules.ACTIONS), match.ply
        for ply in range(at):
            event = match.event(ply)
            if event.seat >= 0:
                match.go(ply)
                for move in match.legal(event.seat):
                    key = move.label.key
                    if key not in self.texts:
                        self.texts[key] = with_example(move.label)
                    self.labels.setdefault(kind[move.name], Counter())[key] += 1
                    if move.id == event.id:
                        self.first_seen.setdefault(key, (number, ply + 1))
        match.go(at)

    def without_label(self, statistics: GameStatistics) -> list[int]:
        """The numbers of the first games with kinds of moves that have no label yet."""
        names = kind_numbers(self.game.rules.ACTIONS)[0]
        used = ((name[1], number) for name, number in statistics.examples.items() if name[0] == KIND_USED)
        return [number for kind, number in used if names[kind] not in self.labels]

    def add_missing(self, setup: SimulationSetup, statistics: GameStatistics) -> None:
        """Count labels in the first of these games with each kind of move that has none yet."""
        for number in self.without_label(statistics):
            self.add_labels(next(matches(setup, 1, number)), number)

    def share(self, key: str) -> Estimate:
        """The share of matches in which everybody was told a message."""
        return share(self.often.get(key, Counter()).total(), self.matches)

    def mean(self, key: str) -> Estimate:
        """How often a message comes in a match, in the mean."""
        values, times = np.zeros(self.matches), [*self.often.get(key, Counter()).elements()]
        values[: len(times)] = times
        return mean(values)

    def label(self, kind: str) -> Text | None:
        """The most frequent label of moves of a kind; None if there was none."""
        return self.texts[often.most_common(1)[0][0]] if (often := self.labels.get(kind)) else None

    def frequent_keys(self) -> list[str]:
        """The keys of messages that have words of their own, the most frequent first."""
        return sorted(filter(wordy, self.often), key=lambda key: -self.often[key].total())

    def never(self) -> list[Text]:
        """The public messages that can come with these options, as far as is known, and never came."""
        texts = [text for text in possible(self.game) if text.key not in self.shown | self.often.keys()]
        return [text for text in texts if can_come(self.game, "told", text.key)]


def wordy(key: str) -> bool:
    """Whether a message has words beside its gaps."""
    return any(letter.isalpha() for letter in PLACES.sub("", key))


def flat(texts: Iterable[Text]) -> Iterator[Text]:
    """Each text and the texts in it, but for numbers in words."""
    for text in texts:
        if not in_words(text.key):
            yield text
            yield from flat(value for value in text.args.values() if isinstance(value, Text))


@functools.cache
def in_words(key: str) -> bool:
    """Whether a text is a number in words."""
    return key == OF or bool(THINGS.fullmatch(key))


def with_example(text: Text) -> Text:
    """A label with gaps in place of its arguments; with the arguments as an example where few words are left."""
    few = len(PLACES.sub(" ", text.key).split()) < WORDS
    example = {name: say("… ({example})", example=value) for name, value in text.args.items()} if few else {}
    filled = {name: value for name, value in example.items() if f"{{{name}}}" in text.key}
    return Text(text.key, gaps(text.key, text.args) | filled | some(text), text.plural)


def blanked(text: Text) -> Text:
    """A text with gaps in place of its arguments."""
    return Text(text.key, gaps(text.key, text.args) | some(text), text.plural)


def some(text: Text) -> dict[str, Any]:
    """What stands for the numbers of things in a text: “some”, and for an argument such as “3 chips” “some chips”."""
    amounts = {name: value for name, value in text.args.items() if isinstance(value, Text) and in_words(value.key)}
    return {name: blanked(value) for name, value in amounts.items()} | ({"n": "some"} if text.plural else {})


def gaps(key: str, names: Iterable[str]) -> dict[str, Any]:
    """Stand-ins for the arguments of a sentence: “a player” for a seat, dots for the rest."""
    player = say("A player") if BEGINS.search(key) else say("a player")
    return {name: player if name == "seat" else GAP for name in names}
