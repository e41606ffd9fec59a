"""What a bot is: it chooses an action from what a seat knows, and can say what it thinks of each legal one."""

from collections.abc import Iterable
from dataclasses import dataclass
from types import ModuleType
from typing import Any, Protocol

import numpy as np

from hexdeck.bots.nets.inference import sample
from hexdeck.engine.errors import HexdeckError
from hexdeck.engine.play.game import Driver, GameSetup, raw
from hexdeck.engine.random import rewind
from hexdeck.engine.text import _, say

SPARE = 1  # a row


@dataclass(frozen=True)
class Candidate:
    """A legal action as a bot sees it.

    `probability`: how often the bot plays it here; over all candidates they sum to 1. `value`: the utility that
    the seat can expect at the end of the match, as the rules' `returns` counts it, or None where it is unknown.
    `margin`: half the 95 % interval of `value`, None where that is exact or unknown.

    Policies (nets, the house bot, dice) have probabilities and no values; a solver has no values where it isn't exact,
    a search none for actions that it never tried. Such actions are tried in re-dealt worlds when candidates are asked
    for, all seats going on as the bot does (as the house bot for a solver). In the interpreted backend that takes long,
    and is done only when a number of worlds is asked for.
    """

    action: int
    probability: float
    value: float | None
    margin: float | None


class Bot(Protocol):
    """A player that chooses an action from what a seat knows."""

    name: str

    def begin(self, number: int) -> None:
        """Rewind its generators to match `number`: what it chose in other matches changes nothing."""

    def choose(self, knowledge: bytes, seat: int) -> int:
        """An action id, from the bytes of the struct as `Match.concealed` gives it to the seat."""

    def candidates(self, knowledge: bytes, seat: int, worlds: int | None = None) -> list[Candidate]:
        """Every legal action, the best first; those without a value are tried in so many worlds (0: in none).

        The default is 200 worlds, and none in the interpreted backend.
        """


def take(driver: Driver, rows: Any, knowledge: bytes, seat: int, row: int = 0) -> None:
    """Put what a seat knows into a row of a bot's own; row `SPARE` is written too.

    Raises HexdeckError unless these are the bytes of a game's struct in which this seat is to act, and hold nothing
    that the seat doesn't know: concealing them once more changes nothing.
    """
    check(driver.rules, knowledge, seat)
    own = raw(rows)
    own[row] = np.frombuffer(knowledge, np.uint8)
    driver.call("conceal_row", rows, SPARE, row, seat)
    if own[SPARE].tobytes() != bytes(knowledge):
        text = _("A bot may see only what its seat knows, and these bytes hold more: pass it match.concealed({seat}).")
        raise HexdeckError(say(text, seat=seat))


def check(rules: ModuleType, knowledge: bytes, seat: int) -> None:
    """Raise HexdeckError unless these can be the bytes of a game's struct, in which this seat is to act."""
    size, length = rules.STRUCT.itemsize, len(knowledge)
    if length != size:
        text = _("A seat's view of a position of this game is {size} bytes long, not {given}.")
        raise HexdeckError(say(text, size=size, given=length))
    kind, at = rules.STRUCT.fields["acting"][:2]
    acting = int(np.frombuffer(knowledge, kind, 1, at)[0])
    if seat < 0 or not acting >> seat & 1:
        raise HexdeckError(say("A bot was asked to move for seat {seat}, whose turn it isn't.", seat=seat))


class KernelBot:
    """What our bots have in common: a driver, rows and an array for kernels, and a generator for a purpose."""

    def __init__(self, game: GameSetup, backend: str | None, seed: int | bytes = 0, purpose: str = "bot") -> None:
        self.game, self.driver = game, game.driver(backend)
        self._rows, self._actions = game.rows(self.driver), self.driver.actions()
        self.rng = self.driver.generator(seed, purpose)

    def begin(self, number: int) -> None:
        """See `Bot`."""
        rewind(self.rng, number)

    def legal(self, knowledge: bytes, seat: int, row: int = 0) -> list[int]:
        """A seat's legal actions; what it knows lies in that row from then on, see `take`."""
        take(self.driver, self._rows, knowledge, seat, row)
        count = self.driver.call("list_legal", self._rows, row, seat, self._actions)
        return self.driver.integers(self._actions, count)

    def drawn(self, probabilities: Any) -> int:
        """The index of one of these probabilities, drawn by the generator."""
        array = self.driver.shared(np.array(probabilities, np.float64))
        return int(self.driver.kernel(sample)(array, len(probabilities), self.rng))


def ranked(candidates: Iterable[Candidate]) -> list[Candidate]:
    """The candidates by probability, highest first, then by value, then by action."""

    def order(candidate: Candidate) -> tuple[float, float, int]:
        value = float("inf") if candidate.value is None else -candidate.value
        return -candidate.probability, value, candidate.action

    return sorted(candidates, key=order)
