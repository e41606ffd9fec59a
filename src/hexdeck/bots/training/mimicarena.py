"""A table where searches play in compiled code, and nets learn to choose like them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from hexdeck.bots.nets.inference import INPUTS
from hexdeck.bots.training.arena import Arena, room
from hexdeck.bots.training.learn import Batch, policy, said
from hexdeck.bots.training.mimic import watch
from hexdeck.bots.training.selfplay import GAMES, MOVES, SIZE, VALUE
from hexdeck.engine.play.game import GameSetup

SPARSE, FEWEST, DECISIONS = 20, 20, 256  # games for so many groups asked for, at least; room for each of them


class MimicArena(Arena):
    """Games of one setting between searches; `units`: the middle and the unit of the utility."""

    mark = "foreseen"  # how much less is unknown of what a search chooses, by what a net says

    def __init__(
        self, game: GameSetup, sizes: np.ndarray, seed: int, backend: str | None, simulations: int, units: np.ndarray
    ) -> None:
        super().__init__(game, sizes, seed, backend, simulations)
        self._units = units
        self._fresh: dict[tuple[int, int], tuple[Batch, int]] = {}

    def collect_selfplay(
        self, table: np.ndarray, _stack: Any, units: np.ndarray, number: int, room: Batch,
        _heats: Sequence[float] | None = None,
    ) -> tuple[int, ...]:  # fmt: skip
        """Play at most as many games as the table has; returns how many decisions, games and moves there were."""
        state, who, shared = np.zeros(3, np.int64), np.zeros(len(room), np.int8), self.driver.shared
        look, out = self.driver.array(int(self.sizes[INPUTS]), np.int8), self._work[-1]
        kernel: Any = self.driver.kernel(watch)  # type: ignore[arg-type]
        kernel(
            *self._game, len(table), shared(units), shared(self.sizes), self._seeker, *self._lists, *self._dice, look,
            out, number, shared(room.seen), shared(room.legal), shared(room.chosen), shared(who), shared(room.facts),
            shared(state),
        )  # fmt: skip
        return tuple(int(state[k]) for k in (SIZE, GAMES, MOVES))

    def marked(self, net: np.ndarray, groups: int, first: int) -> tuple[float, float]:
        """Which part of what is unknown of a search's choices a net resolves, and half its 95 % interval.

        That is one less the cross-entropy of the choices, divided by what it is where all legal actions are as likely;
        in a game for every `SPARSE` groups, from number `first` on, which are played once.
        """
        batch, games = self.fresh(max(FEWEST, groups // SPARSE), first)
        logs = policy(said(net, self.sizes, batch.seen)[:, :-1], batch.legal)[1]
        blank = np.log(batch.legal.sum(axis=1))
        gained = blank + logs[np.arange(len(batch)), batch.chosen]
        by_game = np.bincount(batch.facts[:, VALUE].astype(np.int64), gained, games) / blank.sum() * games
        return float(by_game.mean()), float(1.96 * by_game.std(ddof=1) / np.sqrt(games))

    def fresh(self, games: int, first: int) -> tuple[Batch, int]:
        """Decisions of games that nobody learned from, and how many games those are."""
        if (games, first) not in self._fresh:
            batch = room(self.sizes, games * DECISIONS)
            made, played, _moves = self.collect_selfplay(np.zeros((games, 1)), None, self._units, first, batch)
            self._fresh[games, first] = batch.some(np.arange(made)), played
        return self._fresh[games, first]
