"""Immutable histories of a game that share their prefixes: an event makes a new history of an old one."""

from __future__ import annotations

import functools
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, NoReturn, TypeVar, cast

import numpy as np

from hexdeck.engine.backends.kernels import CHANCE
from hexdeck.engine.discovery.finding import cleared_by_forget
from hexdeck.engine.play.game import raw
from hexdeck.engine.play.story import Storyteller
from hexdeck.engine.random import generator
from hexdeck.engine.text import Catalogue
from hexdeck.engine.view import Event, zone_lines
from hexdeck.engine.view import prompt as prompt_of
from hexdeck.envs.kernels import apply_event, next_events
from hexdeck.simulation.game import Game

SeatEvent = tuple[int, int, bytes]  # an event for one seat: its own action or -1, the hash of public events, and the
# bytes of its observation afterwards
Remembered = tuple[int, str, list[SeatEvent]]  # a seat, its information state as text, and its events
Method = TypeVar("Method", bound=Callable[..., Any])
NOW, KNOWN = 0, 1  # rows of a workspace
UNTOLD = ("history",)  # fields of a struct that texts leave out: a hash of what they tell in words


def alone(method: Method) -> Method:
    """Make a method of a workspace exclusive to one thread at a time, since all of them write to its rows."""

    @functools.wraps(method)
    def locked(self: Any, *given: Any) -> Any:
        with self.lock:
            return method(self, *given)

    return cast("Method", locked)


class Workspace:
    """A game's rules applied to the bytes of structs (`world`), in scratch rows; threads take turns.

    There is one workspace for each game in a process; see `workspace`.
    """

    def __init__(self, game: Game, backend: str | None = None) -> None:
        self.lock = threading.RLock()
        self.game, self.rules, self.driver = game, game.rules, game.driver(backend)
        self.rows = game.rows(self.driver)
        self._raw = raw(self.rows)
        self._now = memoryview(self._raw[NOW])
        self._at = b""  # the world in row NOW
        self._teller = Storyteller(game, self.driver)
        self._structs = [self.driver.proxy(memoryview(row).cast("B")) for row in self._raw]
        self._state = np.zeros(3, np.int64)
        self._ids, outcomes = np.zeros(len(self.rules.ACTIONS), np.int16), len(self.rules.OUTCOMES)
        self._outcomes, self._parts = np.zeros(outcomes, np.int16), np.zeros(outcomes, np.float64)
        self._actions, shared = self.driver.shared(self._ids), self.driver.shared
        chances = self.driver.weights(), shared(self._outcomes), shared(self._parts)
        self._out = self._actions, *chances, shared(self._state)
        self._returns = self.driver.array(self.rules.PLAYERS[1], np.float64)
        fields = self.rules.STRUCT.fields
        self._fields = [(name, *fields[name][:2]) for name in self.rules.STRUCT.names if name not in UNTOLD]
        self._told = [field for field in self._fields if field[0] != "draws"]
        self._history = fields["history"][1]
        self._kernels = {name: self.driver.kernel(name) for name in KERNELS}
        self._apply, self._next = (self.driver.kernel(kernel) for kernel in (apply_event, next_events))

    def __reduce__(self) -> Any:
        return workspace, (self.game,)

    def __deepcopy__(self, _memo: Any) -> Workspace:
        return self

    def _call(self, kernel: str, *arguments: Any) -> Any:
        return self._kernels[kernel](self.driver.g, self.rows, *arguments)

    def _load(self, world: bytes) -> None:
        if world is not self._at:
            self._now[:] = world
            self._at = world

    @functools.cached_property
    @alone
    def root(self) -> History:
        """The empty history."""
        self._at = b""
        self._call("begin_row")
        return self.history_from(bytes(self._now))

    @alone
    def history_from(self, world: bytes, memory: Remembered | None = None) -> History:
        """A history that begins in a world; `memory`: what one seat remembers from before."""
        self._load(world)
        self._next(self.driver.g, self.rows, *self._out)
        return History(self, None, CHANCE, -1, world, *self._next_events(), memory)

    def after(self, past: History, action: int) -> History:
        """A history with one event more; the event must be possible."""
        with self.lock:
            self._load(past.world)
            self._at = b""
            self._apply(self.driver.g, self.rows, past.actor, action, *self._out)
            self._at = world = bytes(self._now)
            return History(self, past, past.actor, action, world, *self._next_events())

    def _next_events(self) -> tuple[int, bool, list[int], list[tuple[int, float]]]:
        """Who acts next, whether the match is over, the possible events, and the probabilities of chance's outcomes."""
        actor, over, number = self._state.tolist()
        if actor != CHANCE or over:
            return actor, bool(over), self._ids[:number].tolist(), []
        outcomes = self._outcomes[:number].tolist()
        return actor, False, outcomes, list(zip(outcomes, self._parts[:number].tolist(), strict=True))

    @alone
    def legal(self, world: bytes, seat: int) -> list[int]:
        """A seat's legal actions in a world, ascending."""
        self._load(world)
        return self.driver.integers(self._actions, self._call("list_legal", NOW, seat, self._actions))

    @alone
    def results(self, world: bytes) -> list[float]:
        """The utilities at the end of a match, by seat."""
        self._load(world)
        self._call("results", self._returns)
        return [float(self._returns[seat]) for seat in range(self.game.players)]

    @alone
    def concealed(self, world: bytes, seat: int) -> bytes:
        """A world concealed for a seat (-1: the public), as bytes."""
        self._load(world)
        self._call("conceal_row", KNOWN, NOW, seat)
        return bytes(self._raw[KNOWN])

    @alone
    def observation(self, world: bytes, seat: int) -> np.ndarray:
        """A seat's observation, int8 in the game's SLICES."""
        self.concealed(world, seat)
        out = np.zeros(self.game.observation_size, np.int8)
        self._call("observe_row", KNOWN, seat, self.driver.shared(out))
        return out

    @alone
    def observation_text(self, world: bytes, seat: int) -> str:
        """The table as a seat sees it, in lines of text: whose eyes, each zone with its seat, the prompt.

        The last line has all fields that aren't as in the beginning: `[turn=1 first=0 hand.3=2]`. So where texts are
        alike, observations are too.
        """
        start, knowledge = self.concealed(self.root.world, seat), self.concealed(world, seat)
        struct, catalogue = self._structs[KNOWN], Catalogue()
        lines = [f"{catalogue.name(seat)} observes:"] if seat >= 0 else []
        for zone in self.game.table.zones(struct, seat):
            owner = "" if zone.seat is None else f"{catalogue.name(zone.seat)}, "
            lines += [f"{owner}{line}" if k == 0 else line for k, line in enumerate(zone_lines(zone, catalogue))]
        fields = self.changes(start, knowledge, self._told)
        return "\n".join([*lines, catalogue.words(prompt_of(self.game.table, struct, seat)), f"[{fields}]"])

    @alone
    def struct_of(self, knowledge: bytes) -> Any:
        """A concealed struct's fields, as the game's table reads them, until the next one is asked for."""
        self._raw[KNOWN] = np.frombuffer(knowledge, np.uint8)
        return self._structs[KNOWN]

    def known_fields(self, start: bytes, knowledge: bytes) -> str:
        """The fields of a concealed struct that aren't as at the start, without those that only count."""
        return self.changes(start, knowledge, self._told)

    def secrets(self, world: bytes, seat: int) -> str:
        """A seat's private information: the fields that differ from the public's, with the seat's values."""
        return self.changes(self.concealed(world, -1), self.concealed(world, seat))

    @alone
    def resample(self, world: bytes, seat: int, seed: int) -> bytes:
        """A random world that is consistent with what a seat knows."""
        self._load(world)
        self._call("redeal_row", KNOWN, NOW, seat, self.driver.shared(generator(seed, "resample")))
        return bytes(self._raw[KNOWN])

    @alone
    def learnt(self, before: bytes, event: Event, after: bytes, seat: int) -> str:
        """What a seat learns by an event, as text: its action, what it is told, and fields that change for it."""
        moment = self._teller.moment(before, event.seat, event.id)
        captions = self._teller.captions(moment, seat)
        heard = [str(line) for caption in captions if caption for line in caption.lines]
        own = [event.name] if event.seat == seat else []
        changed = self.changes(self.concealed(before, seat), self.concealed(after, seat))
        return " ".join([*own, *heard, f"[{changed}]" if changed else ""]).strip()

    @alone
    def seat_event(self, before: bytes, event: tuple[int, int], after: bytes, seat: int) -> SeatEvent | None:
        """An event (seat and action) for a seat in numbers; None if nothing changes for it."""
        own, knowledge = event[0] == seat, self.concealed(after, seat)
        if not own and self.concealed(before, seat) == knowledge:
            return None
        public = int(np.frombuffer(knowledge, np.int64, 1, self._history)[0])
        return event[1] if own else -1, public, self.observation(after, seat).tobytes()

    def refuse(self, world: bytes, seat: int, action: int) -> NoReturn:
        """Raise a match's error for an action of a seat, or an outcome of chance, that is impossible in a world."""
        match = self.game.match(by_hand=True, backend=self.driver.backend)
        match.load_position(np.frombuffer(world, np.uint8))
        if seat == CHANCE:
            match.deal(action)
        match.play(seat, action)
        raise AssertionError("a match allows what a history doesn't")

    def changes(
        self, before: bytes, after: bytes, fields: Sequence[tuple[str, np.dtype[Any], int]] | None = None
    ) -> str:
        """The fields that differ between two structs, with the values of the second: `turn=1 hand.3=2`."""
        lines = []
        for name, kind, at in self._fields if fields is None else fields:
            old, new = before[at : at + kind.itemsize], after[at : at + kind.itemsize]
            if old != new:
                values = np.frombuffer(old, kind.base), np.frombuffer(new, kind.base)
                indices = np.flatnonzero(values[0] != values[1]).tolist()
                lines += [f"{name}.{k}={values[1][k]}" if kind.shape else f"{name}={values[1][k]}" for k in indices]
        return " ".join(lines)


KERNELS = ("begin_row", "list_legal", "results", "conceal_row", "observe_row", "redeal_row")


@cleared_by_forget
@functools.cache
def workspace(game: Game) -> Workspace:
    """This process's workspace for a game."""
    return Workspace(game)


@dataclass(slots=True, eq=False, repr=False)
class History:
    """A match up to some event: its `world` (a struct's bytes), the next `actor` (-1: chance), whether it is `over`.

    `choices` are the actor's legal actions, or chance's outcomes, which `chances` has with their probabilities.
    `parent` is the history before the last event, which was of `seat` and `action`. A history without a parent is the
    root, or begins in a resampled world; then `known` is what one seat remembers from before. `texts` and `events`
    cache information states as text, and the last event, by seat.
    """

    workspace: Workspace
    parent: History | None
    seat: int
    action: int
    world: bytes
    actor: int
    over: bool
    choices: list[int]
    chances: list[tuple[int, float]]
    known: Remembered | None = None
    texts: dict[int, str] = field(default_factory=dict)
    events: dict[int, SeatEvent | None] = field(default_factory=dict)

    def __deepcopy__(self, _memo: Any) -> History:
        return self

    def __reduce__(self) -> Any:
        first = self.first()
        events = [(event.seat, event.action) for event in self.line()]
        return rebuilt, (self.workspace, None if first is self.workspace.root else (first.world, first.known), events)

    def child(self, action: int) -> History:
        """The history with one event more, of the actor; raises IllegalMove, BadChance or MatchOver."""
        if action not in self.choices:
            self.workspace.refuse(self.world, self.actor, action)
        return self.workspace.after(self, action)

    def line(self) -> list[History]:
        """The history after each event, the shortest first."""
        line, history = [], self
        while history.parent is not None:
            line.append(history)
            history = history.parent
        return line[::-1]

    def first(self) -> History:
        """The history that this one began as."""
        history = self
        while history.parent is not None:
            history = history.parent
        return history

    def event(self) -> Event:
        """The last event."""
        names = self.workspace.rules.OUTCOMES if self.seat == CHANCE else self.workspace.rules.ACTIONS
        return Event(self.seat, self.action, names[self.action])

    def information_state(self, seat: int) -> str:
        """A seat's information state with perfect recall, as text: all that it has done and learnt."""
        after: list[History] = []
        history: History = self
        while seat not in history.texts and history.parent is not None:
            after.append(history)
            history = history.parent
        text = history.texts.get(seat)
        if text is None:
            text = history.texts[seat] = history.beginning(seat)
        for history in reversed(after):
            parent = history.parent
            assert parent is not None
            news = history.workspace.learnt(parent.world, history.event(), history.world, seat)
            text = history.texts[seat] = "\n".join(filter(None, [text, news]))
        return text

    def observation_history(self, seat: int) -> list[SeatEvent]:
        """A seat's information state with perfect recall, as numbers: the events that it did or that it noticed."""
        events: list[SeatEvent] = []
        for history in self.line():
            if seat not in history.events:
                assert history.parent is not None
                event = history.seat, history.action
                history.events[seat] = history.workspace.seat_event(history.parent.world, event, history.world, seat)
            news = history.events[seat]
            events += [] if news is None else [news]
        memory = self.first().known
        return [*memory[2], *events] if memory is not None and memory[0] == seat else events

    def beginning(self, seat: int) -> str:
        """The first line of a seat's information state, of a history without a parent."""
        if self is self.workspace.root:
            return f"Seat {seat}"
        if self.known is not None and self.known[0] == seat:
            return self.known[1]
        start = self.workspace.concealed(self.workspace.root.world, seat)
        return f"Seat {seat} [{self.workspace.changes(start, self.workspace.concealed(self.world, seat))}]"

    def resampled(self, seat: int, seed: int) -> History:
        """A history in a resampled world that a seat can't tell from this one: its information state is the same."""
        world = self.workspace.resample(self.world, seat, seed)
        return self.workspace.history_from(world, (seat, self.information_state(seat), self.observation_history(seat)))

    def __str__(self) -> str:
        first = self.first()
        events = [history.event() for history in self.line()]
        start = "" if first is self.workspace.root else f"{first.world.hex()} "
        return start + ", ".join(event.recorded for event in events)


def rebuilt(
    workspace: Workspace, start: tuple[bytes, Remembered | None] | None, events: list[tuple[int, int]]
) -> History:
    """The history of some events, from the root or from a world and what a seat remembers."""
    history = workspace.root if start is None else workspace.history_from(*start)
    for _, action in events:
        history = history.child(action)
    return history
