"""Any bot plays in simulations, and there as it does move by move at a match."""

from collections.abc import Sequence

import numpy as np
import pytest

import hexdeck
from hexdeck.bots.players.kinds import StrategyBot
from hexdeck.bots.players.levels import levels_of, manners_of
from hexdeck.bots.players.roster import bots_of, resolved
from hexdeck.bots.players.simulation_bots import SimulationBots, seated
from hexdeck.engine.play.match import Match
from hexdeck.engine.play.playouts import Results
from hexdeck.lab.counts import collect, count
from hexdeck.lab.log import Player, SimulationSetup, matches
from hexdeck.simulation import simulate as module
from hexdeck.simulation.game import Game
from hexdeck.simulation.simulate import takes_time
from tests.settings import much

pytestmark = pytest.mark.usefixtures("small_games_for_nets")
BACKEND = "fast"
TABLES = [  # game, players, bots
    ("cursed-hand", 2, ("net", "net:0")),
    ("cursed-hand", 3, ("net:0.5", "house", "search:6")),
    ("cursed-hand", 4, ("net:0.15", "steady", "gentle", "random")),
    ("hawthorn", 2, ("rollout:house:6", "search:house:4")),
    ("blackstone", 2, ("solved", "steady")),
]
each_table = pytest.mark.parametrize(("name", "players", "bots"), TABLES)


def columns(results: Results) -> list[np.ndarray]:
    return [results.returns, results.moves, results.chances, results.endings]


def same(one: Results, other: Results) -> bool:
    return all(map(np.array_equal, columns(one), columns(other)))


def game_of(name: str, players: int) -> Game:
    return hexdeck.game(name, players, **({"hand_cards": 4} if name == "cursed-hand" else {}))


def played(game: Game, bots: Sequence[str], seed: int, number: int) -> Match:
    """One game of a simulation, each choice made from the concealed struct."""
    match, there = game.match(seed, number=number, backend=BACKEND), seated(game, bots, seed, BACKEND)
    for bot in there:
        bot.begin(number)
    while not match.over:
        seat, legal = match.actor, match.legal_ids(match.actor)
        asked = len(legal) > 1 or isinstance(there[seat], StrategyBot)
        match.play(seat, there[seat].choose(match.concealed(seat), seat) if asked else legal[0])
    return match


@each_table
def test_games_are_those_that_the_same_bots_play_at_a_match(name: str, players: int, bots: tuple[str, ...]) -> None:
    game, games = game_of(name, players), much(2, 4)
    found = game.simulate(games, bots, seed=3, first=7, backend=BACKEND)
    for k in range(games):
        match = played(game, bots, 3, 7 + k)
        moves = sum(event.seat >= 0 for event in match.events)
        assert tuple(found.returns[k]) == match.returns()
        assert (found.moves[k], found.chances[k]) == (moves, match.length - moves)
        assert found.reasons[found.endings[k]] == match.ending


@pytest.mark.parametrize(("name", "players", "bots"), TABLES[:2])
def test_rows_depend_on_neither_threads_nor_chunks(name, players, bots, monkeypatch) -> None:
    game = game_of(name, players)
    games, part = much((3, 2), (9, 4))
    whole = game.simulate(games, bots, seed=5, backend=BACKEND)
    for chunk, threads in ((1, 3), (part, 2)):
        monkeypatch.setattr(module, "CHUNK", chunk)
        assert same(game.simulate(games, bots, seed=5, threads=threads, backend=BACKEND), whole)


def test_compiled_nets_and_searches_choose_as_interpreted_ones() -> None:
    game, bots = game_of("cursed-hand", 3), ("net", "search:20", "net:0.3")
    fast, slow = (game.simulate(much(1, 6), bots, seed=2, backend=backend) for backend in ("fast", "interpreted"))
    assert same(fast, slow)


def test_a_level_is_the_bot_that_it_stands_for() -> None:
    game = hexdeck.game("cursed-hand", 4)
    assert (resolved("steady", game), resolved("best", game)) == ("house", "net:0.15")
    for level, played_by, games in (("steady", "house", much(2, 5)), ("best", "net:0.15", much(1, 3))):
        one, other = (game.simulate(games, name, seed=1, backend=BACKEND) for name in (level, played_by))
        assert same(one, other)


@pytest.mark.parametrize(("name", "players", "bots"), TABLES[:2])
def test_the_lab_counts_and_shows_the_same_games(name: str, players: int, bots: tuple[str, ...]) -> None:
    game = game_of(name, players)
    games = much(2, 5)
    plain = game.simulate(games, bots, seed=4, first=2, backend=BACKEND)
    player = Player(SimulationSetup(game, bots, 4, backend=BACKEND))
    assert np.array_equal(count(player, 2, games).results, plain.returns)
    assert [len(moves) for moves in player.log(2, games).decisions] == plain.moves.tolist()
    shown = [match.returns() for match in matches(SimulationSetup(game, bots, 4, backend=BACKEND), games, 2)]
    assert shown == [tuple(row) for row in plain.returns]
    found = collect(SimulationSetup(game, bots, 4, 2, backend=BACKEND), games, first=2)
    assert [found["result", p].value for p in range(players)] == pytest.approx(plain.means().tolist())


def test_a_log_without_room_for_all_grows(monkeypatch: pytest.MonkeyPatch) -> None:
    game = game_of("cursed-hand", 2)
    whole = SimulationBots(game, ("net", "search:3"), 1, BACKEND).play(0, 3)
    monkeypatch.setattr("hexdeck.bots.players.simulation_bots.ROOM", 4)
    assert np.array_equal(SimulationBots(game, ("net", "search:3"), 1, BACKEND).play(0, 3), whole)


def test_bots_that_are_asked_take_time_and_nets_and_strategies_do_not() -> None:
    game = hexdeck.game("cursed-hand", 4)
    slow = {name for name in bots_of(game) if takes_time(game, name)}
    assert {name for name in slow if ":" not in name} == {"rollout", "search", "sharp", "think"}
    with_manners = {f"{level}:{manner}" for level in levels_of(game) for manner in manners_of(game, level)}
    assert with_manners and {name for name in slow if ":" in name} == with_manners  # a manner is asked, too
