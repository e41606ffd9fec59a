"""Luck as an equivalent: in how many matches lots would have to decide, if the better player won all others.

After Duersch, Lambrecht and Oechssler (“Measuring skill and chance in games”, 2020), who compare games with chess of
which a part is decided by a coin.
"""

from __future__ import annotations

from hexdeck.stats import Estimate


def by_lot(share: Estimate, players: int, place: int) -> Estimate:
    """The share of matches to be decided by lot, from the better player's share of first (0) or last (1) place.

    With lots, everybody would take the place as often; without, the better player would always, or never, take it.
    """
    fair = 1 / players
    ends = (share.low, share.value, share.high) if place else (share.high, share.value, share.low)
    low, value, high = (min(max(each / fair if place else (1 - each) / (1 - fair), 0.0), 1.0) for each in ends)
    return Estimate(value, low, high, share.count)
