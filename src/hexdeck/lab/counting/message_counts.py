"""How often everything that a table can tell was told: which rules come into play, counted in people's words."""

from __future__ import annotations

import functools
import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from hexdeck.engine.discovery.definition import definition
from hexdeck.engine.play.game import GameSetup
from hexdeck.engine.play.match import Match
from hexdeck.engine.text import Text, say
from hexdeck.lab.counting.kinds import kind_numbers, kinds
from hexdeck.lab.counting.sentences import Sentence, gaps, sentences
from hexdeck.lab.counting.stats import Estimate, Moments, share

REACHABLE = "reachable_messages.json"
TO_ONE = re.compile(r"\byou\b", re.IGNORECASE)  # what only the seat is told that it is about
GAPS = re.compile(r"\{\w+\}")
WORDS = 2  # that say what a move is


@dataclass
class Heard:
    """What was told in some matches, by key.

    `matches`: how many; `told`: in how many of them everybody was told it; `times`: how often in all; `squares`: the
    sum of the squares of that, match by match; `texts`: one to show; `anybody`: how often anybody was told. `labels`,
    by kind of action: how often its moves had which name. `where`: of what was told, or a move's name, the first match
    (from 0) and the ply after it.
    """

    game: GameSetup
    matches: int = 0
    told: Counter[str] = field(default_factory=Counter)
    times: Counter[str] = field(default_factory=Counter)
    squares: Counter[str] = field(default_factory=Counter)
    texts: dict[str, Text] = field(default_factory=dict)
    anybody: Counter[str] = field(default_factory=Counter)
    labels: dict[str, Counter[str]] = field(default_factory=dict)
    where: dict[str, tuple[int, int]] = field(default_factory=dict)

    def listen(self, match: Match) -> None:
        """Take in all that was told in a match that is over."""
        met: Counter[str] = Counter()
        for ply, facts in enumerate(match.narration(), 1):
            for text in flat(fact.text for fact in facts if fact.heard_by(-1)):
                met[text.key] += 1
                self.where.setdefault(text.key, (self.matches, ply))
                self.texts.setdefault(text.key, text)
            self.anybody.update(text.key for text in flat(fact.text for fact in facts))
        self.matches += 1
        self.told.update(met.keys())
        self.times.update(met)
        self.squares.update({key: often * often for key, often in met.items()})

    def name_moves(self, match: Match, number: int) -> None:
        """Remember what the moves of a match that is over, and has this number, are called at each of its decisions."""
        kind, seen = kinds(match.game.rules.ACTIONS), match.ply
        for ply in range(seen):
            event = match.event(ply)
            if event.seat >= 0:
                match.go(ply)
                for move in match.legal(event.seat):
                    self.texts.setdefault(move.label.key, shown(move.label))
                    self.labels.setdefault(kind[move.name], Counter())[move.label.key] += 1
                    if move.id == event.id:
                        self.where.setdefault(move.label.key, (number, ply + 1))
        match.go(seen)

    def unnamed(self, met: dict[int, int]) -> dict[int, int]:
        """Of the kinds of moves that were made, by number, those that have no name yet."""
        listed = kind_numbers(self.game.rules.ACTIONS)[0]
        return {kind: number for kind, number in met.items() if listed[kind] not in self.labels}

    def share(self, key: str) -> Estimate:
        """The share of matches in which something was told."""
        return share(self.told[key], self.matches)

    def mean(self, key: str) -> Estimate:
        """How often something is told in a match."""
        moments = Moments(1)
        moments.count, moments.sums[0], moments.squares[0] = self.matches, self.times[key], self.squares[key]
        return moments.estimate(0)

    def label(self, kind: str) -> Text | None:
        """What moves of a kind are mostly called; None if nobody ever could make one."""
        often = self.labels.get(kind)
        return self.texts[often.most_common(1)[0][0]] if often else None

    def listed(self) -> list[str]:
        """The keys of what was told that have words of their own, the most frequent first."""
        return [key for key, _ in self.told.most_common() if wordy(key)]

    def never(self) -> list[Text]:
        """What the table could tell with these options, to others than who does it, and never did."""
        missing = {key: text for key, text in self.sayable().items() if key not in self.anybody and wordy(key)}
        return [text for key, text in missing.items() if not TO_ONE.search(key) and can(self.game, "told", key)]

    def sayable(self) -> dict[str, Text]:
        """All that the table could tell to others than who does it, by key."""
        return {each.text.key: each.text for each in possible(self.game)}


@functools.cache
def kept(name: str) -> dict[str, dict[str, list[str] | None]]:
    """The options that a game's sentences (`told`) and endings (`ended`) need, by `tools/reachable_messages.py`."""
    file = definition(name).file(REACHABLE)
    loaded: dict[str, dict[str, list[str] | None]] = json.loads(file.read_text(encoding="utf-8")) if file else {}
    return {"told": {}, "ended": {}} | loaded


def can(game: GameSetup, what: str, key: str) -> bool:
    """Whether something can come with a game's options, as far as is known: unless it takes others than these."""
    needs = kept(game.name)[what].get(key)
    usual = {option.name for option in game.rules.OPTIONS if game.options[option.name] == option.default}
    return needs is None or not usual & {*needs}


def wordy(key: str) -> bool:
    """Whether a key says something beside what its gaps hold."""
    return any(letter.isalpha() for letter in GAPS.sub("", key))


def possible(game: GameSetup) -> list[Sentence]:
    """What the table of a game could tell."""
    return [each for each in sentences(game.table, "narrate") if not each.private]


def flat(texts: Iterable[Text]) -> Iterator[Text]:
    """Each text without its numbers, names and cards, and the texts that stand in it."""
    for text in texts:
        yield blanked(text)
        yield from flat(value for value in text.args.values() if isinstance(value, Text))


def shown(text: Text) -> Text:
    """What a move is called with gaps, and what stands in them for example where its words alone say little."""
    empty = blanked(text)
    if len(GAPS.sub(" ", text.key).split()) >= WORDS:
        return empty
    filled = {name: say("… ({example})", example=text.args[name]) for name in empty.args if f"{{{name}}}" in text.key}
    return Text(text.key, {**empty.args, **filled}, text.plural)


def blanked(text: Text) -> Text:
    """The text with gaps in the place of what changes from game to game."""
    return Text(text.key, gaps(text.key, text.args), text.plural)
