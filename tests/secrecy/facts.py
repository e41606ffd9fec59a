"""The log and the beats: an event after which an observer knows the same must be told in the same words, and shown in
the same steps that take as long, whatever really happened."""

import random
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from hexdeck.engine.event import Event
from hexdeck.engine.play.beats import BeatMaker, Moment
from hexdeck.engine.play.driver import raw
from hexdeck.engine.view import Fact
from hexdeck.simulation.game import Game
from tests.engine.bench import Bench
from tests.engine.bench import Event as Pair

BEFORE, AFTER = 3, 4  # rows of a bench


@dataclass
class Comparison:
    """How many events that could have happened instead were compared, and how many were told in other words."""

    compared: int = 0
    leaks: int = 0


class Teller:
    """What observers know and are told of events from any position."""

    def __init__(self, setting: Game, backend: str) -> None:
        self.bench, self.table = Bench(setting, backend), setting.table
        rows = raw(self.bench.rows)
        self.before, self.after = (self.bench.driver.proxy(memoryview(rows[row]).cast("B")) for row in (BEFORE, AFTER))

    def happen(self, world: bytes, event: Pair) -> bytes:
        """The position after an event; both are kept for telling."""
        self.bench.put(world)
        raw(self.bench.rows)[BEFORE] = raw(self.bench.rows)[0]
        self.bench.step(event)
        raw(self.bench.rows)[AFTER] = raw(self.bench.rows)[0]
        return self.bench.world()

    def known(self, observer: int) -> bytes:
        """What the observer knows after the event."""
        return self.bench.concealed(observer)

    def heard(self, event: Pair, observer: int, beats: bool) -> list[Any]:
        """What the observer is told of the event, and with `beats` how it sees it."""
        names = self.bench.rules.OUTCOMES if event[0] < 0 else self.bench.rules.ACTIONS
        facts = self.table.narrate(self.before, Event(*event, names[event[1]]), self.after)
        return [fact.text.data() for fact in facts if fact.heard_by(observer)] + (
            self.seen(facts, observer) if beats else []
        )

    def seen(self, facts: list[Fact], observer: int) -> list[Any]:
        """How the observer sees the event step by step, and how long everybody does."""
        if not any(fact.heard_by(-1) for fact in facts):
            return []
        before, after = (raw(self.bench.rows)[row].tobytes() for row in (BEFORE, AFTER))
        maker = BeatMaker(self.bench.setting, self.bench.driver, [Moment(0, facts, before, after)])
        return [maker.total, *(beat.data() for beat in maker.beats(observer))]

    def redealt(self, world: bytes, observer: int, seed: int) -> bytes:
        """A world that the observer thinks possible."""
        self.bench.put(world)
        return self.bench.redealt(observer, self.bench.driver.generator(seed, "redeal"))

    def alternatives(self, world: bytes, seat: int) -> list[Pair]:
        """All that a seat, or chance, could do in a world."""
        self.bench.put(world)
        if seat < 0:
            return [(-1, outcome) for outcome, weight in enumerate(self.bench.chances()[1]) if weight]
        return [(seat, action) for action in self.bench.legal_actions(seat)]


def compare(teller: Teller, world: bytes, event: Pair, result: Comparison, rng: random.Random) -> None:
    """One event, as every observer hears it, against all that it could have been as far as the observer knows."""
    for observer in range(-1, teller.bench.setting.players):
        teller.happen(world, event)
        beats = rng.random() < 0.3  # they take longer
        known, heard = teller.known(observer), teller.heard(event, observer, beats)
        for other in [world, *(teller.redealt(world, observer, rng.getrandbits(60)) for _ in range(2))]:
            for instead in [event] if event[0] == observer else teller.alternatives(other, event[0]):
                teller.happen(other, instead)
                if (other, instead) != (world, event) and teller.known(observer) == known:
                    result.compared += 1
                    result.leaks += teller.heard(instead, observer, beats) != heard


def listen(settings: Iterable[Game], backend: str, share: float, rng: random.Random) -> Comparison:
    """Compare a random part of the events of a random game in each setting."""
    result = Comparison()
    for setting in settings:
        teller, bench, world = Teller(setting, backend), Bench(setting, backend), b""
        for event in bench.random_game(rng):
            if event is not None and rng.random() < share:
                compare(teller, world, event, result, rng)
            world = bench.world()
    return result
