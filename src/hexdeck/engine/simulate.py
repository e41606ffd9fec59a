"""Whole games between bots in compiled code, on several threads, as columns."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

import numpy as np

from hexdeck.engine.arguments import between, check_seed, shown, whole
from hexdeck.engine.driver import Driver
from hexdeck.engine.errors import BadOption
from hexdeck.engine.game import Game
from hexdeck.engine.random import DEAL_BITS
from hexdeck.engine.seating import CHUNK, SeatedBots, arranged, company
from hexdeck.engine.text import _, say


@dataclass(frozen=True)
class Results:
    """Columns of simulated games, a row each.

    `returns` float64 (games, players): utility; `moves` and `chances` int64: decisions and chance events;
    `endings` int8: indices into `reasons`.
    """

    returns: np.ndarray
    moves: np.ndarray
    chances: np.ndarray
    endings: np.ndarray
    reasons: tuple[str, ...]

    def __len__(self) -> int:
        return len(self.returns)

    def means(self) -> np.ndarray:
        """The mean utility of each seat."""
        means: np.ndarray = self.returns.mean(axis=0)
        return means

    def margins(self) -> np.ndarray:
        """Half the width of the 95 % interval of each mean (normal approximation); infinite for a single game."""
        if len(self) < 2:
            return np.full(self.returns.shape[1], np.inf)
        margins: np.ndarray = 1.96 * self.returns.std(axis=0, ddof=1) / np.sqrt(len(self))
        return margins

    def ended(self) -> dict[str, int]:
        """How often each ending occurred."""
        counts = np.bincount(self.endings, minlength=len(self.reasons))
        return {reason: int(count) for reason, count in zip(self.reasons, counts, strict=True) if count}


def simulate(
    game: Game,
    games: int,
    bots: str | Sequence[str] = "random",
    seed: int | bytes = 0,
    threads: int = 1,
    *,
    first: int = 0,
    backend: str | None = None,
    progress: Callable[[int], None] | None = None,
) -> Results:
    """Play `games` matches between bots: a name for all seats, or one for each, of any bot that can play the game.

    Match k has number `first` + k of the seed, in cards and in bots' dice: results don't depend on `threads`.
    Strategies and nets play in compiled code; other bots, searches for example, are asked decision by decision and take
    what they think. Who has but one legal action isn't asked, strategies apart.
    `progress` is called with the number of games just finished. Raises UnknownBot, or BadOption for a bad number.
    """
    games, threads = how_many(games, threads)
    first = check_numbers(first, games)
    check_seed(seed)
    if progress is not None and not callable(progress):
        raise BadOption(say("progress is a function that is told how many games were played, not {given}.",
                            given=shown(progress)))  # fmt: skip
    driver = game.driver(backend)
    here = [company(game, bots, seed, backend)]
    chunk = min(CHUNK, here[0].chunk)
    threads = min(threads, -(-games // chunk))  # more would have nothing to do
    here += [company(game, bots, seed, backend) for _ in range(threads - 1)]
    out = Results(
        np.zeros((games, game.players)), np.zeros(games, np.int64), np.zeros(games, np.int64),
        np.zeros(games, np.int8), tuple(game.rules.ENDINGS),
    )  # fmt: skip

    driver.kernel("simulate")

    def run(at: int) -> int:
        end, players = min(at + chunk, games), here.pop()
        try:
            play_chunk(game, driver, players, seed, first, at, end, out)
        finally:
            here.append(players)
        return end - at

    starts = range(0, games, chunk)
    with ThreadPoolExecutor(threads) as pool:
        for done in pool.map(run, starts):
            if progress is not None:
                progress(done)
    return out


def how_many(games: int, threads: int) -> tuple[int, int]:
    """Numbers of games and threads, as ints; raises BadOption unless there is at least one of each."""
    many, workers = whole(games), whole(threads)
    if many is None or workers is None or many < 1 or workers < 1:
        text = _("A simulation needs at least one game and at least one thread, not {games} and {threads}.")
        raise BadOption(say(text, games=shown(games), threads=shown(threads)))
    return many, workers


def check_numbers(first: int, games: int) -> int:
    """The first of so many numbers of matches, as an int; raises BadOption unless each has a stream of its own."""
    last = (1 << (63 - DEAL_BITS)) - 1
    number = between(first, 0, last)
    if number is None:
        raise BadOption(say("Matches are numbered from 0 to {last}, not {number}.", last=last, number=shown(first)))
    if number + games - 1 > last:
        text = _("Matches are numbered from 0 to {last}, which {games} from {first} on exceed.")
        raise BadOption(say(text, last=last, games=shown(games), first=shown(first)))
    return number


def play_chunk(game: Game, driver: Driver, players: SeatedBots, seed: int | bytes, first: int, at: int, end: int,
               out: Results) -> None:  # fmt: skip
    """Play games `at` to `end` into their rows of the columns."""
    lengths = np.zeros((end - at, 2), np.int64)
    driver.kernel("simulate")(
        driver.g, game.rows(driver), driver.shared(players.policies), driver.actions(), driver.weights(),
        driver.generator(seed), arranged(driver, players.minds(first + at, end - at)), first + at,
        driver.shared(out.returns[at:end]), driver.shared(lengths), driver.shared(out.endings[at:end]),
        driver.array(game.rules.SEATS, np.float64),
    )  # fmt: skip
    out.moves[at:end], out.chances[at:end] = lengths[:, 0], lengths[:, 1]
