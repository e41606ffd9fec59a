"""Matches that were played at tables, counted as simulated games are, with what only they can tell: time, and company.

A match is walked event by event and its figures are those of `kernels.gather`, so that all that is made of simulated
games can be made of these.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np

from hexdeck.bots.players.levels import one_loser
from hexdeck.engine.errors import BadOption
from hexdeck.engine.play.game import GameSetup
from hexdeck.engine.play.match import Match
from hexdeck.lab.counting.collect import Collected
from hexdeck.lab.counting.kernels import (
    CHANCES,
    CHOICES,
    DEALS,
    DECISIONS,
    ENDING,
    FIGURES,
    HISTORY,
    LAPS,
    LEGAL,
    NOBODY,
    PAUSES,
    STARTER,
    TURNS,
    turned,
)
from hexdeck.lab.counting.kinds import kind_numbers
from hexdeck.lab.counting.message_counts import Heard
from hexdeck.lab.counting.metrics import Chunk, names, table
from hexdeck.lab.counting.stats import Moments
from hexdeck.lab.counting.tension import LEAST, Progress, Seen, look_at
from hexdeck.lab.reporting.report import NAMED, Part, measure_of

PERSON, SHARED, PROGRAM = "person", "shared", "program"  # who played a seat; or the name of a bot of ours
LOOKED = 200  # matches of a group that may be looked inside
PAUSE = 600.0  # seconds after which nobody is thinking any more
Setting = tuple[int, str]  # players, and the options as JSON


class Kept(Protocol):
    """A match that is over: who played each seat, when each event came (seconds), where its replay is, if anywhere."""

    @property
    def match(self) -> Match:
        """The match, at its end."""

    @property
    def players(self) -> tuple[str, ...]:
        """For each seat `person`, `program`, `shared` or the name of a bot."""

    @property
    def times(self) -> tuple[float, ...]:
        """A time for each event."""

    @property
    def path(self) -> str:
        """The path of its replay on its server, or nothing."""


@dataclass
class Walk:
    """What is met on the way through a match: its figures, and how often each kind of move was made.

    `waits`: for each decision with a choice, whose it was and the index of the event since which the seat could act.
    """

    match: Match
    figures: np.ndarray
    tally: np.ndarray
    waits: list[tuple[int, int, int]] = field(default_factory=list)  # seat, event before, event


def walk(match: Match) -> Walk:
    """Go through a match that is over, counting as `kernels.gather` does."""
    listed, kind = kind_numbers(match.game.rules.ACTIONS)
    out = Walk(match, np.zeros(FIGURES, np.int64), np.zeros(len(listed), np.int32))
    figures, step = out.figures, Step(out)
    figures[STARTER] = NOBODY
    match.go(0)
    step.since = match.struct.history
    for ply, event in enumerate(match.events):
        match.go(ply)
        if event.seat < 0:
            figures[CHANCES] += 1
            step.crowd = False
            continue
        step.decide(ply, event.seat)
        out.tally[kind[event.id]] += 1
    match.go(match.length)
    struct = match.struct
    figures[DEALS], figures[ENDING], figures[HISTORY] = struct.deal, struct.ending, struct.history
    return out


@dataclass
class Step:
    """Where a walk is, as `kernels.gather` knows it: who moved last, and whether several choose at the same time.

    `taken`: the seats that had a turn in this round, as bits; `paused`: whether the pause that goes on was counted.
    """

    walk: Walk
    mover: int = NOBODY
    crowd: bool = False
    since: int = 0
    taken: int = 0
    paused: bool = False
    ready: dict[int, int] = field(default_factory=dict)  # since which event each seat may act

    def decide(self, ply: int, seat: int) -> None:
        """Take in a decision before it is made."""
        match, figures = self.walk.match, self.walk.figures
        acting = match.acting
        self.ready = {each: self.ready.get(each, ply - 1) for each in acting}
        self.gather(len(acting), match.struct.history)
        count = len(match.legal_ids(seat))
        if count > 1:
            figures[CHOICES] += 1
            figures[LEGAL] += count
            figures[PAUSES] += not self.paused
            self.paused = self.crowd
            self.walk.waits.append((seat, self.ready[seat], ply))
            if figures[STARTER] == NOBODY and not self.crowd:
                figures[STARTER] = seat
        if seat != self.mover:
            self.turn(seat)
        figures[DECISIONS] += 1
        self.mover = seat
        del self.ready[seat]

    def gather(self, acting: int, history: int) -> None:
        """See whether several choose at the same time, and whether what they chose was told since."""
        if not self.crowd or history != self.since:
            self.paused = False
        if acting > 1:
            self.crowd, self.since = True, history
        elif history != self.since:
            self.crowd = False

    def turn(self, seat: int) -> None:
        """Begin a turn."""
        figures = self.walk.figures
        figures[TURNS] += 1
        self.taken = turned(self.taken, seat)
        figures[LAPS] += self.taken == 1 << seat


@dataclass
class Group:
    """Matches of one setting: what was counted, and for each match what only a table knows.

    `minutes`: from the deal to the end without pauses; `pauses`: how many there were; `choices`: people's choices and
    the seconds they took; `company`: by who played, in matches where not all were the same, how far ahead of the mean
    of the table they came and their share of the place that decides, a row a match; `paths`: of replays; `first`:
    the first LOOKED matches, and `seen` what was seen inside of the first of these.
    """

    game: GameSetup
    collected: Collected
    heard: Heard
    minutes: list[float] = field(default_factory=list)
    pauses: list[int] = field(default_factory=list)
    choices: list[tuple[int, float]] = field(default_factory=list)
    alike: list[bool] = field(default_factory=list)
    seated: dict[str, int] = field(default_factory=lambda: defaultdict(int))
    company: dict[str, list[tuple[int, float, float]]] = field(default_factory=lambda: defaultdict(list))
    paths: list[str] = field(default_factory=list)
    first: list[Match] = field(default_factory=list)
    seen: tuple[Seen, ...] = ()

    @classmethod
    def of(cls, game: GameSetup) -> Group:
        """An empty one."""
        return cls(game, Collected(game, names(game), Moments(len(names(game)))), Heard(game))

    def __len__(self) -> int:
        return len(self.paths)

    @property
    def part(self) -> Part:
        """As a part of a report: no bots were compared."""
        return Part(self.game, self.collected, self.heard, self.seen, (), measure_of(self.game))

    def look(self, seconds: float, threads: int = 1, progress: Progress | None = None) -> None:
        """Look inside the first matches, if there are enough to tell of it, as many as fit in so many seconds."""
        if len(self) >= LEAST:
            seen = look_at(self.game, self.first, threads=threads, seconds=seconds, progress=progress)
            self.seen = tuple(seen)

    def take(self, kept: Kept) -> None:
        """Count a match."""
        walked, number = walk(kept.match), len(self)
        results = np.array([kept.match.returns()])
        chunk = Chunk(number, results, walked.figures[None, :], walked.tally[None, :])
        self.collected.take(table(self.game, chunk, "interpreted"), chunk)
        self.heard.listen(kept.match)
        if number < NAMED or self.heard.unnamed(self.collected.met):
            self.heard.name_moves(kept.match, number)
        self._timed(kept, walked)
        self._seated(kept.players, results[0])
        self.paths.append(kept.path)
        if number < LOOKED:
            self.first.append(kept.match)

    def _timed(self, kept: Kept, walked: Walk) -> None:
        steps = np.diff(np.array(kept.times))
        self.minutes.append(float(steps[steps <= PAUSE].sum()) / 60)
        self.pauses.append(int((steps > PAUSE).sum()))
        waits = [kept.times[ply] - kept.times[max(before, 0)] for seat, before, ply in walked.waits
                 if kept.players[seat] == PERSON]  # fmt: skip
        thought = [wait for wait in waits if wait <= PAUSE]
        self.choices.append((len(thought), sum(thought)))

    def _seated(self, players: Sequence[str], results: np.ndarray) -> None:
        self.alike.append(len(set(players)) == 1 and players[0] != SHARED)
        best = results.min() if one_loser(self.game) else results.max()
        shares = (results == best) / (results == best).sum()
        for who in dict.fromkeys(players):
            theirs = [seat for seat, each in enumerate(players) if each == who]
            self.seated[who] += len(theirs)
            if len(set(players)) > 1:
                gain = results[theirs].mean() - results.mean()
                self.company[who].append((len(self), float(gain), float(shares[theirs].mean())))


@dataclass
class Gathered:
    """All groups of a game, the largest first.

    `single`: how many settings were played once; `other`: matches not asked for; `interrupted`: whether there are more.
    """

    name: str
    groups: list[Group] = field(default_factory=list)
    single: int = 0
    other: int = 0
    interrupted: bool = False


def gathered(
    name: str, kept: Iterable[Kept], players: Sequence[int] = (), options: Mapping[str, Any] | None = None,
    progress: Callable[[int], None] = lambda _done: None,
) -> Gathered:  # fmt: skip
    """Group matches of a game by their players and options, and count them: those of these players and options.

    Interrupted (KeyboardInterrupt), it has what was counted.
    """
    found: dict[Setting, Group] = {}
    out = Gathered(name)
    try:
        for each in kept:
            game = each.match.game
            if asked_for(game, players, options or {}):
                setting = game.players, json.dumps(dict(game.options), sort_keys=True)
                group = found.get(setting)
                if group is None:
                    group = found[setting] = Group.of(game)
                group.take(each)
            else:
                out.other += 1
            progress(1)
    except KeyboardInterrupt:
        out.interrupted = True
    out.single = sum(len(group) == 1 for group in found.values())
    out.groups = sorted((group for group in found.values() if len(group) > 1), key=lambda group: -len(group))
    return out


def asked_for(game: GameSetup, players: Sequence[int], options: Mapping[str, Any]) -> bool:
    """Whether a game has one of these numbers of players, if any are given, and these options."""
    if players and game.players not in players:
        return False
    try:
        wanted = game.named(game.name, game.players, **options).options
    except BadOption:
        return False
    return all(wanted[key] == game.options[key] for key in options)
