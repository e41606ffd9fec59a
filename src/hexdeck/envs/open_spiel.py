"""The games as OpenSpiel games, explicit chance included.

    import pyspiel, hexdeck.envs.open_spiel
    game = pyspiel.load_game("python_hexdeck_cursed_hand(players=3,deck=2_2_2)")

Importing this module registers every game. Its parameters are `players` and the game's options; lists of numbers are
joined by underscores (`2_2_2`, and `5_` for a single number). Simultaneous secret choices are made one after the other,
the lowest seat first, unseen by the others. The information state string has all that a player has done and learnt; the
information state tensor has the same in numbers: the player's observation now, and a row for each event that it did or
that changed its knowledge.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import numpy as np

from hexdeck.engine.discovery.definition import playable
from hexdeck.engine.errors import BadMove, BadOption, IllegalMove, seat_of, shown
from hexdeck.engine.study import Bounds
from hexdeck.engine.text import Catalogue, _, say
from hexdeck.engine.view import prompt as prompt_of
from hexdeck.engine.view import zone_words
from hexdeck.envs import needed
from hexdeck.envs.histories import History, SeatEvent, Workspace, workspace
from hexdeck.simulation.game import Game, game

with needed():
    import pyspiel

NUMBERS = re.compile(r"[0-9]+([-_][0-9]+)*_?")
BITS = np.arange(32)  # of the hash of public events that an information state tensor has
NOBODY = int(pyspiel.PlayerId.TERMINAL)
PRIVATE = pyspiel.PrivateInfoType


def short_name(name: str) -> str:
    """The name of a game in OpenSpiel."""
    return f"python_hexdeck_{name.replace('-', '_')}"


def parameters(usual: Game) -> dict[str, Any]:
    """The parameters of a game and their defaults."""
    return {"players": usual.players, **{option.name: written(option.default) for option in usual.rules.OPTIONS}}


def written(value: Any) -> Any:
    """An option's value as a parameter: `1_2_3` or `9_`, for OpenSpiel takes digits and hyphens for one number."""
    if not isinstance(value, str) or not NUMBERS.fullmatch(value):
        return value
    return value.replace("-", "_") if "-" in value else f"{value}_"


def read(value: Any) -> Any:
    """An option's value from a parameter."""
    return value.strip("_").replace("_", "-") if isinstance(value, str) and NUMBERS.fullmatch(value) else value


def load(chosen: Game) -> Any:
    """The OpenSpiel game of a Game."""
    options = {key: written(value) for key, value in chosen.options.items()}
    return pyspiel.load_game(short_name(chosen.name), {"players": chosen.players, **options})


def lengths(chosen: Game) -> tuple[int, int]:
    """Upper bounds on the decisions and on the chance events of a match."""
    bounds: Bounds = chosen.bounds.bounds(chosen.players, chosen.options)
    return bounds.moves, bounds.chances


def game_type(usual: Game, total: float | None) -> Any:
    """The GameType of a game; `total` is the sum of utilities, None if it isn't constant."""
    low, high = usual.rules.PLAYERS
    kinds = pyspiel.GameType.Utility
    return pyspiel.GameType(
        short_name=short_name(usual.name),
        long_name=str(usual.table.ABOUT.title),
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
        information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
        utility=kinds.GENERAL_SUM if total is None else kinds.CONSTANT_SUM if total else kinds.ZERO_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=high,
        min_num_players=low,
        provides_information_state_string=True,
        provides_information_state_tensor=True,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification=parameters(usual),
    )


def game_info(chosen: Game, least: float, greatest: float, total: float | None) -> Any:
    """The GameInfo of a game; its length counts decisions, without chance."""
    sums = {} if total is None else {"utility_sum": total}
    longest = lengths(chosen)[0]
    return pyspiel.GameInfo(
        num_distinct_actions=len(chosen.rules.ACTIONS),
        max_chance_outcomes=len(chosen.rules.OUTCOMES),
        num_players=chosen.players,
        min_utility=least,
        max_utility=greatest,
        max_game_length=longest,
        **sums,
    )


class SpielGame(pyspiel.Game):
    """A game with its players and options; raises BadOption. Each game has a subclass, made by `_register`."""

    usual: Game

    def __init__(self, params: Mapping[str, Any] | None = None) -> None:
        self.setup = chosen = self.usual.variant(**{key: read(value) for key, value in (params or {}).items()})
        least, greatest, total = chosen.bounds.bounds(chosen.players, chosen.options)[:3]
        super().__init__(game_type(self.usual, total), game_info(chosen, least, greatest, total), dict(params or {}))
        self.workspace = workspace(chosen)

    def new_initial_state(self, *_: Any) -> SpielState:
        """The root of the game tree."""
        return SpielState(self)

    def make_py_observer(self, kind: Any = None, params: Mapping[str, Any] | None = None) -> SpielObserver:
        """An observer for players or the public."""
        return SpielObserver(self.workspace, kind or pyspiel.IIGObservationType(perfect_recall=False), params)

    def max_chance_nodes_in_history(self) -> int:
        """An upper bound on the chance events of a match."""
        return lengths(self.setup)[1]


class SpielState(pyspiel.State):
    """A state of a game: a history of events."""

    def __init__(self, game: SpielGame) -> None:
        super().__init__(game)
        self.past: History = game.workspace.root

    def current_player(self) -> int:
        """The lowest seat to act, chance, or the terminal player id."""
        past = self.past
        return NOBODY if past.over else past.actor

    def _legal_actions(self, player: int) -> list[int]:
        past = self.past
        return list(past.choices) if player == past.actor else past.workspace.legal(past.world, player)

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """The possible outcomes of chance with their probabilities."""
        return list(self.past.chances)

    def _apply_action(self, action: int) -> None:
        self.past = self.past.child(action)

    def _action_to_string(self, player: int, action: int) -> str:
        rules = self.past.workspace.rules
        names = rules.OUTCOMES if player == pyspiel.PlayerId.CHANCE else rules.ACTIONS
        if not 0 <= action < len(names):
            text = _("There is no action {action}; actions are 0 to {last}.")
            raise IllegalMove(say(text, action=action, last=len(names) - 1))
        return str(names[action])

    def is_terminal(self) -> bool:
        """Whether the match is over."""
        return self.past.over

    def returns(self) -> list[float]:
        """The players' utilities; zeros before the end."""
        players = self.past.workspace.game.players
        return self.past.workspace.results(self.past.world) if self.past.over else [0.0] * players

    def resample_from_infostate(self, player: int, sampler: Callable[[], float]) -> SpielState:
        """A random state in the same information state of a player, uniform over the cards it doesn't know.

        It has no history of events, which would reveal what was dealt. The player's information state is the same, as
        string and tensor; the other players' begin here, with what they know of the cards they now have.
        """
        player = seat_of(player, self.past.workspace.game.players)
        state: SpielState = self.get_game().new_initial_state()
        seed = int(sampler() * (1 << 31)) << 31 | int(sampler() * (1 << 31))
        state.past = self.past.resampled(player, seed)
        return state

    def __str__(self) -> str:
        return str(self.past)

    def to_struct(self) -> StateStruct:
        """The whole state, secrets included, as a struct."""
        rules = self.past.workspace.rules
        struct = np.frombuffer(self.past.world, rules.STRUCT)[0]
        fields = {name: struct[name].tolist() for name in rules.STRUCT.names if name != "history"}
        return StateStruct({"current_player": current(self.past), "fields": fields})

    def to_dict(self) -> dict[str, Any]:
        """The whole state as a dict."""
        return self.to_struct().to_dict()

    def to_json(self) -> str:
        """The whole state as JSON."""
        return self.to_struct().to_json()

    def to_observation_struct(self, player: int | None = None) -> ObservationStruct:
        """What a player sees, by default the one who is to act, as a struct; what is public where none is."""
        chosen = self.past.actor if player is None and not self.past.over else -1 if player is None else player
        return observation_struct(self.past, seat_of(chosen, self.past.workspace.game.players, public=True))

    def action_to_struct(self, player: int, action: int | None = None) -> ActionStruct:
        """An action as a struct; `action_to_struct(action)` is one of the player who is to act."""
        seat, chosen = (self.current_player(), player) if action is None else (player, action)
        return ActionStruct({"player": "chance" if seat < 0 else seat, "action": self._action_to_string(seat, chosen)})

    def struct_to_actions(self, struct: Any) -> list[int]:
        """The one action that a struct names, for the player who is to act; raises BadMove if it names none."""
        return [struct_action(self.past, struct)]

    def apply_action_struct(self, struct: Any) -> None:
        """Apply the action that a struct names; raises BadMove, or IllegalMove."""
        action = struct_action(self.past, struct)
        if action not in self.past.choices:
            self.past.child(action)
        self.apply_action(action)


class SpielObserver:
    """An observer: a tensor (float32; `dict` has its parts by the game's SLICES) and a string of what a player knows.

    With perfect recall the string has all that the player has done and learnt, and the tensor a row for each event that
    it did or that changed its knowledge: `actions` has its own action, one-hot or zeros, `observations` its observation
    afterwards, and `public` some bits of the hash of public events, which alone distinguish what was shown and taken
    back within one event. Private information is the player's own, none, or that of all players, one below the other;
    private information without public information is available as a string only.
    """

    tensor: np.ndarray | None
    dict: Mapping[str, np.ndarray]

    def __init__(self, workspace: Workspace, kind: Any, params: Mapping[str, Any] | None) -> None:
        if params:
            raise BadOption(
                say("An observer of this game takes no parameters, so not {given}.", given=", ".join(params))
            )
        self.workspace, self.recall, self.sees = workspace, kind.perfect_recall, kind.private_info
        self.private = not kind.public_info
        self.tensor, self.dict = None, {}
        if not self.private:
            self._lay_out(workspace, len(list(self._seats(0))))

    def _seats(self, player: int) -> Iterable[int]:
        """The seats whose knowledge a player is told; -1 is the public."""
        everybody = range(self.workspace.game.players)
        return everybody if self.sees == PRIVATE.ALL_PLAYERS else (player,) if self.sees != PRIVATE.NONE else (-1,)

    def _lay_out(self, workspace: Workspace, seats: int) -> None:
        """Make the tensor, and views of its parts by name in the order in which OpenSpiel copies them."""
        rules, rows = workspace.rules, sum(lengths(workspace.game)) if self.recall else 0
        shapes: dict[str, tuple[int, ...]] = {name: (seats, end - begin) for name, (begin, end) in rules.SLICES.items()}
        if self.recall:
            shapes["actions"] = seats, rows, len(rules.ACTIONS)
            shapes["observations"] = seats, rows, workspace.game.observation_size
            shapes["public"] = seats, rows, len(BITS)
        sizes = [workspace.game.players, *(int(np.prod(shape)) for shape in shapes.values())]
        self.tensor = np.zeros(sum(sizes), np.float32)
        self.player, *pieces = np.split(self.tensor, np.cumsum(sizes)[:-1])
        self.parts = {name: piece.reshape(shapes[name]) for name, piece in zip(shapes, pieces, strict=True)}
        alone = self.sees != PRIVATE.ALL_PLAYERS
        self.dict = {"player": self.player} | {key: part[0] if alone else part for key, part in self.parts.items()}

    def set_from(self, state: SpielState, player: int) -> None:
        """Write a player's observation of a state to the tensor."""
        player = seat_of(player, self.workspace.game.players)
        if self.tensor is None:
            return
        self.tensor.fill(0)
        if self.sees != PRIVATE.NONE:
            self.player[player] = 1
        for k, seat in enumerate(self._seats(player)):
            observation = self.workspace.observation(state.past.world, seat)
            for name, (begin, end) in self.workspace.rules.SLICES.items():
                self.parts[name][k] = observation[begin:end]
            if self.recall:
                self._write_past(k, state.past.observation_history(seat))

    def _write_past(self, k: int, noticed: list[SeatEvent]) -> None:
        for row, (action, public, observation) in enumerate(noticed):
            self.parts["observations"][k, row] = np.frombuffer(observation, np.int8)
            self.parts["public"][k, row] = public >> BITS & 1
            if action >= 0:
                self.parts["actions"][k, row, action] = 1

    def string_from(self, state: SpielState, player: int) -> str:
        """A player's observation of a state as a string; private information alone are the fields that differ."""
        player = seat_of(player, self.workspace.game.players)
        return "\n".join(self._text(state.past, seat) for seat in self._seats(player))

    def _text(self, past: History, seat: int) -> str:
        if self.private:
            return "" if seat < 0 else self.workspace.secrets(past.world, seat)
        return past.information_state(seat) if self.recall else self.workspace.observation_text(past.world, seat)


def _register(name: str) -> None:
    """Register a game with OpenSpiel, unless its length is unknown or it is registered."""
    usual = game(name)
    if usual.definition.bounds is None or short_name(name) in pyspiel.registered_names():
        return
    total = usual.bounds.bounds(usual.players, usual.options).total
    own = type(
        f"{name.title().replace('-', '')}Game", (SpielGame,), {"usual": usual, "__doc__": f"{name} in OpenSpiel."}
    )
    globals()[own.__name__] = own  # where pickle looks for it
    pyspiel.register_game(game_type(usual, total), own)


for _name in playable():
    _register(_name)


# --- structs ----------------------------------------------------------------------------------------------------------
class Struct:
    """Plain data with a JSON form; keys are attributes, too. `Struct(text)` reads JSON, `Struct(data)` takes a dict."""

    def __init__(self, data: Mapping[str, Any] | str) -> None:
        self._data = dict(json.loads(data) if isinstance(data, str) else data)

    def __getattr__(self, name: str) -> Any:
        data = vars(self).get("_data", {})
        if name not in data:
            raise AttributeError(f"{type(self).__name__} has no {name}")
        return data[name]

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and other.to_dict() == self.to_dict()

    def __hash__(self) -> int:
        return hash(self.to_json())

    def __str__(self) -> str:
        return self.to_json()

    __repr__ = __str__

    def to_dict(self) -> dict[str, Any]:
        """The data."""
        return dict(self._data)

    def to_json(self) -> str:
        """The data as JSON."""
        return json.dumps(self._data, ensure_ascii=False)


class StateStruct(Struct):
    """A whole state with its secrets: `current_player`, and the fields of the game's struct by name."""


class ObservationStruct(Struct):
    """What a player sees: `zones` in words, the `prompt`, its legal `actions`, and `fields`, which tell states apart.

    `player` is the observer, `current_player` who is to act, `players` how many play.
    """


class ActionStruct(Struct):
    """An action, or an outcome of chance: `player`, and `action`, its name."""


def current(past: History) -> int | str:
    """Who is to act, as a struct has it: a seat, "chance" or "terminal"."""
    return "terminal" if past.over else "chance" if past.actor < 0 else past.actor


def observation_struct(past: History, player: int) -> ObservationStruct:
    """A player's observation of a history."""
    space, catalogue = past.workspace, Catalogue()
    with space.lock:
        knowledge, start = space.concealed(past.world, player), space.concealed(space.root.world, player)
        shown_struct = space.struct_of(knowledge)
        zones = [
            {
                "id": zone.id,
                "seat": zone.seat,
                "title": catalogue.words(zone.title),
                "content": zone_words(zone, catalogue),
            }
            for zone in space.game.table.zones(shown_struct, player)
        ]
        prompt = catalogue.words(prompt_of(space.game.table, shown_struct, player))
    mine = space.legal(past.world, player) if player == past.actor >= 0 and not past.over else []
    about = {"player": player, "players": space.game.players, "current_player": current(past)}
    actions, fields = [str(space.rules.ACTIONS[action]) for action in mine], space.known_fields(start, knowledge)
    return ObservationStruct(about | {"zones": zones, "prompt": prompt, "actions": actions, "fields": fields})


def struct_action(past: History, struct: Any) -> int:
    """The id of the action that a struct (or its dict, or its JSON) names; raises BadMove if it names none."""
    rules = past.workspace.rules
    names = rules.OUTCOMES if past.actor < 0 else rules.ACTIONS
    try:
        data = struct.to_dict() if isinstance(struct, Struct) else Struct(struct).to_dict()
        action = data["action"]
    except (ValueError, TypeError, KeyError, AttributeError):
        action = None
    if action not in names:
        text = _("{given} is no action; an action is a struct such as {example}.")
        raise BadMove(say(text, given=shown(struct), example=json.dumps({"action": str(names[0])})))
    return int(names.index(action))
