"""Interpreted = fast = bounds-checked, byte for byte: games drawn in the fast backend, replayed in the others."""

import random
from collections.abc import Iterator
from typing import Any

import hexdeck
from hexdeck.simulation.game import Game
from tests.compiled import all_backends
from tests.engine.bench import Bench, Event
from tests.settings import data, every_game, every_setting, much, small_game
from tests.support import play_out


def drawn(setting: Game, number: int) -> tuple[list[Event], bytes]:
    """The events of a game with random players, in the fast backend, and the bytes it ends with."""
    match = setting.match(seed=number, backend="fast")
    rng = random.Random(number)
    play_out(match, rng)
    return [(event.seat, event.id) for event in match.events], match.concealed(-1)


def answers(bench: Bench, seed: int) -> Iterator[Any]:
    """All that a backend can be asked about a position."""
    yield bench.chances(), bench.events()
    if bench.struct.over:
        yield bench.results()
    acting = bench.acting()
    for seat in range(-1, bench.setting.players):
        rng = bench.driver.generator(seed, "redeal")
        yield seat, bench.concealed(seat), bench.observation(seat), bench.key(seat), bench.redealt(seat, rng)
        if seat >= 0:
            yield [bench.illegal_reason(seat, action) for action in range(len(bench.rules.ACTIONS))]
        if seat in acting:
            yield bench.legal_actions(seat), [bench.house_choice(seat, seed + k) for k in range(3)]


def compare(setting: Game, games: range, ask: float, plies: int) -> None:
    """Replay games in every backend until so many plies were played; ask about every position with a probability."""
    benches = [Bench(setting, backend) for backend in all_backends(setting.name)]
    rng, played = random.Random(0), 0
    for number in games:
        events, end = drawn(setting, number)
        played += len(events)
        if number > games.start and played > plies:
            break
        for bench in benches:
            bench.begin()
        for ply, event in enumerate(events):
            for bench in benches:
                bench.step(event)
            fast, *others = (bench.world() for bench in benches)
            assert others == [fast] * len(others), f"game {number}, ply {ply + 1}, after {event}"
            if rng.random() < ask or ply + 1 == len(events):
                fast, *others = (list(answers(bench, number)) for bench in benches)
                assert others == [fast] * len(others), f"game {number}, ply {ply + 1}, after {event}"
        assert {bench.concealed(-1) for bench in benches} == {end}


@every_setting
def test_all_backends_agree(setting: Game) -> None:
    """In a whole run in five hundred games with the defaults, the numbers of players together."""
    defaults, tables = hexdeck.game(setting.name, setting.players), len(data(setting.name)["players"])
    many = setting == defaults and much(False, True)
    compare(setting, range(-(-500 // tables)), 0.01, plies=10**9 if many else much(150, 1500))


@every_game
def test_all_backends_agree_on_a_match_of_each_game(name: str) -> None:
    compare(small_game(name), range(1), 0.02, plies=1)
