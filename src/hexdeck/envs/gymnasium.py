"""The games as Gymnasium environments, single and vectorised: one seat against chosen bots.

    import gymnasium, hexdeck.envs.gymnasium
    env = gymnasium.make("hexdeck/CursedHand-v3", players=4, seat=0, bots="house")
    many = gymnasium.make_vec("hexdeck/CursedHand-v3", num_envs=1024, threads=2, bots=["house", "random", "easy"])

Importing this module registers every game under the name of its newest version.
"""

import secrets
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import numpy as np

from hexdeck.bots.players.kinds import StrategyBot
from hexdeck.bots.players.simulation_bots import seated_bot
from hexdeck.engine.errors import BadOption, seat_of, shown, whole
from hexdeck.engine.play.playouts import listed_bots
from hexdeck.engine.text import _, say
from hexdeck.envs import names_of_versions, needed
from hexdeck.simulation.batch import Batch, checked
from hexdeck.simulation.environments import as_array
from hexdeck.simulation.game import Game, game

with needed():
    import gymnasium
    from gymnasium.vector import AutoresetMode, VectorEnv
    from gymnasium.vector.utils import batch_space

    from hexdeck.envs import single

MASKED = "reset_mask"
DEALS = 1000  # matches that a reset deals at most until the seat has something to decide


def opponents(game: Game, seat: Any, bots: str | Sequence[str]) -> list[str | None]:
    """The bot of each seat, None for the agent's; `bots` is one name for all or a name for each. Raises BadOption."""
    seat = seat_of(seat, game.players, error=BadOption)
    names = listed_bots(bots, game.players - 1)
    if len(names) != game.players - 1:
        text = _("Give one bot for all seats, or {seats}, one for each; not {bots}.")
        raise BadOption(say(text, bots=len(names), seats=game.players - 1))
    return [*names[:seat], None, *names[seat:]]


class SeatEnv(single.SingleEnv, gymnasium.Env):
    """One seat of a game; `bots` play the others: one name for all, or a name for each in the order of seats.

    The reward is the seat's utility at the end of the match. An illegal action ends the match with the reward
    `illegal_reward`, by default 1 less than the least result of a match; with None it raises IllegalMove. `reset` takes
    as `options` a dict with `rules`, a dict of options of the game for this match, and `number`.
    """

    metadata: ClassVar[dict[str, Any]] = {"render_modes": single.RENDER_MODES, "render_fps": 1}

    def __init__(
        self,
        game_name: str,
        players: int | None = None,
        seat: int = 0,
        bots: str | Sequence[str] = "house",
        render_mode: str | None = None,
        illegal_reward: single.Reward = single.BELOW,
        **options: Any,
    ) -> None:
        self.prepare(game(game_name, players, **options), render_mode, illegal_reward)
        self.names, self.seat = opponents(self.game, seat, bots), int(seat)
        self.watched = self.seat
        self.observation_space, self.action_space = single.observation_space(self.game), single.action_space(self.game)
        self._bots, self._ended = self._new_bots(0, 0), False

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, np.ndarray], dict[str, Any]]:
        """Begin a match and play it to the seat's first decision; where there is none, begin the next match instead.

        Raises BadOption if the seat has nothing to decide in so many matches that it seems never to have.
        """
        if seed is not None and single.whole_number("seed", seed) < 0:
            raise BadOption(say("A seed of this environment is a whole number from 0 on, not {given}.", given=seed))
        super().reset(seed=None if seed is None else single.whole_number("seed", seed))
        self._begin(seed, options)
        rules = {single.RULES: self.episodes.current.game.options}
        for _deal in range(DEALS):
            if not self.episodes.over:
                self.show()
                return self.observed(self.seat), self._info()
            self._begin(None, rules)
        raise no_decision(self.seat)

    def step(self, action: Any) -> tuple[dict[str, np.ndarray], float, bool, bool, dict[str, Any]]:
        """Apply the seat's action, then let the others act until it is asked again or the match is over.

        After a terminal step nothing happens any more, and the reward is 0.
        """
        match = self.episodes.current
        if self._ended:
            return self._answer(0.0)
        chosen = self.episodes.action(action)
        cost = None if chosen in match.legal_ids(self.seat) else self.penalty
        if cost is not None:
            self.episodes.stopped = True  # nobody decides anything any more
            return self._answer(cost)
        match.play(self.seat, chosen)
        self._others_play()
        return self._answer(match.returns()[self.seat] if match.over else 0.0)

    def action_masks(self) -> np.ndarray:
        """The action mask, bool, under the name that sb3-contrib's learners ask for."""
        return self.episodes.action_mask(self.seat).astype(np.bool_)

    def _begin(self, seed: int | None, options: Mapping[str, Any] | None) -> None:
        """Begin a match and play it until the seat is asked or it is over."""
        self.episodes.begin(seed, options)
        self._bots, self._ended = self._new_bots(self.episodes.seed, self.episodes.number), False
        self._others_play()

    def _answer(self, reward: float) -> tuple[dict[str, np.ndarray], float, bool, bool, dict[str, Any]]:
        self._ended = self.episodes.over
        self.show()
        return self.observed(self.seat), reward, self._ended, False, self._info()

    def _new_bots(self, seed: Any, number: int) -> list[Any]:
        """A bot for every other seat, with random numbers that follow from the match's seed and number.

        All strategies draw from one generator in turn, as they do in a batch.
        """
        backend, dice = self.episodes.backend, self.game.driver(self.episodes.backend).generator(seed, "bots", number)
        bots = [
            None if name is None else seated_bot(name, self.game, seed, seat, backend)
            for seat, name in enumerate(self.names)
        ]
        for player in bots:
            if isinstance(player, StrategyBot):
                player.rng = dice
            elif player is not None:
                player.begin(number)
        return bots

    def _others_play(self) -> None:
        """Let the others act until the seat is asked; of a simultaneous choice they make theirs after it, unseen."""
        match = self.episodes.current
        while match.acting and self.seat not in match.acting:
            seat, legal = match.actor, match.legal_ids(match.actor)
            asks = len(legal) > 1 or isinstance(self._bots[seat], StrategyBot)
            match.play(seat, self._bots[seat].choose(match.concealed(seat), seat) if asks else legal[0])

    def _info(self) -> dict[str, Any]:
        return {"action_mask": self.episodes.action_mask(self.seat)}

    def __getstate__(self) -> dict[str, Any]:
        return {key: value for key, value in vars(self).items() if key != "_bots"}

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Restore the bots' generators by replaying the match: the bots decide again what they decided."""
        self.__dict__.update(state)
        playing = self.episodes.match is not None
        self._bots = self._new_bots(self.episodes.seed if playing else 0, max(self.episodes.number, 0))
        if self.episodes.match is not None:
            again, self.episodes.match = self.episodes.match, self.episodes.replayed()
            self._others_play()
            for event in again.events:
                if event.seat == self.seat:
                    self.episodes.match.play(self.seat, event.id)
                    self._others_play()


def no_decision(seat: int) -> BadOption:
    """The error for a seat that never has anything to decide."""
    text = _("In {deals} matches seat {seat} had nothing to decide: choose other players, options or bots.")
    return BadOption(say(text, deals=DEALS, seat=seat))


class SeatVectorEnv(VectorEnv):
    """A vector environment in compiled code: in each match one seat is the agent's, and bots play the others.

    Environment k plays the same matches as `SeatEnv` with seed + k. Strategies and nets play in compiled code; other
    bots are asked choice by choice. `autoreset_mode` is Gymnasium's: a match that has ended is reset in the next step,
    or in the same one, whose info then has `final_obs` and `final_info`, or by the caller with `reset_mask`. An illegal
    action ends its match with the reward `illegal_reward`, as in `SeatEnv`. Without `copy` every step overwrites the
    arrays of the step before. Raises BadOption or UnknownBot.
    """

    metadata: dict[str, Any] = {"render_modes": [], "autoreset_mode": AutoresetMode.NEXT_STEP}  # noqa: RUF012

    def __init__(
        self,
        game_name: str,
        num_envs: int = 1,
        players: int | None = None,
        seat: int = 0,
        bots: str | Sequence[str] = "house",
        threads: int = 1,
        *,
        illegal_reward: single.Reward = single.BELOW,
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        copy: bool = True,
        render_mode: None = None,
        **options: Any,
    ) -> None:
        if render_mode is not None:
            raise BadOption(say("Several environments at once can't be drawn: make a single one to see it."))
        self.game = game(game_name, players, **options)
        names, (num_envs, threads, _first) = opponents(self.game, seat, bots), checked(num_envs, threads, 0)
        self.seat, self.copy, self.illegal_reward = int(seat), copy, single.checked_reward(illegal_reward)
        self._penalty, self.autoreset_mode = single.penalty(self.game, illegal_reward), checked_mode(autoreset_mode)
        self.metadata = {**self.metadata, "autoreset_mode": self.autoreset_mode}
        secret = [secrets.token_bytes(32) for _ in range(num_envs)]
        self.batch = Batch(self.game, num_envs, threads, seed=secret, auto_reset=False, eye=seat, bots=names)
        self.num_envs, self._begun = num_envs, False
        self.single_observation_space, self.single_action_space = (
            single.observation_space(self.game),
            single.action_space(self.game),
        )
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self._over, self._never = np.zeros(num_envs, np.bool_), np.zeros(num_envs, np.bool_)
        self._rows = np.arange(num_envs)

    def reset(
        self, *, seed: int | Sequence[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, np.ndarray], dict[str, Any]]:
        """Begin matches: of a seed (environment k has seed + k) or a seed for each; without one, the next matches.

        As in `SeatEnv`, a match in which the seat has nothing to decide is passed over for the next one. `options` may
        have `reset_mask`, the environments to reset, and `number`, the match of its seed that each begins. Rules are
        chosen when the environments are made. Raises BadOption.
        """
        chosen = single.checked_options(options, MASKED, single.NUMBER)
        if single.RULES in chosen:
            raise BadOption(
                say("Several environments at once share the same rules: choose them when you make the environments.")
            )
        number = chosen.get(single.NUMBER, None if self._begun else 0)
        number = None if number is None else single.whole_number(single.NUMBER, number)
        first = whole(seed)
        seeds: Any = seed if first is None else [first + k for k in range(self.num_envs)]
        self._deal(chosen.get(MASKED), seeds=seeds, number=number)
        self._over[slice(None) if chosen.get(MASKED) is None else chosen[MASKED]] = False
        self._begun = True
        return self._observed(), self._info()

    def step(self, actions: Any) -> tuple[dict[str, np.ndarray], np.ndarray, np.ndarray, np.ndarray, dict[str, Any]]:
        """Apply an action in each environment; actions for matches that have ended are ignored.

        Raises BadOption for a match that has ended where the caller resets.
        """
        if not self._begun:
            raise single.no_match_yet()
        again, arrays = self._over.copy(), self.batch.arrays
        if self.autoreset_mode is AutoresetMode.DISABLED and again.any():
            text = _(
                "Environment {env} has ended its match: with autoreset_mode Disabled, reset it before the next step."
            )
            raise BadOption(say(text, env=int(again.argmax())))
        chosen = as_array(actions)
        illegal = self._illegal(chosen) & ~again
        passed = illegal | again
        before = arrays.observations[illegal]
        valid = chosen.shape == passed.shape
        self.batch.step(np.where(passed, arrays.lists[:, 0], chosen) if valid else chosen)
        if again.any():
            self._deal(again)
        self._stop(illegal, before)
        ended, rewards = arrays.ends | illegal, arrays.rewards[:, self.seat].copy()
        final: dict[str, Any] = {}
        if self.autoreset_mode is AutoresetMode.SAME_STEP and ended.any():
            final = self._final(ended)
            self._deal(ended)
        else:
            self._over[:] = ended
        return self._observed(), rewards, ended, self._never.copy(), final | self._info()

    def _deal(self, chosen: np.ndarray | None, **how: Any) -> None:
        """Begin matches in some environments, or in all, until the seat has something to decide in each of them."""
        self.batch.reset(chosen, **how)
        for _deal in range(DEALS):
            idle = self.batch.arrays.counts == 0
            if chosen is not None:
                idle &= chosen
            if not idle.any():
                return
            self.batch.reset(idle)
        raise no_decision(self.seat)

    def _final(self, ended: np.ndarray) -> dict[str, Any]:
        """The final observations and infos of matches that have ended, in the form that Gymnasium defines."""
        arrays = self.batch.arrays
        masks = np.where(ended[:, None], arrays.masks, False).astype(np.int8)
        observations = np.full(self.num_envs, None, object)
        for env in np.flatnonzero(ended):
            observations[env] = {"observation": arrays.observations[env].copy(), "action_mask": masks[env].copy()}
        info = {"action_mask": masks, "_action_mask": ended.copy()}
        return {"final_obs": observations, "_final_obs": ended.copy(), "final_info": info, "_final_info": ended.copy()}

    def _illegal(self, chosen: np.ndarray) -> np.ndarray:
        """Which environments get an illegal action that ends their match, bool; the batch refuses malformed actions."""
        arrays, actions = self.batch.arrays, self.single_action_space.n
        if self._penalty is None or chosen.shape != (self.num_envs,) or chosen.dtype.kind not in "iu":
            return self._never
        listed_actions = (chosen >= 0) & (chosen < actions)
        legal = arrays.masks[self._rows, np.where(listed_actions, chosen, 0)] & listed_actions
        illegal: np.ndarray = ~legal & (arrays.counts > 0)
        return illegal

    def _stop(self, illegal: np.ndarray, before: np.ndarray) -> None:
        """End matches after an illegal action: the observation stays as it was, and the mask becomes all true."""
        if illegal.any():
            arrays = self.batch.arrays
            arrays.observations[illegal], arrays.masks[illegal] = before, True
            arrays.rewards[illegal, self.seat] = self._penalty

    def _observed(self) -> dict[str, np.ndarray]:
        arrays = self.batch.arrays
        observed = {"observation": arrays.observations, "action_mask": arrays.masks.view(np.int8)}
        return {key: array.copy() for key, array in observed.items()} if self.copy else observed

    def _info(self) -> dict[str, Any]:
        mask = self.batch.arrays.masks.view(np.int8)
        return {"action_mask": mask.copy() if self.copy else mask, "_action_mask": ~self._never}

    def close_extras(self, **_: Any) -> None:
        """Stop the threads."""
        self.batch.close()


def checked_mode(mode: Any) -> AutoresetMode:
    """An autoreset mode of Gymnasium, given as such or by its value; raises BadOption."""
    try:
        return AutoresetMode(mode)
    except ValueError:
        text = _("There is no autoreset mode {mode}; there are {there}.")
        names = ", ".join(choice.value for choice in AutoresetMode)
        raise BadOption(say(text, mode=shown(mode), there=names)) from None


for _name, _module, _camel in names_of_versions():
    if f"hexdeck/{_camel}" not in gymnasium.registry:
        gymnasium.register(
            f"hexdeck/{_camel}",
            SeatEnv,
            vector_entry_point=SeatVectorEnv,
            kwargs={"game_name": _name},
            order_enforce=True,
        )
