"""Anybody's policies: measured exactly, and playing as they are measured, as functions, files and programs."""

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import hexdeck
from hexdeck.bots.bot import Bot
from hexdeck.bots.players.policies import any_bot, fingerprint
from hexdeck.bots.players.roster import bot
from hexdeck.engine.errors import BadOption, HexdeckError, UnknownBot
from hexdeck.engine.play.match import Match
from hexdeck.research.benchmark.algorithms import Ground, Task, brought
from hexdeck.research.exact import GameTree
from hexdeck.research.exact.tree import bot_policy
from hexdeck.research.rating import contest
from hexdeck.research.training.exploit import ExploitPlan, Hunt
from hexdeck.simulation.game import Game
from tests.support import for_each

TINY = hexdeck.game("cursed-hand/tiny", 2)
WRITTEN = """
import numpy as np

def policy(observations, masks):
    return masks / masks.sum(axis=1, keepdims=True)

def first(observations, masks):
    return np.eye(masks.shape[1])[masks.argmax(axis=1)]
"""
PROGRAM = """
import json, sys
for line in sys.stdin:
    table = json.loads(line)
    if table["state"] == "playing":
        names = table.get("names") or names
        legal = [name for name, mask in zip(names["actions"], table["mask"], strict=True) if mask]
        assert set(legal) == {move["name"] for move in table["view"]["moves"]}
        assert len(table["observation"]) == max(end for _begin, end in names["observation"].values())
        print(json.dumps({"move": legal[0]}), flush=True)
"""


def first(_observations: np.ndarray, masks: np.ndarray) -> np.ndarray:
    return np.eye(masks.shape[1])[masks.argmax(axis=1)]


def by_weights(game: Game) -> Callable[[np.ndarray, np.ndarray], np.ndarray]:
    """A policy of random weights: a linear function of observations, and a softmax."""
    wide = game.observation_size, len(game.rules.ACTIONS)
    weights = np.random.default_rng(3).normal(size=wide).astype(np.float32)

    def policy(observations: np.ndarray, masks: np.ndarray) -> np.ndarray:
        logits = np.where(masks, observations.astype(np.float32) @ weights, -np.inf)
        powers = np.exp(logits - logits.max(axis=1, keepdims=True))
        return np.asarray(powers / powers.sum(axis=1, keepdims=True))

    return policy


def program(tmp_path: Path, source: str = PROGRAM) -> str:
    file = tmp_path / "program.py"
    file.write_text(source, encoding="utf-8")
    return f"run:{sys.executable} {file}"


# --- measured exactly -------------------------------------------------------------------------------------------------
@for_each("name", ("cursed-hand/tiny", "black-hearts/tiny"))
def test_a_tree_shows_what_matches_show(name: str) -> None:
    game = hexdeck.game(name)
    tree, seen = GameTree(game), 0
    numbers = {pair: k for k, pair in enumerate(zip(tree.seats.tolist(), tree.keys.tolist(), strict=True))}
    for number in range(20):
        match, dice = Match(game, 1, number=number), np.random.default_rng(number)
        while not match.over:
            seat, legal = match.actor, match.legal_ids(match.actor)
            at = numbers[seat, match.key(seat)]
            assert np.array_equal(tree.observations[at], match.observation(seat))
            assert np.flatnonzero(tree.masks[at]).tolist() == legal
            match.play(seat, int(dice.choice(legal)))
            seen += 1
    assert seen > 40 and tree.observations.dtype == np.int8 and tree.observations.any(axis=0).sum() > 5


def test_a_table_is_worth_what_the_same_policy_is_in_one_array() -> None:
    tree = GameTree(TINY)
    table = by_weights(TINY)(tree.observations, tree.masks)
    assert tree.nash_conv(table) == pytest.approx(tree.nash_conv(table[tree.masks].astype(float)), abs=1e-5)
    assert tree.nash_conv(tree.masks / tree.masks.sum(axis=1, keepdims=True)) == pytest.approx(0.7)
    assert tree.nash_conv(by_weights(TINY)) == pytest.approx(tree.nash_conv(table))
    found = bot_policy(tree, any_bot(by_weights(TINY), TINY))
    assert tree.nash_conv(found) == pytest.approx(tree.nash_conv(table))
    player = any_bot(by_weights(TINY), TINY)
    for k in range(0, len(tree.keys), 20):
        shares = {one.action: one.probability for one in player.candidates(tree.known[k].tobytes(), int(tree.seats[k]))}
        assert shares == pytest.approx({int(a): float(table[k, a]) for a in np.flatnonzero(tree.masks[k])}, abs=1e-6)


class Tensor:
    """What can't be read as an array until it is detached."""

    def __array__(self, *_: Any, **__: Any) -> np.ndarray:
        raise RuntimeError("Can't call numpy() on Tensor that requires grad.")


def without(table: np.ndarray, row: int, values: np.ndarray) -> np.ndarray:
    table = table.copy()
    table[row] = values
    return table


def test_what_is_no_policy_is_refused_in_a_sentence_that_names_the_row() -> None:
    tree = GameTree(TINY)
    uniform = tree.masks / tree.masks.sum(axis=1, keepdims=True)
    row = int(np.flatnonzero(tree.masks.sum(axis=1) == 2)[3])
    one, other = np.eye(len(uniform[0]))[np.flatnonzero(tree.masks[row])]
    illegal = int(np.flatnonzero(~tree.masks[row])[0])
    wrong = np.eye(len(uniform[0]))[illegal]
    named, action = rf"Row {row} \(seat {tree.seats[row]}\)", TINY.rules.ACTIONS[illegal]
    for table, words in (
        (uniform[:-1], r"shape of the masks, \(232, 77\): a row for each, not \(231, 77\)"),
        (without(uniform, row, one * np.nan), f"{named} of the probabilities has a value that is no number"),
        (without(uniform, row, 2 * one - other), f"{named} of the probabilities has a value below 0"),
        (
            without(uniform, row, (one + wrong) / 2),
            f"{named} gives the illegal action {action} the probability 0.5, not 0",
        ),
        (without(uniform, row, one / 2), f"{named} of the probabilities sums to 0.5, not to 1"),
        (uniform[:, :, None], "has 330 probabilities or a table of 232 × 77, not 232 × 77 × 1"),
        (None, "array of numbers, not None"),
        (uniform.astype(complex), "array of numbers, not "),
    ):
        with pytest.raises(BadOption, match=words):
            tree.nash_conv(table)
    for answer, words in ((Tensor(), "requires grad"), ([[1.0], [1.0, 2.0]], "array of numbers"), (None, "not None")):
        with pytest.raises(HexdeckError, match=f"The policy <lambda> can't be used: .*{words}"):
            TINY.simulate(1, lambda _observations, _masks, answer=answer: answer)


def test_a_policy_that_raises_is_named_with_the_line_where() -> None:
    def broken(_observations: np.ndarray, masks: np.ndarray) -> np.ndarray:
        raise ValueError(f"no luck\nwith {masks}")

    line = broken.__code__.co_firstlineno + 1
    with pytest.raises(HexdeckError, match=rf"broken can't be used: ValueError: no luck \(.*\.py, line {line}\)\.$"):
        TINY.simulate(1, broken)
    with pytest.raises(HexdeckError, match=r"<lambda> can't be used: TypeError: .*positional argument.*given\.$"):
        TINY.simulate(1, lambda _observations: 1)  # type: ignore[misc, arg-type]


# --- playing ----------------------------------------------------------------------------------------------------------
def test_a_policy_plays_the_same_as_function_file_and_program(tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_text(WRITTEN, encoding="utf-8")
    games = [TINY.simulate(12, [one, "random"], seed=2) for one in (first, f"python:{file}:first", program(tmp_path))]
    assert np.array_equal(games[0].returns, games[1].returns) and np.array_equal(games[0].returns, games[2].returns)
    assert np.ptp(games[0].returns[:, 0]) > 0
    drawn = [TINY.simulate(30, f"python:{file}", seed=3, threads=threads).returns for threads in (1, 2)]
    assert np.array_equal(*drawn) and not np.array_equal(drawn[0], TINY.simulate(30, first, seed=3).returns)


def test_a_batch_asks_a_policy_once_for_all_environments() -> None:
    asked: list[int] = []

    def policy(observations: np.ndarray, masks: np.ndarray) -> np.ndarray:
        asked.append(len(observations))
        return first(observations, masks)

    with TINY.batch(16, seed=4, bots=[policy, None]) as batch, TINY.batch(16, seed=4, bots=[first, None]) as other:
        for _ in range(12):
            actions = batch.random().copy()
            batch.step(actions)
            other.step(actions)
            assert np.array_equal(batch.arrays.rewards, other.arrays.rewards)
            assert (batch.arrays.seats == 1).all()
    assert max(asked) > 8


def test_contests_hunts_and_the_benchmark_take_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hexdeck.research.training.exploit.DECISIONS", 400)
    monkeypatch.setattr("hexdeck.research.training.exploit.DEALS", 4)
    file = tmp_path / "mine.py"
    file.write_text(WRITTEN, encoding="utf-8")
    name = f"python:{file}:first"
    assert contest(TINY, name, "random", 4).mean("utility") == contest(TINY, program(tmp_path), "random", 4).mean(
        "utility"
    )
    hunt = Hunt(TINY, ExploitPlan(name, steps=2, groups=4, seeds=1, choices=200))
    assert np.isfinite(hunt.run().mean)
    tree = GameTree(TINY)
    task = Task(Ground("cursed-hand/tiny", TINY, tree.histories), 1, 1.0)
    values = []
    for brought_name in (name, program(tmp_path), str(file)):
        algorithm = brought(brought_name)
        assert algorithm.learn is not None and algorithm.bot is not None
        ((_work, policy),) = algorithm.learn(task)
        values.append(tree.nash_conv(policy))  # type: ignore[arg-type]
    assert values[0] == pytest.approx(values[1]) == pytest.approx(tree.nash_conv(first(tree.observations, tree.masks)))
    assert values[2] == pytest.approx(0.7) and brought(name).version != 1


def test_a_program_that_answers_nonsense_or_nothing_ends_it_in_a_sentence(tmp_path: Path) -> None:
    for source, words in (("print('hello', flush=True)\ninput()\nprint(7)", "nonsense"), ("", "the program ended")):
        with pytest.raises(HexdeckError, match=f"run:.* can't go on: {words}"):
            TINY.simulate(2, [program(tmp_path, source), "random"], seed=1)


def test_names_that_start_what_a_user_brings_are_for_users_alone(tmp_path: Path) -> None:
    mark, server = tmp_path / "mark", pytest.importorskip("hexdeck.envs.mcp_server")
    (tmp_path / "mine.py").write_text(f"open({str(mark)!r}, 'w')", encoding="utf-8")
    for name in (f"run:touch {mark}", f"python:{tmp_path / 'mine.py'}", "onnx:net.onnx"):
        with pytest.raises(UnknownBot, match="There is no bot"):
            bot(name, TINY)
        with pytest.raises(HexdeckError):
            server.Matches().start_match("cursed-hand", 2, bots=[name])
    assert not mark.exists()


def test_files_that_are_no_policies_are_refused(tmp_path: Path) -> None:
    for source, words in (
        ("1 / 0", "can't be run: ZeroDivisionError"),
        ("x = 1", r"no function policy\(observations"),
        (None, "There is no file"),
    ):
        file = tmp_path / f"mine{words[:3].strip()}.py"
        if source is not None:
            file.write_text(source, encoding="utf-8")
        with pytest.raises(HexdeckError, match=words):
            any_bot(f"python:{file}", TINY)


# --- ONNX -------------------------------------------------------------------------------------------------------------
def field(number: int, value: int | bytes | str) -> bytes:
    if isinstance(value, int):
        return varint(number << 3) + varint(value)
    value = value.encode() if isinstance(value, str) else value
    return varint(number << 3 | 2) + varint(len(value)) + value


def varint(value: int) -> bytes:
    return bytes([value]) if value < 128 else bytes([value & 127 | 128]) + varint(value >> 7)


def shaped(name: str, wide: int) -> bytes:
    """An input or output of an ONNX graph: float rows."""
    shape = field(1, field(2, "rows")) + field(1, field(1, wide))
    return field(1, name) + field(2, field(1, field(1, 1) + field(2, shape)))


def onnx(weights: np.ndarray, given: str = "observation", gives: str = "logits") -> bytes:
    tensor = b"".join(field(1, size) for size in weights.shape) + field(2, 1) + field(8, "w")
    node = field(1, given) + field(1, "w") + field(2, gives) + field(4, "MatMul")
    graph = field(1, node) + field(2, "net") + field(5, tensor + field(9, weights.astype("<f4").tobytes()))
    graph += field(11, shaped(given, weights.shape[0])) + field(12, shaped(gives, weights.shape[1]))
    return field(1, 8) + field(7, graph) + field(8, field(2, 13))


def test_an_onnx_file_plays_as_the_function_that_it_holds(tmp_path: Path) -> None:
    pytest.importorskip("onnxruntime")
    wide, file = (TINY.observation_size, len(TINY.rules.ACTIONS)), tmp_path / "net.onnx"
    weights = np.random.default_rng(3).normal(size=wide)
    file.write_bytes(onnx(weights))
    tree, player = GameTree(TINY), any_bot(f"onnx:{file}", TINY)
    expected = by_weights(TINY)(tree.observations, tree.masks)
    assert tree.nash_conv(bot_policy(tree, player)) == pytest.approx(tree.nash_conv(expected), abs=1e-4)
    both = [TINY.simulate(20, [one, "random"], seed=5).returns for one in (f"onnx:{file}", by_weights(TINY))]
    assert np.array_equal(*both)
    for content, words in (
        (onnx(weights[:-1]), r"isn't a policy of cursed-hand: .*observation \['rows', 147\]"),
        (onnx(weights, "cards"), "isn't a policy of cursed-hand"),
        (onnx(weights, gives="action"), "isn't a policy of cursed-hand"),
        (b"nonsense", "is not an ONNX file, or it is damaged"),
    ):
        file.write_bytes(content)
        with pytest.raises(HexdeckError, match=words):
            any_bot(f"onnx:{file}", TINY)
    file.write_bytes(onnx(weights * 0, gives="probabilities"))
    with pytest.raises(HexdeckError, match=r"onnx:.* can't be used: Row 0 of the probabilities sums to "):
        TINY.simulate(1, f"onnx:{file}")
    with pytest.raises(HexdeckError, match="There is no file"):
        any_bot("onnx:there-is-none.onnx", TINY)


def test_a_player_is_a_bot() -> None:
    players: list[Bot] = [any_bot(first, TINY), any_bot("house", TINY), any_bot("run:true", TINY)]
    assert [player.name for player in players] == ["first", "house", "run:true"]
    with pytest.raises(BadOption, match="a name or a function"):
        any_bot(3, TINY)  # type: ignore[arg-type]


def test_a_fingerprint_is_of_every_file_that_a_name_names(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    names = "net:a.net", "think:9:a.net:bold", "rollout:mimic-deal:9:b.net:a.net", "run:python3 a.net", "onnx:a.net"
    assert not any(map(fingerprint, [*names, "house", "net", "net:11", "run:'"]))
    (tmp_path / "b.net").write_bytes(b"b")
    (tmp_path / "a.net").write_bytes(b"1")
    before = [*map(fingerprint, names)]
    (tmp_path / "a.net").write_bytes(b"2")
    assert all(before) and not set(before) & set(map(fingerprint, names))
