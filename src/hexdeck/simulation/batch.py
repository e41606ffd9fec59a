"""Many matches stepped at once in compiled code, with results in arrays: `game.batch(n)`."""

from __future__ import annotations

import secrets
import weakref
from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from hexdeck.engine.backends import kernels_batch as kernels
from hexdeck.engine.errors import BadMove, BadOption, HexdeckError, between, is_seed, seat_of, shown, switch, whole
from hexdeck.engine.play.playouts import policy_code
from hexdeck.engine.random import DEAL_BITS, STREAM, WORDS, generator
from hexdeck.engine.text import _, say
from hexdeck.simulation.environments import Arrays, BatchBots, Shard, ShardPool, Team, as_array
from hexdeck.simulation.simulate import check_bots, resolved_bot

if TYPE_CHECKING:
    from hexdeck.engine.play.match import Match
    from hexdeck.simulation.game import Game

PURPOSES = "chance", "bots", "batch"  # of generators: cards, bots' choices, `Batch.random`
Seed = int | bytes


class Batch:
    """Matches of one game that are stepped at once, one in each environment.

    With a single `seed`, environment i plays match `first` + i of that seed, then `first` + i + `envs`, and so on. With
    a list of seeds, one for each environment, each plays matches `first`, `first` + 1, … of its own. Either way these
    are the matches of `game.match(seed, number=…)`. Without a seed a secret one is made.

    With `by_hand` the caller plays chance too: then `seats` has -1, and the action is an outcome's id. When a match
    ends, its environment begins the next one in the same step; with `auto_reset` off it rests until `reset`, and shows
    what seat `eye` knows (-1: the public).

    `bots` gives each seat a bot by name or as a function of observations and masks, or None for the caller. Bots'
    random choices follow from the seed and the number of the match. Strategies and nets play in compiled code, a policy
    is asked for all environments at once; other bots are asked decision by decision, and take their time. A program has
    a process for each environment and seat. The caller is asked only for the decisions of its own seats; a match
    without any shows just its end, in the next step. Where several seats choose at once, bots choose after the caller
    and don't know what it chose.

    `game`, `envs` (how many matches) and `arrays`, an `Arrays`, are its attributes. Every step writes over `arrays`;
    with `copy` they are new ones each time, which stay as they are: for JAX, and for who keeps them. `into` gives
    arrays to write to, see `Arrays.of`. Results don't depend on `threads`.

    A batch can be copied and pickled, and goes on with the same cards, into arrays of its own; one with bots that are
    asked in between can't. Raises BadOption or UnknownBot.
    """

    def __init__(
        self,
        game: Game,
        envs: int,
        threads: int = 1,
        *,
        seed: Seed | Sequence[Seed] | None = None,
        first: int = 0,
        by_hand: bool = False,
        auto_reset: bool = True,
        bots: Sequence[str | Callable[[Any, Any], Any] | None] | None = None,
        eye: int = -1,
        copy: bool = False,
        into: Mapping[str, Any] | None = None,
        backend: str | None = None,
    ) -> None:
        envs, threads, first = checked(envs, threads, first)
        by_hand, auto_reset = switch("by_hand", by_hand), switch("auto_reset", auto_reset)
        copy = switch("copy", copy)
        seeds = secrets.token_bytes(32) if seed is None else seed
        one_seed = is_seed(seeds)
        if not one_seed:
            check_seeds(seeds, envs)
        eye = seat_of(eye, game.players, public=True, error=BadOption)
        players = player_codes(game, bots)
        self.game, self.envs, self.threads = game, envs, min(threads, envs)
        self.driver, self.by_hand, self.auto_reset, self.copy = game.driver(backend), by_hand, auto_reset, copy
        self.arrays = self._written = Arrays.of(game, envs, into)
        self._how: dict[str, Any] = {"seed": seeds, "first": first, "by_hand": by_hand, "auto_reset": auto_reset}
        self._how |= {"bots": bots, "eye": eye, "copy": copy, "backend": self.driver.backend}
        self._stride, self._first = envs if one_seed else 1, first
        self._numbers = first + np.arange(envs, dtype=np.int64) * one_seed
        self._chosen, self._drawn = np.zeros(envs, np.int64), np.zeros(envs, np.int64)
        self._callers = sum(1 << seat for seat, player in enumerate(players) if player == kernels.CALLER)
        settings = [not by_hand, self.auto_reset, self._stride, eye, self._callers, *players]
        self._settings_array = np.array(settings, np.int64)
        self._settings = self.driver.shared(self._settings_array)
        self._generators = [env_generators(seeds, purpose, self._numbers) for purpose in PURPOSES]
        seed_list: list[Seed] = [seeds] * envs if is_seed(seeds) else list(seeds)  # type: ignore[arg-type]
        self._bots = BatchBots(game, players, bots, seed_list, self.driver)
        if self.driver.compiled and kernels.GUEST not in players:
            generators, settings = self._generators, self._settings
            every = self._written, self._numbers, self._chosen, generators, settings
            self._workers: Team | ShardPool = Team(self.game, self.driver, *every, self.threads)
        else:
            self._workers = self._shards()
        self._finalizer = weakref.finalize(self, self._workers.end)
        self._begin(np.ones(envs, np.bool_))

    def _shards(self) -> ShardPool:
        """A shard of the environments for each thread, where bots are asked in between, or nothing is compiled."""
        cuts, shards = np.linspace(0, self.envs, self.threads + 1).astype(int).tolist(), []
        for begin, end in pairwise(cuts):
            own = self._numbers[begin:end], self._chosen[begin:end], [rows[begin:end] for rows in self._generators]
            shards.append(Shard(self.game, self.driver, self._written, begin, *own, self._bots, self._settings))
        return ShardPool(shards)

    @property
    def numbers(self) -> np.ndarray:
        """The number of the match in each environment, int64; a copy."""
        return self._numbers.copy()

    def step(self, chosen: Any) -> Arrays:
        """Play one action, or outcome of chance, in every environment: an array of `envs` integers.

        The values for resting environments are ignored. Returns `arrays`. Raises BadMove (IllegalMove, or
        BadChance for an outcome), naming the environment; then nothing has changed.
        """
        self._set_chosen(chosen)
        fault = self._workers.step()
        if fault >= 0:
            self._refuse(fault)
        return self._result()

    def _result(self) -> Arrays:
        """The arrays as the last task left them."""
        if self.copy:
            self.arrays = self._written.copy()
        return self.arrays

    # --- copying ------------------------------------------------------------------------------------------------------
    def _memory(self) -> list[np.ndarray]:
        """All that decides how it goes on."""
        return [*vars(self._written).values(), self._numbers, self._chosen, *self._generators, *self._workers.memory]

    def __getstate__(self) -> dict[str, Any]:
        if kernels.GUEST in self._settings_array:
            text = _(
                "A batch with bots that are asked in between can't be copied or pickled; batch.position(env) gives a "
                "match that can."
            )
            raise BadOption(say(text))
        about = {"game": self.game, "envs": self.envs, "threads": self.threads, **self._how}
        return {"about": about, "memory": [array.copy() for array in self._memory()]}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__init__(**state["about"])  # type: ignore[misc]
        for own, stored in zip(self._memory(), state["memory"], strict=True):
            own[...] = stored
        self._result()

    # --- playing on ---------------------------------------------------------------------------------------------------

    def reset(
        self, chosen: Any = None, *, seeds: Sequence[Seed | None] | None = None, number: int | None = None
    ) -> Arrays:
        """Begin the next match in the environments where `chosen` (bool, one for each) is True, or in all.

        `seeds`, one for each environment, gives the chosen ones new seeds (None: keep the present one), from match
        `first` on; with `number` they all begin the match of that number. Returns `arrays`. Raises BadOption.
        """
        restarting = np.ones(self.envs, np.bool_) if chosen is None else as_array(chosen)
        if restarting.dtype != np.bool_ or restarting.shape != (self.envs,):
            raise BadOption(say("To restart some environments, pass {envs} truth values.", envs=self.envs))
        if number is not None:
            number = check_first(number, self.envs)
        if seeds is not None:
            check_seeds(seeds, self.envs, optional=True)
        self._numbers[restarting] += self._stride
        for env in np.flatnonzero(restarting).tolist() if seeds is not None else []:
            self._reseed(env, seeds[env])  # type: ignore[index]
        if number is not None:
            self._numbers[restarting] = number
        self._begin(restarting)
        return self.arrays

    def _reseed(self, env: int, seed: Seed | None) -> None:
        """Give an environment another seed, at match `first`."""
        if seed is not None:
            self._numbers[env] = self._first
            self._bots.seeds[env] = seed
            for rows, purpose in zip(self._generators, PURPOSES, strict=True):
                rows[env] = generator(seed, purpose, self._first)

    def random(self, into: Any = None) -> np.ndarray:
        """A uniformly random legal action for each environment, int64; for chance, an outcome by its weight.

        It is written to `into`, or to an array that the batch reuses. The choices follow from the environments' seeds,
        by generators that nothing else uses.
        """
        array: Any = self._drawn if into is None else into
        is_array = isinstance(array, np.ndarray) and array.shape == (self.envs,) and array.flags.writeable
        if not is_array or not np.issubdtype(array.dtype, np.signedinteger) or array.dtype.itemsize < 2:
            text = _("Random choices are written into a NumPy array of {envs} integers of 16 bits or more.")
            raise BadOption(say(text, envs=self.envs))
        self._workers.choose()
        array[:] = self._chosen
        actions: np.ndarray = array
        return actions

    def position(self, env: int) -> Match:
        """A match, without events and with chance by hand, in the position of an environment.

        Raises BadOption if there is no such environment.
        """
        at = between(env, 0, self.envs - 1)
        if at is None:
            text = _("There is no environment {env}; environments are 0 to {last}.")
            raise BadOption(say(text, env=shown(env), last=self.envs - 1))
        match = self.game.match(by_hand=True, backend=self.driver.backend)
        match.load_trusted_position(self._workers.struct(at))
        return match

    def close(self) -> None:
        """End the threads; the arrays stay, but nothing can be stepped any more."""
        self._finalizer()

    def __len__(self) -> int:
        return self.envs

    def __enter__(self) -> Batch:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _set_chosen(self, chosen: Any) -> None:
        """Copy the caller's choices to where all threads read them; raises BadMove for a wrong shape or type."""
        array = as_array(chosen)
        if array.dtype.kind not in "iu" or array.shape != (self.envs,):
            text = _("A step takes {envs} integers, one for each environment, not {given}.")
            raise BadMove(say(text, envs=self.envs, given=f"{array.dtype} {array.shape}"))
        if array.dtype == np.uint64:  # a huge number is just an impossible choice
            array = np.minimum(array, np.uint64(np.iinfo(np.int64).max))
        if array is not self._chosen:
            np.copyto(self._chosen, array, casting="same_kind")

    def _begin(self, restarting: np.ndarray) -> None:
        self._chosen[:] = restarting
        self._workers.begin()
        self._result()

    def _refuse(self, env: int) -> None:
        """Raise the error for the choice in an environment, as a match in its position words it."""
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


def player_codes(game: Game, bots: Sequence[Any] | None) -> list[int]:
    """The code that kernels have for each seat's player; raises BadOption or UnknownBot."""
    if bots is None:
        return [kernels.CALLER] * game.players
    if isinstance(bots, str) or not isinstance(bots, Sequence):
        text = _(
            "The bots of a batch are a list with a name, a function or None for each of {seats} seats, not {given}."
        )
        raise BadOption(say(text, seats=game.players, given=shown(bots)))
    check_bots(game, ["random" if bot is None else bot for bot in bots])
    if None not in bots or len(bots) != game.players:
        text = _("A batch needs a bot or None for each of {seats} seats, and None for at least one.")
        raise BadOption(say(text, seats=game.players))
    return [kernels.CALLER if bot is None else policy_code(resolved_bot(game, bot), kernels.GUEST) for bot in bots]


def env_generators(seed: Any, purpose: str, numbers: np.ndarray) -> np.ndarray:
    """A random generator for each environment, int64 (envs, words), at the stream of its first match.

    `seed` is one seed for all, or one for each.
    """
    rows = np.zeros((len(numbers), WORDS), np.int64)
    rows[:] = generator(seed, purpose) if is_seed(seed) else [generator(env_seed, purpose) for env_seed in seed]
    rows[:, STREAM] = numbers
    return rows


# --- arguments --------------------------------------------------------------------------------------------------------
MOST = 1 << 20  # environments of a batch
LAST = (1 << (63 - DEAL_BITS)) - 1  # highest number of a match


def checked(envs: Any, threads: Any, first: Any) -> tuple[int, int, int]:
    """The numbers of environments and threads and of the first match, as ints; raises BadOption."""
    count, workers = between(envs, 1, MOST), whole(threads)
    if count is None or workers is None or workers < 1:
        text = _("A batch has 1 to {most} environments and at least one thread, not {envs} and {threads}.")
        raise BadOption(say(text, most=MOST, envs=shown(envs), threads=shown(threads)))
    return count, workers, check_first(first, count)


def check_first(first: Any, envs: int) -> int:
    """The number of the first match as an int; raises BadOption if some environment's would be out of range."""
    number = between(first, 0, LAST - envs)
    if number is None:
        text = _("Matches of {envs} environments begin with a number from 0 to {last}, not {first}.")
        raise BadOption(say(text, envs=envs, last=LAST - envs, first=shown(first)))
    return number


def check_seeds(seeds: Any, envs: int, *, optional: bool = False) -> None:
    """Raise BadOption unless there is a seed for each environment; with `optional`, None will do for an environment."""
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
        if not is_seed(seed) and not (optional and seed is None):
            text = _("A seed is an integer or bytes, or a list of one for each environment, not {given}.")
            raise BadOption(say(text, given=shown(seed)))
