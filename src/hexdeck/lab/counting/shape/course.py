"""Who is out of play for how long, how long players wait, and how far apart they are at the end."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from hexdeck.lab.counting.tension import MatchAnalysis


def out_of_play(analyses: Sequence[MatchAnalysis], players: int) -> np.ndarray:
    """For each match, the share of its decisions after the last one of whoever was done first."""
    return np.array([max(tails(each, players)) for each in analyses if len(each.acted)], float)


def tails(analysis: MatchAnalysis, players: int) -> list[float]:
    """For each seat, the share of the match's decisions that came after its last one; 1 if it made none."""
    count = len(analysis.acted)
    lasts = [np.flatnonzero(analysis.acted == seat) for seat in range(players)]
    return [1 - (int(last[-1]) + 1) / count if len(last) else 1.0 for last in lasts]


def longest_waits(analyses: Sequence[MatchAnalysis], players: int) -> np.ndarray:
    """For each match, the share of its decisions in the longest wait of a player between two of its own, or to the end.

    Until its first decision a player is busy with the deal: that wait doesn't count.
    """
    out = []
    for each in analyses:
        if len(each.acted):
            waits = [stretch(np.flatnonzero(each.acted == seat), len(each.acted)) for seat in range(players)]
            out.append(max(waits) / len(each.acted))
    return np.array(out, float)


def stretch(own: np.ndarray, count: int) -> int:
    """The most decisions between two of a player's own, or after its last one, of so many in all."""
    return int((np.diff([*own, count]) - 1).max()) if len(own) else count


def gaps(analyses: Sequence[MatchAnalysis], behind: int) -> np.ndarray:
    """For each match, how far (utility) the first is ahead of the one `behind` places further down."""
    ranked = [np.sort(each.results)[::-1] for each in analyses if len(each.results)]
    return np.array([each[0] - each[behind] for each in ranked], float)


def known_lost(analyses: Sequence[MatchAnalysis], players: int, place: int) -> np.ndarray:
    """For each match, the share of it for which the first who was sure not to win had known that.

    Sure: in none of the worlds that fit what a spectator knew, at that moment or at any later one.
    """
    return np.array([max(lost_for(each, seat, place) for seat in range(players)) for each in analyses
                     if len(each.when)], float)  # fmt: skip


def lost_for(analysis: MatchAnalysis, seat: int, place: int) -> float:
    """The share of a match for which a seat was sure not to win; 0 for one that still could at the last moment."""
    chances = analysis.halves[:, place, :, seat]
    lost = (chances == place).all(axis=0)  # it never comes first, or always last
    still = np.flatnonzero(~lost)
    since = int(still[-1]) + 1 if len(still) else 0
    return float(1 - analysis.when[since]) if since < len(lost) else 0.0
