"""The bots of a batch that aren't compiled strategies: each environment and seat has its own."""

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
    """The bots of some environments, each made when it is first asked. Nets choose in compiled code, all at once.

    `seeds` are the seeds of all environments of the batch, in a list that the batch changes.
    """

    def __init__(
        self,
        game: Game,
        players: Sequence[int],
        bots: Sequence[str | None] | None,
        seeds: list[Seed],
        driver: Driver,
        first: int = 0,
        end: int = 0,
    ) -> None:
        self.game, self.seeds, self.driver, self.first = game, seeds, driver, first
        self._players, self._bots, self._envs = players, bots, end - first
        # for each environment, by seat: the bot, its seed, the number of the match that it plays (-1: none)
        self._seated: list[dict[int, tuple[Any, Any, int]]] = [{} for _ in range(self._envs)]
        self._nets = self._batched_nets() if self._envs and GUEST in players else None
        self._net_seeds: list[Any] = [None] * self._envs

    def of(self, begin: int, end: int) -> BatchBots:
        """The bots of the environments from `begin` to `end` - 1."""
        return BatchBots(self.game, self._players, self._bots, self.seeds, self.driver, begin, end)

    def _batched_nets(self) -> Any:
        """The nets among the bots; None if there are none."""
        seats = [seat for seat, player in enumerate(self._players) if player == GUEST]
        bots = {seat: self._new_bot(seat, 0) for seat in seats}
        nets = {seat: net for seat, net in bots.items() if is_net(net)}
        return BatchedNets(self.driver, nets, len(self._players), self._envs) if nets else None

    def _new_bot(self, seat: int, seed: Seed) -> Any:
        return seated_bot(str((self._bots or ())[seat]), self.game, seed, seat, self.driver.backend)

    def begin(self, chosen: Sequence[int]) -> None:
        """A match begins in each chosen environment, possibly one with the same number as before."""
        for k in np.flatnonzero(chosen).tolist():
            self._seated[k] = {seat: (bot, seed, -1) for seat, (bot, seed, _) in self._seated[k].items()}
        if self._nets is not None:
            self._nets.begin(np.array(chosen, np.bool_))

    def answer(self, rows: Any, waiting: np.ndarray, numbers: np.ndarray, answers: np.ndarray) -> None:
        """Write the bots' choices to `answers`; `waiting` int8 has each environment's seat to choose, or -1."""
        asked = np.flatnonzero(waiting >= 0)
        if self._nets is not None:
            by_net = self._nets.plays(waiting[asked])
            self._reseed(asked[by_net].tolist())
            self._nets.answer(rows, waiting, numbers, answers)
            asked = asked[~by_net]
        conceal = self.driver.kernel("conceal_row")
        for k in asked.tolist():
            seat = int(waiting[k])
            conceal(self.driver.g, rows, KNOWN, FIRST + k, seat)
            answers[k] = self._bot(k, seat, int(numbers[k])).choose(raw(rows)[KNOWN].tobytes(), seat)

    def _reseed(self, envs: Sequence[int]) -> None:
        """Seed the nets of these environments again if the environment's seed has changed."""
        assert self._nets is not None
        for k in envs:
            seed = self.seeds[self.first + k]
            if self._net_seeds[k] is None or self._net_seeds[k] != seed:
                self._nets.sow(k, seed)
                self._net_seeds[k] = seed

    def _bot(self, env: int, seat: int, number: int) -> Any:
        """The bot on a seat of an environment, its random choices set to those of the match of this number."""
        seated, seed = self._seated[env], self.seeds[self.first + env]
        seated_bot, its_seed, playing = seated.get(seat, (None, None, -1))
        if seated_bot is None or its_seed != seed:
            seated_bot, playing = self._new_bot(seat, seed), -1
        if playing != number:
            seated_bot.begin(number)
        seated[seat] = seated_bot, seed, number
        return seated_bot
