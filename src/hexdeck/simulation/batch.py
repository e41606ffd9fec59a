"""Many matches stepped at once in compiled code, into arrays that their caller owns: `game.batch(n)`."""

from __future__ import annotations

import secrets
import weakref
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from hexdeck.engine.arguments import between, is_seed, seat_of, shown, switch
from hexdeck.engine.backends import kernels_batch as kernels
from hexdeck.engine.errors import BadMove, BadOption, HexdeckError
from hexdeck.engine.play.driver import raw
from hexdeck.engine.play.seating import POLICIES
from hexdeck.engine.random import STREAM, WORDS, generator
from hexdeck.engine.renamed import HasOldNames, takes_no_old_names
from hexdeck.engine.text import _, say
from hexdeck.simulation.batch_arguments import check_first, check_seeds, checked
from hexdeck.simulation.batch_arrays import Arrays, as_array
from hexdeck.simulation.batch_bots import BatchBots
from hexdeck.simulation.seating import actual, check_bots
from hexdeck.simulation.shard import Shard
from hexdeck.simulation.worker_pool import WorkerPool

if TYPE_CHECKING:
    from hexdeck.engine.play.match import Match
    from hexdeck.simulation.game import Game

PURPOSES = "chance", "bots", "batch"  # what generators are for: cards, bots, random choices of the caller
Seed = int | bytes


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
        self._bots = BatchBots(game, players, bots, each, self.driver)
        self._shards = self._cut()
        self._workers = WorkerPool(self._shards)
        self._ended = weakref.finalize(self, self._workers.end)
        self._begin(np.ones(envs, np.bool_))

    def _cut(self) -> list[Shard]:
        """The environments, shared out to the threads."""
        cuts = np.linspace(0, self.envs, self.threads + 1).astype(int).tolist()
        return [
            Shard(self.game, self.driver, self.arrays, begin, self._numbers[begin:end], self._chosen[begin:end],
                  [rows[begin:end] for rows in self._dice], self._bots)
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
        for shard, fault in zip(self._shards, self._workers.all(Shard.fault, self._terms, count), strict=True):
            if fault >= 0:
                self._refuse(shard.begin + int(fault))
        self._workers.all(Shard.step, self._terms)
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
            self._bots.seeds[env] = seed
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
        self._workers.all(Shard.choose)
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
        self._workers.all(Shard.restart, self._terms)

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
