"""How long a match takes people: one model for reports, the start page and rules, at this table and at a real one.

Choices, moves, deals and draws take so many seconds; talk comes on top. Choosing takes longer with more moves, by
Hick's law. The seconds are guesses, by which High Handed takes what its sheet says; matches of people calibrate them.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace

import numpy as np

from hexdeck.engine.play.game import GameSetup
from hexdeck.lab.counts import GameStatistics, metric_names

USUAL = 7  # moves of the choice whose seconds `think` is
RECKONED = ("pauses", "legal", "decisions", "choices", "deals", "chances", "turns")  # what minutes are made of
NUDGE = 1e-4  # relative step for slopes
FURTHER = 0.3  # of these seconds, for a further choice in the same turn: where to play the card that one has picked


@dataclass(frozen=True)
class Tempo:
    """Seconds at a table of people."""

    think: float  # for a choice between USUAL moves
    move: float  # to carry a move out and see it
    deal: float  # before each deal
    draw: float  # for each card drawn or dealt
    score: float  # after each deal for each player
    talk: float  # as a part of all that

    def choosing(self, moves: float) -> float:
        """Seconds for a choice between so many moves."""
        return self.think * math.log2(1 + moves) / math.log2(1 + USUAL)

    def calibrated(self, seconds: float, moves: float) -> Tempo:
        """The place where people take so many seconds for a choice between so many moves."""
        return replace(self, think=self.think * seconds / self.choosing(moves))


SCREEN = Tempo(think=8.0, move=1.5, deal=3.0, draw=0.2, score=2.0, talk=0.1)  # the table deals, checks and scores
CARDS = Tempo(think=8.0, move=3.0, deal=40.0, draw=1.0, score=5.0, talk=0.25)  # real cards, shuffled by hand


@dataclass(frozen=True)
class Minutes:
    """The minutes of a match by what they go to, in all, and seconds between one's own turns (0: fewer than two)."""

    choices: float
    moves: float
    dealing: float
    scoring: float
    talk: float
    total: float
    wait: float


def minutes(statistics: GameStatistics, tempo: Tempo) -> Minutes:
    """The mean minutes of a match with these statistics."""
    return reckoned(statistics.game.players, [statistics[name].value for name in RECKONED], tempo)


def reckoned(players: int, means: Iterable[float], tempo: Tempo) -> Minutes:
    """The minutes of a match from the means of RECKONED; choices made at the same time take time once."""
    of = dict(zip(RECKONED, means, strict=True))
    together, first = of["pauses"] / of["choices"] if of["choices"] else 1.0, min(of["choices"], of["turns"])
    seconds = {
        "choices": together * (first + FURTHER * (of["choices"] - first)) * tempo.choosing(of["legal"]),
        "moves": of["decisions"] * together * tempo.move,
        "dealing": of["deals"] * tempo.deal + of["chances"] * tempo.draw,
        "scoring": of["deals"] * players * tempo.score,
    }
    seconds["talk"] = tempo.talk * sum(seconds.values())
    again = of["turns"] >= 2 * players  # else one hardly has another to wait for
    wait = sum(seconds.values()) * (players - 1) / of["turns"] if again else 0.0
    spent = {name: value / 60 for name, value in seconds.items()}
    return Minutes(**spent, total=sum(spent.values()), wait=wait)


def reckoned_columns(game: GameSetup, rows: np.ndarray) -> np.ndarray:
    """The columns of RECKONED, of metrics float64 (games, metrics)."""
    names = metric_names(game)
    return rows[:, [names.index((name, 0)) for name in RECKONED]]


def minutes_each(players: int, rows: np.ndarray, tempo: Tempo) -> np.ndarray:
    """The minutes of each game, from columns of RECKONED: float64 (games); the model isn't linear, so by its slopes."""
    means = rows.mean(axis=0)
    steps = np.diag(np.maximum(np.abs(means), 1.0) * NUDGE)
    rises = [reckoned(players, means + s, tempo).total - reckoned(players, means - s, tempo).total for s in steps]
    slopes = np.array([rise / (2 * step.sum()) for rise, step in zip(rises, steps, strict=True)])
    return np.asarray(reckoned(players, means, tempo).total + (rows - means) @ slopes)


def span(statistics: GameStatistics) -> tuple[int, int]:
    """The minutes of a match as a game's table tells them: at this table, and at a real one, in whole minutes."""
    screen, cards = (max(1, round(minutes(statistics, tempo).total)) for tempo in (SCREEN, CARDS))
    return screen, max(cards, screen + 1)
