"""The games as PettingZoo environments.

    from hexdeck.envs.pettingzoo import cursed_hand_v3
    env = cursed_hand_v3.env(players=4, losses=3, render_mode="ansi")

There is a module for each game and its newest version, with `env`, `raw_env` and `parallel_env`; the same functions
here take the game's name first. The modules are generated. Importing this module also registers the games with
PettingZoo: `pettingzoo.make("aec", "hexdeck/CursedHand-v3")`, or `"parallel"`.
"""

import functools
import inspect
import re
import sys
from collections.abc import Callable, Mapping, Sequence
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any

import numpy as np

from hexdeck.engine.discovery.finding import find_game
from hexdeck.engine.errors import BadMove, BadOption, IllegalMove, UnknownGame, shown
from hexdeck.engine.play.match import Match
from hexdeck.engine.text import _, say
from hexdeck.envs import needed
from hexdeck.simulation.game import Game, game

with needed():
    from pettingzoo import AECEnv, ParallelEnv, aec_registry, parallel_registry, register
    from pettingzoo.utils.env import AECIterable

    from hexdeck.envs.single import BELOW, RENDER_MODES, Reward, SingleEnv, action_space, observation_space
from hexdeck.envs import module_name, names_of_versions


class PettingZooEnv(SingleEnv):
    """A game whose seats are agents named `player_0` and so on.

    `parallel`: what PettingZoo's converters read as `is_parallelizable`. It is False for the AEC form, since seats take
    turns; `parallel_env` makes the parallel form.
    """

    def __init__(self, game: Game, render_mode: str | None, illegal_reward: Reward, *, parallel: bool) -> None:
        self.prepare(game, render_mode, illegal_reward)
        name = module_name(game.name)
        self.metadata = {"name": name, "render_modes": RENDER_MODES, "is_parallelizable": parallel, "render_fps": 1}
        self.possible_agents = [f"player_{seat}" for seat in range(game.players)]
        self.agents: list[str] = []
        self.seat_of = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self.observation_spaces = {agent: observation_space(game) for agent in self.possible_agents}
        self.action_spaces = {agent: action_space(game) for agent in self.possible_agents}

    def observation_space(self, agent: str) -> Any:
        """An agent's observation space; see `hexdeck.envs.single.observation_space`."""
        self.seat(agent)
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        """An agent's action space: a number for every action of the game."""
        self.seat(agent)
        return self.action_spaces[agent]

    def seat(self, agent: Any) -> int:
        """The seat of an agent; raises BadOption for an unknown agent."""
        if not isinstance(agent, str) or agent not in self.seat_of:
            text = _("There is no agent {agent}; there are {there}.")
            raise BadOption(say(text, agent=shown(agent), there=", ".join(self.possible_agents)))
        return self.seat_of[agent]


# --- in turn: those of a simultaneous secret choice in the order of seats, unseen by others ---------------------------
class GameAECEnv(PettingZooEnv, AECEnv):
    """A game as an AEC environment; see `hexdeck.envs.pettingzoo.env`."""

    def __init__(self, game: Game, render_mode: str | None = None, illegal_reward: Reward = None) -> None:
        AECEnv.__init__(self)
        PettingZooEnv.__init__(self, game, render_mode, illegal_reward, parallel=False)
        self._idle = np.ones(len(game.rules.ACTIONS), np.int8)  # the mask of agents that have nothing to decide
        self._idle.flags.writeable = False
        self._observed: tuple[np.ndarray, np.ndarray] | None = None  # the selected agent's observation and mask

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a match; see `hexdeck.envs.single.Episodes.begin` for seed and options."""
        self.episodes.begin(seed, options)
        self.agents = self.possible_agents[:]
        self.rewards: dict[str, float] = dict.fromkeys(self.agents, 0)
        self._cumulative_rewards: dict[str, float] = dict.fromkeys(self.agents, 0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {"action_mask": self._idle.copy()} for agent in self.agents}
        self.agent_selection = self.agents[0]
        self._go_on(self.episodes.current)
        self.show()

    def step(self, action: Any) -> None:
        """Apply the selected agent's action; an illegal one ends the match, or raises IllegalMove without a reward."""
        if self._observed is None:
            self.episodes.require()
            self._was_dead_step(action)
            return
        agent, match, chosen = self.agent_selection, self.episodes.current, self.episodes.action(action)
        try:
            match.play(self.seat_of[agent], chosen)
        except IllegalMove:
            cost = self.penalty
            if cost is None:
                raise
            self._stop(agent, cost)
        else:
            self._cumulative_rewards[agent] = 0
            self.infos[agent] = {"action_mask": self._idle.copy()}
            self._go_on(match)
        self.show()

    def agent_iter(self, max_iter: int = 2**63) -> AECIterable[str, Any, Any]:
        """Iterate over selected agents until the match is over; raises BadOption before the first reset."""
        self.episodes.require()
        return AECEnv.agent_iter(self, max_iter)

    def last(self, observe: bool = True) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """The selected agent's observation, reward, termination, truncation, info; BadOption before the first reset."""
        if not self.agents:
            self.episodes.require()
        agent, mask = self.agent_selection, self._observed[1] if self._observed else self._idle
        observation = self.observe(agent) if observe else None
        self.infos[agent] = {"action_mask": mask.copy()}  # whatever was written into the one before
        reward, over, cut = self._cumulative_rewards[agent], self.terminations[agent], self.truncations[agent]
        return observation, reward, over, cut, self.infos[agent]

    def _go_on(self, match: Match) -> None:
        """Select the next agent, or distribute the rewards of a match that is over."""
        if match.actor >= 0:
            self._select(match.actor)
            return
        self.rewards = dict(zip(self.possible_agents, match.returns(), strict=True))
        self._end()

    def _select(self, seat: int) -> None:
        """Select a seat's agent; its observation and its info both have the action mask."""
        self.agent_selection = agent = self.possible_agents[seat]
        self._observed = self.episodes.observe(seat)
        self.infos[agent] = {"action_mask": self._observed[1].copy()}

    def _stop(self, agent: str, reward: float) -> None:
        """End the match after an agent's illegal action."""
        self.episodes.stopped = True  # nobody decides anything any more
        self.infos = {player: {"action_mask": self._idle.copy()} for player in self.agents}
        self._cumulative_rewards[agent], self.rewards[agent] = 0, reward
        self._end()

    def _end(self) -> None:
        """Terminate all agents with their rewards; they leave in turn by stepping with None."""
        self._observed, self.terminations = None, dict.fromkeys(self.agents, True)
        self._accumulate_rewards()
        self.agent_selection = self.agents[0]

    def _was_dead_step(self, action: None) -> None:
        """Remove the selected agent of a match that has ended; raises ValueError for an action."""
        if action is not None:
            raise ValueError(
                str(say("The match is over: {agent} can only step with None.", agent=self.agent_selection))
            )
        agent = self.agents.pop(0)
        for table in (self.terminations, self.truncations, self.rewards, self._cumulative_rewards, self.infos):
            del table[agent]
        self._clear_rewards()
        if self.agents:
            self.agent_selection = self.agents[0]

    def observe(self, agent: str) -> dict[str, np.ndarray]:
        """An agent's observation and action mask; the mask is all ones unless the agent has a decision."""
        if self._observed is not None and agent == self.agent_selection:
            observation, mask = self._observed
            return {"observation": observation.copy(), "action_mask": mask.copy()}
        return {"observation": self.episodes.observe(self.seat(agent))[0], "action_mask": self._idle.copy()}

    @property
    def watched(self) -> int:  # type: ignore[override]
        """The selected agent's seat; the public at the end."""
        return -1 if self.episodes.over else self.seat_of[self.agent_selection]

    def close(self) -> None:
        """Do nothing: there are no resources to release."""


# --- at once, without knowing the others' actions ---------------------------------------------------------------------
Step = tuple[dict[str, Any], dict[str, float], dict[str, bool], dict[str, bool], dict[str, Any]]


class GameParallelEnv(PettingZooEnv, ParallelEnv):
    """A game as a parallel environment; see `hexdeck.envs.pettingzoo.parallel_env`."""

    def __init__(self, game: Game, render_mode: str | None = None, illegal_reward: Reward = None) -> None:
        PettingZooEnv.__init__(self, game, render_mode, illegal_reward, parallel=True)

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        """Begin a match; see `hexdeck.envs.single.Episodes.begin` for seed and options."""
        self.episodes.begin(seed, options)
        self.agents = self.possible_agents[:]
        self.show()
        return self._observations()

    def step(self, actions: Mapping[str, int]) -> Step:
        """Apply the actions of all agents that may act; those of others are ignored.

        Raises BadMove when the action of an agent that may act is missing. After the match all dicts are empty.
        """
        match = self.episodes.current
        if not self.agents:
            return {}, {}, {}, {}, {}
        if not isinstance(actions, Mapping):
            text = _("A step takes a dict with an action for each agent that may act, not {given}.")
            raise BadMove(say(text, given=shown(actions)))
        chosen = {seat: self._action(actions, self.possible_agents[seat]) for seat in match.acting}
        wrong = [seat for seat, action in chosen.items() if action not in match.legal_ids(seat)]
        if wrong:
            cost = self.penalty
            if cost is None:
                match.copy_position().play(wrong[0], chosen[wrong[0]])  # raises IllegalMove; no choice has taken effect
            return self._stopped(wrong, cost or 0.0)
        for seat, action in chosen.items():
            match.play(seat, action)
        self.show()
        results = match.returns() if match.over else (0.0,) * self.game.players
        return self._ended(dict(zip(self.possible_agents, results, strict=True)), match.over)

    def _action(self, actions: Mapping[str, int], agent: str) -> int:
        if agent not in actions:
            raise BadMove(say("{agent} may act, but no action was given for it.", agent=agent))
        return self.episodes.action(actions[agent])

    def _stopped(self, wrong: Sequence[int], reward: float) -> Step:
        """End the match after illegal actions: their seats get `reward`, the others 0."""
        self.episodes.stopped = True  # nobody decides anything any more
        self.show()
        rewards = {agent: reward if seat in wrong else 0.0 for agent, seat in self.seat_of.items()}
        return self._ended(rewards, over=True)

    def _ended(self, rewards: dict[str, float], over: bool) -> Step:
        observations, infos = self._observations()
        agents, self.agents = self.agents, [] if over else self.agents
        return observations, rewards, dict.fromkeys(agents, over), dict.fromkeys(agents, False), infos

    def _observations(self) -> tuple[dict[str, Any], dict[str, Any]]:
        """Every agent's observation, and its info: whether it may act. Only the observation has the action mask."""
        acting = () if self.episodes.stopped else self.episodes.current.acting
        observations = {agent: self.observed(seat) for seat, agent in enumerate(self.possible_agents)}
        return observations, {agent: {"acting": seat in acting} for agent, seat in self.seat_of.items()}


# --- modules ----------------------------------------------------------------------------------------------------------


def raw_env(name: str, players: int | None = None, render_mode: str | None = None, **options: Any) -> GameAECEnv:
    """The AEC environment of a game without wrappers; an illegal action raises IllegalMove."""
    return GameAECEnv(game(name, players, **options), render_mode)


def env(
    name: str,
    players: int | None = None,
    render_mode: str | None = None,
    illegal_reward: Reward = BELOW,
    **options: Any,
) -> GameAECEnv:
    """The AEC environment of a game; an illegal action ends the match: its seat gets `illegal_reward`, the others 0.

    By default that is 1 less than the least result of a match; with None it raises IllegalMove. `reset` takes as
    `options` a dict with `rules`, a dict of options of the game for this match, and `number`.
    """
    return GameAECEnv(game(name, players, **options), render_mode, illegal_reward)


def parallel_env(
    name: str,
    players: int | None = None,
    render_mode: str | None = None,
    illegal_reward: Reward = BELOW,
    **options: Any,
) -> GameParallelEnv:
    """The parallel environment of a game: all seats that may act do so in one step; actions of others are ignored.

    An illegal action ends the match, as in `env`.
    """
    return GameParallelEnv(game(name, players, **options), render_mode, illegal_reward)


def _of_game(function: Callable[..., Any], name: str, module: str) -> Callable[..., Any]:
    """A function for one game, in a module: with a signature that help shows, and such that it can be pickled."""

    @functools.wraps(function)
    def made(*args: Any, **how: Any) -> Any:
        return function(name, *args, **how)

    vars(made)["__signature__"] = inspect.signature(functools.partial(function, name))
    made.__module__ = module
    return made


def _module(module: str, name: str) -> ModuleType:
    module_object = ModuleType(
        f"{__name__}.{module}", f"{name} as a PettingZoo environment: `env`, `raw_env`, `parallel_env`."
    )
    for function in (env, raw_env, parallel_env):
        vars(module_object)[function.__name__] = _of_game(function, name, module_object.__name__)
    vars(module_object)["__all__"] = ["env", "parallel_env", "raw_env"]
    module_object.__spec__ = ModuleSpec(module_object.__name__, None)
    return module_object


def __getattr__(name: str) -> Any:
    """Tell type checkers that games' modules are attributes; raises ImportError where there is another version."""
    versioned = re.fullmatch(r"(\w+)_v\d+", name)
    try:
        game_module = module_name(find_game(versioned[1])) if versioned else ""
    except UnknownGame:
        game_module = ""
    if game_module:
        text = _("There is no environment {name} here, but {there}; its page says what has changed.")
        raise ImportError(str(say(text, name=name, there=game_module)))
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


for _game, _name, _camel in names_of_versions():
    globals()[_name] = sys.modules[f"{__name__}.{_name}"] = _module(_name, _game)
    _id = f"hexdeck/{_camel}"
    if _id not in aec_registry:
        register("aec", _id, functools.partial(env, _game))
    if _id not in parallel_registry:
        register("parallel", _id, functools.partial(parallel_env, _game))
__all__ = ["env", "parallel_env", "raw_env", *(name for _, name, _ in names_of_versions())]  # noqa: PLE0604 - the names are strings
