"""What players of OpenSpiel's form remember: as a string, as a tensor, and when all they don't know is dealt anew."""

import pickle
import random
from collections import defaultdict
from typing import Any

import numpy as np
import pytest

from hexdeck.engine.errors import BadOption
from tests.conformance.test_open_spiel import TINY, any_action, load, load_tiny, random_state
from tests.settings import data, every_game, much

pyspiel = pytest.importorskip("pyspiel")

from hexdeck.envs.open_spiel import SpielObserver  # noqa: E402

ENOUGH = much(300, 1200)  # decisions of a tiny game that is walked
PRIVATE = pyspiel.PrivateInfoType


def deciding(game: Any) -> list[Any]:
    found, stack = [], [game.new_initial_state()]
    while stack:
        state = stack.pop()
        found += [] if state.is_terminal() or state.is_chance_node() else [state]
        stack += [state.child(action) for action in state.legal_actions()]
    return found


def observer(game: Any, recall: bool = True, private: Any = PRIVATE.SINGLE_PLAYER) -> SpielObserver:
    made: SpielObserver = game.make_py_observer(pyspiel.IIGObservationType(perfect_recall=recall, private_info=private))
    return made


def remembered(state: Any, player: int) -> tuple[Any, ...]:
    """All that a player could ever tell apart: what it did, and each change of the bytes of what it knows."""
    workspace, found = state.past.workspace, []
    for one in state.past.line():
        before, after = workspace.concealed(one.parent.world, player), workspace.concealed(one.world, player)
        found += [one.action] if one.seat == player else []
        found += [after] if after != before else []
    return tuple(found)


@every_game
def test_an_information_state_is_all_that_a_player_can_remember(name: str) -> None:
    said, meant, legal = defaultdict(set), defaultdict(set), defaultdict(set)
    for state in deciding(load_tiny(name)):
        player = state.current_player()
        text, memory = state.information_state_string(player), (player, remembered(state, player))
        said[text].add(memory)
        meant[memory].add(text)
        legal[text].add(tuple(state.legal_actions()))
    for found in (said, meant, legal):
        assert {len(each) for each in found.values()} == {1}


@every_game
def test_its_tensor_tells_the_same_apart(name: str) -> None:
    walked = 0
    for tiny in data(name)["tiny"]:
        if tiny["histories"]["decision"] > ENOUGH and tiny is not TINY[name]:
            continue
        game, words, numbers = load(name, tiny["players"], tiny["options"]), defaultdict(set), defaultdict(set)
        tells = observer(game)
        for state in deciding(game):
            player = state.current_player()
            tells.set_from(state, player)
            tensor, text = tells.tensor.tobytes(), state.information_state_string(player)  # type: ignore[union-attr]
            words[tensor].add(text)
            numbers[text].add(tensor)
        assert {len(each) for each in (*words.values(), *numbers.values())} == {1}
        walked += 1
    assert walked


@every_game
def test_tensors_name_what_they_hold(name: str) -> None:
    game = load(name, 3, {})
    state, seat = random_state(game, random.Random(8), 40), 1
    past, tells = state.past, observer(game)
    tells.set_from(state, seat)
    known = past.workspace.observation(past.world, seat)
    for key, (begin, end) in game.setup.rules.SLICES.items():
        assert tells.dict[key].tolist() == known[begin:end].tolist()
    done = [step.action for step in state.full_history() if step.player == seat]
    assert [int(row.argmax()) for row in tells.dict["actions"] if row.any()] == done
    rows = [row for row in tells.dict["observations"].astype(np.int8) if row.any()]
    assert all(part.flags.c_contiguous for part in tells.dict.values())
    assert len(rows) == len(past.observation_history(seat)) >= len(done) and rows[-1].tolist() == known.tolist()
    assert len(tells.dict["observations"]) == game.max_game_length() + game.max_chance_nodes_in_history()
    assert game.information_state_tensor_shape() == [tells.tensor.size]  # type: ignore[union-attr]
    assert state.information_state_tensor(seat) == tells.tensor.tolist()  # type: ignore[union-attr]


@every_game
def test_the_public_and_all_players_have_observers_too(name: str) -> None:
    game = load(name, 3, {})
    state, seat = random_state(game, random.Random(8), 40), 1
    past, public = state.past, observer(game, False, PRIVATE.NONE)
    public.set_from(state, seat)
    assert public.tensor is not None
    assert public.tensor[3:].astype(np.int8).tobytes() == past.workspace.observation(past.world, -1).tobytes()
    for recall in (False, True):
        everybody = observer(game, recall, PRIVATE.ALL_PLAYERS)
        everybody.set_from(state, seat)
        for player in range(3):
            alone = observer(game, recall)
            alone.set_from(state, player)
            for key in set(alone.dict) - {"player"}:
                assert everybody.dict[key][player].tolist() == alone.dict[key].tolist()
            assert alone.string_from(state, player) in everybody.string_from(state, seat)
    with pytest.raises(BadOption, match=r"An observer of this game takes no parameters, so not x\."):
        SpielObserver(past.workspace, pyspiel.IIGObservationType(perfect_recall=True), {"x": 1})


@every_game
def test_a_resampled_state_is_one_that_the_player_thinks_possible(name: str) -> None:
    game, rng, changed = load(name, 3, data(name)["hiding"][0]), random.Random(6), 0
    for _ in range(8):
        state = random_state(game, rng, rng.choice([1, 2, 3, rng.randrange(60)]))
        for player in range(3):
            other = state.resample_from_infostate(player, rng.random)
            changed += other.past.world != state.past.world
            assert same_to(player, other, state)
            assert other.current_player() == state.current_player() and not other.history()
            if state.current_player() == player:
                assert other.legal_actions() == state.legal_actions()
            again = pickle.loads(pickle.dumps(other))
            assert str(again) == str(other) and same_to(player, again, state)
            while not other.is_terminal():
                other.apply_action(any_action(other, rng))
            assert len(other.information_state_tensor(player)) and len(other.returns()) == 3
    assert changed > 0


def same_to(player: int, one: Any, other: Any) -> bool:
    return (
        one.information_state_string(player) == other.information_state_string(player)
        and one.information_state_tensor(player) == other.information_state_tensor(player)
        and one.observation_string(player) == other.observation_string(player)
        and one.observation_tensor(player) == other.observation_tensor(player)
    )
