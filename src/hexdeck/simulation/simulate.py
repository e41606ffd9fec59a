"""Whole games between any bots, on several threads, as columns."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor

from hexdeck.engine.arguments import check_seed, shown, whole
from hexdeck.engine.errors import BadOption
from hexdeck.engine.play.game import GameSetup, check_numbers
from hexdeck.engine.play.playouts import Results, play_games
from hexdeck.engine.play.seating import CHUNK
from hexdeck.engine.text import _, say
from hexdeck.simulation.seating import seat_bots


def simulate(
    game: GameSetup,
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
    here = [seat_bots(game, bots, seed, backend)]
    chunk = min(CHUNK, here[0].chunk)
    threads = min(threads, -(-games // chunk))  # more would have nothing to do
    here += [seat_bots(game, bots, seed, backend) for _ in range(threads - 1)]
    out = Results.room(game, games)

    driver.kernel("simulate")

    def run(at: int) -> int:
        end, players = min(at + chunk, games), here.pop()
        try:
            play_games(game, driver, players, seed, first, at, end, out)
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
