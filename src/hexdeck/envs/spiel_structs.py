"""States, observations and actions of OpenSpiel as structs: plain data that `to_dict` and `to_json` give.

OpenSpiel's own struct classes have no constructor, and its C++ code never asks a game in Python for them; so these are
classes of their own with the same methods, and code in Python that calls a state's `to_struct`, `to_json`,
`to_observation_struct`, `action_to_struct` or `struct_to_actions` gets them.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import numpy as np

from hexdeck.engine.arguments import shown
from hexdeck.engine.errors import BadMove
from hexdeck.engine.text import Catalogue, _, say
from hexdeck.engine.view import zone_words
from hexdeck.envs.histories import History


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


def state_struct(past: History) -> StateStruct:
    """The whole state of a history."""
    struct = np.frombuffer(past.world, past.workspace.rules.STRUCT)[0]
    fields = {name: struct[name].tolist() for name in past.workspace.rules.STRUCT.names if name != "history"}
    return StateStruct({"current_player": current(past), "fields": fields})


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
        prompt = catalogue.words(space.game.table.prompt(shown_struct, player))
    mine = [] if past.over or player < 0 else space.legal(past.world, player) if player == past.actor else []
    return ObservationStruct(
        {
            "player": player,
            "players": space.game.players,
            "current_player": current(past),
            "zones": zones,
            "prompt": prompt,
            "actions": [str(space.rules.ACTIONS[action]) for action in mine],
            "fields": space.known_fields(start, knowledge),
        }
    )


def action_struct(player: int, name: str) -> ActionStruct:
    """An action by its name."""
    return ActionStruct({"player": "chance" if player < 0 else player, "action": name})


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
