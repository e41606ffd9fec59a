"""The games as Gymnasium environments: one seat against chosen bots, alone or many at once.

    import gymnasium, hexdeck.envs.gymnasium
    env = gymnasium.make("hexdeck/CursedHand-v0", players=4, seat=0, bots="house")
    many = gymnasium.make_vec("hexdeck/CursedHand-v0", num_envs=1024, threads=2, bots=["house", "random", "gentle"])

Every game is registered under the name of its newest version when this module is imported.
"""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np

from hexdeck.bots.players.simulation_bots import seated_bot
from hexdeck.bots.players.strategies import StrategyBot
from hexdeck.engine.arguments import seat_of, whole
from hexdeck.engine.discovery.finding import game_names
from hexdeck.engine.errors import BadOption
from hexdeck.engine.play.seating import listed_bots
from hexdeck.engine.text import _, say
from hexdeck.envs import needed
from hexdeck.envs.versions import camel_name
from hexdeck.simulation.batch import Batch
from hexdeck.simulation.batch_arguments import checked
from hexdeck.simulation.batch_arrays import as_array
from hexdeck.simulation.game import Game, game

with needed():
    import gymnasium
    from gymnasium.vector import AutoresetMode, VectorEnv
    from gymnasium.vector.utils import batch_space

    from hexdeck.envs.forms import ILLEGAL, RENDER_MODES, Form, action_space, checked_reward, observation_space
from hexdeck.envs.seats import NUMBER, RULES, told, whole_number

MASKED = "reset_mask"


def others(game: Game, seat: Any, bots: str | Sequence[str]) -> list[str | None]:
    """Who plays each seat: None the agent's, the others by one name for all or one for each; raises BadOption."""
    seat = seat_of(seat, game.players, error=BadOption)
    names = listed_bots(bots, game.players - 1)
    if len(names) != game.players - 1:
        text = _("{bots} bots can't take {seats} seats; give one for all, or one for each.")
        raise BadOption(say(text, bots=len(names), seats=game.players - 1))
    return [*names[:seat], None, *names[seat:]]


class SeatEnv(Form, gymnasium.Env):
    """One seat of a game; `bots` play the others: any bot's name for all, or one for each in the order of seats.

    The reward is the seat's utility at the end of the match. An illegal action ends the match and brings
    `illegal_reward`; with None it raises IllegalMove. `reset` takes options as `hexdeck.envs.seats.Seats.begin` does.
    """

    metadata: ClassVar[dict[str, Any]] = {"render_modes": RENDER_MODES, "render_fps": 1}

    def __init__(
        self, game_name: str, players: int | None = None, seat: int = 0, bots: str | Sequence[str] = "house",
        render_mode: str | None = None, illegal_reward: float | None = ILLEGAL, **options: Any,
    ) -> None:  # fmt: skip
        self.prepare(game(game_name, players, **options), render_mode)
        self.names, self.illegal_reward = others(self.game, seat, bots), checked_reward(illegal_reward)
        self.seat = int(seat)
        self.observation_space, self.action_space = observation_space(self.game), action_space(self.game)
        self._bots, self._told = self._new_bots(0, 0), False

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, np.ndarray], dict[str, Any]]:
        """Begin a match, and play it to the first decision of the seat."""
        if seed is not None and whole_number("seed", seed) < 0:
            raise BadOption(say("A seed of this environment is a whole number from 0 on, not {given}.", given=seed))
        super().reset(seed=None if seed is None else whole_number("seed", seed))
        self.seats.begin(seed, options)
        self._bots, self._told = self._new_bots(self.seats.seed, self.seats.number), False
        self._others_play()
        self._picture()
        return self.seen(self.seat), self._info()

    def step(self, action: Any) -> tuple[dict[str, np.ndarray], float, bool, bool, dict[str, Any]]:
        """The seat acts, then the others until it must again, or the match is over.

        Once the end of a match has been told nothing happens any more, and there is no reward.
        """
        match = self.seats.playing
        if self._told:
            return self._answer(0.0)
        if not match.over:
            chosen = self.seats.action(action)
            if self.illegal_reward is not None and chosen not in match.legal_ids(self.seat):
                self.seats.stop()
                return self._answer(self.illegal_reward)
            match.play(self.seat, chosen)
            self._others_play()
        return self._answer(match.returns()[self.seat] if match.over else 0.0)

    def action_masks(self) -> np.ndarray:
        """Which actions are legal, bool: what learners that mask ask an environment for."""
        return self.seats.mask(self.seat).astype(np.bool_)

    def render(self) -> Any:
        """The table as the seat sees it: text, a picture (uint8, height × width × 3), or printed."""
        return self.shown(self.seat)

    def _answer(self, reward: float) -> tuple[dict[str, np.ndarray], float, bool, bool, dict[str, Any]]:
        """What a step tells."""
        self._told = self.seats.over
        self._picture()
        return self.seen(self.seat), reward, self._told, False, self._info()

    def _picture(self) -> None:
        """In the mode "human" every position is shown as it comes."""
        if self.render_mode == "human":
            self.render()

    def _new_bots(self, seed: Any, number: int) -> list[Any]:
        """A bot for every other seat, with dice that follow from the match's seed and number.

        Strategies throw one generator's in turn, as they do in a batch.
        """
        backend, dice = self.seats.backend, self.game.driver(self.seats.backend).generator(seed, "bots", number)
        bots = [
            None if name is None else seated_bot(name, self.game, seed, seat, backend)
            for seat, name in enumerate(self.names)
        ]
        for one in bots:
            if isinstance(one, StrategyBot):
                one.use_generator(dice)
            elif one is not None:
                one.begin(number)
        return bots

    def _others_play(self) -> None:
        """The others decide until the seat is asked; where all choose at once they do so after it, unknowing."""
        match = self.seats.playing
        while match.acting and self.seat not in match.acting:
            seat, legal = match.actor, match.legal_ids(match.actor)
            asked = len(legal) > 1 or isinstance(self._bots[seat], StrategyBot)
            match.play(seat, self._bots[seat].choose(match.concealed(seat), seat) if asked else legal[0])

    def _info(self) -> dict[str, Any]:
        return {"action_mask": self.seats.mask(self.seat)}

    def __getstate__(self) -> dict[str, Any]:
        return {key: value for key, value in vars(self).items() if key != "_bots"}

    def __setstate__(self, kept: dict[str, Any]) -> None:
        """The bots' dice come where they were by letting the bots decide again what they have decided."""
        self.__dict__.update(kept)
        begun = self.seats.match is not None
        self._bots = self._new_bots(self.seats.seed if begun else 0, max(self.seats.number, 0))
        if self.seats.match is not None:
            again, self.seats.match = self.seats.match, self.seats.replayed()
            self._others_play()
            for event in again.events:
                if event.seat == self.seat:
                    self.seats.match.play(self.seat, event.id)
                    self._others_play()


class SeatVectorEnv(VectorEnv):
    """Many matches at once in compiled code: one seat in each, bots on the others.

    Environment k plays the matches that `SeatEnv` plays with seed + k, card for card and choice for choice. Strategies
    and nets play in compiled code, other bots are asked, choice by choice. A match that has ended begins anew in the
    next step, as Gymnasium's own vector environments do. An illegal action ends its match and brings `illegal_reward`;
    with None it raises IllegalMove for all. Arrays are written anew by every step unless `copy`. Raises BadOption or
    UnknownBot.
    """

    metadata: ClassVar[dict[str, Any]] = {"render_modes": [], "autoreset_mode": AutoresetMode.NEXT_STEP}

    def __init__(
        self, game_name: str, num_envs: int = 1, players: int | None = None, seat: int = 0,
        bots: str | Sequence[str] = "house", threads: int = 1, *, illegal_reward: float | None = ILLEGAL,
        copy: bool = True, render_mode: None = None, **options: Any,
    ) -> None:  # fmt: skip
        if render_mode is not None:
            raise BadOption(say("Many environments at once are not drawn: make one alone to see it."))
        self.game = game(game_name, players, **options)
        names, (num_envs, threads, _first) = others(self.game, seat, bots), checked(num_envs, threads, 0)
        self.seat, self.copy, self.illegal_reward = int(seat), copy, checked_reward(illegal_reward)
        secret = [secrets.token_bytes(32) for _ in range(num_envs)]
        self.batch = Batch(self.game, num_envs, threads, seed=secret, auto_reset=False, eye=seat, bots=names)
        self.num_envs, self._begun = num_envs, False
        self.single_observation_space, self.single_action_space = observation_space(self.game), action_space(self.game)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._over, self._never = np.zeros(num_envs, np.bool_), np.zeros(num_envs, np.bool_)
        self._rows = np.arange(num_envs)

    def reset(
        self, *, seed: int | Sequence[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, np.ndarray], dict[str, Any]]:
        """Begin matches: of these seeds (one, counted up, or one for each), or, where there is none, the next ones.

        `options` may hold `reset_mask`, the environments to begin anew, and `number`, which match of its seed each
        begins. Rules are chosen when the environments are made. Raises BadOption.
        """
        given = told(options, MASKED, NUMBER)
        if RULES in given:
            raise BadOption(say("Many environments at once have the same rules: choose them when they are made."))
        number = given.get(NUMBER, None if self._begun else 0)
        number = None if number is None else whole_number(NUMBER, number)
        first = whole(seed)
        seeds: Any = seed if first is None else [first + k for k in range(self.num_envs)]
        self.batch.reset(given.get(MASKED), seeds=seeds, number=number)
        self._over[slice(None) if given.get(MASKED) is None else given[MASKED]] = False
        self._begun = True
        return self._seen(), self._info()

    def step(self, actions: Any) -> tuple[dict[str, np.ndarray], np.ndarray, np.ndarray, np.ndarray, dict[str, Any]]:
        """An action for each environment; what is given where a match has ended before is ignored."""
        if not self._begun:
            raise BadOption(say("There is no match yet: reset the environment first."))
        again, arrays = self._over.copy(), self.batch.arrays
        chosen = as_array(actions)
        illegal = self._illegal(chosen) & ~again
        passed = illegal | again
        before = arrays.observations[illegal]
        fits = chosen.shape == passed.shape
        self.batch.step(np.where(passed, arrays.lists[:, 0], chosen) if fits else chosen)
        if again.any():
            self.batch.reset(again)
        self._stop(illegal, before)
        np.logical_or(arrays.ends, illegal, out=self._over)
        rewards = arrays.rewards[:, self.seat].astype(np.float64)
        return self._seen(), rewards, self._over.copy(), self._never.copy(), self._info()

    def _illegal(self, chosen: np.ndarray) -> np.ndarray:
        """Where an action is given that ends the match; what is no action at all the batch refuses."""
        arrays, actions = self.batch.arrays, self.single_action_space.n
        if self.illegal_reward is None or chosen.shape != (self.num_envs,) or chosen.dtype.kind not in "iu":
            return self._never
        known = (chosen >= 0) & (chosen < actions)
        legal = arrays.masks[self._rows, np.where(known, chosen, 0)] & known
        found: np.ndarray = ~legal & (arrays.counts > 0)
        return found

    def _stop(self, illegal: np.ndarray, before: np.ndarray) -> None:
        """Matches end where an illegal action was tried: what is seen stays as it was, and nothing may be done."""
        if illegal.any():
            arrays = self.batch.arrays
            arrays.observations[illegal], arrays.masks[illegal] = before, False
            arrays.rewards[illegal, self.seat] = self.illegal_reward

    def _seen(self) -> dict[str, np.ndarray]:
        arrays = self.batch.arrays
        seen = {"observation": arrays.observations, "action_mask": arrays.masks.view(np.int8)}
        return {key: array.copy() for key, array in seen.items()} if self.copy else seen

    def _info(self) -> dict[str, Any]:
        mask = self.batch.arrays.masks.view(np.int8)
        return {"action_mask": mask.copy() if self.copy else mask, "_action_mask": ~self._never}

    def close_extras(self, **_: Any) -> None:
        """End the threads."""
        self.batch.close()


for _name in game_names():
    if f"hexdeck/{camel_name(_name)}" not in gymnasium.registry:
        gymnasium.register(
            f"hexdeck/{camel_name(_name)}", SeatEnv, vector_entry_point=SeatVectorEnv, kwargs={"game_name": _name},
            order_enforce=True,
        )  # fmt: skip
