"""Logs: the same of bots and of matches, in every backend, and however little room there is."""

import numpy as np
import pytest

import hexdeck
from hexdeck.lab import log as module
from hexdeck.lab.counts import count
from hexdeck.lab.kernels import DEALS_ONLY, DECISIONS, EVERYTHING, NOBODY, NOTHING
from hexdeck.lab.log import Log, Player, SimulationSetup, log_of, matches
from tests.compiled import CHECKED
from tests.settings import every_game, small_game
from tests.support import for_each

BACKEND = "fast"
COLUMNS = ("first", "rows", "ends", "results", "setup", "position", "legal", "hands")


def setup_of(name: str, bots: str = "random", backend: str = BACKEND) -> SimulationSetup:
    """A simulation of a small game."""
    return SimulationSetup(small_game(name), bots, 1, backend=backend)


def same(one: Log, other: Log) -> bool:
    """Whether two logs are of the same games, played and kept alike."""
    return all(np.array_equal(getattr(one, column), getattr(other, column)) for column in COLUMNS)


@every_game
def test_logged_games_are_those_that_are_counted(name: str) -> None:
    setup = setup_of(name, "house")
    counted, log = count(Player(setup), 3, 30), Player(setup, EVERYTHING).log(3, 30)
    decides = log.seat != NOBODY
    assert np.array_equal(log.results, counted.results)
    assert np.array_equal(log.by_game(decides.astype(int)), counted.counters[:, DECISIONS])
    assert (log.final_positions["over"] == 1).all() and len(log.final_positions) == len(log) == 30
    assert (log.legal.sum(axis=1) == log.count).all()
    assert log.legal[np.flatnonzero(decides), log.action[decides]].all()


@every_game
@pytest.mark.parametrize("keep", [NOTHING, DEALS_ONLY, EVERYTHING])
def test_every_backend_logs_the_same(name: str, keep: int) -> None:
    whole = Player(setup_of(name), keep).log(0, 2)
    for backend in ("interpreted", "checked") if name in CHECKED and keep == EVERYTHING else ("interpreted",):
        assert same(whole, Player(setup_of(name, backend=backend), keep).log(0, 2)), backend


@every_game
def test_a_match_that_was_played_has_the_log_of_the_same_game_simulated(name: str) -> None:
    setup = setup_of(name)
    for number, match in enumerate(matches(setup, 2)):
        length, logged, played = match.length, Player(setup, EVERYTHING).log(number, 1), log_of(match, number)
        assert same(logged, played) and match.ply == length == played.plies[-1]
        made = [ply for ply, event in enumerate(match.events) if event.seat >= 0]
        assert list(played.plies[:-1]) == made and {ply for _seat, _since, ply in played.waits} <= set(made)


@for_each(("bots", "keep"), [("random", NOTHING), ("random", DEALS_ONLY), ("house", EVERYTHING), ("search:2", NOTHING)])
def test_a_log_without_room_grows(bots: str, keep: int, monkeypatch: pytest.MonkeyPatch) -> None:
    setup = SimulationSetup(hexdeck.game("hawthorn", 2, deals=2), bots, 3, backend=BACKEND)
    whole, counted = Player(setup, keep).log(4, 5), count(Player(setup, keep), 4, 5)
    with monkeypatch.context() as patch:
        patch.setattr(module, "ROOM", {keep: (4, 4)})
        small, others = Player(setup, keep), Player(setup, keep)
    assert bots == "search:2" or len(list(small.logs(4, 5))) > 1  # what bots were asked for is read as a whole
    parts = count(others, 4, 5)
    for column in ("results", "counters", "kind_counts"):
        assert np.array_equal(getattr(counted, column), getattr(parts, column)), column
    assert same(whole, small.log(4, 5))
