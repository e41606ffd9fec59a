"""What `bounds.py` of each game says about results and lengths holds in every match, and isn't idle."""

import random
from collections.abc import Callable

import pytest

from hexdeck.engine.discovery.definition import definition
from hexdeck.simulation.game import Game, game
from tests.settings import data, every_game, every_setting, much

pyspiel = pytest.importorskip("pyspiel")

from hexdeck.envs.open_spiel import lengths, load  # noqa: E402

Choice = Callable[[list[int], random.Random], int]
WAYS: dict[str, Choice] = {  # of players who would make it last, or go somewhere rarely seen
    "first": lambda ids, dice: ids[0],
    "last": lambda ids, dice: ids[-1],
    "second": lambda ids, dice: ids[min(1, len(ids) - 1)],
    "ends": lambda ids, dice: dice.choice((ids[0], ids[-1])),
    "before last": lambda ids, dice: ids[max(0, len(ids) - 2)],
}


def counted(setting: Game, number: int, choose: Choice) -> tuple[int, int]:
    match, dice = setting.match(seed=11, number=number), random.Random(number)
    while not match.over:
        match.play(match.actor, choose(match.legal_ids(match.actor), dice))
    decisions = sum(event.seat >= 0 for event in match.events)
    return decisions, match.length - decisions


@every_setting
def test_no_match_is_longer(setting: Game) -> None:
    decisions, chances = lengths(setting)
    spiel = load(setting)
    assert (spiel.max_game_length(), spiel.max_chance_nodes_in_history()) == (decisions, chances)
    assert spiel.max_history_length() <= decisions + chances
    for policy in ("random", "house"):
        played = setting.simulate(much(50, 200), policy, seed=4)
        assert played.moves.max() <= decisions and played.chances.max() <= chances
    for choose in WAYS.values():
        for number in range(much(1, 2)):
            found = counted(setting, number, choose)
            assert found[0] <= decisions and found[1] <= chances


@every_game
def test_no_history_of_a_tiny_game_is_longer_and_some_come_near(name: str) -> None:
    nearest = 0.0
    for tiny in data(name)["tiny"]:
        if tiny["histories"]["decision"] > 4000:
            continue
        setting = game(name, tiny["players"], **tiny["options"])
        (decisions, chances), longest = lengths(setting), [0, 0]
        stack = [(load(setting).new_initial_state().past, 0, 0)]
        while stack:
            past, decided, happened = stack.pop()
            longest = [max(longest[0], decided), max(longest[1], happened)]
            decided, happened = decided + (past.actor >= 0), happened + (past.actor < 0)
            stack += [(past.child(action), decided, happened) for action in past.choices]
        assert longest[0] <= decisions and longest[1] <= chances
        nearest = max(nearest, sum(longest) / (decisions + chances))
    assert nearest > 0.8


@every_game
def test_the_bounds_are_of_the_order_of_what_is_played(name: str) -> None:
    low, high = definition(name).rules.PLAYERS
    for players in range(low, high + 1):
        setting = game(name, players)
        played, (decisions, chances) = setting.simulate(2000, "random", seed=5), lengths(setting)
        assert decisions <= 6 * played.moves.max() and chances <= 6 * played.chances.max()


@every_setting
def test_utilities_keep_within_their_bounds(setting: Game) -> None:
    spiel = load(setting)
    total = {"ZERO_SUM": 0, "CONSTANT_SUM": 1}.get(spiel.get_type().utility.name)
    for policy in ("random", "house", "gentle"):
        results = setting.simulate(much(50, 200), policy, seed=3).returns
        assert spiel.min_utility() <= results.min() and results.max() <= spiel.max_utility()
        if total is not None:
            assert results.sum(axis=1) == pytest.approx([total] * len(results)) and spiel.utility_sum() == total


def test_points_are_bounded_by_what_a_board_can_hold() -> None:
    points = definition("high-handed").bounds.bounds
    usual = game("high-handed", 4).options
    assert points(4, usual)[0] > -3000 and points(4, usual)[1] < 3000
    small = game("high-handed", 2, rows=1, columns=3, ranks=2, suits=2, hand_cards=1, blind=1, two_timers=0, thieves=0)
    assert points(2, small.options)[:3] == (-2, 2, 0)  # a pair by the second card of the row, and one by the third
    assert points(4, {**usual, "length": "first_to_two"})[1] == 2
    assert points(4, {**usual, "length": "double"})[1] == 2 * points(4, usual)[1]
