"""Many matches stepped at once in compiled code, into arrays that their caller owns: `game.batch(n)`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, fields
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from hexdeck.engine import kernels_batch as kernels
from hexdeck.engine.driver import Driver, raw
from hexdeck.engine.errors import BadMove, BadOption, HexdeckError
from hexdeck.engine.random import DEAL_BITS, WORDS, generator, rewind
from hexdeck.engine.simulate import policy_numbers
from hexdeck.engine.text import _, say

if TYPE_CHECKING:
    from hexdeck.engine.game import Game
    from hexdeck.engine.match import Match

CHOOSE: Any = kernels.choose_at_random
MOST = 1 << 20  # lanes
LAST = (1 << (63 - DEAL_BITS)) - 1  # the number of the last match of a seed


@dataclass(frozen=True)
class Arrays:
    """What a batch writes, a row or a number for each lane; NumPy arrays, so that DLPack hands them on uncopied.

    `observations` int8 (lanes, size): what the seat to act knows, in the game's SLICES; where nobody acts, what the
    public knows. `masks` bool (lanes, actions) and `lists` int16 (lanes, actions): the legal actions, in a list the
    first `counts` (int32) of a row, then -1. `seats` int8: who acts, the lowest of all bits of `acting` (int32); -1:
    chance, or nobody. `rewards` float32 (lanes, players): the utilities of a match that has ended, else 0. `ends` bool:
    whether it has. `weights` int32 (lanes, outcomes): where chance is handed out and to act, the weights of its
    outcomes, else 0.
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
    def of(cls, game: Game, lanes: int, own: Mapping[str, Any] | None = None) -> Arrays:
        """Arrays for so many lanes of a game: those in `own`, by name, and new ones; raises BadOption.

        One's own may be NumPy arrays or whatever speaks DLPack in main memory; they are written in place.
        """
        given, shapes = dict(own or {}), shapes_of(game, lanes)
        for name in given:
            if name not in shapes:
                text = _("A batch writes no array {name}; it writes {there}.")
                raise BadOption(say(text, name=repr(name), there=", ".join(shapes)))
        found = {
            name: owned(name, given[name], *shape) if name in given else np.zeros(*shape)
            for name, shape in shapes.items()
        }
        return cls(**found)

    def lines(self, driver: Driver, begin: int, end: int) -> tuple[Any, ...]:
        """The part of some lanes, as kernels take it."""
        return tuple(lines(driver, getattr(self, field.name)[begin:end]) for field in fields(self))


def shapes_of(game: Game, lanes: int) -> dict[str, tuple[tuple[int, ...], Any]]:
    """The shape and dtype of each array."""
    actions = len(game.rules.ACTIONS)
    return {
        "observations": ((lanes, game.observation_size), np.int8), "masks": ((lanes, actions), np.bool_),
        "lists": ((lanes, actions), np.int16), "counts": ((lanes,), np.int32), "seats": ((lanes,), np.int8),
        "acting": ((lanes,), np.int32), "rewards": ((lanes, game.players), np.float32), "ends": ((lanes,), np.bool_),
        "weights": ((lanes, len(game.rules.OUTCOMES)), np.int32),
    }  # fmt: skip


def owned(name: str, given: Any, shape: tuple[int, ...], dtype: Any) -> np.ndarray:
    """A caller's array as NumPy sees it; raises BadOption unless it can be written in place."""
    try:
        array = given if isinstance(given, np.ndarray) else np.from_dlpack(given)
    except (AttributeError, TypeError, BufferError, RuntimeError):
        text = _("The array {name} must be a NumPy array, or speak DLPack in main memory.")
        raise BadOption(say(text, name=name)) from None
    flags = array.flags
    if array.dtype != dtype or array.shape != shape or not (flags.c_contiguous and flags.writeable and flags.aligned):
        text = _("The array {name} must be a writeable, contiguous array of {dtype} and shape {shape}.")
        raise BadOption(say(text, name=name, dtype=np.dtype(dtype).name, shape=str(shape)))
    return array


def lines(driver: Driver, array: np.ndarray) -> Any:
    """An array as kernels take it that read it row by row."""
    return driver.shared(array) if driver.compiled or array.ndim == 1 else [driver.shared(row) for row in array]


class Shard:
    """Some lanes of a batch, with all that one thread needs to step them."""

    def __init__(self, game: Game, driver: Driver, arrays: Arrays, begin: int, numbers: np.ndarray, chosen: np.ndarray,
                 dealers: np.ndarray, minds: np.ndarray) -> None:  # fmt: skip
        end = begin + len(numbers)
        self.begin, self.driver, shared = begin, driver, driver.shared
        self.rows = game.rows(driver, kernels.FIRST + end - begin)
        self.resting = np.zeros(end - begin, np.bool_)
        self.out = arrays.lines(driver, begin, end)
        self.lanes = lines(driver, dealers), shared(numbers), shared(self.resting), lines(driver, minds)
        self.chosen = shared(chosen)
        self.weights, self.utility = driver.weights(), driver.array(game.rules.SEATS, np.float64)

    def call(self, kernel: Any, *arguments: Any) -> Any:
        """A kernel on the rows of these lanes."""
        return self.driver.kernel(kernel)(self.driver.g, self.rows, *arguments)


class Batch:
    """Matches of one game, a lane each, all stepped at once.

    With one `seed` lane i plays the matches of number `first` + i, then `first` + i + `lanes`, and so on; with a
    sequence of a seed for each lane, the numbers `first`, `first` + 1, … of its seed: the same matches as
    `game.match(seed, number=…)`. With `by_hand` chance is handed out: seat -1, the outcome's id is what is chosen. A
    lane whose match has ended goes on with its next one in the same step, or, with `auto_reset` off, rests until
    `reset`; then `eye` is the seat whose knowledge it shows (-1: the public's). `bots` has for each seat None or a bot
    of `simulate` that plays it: the caller meets the other seats' decisions only, and of a match without one just the
    end, in the next step. Results don't depend on `threads`.
    Raises BadOption, or UnknownBot.
    """

    def __init__(
        self, game: Game, lanes: int, threads: int = 1, *, seed: int | bytes | Sequence[int] = 0, first: int = 0,
        by_hand: bool = False, auto_reset: bool = True, bots: Sequence[str | None] | None = None, eye: int = -1,
        into: Mapping[str, Any] | None = None, lane: str | None = None,
    ) -> None:  # fmt: skip
        check(lanes, threads, seed, first)
        players = who_plays(game, bots, eye)
        self.game, self.lanes, self.threads = game, lanes, min(threads, lanes)
        self.arrays = Arrays.of(game, lanes, into)
        self.driver, self.by_hand, self.auto_reset = game.driver(lane), by_hand, auto_reset
        alone = isinstance(seed, (int, bytes, np.integer))
        self._stride = lanes if alone else 1
        self._numbers = first + np.arange(lanes, dtype=np.int64) * alone
        self._chosen, self._drawn = np.zeros(lanes, np.int64), np.zeros(lanes, np.int64)
        self._terms = self.driver.shared(np.array([not by_hand, auto_reset, self._stride, eye, *players], np.int64))
        self._shards = self._cut(dice(seed, "chance", self._numbers), dice(seed, "batch", self._numbers))
        self._pool = ThreadPoolExecutor(self.threads - 1) if self.threads > 1 else None
        self._begin(np.ones(lanes, np.bool_))

    def _cut(self, *generators: np.ndarray) -> list[Shard]:
        """The lanes, shared out to the threads."""
        cuts = np.linspace(0, self.lanes, self.threads + 1).astype(int).tolist()
        return [
            Shard(self.game, self.driver, self.arrays, begin, self._numbers[begin:end], self._chosen[begin:end],
                  *(rows[begin:end] for rows in generators))
            for begin, end in pairwise(cuts)
        ]  # fmt: skip

    @property
    def numbers(self) -> np.ndarray:
        """The number of the match that each lane plays, int64; a copy."""
        return self._numbers.copy()

    def step(self, chosen: Any) -> Arrays:
        """In every lane the seat to act, or chance handed out, does what is chosen: integers, one for each lane.

        What is given for a resting lane is ignored. Raises BadMove (IllegalMove, or BadChance where chance is handed
        out) naming the lane; then nothing has changed. Returns `arrays`, written anew.
        """
        self._take(chosen)
        count = len(self.game.rules.ACTIONS)
        for shard, fault in zip(self._shards, self._all(_faults, count), strict=True):
            if fault >= 0:
                self._refuse(shard.begin + int(fault))
        self._all(_step, self._terms)
        return self.arrays

    def reset(self, chosen: Any = None) -> Arrays:
        """Begin the next match of the lanes that are chosen (bool, one for each), or of all; returns `arrays`."""
        wanted = np.ones(self.lanes, np.bool_) if chosen is None else np.asarray(chosen)
        if wanted.dtype != np.bool_ or wanted.shape != (self.lanes,):
            raise BadOption(say("Which lanes begin anew is told by {lanes} truth values.", lanes=self.lanes))
        self._numbers[wanted] += self._stride
        self._begin(wanted)
        return self.arrays

    def random(self, into: np.ndarray | None = None) -> np.ndarray:
        """A uniformly random legal choice for each lane, int64: in `into`, or in an array of the batch's own.

        Of chance handed out, an outcome by its weight. The dice are the lanes' own, from the seed.
        """
        self._all(_choose)
        given = self._drawn if into is None else into
        given[:] = self._chosen
        return given

    def position(self, lane: int) -> Match:
        """A match, without events and with chance by hand, that stands where a lane stands."""
        shard = next(part for part in reversed(self._shards) if part.begin <= lane)
        match = self.game.match(by_hand=True, lane=self.driver.lane)
        match.stand(raw(shard.rows)[kernels.FIRST + lane - shard.begin])
        return match

    def close(self) -> None:
        """End the threads; the arrays stay."""
        if self._pool:
            self._pool.shutdown()

    def __len__(self) -> int:
        return self.lanes

    def __enter__(self) -> Batch:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _take(self, chosen: Any) -> None:
        """Copy what was chosen to where all threads find it."""
        given = chosen if isinstance(chosen, np.ndarray) else np.asarray(chosen)
        if given.dtype.kind not in "iu" or given.shape != (self.lanes,):
            raise BadMove(say("A step takes {lanes} integers, one for each lane.", lanes=self.lanes))
        if given is not self._chosen:
            np.copyto(self._chosen, given, casting="same_kind")

    def _all(self, task: Any, *arguments: Any) -> list[Any]:
        """A task for every shard, each in a thread; this thread does the first itself."""
        first, *others = self._shards
        if self._pool is None:
            return [task(first, *arguments)]
        waiting = [self._pool.submit(task, shard, *arguments) for shard in others]
        return [task(first, *arguments), *(one.result() for one in waiting)]

    def _begin(self, wanted: np.ndarray) -> None:
        self._chosen[:] = wanted
        self._all(_begin, self._terms)

    def _refuse(self, lane: int) -> None:
        """Raise what a match in the lane's position says against what was chosen."""
        match, chosen = self.position(lane), int(self._chosen[lane])
        try:
            if match.acting:
                match.play(match.actor, chosen)
            else:
                match.deal(chosen)
        except HexdeckError as error:
            error.text = say("Lane {lane}: {why}", lane=lane, why=error.text)
            error.args = (str(error.text),)
            raise


def check(lanes: int, threads: int, seed: Any, first: int) -> None:
    """Raise BadOption for numbers out of range."""
    if not 1 <= lanes <= MOST or threads < 1:
        text = _("A batch has 1 to {most} lanes and at least one thread, not {lanes} and {threads}.")
        raise BadOption(say(text, most=MOST, lanes=str(lanes), threads=str(threads)))
    if not 0 <= first <= LAST - lanes:
        raise BadOption(say("Matches of a batch are numbered from 0 to {last}.", last=LAST))
    if not isinstance(seed, (int, bytes, np.integer)) and len(seed) != lanes:
        text = _("{seeds} seeds can't take {lanes} lanes; give one for all, or one for each.")
        raise BadOption(say(text, seeds=len(seed), lanes=lanes))


def who_plays(game: Game, bots: Sequence[str | None] | None, eye: int) -> list[int]:
    """For each seat who plays it, as kernels know it; raises BadOption or UnknownBot."""
    if not -1 <= eye < game.players:
        text = _("There is no seat {seat}; seats are 0 to {last}, -1 the public.")
        raise BadOption(say(text, seat=eye, last=game.players - 1))
    if bots is None:
        return [kernels.CALLER] * game.players
    policies = policy_numbers(game, ["random" if bot is None else bot for bot in bots])
    if None not in bots or len(bots) != game.players:
        text = _("A batch needs a bot or None for each of {seats} seats, and None for one at least.")
        raise BadOption(say(text, seats=game.players))
    return [kernels.CALLER if bot is None else int(policy) for bot, policy in zip(bots, policies, strict=True)]


def dice(seed: int | bytes | Sequence[int], purpose: str, numbers: np.ndarray) -> np.ndarray:
    """A generator for each lane, at the stream of its first match: int64 (lanes, words)."""
    rows = np.zeros((len(numbers), WORDS), np.int64)
    if isinstance(seed, (int, bytes, np.integer)):
        rows[:] = generator(seed, purpose)
    else:
        for k, one in enumerate(seed):
            rows[k] = generator(one, purpose)
    for row, number in zip(rows, numbers.tolist(), strict=True):
        rewind(row, number)
    return rows


def _faults(shard: Shard, count: int) -> int:
    return int(shard.call(kernels.first_fault, shard.chosen, shard.weights, count))


def _step(shard: Shard, terms: Any) -> None:
    shard.call(kernels.step_lanes, shard.chosen, shard.out, shard.lanes, shard.weights, shard.utility, terms)


def _begin(shard: Shard, terms: Any) -> None:
    shard.call(kernels.begin_lanes, shard.chosen, shard.out, shard.lanes, shard.weights, terms)


def _choose(shard: Shard) -> None:
    shard.driver.kernel(CHOOSE)(shard.out, shard.lanes, shard.chosen)
