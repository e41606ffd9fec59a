"""Simulation: the same columns whatever the threads, chunks and backend, and the same games as `Match` plays."""

from collections.abc import Sequence
from itertools import cycle, islice
from typing import Any

import numpy as np
import pytest

import hexdeck
from hexdeck.engine.backends.kernels import HOUSE
from hexdeck.engine.play.game import raw
from hexdeck.engine.play.match import Match
from hexdeck.engine.play.playouts import Results
from hexdeck.engine.random import below, rewind
from hexdeck.simulation import simulate as module
from hexdeck.simulation.game import Game
from hexdeck.stats import t_quantile
from tests.compiled import warm
from tests.settings import data, every_game, every_setting, much, small_game

BACKEND = "fast"
BOTS = ("house", "random")


def assert_equal(one: Results, other: Results) -> None:
    for name in ("returns", "moves", "chances", "endings"):
        assert np.array_equal(getattr(one, name), getattr(other, name)), name


def mixed(setting: Game) -> list[str]:
    return list(islice(cycle(BOTS), setting.players))


# --- what the columns depend on ---------------------------------------------------------------------------------------
@every_game
def test_columns_do_not_depend_on_threads_chunks_or_backend(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    game = small_game(name)
    games, part = much((6, 4), (23, 5))
    whole = game.simulate(games, mixed(game), seed=5, backend=BACKEND)
    for chunk, threads in ((1, 4), (part, 3), *much((), ((games, 2), (100, 8)))):
        monkeypatch.setattr(module, "CHUNK", chunk)
        assert_equal(game.simulate(games, mixed(game), seed=5, threads=threads, backend=BACKEND), whole)
    assert_equal(game.simulate(games, mixed(game), seed=5, backend="interpreted"), whole)


@every_game
def test_a_simulation_can_be_played_in_parts(name: str) -> None:
    game = small_game(name)
    games, first = much((5, 3), (12, 7))
    whole = game.simulate(games, "house", seed=2, backend=BACKEND)
    late = game.simulate(games - first, "house", seed=2, first=first, backend=BACKEND)
    for column in ("returns", "moves", "chances", "endings"):
        assert np.array_equal(getattr(whole, column)[first:], getattr(late, column)), column


@every_game
def test_the_seed_decides(name: str) -> None:
    game, games, key = small_game(name), much(6, 12), bytes(range(32))
    first = game.simulate(games, "random", seed=1, backend=BACKEND)
    assert_equal(game.simulate(games, "random", seed=1, backend=BACKEND), first)
    assert not np.array_equal(game.simulate(games, "random", seed=2, backend=BACKEND).chances, first.chances)
    assert_equal(game.simulate(2, "random", key, backend=BACKEND), game.simulate(2, "random", key, backend=BACKEND))


# --- beside Match -----------------------------------------------------------------------------------------------------
class Mind:
    """A bot of a simulation, at a match: the same generator, from its start for each match."""

    def __init__(self, game: Game, seat: int, policy: str, seed: int, backend: str) -> None:
        self.game, self.seat, self.policy = game, seat, policy
        self.driver = game.driver(backend)
        self.rng = self.driver.generator(seed, f"bot {seat}")
        self.rows, self.actions = game.rows(self.driver), self.driver.actions()

    def begin(self, number: int) -> None:
        rewind(self.rng, number)

    def choose(self, match: Match) -> int:
        if self.policy == "random":
            ids = match.legal_ids(self.seat)
            return ids[below(self.rng, len(ids))]
        raw(self.rows)[0] = np.frombuffer(match.concealed(self.seat), np.uint8)
        choose: Any = self.driver.kernel("choose_row")
        return int(choose(self.driver.g, self.rows, HOUSE, self.seat, self.actions, self.rng))


def played(game: Game, bots: Sequence[str], seed: int, number: int, backend: str) -> Match:
    match = game.match(seed, number=number, backend=backend)
    minds = [Mind(game, seat, bot, seed, backend) for seat, bot in enumerate(bots)]
    for mind in minds:
        mind.begin(number)
    while not match.over:
        match.play(match.actor, minds[match.actor].choose(match))
    return match


def row_of(match: Match) -> tuple[Any, ...]:
    moves = sum(event.seat >= 0 for event in match.events)
    return match.returns(), moves, match.length - moves, match.ending


@every_setting
def test_a_simulation_plays_the_same_games_as_match(setting: Game) -> None:
    """Its rows are those of the matches, and nobody's gains come from nowhere."""
    warm(setting.name, "fast")
    bots, games = mixed(setting), much(2, 5)
    results = setting.simulate(games, bots, seed=3, first=4, backend="fast")
    for k in range(games):
        match = played(setting, bots, 3, 4 + k, "fast")
        ending = results.reasons[results.endings[k]]
        assert (tuple(results.returns[k]), results.moves[k], results.chances[k], ending) == row_of(match), f"game {k}"
        assert_fair(setting.name, match.returns(), getattr(match.struct, "pot", 0))


def assert_fair(name: str, returns: Sequence[float], pot: int) -> None:
    """Utilities add up as the game's data says: to nothing, to one win or none, or each is the lead over the best."""
    kind = data(name).get("utility", "zero-sum")
    if kind == "zero-sum":
        assert sum(returns) == pytest.approx(-pot)
    elif kind == "win":
        assert min(returns) >= 0 and min(abs(sum(returns) - total) for total in (0, 1)) < 1e-9
    else:
        assert kind == "lead" and max(returns) >= 0 and -max(returns) in returns


# --- what the columns say ---------------------------------------------------------------------------------------------


@every_game
def test_means_margins_and_endings_are_those_of_the_columns(name: str) -> None:
    results = small_game(name).simulate(30, "random", seed=9, backend=BACKEND)
    assert results.means() == pytest.approx([sum(column) / 30 for column in results.returns.T])
    deviations = [np.sqrt(sum((column - column.mean()) ** 2) / 29) for column in results.returns.T]
    assert results.margins() == pytest.approx([t_quantile(29) * deviation / np.sqrt(30) for deviation in deviations])
    assert sum(results.ended().values()) == 30 and "" not in results.ended()
    assert set(results.ended()) <= set(results.reasons)


def test_the_margins_of_one_game_are_infinite() -> None:
    assert np.isinf(hexdeck.game("cursed-hand").simulate(1, backend=BACKEND).margins()).all()


def test_progress_counts_every_game_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "CHUNK", 4)
    counts: list[int] = []
    hexdeck.game("cursed-hand", 2).simulate(10, threads=2, backend=BACKEND, progress=counts.append)
    assert counts == [4, 4, 2]


def test_one_bot_takes_all_seats() -> None:
    game = hexdeck.game("cursed-hand", 3)
    every = game.simulate(4, ["house"] * 3, seed=1, backend=BACKEND)
    assert_equal(game.simulate(4, "house", seed=1, backend=BACKEND), every)
    assert_equal(game.simulate(4, ["house"], seed=1, backend=BACKEND), every)


# --- errors -----------------------------------------------------------------------------------------------------------
def test_what_cannot_be_simulated_is_refused_in_a_sentence() -> None:
    game, wrong = hexdeck.game("cursed-hand", 4), hexdeck.BadOption
    for how in ({"games": 0}, {"games": -5}, {"threads": 0}, {"threads": -1}):
        with pytest.raises(wrong, match="at least one game and at least one thread"):
            game.simulate(**{"games": 1, **how})
    with pytest.raises(wrong, match="Matches are numbered from 0 to"):
        game.simulate(1, first=-1)
    for bots in (["house", "random"], ["house"] * 5, []):
        with pytest.raises(wrong, match=f"Give one bot for all seats, or 4, one for each; not {len(bots)}"):
            game.simulate(1, bots)
    for bot in ("serch", ["house", "house", "house", "hous"], ""):
        with pytest.raises(hexdeck.UnknownBot, match=r"There is no bot .*; (there are best|the levels are easy), "):
            game.simulate(1, bot)
