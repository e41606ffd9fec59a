"""Matches that were played at tables: counted as simulated games are, and besides by time and by who played.

A match is replayed for its log; that is counted as logs of simulated games are, so that all that reports make of those
they can make of these.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np

from hexdeck.bots.players.levels import one_loser
from hexdeck.engine.play.game import GameSetup
from hexdeck.engine.play.match import Match
from hexdeck.lab.causes import CauseStudy
from hexdeck.lab.counts import GameStatistics, counted, metric_table, taken
from hexdeck.lab.log import Log, SimulationSetup, log_of
from hexdeck.lab.messages import MessageCounts
from hexdeck.lab.pace import CARDS, SCREEN, Place
from hexdeck.lab.reporting.feedback.said import Said
from hexdeck.lab.reporting.report import NAMED, Part, measure_of
from hexdeck.lab.starts import StartStudy, add_log, starting_of
from hexdeck.lab.tension import LEAST, MatchAnalysis, Progress, analyse_matches

PERSON, SHARED, PROGRAM = "person", "shared", "program"  # who played a seat, if not one of our bots, by name
ANALYSED = 200  # matches of a group that are kept for analysis
PAUSE = 600.0  # seconds between two events from which on they count as a pause
Variant = tuple[int, str]  # the number of players, and the options as JSON


class StoredMatch(Protocol):
    """A match that is over, as a store of tables gives it."""

    @property
    def match(self) -> Match:
        """The match, at its end."""

    @property
    def players(self) -> tuple[str, ...]:
        """Who played each seat: `person`, `program`, `shared` (by several) or the name of a bot."""

    @property
    def times(self) -> tuple[float, ...]:
        """When each event came, in seconds."""

    @property
    def path(self) -> str:
        """The path of its replay on its server; empty where there is none."""

    @property
    def said(self) -> Sequence[Said]:
        """What its players said of it."""


@dataclass
class Group:
    """Matches with the same players and options: their statistics, and what only tables know of each match.

    `minutes`: from the deal to the end, without pauses. `pauses`: their number. `choices`: the number of people's
    choices and the seconds they took. `same_kind`: whether all seats had the same kind of player. `seated`: by who
    played, on how many seats in all. `mixed`: by who played, a row for each match with different kinds of players: its
    number, how far ahead of the mean of the table they came, their share of the place that decides, and the variance of
    the former that is expected from that match alone. `paths`: of
    replays. `first`: the first ANALYSED matches, and `analyses` those of them that were made. `starts`: what starting
    is worth, where chance sometimes decides who starts. `said`: of each match, what its players said of it. `causes`:
    where points come from, and what cards and actions do.
    """

    game: GameSetup
    statistics: GameStatistics
    messages: MessageCounts
    minutes: list[float] = field(default_factory=list)
    pauses: list[int] = field(default_factory=list)
    choices: list[tuple[int, float]] = field(default_factory=list)
    same_kind: list[bool] = field(default_factory=list)
    seated: dict[str, int] = field(default_factory=lambda: defaultdict(int))
    mixed: dict[str, list[tuple[int, float, float, float]]] = field(default_factory=lambda: defaultdict(list))
    paths: list[str] = field(default_factory=list)
    first: list[Match] = field(default_factory=list)
    analyses: tuple[MatchAnalysis, ...] = ()
    starts: StartStudy | None = None
    said: list[Sequence[Said]] = field(default_factory=list)
    causes: CauseStudy | None = None

    @classmethod
    def of(cls, game: GameSetup) -> Group:
        """A group of no matches yet."""
        starting = starting_of(game)
        starts = None if starting.between is None or starting.let_start is not None else StartStudy()
        return cls(game, GameStatistics.of(game), MessageCounts(game), starts=starts, causes=CauseStudy.of(game))

    def __len__(self) -> int:
        return len(self.paths)

    @property
    def pace(self) -> tuple[Place, Place] | None:
        """People at this table and at a real one, who choose as quickly as these did; None where none chose."""
        count, seconds = (sum(column) for column in zip(*self.choices, strict=True)) if self.choices else (0, 0.0)
        if not count:
            return None
        moves = self.statistics["legal"].value
        return SCREEN.calibrated(seconds / count, moves), CARDS.calibrated(seconds / count, moves)

    @property
    def part(self) -> Part:
        """The group as a part of a report, without duels."""
        alike = (PERSON,) if all(self.same_kind) else ()
        return Part(self.game, self.statistics, self.messages, self.analyses, (), measure_of(self.game), alike,
                    starts=self.starts, causes=self.causes)  # fmt: skip

    def analyse(self, seconds: float, threads: int = 1, progress: Progress | None = None) -> None:
        """Analyse the first matches, as many as fit in so many seconds; none of fewer than LEAST."""
        if len(self) >= LEAST:
            setup = SimulationSetup(self.game, threads=threads)
            self.analyses = tuple(analyse_matches(setup, self.first, seconds, progress))

    def add(self, stored: StoredMatch) -> None:
        """Count a match."""
        number = len(self)
        log = log_of(stored.match, number)
        chunk = counted(log, self.game.driver("interpreted"))
        self.statistics.add(metric_table(self.game, chunk, "interpreted"), chunk)
        self.messages.add(stored.match)
        if number < NAMED or self.messages.without_label(self.statistics.kinds_used):
            self.messages.add_labels(stored.match, number)
        self._add_times(stored, log)
        self._add_players(stored.players, log.results[0])
        if self.starts is not None:
            add_log(self.starts, self.game, log)
        if self.causes is not None and not self.causes.enough:
            self.causes.add(log)
        self.paths.append(stored.path)
        self.said.append(stored.said)
        if number < ANALYSED:
            self.first.append(stored.match)

    def _add_times(self, stored: StoredMatch, log: Log) -> None:
        steps = np.diff(np.array(stored.times))
        self.minutes.append(float(steps[steps <= PAUSE].sum()) / 60)
        self.pauses.append(int((steps > PAUSE).sum()))
        waits = [stored.times[ply] - stored.times[max(before, 0)] for seat, before, ply in log.waits
                 if stored.players[seat] == PERSON]  # fmt: skip
        thinking = [wait for wait in waits if wait <= PAUSE]
        self.choices.append((len(thinking), sum(thinking)))

    def _add_players(self, players: Sequence[str], results: np.ndarray) -> None:
        self.same_kind.append(len(set(players)) == 1 and players[0] != SHARED)
        shares = taken(results, one_loser(self.game))
        for who in dict.fromkeys(players):
            theirs = [seat for seat, each in enumerate(players) if each == who]
            self.seated[who] += len(theirs)
            if len(set(players)) > 1:
                gain = results[theirs].mean() - results.mean()
                varies = results.var(ddof=1) * (1 / len(theirs) - 1 / len(results))
                self.mixed[who].append((len(self), float(gain), float(shares[theirs].mean()), float(varies)))


@dataclass
class PlayedMatches:
    """The groups of several matches of a game, the largest first; `game` has any of the numbers of players.

    `single`: how many groups had only one match. `other`: matches with players or options not asked for.
    `interrupted`: whether matches are missing.
    """

    game: GameSetup
    groups: list[Group] = field(default_factory=list)
    single: int = 0
    other: int = 0
    interrupted: bool = False


def group_matches(
    stored: Iterable[StoredMatch], wanted: Sequence[GameSetup], options: Collection[str] = (),
    progress: Callable[[int], None] = lambda _done: None,
) -> PlayedMatches:  # fmt: skip
    """Count matches by players and options: those with the players of a wanted game and its values of these options.

    After an interrupt (KeyboardInterrupt) it returns what was counted.
    """
    found: dict[Variant, Group] = {}
    by_players, out = {game.players: game for game in wanted}, PlayedMatches(wanted[0])
    try:
        for each in stored:
            game, like = each.match.game, by_players.get(each.match.game.players)
            if like is not None and all(game.options[key] == like.options[key] for key in options):
                variant = game.players, json.dumps(dict(game.options), sort_keys=True)
                group = found.get(variant)
                if group is None:
                    group = found[variant] = Group.of(game)
                group.add(each)
            else:
                out.other += 1
            progress(1)
    except KeyboardInterrupt:
        out.interrupted = True
    out.single = sum(len(group) == 1 for group in found.values())
    out.groups = sorted((group for group in found.values() if len(group) > 1), key=lambda group: -len(group))
    return out
