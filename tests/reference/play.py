"""Uniformly random play of a reference game."""

import random
from typing import Protocol


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
