"""Whole games between any bots, on several threads, with results in columns."""

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from hexdeck.engine.backends import kernels_games
from hexdeck.engine.backends.kernels_games import END_CHANCES, END_ENDING, END_MOVES
from hexdeck.engine.errors import BadOption, check_seed, shown, whole
from hexdeck.engine.play.game import GameSetup, check_numbers
from hexdeck.engine.play.playouts import CHUNK, Results, SeatedBots, Seed, Strategies, names_of, play_games, policy_code
from hexdeck.engine.text import _, say

NOBODY = -1  # the code of no strategy
Bots = str | Callable[[Any, Any], Any] | Sequence[str | Callable[[Any, Any], Any]]


def simulate(
    game: GameSetup,
    games: int,
    bots: Bots = "random",
    seed: int | bytes = 0,
    threads: int = 1,
    *,
    first: int = 0,
    backend: str | None = None,
    progress: Callable[[int], None] | None = None,
) -> Results:
    """Play `games` matches between bots: one for all seats, or one for each, by name or as a policy.

    A policy is a function of observations and masks, see Policies; several threads ask the same.

    Match k has number `first` + k of the seed, for cards and bots' random choices: results don't depend on `threads`.
    Strategies and nets play in compiled code. Other bots, such as searches, are asked decision by decision and take
    their time; they aren't asked when only one action is legal. `progress` is called with the number of games that have
    just finished. Raises UnknownBot, or BadOption for another bad argument.
    """
    games, threads = how_many(games, threads)
    first = check_numbers(first, games)
    check_seed(seed)
    if progress is not None and not callable(progress):
        text = _("progress is a function that takes the number of games played so far, not {given}.")
        raise BadOption(say(text, given=shown(progress)))
    check_bots(game, bots)  # before anything is compiled
    driver = game.driver(backend)
    driver.kernel(kernels_games.play_games)  # made before the threads need it
    seated, out = [seat_bots(game, bots, seed, backend)], Results.room(game, games)
    chunk = min(CHUNK, seated[0].chunk)
    seated += [seat_bots(game, bots, seed, backend) for _thread in range(min(threads, -(-games // chunk)) - 1)]

    def play(at: int) -> int:
        rows, players = slice(at, min(at + chunk, games)), seated.pop()
        try:
            ends = play_games(game, driver, players, seed, first + at, out.returns[rows])
        finally:
            seated.append(players)
        out.moves[rows], out.chances[rows] = ends[:, END_MOVES], ends[:, END_CHANCES]
        out.endings[rows] = ends[:, END_ENDING]
        return len(ends)

    with ThreadPoolExecutor(len(seated)) as pool:
        for played in pool.map(play, range(0, games, chunk)):
            if progress is not None:
                progress(played)
    return out


def how_many(games: int, threads: int) -> tuple[int, int]:
    """The numbers of games and threads as ints; raises BadOption unless both are at least 1."""
    count, workers = whole(games), whole(threads)
    if count is None or workers is None or count < 1 or workers < 1:
        text = _("A simulation needs at least one game and at least one thread, not {games} and {threads}.")
        raise BadOption(say(text, games=shown(games), threads=shown(threads)))
    return count, workers


# --- seats for any bots -----------------------------------------------------------------------------------------------
def resolved_bot(game: GameSetup, name: Any) -> Any:
    """The name of the bot that a name stands for: that of a level's bot, or the name itself; so is a policy."""
    if is_strategy(name) or not isinstance(name, str):
        return name
    from hexdeck.bots.players.roster import resolved

    return resolved(name, game)


def is_strategy(bot: Any) -> bool:
    """Whether a bot is a strategy, by its name."""
    return policy_code(bot, NOBODY) != NOBODY


def check_bots(game: GameSetup, bots: Bots) -> None:
    """Raise BadOption or UnknownBot unless all of these bots can play the game."""
    names = names_of(game, bots)
    candidates = [bot for k, bot in enumerate(names) if bot not in names[:k] and not is_strategy(bot)]
    if candidates:
        from hexdeck.bots.players.simulation_bots import check

        for name in candidates:
            check(game, name)


def seat_bots(game: GameSetup, bots: Bots, seed: Seed, backend: str | None = None) -> SeatedBots:
    """The bots, seated; raises BadOption or UnknownBot."""
    names, driver = [resolved_bot(game, name) for name in names_of(game, bots)], game.driver(backend)
    if all(map(is_strategy, names)):
        return Strategies(game, names, seed, driver)
    from hexdeck.bots.players.simulation_bots import SimulationBots

    return SimulationBots(game, names, seed, driver.backend)


def takes_time(game: GameSetup, bots: Bots) -> bool:
    """Whether some of these bots are slow: they are asked decision by decision."""
    return seat_bots(game, bots, 0).chunk < CHUNK
