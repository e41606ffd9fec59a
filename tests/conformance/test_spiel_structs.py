"""OpenSpiel's structs and JSON of our states: whole, of one player, and of actions."""

import json
import random
from typing import Any

import pytest

from hexdeck.engine.errors import BadMove, IllegalMove
from tests.settings import every_game

pytest.importorskip("pyspiel")

from hexdeck.envs.open_spiel import ActionStruct
from tests.conformance.test_open_spiel import any_action, load, load_tiny


def walk(game: Any, seed: int) -> Any:
    rng, state = random.Random(seed), game.new_initial_state()
    while not state.is_terminal():
        yield state
        state.apply_action(any_action(state, rng))
    yield state


@every_game
def test_a_state_is_json_and_its_actions_are_structs_that_lead_back(name: str) -> None:
    for state in walk(load_tiny(name), 3):
        data = json.loads(state.to_json())
        assert data == state.to_dict() == state.to_struct().to_dict()
        wanted = "terminal" if state.is_terminal() else "chance" if state.is_chance_node() else state.current_player()
        assert data["current_player"] == wanted and state.to_struct().current_player == wanted
        for action in [] if state.is_terminal() else state.legal_actions():
            struct = state.action_to_struct(state.current_player(), action)
            assert struct == state.action_to_struct(action)
            for form in (struct, struct.to_dict(), struct.to_json()):
                assert state.struct_to_actions(form) == [action]
            one, other = state.clone(), state.clone()
            one.apply_action_struct(struct)
            other.apply_action(action)
            assert str(one) == str(other) and one.history() == other.history()


@every_game
def test_an_observation_struct_is_what_the_player_knows(name: str) -> None:
    rng = random.Random(4)
    for state in walk(load_tiny(name), 4):
        for player in range(state.num_players()):
            seen = state.to_observation_struct(player)
            assert json.loads(seen.to_json()) == seen.to_dict() and seen.player == player
            mine = state.legal_actions() if player == state.current_player() else []
            assert seen.actions == [state.action_to_string(player, action) for action in mine]
            other = state.resample_from_infostate(player, rng.random)
            if not state.is_chance_node() and not state.is_terminal():
                assert other.to_observation_struct(player) == seen


def test_what_names_no_action_is_refused_and_changes_nothing() -> None:
    state = load("hawthorn", 2, {}).new_initial_state()
    while state.is_chance_node():
        state.apply_action(state.legal_actions()[0])
    before = str(state)
    for absurd in ({}, {"action": "dance"}, "{", "[]", 7, None, ActionStruct({"player": 0, "action": "dance"})):
        with pytest.raises(BadMove, match=r"is no action; an action is a struct such as"):
            state.apply_action_struct(absurd)
    with pytest.raises(IllegalMove):
        state.apply_action_struct({"action": "fold"})
    assert str(state) == before
