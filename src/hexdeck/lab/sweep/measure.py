"""What a change of an option does to seats, length and tension, each as a paired difference on the same deals."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from hexdeck.bots.players.levels import one_loser
from hexdeck.engine.errors import HexdeckError
from hexdeck.engine.play.game import GameSetup
from hexdeck.engine.text import Text
from hexdeck.lab.counting.drama import drama, lead_changes
from hexdeck.lab.counting.pace import CARDS, Place, minutes
from hexdeck.lab.counting.tension import MatchAnalyser, MatchAnalysis, analyse_matches
from hexdeck.lab.counts import STARTER_FIRST, STARTER_LAST, Chunk, GameStatistics, Source, chunks, metric_names
from hexdeck.lab.log import SimulationSetup, matches
from hexdeck.lab.reporting.compare import Comparison, compare
from hexdeck.lab.reporting.ledger import effect, pair_of
from hexdeck.lab.reporting.rulings import STARTER
from hexdeck.lab.sweep.values import Trial
from hexdeck.simulation.seating import check_bots
from hexdeck.stats import Estimate, mean

MEASURES = ("seats", "minutes", "turns", "lead_changes", "drama")
RECKONED = ("pauses", "legal", "decisions", "choices", "deals", "chances", "turns")  # what minutes are made of
NUDGE = 1e-4  # relative step for slopes
Tick = Callable[[int], None]  # is told how many more games are done


@dataclass(frozen=True)
class Shift:
    """A measure as the game is, and its paired difference with another value of an option."""

    before: float
    difference: Estimate


@dataclass(frozen=True)
class Effect:
    """What one value of an option does; `shifts` by the names of MEASURES.

    `who`: the seat whose share of the place that decides changes most (STARTER: whoever starts), which is the measure
    `seats`. `beside`: another option, as `key=value`, that both games of a pair need for this value.
    """

    option: str
    value: str
    beside: str
    pairs: int
    who: int
    shifts: dict[str, Shift]

    @property
    def change(self) -> str:
        """The option and its value as they are typed."""
        return f"{self.option}={self.value}"


@dataclass(frozen=True)
class Untried:
    """A value that can't be tried, and why."""

    change: str
    why: Text


@dataclass
class Sweeper:
    """Tries values of a game's options; the game as it is is played and analysed once.

    `pairs`: how many pairs of games each value is tried on; `sample`: how many of them are analysed for tension.
    """

    setup: SimulationSetup
    pairs: int
    sample: int
    source: Source = chunks
    games: KeptGames = field(init=False)
    analysed: dict[str, list[MatchAnalysis]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.games = KeptGames(self.setup.game, self.source)

    @property
    def place(self) -> int:
        """Whether first place decides (0) or last (1)."""
        return int(one_loser(self.setup.game))

    def sweep(self, trials: Sequence[Trial], tests: int, tick: Tick = lambda _done: None) -> Iterator[Effect | Untried]:
        """The effect of each value, of so many that are tested together; an interrupt leaves out the one at hand."""
        for trial in trials:
            try:
                yield self.measure(trial, tests, tick)
            except HexdeckError as error:
                yield Untried(trial.change, error.text)

    def measure(self, trial: Trial, tests: int, tick: Tick) -> Effect:
        """The effect of one value; raises HexdeckError where it can't be played, or not by these bots."""
        usual, other, beside = pair_of(self.setup.game, trial.option, trial.value)
        check_bots(other, self.setup.bots)
        self.games.forget()
        setup = replace(self.setup, game=usual)
        ready = setup if setup.threads == 1 or not self.games.has(usual) else replace(setup, threads=2 * setup.threads)
        found = compare(
            ready, other, least=self.pairs, most=self.pairs, source=self.games,
            progress=lambda done, _of: tick(done),
        )  # fmt: skip
        if found.interrupted:
            raise KeyboardInterrupt
        ruling = effect(trial.option, trial.option.spell(trial.value), found, tests)
        shifts = {
            "seats": Shift(self.before(found, ruling.who), ruling.estimate("gain")),
            "minutes": self.games.minutes(usual, other),
            "turns": Shift(found.change("turns").before.value, found.change("turns").difference),
            **self.tension(usual, other, tick),
        }
        return Effect(trial.option.name, ruling.value, beside, len(found), ruling.who, shifts)

    def before(self, found: Comparison, who: int) -> float:
        """The share of the place that decides of a seat, or of the starter, in the game as it is."""
        name = (STARTER_LAST if found.place else STARTER_FIRST, 0) if who == STARTER else (found.shares, who)
        return found.change(name).before.value

    def tension(self, usual: GameSetup, other: GameSetup, tick: Tick) -> dict[str, Shift]:
        """The shifts of tension: matches with the same number are pairs."""
        known = str(usual.options)
        if known not in self.analysed:
            self.analysed[known] = self.analyses(usual)
        sides = self.analysed[known], self.analyses(other, tick)
        out = {}
        for name, measured in (("lead_changes", lead_changes), ("drama", drama)):
            before, after = (np.array([measured(each, self.place) for each in side], float) for side in sides)
            out[name] = Shift(float(before.mean()), mean(after - before))
        return out

    def analyses(self, game: GameSetup, tick: Tick = lambda _done: None) -> list[MatchAnalysis]:
        """The analyses of the first matches of a variant."""
        setup = replace(self.setup, game=game)
        return analyse_matches(
            setup, matches(setup, self.sample), progress=lambda done, _seconds: tick(done), look=MatchAnalyser.chances
        )


class KeptGames:
    """Plays games as `source` does, those of the game as it is only once; and keeps what minutes are reckoned from."""

    def __init__(self, base: GameSetup, source: Source) -> None:
        self.base, self.source = base, source
        self.kept: list[tuple[Chunk, np.ndarray]] = []
        self.columns: dict[str, list[np.ndarray]] = {}  # by options

    def forget(self) -> None:
        """Forget what minutes are reckoned from, of all but the game as it is."""
        self.columns = {key: rows for key, rows in self.columns.items() if key == str(self.base.options)}

    def has(self, game: GameSetup) -> bool:
        """Whether the games of a variant were kept."""
        return bool(self.kept) and game.options == self.base.options

    def __call__(self, setup: SimulationSetup, games: int, **how: Any) -> Generator[tuple[Chunk, np.ndarray]]:
        """Play so many games, a chunk at a time, each with its metrics."""
        game, names = setup.game, metric_names(setup.game)
        if self.has(game):
            yield from self.kept
            return
        wanted = [names.index((name, 0)) for name in RECKONED]
        made: list[tuple[Chunk, np.ndarray]] = []
        columns = self.columns[str(game.options)] = []
        for each in self.source(setup, games, **how):
            made.append(each)
            columns.append(each[1][:, wanted])
            if game.options == self.base.options and sum(len(rows) for _chunk, rows in made) >= games:
                self.kept = made
            yield each

    def minutes(self, usual: GameSetup, other: GameSetup) -> Shift:
        """The minutes of a match at a real table, and their difference; the model's slopes turn games into minutes."""
        sides = [minutes_each(game, np.concatenate(self.columns[str(game.options)])) for game in (usual, other)]
        means, each = zip(*sides, strict=True)
        off, value = mean(each[1] - each[0]).margin, means[1] - means[0]
        return Shift(means[0], Estimate(value, value - off, value + off, len(each[0])))


def minutes_each(game: GameSetup, rows: np.ndarray, place: Place = CARDS) -> tuple[float, np.ndarray]:
    """The minutes of a match from columns of RECKONED, and by how much each game is off that: float64 (games)."""
    means = rows.mean(axis=0)
    off: np.ndarray = (rows - means) @ slopes(game, means, place)
    return reckoned(game, means, place), off


def reckoned(game: GameSetup, means: np.ndarray, place: Place = CARDS) -> float:
    """The minutes of a match, usually at a real table, from the means of RECKONED."""
    found = GameStatistics.of(game)
    row = np.zeros((1, len(found.names)))
    for name, value in zip(RECKONED, means, strict=True):
        row[0, found.names.index((name, 0))] = value
    found.moments.add(row)
    return minutes(found, place).total


def slopes(game: GameSetup, means: np.ndarray, place: Place = CARDS) -> np.ndarray:
    """By how much minutes change with each of RECKONED: float64."""
    steps = np.diag(np.maximum(np.abs(means), 1.0) * NUDGE)
    return np.array(
        [
            (reckoned(game, means + step, place) - reckoned(game, means - step, place)) / (2 * step.sum())
            for step in steps
        ]
    )
