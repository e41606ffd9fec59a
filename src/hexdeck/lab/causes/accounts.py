"""Where points come from: what each seat gets by source, in games between bots; the sources add up to the total."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from hexdeck.engine.discovery.account import Account, Source
from hexdeck.engine.errors import BrokenGame
from hexdeck.engine.play.game import GameSetup
from hexdeck.engine.play.match import Match
from hexdeck.engine.text import say
from hexdeck.lab.kernels import NOBODY
from hexdeck.lab.log import Log
from hexdeck.stats import Estimate, mean


def accounts_of(game: GameSetup) -> tuple[Account, ...]:
    """The accounts of a game with its options; none if it doesn't say any."""
    found: tuple[Account, ...] = tuple(game.hints.accounts(Match(game, 0, backend="interpreted").struct))
    return found


@dataclass
class Ledger:
    """An account of some games, added chunk by chunk."""

    account: Account
    _sources: list[np.ndarray] = field(default_factory=list)
    _beside: list[np.ndarray] = field(default_factory=list)
    _totals: list[np.ndarray] = field(default_factory=list)

    def add(self, game: GameSetup, log: Log) -> None:
        """Add games. Raises BrokenGame where the sources don't add up to the total."""
        amounts = summed(self.account.sources, log, game.players)
        totals = np.asarray(self.account.total(log.final_positions), float)[:, : game.players]
        if not np.allclose(amounts.sum(axis=2), totals):
            why = say("the sources of “{title}” don't add up to its total", title=self.account.title)
            raise BrokenGame(say("{game}: {file}: {why}.", game=game.name, file="hints.py", why=why))
        self._sources.append(amounts)
        self._totals.append(totals)
        self._beside.append(summed(self.account.beside, log, game.players))

    @property
    def amounts(self) -> np.ndarray:
        """What each source gave: float64 (games, seats, sources)."""
        return np.concatenate(self._sources)

    @property
    def beside(self) -> np.ndarray:
        """What else was counted: float64 (games, seats, sources)."""
        return np.concatenate(self._beside)

    @property
    def totals(self) -> np.ndarray:
        """The totals, from the structs at the end of games: float64 (games, seats)."""
        return np.concatenate(self._totals)


def summed(sources: Sequence[Source], log: Log, players: int) -> np.ndarray:
    """The amounts of sources in each game: float64 (games, seats, sources)."""
    out, changes = np.zeros((len(log), players, len(sources))), log.transitions
    for k, source in enumerate(sources):
        out[:, :, k] = log.by_game(np.asarray(source.amounts(changes), float)[:, :players])
    return out


def turns_taken(log: Log, players: int) -> np.ndarray:
    """How many turns each seat had in each game: float64 (games, seats)."""
    turns, seats = log.turns, np.arange(players)
    new = np.diff(turns, prepend=0) != 0
    new |= (np.diff(log.seat, prepend=NOBODY) != 0) | (np.diff(log.position["deal"], prepend=0) != 0) | log.begins
    return log.by_game(((log.seat[:, None] == seats) & new[:, None]).astype(float))


MOST = 2  # sources that are told to explain most of a difference, if it isn't sure which of them explains more


@dataclass(frozen=True)
class Gap:
    """Why one seat ends ahead of another: what sources give one more than the other, in the same games.

    `share`: of the place that decides; `total`: of the account; `sources`: of each source. `sure`: whether shares and
    totals surely differ. `largest`: the sources that surely explain more than each of the rest does, the largest first;
    none if it would take more than MOST.
    """

    best: int
    worst: int
    share: Estimate
    total: Estimate
    sources: tuple[Estimate, ...]
    sure: bool
    largest: tuple[int, ...]


def gap(ledger: Ledger, shares: np.ndarray, most_is_best: bool, tests: int) -> Gap:
    """What tells the best seat from the worst; `shares` float64 (games, seats): of the place that decides.

    `tests`: how many pairs of seats are compared in all; the sources are tested as well.
    """
    order = np.argsort(shares.mean(axis=0))
    worst, best = (int(order[0]), int(order[-1])) if most_is_best else (int(order[-1]), int(order[0]))
    share = mean(shares[:, best] - shares[:, worst])
    rows = ledger.amounts[:, best] - ledger.amounts[:, worst]
    total = mean(ledger.totals[:, best] - ledger.totals[:, worst])
    sources = tuple(mean(rows[:, k]) for k in range(rows.shape[1]))
    sure = share.significant(0.0, tests) and total.significant(0.0, tests)
    return Gap(best, worst, share, total, sources, sure, largest(rows, sources, total, tests) if sure else ())


def largest(rows: np.ndarray, sources: Sequence[Estimate], total: Estimate, tests: int) -> tuple[int, ...]:
    """The sources that surely explain more of a difference than each of the others does; none if that isn't sure."""
    sign, several = 1 if total.value > 0 else -1, tests * max(1, len(sources) - 1)
    order = sorted(range(len(sources)), key=lambda k: -sign * sources[k].value)
    rest = [k for k in order[1:] if not mean(sign * (rows[:, order[0]] - rows[:, k])).significant(0.0, several)]
    named = (order[0], *rest)
    sure = all(sign * sources[k].value > 0 and sources[k].significant(0.0, several) for k in named)
    return named if sure and len(named) <= MOST else ()
