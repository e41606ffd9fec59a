"""Absurd arguments: in every backend every public method refuses them in one sentence, and nothing changes."""

import itertools
import re
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import pytest

import hexdeck
from hexdeck.engine.errors import shown
from hexdeck.engine.play.match import Match
from hexdeck.engine.text import Text
from hexdeck.envs.gymnasium import SeatEnv, SeatVectorEnv
from hexdeck.envs.pettingzoo import GameAECEnv, GameParallelEnv
from hexdeck.simulation.batch import Batch
from tests.compiled import warm
from tests.positions import whole
from tests.settings import much

NAME, PLAYERS = "cursed-hand", 3
BACKENDS = much(("fast", "interpreted"), ("fast", "checked", "interpreted"))  # to check a batch takes long to compile
ABSURD: dict[str, Any] = {
    "1.7": 1.7,
    "0.0": 0.0,
    "1.0": 1.0,
    "nan": float("nan"),
    "np.float64(1)": np.float64(1),
    "False": False,
    "True": True,
    "np.True_": np.True_,
    "None": None,
    "'1'": "1",
    "b'1'": b"1",
    "[1]": [1],
    "{}": {},
    "99": 99,
    "np.int64(99)": np.int64(99),
    "''": "",
    "-5": -5,
    "-1": -1,
    "2 ** 80": 2**80,
    "10 ** 5000": 10**5000,
}
KINDS = (np.int8, np.uint8, np.int64, np.uint64)  # whole numbers of NumPy: as good as Python's
LARGE = "99 np.int64(99)"
NUMBERS = f"{LARGE} -5 -1 2 ** 80"
REAL = f"1.7 0.0 1.0 np.float64(1) {NUMBERS}"


class Way(NamedTuple):
    """How a method is given something: what of `ABSURD` it takes, and a number that it takes, of any kind."""

    give: Callable[[Any, Any], Any]
    takes: str = ""
    number: int | None = None


MATCH = {
    "Match(by_hand=)": Way(
        lambda m, it: Match(m.game, 1, by_hand=it, backend="interpreted").length, "True False np.True_"
    ),
    "Match(name)": Way(lambda m, it: Match(m.game, 1, names=[it] * 3, backend="interpreted").names, "'1' ''"),
    "Match(seed=)": Way(lambda m, it: Match(m.game, it, backend="interpreted").events, f"None b'1' {NUMBERS}", 5),
    "Match(number=)": Way(lambda m, it: Match(m.game, 1, number=it, backend="interpreted").events, LARGE, 5),
    "Match(backend=)": Way(lambda m, it: Match(m.game, 1, backend=it), "None"),
    "Match(names=)": Way(lambda m, it: Match(m.game, 1, names=it, backend="interpreted")),
    "event": Way(lambda m, it: m.event(it), number=1),
    "legal_ids": Way(lambda m, it: m.legal_ids(it), "-1", 1),
    "legal": Way(lambda m, it: m.legal(it), "-1", 1),
    "play(seat)": Way(lambda m, it: m.play(it, m.legal_ids(1)[0]), number=1),
    "play(move)": Way(lambda m, it: m.play(1, it), number=6),
    "play(Move)": Way(lambda m, it: m.play(1, hexdeck.Move(it, "", Text("")))),
    "illegal_reason(seat)": Way(lambda m, it: m.illegal_reason(it, 0), number=1),
    "illegal_reason(action)": Way(lambda m, it: m.illegal_reason(1, it), number=3),
    "why": Way(lambda m, it: m.why(it), number=2),
    "let_chance(seed)": Way(lambda m, it: m.let_chance(it), f"None b'1' {NUMBERS}", 5),
    "let_chance(number)": Way(lambda m, it: m.let_chance(1, it), LARGE, 5),
    "deal after the deal": Way(lambda m, it: m.deal(it)),
    "go": Way(lambda m, it: m.go(it), number=3),
    "retract": Way(lambda m, it: m.retract(it), number=0),
    "load_events": Way(lambda m, it: m.load_events(it)),
    "load_events(seat)": Way(lambda m, it: m.load_events([(it, 1)]), f"{NUMBERS} 10 ** 5000", 1),
    "load_events(id)": Way(lambda m, it: m.load_events([(-1, it)]), f"{NUMBERS} 10 ** 5000", 1),
    "load_position": Way(lambda m, it: m.load_position(it)),
    "view": Way(lambda m, it: m.view(it), "-1", 1),
    "view(log=)": Way(lambda m, it: m.view(1, it), "None"),
    "facts": Way(lambda m, it: m.facts(it), "-1", 1),
    "facts(since=)": Way(lambda m, it: m.facts(1, it), number=3),
    "concealed": Way(lambda m, it: m.concealed(it), "-1", 1),
    "key": Way(lambda m, it: m.key(it), "-1", 1),
    "observation": Way(lambda m, it: m.observation(it).tobytes(), "-1", 1),
    "resample(seat)": Way(lambda m, it: whole(m.resample(it, 1)), "-1", 1),
    "resample(rng)": Way(lambda m, it: whole(m.resample(1, it)), f"b'1' {NUMBERS}", 7),
    "record(seats=)": Way(lambda m, it: m.record(seats=it), "None"),
    "record(note)": Way(lambda m, it: m.record(note={"of": it}), f"{REAL} False True '1' '' None [1] {{}}"),
    "knowledge": Way(lambda m, it: m.knowledge(it).acting, "-1", 1),
    "visible_ply": Way(lambda m, it: m.visible_ply(it), "-1", 1),
    "Fact.heard_by": Way(lambda m, it: m.narration()[-1][0].heard_by(it), "-1", 1),
    "View.text": Way(lambda m, it: m.view(0).text(it), "'1' ''"),
}
GAME = {
    "game(name)": Way(lambda _, it: hexdeck.game(it)),
    "game(players)": Way(lambda _, it: hexdeck.game(NAME, it), "None", 4),
    "game(losses=)": Way(lambda _, it: hexdeck.game(NAME, losses=it), "'1'", 2),
    "game(deck=)": Way(lambda _, it: hexdeck.game(NAME, 2, deck=it)),
    "Game.driver": Way(lambda m, it: m.game.driver(it), "None"),
    "simulate(games)": Way(lambda m, it: len(m.game.simulate(it, backend="interpreted")), LARGE, 1),
    "simulate(bots)": Way(lambda m, it: m.game.simulate(1, it, backend="interpreted")),
    "simulate(bot)": Way(lambda m, it: m.game.simulate(1, [it] * PLAYERS, backend="interpreted")),
    "simulate(seed)": Way(lambda m, it: played(m, seed=it), f"b'1' {NUMBERS}", 5),
    "simulate(threads)": Way(lambda m, it: played(m, threads=it), f"{LARGE} 2 ** 80 10 ** 5000", 1),
    "simulate(first=)": Way(lambda m, it: played(m, first=it), LARGE, 5),
    "simulate(progress=)": Way(lambda m, it: played(m, progress=it), "None"),
    "simulate(backend=)": Way(lambda m, it: m.game.simulate(1, backend=it), "None"),
    "batch(envs)": Way(lambda m, it: batch(m, envs=it), LARGE, 2),
    "batch(threads)": Way(lambda m, it: batch(m, threads=it), f"{LARGE} 2 ** 80 10 ** 5000", 1),
    "batch(seed=)": Way(lambda m, it: batch(m, seed=it), f"None b'1' {NUMBERS}", 5),
    "batch(seeds)": Way(lambda m, it: batch(m, seed=[it, 1]), f"b'1' {NUMBERS}", 5),
    "batch(first=)": Way(lambda m, it: batch(m, first=it), LARGE, 5),
    "batch(bots=)": Way(lambda m, it: batch(m, bots=it), "None"),
    "batch(bot)": Way(lambda m, it: batch(m, bots=[None, it, None]), "None"),
    "batch(by_hand=)": Way(lambda m, it: batch(m, by_hand=it), "True False np.True_"),
    "batch(auto_reset=)": Way(lambda m, it: batch(m, auto_reset=it), "True False np.True_"),
    "batch(copy=)": Way(lambda m, it: batch(m, copy=it), "True False np.True_"),
    "batch(eye=)": Way(lambda m, it: batch(m, eye=it), "-1", 1),
    "batch(into=)": Way(lambda m, it: batch(m, into=it), "None {}"),
    "batch(array)": Way(lambda m, it: batch(m, into={"ends": it})),
    "batch(backend=)": Way(lambda m, it: batch(m, backend=it), "None"),
    "load": Way(lambda _, it: hexdeck.load(it)),
    "load(backend=)": Way(lambda m, it: hexdeck.load(m.record(), it), "None"),
    "Record.save": Way(lambda m, it: m.record().save(it), "'1'"),
}
UNDEALT = {"deal": Way(lambda m, it: m.deal(it), number=3)}
BATCH = {
    "batch.step": Way(lambda b, it: b.step(it)),
    "batch.step([])": Way(lambda b, it: b.step([it, [1, 2]])),
    "batch.reset": Way(lambda b, it: b.reset(it), "None"),
    "batch.reset(seeds=)": Way(lambda b, it: b.reset(seeds=it), "None"),
    "batch.reset(number=)": Way(lambda b, it: b.reset(number=it), f"None {LARGE}"),
    "batch.random": Way(lambda b, it: b.random(it), "None"),
    "batch.position": Way(lambda b, it: whole(b.position(it)), number=1),
}
SEAT = {  # what is a number and no legal action ends the match, as the environment says
    "SeatEnv(seat=)": Way(lambda _, it: SeatEnv(NAME, PLAYERS, it).seat, number=1),
    "SeatEnv(bots=)": Way(lambda _, it: SeatEnv(NAME, PLAYERS, bots=it)),
    "SeatEnv(render_mode=)": Way(lambda _, it: SeatEnv(NAME, PLAYERS, render_mode=it), "None"),
    "SeatEnv(illegal_reward=)": Way(lambda _, it: SeatEnv(NAME, PLAYERS, illegal_reward=it), f"{REAL} None 10 ** 5000"),
    "SeatEnv.step": Way(lambda env, it: env.step(it), f"{NUMBERS} 10 ** 5000"),
    "SeatEnv.reset(seed=)": Way(lambda env, it: env.reset(seed=it), f"None {LARGE} 2 ** 80"),
    "SeatEnv.reset(options=)": Way(lambda env, it: env.reset(options=it), "None {}"),
    "SeatEnv.reset(number)": Way(lambda env, it: env.reset(seed=1, options={"number": it}), f"None {LARGE}"),
    "SeatEnv.reset(rules)": Way(lambda env, it: env.reset(seed=1, options={"rules": it}), "None {}"),
    "SeatVectorEnv(num_envs)": Way(lambda _, it: SeatVectorEnv(NAME, it, PLAYERS).num_envs, LARGE, 1),
    "SeatVectorEnv(seat=)": Way(lambda _, it: SeatVectorEnv(NAME, 1, PLAYERS, it).seat, number=1),
}
MANY = {
    "SeatVectorEnv.step": Way(lambda env, it: env.step(it)),
    "SeatVectorEnv.reset(seed=)": Way(lambda env, it: env.reset(seed=it), f"None {NUMBERS}"),
    "SeatVectorEnv.reset(options=)": Way(lambda env, it: env.reset(options=it), "None {}"),
}
TABLE = {
    "GameAECEnv(illegal_reward=)": Way(lambda env, it: GameAECEnv(env.game, None, it), f"{REAL} None 10 ** 5000"),
    "GameAECEnv.observe": Way(lambda env, it: env.observe(it)),
    "GameAECEnv.action_space": Way(lambda env, it: env.action_space(it)),
    "GameAECEnv.observation_space": Way(lambda env, it: env.observation_space(it)),
    "GameAECEnv.step": Way(lambda env, it: env.step(it)),
    "GameAECEnv.reset(seed=)": Way(lambda env, it: env.reset(seed=it), f"None {NUMBERS}"),
}
TOGETHER = {
    "GameParallelEnv(illegal_reward=)": Way(
        lambda env, it: GameParallelEnv(env.game, None, it), f"{REAL} None 10 ** 5000"
    ),
    "GameParallelEnv.step": Way(lambda env, it: env.step(it)),
    "GameParallelEnv.step(action)": Way(lambda env, it: env.step(dict.fromkeys(env.agents, it))),
}

QUIET = {  # they say what they take, and nothing of what they were given, or its kind alone
    "deal after the deal",
    "record(note)",
    "Match(name)",
    "simulate(bot)",
    "batch(bots=)",
    "batch(bot)",
    "batch(array)",
    "load",
    "batch.step",
    "batch.step([])",
    "batch.reset",
    "batch.random",
    "SeatVectorEnv.step",
}


def played(match: Match, **how: Any) -> list[Any]:
    returns: list[Any] = match.game.simulate(1, backend="interpreted", **how).returns.tolist()
    return returns


def batch(match: Match, envs: Any = 2, **how: Any) -> Any:
    with match.game.batch(envs, **{"backend": match.driver.backend, "seed": 1, **how}) as made:
        return made.arrays.observations.tobytes()


def subjects(backend: str) -> list[tuple[Any, dict[str, Way]]]:
    """What is asked, and how: a match in which seat 0 has chosen in secret, a batch, environments."""
    game = hexdeck.game(NAME, PLAYERS)
    match = game.match(2, backend=backend)
    match.play(0, match.legal_ids(0)[0])
    assert match.acting == (1, 2) and 6 in match.legal_ids(1)
    undealt = game.match(by_hand=True, backend=backend)
    found = [(match, MATCH | GAME), (undealt, UNDEALT), (game.batch(2, seed=1, backend=backend), BATCH)]
    envs = [
        (SeatEnv(NAME, PLAYERS), SEAT),
        (SeatVectorEnv(NAME, 2, PLAYERS), MANY),
        (GameAECEnv(game), TABLE),
        (GameParallelEnv(game), TOGETHER),
    ]
    for env, _ in envs:
        env.reset(seed=1)
    return [*found, *envs]


def standing(subject: Any) -> Any:
    """All that must be as before when something was refused."""
    if isinstance(subject, SeatVectorEnv):
        subject = subject.batch
    if isinstance(subject, Batch):
        return [array.tobytes() for array in vars(subject.arrays).values()], subject.numbers.tolist()
    match = subject if isinstance(subject, Match) else subject.episodes.current
    stopped = None if subject is match else subject.episodes.over
    legal = [match.legal_ids(seat) for seat in range(PLAYERS)]
    return whole(match), match.events, match.ply, match.acting, match.chances(), legal, stopped


def taken(way: Way) -> set[str]:
    return {name for name in ABSURD if re.search(rf"(?<!\S){re.escape(name)}(?!\S)", way.takes)}


def refusal(subject: Any, way: Way, it: Any) -> str:
    """The sentence with which a method refuses something; what is wrong where it isn't one."""
    before = standing(subject)
    try:
        way.give(subject, it)
    except hexdeck.HexdeckError as error:
        message = str(error)
    except Exception as error:
        return f"BAD {type(error).__name__}: {error}"
    else:
        return "BAD: it was taken"
    if standing(subject) != before:
        return f"BAD: {message} But something has changed."
    one = message.endswith(".") and "\n" not in message and len(message) < 300 and not re.search(r"\. [A-Z]", message)
    return message if one else f"BAD: not one sentence: {message}"


def outcome(subject: Any, way: Way, number: Any) -> Any:
    other = subject.copy() if isinstance(subject, Match) else subject
    return way.give(other, number), standing(other)


@pytest.fixture(scope="module")
def refusals() -> dict[str, dict[str, str]]:
    """What every backend says to every method given every absurd thing that it doesn't take."""
    found: dict[str, dict[str, str]] = {}
    with pytest.MonkeyPatch.context() as patch:
        for backend in BACKENDS:
            if backend != "interpreted":
                warm(NAME, backend)
            patch.setenv("HEXDECK_BACKEND", backend)
            found[backend] = {
                f"{name} given {datum}": refusal(subject, way, it)
                for subject, ways in subjects(backend)
                for name, way in ways.items()
                for datum, it in ABSURD.items()
                if datum not in taken(way)
            }
    return found


def test_what_is_absurd_is_refused_in_one_sentence_the_same_in_all_backends_and_changes_nothing(refusals: Any) -> None:
    assert [f"{what}: {text}" for what, text in refusals["fast"].items() if text.startswith("BAD")] == []
    assert all(refusals[backend] == refusals["interpreted"] for backend in BACKENDS)


def test_a_refusal_shows_what_was_given(refusals: Any) -> None:
    silent = [
        f"{what}: {text}"
        for what, text in refusals["interpreted"].items()
        for name, datum in [what.split(" given ")]
        if name not in QUIET
        and not isinstance(ABSURD[datum], (list, dict))
        and shown(ABSURD[datum]).strip("'") not in text
    ]
    assert silent == []


@pytest.mark.parametrize("backend", BACKENDS)
def test_whole_numbers_of_numpy_are_as_good_as_those_of_python(backend: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HEXDECK_BACKEND", backend)
    asked = [(subject, name, way) for subject, ways in subjects(backend) for name, way in ways.items()]
    different = [
        f"{name} given {kind.__name__}"
        for kind, (subject, name, way) in zip(itertools.cycle(KINDS), asked, strict=False)
        if way.number is not None and outcome(subject, way, kind(way.number)) != outcome(subject, way, way.number)
    ]
    assert different == []
