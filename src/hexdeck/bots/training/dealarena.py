"""A table where house bots play in compiled code, and nets of deals learn what comes of the beginnings of deals."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from hexdeck.bots.nets.inference import INPUTS
from hexdeck.bots.training.arena import Arena, room
from hexdeck.bots.training.deals import collect_deals
from hexdeck.bots.training.learn import Batch, said
from hexdeck.bots.training.selfplay import GAMES, MOVES, SIZE, TARGET, VALUE
from hexdeck.engine.errors import BadOption
from hexdeck.engine.play.game import GameSetup
from hexdeck.engine.text import say

SAMPLES = 8  # beginnings of a deal that are looked at for each group of games asked for
PROBES = 200  # games that show whether deals begin


class DealArena(Arena):
    """Games of one setting between house bots; `units`: the middle and the unit of the utility."""

    heat = 0.0
    mark = "explained"  # which part of the variance of results a net foresees when a deal begins

    def __init__(self, game: GameSetup, sizes: np.ndarray, seed: int, backend: str | None, units: np.ndarray) -> None:
        super().__init__(game, sizes, seed, backend, 1)
        self._units = units

    def check(self) -> None:
        """Raise BadOption where a second deal hardly ever begins."""
        table = np.zeros((PROBES, 1))
        if self.collect_selfplay(table, None, self._units, 0, room(self.sizes, PROBES))[SIZE] < PROBES // 4:
            raise BadOption(
                say("With {players} players and these options of {game} a second deal hardly ever begins: "
                    "there is nothing to learn.", players=self.game.players, game=self.game.name)
            )  # fmt: skip

    def collect_selfplay(
        self, table: np.ndarray, _stack: Any, units: np.ndarray, number: int, room: Batch,
        _heats: Sequence[float] | None = None,
    ) -> tuple[int, ...]:  # fmt: skip
        """Play at most as many games as the table has; returns how many beginnings, games and moves there were."""
        state, who, shared = np.zeros(3, np.int64), np.zeros(len(room), np.int8), self.driver.shared
        look, out = self.driver.array(int(self.sizes[INPUTS]), np.int8), self._work[-1]
        kernel: Any = self.driver.kernel(collect_deals)  # type: ignore[arg-type]
        kernel(
            *self._game, len(table), shared(units), shared(self.sizes), *self._lists, *self._dice, look, out, number,
            shared(room.seen), shared(who), shared(room.facts), shared(state),
        )  # fmt: skip
        return tuple(int(state[k]) for k in (SIZE, GAMES, MOVES))

    def marked(self, net: np.ndarray, groups: int, first: int) -> tuple[float, float]:
        """Which part of the variance of results the net foresees, and half its 95 % interval.

        That is of `SAMPLES` beginnings for each group, in as many games as have them.
        """
        samples = room(self.sizes, SAMPLES * groups)
        made, games, _moves = self.collect_selfplay(np.zeros((len(samples), 1)), None, self._units, first, samples)
        facts, told = samples.facts[:made], foreseen(net, self.sizes, samples.seen[:made])
        middle = facts[:, TARGET].mean()
        gained = (facts[:, TARGET] - middle) ** 2 - (facts[:, TARGET] - told) ** 2
        by_game = np.bincount(facts[:, VALUE].astype(np.int64), gained, games) / facts[:, TARGET].var() * games / made
        return float(by_game.mean()), float(1.96 * by_game.std(ddof=1) / np.sqrt(games))


def foreseen(net: np.ndarray, sizes: np.ndarray, seen: np.ndarray) -> np.ndarray:
    """What a net of deals tells of what was seen, float32 (samples): in its unit, from its middle."""
    value: np.ndarray = said(net, sizes, seen)[:, -1]
    return value
