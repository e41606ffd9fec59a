"""Each kernel against the reference that was written from the rules page alone, event by event."""

import random
from typing import Any

import pytest

from hexdeck.engine.play.match import Match
from hexdeck.simulation.game import Game
from tests.reference.play import Game as Reference
from tests.reference.play import step
from tests.settings import every_game, module_of_tests, much, random_game, title
from tests.support import for_each, names, play

RENAMED = {"hand_cards": "hand"}


def reference(setting: Game) -> Any:
    found = {option.name: option.plain(setting.options[option.name]) for option in setting.rules.OPTIONS}
    chosen: dict[str, Any] = {RENAMED.get(name, name): value for name, value in found.items()}
    return module_of_tests(setting.name, "reference").Reference(setting.players, **chosen)


def assert_same(judge: Reference, match: Match) -> None:
    assert set(match.acting) == judge.acting() and match.over == judge.over
    assert match.chances() == judge.chance()
    for seat in range(match.game.players):
        assert names(match, seat) == judge.legal(seat)


def compare(setting: Game, rng: random.Random) -> Match:
    """One random game, chosen by the reference, played by both; the kernel's match at its end."""
    judge, match = reference(setting), setting.match(by_hand=True, backend="interpreted")
    events: list[str] = []
    try:
        assert_same(judge, match)
        while not judge.over:
            seat, name = step(judge, rng)
            events.append(name if seat < 0 else f"{seat}: {name}")
            play(match, events[-1])
            assert_same(judge, match)
        assert match.returns() == pytest.approx(judge.returns(), abs=1e-12)
    except Exception as error:
        error.add_note(f"{title(setting)} after {', '.join(events)}")
        raise
    return match


@every_game
@for_each("seed", range(much(40, 60)))
def test_the_kernel_plays_as_the_reference(name: str, seed: int) -> None:
    rng = random.Random(seed)
    compare(random_game(name, rng), rng)


@pytest.mark.long
@pytest.mark.parametrize("hundred", range(1, 21))
@every_game
def test_the_kernel_plays_as_the_reference_in_many_games(name: str, hundred: int) -> None:
    rng = random.Random(hundred)
    for _ in range(100):
        compare(random_game(name, rng), rng)
