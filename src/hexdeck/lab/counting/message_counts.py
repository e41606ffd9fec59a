"""How often every sentence of a table came in some matches: which rules come into play, in people's words."""

from __future__ import annotations

import functools
import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from hexdeck.engine.discovery.definition import GameDefinition
from hexdeck.engine.play.game import GameSetup
from hexdeck.engine.play.match import Match
from hexdeck.engine.text import OF, Text, say
from hexdeck.lab.counting.sentences import Sentence, gaps, sentences
from hexdeck.lab.counts import kind_numbers, kinds
from hexdeck.stats import Estimate, Moments, share

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
