"""The games as Gymnasium environments: one seat against chosen bots, alone or many at once.

    import gymnasium, hexdeck.envs.gymnasium
    env = gymnasium.make("hexdeck/CursedHand-v0", players=4, seat=0, bots="house")
    many = gymnasium.make_vec("hexdeck/CursedHand-v0", num_envs=1024, threads=2, bots=["house", "random", "gentle"])

Every game is registered under the name of its newest version when this module is imported.
"""

from __future__ import annotations

import copy
from collections.abc import Sequence
from typing import Any, ClassVar

import gymnasium
import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from hexdeck.bots.players import bot
from hexdeck.engine.batch import Batch
from hexdeck.engine.errors import BadOption
from hexdeck.engine.game import Game, game, game_names
from hexdeck.engine.text import _, say
from hexdeck.envs.seats import Seats
from hexdeck.envs.versions import camel_name

ILLEGAL = -1.0
RENDER_MODES = ["human", "ansi", "rgb_array"]


def space_of(game: Game) -> spaces.Dict:
    """`observation`, int8 in the game's SLICES, and `action_mask`, int8, 1 for every legal action."""
    size, actions = game.observation_size, len(game.rules.ACTIONS)
    parts = {
        "observation": spaces.Box(-128, 127, (size,), np.int8),
        "action_mask": spaces.Box(0, 1, (actions,), np.int8),
    }
    return spaces.Dict(parts)


def others(game: Game, seat: int, bots: str | Sequence[str]) -> list[str | None]:
    """Who plays each seat: None the agent's, the others by one name for all or one for each; raises BadOption."""
    if not 0 <= seat < game.players:
        raise BadOption(say("There is no seat {seat}; seats are 0 to {last}.", seat=seat, last=game.players - 1))
    names = [bots] * (game.players - 1) if isinstance(bots, str) else list(bots)
    if len(names) != game.players - 1:
        text = _("{bots} bots can't take {seats} seats; give one for all, or one for each.")
        raise BadOption(say(text, bots=len(names), seats=game.players - 1))
    return [*names[:seat], None, *names[seat:]]


class SeatEnv(gymnasium.Env):
    """One seat of a game; `bots` play the others: any bot's name for all, or one for each in the order of seats.

    The reward is the seat's utility at the end of the match. An illegal action ends the match and brings
    `illegal_reward`; with None it raises IllegalMove. `reset` takes options as `hexdeck.envs.seats.Seats.begin` does.
    """

    metadata: ClassVar[dict[str, Any]] = {"render_modes": RENDER_MODES, "render_fps": 1}

    def __init__(
        self, game_name: str, players: int | None = None, seat: int = 0, bots: str | Sequence[str] = "house",
        render_mode: str | None = None, illegal_reward: float | None = ILLEGAL, **options: Any,
    ) -> None:  # fmt: skip
        self.game = game(game_name, players, **options)
        self.seats, self.seat, self.render_mode = Seats(self.game), seat, render_mode
        self.names, self.illegal_reward = others(self.game, seat, bots), illegal_reward
        if render_mode not in (None, *RENDER_MODES):
            text = _("There is no render mode {mode}; there are {there}.")
            raise BadOption(say(text, mode=repr(render_mode), there=", ".join(RENDER_MODES)))
        self.observation_space = space_of(self.game)
        self.action_space = spaces.Discrete(len(self.game.rules.ACTIONS))
        self._bots = self._new_bots()

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, np.ndarray], dict[str, Any]]:
        """Begin a match, and play it to the first decision of the seat."""
        super().reset(seed=seed)
        self.seats.begin(seed, options)
        self._bots = self._new_bots()
        self._others_play()
        return self._seen(), self._info()

    def step(self, action: Any) -> tuple[dict[str, np.ndarray], float, bool, bool, dict[str, Any]]:
        """The seat acts, then the others until it must again, or the match is over."""
        match = self.seats.playing
        if not match.over:
            if self.illegal_reward is not None and action not in match.legal_ids(self.seat):
                return self._seen(), self.illegal_reward, True, False, self._info()
            match.play(self.seat, int(action))
            self._others_play()
        if self.render_mode == "human":
            self.render()
        reward = match.returns()[self.seat] if match.over else 0.0
        return self._seen(), reward, match.over, False, self._info()

    def _new_bots(self) -> list[Any]:
        """A bot for every other seat, with dice that follow from the match's seed and number."""
        dice = [f"{self.seats.seed!r} {self.seats.number} {seat}".encode() for seat in range(self.game.players)]
        lane = self.seats.lane
        return [name and bot(name, self.game, key, lane) for name, key in zip(self.names, dice, strict=True)]

    def _others_play(self) -> None:
        """The others decide until the seat is asked; where all choose at once they do so after it, unknowing."""
        match = self.seats.playing
        while match.acting and self.seat not in match.acting:
            seat = match.actor
            match.play(seat, self._bots[seat].choose(match.concealed(seat), seat))

    def _seen(self) -> dict[str, np.ndarray]:
        return {
            "observation": self.seats.playing.observation(self.seat),
            "action_mask": self.seats.mask(self.seat),
        }

    def _info(self) -> dict[str, Any]:
        return {"action_mask": self.seats.mask(self.seat)}

    def render(self) -> Any:
        """The table as the seat sees it: text, a picture (uint8, height × width × 3), or printed."""
        view = self.seats.playing.view(self.seat)
        if self.render_mode == "rgb_array":
            from hexdeck.envs.picture import pixels

            return pixels(view)
        if self.render_mode == "ansi":
            return view.text()
        if self.render_mode == "human":
            print(view.text(), end="\n\n")
        return None

    def clone(self) -> SeatEnv:
        """A copy in the same position, which everything still to come is the same for."""
        return copy.deepcopy(self)

    def __getstate__(self) -> dict[str, Any]:
        return {key: value for key, value in vars(self).items() if key != "_bots"}

    def __setstate__(self, kept: dict[str, Any]) -> None:
        """The bots' dice come where they were by letting the bots decide again what they have decided."""
        self.__dict__.update(kept)
        self._bots = self._new_bots()
        if self.seats.match is not None:
            again, self.seats.match = self.seats.match, self.seats.replayed()
            self._others_play()
            for event in again.events:
                if event.seat == self.seat:
                    self.seats.match.play(self.seat, event.id)
                    self._others_play()


class SeatVectorEnv(VectorEnv):
    """Many matches at once in compiled code: one seat in each, bots of compiled code on the others.

    Environment k is dealt the cards that `SeatEnv` is with seed + k; bots throw dice of their own, and where several
    choose at once those of lower seats have chosen already. Only `gentle`, `house` and `random` play here. Arrays are
    written anew by every step unless `copy`. A match that has ended begins anew in the next step, as Gymnasium's own
    vector environments do. Illegal actions raise.
    """

    metadata: ClassVar[dict[str, Any]] = {"render_modes": [], "autoreset_mode": AutoresetMode.NEXT_STEP}

    def __init__(
        self, game_name: str, num_envs: int = 1, players: int | None = None, seat: int = 0,
        bots: str | Sequence[str] = "house", threads: int = 1, *, copy: bool = True, **options: Any,
    ) -> None:  # fmt: skip
        self.game = game(game_name, players, **options)
        self.num_envs, self.seat, self.threads, self.copy = num_envs, seat, threads, copy
        self.names = others(self.game, seat, bots)
        self.single_observation_space, self.single_action_space = space_of(self.game), self._actions()
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._batch: Batch | None = None
        self._never = np.zeros(num_envs, np.bool_)

    def _actions(self) -> spaces.Discrete:
        return spaces.Discrete(len(self.game.rules.ACTIONS))

    @property
    def batch(self) -> Batch:
        """The batch behind it; raises BadOption before the first reset."""
        if self._batch is None:
            raise BadOption(say("There is no match yet: reset the environment first."))
        return self._batch

    def reset(
        self, *, seed: int | Sequence[int] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, np.ndarray], dict[str, Any]]:
        """Begin matches everywhere: of these seeds (one, counted up, or one for each), or the next ones.

        `options` may hold `reset_mask`, the environments to begin anew.
        """
        mask = (options or {}).get("reset_mask")
        if seed is None and self._batch is not None:
            self.batch.reset(mask)
        else:
            first = int(np.random.default_rng().integers(1 << 62)) if seed is None else seed
            seeds = [first + k for k in range(self.num_envs)] if isinstance(first, (int, np.integer)) else first
            self.close_extras()
            self._batch = Batch(
                self.game, self.num_envs, self.threads, seed=list(seeds), auto_reset=False, bots=self.names,
                eye=self.seat,
            )  # fmt: skip
        return self._seen(), self._info()

    def step(
        self, actions: np.ndarray
    ) -> tuple[dict[str, np.ndarray], np.ndarray, np.ndarray, np.ndarray, dict[str, Any]]:
        """An action for each environment; what is given where a match has ended before is ignored."""
        ended = self.batch.arrays.ends.copy()
        arrays = self.batch.step(actions)
        if ended.any():
            self.batch.reset(ended)
        rewards = arrays.rewards[:, self.seat].astype(np.float64)
        return self._seen(), rewards, arrays.ends.copy(), self._never.copy(), self._info()

    def _seen(self) -> dict[str, np.ndarray]:
        arrays = self.batch.arrays
        seen = {"observation": arrays.observations, "action_mask": arrays.masks.view(np.int8)}
        return {key: array.copy() for key, array in seen.items()} if self.copy else seen

    def _info(self) -> dict[str, Any]:
        mask = self.batch.arrays.masks.view(np.int8)
        return {"action_mask": mask.copy() if self.copy else mask}

    def close_extras(self, **_: Any) -> None:
        """End the threads."""
        if self._batch is not None:
            self._batch.close()


for _name in game_names():
    if f"hexdeck/{camel_name(_name)}" not in gymnasium.registry:
        gymnasium.register(
            f"hexdeck/{camel_name(_name)}", SeatEnv, vector_entry_point=SeatVectorEnv, kwargs={"game_name": _name},
            order_enforce=True,
        )  # fmt: skip
