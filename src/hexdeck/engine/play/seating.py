"""Who sits at the games of a simulation: strategies that compiled code knows by number, and the form of other bots."""

from __future__ import annotations

from collections.abc import Sequence
from operator import index
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from hexdeck.engine.arguments import shown
from hexdeck.engine.backends.kernels import FOLLOW, GENTLE, HOUSE, RANDOM, SCRIPT
from hexdeck.engine.errors import BadOption
from hexdeck.engine.random import WORDS
from hexdeck.engine.text import _, say

if TYPE_CHECKING:
    from hexdeck.engine.play.driver import Driver
    from hexdeck.engine.play.game import GameSetup

POLICIES = {"gentle": GENTLE, "house": HOUSE, "random": RANDOM}
CHUNK, FEW = 2000, 20  # games that a thread plays before it reports; where bots take their time
Seed = int | bytes


class SeatedBots(Protocol):
    """Who plays on each seat, for one thread.

    `policies` int64, the number of each seat's in `engine.kernels`; `chunk`: how many games it plays at once.
    """

    policies: np.ndarray
    chunk: int

    def minds(self, first: int, games: int) -> list[np.ndarray]:
        """Of each seat the generator that it throws, or the script of what it chooses in the games of these numbers."""


class Strategies:
    """A strategy of compiled code on each seat."""

    chunk = CHUNK

    def __init__(self, game: GameSetup, names: Sequence[str], seed: Seed, driver: Driver) -> None:
        self.policies = np.array([POLICIES[name] for name in names], np.int64)
        self._minds = [dice_of(driver, seed, seat) for seat in range(game.players)]

    def minds(self, _first: int, _games: int) -> list[np.ndarray]:
        """The generators."""
        return self._minds


def dice_of(driver: Driver, seed: Seed, seat: int) -> Any:
    """The generator that a strategy on a seat throws in simulations of a seed."""
    return driver.generator(seed, f"bot {seat}")


def names_of(game: GameSetup, bots: str | Sequence[str]) -> tuple[str, ...]:
    """The bot of each seat, one name being for all; raises BadOption for too few or too many."""
    names = listed_bots(bots, game.players)
    if len(names) == 1:
        names *= game.players
    if len(names) != game.players:
        text = _("{bots} bots can't take {seats} seats; give one for all, or one for each.")
        raise BadOption(say(text, bots=len(names), seats=game.players))
    return tuple(names)


def listed_bots(bots: str | Sequence[str], seats: int) -> list[str]:
    """Bots by name, so many of one name, or those of a list; raises BadOption for anything else."""
    listed: Any = [bots] * seats if isinstance(bots, str) else bots
    if not isinstance(listed, Sequence) or not all(isinstance(name, str) for name in listed):
        text = _("Bots are given by name, one for all seats or a list with one for each, not as {given}.")
        raise BadOption(say(text, given=shown(bots)))
    return list(listed)


def seat_key(seed: Any, seat: int) -> bytes:
    """The seed of a bot on a seat in games of a seed, for bots that aren't strategies."""
    given = seed if isinstance(seed, bytes) else index(seed)
    return f"{given!r} {seat}".encode()


def arranged(driver: Driver, minds: Sequence[Any]) -> Any:
    """Minds as kernels take them, scripts filled up to one length."""
    if not driver.compiled:
        return list(minds)
    out = np.zeros((len(minds), max(map(len, minds))), np.int64)
    for row, mind in zip(out, minds, strict=True):
        row[: len(mind)] = mind
    return out


def script(driver: Driver, chosen: np.ndarray) -> Any:
    """A mind that makes these choices one after another, whatever it is asked."""
    mind = np.zeros(max(WORDS, SCRIPT + len(chosen)), np.int64)
    mind[SCRIPT : SCRIPT + len(chosen)] = chosen
    return driver.shared(mind)


def follows(seated: SeatedBots) -> bool:
    """Whether somebody's choices are a script, made before the games are counted."""
    return bool((seated.policies == FOLLOW).any())
