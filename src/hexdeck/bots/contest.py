"""Bots measured against each other: one at a table of others, on duplicate deals, in its turn on every seat."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from hexdeck.bots.bot import Bot
from hexdeck.bots.players import bot
from hexdeck.engine.errors import BadOption
from hexdeck.engine.game import Game
from hexdeck.engine.text import say

COLUMNS = ("utility", "first", "last", "ahead")


@dataclass(frozen=True)
class Contest:
    """How one bot did among others.

    `groups` float64 (groups, 4), means over the seats of each group: the utility; the share of first places, those who
    tie share it; the share of last places; of the other players met, the share that it beat, ties half.
    """

    one: str
    others: str
    groups: np.ndarray

    def mean(self, column: str) -> tuple[float, float]:
        """The mean of a column and half the width of its 95 % interval, groups being independent."""
        values = self.groups[:, COLUMNS.index(column)]
        margin = 1.96 * values.std(ddof=1) / np.sqrt(len(values)) if len(values) > 1 else float("inf")
        return float(values.mean()), float(margin)

    def summary(self) -> dict[str, object]:
        """As it is kept on disk."""
        columns = {column: [round(number, 4) for number in self.mean(column)] for column in COLUMNS}
        return {"one": self.one, "others": self.others, "groups": len(self.groups), **columns}


def contest(
    game: Game, one: str, others: str, groups: int, seed: int = 1, progress: Callable[[], None] | None = None
) -> Contest:
    """Play `groups` deals, each once from every seat: bot `one` on it, `others` on all the rest.

    Raises BadOption for fewer than one group, UnknownBot for a name there is not.
    """
    if groups < 1:
        raise BadOption(say("A contest needs at least one deal."))
    alone = bot(one, game, seed)
    rest = [bot(others, game, seed * 1000 + 1 + seat) for seat in range(game.players)]
    rows = np.zeros((groups, len(COLUMNS)))
    for number in range(groups):
        for seat in range(game.players):
            table = [alone if p == seat else rest[p] for p in range(game.players)]
            rows[number] += placed(played(game, table, seed, number), seat)
        if progress is not None:
            progress()
    return Contest(one, others, rows / game.players)


def played(game: Game, bots: Sequence[Bot], seed: int, number: int) -> np.ndarray:
    """The utilities of match `number` of a seed between these bots."""
    match = game.match(seed=seed, number=number)
    while not match.over:
        seat = match.actor
        match.play(seat, bots[seat].choose(match.concealed(seat), seat))
    return np.array(match.returns())


def placed(returns: np.ndarray, seat: int) -> tuple[float, ...]:
    """A row of `Contest.groups`, for one game and seat."""
    own, others = returns[seat], np.delete(returns, seat)
    first, last = returns == returns.max(), returns == returns.min()
    beaten = ((own > others) + 0.5 * (own == others)).mean()
    return float(own), float(first[seat] / first.sum()), float(last[seat] / last.sum()), float(beaten)
