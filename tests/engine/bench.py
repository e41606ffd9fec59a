"""One game in one backend, driven by hand through the generic kernels."""

import random
from collections.abc import Iterator
from typing import Any

import numpy as np

from hexdeck.engine.backends.kernels import HOUSE
from hexdeck.engine.play.game import raw
from hexdeck.simulation.game import Game
from tests.compiled import warm

Event = tuple[int, int]  # seat, or -1 for chance, and the id
NOW, KNOWN, WORLD = 0, 1, 3  # rows


class Bench:
    """A game in a backend, at some position."""

    def __init__(self, setting: Game, backend: str) -> None:
        if backend != "interpreted":
            warm(setting.name, backend)
        self.setting, self.rules, self.backend = setting, setting.rules, backend
        self.driver = setting.driver(backend)
        self.rows = setting.rows(self.driver)
        self.struct = self.driver.proxy(memoryview(raw(self.rows)[NOW]).cast("B"))
        self.weights, self.actions = self.driver.weights(), self.driver.actions()
        self._mind = setting.rows(self.driver)
        self.begin()

    def call(self, kernel: str, *arguments: Any) -> Any:
        return self.driver.kernel(kernel)(self.driver.g, self.rows, *arguments)

    def begin(self) -> None:
        self.call("begin_row")

    def step(self, event: Event) -> None:
        self.call("repeat", NOW, *event)

    def world(self, row: int = NOW) -> bytes:
        return raw(self.rows)[row].tobytes()

    def put(self, world: bytes) -> None:
        raw(self.rows)[NOW] = np.frombuffer(world, np.uint8)

    def acting(self) -> list[int]:
        return [seat for seat in range(self.setting.players) if self.struct.acting >> seat & 1]

    def legal_actions(self, seat: int) -> list[int]:
        return self.driver.integers(self.actions, self.call("list_legal", NOW, seat, self.actions))

    def chances(self) -> tuple[int, list[int]]:
        """The sum and the weights of chance's outcomes; nothing when chance is not to act."""
        total = self.call("weigh", self.weights)
        return total, self.driver.integers(self.weights, len(self.rules.OUTCOMES)) if total else []

    def events(self) -> list[Event]:
        """All that can happen now, the lowest seat acting first."""
        if self.struct.over:
            return []
        acting = self.acting()
        if acting:
            return [(acting[0], action) for action in self.legal_actions(acting[0])]
        return [(-1, outcome) for outcome, weight in enumerate(self.chances()[1]) if weight]

    def random_event(self, rng: random.Random) -> Event:
        """Any seat that may act with any legal action, or a likely outcome."""
        acting = self.acting()
        if acting:
            seat = rng.choice(acting)
            return seat, rng.choice(self.legal_actions(seat))
        weights = self.chances()[1]
        return -1, rng.choices(range(len(weights)), weights)[0]

    def random_game(self, rng: random.Random) -> Iterator[Event | None]:
        """A new game at each of its plies, with the event that led there."""
        self.begin()
        yield None
        while not self.struct.over:
            event = self.random_event(rng)
            self.step(event)
            yield event

    def illegal_reason(self, seat: int, action: int) -> int:
        return int(self.call("test_action", seat, action))

    def concealed(self, seat: int) -> bytes:
        self.call("conceal_row", KNOWN, NOW, seat)
        return self.world(KNOWN)

    def observation(self, seat: int) -> bytes:
        self.call("conceal_row", KNOWN, NOW, seat)
        out = np.full(max(end for _, end in self.rules.SLICES.values()), 77, np.int8)
        self.call("observe_row", KNOWN, seat, self.driver.shared(out))
        return out.tobytes()

    def key(self, seat: int) -> int:
        self.call("conceal_row", KNOWN, NOW, seat)
        return int(self.driver.kernel("row_key")(self.rows, KNOWN))

    def redealt(self, seat: int, rng: Any) -> bytes:
        self.call("redeal_row", WORLD, NOW, seat, rng)
        return self.world(WORLD)

    def house_choice(self, seat: int, seed: int) -> int:
        """What the house bot plays for a seat, from what the seat knows."""
        raw(self._mind)[NOW] = np.frombuffer(self.concealed(seat), np.uint8)
        rng = self.driver.generator(seed, "mind")
        kernel = self.driver.kernel("choose_row")
        return int(kernel(self.driver.g, self._mind, HOUSE, seat, self.actions, rng))

    def results(self) -> list[float]:
        out = np.full(self.rules.SEATS, 77.0)
        self.call("results", self.driver.shared(out))
        return [float(value) for value in out]
