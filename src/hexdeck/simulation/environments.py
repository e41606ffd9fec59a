"""The environments of a batch: their arrays, the bots on their seats, and the threads that step them."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import dataclass, fields
from itertools import combinations
from queue import SimpleQueue
from threading import Thread
from typing import TYPE_CHECKING, Any

import numpy as np

from hexdeck.bots.players.kinds import NetBot
from hexdeck.bots.players.policies import PolicyBot
from hexdeck.bots.players.simulation_bots import BatchedNets, seated_bot
from hexdeck.engine.backends import kernels_batch as kernels
from hexdeck.engine.backends.kernels_batch import FIRST, GUEST, KNOWN
from hexdeck.engine.errors import BadOption, shown
from hexdeck.engine.play.game import Driver, GameSetup, raw
from hexdeck.engine.text import _, say

if TYPE_CHECKING:
    from hexdeck.simulation.game import Game

# --- arrays -----------------------------------------------------------------------------------------------------------
ALIGNED = 64  # bytes: JAX copies an array that begins elsewhere


@dataclass(frozen=True)
class Arrays:
    """What a batch writes: a row or a number for each environment, in NumPy arrays (DLPack shares them uncopied).

    `observations` int8 (envs, size): the position as the seat to act knows it now, from its side, in the game's
    SLICES; if no seat is to act, as the public does. `masks` bool (envs, actions): which actions are legal; all
    where a match is over, since what is chosen there is ignored. `lists` int16 (envs, actions): the legal actions,
    the first `counts` (int32) of a row, then -1. `seats` int8: the seat to act, the lowest of the caller's; -1 if
    chance or nobody is to act. `acting` int32: a bit for each seat that may act. `rewards` float64 (envs, players):
    the utilities if the match ended in this step, else 0. `ends` bool: whether it did. `weights` int32 (envs,
    outcomes): if the caller is to play chance, the weights of its outcomes, else 0.

    They are the batch's own, written anew at each step, unless it gives copies (`copy=True`). What a caller writes
    into them changes no match; `Batch.random` alone reads `lists`, `counts` and `weights`.
    """

    observations: np.ndarray
    masks: np.ndarray
    lists: np.ndarray
    counts: np.ndarray
    seats: np.ndarray
    acting: np.ndarray
    rewards: np.ndarray
    ends: np.ndarray
    weights: np.ndarray

    @classmethod
    def of(cls, game: GameSetup, envs: int, own: Mapping[str, Any] | None = None) -> Arrays:
        """Arrays for a number of environments: those in `own`, by name, and new ones for the rest; raises BadOption.

        `own` takes NumPy arrays, or others that speak DLPack and lie in main memory; they are written in place.
        """
        if own is not None and not isinstance(own, Mapping):
            raise BadOption(say("Pass the arrays a batch writes to by name, not as {given}.", given=shown(own)))
        own_arrays, shapes = dict(own or {}), shapes_of(game, envs)
        for name in own_arrays:
            if name not in shapes:
                text = _("A batch writes no array {name}; it writes {there}.")
                raise BadOption(say(text, name=shown(name), there=", ".join(shapes)))
        arrays = {
            name: owned(name, own_arrays[name], *shape) if name in own_arrays else aligned(*shape)
            for name, shape in shapes.items()
        }
        for first, second in combinations(own_arrays, 2):
            if np.shares_memory(arrays[first], arrays[second]):
                text = _("A batch writes {one} and {other} at once: give each an array of its own.")
                raise BadOption(say(text, one=first, other=second))
        return cls(**arrays)

    def copy(self) -> Arrays:
        """A copy in arrays of its own, which nothing writes to any more: JAX may read them whenever it does."""
        out = {name: aligned(array.shape, array.dtype) for name, array in vars(self).items()}
        for name, array in vars(self).items():
            out[name][...] = array
        return Arrays(**out)

    def part(self, driver: Driver, begin: int, end: int) -> tuple[Any, ...]:
        """The parts of all arrays for the environments from `begin` to `end` - 1, as kernels take them."""
        return tuple(as_rows(driver, getattr(self, field.name)[begin:end]) for field in fields(self))


def shapes_of(game: GameSetup, envs: int) -> dict[str, tuple[tuple[int, ...], Any]]:
    """The shape and dtype of each array."""
    actions = len(game.rules.ACTIONS)
    return {
        "observations": ((envs, game.observation_size), np.int8),
        "masks": ((envs, actions), np.bool_),
        "lists": ((envs, actions), np.int16),
        "counts": ((envs,), np.int32),
        "seats": ((envs,), np.int8),
        "acting": ((envs,), np.int32),
        "rewards": ((envs, game.players), np.float64),
        "ends": ((envs,), np.bool_),
        "weights": ((envs, len(game.rules.OUTCOMES)), np.int32),
    }


def aligned(shape: tuple[int, ...], dtype: Any) -> np.ndarray:
    """An array of zeros that begins at a multiple of ALIGNED bytes."""
    size = math.prod(shape) * np.dtype(dtype).itemsize
    room = np.zeros(size + ALIGNED, np.uint8)
    begin = -room.ctypes.data % ALIGNED
    array: np.ndarray = room[begin : begin + size].view(dtype).reshape(shape)
    return array


def owned(name: str, array_like: Any, shape: tuple[int, ...], dtype: Any) -> np.ndarray:
    """A caller's array as a NumPy array; raises BadOption unless it has this shape and dtype and can be written."""
    try:
        array = array_like if isinstance(array_like, np.ndarray) else np.from_dlpack(array_like)
    except (AttributeError, TypeError, BufferError, RuntimeError):
        text = _("The array {name} must be a NumPy array, or speak DLPack in main memory.")
        raise BadOption(say(text, name=name)) from None
    flags = array.flags
    if array.dtype != dtype or array.shape != shape or not (flags.c_contiguous and flags.writeable and flags.aligned):
        text = _("The array {name} must be a writeable, contiguous array of {dtype} and shape {shape}.")
        raise BadOption(say(text, name=name, dtype=np.dtype(dtype).name, shape=str(shape)))
    return array if type(array) is np.ndarray else array.view(np.ndarray)  # kernels take no memory map


def as_rows(driver: Driver, array: np.ndarray) -> Any:
    """An array for kernels that read it row by row."""
    return driver.shared(array) if driver.compiled or array.ndim == 1 else [driver.shared(row) for row in array]


def as_array(value: Any) -> np.ndarray:
    """The caller's value as a NumPy array; an empty one if its rows have different lengths."""
    try:
        return value if isinstance(value, np.ndarray) else np.asarray(value)
    except ValueError:
        return np.zeros(0)


# --- bots that aren't compiled strategies -----------------------------------------------------------------------------
Seed = int | bytes


class BatchBots:
    """The bots of some environments, each made when it is first asked. Nets choose in compiled code, all at once.

    `seeds` are the seeds of all environments of the batch, in a list that the batch changes.
    """

    def __init__(
        self,
        game: Game,
        players: Sequence[int],
        bots: Sequence[Any] | None,
        seeds: list[Seed],
        driver: Driver,
        first: int = 0,
        end: int = 0,
    ) -> None:
        self.game, self.seeds, self.driver, self.first = game, seeds, driver, first
        self._players, self._bots, self._envs = players, bots, end - first
        # for each environment, by seat: the bot, its seed, the number of the match that it plays (-1: none)
        self._seated: list[dict[int, tuple[Any, Any, int]]] = [{} for _ in range(self._envs)]
        guests = {seat: self._new_bot(seat, 0) for seat, player in enumerate(players) if player == GUEST and self._envs}
        nets = {seat: guest for seat, guest in guests.items() if isinstance(guest, NetBot)}
        self._nets = BatchedNets(driver, nets, len(players), self._envs) if nets else None
        self._net_seeds: list[Any] = [None] * self._envs

    def of(self, begin: int, end: int) -> BatchBots:
        """The bots of the environments from `begin` to `end` - 1."""
        return BatchBots(self.game, self._players, self._bots, self.seeds, self.driver, begin, end)

    def _new_bot(self, seat: int, seed: Seed) -> Any:
        return seated_bot((self._bots or ())[seat], self.game, seed, seat, self.driver.backend)

    def begin(self, chosen: Sequence[int]) -> None:
        """A match begins in each chosen environment, possibly one with the same number as before."""
        for k in np.flatnonzero(chosen).tolist():
            self._seated[k] = {seat: (bot, seed, -1) for seat, (bot, seed, _) in self._seated[k].items()}
        if self._nets is not None:
            self._nets.begin(np.array(chosen, np.bool_))

    def answer(self, rows: Any, waiting: np.ndarray, numbers: np.ndarray, answers: np.ndarray) -> None:
        """Write the bots' choices to `answers`; `waiting` int8 has each environment's seat to choose, or -1."""
        guests = np.flatnonzero(waiting >= 0)
        if self._nets is not None:
            by_net = self._nets.plays(waiting[guests])
            self._reseed(guests[by_net].tolist())
            self._nets.answer(rows, waiting, numbers, answers)
            guests = guests[~by_net]
        conceal, views = self.driver.kernel("conceal_row"), dict[int, list[tuple[int, PolicyBot, Any]]]()
        for k in guests.tolist():
            seat = int(waiting[k])
            conceal(self.driver.g, rows, KNOWN, FIRST + k, seat)
            bot, knowledge = self._bot(k, seat, int(numbers[k])), raw(rows)[KNOWN].tobytes()
            if isinstance(bot, PolicyBot):
                views.setdefault(seat, []).append((k, bot, bot.look(knowledge, seat)))
            else:
                answers[k] = bot.choose(knowledge, seat)
        for group in views.values():  # a policy is asked once for all environments
            shares = group[0][1].ask([view for _k, _bot, view in group])
            for (k, bot, _view), row in zip(group, shares, strict=True):
                answers[k] = bot.draw(row)

    def _reseed(self, envs: Sequence[int]) -> None:
        """Seed the nets of these environments again if the environment's seed has changed."""
        assert self._nets is not None
        for k in envs:
            seed = self.seeds[self.first + k]
            if self._net_seeds[k] is None or self._net_seeds[k] != seed:
                self._nets.sow(k, seed)
                self._net_seeds[k] = seed

    def _bot(self, env: int, seat: int, number: int) -> Any:
        """The bot on a seat of an environment, its random choices set to those of the match of this number."""
        seated, seed = self._seated[env], self.seeds[self.first + env]
        seated_bot, its_seed, playing = seated.get(seat, (None, None, -1))
        if seated_bot is None or its_seed != seed:
            seated_bot, playing = self._new_bot(seat, seed), -1
        if playing != number:
            seated_bot.begin(number)
        seated[seat] = seated_bot, seed, number
        return seated_bot


CLOSED = say("This batch is closed: its arrays stay, but it can't be stepped any more.")


# --- a shard for each thread, where bots are asked in between ---------------------------------------------------------
CHOOSE: Any = kernels.choose_at_random


class Shard:
    """Some environments of a batch, with everything that one thread needs to step them."""

    def __init__(
        self,
        game: GameSetup,
        driver: Driver,
        arrays: Arrays,
        begin: int,
        numbers: np.ndarray,
        chosen: np.ndarray,
        generators: Sequence[np.ndarray],
        bots: BatchBots,
        settings: Any,
    ) -> None:
        end = begin + len(numbers)
        self.begin, self.driver, self.settings, shared = begin, driver, settings, driver.shared
        self.rows = game.rows(driver, kernels.FIRST + end - begin)
        self.bots, waiting = bots.of(begin, end), np.full(end - begin, -1, np.int8)
        flags = [np.zeros(end - begin, np.bool_) for _ in range(2)]
        self.out = arrays.part(driver, begin, end)
        chance, bot_choices, random_choices = (as_rows(driver, rows) for rows in generators)
        resting, restarted = (shared(flag) for flag in flags)
        self.memory = [raw(self.rows), *flags, waiting]  # what a copy has to take over, beside the batch's own
        self.envs = chance, shared(numbers), resting, bot_choices, random_choices, restarted, shared(waiting)
        self.chosen, self.numbers, self.waiting = shared(chosen), numbers, waiting
        self.weights, self.utility = driver.weights(), driver.array(game.rules.PLAYERS[1], np.float64)

    def call(self, kernel: Any, *arguments: Any) -> Any:
        """Call a kernel with the game and the structs of these environments."""
        return self.driver.kernel(kernel)(self.driver.g, self.rows, *arguments)

    def ask(self) -> None:
        """Play the bots' decisions until none is left."""
        answers = np.zeros(len(self.waiting), np.int64)
        while (self.waiting >= 0).any():
            self.bots.answer(self.rows, self.waiting, self.numbers, answers)
            shared = self.driver.shared(answers)
            self.call(kernels.answer_envs, shared, self.out, self.envs, self.weights, self.utility, self.settings)

    def fault(self, count: int) -> int:
        """The first environment whose choice is impossible, counted from `begin`; -1 if there is none."""
        return int(self.call(kernels.first_fault, self.chosen, self.weights, self.settings, count))

    def step(self) -> None:
        """Play the choice in each environment, then let bots and chance act until the caller must choose."""
        self.call(kernels.step_envs, self.chosen, self.out, self.envs, self.weights, self.utility, self.settings)
        self.ask()

    def restart(self) -> None:
        """Begin a match in each environment where `chosen` isn't 0."""
        self.bots.begin(self.driver.integers(self.chosen, len(self.waiting)))
        self.call(kernels.begin_envs, self.chosen, self.out, self.envs, self.weights, self.settings)
        self.ask()

    def choose(self) -> None:
        """Write a random legal choice for each environment to `chosen`."""
        self.driver.kernel(CHOOSE)(self.out, self.envs, self.chosen)


class ShardPool:
    """A thread for each shard but the first, which the calling thread does."""

    def __init__(self, shards: Sequence[Any]) -> None:
        self.shards, self.open, self._threads = shards, True, ThreadPoolExecutor(max(1, len(shards) - 1))

    def all(self, task: Callable[..., Any], *arguments: Any) -> list[Any]:
        """The results of a task for all shards; raises BadOption if the pool has ended, or what the task raised."""
        if not self.open:
            raise BadOption(CLOSED)
        futures = [self._threads.submit(task, shard, *arguments) for shard in self.shards[1:]]
        try:
            first = task(self.shards[0], *arguments)
        finally:
            wait(futures)
        return [first, *(future.result() for future in futures)]

    def end(self) -> None:
        """End the threads."""
        self.open = False
        self._threads.shutdown(wait=False)

    def step(self) -> int:
        """Play what was chosen in all environments, or in none and return the first in which it can't be; else -1."""
        faults = self.all(Shard.fault, len(self.shards[0].driver.rules.ACTIONS))
        for shard, fault in zip(self.shards, faults, strict=True):
            if fault >= 0:
                return int(shard.begin + fault)
        self.all(Shard.step)
        return -1

    def choose(self) -> None:
        """Choose at random in every environment."""
        self.all(Shard.choose)

    def begin(self) -> None:
        """Begin a match in each environment where `chosen` isn't 0."""
        self.all(Shard.restart)

    @property
    def memory(self) -> list[np.ndarray]:
        """All that its shards remember."""
        return [array for shard in self.shards for array in shard.memory]

    def struct(self, env: int) -> np.ndarray:
        """The bytes of an environment's match."""
        shard = next(shard for shard in reversed(self.shards) if shard.begin <= env)
        row: np.ndarray = raw(shard.rows)[kernels.FIRST + env - shard.begin]
        return row


# --- threads that step a batch together, in compiled code -------------------------------------------------------------
LEAST, MOST = 8, 64  # environments of a part: what they have should fit into the cache nearest to a processor
PARTS = 4  # a thread's, at least, so that there is something to take over
LOOKS = 4000  # of a helper at the board before it sleeps: some 200 microseconds
WATCHED, RESTED = 32, 512  # tasks: how many are watched, how many pass without helpers when those were of no use
USE = 4  # helpers are of use if they do a part in so many of what they would with a processor each


class Team:
    """The calling thread and helpers, for a batch without bots that are asked in between."""

    def __init__(
        self,
        game: GameSetup,
        driver: Driver,
        arrays: Arrays,
        numbers: np.ndarray,
        chosen: np.ndarray,
        generators: Sequence[np.ndarray],
        settings: np.ndarray,
        threads: int,
    ) -> None:
        envs = len(numbers)
        self.size = envs if threads == 1 else min(max(-(-envs // (threads * PARTS)), LEAST), MOST)
        self.parts = -(-envs // self.size)
        self.threads, self.open = min(threads, self.parts), True
        self.rows = np.tile(game.rows(driver, FIRST + self.size), (self.parts, 1))
        flags, self.waiting = [np.zeros(envs, np.bool_) for _ in range(2)], np.full(envs, -1, np.int8)
        chance, bots, callers = generators
        self.resting = flags[0]
        self.envs = chance, numbers, flags[0], bots, callers, flags[1], self.waiting
        self.memory = [self.rows, *flags, self.waiting]  # what a copy has to take over, beside the batch's own
        seats, outcomes = game.rules.PLAYERS[1], len(game.rules.OUTCOMES)
        own = np.zeros((self.threads, outcomes), np.int32), np.zeros((self.threads, seats))
        self.board, self.faults = new_board(self.parts, self.threads), np.full(self.parts, -1, np.int64)
        part = arrays.part(driver, 0, envs)
        of_all = driver.g, self.rows, chosen, part, self.envs
        self._given = *of_all, own, settings, self.board, self.faults, self.size
        self._count = len(game.rules.ACTIONS)
        self._ask, self._step = driver.kernel(kernels.ask), driver.kernel(kernels.ask_step)
        self._helpers = Helpers(driver, (*self._given, self.threads, self._count), self.board, self.threads - 1)
        self._asked = self._helped = self._rest = 0

    def step(self) -> int:
        """Play what was chosen in all environments, or in none and return the first in which it can't be; else -1."""
        fault: int = self._do(self._step)
        return fault

    def choose(self) -> None:
        """Choose at random in every environment."""
        self._do(self._ask, kernels.CHOOSE)

    def begin(self) -> None:
        """Begin a match in each environment where `chosen` isn't 0."""
        self._do(self._ask, kernels.BEGIN)

    def struct(self, env: int) -> np.ndarray:
        """The bytes of an environment's match."""
        part, at = divmod(env, self.size)
        row: np.ndarray = self.rows[part * (FIRST + self.size) + FIRST + at]
        return row

    def end(self) -> None:
        """End the threads."""
        self.open = False
        self._helpers.end()

    def _do(self, task: Any, *what: int) -> Any:
        """Have a task done. An error in any thread is raised here, and from then on this thread does all alone."""
        try:
            answer = task(*self._given, self._hands(), self._count, *what)
        except Exception:
            self._dismiss()
            raise
        if self.board[kernels.FAULT]:
            raise self._dismiss()[0]
        return answer

    def _dismiss(self) -> list[Exception]:
        """Go on without helpers, as soon as none of them is at work any more; returns what was raised in them."""
        self._helpers.end()
        self._helpers.wait()
        self.threads, self.board[kernels.FAULT] = 1, 0
        return self._helpers.errors

    def _hands(self) -> int:
        """How many threads do the next task: all, or this one alone for a while where the others were of no use."""
        if not self.open:
            raise BadOption(CLOSED)
        if self.threads == 1:
            return 1
        if self._rest:
            self._rest -= 1
            return 1
        self._asked += 1
        if self._asked == WATCHED:
            helped = int(self.board[kernels.HELPED])
            fair = WATCHED * self.parts * (self.threads - 1) // self.threads
            self._rest = RESTED if (helped - self._helped) * USE < fair else 0
            self._asked, self._helped = 0, helped
        self._helpers.wake()
        return self.threads


class Helpers:
    """Threads that wait for tasks in compiled code for a while, and then sleep until they are woken."""

    def __init__(self, driver: Driver, arguments: tuple[Any, ...], board: np.ndarray, count: int) -> None:
        self.board = board
        self.asleep = [False] * count
        self.errors: list[Exception] = []
        self._calls: list[SimpleQueue[None]] = [SimpleQueue() for _ in range(count)]
        call = driver.kernel(kernels.help_out) if count else None
        self._threads = [
            Thread(target=_help, args=(self.errors, call, arguments, board, k, self.asleep, calls), daemon=True)
            for k, calls in enumerate(self._calls)
        ]
        for thread in self._threads:
            thread.start()

    def wake(self) -> None:
        """Wake those that sleep."""
        for k, asleep in enumerate(self.asleep):
            if asleep:
                self.asleep[k] = False
                self._calls[k].put(None)

    def end(self) -> None:
        """End the threads."""
        self.board[kernels.END] = 1
        for calls in self._calls:
            calls.put(None)

    def wait(self) -> None:
        """Wait until all threads have ended."""
        for thread in self._threads:
            thread.join()


def _help(
    errors: list[Exception],
    call: Any,
    arguments: tuple[Any, ...],
    board: np.ndarray,
    k: int,
    asleep: list[bool],
    calls: Any,
) -> None:
    """Help until all is over; sleep when nothing was asked for a while.

    An error is put on the board for the caller, who may be waiting.
    """
    number, slot = 0, kernels.NEXT + kernels.LINE * (k + 1)
    try:
        while not board[kernels.END]:
            number = call(*arguments, k + 1, number, LOOKS)
            asleep[k] = True
            if board[slot] // kernels.TASK == number and not board[kernels.END]:
                calls.get()
            asleep[k] = False
    except Exception as error:
        errors.append(error)
        board[kernels.FAULT] = 1


def new_board(parts: int, threads: int) -> np.ndarray:
    """A board on which nothing was asked yet."""
    board = np.zeros(kernels.NEXT + kernels.LINE * (threads + 1), np.int64)
    for thread in range(threads):
        slot = kernels.NEXT + kernels.LINE * thread
        board[slot] = board[slot + kernels.LAST] = kernels.first_part(parts, threads, thread + 1)
    return board
