"""The story of an event: where an observer knows the same after it, it must have the same stops, in order and number,
each with the same known position and the same words, whatever really happened."""

import ast
import inspect
import random
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from hexdeck.engine.discovery.definition import definition
from hexdeck.engine.play.story import Moment, Storyteller
from hexdeck.simulation.game import Game
from tests.engine.bench import Bench
from tests.engine.bench import Event as Pair


@dataclass
class Comparison:
    """How many events that could have happened instead were compared, and how many were told in other words.

    `kinds`: of the stops of the events that really happened.
    """

    compared: int = 0
    leaks: int = 0
    kinds: set[int] = field(default_factory=set)


class Teller:
    """What observers know and are told of events from any position."""

    def __init__(self, setting: Game, backend: str) -> None:
        self.bench, self.table = Bench(setting, backend), setting.table
        self.stories = Storyteller(setting, setting.driver(backend))

    def happen(self, world: bytes, event: Pair) -> Moment:
        return self.stories.moment(world, *event)

    def known(self, world: bytes, event: Pair, observer: int) -> bytes:
        """What the observer knows after an event in a world."""
        self.bench.put(world)
        self.bench.step(event)
        return self.bench.concealed(observer)

    def heard(self, moment: Moment, observer: int, shown: bool) -> list[Any]:
        """What the observer knows and is told at each stop of the event; with `shown`, its log and its beats too."""
        stops = self.stories.stops(moment, observer)
        told = [
            (stop.kind, stop.seat, stop.detail, stop.now.row_, repr(self.table.caption(stop, observer)))
            for stop in stops
        ]
        if not shown:
            return told
        lines = [fact.text.data() for fact in self.stories.facts(moment) if fact.heard_by(observer)]
        return [*told, *lines, *(beat.data() for beat in self.stories.beats(moment, observer))]

    def redealt(self, world: bytes, observer: int, seed: int) -> bytes:
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
    moment = teller.happen(world, event)
    result.kinds |= {mark.kind for mark in moment.marks}
    for observer in range(-1, teller.bench.setting.players):
        shown = rng.random() < 0.3  # that takes longer, and is made of the same captions
        known, heard = teller.known(world, event, observer), teller.heard(moment, observer, shown)
        for other in [world, *(teller.redealt(world, observer, rng.getrandbits(60)) for _ in range(2))]:
            for instead in [event] if event[0] == observer else teller.alternatives(other, event[0]):
                if (other, instead) != (world, event) and teller.known(other, instead, observer) == known:
                    result.compared += 1
                    result.leaks += teller.heard(teller.happen(other, instead), observer, shown) != heard


def listen(
    settings: Iterable[Game], backend: str, share: float, rng: random.Random, wanted: Iterable[int] = ()
) -> Comparison:
    """Compare a random part of the events of a random game in each setting, and the first with each kind of stop."""
    result = Comparison()
    for setting in settings:
        teller, bench, world = Teller(setting, backend), Bench(setting, backend), b""
        for event in bench.random_game(rng):
            if event is not None and (rng.random() < share or brings(teller, world, event, {*wanted} - result.kinds)):
                compare(teller, world, event, result, rng)
            world = bench.world()
    return result


def brings(teller: Teller, world: bytes, event: Pair, kinds: set[int]) -> bool:
    """Whether an event has a stop of one of these kinds."""
    return bool(kinds) and any(mark.kind in kinds for mark in teller.happen(world, event).marks)


def kinds(name: str) -> dict[int, str]:
    """The kinds of stops that a game's rules name, by their numbers: where they stop, or have a function stop."""
    rules = definition(name).rules
    tree = ast.parse(inspect.getsource(rules))
    calls = [(ast.unparse(node.func), node.args) for node in ast.walk(tree) if isinstance(node, ast.Call)]
    places = {"stop": 1}  # of the kind among the arguments
    for function in (node for node in tree.body if isinstance(node, ast.FunctionDef)):
        if "stop(s, kind" in ast.unparse(function):
            places[function.name] = [argument.arg for argument in function.args.args].index("kind")
    named = (names(arguments[places[called]]) for called, arguments in calls if called in places)
    return {getattr(rules, each): each for each in set().union(*named)}


def names(kind: ast.expr) -> set[str]:
    """The kinds that an expression names: both of a choice, of a sum the first."""
    if isinstance(kind, ast.IfExp):
        return names(kind.body) | names(kind.orelse)
    if isinstance(kind, ast.BinOp):
        return names(kind.left)
    return {kind.id} if isinstance(kind, ast.Name) and kind.id.isupper() else set()
