"""Histories of matches that share their beginnings: each event makes a new one, and none ever changes."""

from __future__ import annotations

import functools
import threading
from collections.abc import Callable
from typing import Any, NoReturn, TypeVar, cast

import numpy as np

from hexdeck.engine.backends.kernels import CHANCE
from hexdeck.engine.event import Event
from hexdeck.engine.play.driver import raw
from hexdeck.engine.play.record import event_text
from hexdeck.engine.random import generator
from hexdeck.engine.text import Catalogue
from hexdeck.engine.view import zone_lines
from hexdeck.envs.kernels import follow, list_and_value
from hexdeck.simulation.game import Game, game

Noticed = tuple[int, int, bytes]  # an event as a seat notices it: its own action or -1, and what it then knows:
# the hash of all public events, and its observation
Known = tuple[int, str, list[Noticed]]  # a seat, what it was told, and what it noticed
Method = TypeVar("Method", bound=Callable[..., Any])
NOW, KNOWN, BEFORE, AFTER = 0, 1, 3, 4  # rows of a desk
UNTOLD = ("history",)  # of a struct: the hash of what is told in words


def alone(method: Method) -> Method:
    """A method of a desk that one thread at a time is in: all of them use the desk's rows."""

    @functools.wraps(method)
    def locked(self: Any, *given: Any) -> Any:
        with self.lock:
            return method(self, *given)

    return cast("Method", locked)


class Desk:
    """The functions of a game on the bytes of structs. One for each game in a process; threads take turns."""

    def __init__(self, game: Game, backend: str | None = None) -> None:
        self.lock = threading.RLock()
        self.game, self.rules, self.driver = game, game.rules, game.driver(backend)
        self.rows = game.rows(self.driver)
        self._raw = raw(self.rows)
        self._now = memoryview(self._raw[NOW])
        self._at = b""  # the world that stands in the first row
        self._structs = [self.driver.proxy(memoryview(row).cast("B")) for row in self._raw]
        self._state = np.zeros(3, np.int64)
        self._ids, outcomes = np.zeros(len(self.rules.ACTIONS), np.int16), len(self.rules.OUTCOMES)
        self._outcomes, self._parts = np.zeros(outcomes, np.int16), np.zeros(outcomes, np.float64)
        self._actions, shared = self.driver.shared(self._ids), self.driver.shared
        chances = self.driver.weights(), shared(self._outcomes), shared(self._parts)
        self._out = self._actions, *chances, shared(self._state)
        self._returns = self.driver.array(self.rules.SEATS, np.float64)
        fields = self.rules.STRUCT.fields
        self._fields = [(name, *fields[name][:2]) for name in self.rules.STRUCT.names if name not in UNTOLD]
        self._history = fields["history"][1]
        self._kernels = {name: self.driver.kernel(name) for name in KERNELS}
        self._follow, self._survey = (self.driver.kernel(kernel) for kernel in (follow, list_and_value))  # type: ignore[arg-type]

    def __reduce__(self) -> Any:
        return desk, (self.game.name, self.game.players, tuple(self.game.options.items()))

    def __deepcopy__(self, _memo: Any) -> Desk:
        return self

    def _call(self, kernel: str, *arguments: Any) -> Any:
        return self._kernels[kernel](self.driver.g, self.rows, *arguments)

    def _put(self, world: bytes) -> None:
        if world is not self._at:
            self._now[:] = world
            self._at = world

    @functools.cached_property
    @alone
    def root(self) -> History:
        """The history without an event."""
        self._at = b""
        self._call("begin_row")
        return self.begun(bytes(self._now))

    @alone
    def begun(self, world: bytes, known: Known | None = None) -> History:
        """A history that begins in a world."""
        self._put(world)
        self._survey(self.driver.g, self.rows, *self._out)
        return History(self, None, CHANCE, -1, world, *self._surveyed(), known)

    def after(self, past: History, action: int) -> History:
        """A history with one event more, which can happen."""
        with self.lock:
            self._put(past.world)
            self._at = b""
            self._follow(self.driver.g, self.rows, past.actor, action, *self._out)
            self._at = world = bytes(self._now)
            return History(self, past, past.actor, action, world, *self._surveyed())

    def _surveyed(self) -> tuple[int, bool, list[int], list[tuple[int, float]]]:
        """Who acts next and whether it is over, what may happen, and of chance how likely that is."""
        actor, over, number = self._state.tolist()
        if actor != CHANCE or over:
            return actor, bool(over), self._ids[:number].tolist(), []
        outcomes = self._outcomes[:number].tolist()
        return actor, False, outcomes, list(zip(outcomes, self._parts[:number].tolist(), strict=True))

    @alone
    def legal(self, world: bytes, seat: int) -> list[int]:
        """A seat's legal actions, ascending."""
        self._put(world)
        return self.driver.listed(self._actions, self._call("list_legal", NOW, seat, self._actions))

    @alone
    def results(self, world: bytes) -> list[float]:
        """Everybody's utility, once over."""
        self._put(world)
        self._call("results", self._returns)
        return [float(self._returns[seat]) for seat in range(self.game.players)]

    @alone
    def concealed(self, world: bytes, seat: int) -> bytes:
        """What a seat (-1: the public) knows of a world."""
        self._put(world)
        self._call("conceal_row", KNOWN, NOW, seat)
        return bytes(self._raw[KNOWN])

    @alone
    def observation(self, world: bytes, seat: int) -> np.ndarray:
        """That in numbers, int8 in the game's SLICES."""
        self.concealed(world, seat)
        out = np.zeros(self.game.observation_size, np.int8)
        self._call("observe_row", KNOWN, seat, self.driver.shared(out))
        return out

    @alone
    def words(self, world: bytes, seat: int) -> str:
        """That as a table in words."""
        self.concealed(world, seat)
        known, words = self._structs[KNOWN], Catalogue()
        lines = [line for zone in self.game.table.zones(known, seat) for line in zone_lines(zone, words)]
        return "\n".join([*lines, words.words(self.game.table.prompt(known, seat))])

    def secrets(self, world: bytes, seat: int) -> str:
        """What a seat knows and the public doesn't: fields with the seat's values."""
        return self.changes(self.concealed(world, -1), self.concealed(world, seat))

    @alone
    def resample(self, world: bytes, seat: int, seed: int) -> bytes:
        """A random world that a seat thinks possible."""
        self._put(world)
        self._call("redeal_row", KNOWN, NOW, seat, self.driver.shared(generator(seed, "resample")))
        return bytes(self._raw[KNOWN])

    @alone
    def told(self, before: bytes, event: Event, after: bytes, seat: int) -> str:
        """What a seat learns by an event: what it did, what it is told, and what it knows otherwise than before."""
        self._raw[BEFORE], self._raw[AFTER] = np.frombuffer(before, np.uint8), np.frombuffer(after, np.uint8)
        facts = self.game.table.narrate(self._structs[BEFORE], event, self._structs[AFTER])
        heard = [str(fact.text) for fact in facts if fact.heard_by(seat)]
        own = [event.name] if event.seat == seat else []
        changed = self.changes(self.concealed(before, seat), self.concealed(after, seat))
        return " ".join([*own, *heard, f"[{changed}]" if changed else ""]).strip()

    @alone
    def noticed(self, before: bytes, event: tuple[int, int], after: bytes, seat: int) -> Noticed | None:
        """An event in numbers, as a seat notices it; None if it doesn't."""
        own, known = event[0] == seat, self.concealed(after, seat)
        if not own and self.concealed(before, seat) == known:
            return None
        public = int(np.frombuffer(known, np.int64, 1, self._history)[0])
        return event[1] if own else -1, public, self.observation(after, seat).tobytes()

    def refuse(self, world: bytes, seat: int, action: int) -> NoReturn:
        """Raise what a match says against an action, or an outcome, that can't happen in a world."""
        match = self.game.match(by_hand=True, backend=self.driver.backend)
        match.load_position(np.frombuffer(world, np.uint8))
        if seat == CHANCE:
            match.deal(action)
        match.play(seat, action)
        raise AssertionError("a match allows what a history doesn't")

    def changes(self, before: bytes, after: bytes) -> str:
        """The fields of a struct that differ, with their values after: `turn=1 hand.3=2`."""
        found = []
        for name, kind, at in self._fields:
            old, new = before[at : at + kind.itemsize], after[at : at + kind.itemsize]
            if old != new:
                values = np.frombuffer(old, kind.base), np.frombuffer(new, kind.base)
                places = np.flatnonzero(values[0] != values[1]).tolist()
                found += [f"{name}.{k}={values[1][k]}" if kind.shape else f"{name}={values[1][k]}" for k in places]
        return " ".join(found)


KERNELS = ("begin_row", "list_legal", "results", "conceal_row", "observe_row", "redeal_row")


@functools.cache
def desk(name: str, players: int, options: tuple[tuple[str, Any], ...]) -> Desk:
    """The desk of a game."""
    return Desk(game(name, players, **dict(options)))


class History:
    """A match up to some event: its world (the bytes of a struct), who acts next (-1: chance), whether it is over.

    `choices` are the actions that the seat may choose, or the outcomes open to chance, and then `chances` has them with
    their probabilities. `parent` is the history before its last event, of `seat` and `action`. One without a parent is
    the root, or begins in a world that was re-dealt; then `known` has what one seat was told, and noticed, before.
    `told` and `noticed` keep what seats were told in all, and what they noticed of the last event.
    """

    __slots__ = (
        "action", "actor", "chances", "choices", "desk", "known", "noticed", "over", "parent", "seat", "told", "world",
    )  # fmt: skip

    def __init__(
        self, desk: Desk, parent: History | None, seat: int, action: int, world: bytes,
        actor: int, over: bool, choices: list[int], chances: list[tuple[int, float]], known: Known | None = None,
    ) -> None:  # fmt: skip
        self.desk, self.parent, self.seat, self.action, self.world = desk, parent, seat, action, world
        self.actor, self.over, self.choices, self.chances, self.known = actor, over, choices, chances, known
        self.told: dict[int, str] = {}
        self.noticed: dict[int, Noticed | None] = {}

    def __deepcopy__(self, _memo: Any) -> History:
        return self

    def __reduce__(self) -> Any:
        first = self.first()
        events = [(one.seat, one.action) for one in self.line()]
        return rebuilt, (self.desk, None if first is self.desk.root else (first.world, first.known), events)

    def then(self, action: int) -> History:
        """The history with one event more: of the lowest seat to act, or of chance.

        Raises IllegalMove or BadChance where that can't happen, MatchOver after the end.
        """
        if action not in self.choices:
            self.desk.refuse(self.world, self.actor, action)
        return self.desk.after(self, action)

    def line(self) -> list[History]:
        """All histories on the way here that end with an event, the shortest first."""
        found, one = [], self
        while one.parent is not None:
            found.append(one)
            one = one.parent
        return found[::-1]

    def first(self) -> History:
        """Where it began."""
        one = self
        while one.parent is not None:
            one = one.parent
        return one

    def event(self) -> Event:
        """Its last event."""
        names = self.desk.rules.OUTCOMES if self.seat == CHANCE else self.desk.rules.ACTIONS
        return Event(self.seat, self.action, names[self.action])

    def told_to(self, seat: int) -> str:
        """All that a seat has done and learnt, from the beginning: its information state, with perfect recall."""
        after: list[History] = []
        one: History = self
        while seat not in one.told and one.parent is not None:
            after.append(one)
            one = one.parent
        text = one.told.get(seat)
        if text is None:
            text = one.told[seat] = one.beginning(seat)
        for later in reversed(after):
            parent = later.parent
            assert parent is not None
            news = later.desk.told(parent.world, later.event(), later.world, seat)
            text = later.told[seat] = "\n".join(filter(None, [text, news]))
        return text

    def noticed_by(self, seat: int) -> list[Noticed]:
        """The events that a seat did or noticed, the first first: its information state in numbers."""
        found: list[Noticed] = []
        for one in self.line():
            if seat not in one.noticed:
                assert one.parent is not None
                event = one.seat, one.action
                one.noticed[seat] = one.desk.noticed(one.parent.world, event, one.world, seat)
            news = one.noticed[seat]
            found += [] if news is None else [news]
        known = self.first().known
        return [*known[2], *found] if known is not None and known[0] == seat else found

    def beginning(self, seat: int) -> str:
        """What a seat knows where this begins, without a parent."""
        if self is self.desk.root:
            return f"Seat {seat}"
        if self.known is not None and self.known[0] == seat:
            return self.known[1]
        start = self.desk.concealed(self.desk.root.world, seat)
        return f"Seat {seat} [{self.desk.changes(start, self.desk.concealed(self.world, seat))}]"

    def resampled(self, seat: int, seed: int) -> History:
        """A history that a seat thinks possible: all it was told is the same, and its hidden cards are dealt anew."""
        world = self.desk.resample(self.world, seat, seed)
        return self.desk.begun(world, (seat, self.told_to(seat), self.noticed_by(seat)))

    def __str__(self) -> str:
        first = self.first()
        events = [one.event() for one in self.line()]
        start = "" if first is self.desk.root else f"{first.world.hex()} "
        return start + ", ".join(event_text(event) for event in events)


def rebuilt(desk: Desk, start: tuple[bytes, Known | None] | None, events: list[tuple[int, int]]) -> History:
    """The history of some events."""
    one = desk.root if start is None else desk.begun(*start)
    for _, action in events:
        one = one.then(action)
    return one
