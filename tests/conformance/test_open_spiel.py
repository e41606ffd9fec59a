"""OpenSpiel's own checks and algorithms, on every game; and the same matches as `Match` plays."""

import copy
import pickle
import random
import sys
from collections import defaultdict
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
import pytest

import hexdeck
from hexdeck.engine.errors import BadChance, BadMove
from hexdeck.engine.game import Game
from tests.positions import whole
from tests.settings import GAMES, data, every_game, every_setting

pyspiel = pytest.importorskip("pyspiel")

from hexdeck.envs.open_spiel import TableObserver, short_name  # noqa: E402
from hexdeck.envs.open_spiel import load as load_setting  # noqa: E402

TINY = {name: min(data(name)["tiny"], key=lambda tiny: tiny["histories"]["decision"]) for name in GAMES}
ZERO_SUM = ("cursed-hand", "hawthorn", "high-handed")


def load(name: str, players: int, options: dict[str, Any]) -> Any:
    """A game as OpenSpiel loads it."""
    return load_setting(hexdeck.game(name, players, **options))


def load_tiny(name: str) -> Any:
    """The first tiny game of a game's data."""
    return load(name, TINY[name]["players"], TINY[name]["options"])


def any_action(state: Any, rng: random.Random) -> int:
    """A random action, or an outcome by its chance."""
    if state.is_chance_node():
        outcomes, chances = zip(*state.chance_outcomes(), strict=True)
        return int(rng.choices(outcomes, chances)[0])
    return int(rng.choice(state.legal_actions()))


def random_state(game: Any, rng: random.Random, steps: int = 100_000) -> Any:
    """A state after some random steps."""
    state = game.new_initial_state()
    for _ in range(steps):
        if state.is_terminal():
            break
        state.apply_action(any_action(state, rng))
    return state


# --- OpenSpiel's checks
@every_game
def test_random_simulations(name: str) -> None:
    for players in data(name)["players"]:
        pyspiel.random_sim_test(load(name, players, {}), num_sims=1, serialize=True, verbose=False)


@every_setting
def test_simulations_under_every_option(setting: Game) -> None:
    pyspiel.random_sim_test(load_setting(setting), num_sims=1, serialize=False, verbose=False)


@every_game
def test_games_and_states_are_stored_and_read_back(name: str) -> None:
    game, rng = load(name, 3, data(name).get("small", {})), random.Random(1)
    assert str(pickle.loads(pickle.dumps(game))) == str(game)
    state = random_state(game, rng, 25)
    for again in (
        pyspiel.deserialize_game_and_state(pyspiel.serialize_game_and_state(game, state))[1],
        pickle.loads(pickle.dumps(state)),
        copy.deepcopy(state),
        state.clone(),
    ):
        assert str(again) == str(state) and again.history() == state.history()
        told = [state.information_state_string(p) for p in range(3)]
        assert [again.information_state_string(p) for p in range(3)] == told
        if not state.is_terminal():
            again.apply_action(any_action(again, rng))
            assert len(again.history()) == len(state.history()) + 1


@every_game
def test_playthroughs_are_made_and_repeated(name: str) -> None:
    from absl import flags
    from open_spiel.python.algorithms import generate_playthrough

    if not flags.FLAGS.is_parsed():
        flags.FLAGS(["test"])
    text = generate_playthrough.playthrough(str(load_tiny(name)), None, seed=5)
    assert f'GameType.short_name = "{short_name(name)}"' in text and "InformationStateString(0)" in text
    assert generate_playthrough.playthrough(str(load_tiny(name)), None, seed=5) == text


# --- what is loaded
def test_parameters_are_players_and_options() -> None:
    game = pyspiel.load_game("python_hexdeck_cursed_hand(players=2,deck=1_2_3,hand_cards=2)")
    assert game.num_players() == 2 and game.table == hexdeck.game("cursed-hand", 2, deck="1-2-3", hand_cards=2)
    assert pyspiel.load_game("python_hexdeck_cursed_hand(deck=9_,hand_cards=1)").table.options["deck"] == "9"
    with pytest.raises(hexdeck.BadOption, match="for 2 to 6 players, not 9"):
        pyspiel.load_game("python_hexdeck_cursed_hand(players=9)")
    with pytest.raises(pyspiel.SpielError):
        pyspiel.load_game("python_hexdeck_cursed_hand(loses=1)")


@every_setting
def test_utilities_keep_within_their_bounds(setting: Game) -> None:
    game, results = load_setting(setting), setting.simulate(200, "random", seed=3, lane="fast").returns
    assert game.min_utility() <= results.min() and results.max() <= game.max_utility()
    total = {"ZERO_SUM": 0, "CONSTANT_SUM": 1}.get(game.get_type().utility.name)
    if total is not None:
        assert results.sum(axis=1) == pytest.approx(np.full(200, total)) and game.utility_sum() == total


# --- beside Match
@every_setting
def test_histories_are_those_of_match(setting: Game) -> None:
    game, rng, match = load_setting(setting), random.Random(2), setting.match(by_hand=True)
    state = game.new_initial_state()
    for _ in range(120):
        assert state.is_terminal() == match.over and state.past.world == whole(match)
        if match.over:
            assert state.returns() == list(match.returns())
            break
        action = any_action(state, rng)
        if match.acting:
            seat = match.actor
            assert state.current_player() == seat and state.legal_actions() == match.legal_ids(seat)
            assert state.action_to_string(action) == setting.rules.ACTIONS[action]
            tensor = np.array(state.observation_tensor(seat))
            assert tensor[: setting.players].argmax() == seat
            assert tensor[setting.players :].astype(np.int8).tobytes() == match.observation(seat).tobytes()
            match.play(seat, action)
        else:
            weights = match.chances()
            chances = {setting.rules.OUTCOMES[k]: p for k, p in state.chance_outcomes()}
            assert chances == pytest.approx({key: w / sum(weights.values()) for key, w in weights.items()})
            match.deal(action)
        state.apply_action(action)


@every_game
def test_tensors_name_what_they_hold(name: str) -> None:
    game = load(name, 3, {})
    state, seat = random_state(game, random.Random(8), 40), 1
    kind = pyspiel.IIGObservationType(perfect_recall=True)
    observer = game.make_py_observer(kind)
    observer.set_from(state, seat)
    known = state.past.desk.observation(state.past.world, seat)
    for key, (begin, end) in game.table.rules.SLICES.items():
        assert observer.dict[key].tolist() == known[begin:end].tolist()
    done = [step.action for step in state.full_history() if step.player == seat][::-1]
    shown = [int(row.argmax()) for row in observer.dict["own_actions"] if row.any()]
    assert shown == done[: len(observer.dict["own_actions"])]
    none_private = pyspiel.IIGObservationType(perfect_recall=False, private_info=pyspiel.PrivateInfoType.NONE)
    public = game.make_py_observer(none_private)
    public.set_from(state, seat)
    assert public.tensor[3:].astype(np.int8).tobytes() == state.past.desk.observation(state.past.world, -1).tobytes()
    with pytest.raises(ValueError, match="has no parameters"):
        TableObserver(state.past.desk, kind, {"x": 1})


# --- information states
def nodes(game: Any) -> dict[str, Any]:
    """Every history of a small game: counts by kind, and the states in which somebody decides."""
    counts, deciding, stack = {"chance": 0, "decision": 0, "terminal": 0}, [], [game.new_initial_state()]
    while stack:
        state = stack.pop()
        kind = "terminal" if state.is_terminal() else "chance" if state.is_chance_node() else "decision"
        counts[kind] += 1
        deciding += [state] if kind == "decision" else []
        stack += [state.child(action) for action in state.legal_actions()]
    return {"counts": counts, "deciding": deciding}


@every_game
def test_tiny_games_have_exactly_these_histories(name: str) -> None:
    counts = nodes(load_tiny(name))["counts"]
    assert counts == {key: TINY[name]["histories"][key] for key in counts}


def remembered(state: Any, player: int) -> tuple[Any, ...]:
    """All that a player could ever tell apart: what it did, and each change of the bytes of what it knows."""
    desk, found = state.past.desk, []
    for one in state.past.line():
        before, after = desk.concealed(one.parent.world, player), desk.concealed(one.world, player)
        found += [one.action] if one.seat == player else []
        found += [after] if after != before else []
    return tuple(found)


@every_game
def test_an_information_state_is_all_that_a_player_can_remember(name: str) -> None:
    said, meant, legal = defaultdict(set), defaultdict(set), defaultdict(set)
    for state in nodes(load_tiny(name))["deciding"]:
        player = state.current_player()
        text, memory = state.information_state_string(player), (player, remembered(state, player))
        said[text].add(memory)
        meant[memory].add(text)
        legal[text].add(tuple(state.legal_actions()))
    for found in (said, meant, legal):
        assert {len(each) for each in found.values()} == {1}


@every_game
def test_a_resampled_state_is_one_that_the_player_thinks_possible(name: str) -> None:
    game, rng, changed = load(name, 3, data(name)["hiding"][0]), random.Random(6), 0
    for _ in range(16):
        state = random_state(game, rng, rng.choice([1, 2, 3, rng.randrange(60)]))
        for player in range(3):
            other = state.resample_from_infostate(player, rng.random)
            changed += other.past.world != state.past.world
            assert other.information_state_string(player) == state.information_state_string(player)
            assert other.observation_string(player) == state.observation_string(player)
            assert other.observation_tensor(player) == state.observation_tensor(player)
            assert (
                other.information_state_tensor(player)[: 3 + game.table.observation_size]
                == (state.information_state_tensor(player)[: 3 + game.table.observation_size])
            )
            assert other.current_player() == state.current_player() and not other.history()
            if state.current_player() == player:
                assert other.legal_actions() == state.legal_actions()
            again = pickle.loads(pickle.dumps(other))
            assert str(again) == str(other)
            assert again.information_state_string(player) == state.information_state_string(player)
            while not other.is_terminal():
                other.apply_action(any_action(other, rng))
            assert len(other.returns()) == 3
    assert changed > 0


# --- OpenSpiel's algorithms
@pytest.mark.parametrize("name", ZERO_SUM)
def test_exploitability_goes_to_nought(name: str) -> None:
    from open_spiel.python import policy
    from open_spiel.python.algorithms import cfr, exploitability

    games = (load(name, tiny["players"], tiny["options"]) for tiny in data(name)["tiny"])
    measured = ((game, exploitability.exploitability(game, policy.UniformRandomPolicy(game))) for game in games)
    game, at_random = next(pair for pair in measured if pair[1] > 0.02)
    solver, found = cfr.CFRPlusSolver(game), [at_random]
    while found[-1] > 0.02 and len(found) < 8:
        for _ in range(8):
            solver.evaluate_and_update_policy()
        found.append(exploitability.exploitability(game, solver.average_policy()))
    assert found[-1] <= 0.02, found


@pytest.mark.parametrize("name", sorted(set(GAMES) - set(ZERO_SUM)))
def test_nash_conv_is_computed_where_utilities_do_not_cancel(name: str) -> None:
    from open_spiel.python import policy
    from open_spiel.python.algorithms import cfr, exploitability

    game = load_tiny(name)
    solver = cfr.CFRSolver(game)
    for _ in range(2):
        solver.evaluate_and_update_policy()
    at_random = exploitability.nash_conv(game, policy.UniformRandomPolicy(game))
    assert 0 <= exploitability.nash_conv(game, solver.average_policy()) <= at_random


@every_game
def test_external_sampling(name: str) -> None:
    from open_spiel.python.algorithms import external_sampling_mccfr

    game = load_tiny(name)
    solver = external_sampling_mccfr.ExternalSamplingSolver(game)
    for _ in range(3):
        solver.iteration()
    assert solver.average_policy()


@every_game
def test_tree_search_of_both_kinds_on_whole_games(name: str) -> None:
    from open_spiel.python.algorithms import ismcts, mcts

    game, rng = load(name, 3, {}), random.Random(7)
    state = random_state(game, rng, 30)
    while state.is_chance_node():
        state.apply_action(any_action(state, rng))
    if state.is_terminal():
        state = game.new_initial_state()
        while state.is_chance_node():
            state.apply_action(any_action(state, rng))
    evaluator = mcts.RandomRolloutEvaluator(1, np.random.RandomState(1))
    known = ismcts.ISMCTSBot(
        game=game, uct_c=2.0, max_simulations=8, evaluator=evaluator, random_state=np.random.RandomState(1)
    )
    whole_sight = mcts.MCTSBot(game, 2.0, 8, evaluator, random_state=np.random.RandomState(1))
    assert known.step(state) in state.legal_actions() and whole_sight.step(state) in state.legal_actions()


def open_actions(state: Any) -> list[int]:
    """What may happen next."""
    if state.is_chance_node():
        return [outcome for outcome, _ in state.chance_outcomes()]
    return list(state.legal_actions())


@every_game
def test_what_cannot_happen_is_refused_in_words_and_changes_nothing(name: str) -> None:
    rng, state = random.Random(5), load(name, 3, {}).new_initial_state()
    for _ in range(60):
        before, allowed = str(state), open_actions(state)
        for wrong in {-2, 10_000, rng.randrange(60)} - set(allowed):
            with pytest.raises((BadMove, BadChance)):
                state.apply_action(wrong)
        assert str(state) == before
        if state.is_terminal():
            break
        state.apply_action(rng.choice(allowed))


def test_threads_play_matches_of_their_own() -> None:
    game = load("cursed-hand", 3, {})

    def played(seed: int) -> str:
        return str(random_state(game, random.Random(seed)))

    alone, usual = [played(seed) for seed in range(12)], sys.getswitchinterval()
    try:
        sys.setswitchinterval(1e-5)
        with ThreadPoolExecutor(4) as pool:
            assert list(pool.map(played, range(12))) == alone
    finally:
        sys.setswitchinterval(usual)
