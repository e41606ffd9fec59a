"""Bots that play in a batch without being strategies of compiled code: each environment and seat has one of its own."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from hexdeck.bots.players.simulation_bots import BatchedNets, is_net, seated_bot
from hexdeck.engine.backends.kernels_batch import FIRST, GUEST, KNOWN
from hexdeck.engine.play.driver import Driver, raw

if TYPE_CHECKING:
    from hexdeck.simulation.game import Game

Seed = int | bytes


class BatchBots:
    """The bots of some environments, made when first asked; all nets think at once, in compiled code.

    `seeds`: of all environments of the batch, in a list that its owner changes.
    """

    def __init__(
        self, game: Game, players: Sequence[int], bots: Sequence[str | None] | None, seeds: list[Seed], driver: Driver,
        first: int = 0, end: int = 0,
    ) -> None:  # fmt: skip
        self.game, self.seeds, self.driver, self.first = game, seeds, driver, first
        self._players, self._bots, self._envs = players, bots, end - first
        self._there: list[dict[int, tuple[Any, Any, int]]] = [{} for _ in range(self._envs)]
        self._nets = self._crowd() if self._envs and GUEST in players else None
        self._sown: list[Any] = [None] * self._envs

    def of(self, begin: int, end: int) -> BatchBots:
        """The bots of the environments from `begin` to `end`."""
        return BatchBots(self.game, self._players, self._bots, self.seeds, self.driver, begin, end)

    def _crowd(self) -> Any:
        """The nets among the bots; None where there are none."""
        seats = [seat for seat, player in enumerate(self._players) if player == GUEST]
        bots = {seat: self._made(seat, 0) for seat in seats}
        nets = {seat: each for seat, each in bots.items() if is_net(each)}
        return BatchedNets(self.driver, nets, len(self._players), self._envs) if nets else None

    def _made(self, seat: int, seed: Seed) -> Any:
        return seated_bot(str((self._bots or ())[seat]), self.game, seed, seat, self.driver.backend)

    def begin(self, chosen: Sequence[int]) -> None:
        """The matches of the environments that are chosen begin, maybe those of the same numbers again."""
        for k in np.flatnonzero(chosen).tolist():
            self._there[k] = {seat: (bot, of, -1) for seat, (bot, of, _) in self._there[k].items()}
        if self._nets is not None:
            self._nets.begin(np.array(chosen, np.bool_))

    def answer(self, rows: Any, waiting: np.ndarray, numbers: np.ndarray, answers: np.ndarray) -> None:
        """Write what is chosen in the environments where a seat is awaited: `waiting` int8, -1 where none is."""
        asked = np.flatnonzero(waiting >= 0)
        if self._nets is not None:
            by_net = self._nets.plays(waiting[asked])
            self._sow(asked[by_net].tolist())
            self._nets.answer(rows, waiting, numbers, answers)
            asked = asked[~by_net]
        conceal = self.driver.kernel("conceal_row")
        for k in asked.tolist():
            seat = int(waiting[k])
            conceal(self.driver.g, rows, KNOWN, FIRST + k, seat)
            answers[k] = self._bot(k, seat, int(numbers[k])).choose(raw(rows)[KNOWN].tobytes(), seat)

    def _sow(self, envs: Sequence[int]) -> None:
        """Nets of environments that have another seed than before get its dice."""
        assert self._nets is not None
        for k in envs:
            seed = self.seeds[self.first + k]
            if self._sown[k] is None or self._sown[k] != seed:
                self._nets.sow(k, seed)
                self._sown[k] = seed

    def _bot(self, env: int, seat: int, number: int) -> Any:
        """The bot on a seat of an environment, its dice those of the match of this number."""
        there, seed = self._there[env], self.seeds[self.first + env]
        found, of, playing = there.get(seat, (None, None, -1))
        if found is None or of != seed:
            found, playing = self._made(seat, seed), -1
        if playing != number:
            found.begin(number)
        there[seat] = found, seed, number
        return found
