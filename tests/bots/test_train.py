"""The trainer: its gradients are right, it learns, it goes on where it stopped, its league keeps the better."""

import dataclasses
import functools
import json
import shlex
import shutil
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import hexdeck
from hexdeck.bots.nets.inference import length
from hexdeck.bots.nets.netfile import POLICY, VALUES, is_net_of, load, net_sizes, shipped
from hexdeck.bots.training import league as leagues
from hexdeck.bots.training import lineups
from hexdeck.bots.training import trainer as train
from hexdeck.bots.training.adversary import Adversary
from hexdeck.bots.training.arena import FRESH, Arena
from hexdeck.bots.training.collect import ADVANTAGE, GENTLE, HOUSE, LOGP, RANDOM, SEARCH, TARGET, VALUE
from hexdeck.bots.training.league import export, league, league_lineup, spread, trials
from hexdeck.bots.training.learn import (
    Batch,
    Learner,
    TrainStep,
    first_weights,
    masked_softmax,
    ppo_gradient,
    usual_size,
)
from hexdeck.bots.training.plan import Plan
from hexdeck.bots.training.run_files import CURVE, STATE
from hexdeck.bots.training.trainer import Trainer, resumed
from hexdeck.cli import main
from hexdeck.cli.parser import build_parser
from hexdeck.cli.research.train import begun, commands
from hexdeck.engine.text import Catalogue
from tests.settings import much

TINY = {"hand_cards": 3}
PLAN = Plan("cursed-hand", (2, 3), TINY, steps=6, hidden=(8, 8), batch=512, checkpoint_every=2, minibatch=128)
SIZES = net_sizes(hexdeck.game("cursed-hand").rules, 16, 16)
COUNTERED = dataclasses.replace(PLAN, opponents=("search:5",), search_steps=3, opponent_share=0.6)
RESET = dataclasses.replace(COUNTERED, adversary_reset=1)


def batch_of(sizes: np.ndarray, count: int, seed: int) -> Batch:
    """Made-up decisions."""
    rng = np.random.default_rng(seed)
    legal = rng.random((count, sizes[4])) < 0.5
    legal[:, 0] = True
    chosen = np.array([rng.choice(np.flatnonzero(row)) for row in legal], np.int16)
    facts = rng.normal(size=(count, 4)).astype(np.float32)
    facts[:, LOGP] = np.log(1 / legal.sum(axis=1)) + rng.normal(0, 0.3, count)
    return Batch(rng.integers(-2, 3, (count, sizes[1])).astype(np.int8), legal, chosen, facts)


def loss(learner: Learner, batch: Batch, how: TrainStep) -> float:
    """The loss as it is written in the papers, weight by weight."""
    first, first_bias, second, second_bias, last, last_bias = unflattened(learner)
    near = np.maximum((batch.inputs * learner.scale) @ first + first_bias, 0)
    output = np.maximum(near @ second + second_bias, 0) @ last.T + last_bias
    total = 0.0
    for row, legal, chosen, facts in zip(output, batch.legal, batch.chosen, batch.labels, strict=True):
        chances = np.where(legal, np.exp(row[:-1]), 0)
        chances = chances / chances.sum()
        ratio = chances[chosen] / np.exp(float(facts[LOGP]))
        advantage = float(facts[ADVANTAGE])
        total -= min(ratio * advantage, np.clip(ratio, 1 - how.clip, 1 + how.clip) * advantage)
        total += how.entropy * (chances[legal] * np.log(chances[legal])).sum()
        total += how.value * (row[-1] - float(facts[TARGET])) ** 2 / 2
    return total / len(batch)


def unflattened(learner: Learner) -> list[np.ndarray]:
    """The layers of a learner, cut by hand."""
    _, inputs, near, far, actions = learner.sizes
    shapes = [(inputs, near), (near,), (near, far), (far,), (actions + 1, far), (actions + 1,)]
    parts = np.split(learner.flat, np.cumsum([np.prod(shape) for shape in shapes])[:-1])
    return [part.reshape(shape) for part, shape in zip(parts, shapes, strict=True)]


# --- learning ---------------------------------------------------------------------------------------------------------
def test_the_gradient_is_that_of_the_loss() -> None:
    sizes = np.array([6, 8, 8, 4, 5], np.int64)
    rng = np.random.default_rng(3)
    learner = Learner(sizes, rng.normal(0, 0.5, length(sizes)), np.ones(8))
    learner.scale = rng.uniform(0.5, 2, 8)
    batch, how = batch_of(sizes, 40, 1), TrainStep(entropy=0.3)
    gradient, _ = learner.gradient(batch, how)
    for k in range(length(sizes)):
        before, sides = learner.flat[k], []
        for step in (1e-5, -1e-5):
            learner.flat[k] = before + step
            sides.append(loss(learner, batch, how))
        learner.flat[k] = before
        assert gradient[k] == pytest.approx((sides[0] - sides[1]) / 2e-5, rel=1e-3, abs=1e-5)


def test_a_good_action_becomes_likelier_and_a_bad_one_rarer() -> None:
    sizes = np.array([6, 8, 8, 4, 5], np.int64)
    learner = Learner(sizes, first_weights(sizes, 4, np.random.default_rng(1)), np.ones(8))
    batch = batch_of(sizes, 256, 2)
    batch.labels[:, ADVANTAGE] = np.where(batch.chosen == 0, 1, -1)
    batch.labels[:, LOGP] = -np.log(batch.legal.sum(axis=1))
    for _ in range(5):
        learner.learn(batch, TrainStep(entropy=0.0, minibatch=64, epochs=4), 0.01, np.random.default_rng(1))
    near = np.maximum(batch.inputs @ unflattened(learner)[0] + unflattened(learner)[1], 0)
    far = np.maximum(near @ unflattened(learner)[2] + unflattened(learner)[3], 0)
    chances, logs = masked_softmax((far @ unflattened(learner)[4].T + unflattened(learner)[5])[:, :-1], batch.legal)
    assert chances[:, 0].mean() > 1.15 * (1 / batch.legal.sum(axis=1)).mean()
    assert (chances[~batch.legal] == 0).all() and np.isfinite(logs).all()


def test_an_action_that_moved_too_far_pulls_no_more() -> None:
    batch = batch_of(np.array([6, 8, 8, 4, 5], np.int64), 1, 2)
    batch.legal[:], batch.labels[0, LOGP], batch.labels[0, ADVANTAGE] = True, np.log(0.01), 1.0
    slope, _ = ppo_gradient(np.zeros((1, 6)), batch, TrainStep(entropy=0.0))
    assert (slope[0, :-1] == 0).all()
    batch.labels[0, ADVANTAGE] = -1.0
    slope, _ = ppo_gradient(np.zeros((1, 6)), batch, TrainStep(entropy=0.0))
    assert (slope[0, :-1] != 0).all()


def test_inputs_are_measured_by_how_large_they_are_when_not_zero() -> None:
    seen = np.array([[0, 0, 1, 30], [0, 3, 1, -40], [0, 4, 1, 0]], np.int8)
    assert usual_size(seen).tolist() == pytest.approx([1, np.sqrt(12.5), 1, np.sqrt(1250)])


# --- playing ----------------------------------------------------------------------------------------------------------
def played(backend: str, size: int = 200, table: tuple[int, ...] = (0, 0)) -> tuple[Batch, tuple[int, ...]]:
    """A few games of a net of random weights."""
    game = hexdeck.game("cursed-hand", 2, **TINY)
    sizes = net_sizes(game.rules, 8, 4)
    net = np.random.default_rng(1).normal(0, 0.3, length(sizes))
    arena, batch = Arena(game, sizes, 1, backend, np.array([0.5, 2.0, 0.9])), Batch.empty(sizes, size)
    return batch, arena.collect(np.array([table] * 12), [net, -net], 5, batch)


def test_both_backends_record_the_same_decisions() -> None:
    judge, fast = played("interpreted"), played("fast")
    assert judge[1] == fast[1] and judge[1][1] == 12
    for ours, theirs in zip(dataclasses.astuple(judge[0]), dataclasses.astuple(fast[0]), strict=True):
        assert np.array_equal(ours, theirs)


def test_only_decisions_of_the_learning_net_are_recorded() -> None:
    counts = [played("fast", 500, table)[1][0] for table in ((0, 0), (0, 1), (0, HOUSE), (RANDOM, 0), (1, HOUSE))]
    assert counts[0] > max(counts[1:4]) and min(counts[:4]) > 0 == counts[4]


def test_a_game_that_does_not_fit_is_left_out() -> None:
    whole, cut = played("fast", 500), played("fast", 50)
    assert cut[1][0] <= 50 and cut[1][1] < 12
    assert np.array_equal(cut[0].labels[: cut[1][0]], whole[0].labels[: cut[1][0]])


def test_advantages_lead_from_values_to_the_result() -> None:
    batch, (count, games, _) = played("fast", 500, (0, RANDOM))
    facts = batch.labels[:count].astype(float)
    assert np.allclose(facts[:, TARGET], facts[:, ADVANTAGE] + facts[:, VALUE], atol=1e-6)
    ends = np.flatnonzero(np.isclose(np.abs(facts[:, TARGET] * 2 + 0.5), 1, atol=1e-5))
    assert len(ends) == games and ends[-1] == count - 1
    for i in range(count - 1):
        if i not in ends:
            step = facts[i + 1, VALUE] - facts[i, VALUE] + 0.9 * facts[i + 1, ADVANTAGE]
            assert facts[i, ADVANTAGE] == pytest.approx(step, abs=1e-5)


# --- whole runs -------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("plan", [PLAN, COUNTERED, RESET], ids=["itself", "an adversary", "an adversary that is reset"])
def test_a_run_cut_off_and_resumed_is_the_run_that_was_not(
    plan: Plan, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(train, "SEARCH_CHECKPOINT", 2)
    whole = Trainer(plan, "fast")
    whole.run(tmp_path / "whole")
    cut = Trainer(plan, "fast")
    while cut.done < 4:
        cut.step()
    cut.save(tmp_path / "cut")
    again = resumed(tmp_path / "cut", "fast")
    assert (again.done, again.plan) == (4, plan)
    again.run(tmp_path / "cut")
    assert again.learner.flat.tobytes() == whole.learner.flat.tobytes()
    assert bool(again.adversary) == bool(whole.adversary) == bool(plan.opponent_share)
    if again.adversary and whole.adversary:
        kept, foe = again.adversary.arrays(), whole.adversary.arrays()
        assert {name: kept[name].tobytes() for name in kept} == {name: foe[name].tobytes() for name in foe}
    assert [net.tobytes() for net in again.checkpoints] == [net.tobytes() for net in whole.checkpoints]
    strip = {"seconds"}
    assert [{k: v for k, v in row.items() if k not in strip} for row in again.curve] == [
        {k: v for k, v in row.items() if k not in strip} for row in whole.curve
    ]
    assert len((tmp_path / "cut" / CURVE).read_text().splitlines()) == 1 + 3


def test_another_seed_makes_another_net() -> None:
    nets = []
    for seed in (1, 2):
        trainer = Trainer(dataclasses.replace(PLAN, seed=seed), "fast")
        trainer.step()
        nets.append(trainer.learner.flat)
    assert not np.array_equal(*nets)


def test_seconds_of_training_beat_random_play_and_the_untrained_net(tmp_path: Path) -> None:
    plan = Plan("hawthorn", (2,), {}, steps=40, hidden=(16, 16), batch=4096, checkpoint_every=20, entropy=0.02)
    trainer = Trainer(plan, "fast")
    before = trainer.arenas[0].against(trainer.learner.weights(), 1.0, 1000, RANDOM)
    trainer.run(tmp_path)
    after = trainer.arenas[0].against(trainer.checkpoints[-1], 1.0, 1000, RANDOM)
    assert after[0] - after[1] > max(0.0, before[0] + before[1])


@pytest.mark.parametrize("among", [(), ("house",), ("house", "gentle")])
def test_the_past_sits_in_some_games_and_the_bots_asked_for(among: tuple[str, ...]) -> None:
    trainer = Trainer(dataclasses.replace(PLAN, opponents=among), "fast")
    asked = {"house": HOUSE, "gentle": GENTLE}
    there = {0, *(asked[name] for name in among)}
    assert set(np.unique(trainer._lineup(1, 0))) == there
    table = trainer._lineup(1, 3)
    assert set(np.unique(table)) == {*there, 1, 2, 3}
    mixed = (table != 0).any(axis=1)
    assert mixed.mean() < (0.5 if among else 0.25) and (table[mixed] == 0).mean() == pytest.approx(3 / 7, abs=0.1)


def test_a_search_plays_along_at_the_end_only(tmp_path: Path) -> None:
    trainer = Trainer(dataclasses.replace(PLAN, opponents=("search:20",), search_steps=2), "fast")
    assert not trainer.searching and SEARCH not in trainer._lineup(0, 3)
    trainer.run(tmp_path)
    trainer.done -= 1
    assert trainer.searching and trainer.batch_size < PLAN.batch
    table = trainer._lineup(1, 3)
    assert set(np.unique(table)) == {0, SEARCH}
    assert (table == SEARCH).any(axis=1).mean() == pytest.approx(lineups.SEARCH_SHARE, abs=0.15)
    assert trainer.arenas[0].collect(np.full((3, 2), SEARCH), [trainer.average], 0, trainer.buffer).games == 3


def test_who_learns_to_beat_a_search_meets_in_its_other_games_who_learns_to_beat_it() -> None:
    trainer = Trainer(dataclasses.replace(COUNTERED, batch=4096), "fast")
    while not trainer.searching:
        assert trainer.adversary is None
        trainer.step()
    trainer.step()
    assert trainer.adversary is not None and trainer.adversary.done == 1
    assert not np.array_equal(trainer.adversary.learner.flat, trainer.learner.flat)
    table = trainer._lineup(1, 3)
    searched = (table == SEARCH).any(axis=1)
    assert set(np.unique(table)) == {SEARCH, 0, 1, 2, 3} and (table == 0).any(axis=1).all()
    assert searched.mean() == pytest.approx(0.6, abs=0.1) and set(np.unique(table[searched])) == {SEARCH, 0}
    assert set(np.unique(trainer._duel(1, 2))) == {0, 1, 2}


def test_of_several_bots_each_plays_along_at_the_end_and_who_is_named_twice_twice_as_often() -> None:
    trainer = Trainer(dataclasses.replace(COUNTERED, batch=4096, opponents=("house", "search:5", "search:5")), "fast")
    trainer.done = COUNTERED.steps
    table = trainer._lineup(1, 1)
    met = [(table == code).any(axis=1).mean() for code in (HOUSE, SEARCH)]
    assert met == pytest.approx([0.18, 0.36], abs=0.05) and set(np.unique(table)) == {HOUSE, SEARCH, 0, 1}


def test_two_searches_do_not_play_along() -> None:
    with pytest.raises(hexdeck.BadOption, match="name one of search:5, search:20"):
        Trainer(dataclasses.replace(COUNTERED, opponents=("search:5", "search:20")), "fast")


def test_an_adversary_that_is_reset_is_a_copy_of_its_rival_and_keeps_its_averages() -> None:
    trainer = Trainer(dataclasses.replace(RESET, steps=8, search_steps=7, adversary_reset=2), "fast")
    while not trainer.adversary or trainer.adversary.done < 5:
        trainer.step()
        if trainer.adversary and trainer.adversary.done % 2 == 0:
            assert trainer.adversary.learner.flat.tobytes() == trainer.learner.flat.tobytes()
            assert trainer.adversary.learner.steps == 0 and len(trainer.adversary.past) == trainer.adversary.done // 2
        elif trainer.adversary:
            assert not np.array_equal(trainer.adversary.learner.flat, trainer.learner.flat)
    assert len(trainer.adversary.nets(np.random.default_rng(1))) == 4
    assert not np.array_equal(trainer.adversary.past[0], trainer.adversary.past[1])


def test_an_adversary_learns_to_beat_a_net_that_stays() -> None:
    arena = Arena(hexdeck.game("cursed-hand", 2, **TINY), SIZES, 1, "fast", np.array([0.0, 1.0, 0.95]))
    flat = first_weights(SIZES, 10.0, np.random.default_rng(4))
    foe, space = Adversary(Learner(SIZES, flat, np.ones(int(SIZES[1])))), Batch.empty(SIZES, 4096)
    before = arena.against(foe.learner.weights(), 1.0, 2000, flat)
    for step in range(30):
        lineup = np.array([[0, 1], [1, 0]] * 1000)
        made, _, _ = arena.collect(lineup, [foe.learner.weights(), flat], step * 2000, space)
        foe.learn(space.rows(slice(0, made)), TrainStep(minibatch=128), 0.01, np.random.default_rng(step), foe.learner)
        foe.checkpoint()
    after = arena.against(foe.learner.weights(foe.average), 1.0, 2000, flat)
    assert before[0] == pytest.approx(0, abs=before[1]) and after[0] - after[1] > 0.2
    assert 8 <= len(foe.past) <= 16 and len(foe.nets(np.random.default_rng(1))) == 4


@pytest.mark.parametrize(
    "name",
    ["solved", "net", "house:3", "house:", "search:", "search:0", "search:x", "search:1000001", "search:" + "9" * 5000],
)
def test_who_cannot_play_along_is_refused(name: str) -> None:
    near = r"( \(did you mean (house|search)\?\))?"
    with pytest.raises(hexdeck.BadOption, match=f"{name} can't be an opponent in training{near}; easy, house, random"):
        Trainer(dataclasses.replace(PLAN, opponents=(name,)), "fast")


def test_a_search_that_plays_along_needs_to_know_the_end() -> None:
    with pytest.raises(hexdeck.BadOption, match="give --steps"):
        Trainer(dataclasses.replace(PLAN, opponents=("search",), steps=0, minutes=1.0), "fast")


def test_a_folder_without_a_run_or_with_a_broken_one_is_refused(tmp_path: Path) -> None:
    with pytest.raises(hexdeck.HexdeckError, match="There is no run of training in"):
        resumed(tmp_path)
    (tmp_path / STATE).write_bytes(b"no zip")
    with pytest.raises(hexdeck.HexdeckError, match="can't be read"):
        resumed(tmp_path)


@pytest.fixture(scope="module")
def begun_run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a run that was kept at its beginning."""
    folder = tmp_path_factory.mktemp("run")
    Trainer(PLAN, "fast").save(folder)
    return folder


def tampered(folder: Path, change: Callable[[dict[str, Any]], object]) -> None:
    """Change the arrays of a run's state; its facts are read for that, and written again."""
    with np.load(folder / STATE) as file:
        kept = dict(file)
    kept["facts"] = json.loads(str(kept["facts"]))
    change(kept)
    kept["facts"] = np.array(json.dumps(kept["facts"]))
    np.savez(folder / STATE, **kept)


@pytest.mark.parametrize(
    "change",
    [
        lambda kept: kept["facts"]["plan"].update(house=True),
        lambda kept: kept["facts"]["plan"].pop("players"),
        lambda kept: kept["facts"].update(layout="of another observation"),
        lambda kept: kept["facts"].pop("layout"),
        lambda kept: kept.pop("square"),
    ],
    ids=["a plan of another version", "half a plan", "another layout", "no layout", "an array missing"],
)
def test_a_run_of_another_version_is_refused(
    change: Callable[[dict[str, Any]], object], begun_run: Path, tmp_path: Path
) -> None:
    shutil.copy(begun_run / STATE, tmp_path)
    tampered(tmp_path, change)
    with pytest.raises(hexdeck.HexdeckError, match="was begun by another version of hexdeck, or it is damaged"):
        resumed(tmp_path, "fast")


def test_of_a_run_shorter_than_a_checkpoint_its_end_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(train, "TRIAL", 20)
    monkeypatch.setattr(train, "CHECKS", 4)
    steps: list[float] = []
    trainer = Trainer(
        dataclasses.replace(PLAN, players=(2,), steps=2, checkpoint_every=50, batch=64, minibatch=32), "interpreted"
    )
    trainer.run(tmp_path, lambda row: steps.append(row["step"]))
    assert steps == [2] and len(trainer.checkpoints) == 1
    assert len(resumed(tmp_path, "interpreted").checkpoints) == 1


def test_checkpoints_are_told_once_each(tmp_path: Path) -> None:
    steps: list[float] = []
    Trainer(dataclasses.replace(PLAN, steps=5), "fast").run(tmp_path, lambda row: steps.append(row["step"]))
    assert steps == [2, 4]


# --- the league -------------------------------------------------------------------------------------------------------
def test_everybody_holds_every_hand_of_a_deal_once() -> None:
    table, numbers = league_lineup(5, 3, 40)
    assert table.shape == (120, 3) and (numbers - 2 * FRESH).tolist() == [k // 3 for k in range(120)]
    groups = table.reshape(40, 3, 3)
    assert (np.sort(groups, axis=1) == np.sort(groups[:, :1], axis=2).transpose(0, 2, 1)).all()
    assert set(np.unique(table)) == {HOUSE, 0, 1, 2, 3, 4}


def test_the_league_prefers_a_trained_net_to_an_untrained_one(tmp_path: Path) -> None:
    plan = Plan("hawthorn", (2,), {}, steps=40, hidden=(16, 16), batch=4096, checkpoint_every=40, entropy=0.02)
    trainer = Trainer(plan, "fast")
    untrained = trainer.learner.weights()
    trainer.run(tmp_path)
    standings = league(trainer.arenas, [trainer.checkpoints[0], untrained], 1000)
    assert (
        standings[0].mean - standings[0].margin > standings[1].mean + standings[1].margin
        and standings[0].house > standings[1].house
    )


def test_of_the_adversaries_the_one_counts_that_gains_most(monkeypatch: pytest.MonkeyPatch) -> None:
    trainer = Trainer(COUNTERED, "fast")
    trainer.adversary = Adversary(trainer.learner)
    trainer.adversary.past = [np.full(3, k, np.float16) for k in range(8)]
    met: set[float] = set()

    def against(_arena: Arena, net: np.ndarray, _temperature: float, _groups: int, other: Any, _first: int) -> Any:
        if isinstance(other, int):
            return {SEARCH: 0.5 + net[0], HOUSE: 0.2}[other], 0.0
        met.add(float(other[0]))
        return -float(other[0]) * net[0], 0.0

    monkeypatch.setattr(Arena, "against", against)
    for arena in trainer.arenas:
        arena.scaling = np.array([0.1, 2.0, 0.9])
    standings = trials(trainer, [np.array([0.0]), np.array([0.1])], 30)
    assert max(met) == 7 and len(met) == 4
    assert [each.mean for each in standings] == pytest.approx(
        [(0.6 * 0.5 - 0.1) / 2, (0.6 * 0.6 - 0.4 * 0.7 - 0.1) / 2]
    )
    assert standings[0].entry == 0 and standings[0].house == pytest.approx(0.05)
    assert leagues.standings_of(trainer, [np.array([0.1])])[0].mean == pytest.approx(standings[1].mean)
    trainer.opponents = [SEARCH, HOUSE, SEARCH]  # count as often as they are named
    standings = trials(trainer, [np.array([0.1])], 30)
    assert standings[0].mean == pytest.approx((0.6 * (0.2 + 2 * 0.6) / 3 - 0.4 * 0.7 - 0.1) / 2)


def test_nets_are_judged_on_deals_that_they_were_not_trained_on(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    met: list[np.ndarray] = []

    def contest(
        _arena: Arena, table: np.ndarray, _nets: object, _temperatures: object, numbers: np.ndarray
    ) -> np.ndarray:
        met.append(numbers)
        return np.random.default_rng(1).normal(size=table.shape)

    monkeypatch.setattr(Arena, "contest", contest)
    trainer = Trainer(PLAN, "fast")
    trainer.run(tmp_path)
    checked = np.concatenate(met)
    export(trainer, tmp_path / "some.net", "")
    judged = np.concatenate(met[len(met) - 2 * (1 + len(trainer.checkpoints) // 2) :])
    assert max(trainer.numbers) < FRESH <= checked.min() and not np.intersect1d(checked, judged).size


def test_the_fewer_numbers_of_players_a_net_serves_the_more_deals_judge_each(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    asked: list[int] = []
    judge = leagues.league
    monkeypatch.setattr(leagues, "league", lambda *given: asked.append(given[2]) or judge(*given))
    monkeypatch.setattr(leagues, "GROUPS", 60)
    for players in ((2, 3), (2,), (3,)):
        trainer = Trainer(dataclasses.replace(PLAN, players=players, steps=2), "fast")
        trainer.run(tmp_path / str(players))
        export(trainer, tmp_path / "some.net", "")
    assert asked == [30, 60, 60] and train.group_share(1000, 5) == 200 and train.group_share(10, 5) == 8


def test_entries_are_spread_over_the_second_half() -> None:
    assert spread(1, 10) == [0]
    assert spread(4, 10) == [2, 3]
    assert spread(40, 5) == [20, 25, 30, 34, 39]


def test_the_best_of_a_run_is_exported_with_its_story(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(leagues, "GROUPS", 40)
    trainer = Trainer(PLAN, "fast")
    with pytest.raises(hexdeck.HexdeckError, match="no checkpoint yet; one is saved after every 2 steps"):
        export(trainer, tmp_path / "some.net", "")
    trainer.run(tmp_path)
    export(trainer, tmp_path / "some.net", "hexdeck train …")
    net = load(tmp_path / "some.net")
    best = max(net.about["league"], key=lambda each: each["mean"])
    at = [row["step"] for row in trainer.curve].index(best["entry"])
    assert net.weights.astype(np.float16).tobytes() == trainer.checkpoints[at].tobytes()
    assert net.about["chosen"]["step"] == best["entry"] and net.about["command"] == "hexdeck train …"
    assert net.about["options"] == TINY and net.about["seed"] == 1
    assert (tmp_path / "some.csv").read_text() == (tmp_path / CURVE).read_text()


# --- the command ------------------------------------------------------------------------------------------------------
ARGUMENTS = ["train", "hawthorn", "--players", "2", "--hidden", "8", "--folder"]


def test_the_command_trains_refuses_to_overwrite_and_resumes(tmp_path: Path, capsys: pytest.CaptureFixture[str],
                                                             monkeypatch: pytest.MonkeyPatch) -> None:  # fmt: skip
    monkeypatch.setattr(leagues, "GROUPS", 40)
    monkeypatch.setattr("hexdeck.bots.training.plan.Plan", functools.partial(Plan, batch=much(2048, Plan.batch)))
    arguments = [*ARGUMENTS, str(tmp_path), "--steps", "1"]
    assert main(arguments) == 0
    assert main(arguments) == 2
    assert "continue it with --resume" in capsys.readouterr().err
    file = tmp_path / "some.net"
    resume = ["--folder", str(tmp_path), "--resume"]
    assert main(["train", "hawthorn", *resume, "--steps", "50", "--export", str(file)]) == 0
    assert capsys.readouterr().out.startswith("step 50, ")
    about = load(file).about
    assert about["ends"] == [[0, 1, 0.0], [1, 50, 0.0]] and about["hidden"] == [8, 8] and about["steps"] == 50
    assert about["command"] == (
        "hexdeck train hawthorn --players 2 --seed 1 --hidden 8 --entropy 0.05 --steps 1"
        f" && hexdeck train hawthorn --resume --steps 50 --export {file}"
    )
    assert main(["train", "cursed-hand", *resume]) == 2
    assert "is of hawthorn" in capsys.readouterr().err


def test_a_run_that_is_at_its_end_says_so(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    done = SimpleNamespace(progress=1.0, done=7, run=lambda *_: None, plan=PLAN)
    monkeypatch.setattr("hexdeck.cli.research.train.begun", lambda *_: done)
    assert main(["train", "hawthorn", "--resume", "--steps", "5"]) == 0
    assert "The run is already at step 7" in capsys.readouterr().out


@pytest.mark.parametrize("kind", [POLICY, VALUES])
def test_the_command_of_a_net_begins_the_same_run(kind: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    ways = {"kind": kind, "temperature": 0.25, "batch": 8192, "checkpoint_every": 10, "learning_rate": 1e-3,
            "ema_decay": 0.9, "gae_lambda": 0.8}  # fmt: skip
    searched = {"entropy": 0.0123456789, "search_steps": 70, "opponent_share": 0.6, "adversary_reset": 60}
    more = ways if kind == VALUES else searched
    plan = Plan("cursed-hand", (2, 4), {"hand_cards": 3, "losses": 2}, 7, 1200, 0.0, (16, 16),
                opponents=("house", "search:20"), **more)  # fmt: skip
    trainer, made = SimpleNamespace(plan=plan, ends=[[0, 1200, 0.0]]), []
    monkeypatch.setattr(train, "Trainer", made.append)
    command = commands(trainer, tmp_path / "a net.net")  # type: ignore[arg-type]
    arguments = build_parser(Catalogue("en")).parse_args(shlex.split(command)[1:])
    begun(arguments, hexdeck.game("cursed-hand"), tmp_path)
    assert made == [plan] and arguments.export == tmp_path / "a net.net"


@pytest.mark.parametrize(
    "more",
    [["--players", "3"], ["--option", "chips=9"], ["--seed", "1"], ["--entropy", "0.05"], ["--hidden", "64"],
     ["--opponents", "house"], ["--temperature", "0.1", "--values"], ["--search-steps", "9"],
     ["--opponent-share", "0.5"], ["--adversary-reset", "5"]],
)  # fmt: skip
def test_a_run_that_goes_on_keeps_what_it_began_with(
    more: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["train", "hawthorn", "--resume", "--folder", str(tmp_path), "--steps", "3", *more]) == 2
    assert f"keeps its original settings: leave out {more[0]}, or start a new run" in capsys.readouterr().err


def test_places_that_cannot_be_written_are_refused_before_training(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(train, "Trainer", lambda _plan: pytest.fail("trained"))
    file = tmp_path / "file"
    file.write_text("")
    for name in ("taken.csv", "folder.net"):
        (tmp_path / name).mkdir()
    for place in (tmp_path / "folder.net", file / "some.net", tmp_path / "taken.net"):
        assert main([*ARGUMENTS, str(tmp_path / "run"), "--export", str(place)]) == 2
        assert f"The net can't be written to {place}; choose another file." in capsys.readouterr().err
    for place in (tmp_path, tmp_path / "some.csv", tmp_path / "some.txt"):
        assert main([*ARGUMENTS, str(tmp_path / "run"), "--export", str(place)]) == 2
        assert f"must end in .net; {place} doesn't." in capsys.readouterr().err
    for folder in (file, file / "run"):
        assert main([*ARGUMENTS, str(folder)]) == 2
        assert f"The run can't be kept in {folder}; choose another folder." in capsys.readouterr().err
    assert sorted(path.name for path in tmp_path.iterdir()) == ["file", "folder.net", "taken.csv"]


def test_a_net_takes_the_place_of_no_other_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(train, "Trainer", lambda _plan: pytest.fail("trained"))
    (tmp_path / "notes.net").write_text("of mine")
    shutil.copy(next(iter(shipped(hexdeck.game("cursed-hand")))), tmp_path / "other.net")
    for name in ("notes.net", "other.net"):
        assert main([*ARGUMENTS, str(tmp_path / "run"), "--export", str(tmp_path / name)]) == 2
        assert "already exists and isn't a net of hawthorn" in capsys.readouterr().err
    assert is_net_of(tmp_path / "other.net", "cursed-hand")


@pytest.mark.parametrize(
    ("extra", "sentence"),
    [
        (["--steps", "1", "--minutes", "1"], "give one of them"),
        (["--steps", "0"], "--steps must be more than 0"),
        (["--minutes", "nan"], "--minutes must be more than 0"),
        (["--hidden", "6"], "multiple of 4"),
        (["--entropy", "-1"], "--entropy takes a number"),
        (["--players", "1"], "for 2 to 8 players"),
        (["--opponent-share", "1", "--opponents", "search:5"], "--opponent-share takes a share between 0 and 1"),
        (["--opponent-share", "nan", "--opponents", "search:5"], "--opponent-share takes a share between 0 and 1"),
        (
            ["--opponent-share", "0.5", "--opponents", "search:5", "--adversary-reset", "0"],
            "--adversary-reset must be more than 0",
        ),
        (
            ["--opponent-share", "0.5", "--opponents", "search:5", "--adversary-reset", "61"],
            "--adversary-reset can't be more than the search steps, 60",
        ),
        (
            ["--adversary-reset", "5", "--opponents", "search:5"],
            "--adversary-reset is for training with an adversary",
        ),
        (["--opponent-share", "0.5"], "--opponent-share needs a search among the opponents"),
        (["--option", "chips=0"], "can't be 0"),
        (["--option", "players=3"], "no option players"),
        (["--option", "name=x"], "no option name"),
    ],
)
def test_arguments_that_make_no_sense_are_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str], extra: list[str],
                                                  sentence: str) -> None:  # fmt: skip
    assert main([*ARGUMENTS, str(tmp_path), *extra]) == 2
    assert sentence in capsys.readouterr().err
