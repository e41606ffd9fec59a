"""OpenSpiel's own checks and algorithms, on every game; and the same matches as `Match` plays."""

import copy
import functools
import hashlib
import os
import pickle
import random
import re
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import hexdeck
from hexdeck.engine.errors import BadChance, BadMove, shown
from hexdeck.simulation.game import Game
from tests.conformance.test_arguments import ABSURD
from tests.positions import whole
from tests.settings import GAMES, data, every_game, every_setting, fullest_setting, much, soonest
from tests.support import for_each, ran_apart

pyspiel = pytest.importorskip("pyspiel")

from hexdeck.envs.open_spiel import load as load_setting  # noqa: E402
from hexdeck.envs.open_spiel import short_name  # noqa: E402

TINY = {name: min(data(name)["tiny"], key=lambda tiny: tiny["histories"]["decision"]) for name in GAMES}
GOLDEN = Path(__file__).with_name("golden")


def load(name: str, players: int, options: dict[str, Any]) -> Any:
    return load_setting(hexdeck.game(name, players, **options))


def load_tiny(name: str) -> Any:
    return load(name, TINY[name]["players"], TINY[name]["options"])


def any_action(state: Any, rng: random.Random) -> int:
    if state.is_chance_node():
        outcomes, chances = zip(*state.chance_outcomes(), strict=True)
        return int(rng.choices(outcomes, chances)[0])
    return int(rng.choice(state.legal_actions()))


def random_state(game: Any, rng: random.Random, steps: int = 100_000) -> Any:
    state = game.new_initial_state()
    for _ in range(steps):
        if state.is_terminal():
            break
        state.apply_action(any_action(state, rng))
    return state


# --- OpenSpiel's checks
@every_game
def test_random_simulations(name: str) -> None:
    for players in data(name)["players"][: much(1, None)]:
        pyspiel.random_sim_test(load(name, players, {}), num_sims=1, serialize=True, verbose=False)


@pytest.mark.long
@fullest_setting
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
        strings = [state.information_state_string(p) for p in range(3)]
        assert [again.information_state_string(p) for p in range(3)] == strings
        if not state.is_terminal():
            again.apply_action(any_action(again, rng))
            assert len(again.history()) == len(state.history()) + 1


TENSOR = re.compile(r"((?:InformationState|Observation)Tensor\(\d+\))")


def playthrough(name: str) -> str:
    """A match of the smallest game as OpenSpiel writes it down, with a hash in the place of each tensor."""
    from absl import flags
    from open_spiel.python.algorithms import generate_playthrough

    if not flags.FLAGS.is_parsed():
        flags.FLAGS(["test"])
    blocks: list[tuple[str, list[str]]] = []  # the tensor that some lines draw, or nothing, and the lines
    for line in generate_playthrough.playthrough(str(load_tiny(name)), None, seed=5).splitlines():
        tensor = TENSOR.match(line)
        drawn = tensor[1] if tensor else blocks[-1][0] if blocks and line.startswith((" ", "◉", "◯")) else ""
        if not blocks or blocks[-1][0] != drawn:
            blocks.append((drawn, []))
        blocks[-1][1].append(line)
    parts = ((tensor, "\n".join(lines)) for tensor, lines in blocks)
    return "".join(f"{tensor} {hashed(text)}\n" if tensor else f"{text}\n" for tensor, text in parts)


def hashed(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:16]


@every_game
def test_playthroughs_are_the_golden_ones(name: str) -> None:
    text, file = playthrough(name), GOLDEN / f"{name}.txt"
    assert f'GameType.short_name = "{short_name(name)}"' in text and "InformationStateTensor(0) " in text
    if os.environ.get("UPDATE_GOLDEN"):
        file.write_text(text, encoding="utf-8")
    assert file.read_text(encoding="utf-8") == text, "make golden; then look at the difference"


# --- what is loaded
def test_parameters_are_players_and_options() -> None:
    game = pyspiel.load_game("python_hexdeck_cursed_hand(players=2,deck=1_2_3,hand_cards=2)")
    assert game.num_players() == 2 and game.setup == hexdeck.game("cursed-hand", 2, deck="1-2-3", hand_cards=2)
    assert pyspiel.load_game("python_hexdeck_cursed_hand(deck=9_,hand_cards=1)").setup.options["deck"] == "9"
    with pytest.raises(hexdeck.BadOption, match="for 2 to 6 players, not 9"):
        pyspiel.load_game("python_hexdeck_cursed_hand(players=9)")
    with pytest.raises(pyspiel.SpielError):
        pyspiel.load_game("python_hexdeck_cursed_hand(loses=1)")


@pytest.mark.parametrize("name", GAMES)
def test_observations_that_read_alike_are_alike_in_numbers(name: str) -> None:
    game, rng, numbers = load_tiny(name), random.Random(1), dict[tuple[int, str], list[float]]()
    for _ in range(200):
        state = game.new_initial_state()
        while not state.is_terminal():
            for seat in range(game.num_players()):
                seen = list(state.observation_tensor(seat))
                assert numbers.setdefault((seat, state.observation_string(seat)), seen) == seen
            state.apply_action(any_action(state, rng))


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


# --- OpenSpiel's algorithms
def first_tiny(name: str, least: float, most: int = 2000) -> tuple[Any, float]:
    """A small game in which random play is far enough from an equilibrium, else any; and how far that is."""
    from open_spiel.python import policy
    from open_spiel.python.algorithms import exploitability

    tinies = [tiny for tiny in data(name)["tiny"] if tiny["histories"]["decision"] <= most]
    for tiny in sorted(tinies, key=lambda tiny: (tiny["players"], tiny["histories"]["decision"])):
        game = load(name, tiny["players"], tiny["options"])
        gained = exploitability.nash_conv(game, policy.UniformRandomPolicy(game))
        if gained > least:
            break
    return game, gained


@soonest("blackstone")  # the others take up to a minute each
def test_regret_goes_to_nought_where_two_play_against_each_other_and_falls_elsewhere(name: str) -> None:
    from open_spiel.python.algorithms import cfr, exploitability

    game, at_random = first_tiny(name, 0.04)
    solver, found = cfr.CFRPlusSolver(game), [at_random]
    zero_sum = game.get_type().utility == pyspiel.GameType.Utility.ZERO_SUM and game.num_players() == 2
    goal = 0.04 if zero_sum else at_random * 0.9
    while len(found) == 1 or (found[-1] > goal and len(found) < 12):
        for _ in range(5):
            solver.evaluate_and_update_policy()
        found.append(exploitability.nash_conv(game, solver.average_policy()))
    assert found[-1] <= goal + 1e-9, found


@for_each("solver", ["CFRSolver", "CFRPlusSolver", "ExternalSamplingMCCFRSolver", "OutcomeSamplingMCCFRSolver"])
def test_solvers_in_compiled_code_run_on_a_game_in_python(solver: str) -> None:
    game = load("cursed-hand", 2, {"deck": "2-2-1", "hand_cards": 1})
    found = getattr(pyspiel, solver)(game)
    for _ in range(3):
        (getattr(found, "evaluate_and_update_policy", None) or found.run_iteration)()
    policy = found.average_policy()
    assert 0 <= pyspiel.exploitability(game, policy) < 1


@pytest.mark.parametrize(
    "name", much(["python_hexdeck_cursed_hand"], ["python_kuhn_poker", "python_hexdeck_cursed_hand"])
)
def test_its_search_bots_in_compiled_code_crash_on_games_in_python_its_own_too(name: str) -> None:
    """As the docs say: once this fails, they can say that the bots run."""
    code = f"""
import pyspiel, open_spiel.python.games, hexdeck.envs.open_spiel
game = pyspiel.load_game("{name}")
bot = pyspiel.MCTSBot(game, pyspiel.RandomRolloutEvaluator(1, 1), 2.0, 10, 10, False, 1, False)
state = game.new_initial_state()
while state.is_chance_node():
    state.apply_action(state.legal_actions()[0])
print("ready", flush=True)
bot.step(state)
"""
    done = ran_apart([sys.executable, "-c", code])
    assert done.stdout == "ready\n" and done.returncode < 0, done.stderr


@pytest.mark.parametrize("sight", ["hidden", "whole"])
@every_game
def test_tree_search_plays_whole_games_through(name: str, sight: str) -> None:
    from open_spiel.python.algorithms import ismcts, mcts

    game, rng, dice = load(name, 3, data(name).get("small", {})), random.Random(7), np.random.RandomState(1)
    evaluator = mcts.RandomRolloutEvaluator(1, dice)
    hidden = ismcts.ISMCTSBot(game=game, uct_c=2.0, max_simulations=3, evaluator=evaluator, random_state=dice)
    bot = hidden if sight == "hidden" else mcts.MCTSBot(game, 2.0, 3, evaluator, random_state=dice)
    state, moves = game.new_initial_state(), 0
    while not state.is_terminal():
        moves += not state.is_chance_node()
        action = any_action(state, rng) if state.is_chance_node() or moves % 6 != 1 else bot.step(state)
        assert action in state.legal_actions()
        state.apply_action(action)
    assert moves >= 1 and len(state.returns()) == 3


def open_actions(state: Any) -> list[int]:
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


def refusal(way: Callable[[Any], Any], it: Any) -> str:
    """The sentence with which something is refused; empty where it isn't."""
    try:
        way(it)
    except hexdeck.HexdeckError as error:
        return str(error)
    return ""


def test_what_is_no_seat_and_no_action_is_refused_in_a_sentence() -> None:
    state = random_state(load("cursed-hand", 3, {}), random.Random(1), 25)
    observer, before = state.get_game().make_py_observer(), str(state)
    ways: dict[str, Callable[[Any], Any]] = {
        "set_from": lambda seat: observer.set_from(state, seat),
        "string_from": lambda seat: observer.string_from(state, seat),
        "resample_from_infostate": lambda seat: state.resample_from_infostate(seat, random.random),
    }
    cases = [(name, way, it) for name, way in ways.items() for it in ABSURD.values()]
    cases += [("action_to_string", state.action_to_string, action) for action in (99, -5)]
    refusals = {f"{name} given {shown(it)}": refusal(way, it) for name, way, it in cases}
    assert [what for what, text in refusals.items() if not re.match(r"There is no (seat|action) .*\.$", text)] == []
    assert str(state) == before


@every_game
def test_what_is_written_into_a_list_that_was_given_out_changes_nothing(name: str) -> None:
    state = load(name, 3, {}).new_initial_state()
    for _ in range(30):
        player, text = state.current_player(), str(state)
        actions = state.chance_outcomes() if state.is_chance_node() else state._legal_actions(player)
        allowed = open_actions(state)
        actions.clear()
        assert open_actions(state) == allowed
        assert str(state) == text
        state.apply_action(allowed[0])
        if state.is_terminal():
            break


def test_threads_take_turns_with_the_world_that_is_put_down(monkeypatch: pytest.MonkeyPatch) -> None:
    """All that is done in the rows that a game's states share is done by the thread that has the lock."""
    game = load("cursed-hand", 3, {})
    space = game.workspace
    guarded = {**space._kernels, "_apply": space._apply, "_next": space._next}
    done = Counter[str]()

    def held(name: str, *given: Any) -> Any:
        assert space.lock._is_owned(), name
        done[name] += 1
        return guarded[name](*given)

    for name in guarded:
        where, key = (space.__dict__, name) if name.startswith("_") else (space._kernels, name)
        monkeypatch.setitem(where, key, functools.partial(held, name))
    state = random_state(game, random.Random(1))
    state.resample_from_infostate(0, random.random)
    assert len(state.returns()) == 3 and state.information_state_tensor(0) and state.observation_string(1)
    assert {*done} >= {*guarded} - {"begin_row", "list_legal"}
