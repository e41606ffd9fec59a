"""Many matches stepped at once in compiled code, into arrays that their caller owns: `game.batch(n)`."""

from __future__ import annotations

import secrets
import weakref
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from itertools import combinations, pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from hexdeck.engine.arguments import between, is_seed, seat_of, shown, switch, whole
from hexdeck.engine.backends import kernels_batch as kernels
from hexdeck.engine.errors import BadMove, BadOption, HexdeckError
from hexdeck.engine.play.driver import Driver, raw
from hexdeck.engine.play.seating import POLICIES
from hexdeck.engine.random import DEAL_BITS, STREAM, WORDS, generator
from hexdeck.engine.renamed import HasOldNames, takes_no_old_names
from hexdeck.engine.text import _, say
from hexdeck.simulation.batch_bots import BatchBots
from hexdeck.simulation.seating import actual, check_bots
from hexdeck.simulation.worker_pool import WorkerPool

if TYPE_CHECKING:
    from hexdeck.engine.play.match import Match
    from hexdeck.simulation.game import Game

CHOOSE: Any = kernels.choose_at_random
MOST = 1 << 20  # environments
LAST = (1 << (63 - DEAL_BITS)) - 1  # the number of the last match of a seed
PURPOSES = "chance", "bots", "batch"  # what generators are for: cards, bots, random choices of the caller
Seed = int | bytes


@dataclass(frozen=True)
class Arrays:
    """What a batch writes, a row or a number for each environment; NumPy arrays, so that DLPack hands them on uncopied.

    `observations` int8 (environments, size): what the seat to act knows, in the game's SLICES; where nobody acts, what
    the public knows. `masks` bool (environments, actions) and `lists` int16 (environments, actions): the legal
    actions, in a list the first `counts` (int32) of a row, then -1. `seats` int8: who is asked, the lowest of the
    caller's seats among the bits of `acting` (int32); -1: chance, or nobody. `rewards` float32 (environments,
    players): the utilities of a match that has ended, else 0. `ends` bool: whether it has. `weights` int32
    (environments, outcomes): where chance is handed out and to act, the weights of its outcomes, else 0.
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
    def of(cls, game: Game, envs: int, own: Mapping[str, Any] | None = None) -> Arrays:
        """Arrays for so many environments of a game: those in `own`, by name, and new ones; raises BadOption.

        One's own may be NumPy arrays or whatever speaks DLPack in main memory; they are written in place.
        """
        if own is not None and not isinstance(own, Mapping):
            raise BadOption(say("A batch writes into arrays that are given by name, not {given}.", given=shown(own)))
        given, shapes = dict(own or {}), shapes_of(game, envs)
        for name in given:
            if name not in shapes:
                text = _("A batch writes no array {name}; it writes {there}.")
                raise BadOption(say(text, name=shown(name), there=", ".join(shapes)))
        found = {
            name: owned(name, given[name], *shape) if name in given else np.zeros(*shape)
            for name, shape in shapes.items()
        }
        for one, other in combinations(given, 2):
            if np.shares_memory(found[one], found[other]):
                text = _("A batch writes {one} and {other} at once: give each an array of its own.")
                raise BadOption(say(text, one=one, other=other))
        return cls(**found)

    def lines(self, driver: Driver, begin: int, end: int) -> tuple[Any, ...]:
        """The part of some environments, as kernels take it."""
        return tuple(lines(driver, getattr(self, field.name)[begin:end]) for field in fields(self))


def shapes_of(game: Game, envs: int) -> dict[str, tuple[tuple[int, ...], Any]]:
    """The shape and dtype of each array."""
    actions = len(game.rules.ACTIONS)
    return {
        "observations": ((envs, game.observation_size), np.int8), "masks": ((envs, actions), np.bool_),
        "lists": ((envs, actions), np.int16), "counts": ((envs,), np.int32), "seats": ((envs,), np.int8),
        "acting": ((envs,), np.int32), "rewards": ((envs, game.players), np.float32), "ends": ((envs,), np.bool_),
        "weights": ((envs, len(game.rules.OUTCOMES)), np.int32),
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
    """Some environments of a batch, with all that one thread needs to step them."""

    def __init__(self, game: Game, driver: Driver, arrays: Arrays, begin: int, numbers: np.ndarray, chosen: np.ndarray,
                 dice: Sequence[np.ndarray], guests: BatchBots) -> None:  # fmt: skip
        end = begin + len(numbers)
        self.begin, self.driver, shared = begin, driver, driver.shared
        self.rows = game.rows(driver, kernels.FIRST + end - begin)
        self.guests, waiting = guests.of(begin, end), np.full(end - begin, -1, np.int8)
        flags = [np.zeros(end - begin, np.bool_) for _ in range(2)]
        self.out = arrays.lines(driver, begin, end)
        dealers, minds, whims = (lines(driver, rows) for rows in dice)
        resting, fresh = (shared(flag) for flag in flags)
        self.envs = dealers, shared(numbers), resting, minds, whims, fresh, shared(waiting)
        self.chosen, self.numbers, self.waiting = shared(chosen), numbers, waiting
        self.weights, self.utility = driver.weights(), driver.array(game.rules.SEATS, np.float64)

    def call(self, kernel: Any, *arguments: Any) -> Any:
        """A kernel on the rows of these environments."""
        return self.driver.kernel(kernel)(self.driver.g, self.rows, *arguments)

    def ask(self, terms: Any) -> None:
        """Ask bots for the choices that are awaited, until there are none."""
        answers = np.zeros(len(self.waiting), np.int64)
        while (self.waiting >= 0).any():
            self.guests.answer(self.rows, self.waiting, self.numbers, answers)
            given = self.driver.shared(answers)
            self.call(kernels.answer_envs, given, self.out, self.envs, self.weights, self.utility, terms)


class Batch(HasOldNames):
    """Matches of one game, an environment each, all stepped at once.

    With one `seed` environment i plays the matches of number `first` + i, then `first` + i + `envs`, and so on;
    with a sequence of a seed for each environment, the numbers `first`, `first` + 1, … of its seed: the same matches as
    `game.match(seed, number=…)`. Without a seed a secret one is made. With `by_hand` chance is handed out: seat -1, the
    outcome's id is what is chosen. An environment whose match has ended goes on with its next one in the same step, or,
    with `auto_reset` off, rests until `reset`; then `eye` is the seat whose knowledge it shows (-1: the public's).
    `bots` has for each seat None or a bot that plays it, with dice that follow from seed and number: strategies and
    nets in compiled code, all others are asked, choice by choice, and take what they think. The caller meets the other
    seats' decisions only, and of a match without one just the end, in the next step. Where several may choose at once
    bots do so after the caller, who can't tell. Results don't depend on `threads`. Raises BadOption, or UnknownBot.
    """

    @takes_no_old_names
    def __init__(
        self, game: Game, envs: int, threads: int = 1, *, seed: Seed | Sequence[Seed] | None = None, first: int = 0,
        by_hand: bool = False, auto_reset: bool = True, bots: Sequence[str | None] | None = None, eye: int = -1,
        into: Mapping[str, Any] | None = None, backend: str | None = None,
    ) -> None:  # fmt: skip
        envs, threads, first = checked(envs, threads, first)
        by_hand, auto_reset = switch("by_hand", by_hand), switch("auto_reset", auto_reset)
        seeds = secrets.token_bytes(32) if seed is None else seed
        alone = is_seed(seeds)
        if not alone:
            check_seeds(seeds, envs)
        eye = seat_of(eye, game.players, public=True, error=BadOption)
        players = who_plays(game, bots)
        self.game, self.envs, self.threads = game, envs, min(threads, envs)
        self.arrays = Arrays.of(game, envs, into)
        self.driver, self.by_hand, self.auto_reset = game.driver(backend), by_hand, auto_reset
        self._stride, self._first = envs if alone else 1, first
        self._numbers = first + np.arange(envs, dtype=np.int64) * alone
        self._chosen, self._drawn = np.zeros(envs, np.int64), np.zeros(envs, np.int64)
        self._callers = sum(1 << seat for seat, player in enumerate(players) if player == kernels.CALLER)
        terms = [not by_hand, self.auto_reset, self._stride, eye, self._callers, *players]
        self._terms = self.driver.shared(np.array(terms, np.int64))
        self._dice = [dice(seeds, purpose, self._numbers) for purpose in PURPOSES]
        each: list[Seed] = [seeds] * envs if is_seed(seeds) else list(seeds)  # type: ignore[arg-type]
        self._guests = BatchBots(game, players, bots, each, self.driver)
        self._shards = self._cut()
        self._crew = WorkerPool(self._shards)
        self._ended = weakref.finalize(self, self._crew.end)
        self._begin(np.ones(envs, np.bool_))

    def _cut(self) -> list[Shard]:
        """The environments, shared out to the threads."""
        cuts = np.linspace(0, self.envs, self.threads + 1).astype(int).tolist()
        return [
            Shard(self.game, self.driver, self.arrays, begin, self._numbers[begin:end], self._chosen[begin:end],
                  [rows[begin:end] for rows in self._dice], self._guests)
            for begin, end in pairwise(cuts)
        ]  # fmt: skip

    @property
    def numbers(self) -> np.ndarray:
        """The number of the match that each environment plays, int64; a copy."""
        return self._numbers.copy()

    def step(self, chosen: Any) -> Arrays:
        """Take one action, or outcome of chance, in every environment: integers, one for each.

        What is given for a resting environment is ignored. Raises BadMove (IllegalMove, or BadChance where chance is
        handed out) naming the environment; then nothing has changed. Returns `arrays`, written anew.
        """
        self._take(chosen)
        count = len(self.game.rules.ACTIONS)
        for shard, fault in zip(self._shards, self._crew.all(_faults, self._terms, count), strict=True):
            if fault >= 0:
                self._refuse(shard.begin + int(fault))
        self._crew.all(_step, self._terms)
        return self.arrays

    def reset(
        self, chosen: Any = None, *, seeds: Sequence[Seed | None] | None = None, number: int | None = None
    ) -> Arrays:
        """Begin the next match of the environments that are chosen (bool, one for each), or of all; returns `arrays`.

        With `seeds`, one for each environment, the chosen environments go over to theirs (None: they keep the one they
        have), from the number `first` on. With `number` all that are chosen begin the match of that number. Raises
        BadOption.
        """
        wanted = np.ones(self.envs, np.bool_) if chosen is None else as_array(chosen)
        if wanted.dtype != np.bool_ or wanted.shape != (self.envs,):
            raise BadOption(say("Which environments begin anew is told by {envs} truth values.", envs=self.envs))
        if number is not None:
            number = check_first(number, self.envs)
        if seeds is not None:
            check_seeds(seeds, self.envs, some=True)
        self._numbers[wanted] += self._stride
        for env in np.flatnonzero(wanted).tolist() if seeds is not None else []:
            self._sow(env, seeds[env])  # type: ignore[index]
        if number is not None:
            self._numbers[wanted] = number
        self._begin(wanted)
        return self.arrays

    def _sow(self, env: int, seed: Seed | None) -> None:
        """An environment goes over to another seed."""
        if seed is not None:
            self._numbers[env] = self._first
            self._guests.seeds[env] = seed
            for rows, purpose in zip(self._dice, PURPOSES, strict=True):
                rows[env] = generator(seed, purpose, self._first)

    def random(self, into: Any = None) -> np.ndarray:
        """A uniformly random legal choice for each environment, int64: in `into`, or in an array of the batch's own.

        Of chance handed out, an outcome by its weight. The dice are the environments' own, from the seed; nobody else
        throws them.
        """
        given: Any = self._drawn if into is None else into
        fits = isinstance(given, np.ndarray) and given.shape == (self.envs,) and given.flags.writeable
        if not fits or not np.issubdtype(given.dtype, np.signedinteger) or given.dtype.itemsize < 2:
            text = _("Random choices are written into a NumPy array of {envs} integers of 16 bits or more.")
            raise BadOption(say(text, envs=self.envs))
        self._crew.all(_choose)
        given[:] = self._chosen
        found: np.ndarray = given
        return found

    def position(self, env: int) -> Match:
        """A match, without events and with chance by hand, that stands where an env stands; raises BadOption."""
        at = between(env, 0, self.envs - 1)
        if at is None:
            text = _("There is no environment {env}; environments are 0 to {last}.")
            raise BadOption(say(text, env=shown(env), last=self.envs - 1))
        shard = next(part for part in reversed(self._shards) if part.begin <= at)
        match = self.game.match(by_hand=True, backend=self.driver.backend)
        match.begin_in(raw(shard.rows)[kernels.FIRST + at - shard.begin])
        return match

    def close(self) -> None:
        """End the threads; the arrays stay, and nothing can be stepped any more."""
        self._ended()

    def __len__(self) -> int:
        return self.envs

    def __enter__(self) -> Batch:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _take(self, chosen: Any) -> None:
        """Copy what was chosen to where all threads find it."""
        given = as_array(chosen)
        if given.dtype.kind not in "iu" or given.shape != (self.envs,):
            raise BadMove(say("A step takes {envs} integers, one for each environment.", envs=self.envs))
        if given.dtype == np.uint64:  # what is far too large is just impossible
            given = np.minimum(given, np.uint64(np.iinfo(np.int64).max))
        if given is not self._chosen:
            np.copyto(self._chosen, given, casting="same_kind")

    def _begin(self, wanted: np.ndarray) -> None:
        self._chosen[:] = wanted
        self._crew.all(_begin, self._terms)

    def _refuse(self, env: int) -> None:
        """Raise what a match in the environment's position says against what was chosen."""
        match, chosen = self.position(env), int(self._chosen[env])
        try:
            if match.acting:
                match.play(next(seat for seat in match.acting if self._callers >> seat & 1), chosen)
            else:
                match.deal(chosen)
        except HexdeckError as error:
            error.text = say("Environment {env}: {why}", env=env, why=error.text)
            error.args = (str(error.text),)
            raise


def checked(envs: Any, threads: Any, first: Any) -> tuple[int, int, int]:
    """How many envs and threads, and the first number; raises BadOption for those out of range, or what is none."""
    many, workers = between(envs, 1, MOST), whole(threads)
    if many is None or workers is None or workers < 1:
        text = _("A batch has 1 to {most} environments and at least one thread, not {envs} and {threads}.")
        raise BadOption(say(text, most=MOST, envs=shown(envs), threads=shown(threads)))
    return many, workers, check_first(first, many)


def check_first(first: Any, envs: int) -> int:
    """A number of a match with which so many environments may begin, as an int; raises BadOption for anything else."""
    number = between(first, 0, LAST - envs)
    if number is None:
        text = _("Matches of {envs} environments begin with a number from 0 to {last}, not {first}.")
        raise BadOption(say(text, envs=envs, last=LAST - envs, first=shown(first)))
    return number


def as_array(given: Any) -> np.ndarray:
    """What a caller gives as an array; an empty one for rows of different lengths."""
    try:
        return given if isinstance(given, np.ndarray) else np.asarray(given)
    except ValueError:
        return np.zeros(0)


def check_seeds(seeds: Any, envs: int, *, some: bool = False) -> None:
    """Raise BadOption unless there is a seed for each environment; with `some` None will do for an environment."""
    if (
        not isinstance(seeds, (Sequence, np.ndarray))
        or isinstance(seeds, (str, bytes))
        or getattr(seeds, "ndim", 1) == 0
    ):
        text = _("A seed is an integer or bytes, or a list of one for each environment, not {given}.")
        raise BadOption(say(text, given=shown(seeds)))
    if len(seeds) != envs:
        text = _("{seeds} seeds can't take {envs} environments; give one for all, or one for each.")
        raise BadOption(say(text, seeds=len(seeds), envs=envs))
    for seed in seeds:
        if not is_seed(seed) and not (some and seed is None):
            text = _("A seed is an integer or bytes, or a list of one for each environment, not {given}.")
            raise BadOption(say(text, given=shown(seed)))


def who_plays(game: Game, bots: Sequence[str | None] | None) -> list[int]:
    """For each seat who plays it, as kernels know it; raises BadOption or UnknownBot."""
    if bots is None:
        return [kernels.CALLER] * game.players
    if isinstance(bots, str) or not isinstance(bots, Sequence):
        text = _("The bots of a batch are a list with a bot's name or None for each of {seats} seats, not {given}.")
        raise BadOption(say(text, seats=game.players, given=shown(bots)))
    check_bots(game, ["random" if bot is None else bot for bot in bots])
    if None not in bots or len(bots) != game.players:
        text = _("A batch needs a bot or None for each of {seats} seats, and None for one at least.")
        raise BadOption(say(text, seats=game.players))
    return [kernels.CALLER if bot is None else POLICIES.get(actual(game, bot), kernels.GUEST) for bot in bots]


def dice(seed: Any, purpose: str, numbers: np.ndarray) -> np.ndarray:
    """A generator for each env, by its seed or that of all, at the stream of its first match: int64 (envs, words)."""
    rows = np.zeros((len(numbers), WORDS), np.int64)
    rows[:] = generator(seed, purpose) if is_seed(seed) else [generator(one, purpose) for one in seed]
    rows[:, STREAM] = numbers
    return rows


def _faults(shard: Shard, terms: Any, count: int) -> int:
    return int(shard.call(kernels.first_fault, shard.chosen, shard.weights, terms, count))


def _step(shard: Shard, terms: Any) -> None:
    shard.call(kernels.step_envs, shard.chosen, shard.out, shard.envs, shard.weights, shard.utility, terms)
    shard.ask(terms)


def _begin(shard: Shard, terms: Any) -> None:
    shard.guests.begin(shard.driver.listed(shard.chosen, len(shard.waiting)))
    shard.call(kernels.begin_envs, shard.chosen, shard.out, shard.envs, shard.weights, terms)
    shard.ask(terms)


def _choose(shard: Shard) -> None:
    shard.driver.kernel(CHOOSE)(shard.out, shard.envs, shard.chosen)
