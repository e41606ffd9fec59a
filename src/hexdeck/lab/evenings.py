"""What happens over an evening: how many deals are played, who goes broke and when, and whether leads last too long.

Leads last in every game that adds up what happens. How long they would last if every deal began anew is found by mixing
the evenings: each deal of a mixed evening is taken from another evening, so that none knows of those before.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from hexdeck.engine.play.game import GameSetup
from hexdeck.engine.play.playouts import CHUNK
from hexdeck.engine.study import Evening
from hexdeck.lab.counts import place_shares_of
from hexdeck.lab.kernels import DEALS_ONLY, END_KEPT
from hexdeck.lab.log import Player, SimulationSetup
from hexdeck.stats import Estimate, mean, mean_share

STUDIED, OF_SLOW = 2000, 100  # evenings that are looked into; with slow bots
MANY = 200_000  # deals that are enough: fewer evenings are looked into where they are long
MIXED = 10  # times that the evenings are mixed
NEARLY_ALL = 0.95  # of evenings, that aren't ended early
QUARTERS = (0.25, 0.5, 0.75)  # of an evening's deals, after which leaders are looked at


def evening_of(game: GameSetup) -> Evening | None:
    """What an evening of a game is; None where its matches have one deal, or aren't evenings at all."""
    out: Evening | None = game.hints.STUDY.evening
    return out if out is not None and game.options[out.option] > 1 else None


@dataclass(frozen=True)
class EveningStudy:
    """Some evenings: `chips` float64 (evenings, deals + 1, seats) of each seat at the start and after each deal.

    `deals`: how many were played in each; behind them chips stay as they are. `stake`: chips needed to play on.
    """

    chips: np.ndarray
    deals: np.ndarray
    stake: int

    @property
    def count(self) -> int:
        """How many evenings."""
        return len(self.chips)

    @property
    def longest(self) -> int:
        """How many deals the longest evening has."""
        return int(self.deals.max())

    def played(self) -> Estimate:
        """Deals of an evening."""
        return mean(self.deals)

    @property
    def out_after(self) -> np.ndarray:
        """For each evening, after how many deals somebody was first broke; more than all deals if nobody ever was."""
        broke = (self.chips < self.stake).sum(axis=2) > 0
        out: np.ndarray = np.where(broke.any(axis=1), broke.argmax(axis=1), self.longest + 1)
        return out

    def broke(self) -> Estimate:
        """Share of evenings in which somebody is broke before the last deal."""
        return mean_share((self.out_after < self.deals).astype(float))

    def broke_after(self) -> Estimate:
        """Part of an evening's deals after which somebody is broke, where somebody is."""
        early = self.out_after < self.deals
        return mean_share(self.out_after[early] / self.deals[early])

    def until_broke(self) -> Estimate:
        """Deals if all stop as soon as somebody is broke."""
        return mean(np.minimum(self.out_after, self.deals))

    def leading(self, part: float) -> tuple[Estimate, Estimate]:
        """How often the leader after a part of the deals wins; and would, if every deal began anew."""
        rng, ends = np.random.default_rng(0), np.full(self.count, self.longest)
        usual = [lasting(mixed(self.chips, rng), ends, part) for _ in range(MIXED)]
        return mean_share(lasting(self.chips, self.deals, part)), mean_share(np.mean(usual, axis=0))

    def runaway(self, part: float) -> Estimate:
        """How much more often than usual the leader after a part of the deals wins.

        Mixed evenings have the same deals in other company: their error counts as that of as many evenings again.
        """
        rate, usual = self.leading(part)
        again = mean(lasting(mixed(self.chips, np.random.default_rng(1)), np.full(self.count, self.longest), part))
        margin, value = float(np.hypot(rate.margin, again.margin)), rate.value - usual.value
        return Estimate(value, value - margin, value + margin, self.count)

    @property
    def complete(self) -> bool:
        """Whether nearly all evenings have all deals, so that mixed ones are like them."""
        return bool((self.deals == self.longest).mean() >= NEARLY_ALL)


def lasting(chips: np.ndarray, deals: np.ndarray, part: float) -> np.ndarray:
    """For each evening, the share of the win of whoever led after a part of its deals; ties are shared."""
    at = np.maximum(1, np.round(part * deals)).astype(int)
    leads, wins = (place_shares_of(chips[np.arange(len(chips)), k], 0) for k in (at, deals))
    out: np.ndarray = (leads * wins).sum(axis=1) / leads.sum(axis=1)
    return out


def mixed(chips: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Evenings whose deals are those of other evenings: none knows what happened before."""
    steps = np.diff(chips, axis=1)
    for deal in range(steps.shape[1]):
        steps[:, deal] = steps[rng.permutation(len(steps)), deal]
    chips_mixed = np.zeros_like(chips)
    np.cumsum(steps, axis=1, out=chips_mixed[:, 1:])
    out: np.ndarray = chips_mixed + chips[:, :1]
    return out


# --- playing ----------------------------------------------------------------------------------------------------------
def study_evenings(
    setup: SimulationSetup, games: int, stopped: Callable[[], bool] = lambda: False
) -> EveningStudy | None:
    """Look into some of so many evenings, numbered from 0 on, in one thread; None where a match is no evening."""
    evening = evening_of(setup.game)
    if evening is None:
        return None
    player, evenings, total = Player(setup, DEALS_ONLY), list[np.ndarray](), 0
    for log in player.batches(min(games, STUDIED if player.bots.chunk >= CHUNK else OF_SLOW)):
        chips_held = np.array(evening.chips(log.position)[:, : setup.game.players])
        evenings += np.split(chips_held, log.ends[:-1, END_KEPT])
        total += len(chips_held)
        if stopped() or total > MANY:
            break
    deals = np.array([len(chips) - 1 for chips in evenings])
    chips = [np.pad(chips, ((0, deals.max() + 1 - len(chips)), (0, 0)), "edge") for chips in evenings]
    return EveningStudy(np.array(chips, float), deals, evening.stake)
