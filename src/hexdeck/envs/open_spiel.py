"""The games as OpenSpiel games, explicit chance included.

    import pyspiel, hexdeck.envs.open_spiel
    game = pyspiel.load_game("python_hexdeck_cursed_hand(players=3,deck=2_2_1)")

Every game is registered when this module is imported; its parameters are `players` and the game's options, lists of
numbers joined by underscores (`2_2_1`, and `5_` for one). Seats that
choose in secret at once do so one after the other, the lowest first, and the others can't tell. The information state
string is all that a seat has done and learnt since the beginning, in words and fields; the tensor of an information
state is the same in numbers: what the seat knows now, and a row for each event that it did or noticed.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import numpy as np
import pyspiel

from hexdeck.engine.arguments import seat_of
from hexdeck.engine.discovery.definition import definition, playable
from hexdeck.engine.errors import BadOption, IllegalMove
from hexdeck.engine.text import _, say
from hexdeck.envs.histories import Desk, History, Noticed, desk
from hexdeck.simulation.game import Game, game

NUMBERS = re.compile(r"[0-9]+([-_][0-9]+)*_?")
BITS = np.arange(32)  # of the hash of all public events, in the tensor of an information state
NOBODY = int(pyspiel.PlayerId.TERMINAL)
PRIVATE = pyspiel.PrivateInfoType


def short_name(name: str) -> str:
    """What a game is called in OpenSpiel."""
    return f"python_hexdeck_{name.replace('-', '_')}"


def parameters(name: str) -> dict[str, Any]:
    """The parameters of a game and what they usually are."""
    usual = game(name)
    return {"players": usual.players, **{option.name: written(option.default) for option in usual.rules.OPTIONS}}


def written(value: Any) -> Any:
    """The value of an option as a parameter: OpenSpiel takes digits and hyphens for one number, so `1_2_3` and `9_`."""
    if not isinstance(value, str) or not NUMBERS.fullmatch(value):
        return value
    return value.replace("-", "_") if "-" in value else f"{value}_"


def read(value: Any) -> Any:
    """The value of an option that stands in a parameter."""
    return value.strip("_").replace("_", "-") if isinstance(value, str) and NUMBERS.fullmatch(value) else value


def load(chosen: Game) -> Any:
    """A Game as OpenSpiel loads it."""
    options = {key: written(value) for key, value in chosen.options.items()}
    return pyspiel.load_game(short_name(chosen.name), {"players": chosen.players, **options})


def lengths(chosen: Game) -> tuple[int, int]:
    """The most decisions and the most chance events of a match."""
    longest: tuple[int, int] = chosen.bounds.lengths(chosen.players, chosen.options)
    return longest


def game_type(name: str, total: float | None) -> Any:
    """The type of a game whose utilities add up to `total`, or None."""
    low, high = definition(name).rules.PLAYERS
    kinds = pyspiel.GameType.Utility
    return pyspiel.GameType(
        short_name=short_name(name), long_name=str(definition(name).table.TITLE),
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
        information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
        utility=kinds.GENERAL_SUM if total is None else kinds.CONSTANT_SUM if total else kinds.ZERO_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL, max_num_players=high, min_num_players=low,
        provides_information_state_string=True, provides_information_state_tensor=True,
        provides_observation_string=True, provides_observation_tensor=True, parameter_specification=parameters(name),
    )  # fmt: skip


def game_info(chosen: Game, least: float, greatest: float, total: float | None) -> Any:
    """The numbers of a game; its length is counted in decisions, without chance."""
    sums = {} if total is None else {"utility_sum": total}
    longest = lengths(chosen)[0]
    return pyspiel.GameInfo(
        num_distinct_actions=len(chosen.rules.ACTIONS), max_chance_outcomes=len(chosen.rules.OUTCOMES),
        num_players=chosen.players, min_utility=least, max_utility=greatest, max_game_length=longest, **sums,
    )  # fmt: skip


class TableGame(pyspiel.Game):
    """A game with its players and options; raises BadOption for what can't be. Each game has a class of its own."""

    name: str

    def __init__(self, given: Mapping[str, Any] | None = None) -> None:
        name = self.name
        chosen = {**parameters(name), **(given or {})}
        self.table = game(name, **{key: read(value) for key, value in chosen.items()})
        least, greatest, total = self.table.bounds.bounds(self.table.players, self.table.options)
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
        """No match has more events of chance."""
        return lengths(self.table)[1]


class TableState(pyspiel.State):
    """A history of a game."""

    def __init__(self, game: TableGame) -> None:
        super().__init__(game)
        self.past: History = game.desk.root

    def current_player(self) -> int:
        """The lowest seat to act, chance, or nobody."""
        past = self.past
        return NOBODY if past.over else past.actor

    def _legal_actions(self, player: int) -> list[int]:
        past = self.past
        return past.choices if player == past.actor else past.desk.legal(past.world, player)

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """The outcomes open to chance, and how likely they are."""
        return self.past.chances

    def _apply_action(self, action: int) -> None:
        self.past = self.past.then(action)

    def _action_to_string(self, player: int, action: int) -> str:
        rules = self.past.desk.rules
        names = rules.OUTCOMES if player == pyspiel.PlayerId.CHANCE else rules.ACTIONS
        if not 0 <= action < len(names):
            text = _("There is no action {action}; actions are 0 to {last}.")
            raise IllegalMove(say(text, action=action, last=len(names) - 1))
        return str(names[action])

    def is_terminal(self) -> bool:
        """Whether the match is over."""
        return self.past.over

    def returns(self) -> list[float]:
        """Everybody's utility; zeros while the match goes on."""
        players = self.past.desk.game.players
        return self.past.desk.results(self.past.world) if self.past.over else [0.0] * players

    def resample_from_infostate(self, player: int, sampler: Callable[[], float]) -> TableState:
        """A state that a player thinks possible, uniform over the cards it doesn't know.

        It has no history of events, which would tell what was dealt. The player's information state is the same, as a
        string and as a tensor; what the others remember begins here, with what they know of the cards they now have.
        """
        player = seat_of(player, self.past.desk.game.players)
        other: TableState = self.get_game().new_initial_state()
        seed = int(sampler() * (1 << 31)) << 31 | int(sampler() * (1 << 31))
        other.past = self.past.resampled(player, seed)
        return other

    def __str__(self) -> str:
        return str(self.past)


class TableObserver:
    """What a player knows, as a tensor (float32, `dict` by the game's SLICES) and as a string.

    With perfect recall the string is all that the player has done and learnt, and the tensor has a row for each event
    that it did or noticed, in order: in `actions` its own action, or none, in `observations` what it knew after, and in
    `public` some bits that follow from all that everybody saw: what was shown and gathered again in one event differs
    in them alone. Of private information it tells the player's own, or none, or everybody's, one below the other; that
    alone, without what is public, as a string only.
    """

    tensor: np.ndarray | None
    dict: Mapping[str, np.ndarray]

    def __init__(self, desk: Desk, kind: Any, params: Mapping[str, Any] | None) -> None:
        if params:
            raise BadOption(
                say("An observer of this game takes no parameters, so not {given}.", given=", ".join(params))
            )
        self.desk, self.recall, self.sees = desk, kind.perfect_recall, kind.private_info
        self.private = not kind.public_info
        self.tensor, self.dict = None, {}
        if not self.private:
            self._lay_out(desk, len(list(self._seats(0))))

    def _seats(self, player: int) -> Iterable[int]:
        """Whose knowledge it tells to a player; -1 is the public."""
        everybody = range(self.desk.game.players)
        return everybody if self.sees == PRIVATE.ALL_PLAYERS else (player,) if self.sees != PRIVATE.NONE else (-1,)

    def _lay_out(self, desk: Desk, seats: int) -> None:
        """The tensor and its parts by name, each a piece of it: OpenSpiel copies them as they lie."""
        rules, rows = desk.rules, sum(lengths(desk.game)) if self.recall else 0
        shapes: dict[str, tuple[int, ...]] = {name: (seats, end - begin) for name, (begin, end) in rules.SLICES.items()}
        if self.recall:
            shapes["actions"] = seats, rows, len(rules.ACTIONS)
            shapes["observations"] = seats, rows, desk.game.observation_size
            shapes["public"] = seats, rows, len(BITS)
        sizes = [desk.game.players, *(int(np.prod(shape)) for shape in shapes.values())]
        self.tensor = np.zeros(sum(sizes), np.float32)
        self.player, *pieces = np.split(self.tensor, np.cumsum(sizes)[:-1])
        self.parts = {name: piece.reshape(shapes[name]) for name, piece in zip(shapes, pieces, strict=True)}
        alone = self.sees != PRIVATE.ALL_PLAYERS
        self.dict = {"player": self.player} | {key: part[0] if alone else part for key, part in self.parts.items()}

    def set_from(self, state: TableState, player: int) -> None:
        """Write what a player knows of a state."""
        player = seat_of(player, self.desk.game.players)
        if self.tensor is None:
            return
        self.tensor.fill(0)
        if self.sees != PRIVATE.NONE:
            self.player[player] = 1
        for k, seat in enumerate(self._seats(player)):
            known = self.desk.observation(state.past.world, seat)
            for name, (begin, end) in self.desk.rules.SLICES.items():
                self.parts[name][k] = known[begin:end]
            if self.recall:
                self._write_past(k, state.past.noticed_by(seat))

    def _write_past(self, k: int, noticed: list[Noticed]) -> None:
        for row, (action, public, observation) in enumerate(noticed):
            self.parts["observations"][k, row] = np.frombuffer(observation, np.int8)
            self.parts["public"][k, row] = public >> BITS & 1
            if action >= 0:
                self.parts["actions"][k, row, action] = 1

    def string_from(self, state: TableState, player: int) -> str:
        """The same in words; of private information alone, the fields that the public knows otherwise."""
        player = seat_of(player, self.desk.game.players)
        told = [self._told(state.past, seat) for seat in self._seats(player)]
        return "\n".join(told)

    def _told(self, past: History, seat: int) -> str:
        if self.private:
            return "" if seat < 0 else self.desk.secrets(past.world, seat)
        return past.told_to(seat) if self.recall else self.desk.words(past.world, seat)


def _register(name: str) -> None:
    usual = game(name)
    total = usual.bounds.bounds(usual.players, usual.options)[2]
    own = type(f"{name.title().replace('-', '')}Game", (TableGame,), {"name": name, "__doc__": f"{name} in OpenSpiel."})
    globals()[own.__name__] = own  # where pickle looks for it
    pyspiel.register_game(game_type(name, total), own)


for _name in playable():
    if definition(_name).bounds and short_name(_name) not in pyspiel.registered_names():
        _register(_name)
