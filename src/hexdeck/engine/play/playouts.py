"""Whole games played in compiled code: the bots on the seats, by number or by protocol, and results in columns."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from operator import index
from types import SimpleNamespace
from typing import Any, Protocol, cast

import numpy as np

from hexdeck.engine.backends import kernels_games
from hexdeck.engine.backends.kernels import FOLLOW, GENTLE, HOUSE, RANDOM, SCRIPT
from hexdeck.engine.backends.kernels_games import END_KEPT, ENDS, LOGGED, NOTHING, TERMS
from hexdeck.engine.errors import BadOption, RuleFault, shown
from hexdeck.engine.play.game import Driver, GameSetup
from hexdeck.engine.random import WORDS
from hexdeck.engine.text import _, say
from hexdeck.stats import half_width

POLICIES = {"gentle": GENTLE, "house": HOUSE, "random": RANDOM}
CHUNK, FEW = 2000, 20  # games that a thread plays before it reports progress: usually, and with slow bots
Seed = int | bytes


class SeatedBots(Protocol):
    """The bots on all seats, for one thread.

    `policies` int64: the policy of each seat, a number from `engine.backends.kernels`; `chunk`: how many games are
    played at once.
    """

    policies: np.ndarray
    chunk: int

    def generators(self, first: int, games: int) -> list[np.ndarray]:
        """For each seat the generator of its random choices, or the script of its choices in these games."""


class Strategies:
    """A compiled strategy on each seat."""

    chunk = CHUNK

    def __init__(self, game: GameSetup, names: Sequence[str], seed: Seed, driver: Driver) -> None:
        self.policies = np.array([POLICIES[name] for name in names], np.int64)
        self._generators = [seat_generator(driver, seed, seat) for seat in range(game.players)]

    def generators(self, _first: int, _games: int) -> list[np.ndarray]:
        """The seats' generators."""
        return self._generators


def seat_generator(driver: Driver, seed: Seed, seat: int) -> Any:
    """The generator of a strategy's random choices on a seat, in simulations with this seed."""
    return driver.generator(seed, f"bot {seat}")


def policy_code(bot: Any, default: int) -> int:
    """The number of a strategy, by its name; another one for any other bot."""
    return POLICIES.get(bot, default) if isinstance(bot, str) else default


def names_of(game: GameSetup, bots: Any) -> tuple[Any, ...]:
    """The bot on each seat, by name or as a function; one stands for all seats. Raises BadOption for a wrong number."""
    names = listed_bots(bots, game.players)
    if len(names) == 1:
        names *= game.players
    if len(names) != game.players:
        text = _("Give one bot for all seats, or {seats}, one for each; not {bots}.")
        raise BadOption(say(text, bots=len(names), seats=game.players))
    return tuple(names)


def listed_bots(bots: Any, seats: int) -> list[Any]:
    """A list of bots, by name or as functions; one is repeated for all seats. Raises BadOption for anything else."""
    bot_list: Any = [bots] * seats if isinstance(bots, str) or callable(bots) else bots
    if not isinstance(bot_list, Sequence) or not all(isinstance(bot, str) or callable(bot) for bot in bot_list):
        text = _("Bots are names or functions, one for all seats or a list with one for each, not {given}.")
        raise BadOption(say(text, given=shown(bots)))
    return list(bot_list)


def seat_key(seed: Any, seat: int) -> bytes:
    """The seed of a bot that isn't a strategy, from the games' seed and its seat."""
    seed_value = seed if isinstance(seed, bytes) else index(seed)
    return f"{seed_value!r} {seat}".encode()


def pad_rows(driver: Driver, rows: Sequence[Any]) -> Any:
    """The seats' generators or scripts as kernels take them: int64 (seats, longest), padded with zeros."""
    if not driver.compiled:
        return list(rows)
    padded = np.zeros((len(rows), max(map(len, rows))), np.int64)
    for to, row in zip(padded, rows, strict=True):
        to[: len(row)] = row
    return padded


def script(driver: Driver, chosen: np.ndarray) -> Any:
    """A script: the policy FOLLOW makes these choices one after another, whatever it is asked."""
    array = np.zeros(max(WORDS, SCRIPT + len(chosen)), np.int64)
    array[SCRIPT : SCRIPT + len(chosen)] = chosen
    return driver.shared(array)


def any_scripted(seated: SeatedBots) -> bool:
    """Whether some seat plays from a script, that is, its choices were made before the kernel runs."""
    return bool((seated.policies == FOLLOW).any())


@dataclass(frozen=True)
class Results:
    """Results of simulated games, a row for each game.

    `returns` float64 (games, players): utilities; `moves` and `chances` int64: the number of decisions and of chance
    events; `endings` int8: indices into `reasons`, the names of the endings.
    """

    returns: np.ndarray
    moves: np.ndarray
    chances: np.ndarray
    endings: np.ndarray
    reasons: tuple[str, ...]

    @classmethod
    def room(cls, game: GameSetup, games: int) -> Results:
        """Zeroed results for a number of games."""
        return cls(
            np.zeros((games, game.players)),
            np.zeros(games, np.int64),
            np.zeros(games, np.int64),
            np.zeros(games, np.int8),
            tuple(game.rules.ENDINGS),
        )

    def __len__(self) -> int:
        return len(self.returns)

    def means(self) -> np.ndarray:
        """The mean utility of each seat."""
        means: np.ndarray = self.returns.mean(axis=0)
        return means

    def margins(self) -> np.ndarray:
        """The half-width of the 95 % interval of each mean; infinite for a single game."""
        return half_width(self.returns)

    def ended(self) -> dict[str, int]:
        """How often each ending occurred."""
        counts = np.bincount(self.endings, minlength=len(self.reasons))
        return {reason: int(count) for reason, count in zip(self.reasons, counts, strict=True) if count}


# --- playing ----------------------------------------------------------------------------------------------------------
Bend = tuple[np.ndarray, np.ndarray, np.ndarray]  # the seat that is bent in each game, `terms` and `allowed`
NOT_BENT: Bend = np.zeros(0, np.int64), np.zeros((0, TERMS), np.int64), np.zeros((0, 1), np.int8)
Memory = tuple[Any, int, int, np.ndarray, np.ndarray, np.ndarray]  # `rows`, `keep`, `room`, `log`, `legal`, `hands`
UNPLAYED = -1  # in rows of `ends` that aren't written yet
UNLOGGED = np.zeros((0, LOGGED), np.int32), np.zeros((0, 0), np.int8), np.zeros((0, 0), np.int8)


def play_games(
    game: GameSetup,
    driver: Driver,
    bots: SeatedBots,
    seed: Seed,
    first: int,
    results: np.ndarray,
    memory: Memory | None = None,
    bend: Bend = NOT_BENT,
) -> np.ndarray:
    """Play games, numbered from `first` on, a row of `results` each; returns the `ends` of those a log has room for.

    Logs, what is kept in `memory`, and how bots are bent: see `backends.kernels_games.play_games`.
    """
    shared, rules, ends = driver.shared, game.rules, np.full((len(results), ENDS), UNPLAYED)
    rows, keep, room, log, legal, hands = memory or (game.rows(driver), NOTHING, 1, *UNLOGGED)
    generators = pad_rows(driver, bots.generators(first, len(results)))
    work = shared(bots.policies), driver.actions(), driver.weights(), driver.generator(seed), generators
    seen = driver.array(game.observation_size, np.int8)
    views = shared(legal), shared(hands), rules.SLICES.get("hand", (0, 0))[0], seen
    kept = first, keep, room, shared(log), views, (*map(shared, bend), driver.actions())
    written = map(shared, (ends, results, np.zeros(rules.PLAYERS[1])))
    try:
        return ends[: driver.call(kernels_games.play_games, rows, *work, *kept, *written)]
    except RuleFault as error:
        if driver.compiled and type(error) is RuleFault:
            retell(game, bots, seed, first + int((ends[:, END_KEPT] == UNPLAYED).argmax()))
        raise


def retell(game: GameSetup, bots: SeatedBots, seed: Seed, number: int) -> None:
    """Play a game of compiled rules that failed once more, interpreted, which raises RuleFault with the place."""
    driver = game.driver("interpreted")
    generators = [driver.shared(row.copy()) for row in bots.generators(number, 1)]
    seated = SimpleNamespace(policies=bots.policies, generators=lambda _first, _games: generators)
    play_games(game, driver, cast(SeatedBots, seated), seed, number, np.zeros((1, game.players)))
