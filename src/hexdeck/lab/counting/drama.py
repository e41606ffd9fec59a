"""How tense a match was: sizes of effects, from estimated chances, without bias from how many worlds estimate them.

Chances estimated in few worlds swing by noise alone. So each match has two independent estimates, from halves of the
worlds: what one half selects (who leads, when somebody was highest) is measured in the other, and squares are products
of the two. `place`: whether first place decides (0) or last (1); “the taker” is who took that place in the end.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from hexdeck.lab.counting.tension import MatchAnalysis

CERTAIN = 0.8  # probability from which a result counts as settled


def deciding_probabilities(analysis: MatchAnalysis, place: int) -> np.ndarray:
    """The probabilities of the place that decides, float64 (moments, seats)."""
    found: np.ndarray = analysis.halves.mean(axis=0)[place]
    return found


def takers(analysis: MatchAnalysis, place: int) -> np.ndarray:
    """Each seat's share of the place that decides in the end, float64 (seats); in sum 1, or 0 where nobody took it."""
    end = analysis.end[place]
    shares: np.ndarray = end / end.sum() if end.sum() else end
    return shares


def squared_swing(analysis: MatchAnalysis, place: int) -> float:
    """The mean square of the change of the taker's chance from one moment to the next; 0 for less than two moments."""
    one, other = (np.diff(half[place] @ takers(analysis, place)) for half in analysis.halves)
    return float((one * other).mean()) if len(one) else 0.0


def lead_changes(analysis: MatchAnalysis, place: int) -> float:
    """How often another seat became the likeliest for the place, from one moment to the next."""
    return crossed(analysis, place, changes)


def drama(analysis: MatchAnalysis, place: int) -> float:
    """How far the taker was behind the likeliest seat, the mean over moments (Browne 2008; Ludii's “Drama”)."""
    return crossed(analysis, place, behind)


def decisiveness(analysis: MatchAnalysis, place: int) -> float:
    """The part of the match played when the taker's chance first was above all that others ever had.

    1 where it never was before the end (Browne 2008; Ludii's “Decisiveness”).
    """
    took = takers(analysis, place)
    if not len(analysis.when) or not (took > 0).any() or (took > 0).all():
        return 1.0
    ahead = deciding_probabilities(analysis, place)[:, took > 0].max(axis=1)
    decided = np.flatnonzero(ahead > peak([half[place] for half in analysis.halves], took))
    return float(analysis.when[decided[0]]) if len(decided) else 1.0


def peak(halves: Sequence[np.ndarray], took: np.ndarray) -> float:
    """The highest chance that a seat without the place ever had: found in one half, measured in the other, and back."""
    found = []
    for selecting, judging in (halves, halves[::-1]):
        moment, seat = np.unravel_index(np.where(took > 0, -1.0, selecting).argmax(), selecting.shape)
        found.append(float(judging[moment, seat]))
    return sum(found) / len(found)


def crossed(
    analysis: MatchAnalysis, place: int, measure: Callable[[np.ndarray, np.ndarray, np.ndarray], float]
) -> float:
    """The mean of a measure that selects in one half of the worlds and judges in the other, both ways round."""
    one, other = (half[place] for half in analysis.halves)
    took = takers(analysis, place)
    return (measure(one, other, took) + measure(other, one, took)) / 2 if len(one) else 0.0


def changes(selecting: np.ndarray, judging: np.ndarray, _took: np.ndarray) -> float:
    """The changes of the leader in one half, as far as the other half confirms who led before and after.

    One that it confirms counts 1, one of which it says the opposite -1: noise counts 0 in the mean, and a lead so slim
    that half of the worlds often miss it counts in part.
    """
    leaders, total = selecting.argmax(axis=1), 0.0
    for k in np.flatnonzero(np.diff(leaders)).tolist():
        old, new = leaders[k], leaders[k + 1]
        before, after = judging[k, old] - judging[k, new], judging[k + 1, new] - judging[k + 1, old]
        total += float(np.sign(before) + np.sign(after)) / 2
    return total


def behind(selecting: np.ndarray, judging: np.ndarray, took: np.ndarray) -> float:
    """How far the takers were behind the leader of one half, measured in the other: the mean over moments."""
    leads = judging[np.arange(len(judging)), selecting.argmax(axis=1)]
    return float((leads - judging @ took).mean()) if took.any() else 0.0


def settled(analysis: MatchAnalysis, place: int) -> float:
    """The part of the match played when its result was settled for good; 1 if it never was before the end."""
    final = analysis.end[place]
    certain = (deciding_probabilities(analysis, place) * (final > 0)).sum(axis=1) >= CERTAIN
    if not len(certain) or not certain[-1]:
        return 1.0
    uncertain = np.flatnonzero(~certain)
    return float(analysis.when[uncertain[-1] + 1] if len(uncertain) else analysis.when[0])


def favourite_curve(analyses: Sequence[MatchAnalysis], place: int, bins: int = 10) -> list[list[float]]:
    """The probability that whoever took the place had before, by how much of the match was played, in `bins` bins.

    A bin has one value for each match, since the moments of a match aren't independent.
    """
    out: list[list[float]] = [[] for _ in range(bins)]
    for each in analyses:
        at = np.minimum((each.when * bins).astype(int), bins - 1)
        had = deciding_probabilities(each, place) @ each.end[place]
        for k in np.unique(at).tolist():
            out[k].append(float(had[at == k].mean()))
    return out
