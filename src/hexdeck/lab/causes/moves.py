"""What kinds of actions are worth, by rollouts: the chosen move against the next best, and how often a kind is best.

Each judged choice has two independent estimates of every move, from halves of the worlds: one half selects the rival,
the other judges, so that luck in the selection doesn't count.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from hexdeck.lab.causes.cards import LEAST
from hexdeck.lab.counting.tension import JudgedChoice, MatchAnalysis
from hexdeck.stats import UNKNOWN, Estimate, clustered, share


@dataclass(frozen=True)
class KindWorth:
    """What a kind of action is worth at the choices that were judged.

    `over_next`: where it was chosen, by how much the chosen move beats the best other one (utility). `over_others`:
    where it and another kind were there, by how much its best move beats the best of the others. `best`: how often it
    was best there, with the interval of as many independent choices as there were games.
    """

    choices: int
    over_next: Estimate
    over_others: Estimate
    best: Estimate


def kind_worths(analyses: Sequence[MatchAnalysis], kind: np.ndarray, kinds: int) -> list[KindWorth]:
    """What each kind of action is worth; `kind`: of each action, by its id."""
    return [kind_worth([each.judged for each in analyses], kind, k) for k in range(kinds)]


def kind_worth(matches: Sequence[Sequence[JudgedChoice]], kind: np.ndarray, k: int) -> KindWorth:
    """What one kind is worth."""
    chosen = [[over_next(each) for each in judged if kind[each.chosen] == k and len(each.moves) > 1]
              for judged in matches]  # fmt: skip
    mixed = [[over_others(each, kind[list(each.moves)] == k) for each in judged if is_mixed(each, kind, k)]
             for judged in matches]  # fmt: skip
    gains, best = [[gain for gain, _ in match] for match in mixed], [[first for _, first in match] for match in mixed]
    games = sum(bool(match) for match in mixed)
    means = [float(np.mean(match)) for match in best if match]
    return KindWorth(
        sum(map(len, mixed)), clustered(chosen, LEAST), clustered(gains, LEAST),
        share(sum(means), games) if games >= LEAST else UNKNOWN,
    )  # fmt: skip


def is_mixed(judged: JudgedChoice, kind: np.ndarray, k: int) -> bool:
    """Whether a judged choice has moves of this kind and others."""
    own = kind[list(judged.moves)] == k
    return bool(own.any() and not own.all())


def over_next(judged: JudgedChoice) -> float:
    """By how much the chosen move beats the best other one."""
    at = judged.moves.index(judged.chosen)
    gains = []
    for selecting, judging in (judged.halves, judged.halves[::-1]):
        rival = int(np.argmax(np.where(np.arange(len(selecting)) == at, -np.inf, selecting)))
        gains.append(judging[at] - judging[rival])
    return float(np.mean(gains))


def over_others(judged: JudgedChoice, own: np.ndarray) -> tuple[float, float]:
    """By how much the best of its own moves beats the best other, and how often it is best: 0, a half, or 1."""
    gains, best = [], []
    for selecting, judging in (judged.halves, judged.halves[::-1]):
        mine, rival = (int(np.argmax(np.where(some, selecting, -np.inf))) for some in (own, ~own))
        gains.append(judging[mine] - judging[rival])
        best.append(selecting[mine] > selecting[rival])
    return float(np.mean(gains)), float(np.mean(best))
