"""Uniformly random play of a reference game."""

import random
from collections.abc import Callable
from typing import Any, Protocol


class Game(Protocol):
    """What every reference game offers."""

    @property
    def over(self) -> bool: ...

    def acting(self) -> set[int]: ...

    def chance(self) -> dict[str, int]: ...

    def happen(self, outcome: str) -> None: ...

    def legal(self, seat: int) -> set[str]: ...

    def apply(self, seat: int, action: str) -> None: ...

    def returns(self) -> list[float]: ...

    def ending(self) -> str: ...


def step(reference: Game, rng: random.Random) -> tuple[int, str]:
    """One event at random: chance by its weights, else any acting seat and any of its legal actions."""
    weights = reference.chance()
    if weights:
        outcome = rng.choices(list(weights), list(weights.values()))[0]
        reference.happen(outcome)
        return -1, outcome
    seat = rng.choice(sorted(reference.acting()))
    action = rng.choice(sorted(reference.legal(seat)))
    reference.apply(seat, action)
    return seat, action


def play(reference: Game, rng: random.Random) -> list[tuple[int, str]]:
    """Play to the end; the events in order, the seat of chance being -1."""
    events = []
    while not reference.over:
        events.append(step(reference, rng))
    return events


def replay(reference: Game, events: list[tuple[int, str]]) -> None:
    """Make these events happen."""
    for seat, name in events:
        if seat == -1:
            reference.happen(name)
        else:
            reference.apply(seat, name)


def random_game(
    reference: Callable[..., Any], players: int, table: dict[str, list[Any]], rng: random.Random, fewest: int = 2
) -> Any:
    """A game with random options; those that can't be played together are drawn again."""
    while True:
        try:
            return reference(
                rng.randint(fewest, players), **{name: rng.choice(values) for name, values in table.items()}
            )
        except ValueError as error:
            if "too few cards" not in str(error) and "only with" not in str(error):
                raise


def finish(game: Game, rng: random.Random, check: Callable[[], None]) -> None:
    """Play to the end, with the check after every event."""
    while not game.over:
        assert bool(game.chance()) != bool(game.acting())
        assert all(game.legal(seat) for seat in game.acting())
        step(game, rng)
        check()
    assert not game.chance() and not game.acting() and game.ending()
