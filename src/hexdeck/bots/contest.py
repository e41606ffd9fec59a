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

COLUMNS = ("utility", "first", "last")


@dataclass(frozen=True)
class Contest:
    """How one bot did among others.

    `groups` float64 (groups, 3), means over the seats of each group: the utility; the share of first places, those who
    tie share it; the share of last places. `ahead`: of all other players met, the share that it beat, ties half.
    """

    one: str
    others: str
    groups: np.ndarray
    ahead: float

    def mean(self, column: str) -> tuple[float, float]:
        """The mean of a column and half the width of its 95 % interval, groups being independent."""
        values = self.groups[:, COLUMNS.index(column)]
        margin = 1.96 * values.std(ddof=1) / np.sqrt(len(values)) if len(values) > 1 else float("inf")
        return float(values.mean()), float(margin)

    def summary(self) -> dict[str, object]:
        """As it is kept on disk."""
        columns = {column: [round(number, 4) for number in self.mean(column)] for column in COLUMNS}
        return {
            "one": self.one, "others": self.others, "groups": len(self.groups), "ahead": round(self.ahead, 4), **columns
        }  # fmt: skip


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
    rows, ahead = np.zeros((groups, len(COLUMNS))), 0.0
    for number in range(groups):
        for seat in range(game.players):
            returns = played(game, [alone if p == seat else rest[p] for p in range(game.players)], seed, number)
            rows[number] += placed(returns, seat)
            ahead += beaten(returns, seat)
        if progress is not None:
            progress()
    return Contest(one, others, rows / game.players, ahead / groups / game.players)


def played(game: Game, bots: Sequence[Bot], seed: int, number: int) -> np.ndarray:
    """The utilities of match `number` of a seed between these bots."""
    match = game.match(seed=seed, number=number)
    while not match.over:
        seat = match.actor
        match.play(seat, bots[seat].choose(match.concealed(seat), seat))
    return np.array(match.returns())


def placed(returns: np.ndarray, seat: int) -> tuple[float, float, float]:
    """The utility of a seat, its share of the first place and of the last."""
    first, last = returns == returns.max(), returns == returns.min()
    return float(returns[seat]), float(first[seat] / first.sum()), float(last[seat] / last.sum())


def beaten(returns: np.ndarray, seat: int) -> float:
    """The share of the other players that a seat is ahead of, ties half."""
    others = np.delete(returns, seat)
    return float(((returns[seat] > others) + 0.5 * (returns[seat] == others)).mean())
