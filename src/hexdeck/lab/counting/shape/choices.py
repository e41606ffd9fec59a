"""What a choice brings, and to whom: results of all seats after each move, by playouts.

Every move is tried in the same worlds, resampled from what the seat that chooses knows; house bots play them on.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import permutations

import numpy as np

from hexdeck.bots.horizon import ENDLESS, horizon
from hexdeck.bots.search.rollout import ROOT, first_world
from hexdeck.bots.search.workspace import policy_workspace
from hexdeck.engine.play.driver import raw
from hexdeck.engine.play.game import GameSetup
from hexdeck.lab.counts import taken
from hexdeck.lab.kernels import sample_choices
from hexdeck.stats import mean

FEW = 8  # worlds in which it is first seen whether anything depends on a choice in the end


@dataclass(frozen=True)
class ChoiceShape:
    """What playouts of a choice show of the seat that makes it, and of the others.

    `alike`: whatever it chose, its own result was the same in every world. `out`: whether it takes the place that
    decides was the same in all playouts, so that nothing it does matters to itself. `decides`: and yet its choice
    surely changes who of the others takes that place (kingmaking).
    """

    alike: bool
    out: bool
    decides: bool


class ChoiceSampler:
    """Plays the moves of one choice after another on; worlds are never used twice."""

    def __init__(self, game: GameSetup, seed: int | bytes, backend: str | None = None) -> None:
        self.driver = driver = game.driver(backend)
        self._house = policy_workspace(game, "house", driver)
        self._rows, self._actions, self._weights = game.rows(driver), driver.actions(), driver.weights()
        purposes = ("scales", "scales cards", "scales dice")  # they decide the worlds: those of `PairedEvaluator`
        self._generators = [driver.generator(seed, purpose) for purpose in purposes]
        self._out, self._horizon, self._choices = driver.array(game.rules.PLAYERS[1], np.float64), horizon(game), 0
        self.players = game.players

    def results(self, known: bytes, seat: int, moves: list[int], worlds: int, ahead: int | None = None) -> np.ndarray:
        """The utilities of all seats after each of these moves of a seat: float64 (worlds, moves, seats).

        `known`: the bytes of `Match.concealed` for that seat. `ahead`: how many decisions to play on, the game's
        horizon if not given.
        """
        raw(self._rows)[ROOT] = np.frombuffer(known, np.uint8)
        won, shared = np.zeros((worlds * len(moves), self.players)), self.driver.shared
        first, kernel = first_world(self._choices), self.driver.kernel(sample_choices)  # type: ignore[arg-type]
        self._choices += 1
        kernel(
            self.driver.g, self._rows, seat, *self._house, self._actions, self._weights, *self._generators,
            shared(np.array(moves, np.int64)), first, worlds, ahead or self._horizon, shared(won), self._out,
        )  # fmt: skip
        return won.reshape(worlds, len(moves), self.players)

    def shape(self, known: bytes, seat: int, moves: list[int], results: np.ndarray, place: int) -> ChoiceShape:
        """The shape of a choice, from the results of its moves.

        Where these were counted at the horizon and nothing seems to depend on the choice, games are played out.
        """
        found = shape_of(results, seat, place)
        for worlds in (FEW, len(results)) if self._horizon < ENDLESS else ():
            if found.alike or found.out:
                found = shape_of(self.results(known, seat, moves, worlds, ENDLESS), seat, place)
        return found


def shape_of(results: np.ndarray, seat: int, place: int) -> ChoiceShape:
    """The shape of a seat's choice, from utilities of all seats, float64 (worlds, moves, seats)."""
    own, shares = results[:, :, seat], taken(results, place)
    out = bool((shares[:, :, seat] == shares[0, 0, seat]).all())
    return ChoiceShape(bool((own == own[:, :1]).all()), out, out and decides(shares, seat))


def decides(shares: np.ndarray, seat: int) -> bool:
    """Whether a choice surely changes another seat's share of the place, 19 times in 20 where it says so.

    The seat and the two moves between which its share differs most are selected in half of the worlds and judged in
    the other half, both ways round.
    """
    others = [p for p in range(shares.shape[2]) if p != seat]
    judged = []
    for selecting, judging in ((shares[::2], shares[1::2]), (shares[1::2], shares[::2])):
        means = selecting.mean(axis=0)
        pairs = permutations(range(shares.shape[1]), 2)
        one, other, who = max(
            ((a, b, p) for a, b in pairs for p in others),
            key=lambda at: means[at[0], at[2]] - means[at[1], at[2]],
        )
        judged.append(judging[:, one, who] - judging[:, other, who])
    found = mean(np.concatenate(judged))
    return found.value > 0 and found.significant(0.0, 2)  # both halves choose: that is a little more than one test
