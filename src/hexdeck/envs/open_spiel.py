"""The games as OpenSpiel games, explicit chance included.

    import pyspiel, hexdeck.envs.open_spiel
    game = pyspiel.load_game("python_hexdeck_cursed_hand(players=3,deck=2_2_1)")

Every game is registered when this module is imported; its parameters are `players` and the game's options, lists of
numbers joined by underscores (`2_2_1`, and `5_` for one). Seats that
choose in secret at once do so one after the other, the lowest first, and the others can't tell. The information state
string is all that a seat has done and learnt since the beginning, in words and fields; the tensor of an information
state is what the seat knows now and its last `RECALLED` actions.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import pyspiel

from hexdeck.engine.game import Game, game, game_module, game_names
from hexdeck.envs.histories import Desk, History, desk

LONGEST = 1_000_000  # decisions, and chance events, in a match; all are finite, and shorter than this by far
NUMBERS = re.compile(r"[0-9]+([-_][0-9]+)*_?")
RECALLED = 8  # own actions in the tensor of an information state


def short_name(name: str) -> str:
    """What a game is called in OpenSpiel."""
    return f"python_hexdeck_{name.replace('-', '_')}"


def parameters(name: str) -> dict[str, Any]:
    """The parameters of a game and what they usually are."""
    usual = game(name)
    return {"players": usual.players, **{option.name: written(option.default) for option in usual.rules.OPTIONS}}


def written(value: Any) -> Any:
    """The value of an option as a parameter: OpenSpiel takes numbers joined by hyphens for one number, so `1_2_3`."""
    return value.replace("-", "_").ljust(2, "_") if isinstance(value, str) and NUMBERS.fullmatch(value) else value


def read(value: Any) -> Any:
    """The value of an option that stands in a parameter."""
    return value.strip("_").replace("_", "-") if isinstance(value, str) and NUMBERS.fullmatch(value) else value


def load(chosen: Game) -> Any:
    """A Game as OpenSpiel loads it."""
    options = {key: written(value) for key, value in chosen.options.items()}
    return pyspiel.load_game(short_name(chosen.name), {"players": chosen.players, **options})


def game_type(name: str, total: float | None) -> Any:
    """The type of a game whose utilities add up to `total`, or None."""
    low, high = game_module(name, "rules").PLAYERS
    kinds = pyspiel.GameType.Utility
    return pyspiel.GameType(
        short_name=short_name(name), long_name=str(game_module(name, "table").TITLE),
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
        information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
        utility=kinds.GENERAL_SUM if total is None else kinds.CONSTANT_SUM if total else kinds.ZERO_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL, max_num_players=high, min_num_players=low,
        provides_information_state_string=True, provides_information_state_tensor=True,
        provides_observation_string=True, provides_observation_tensor=True, parameter_specification=parameters(name),
    )  # fmt: skip


def game_info(chosen: Game, least: float, greatest: float, total: float | None) -> Any:
    """The numbers of a game."""
    sums = {} if total is None else {"utility_sum": total}
    return pyspiel.GameInfo(
        num_distinct_actions=len(chosen.rules.ACTIONS), max_chance_outcomes=len(chosen.rules.OUTCOMES),
        num_players=chosen.players, min_utility=least, max_utility=greatest, max_game_length=LONGEST, **sums,
    )  # fmt: skip


class TableGame(pyspiel.Game):
    """A game with its players and options; raises BadOption for what can't be. Each game has a class of its own."""

    name: str

    def __init__(self, given: Mapping[str, Any] | None = None) -> None:
        name = self.name
        chosen = {**parameters(name), **(given or {})}
        self.table = game(name, **{key: read(value) for key, value in chosen.items()})
        least, greatest, total = game_module(name, "bounds").bounds(self.table.players, self.table.options)
        info = game_info(self.table, least, greatest, total)
        super().__init__(game_type(name, total), info, dict(given or {}))
        self.desk = desk(name, self.table.players, tuple(self.table.options.items()))

    def new_initial_state(self, *_: Any) -> TableState:
        """The state before anything has happened."""
        return TableState(self)

    def make_py_observer(self, kind: Any = None, params: Mapping[str, Any] | None = None) -> TableObserver:
        """Something that tells what a player, or the public, knows."""
        return TableObserver(self.desk, kind or pyspiel.IIGObservationType(perfect_recall=False), params)

    def max_chance_nodes_in_history(self) -> int:
        """A bound that no match comes near."""
        return LONGEST


class TableState(pyspiel.State):
    """A history of a game."""

    def __init__(self, game: TableGame) -> None:
        super().__init__(game)
        self.past: History = game.desk.root

    def current_player(self) -> int:
        """The lowest seat to act, chance, or nobody."""
        if self.past.over:
            return int(pyspiel.PlayerId.TERMINAL)
        return self.past.actor if self.past.actor >= 0 else int(pyspiel.PlayerId.CHANCE)

    def _legal_actions(self, player: int) -> list[int]:
        if player == self.past.actor:
            return list(self.past.choices)
        return self.past.desk.legal(self.past.world, player)

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """The outcomes open to chance, and how likely they are."""
        return self.past.desk.chances(self.past.world)

    def _apply_action(self, action: int) -> None:
        self.past = self.past.then(action)

    def _action_to_string(self, player: int, action: int) -> str:
        rules = self.past.desk.rules
        return str(rules.OUTCOMES[action] if player == pyspiel.PlayerId.CHANCE else rules.ACTIONS[action])

    def is_terminal(self) -> bool:
        """Whether the match is over."""
        return self.past.over

    def returns(self) -> list[float]:
        """Everybody's utility; zeros while the match goes on."""
        players = self.past.desk.game.players
        return self.past.desk.results(self.past.world) if self.past.over else [0.0] * players

    def resample_from_infostate(self, player: int, sampler: Callable[[], float]) -> TableState:
        """A state that a player thinks possible, uniform over the cards it doesn't know.

        It has no history of events, which would tell what was dealt; the player's information state is the same.
        """
        other: TableState = self.get_game().new_initial_state()
        seed = int(sampler() * (1 << 31)) << 31 | int(sampler() * (1 << 31))
        other.past = self.past.resampled(player, seed)
        return other

    def __str__(self) -> str:
        return str(self.past)


class TableObserver:
    """What a player knows, as a tensor (float32, `dict` by the game's SLICES) and as a string.

    With perfect recall the string is all that the player has done and learnt, and the tensor has its last actions too.
    Of private information it tells the player's own, or none; that alone, without what is public, as a string only.
    """

    tensor: np.ndarray | None
    dict: Mapping[str, np.ndarray]

    def __init__(self, desk: Desk, kind: Any, params: Mapping[str, Any] | None) -> None:
        own, none = pyspiel.PrivateInfoType.SINGLE_PLAYER, pyspiel.PrivateInfoType.NONE
        if params or kind.private_info not in (own, none):
            raise ValueError("An observer tells a player's own private information or none; it has no parameters.")
        self.desk, self.recall, self.public = desk, kind.perfect_recall, kind.private_info == none
        self.private = not kind.public_info
        self.tensor, self.dict = None, {}
        if not self.private:
            self._lay_out(desk)

    def _lay_out(self, desk: Desk) -> None:
        """The tensor and its parts by name."""
        self.size, self.actions = desk.game.observation_size, len(desk.rules.ACTIONS)
        remembered = RECALLED * self.actions if self.recall and not self.public else 0
        self.tensor = np.zeros(desk.game.players + self.size + remembered, np.float32)
        start = desk.game.players
        self.dict = {"player": self.tensor[:start]}
        self.dict |= {name: self.tensor[start + a : start + b] for name, (a, b) in desk.rules.SLICES.items()}
        if remembered:
            self.dict["own_actions"] = self.tensor[start + self.size :].reshape(RECALLED, self.actions)

    def set_from(self, state: TableState, player: int) -> None:
        """Write what a player knows of a state."""
        if self.tensor is None:
            return
        past, start = state.past, self.desk.game.players
        self.tensor.fill(0)
        if not self.public:
            self.tensor[player] = 1
        self.tensor[start : start + self.size] = self.desk.observation(past.world, -1 if self.public else player)
        if "own_actions" in self.dict:
            for row, action in enumerate(own_actions(past, player)):
                self.dict["own_actions"][row, action] = 1

    def string_from(self, state: TableState, player: int) -> str:
        """The same in words; of private information alone, the fields that the public knows otherwise."""
        if self.private:
            return "" if self.public else self.desk.secrets(state.past.world, player)
        seat = -1 if self.public else player
        return state.past.told_to(seat) if self.recall else self.desk.words(state.past.world, seat)


def own_actions(past: History, player: int) -> list[int]:
    """The last actions of a player, the newest first."""
    found: list[int] = []
    one: History | None = past
    while one is not None and one.parent is not None and len(found) < RECALLED:
        if one.seat == player:
            found.append(one.action)
        one = one.parent
    return found


def _register(name: str) -> None:
    usual = game(name)
    total = game_module(name, "bounds").bounds(usual.players, usual.options)[2]
    own = type(f"{name.title().replace('-', '')}Game", (TableGame,), {"name": name, "__doc__": f"{name} in OpenSpiel."})
    globals()[own.__name__] = own  # where pickle looks for it
    pyspiel.register_game(game_type(name, total), own)


for _name in game_names():
    if short_name(_name) not in pyspiel.registered_names():
        _register(_name)
