"""Nets that imitate searches: what they learn from, who plays with them, and what only they are trusted with."""

import argparse
import dataclasses
import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import hexdeck
from hexdeck.bots.nets.inference import length
from hexdeck.bots.nets.netfile import DEALS, MIMIC, Net, load, net_sizes, save
from hexdeck.bots.players.named import bot
from hexdeck.bots.search import rollout
from hexdeck.bots.training import collect, mimic_arena
from hexdeck.bots.training import league as leagues
from hexdeck.bots.training.collect import LOGP, SEARCH, TARGET, VALUE
from hexdeck.bots.training.league import export
from hexdeck.bots.training.learn import Batch, ImitationLearner, Lists, TrainStep, masked_softmax, outputs_of
from hexdeck.bots.training.mimic_arena import MimicArena
from hexdeck.bots.training.plan import Plan
from hexdeck.bots.training.trainer import Trainer, resumed
from hexdeck.cli import main
from hexdeck.cli.research import train
from hexdeck.engine.play.driver import raw
from tests.compiled import warm
from tests.settings import much
from tests.support import random_plies

BACKEND = "interpreted"
WOLF = hexdeck.game("wolf-mans-curse", 4)
SIZES = net_sizes(WOLF.rules, 8, 4)
UNITS = np.array([0.25, 0.5, 1.0])
PLAN = Plan(
    "wolf-mans-curse", (3, 4), {}, steps=6, hidden=(8, 8), batch=512, checkpoint_every=2, minibatch=128, epochs=2,
    kind=MIMIC, imitate="search:20",
)  # fmt: skip


def any_net(name: str, kind: str = MIMIC) -> Net:
    """A net of random weights."""
    sizes = net_sizes(hexdeck.game(name).rules, 8, 4, kind)
    return Net(name, sizes, np.random.default_rng(1).normal(0, 0.3, length(sizes)), {4: (0.5, 2.0)}, {}, kind)


def watched(
    backend: str, size: int = 100, number: int = 5, games: int = 2, simulations: int = 20
) -> tuple[Batch, tuple[int, ...]]:
    """What searches chose in some games."""
    batch = Batch.empty(SIZES, size)
    arena = MimicArena(WOLF, SIZES, 1, backend, UNITS, simulations)
    return batch, arena.collect(np.zeros((games, 4)), [], number, batch)


# --- what is learned from ---------------------------------------------------------------------------------------------
def test_both_backends_watch_the_same() -> None:
    judge, fast = (watched(backend, simulations=much(6, 20)) for backend in (BACKEND, "fast"))
    assert judge[1] == fast[1] and judge[1][0] > 30 and judge[1][1] == 2
    for ours, theirs in zip(dataclasses.astuple(judge[0]), dataclasses.astuple(fast[0]), strict=True):
        assert np.array_equal(ours, theirs)


def test_of_each_choice_is_told_what_the_seat_knew_what_was_allowed_and_what_was_chosen(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Were others to choose, their choices would stand there: here the last legal action, in each game."""
    asked: list[tuple[np.ndarray, list[int]]] = []

    def last(g: Any, rows: Any, seat: int, policy: int, _players: Any, actions: Any, count: int, *_: Any) -> int:
        assert policy == SEARCH
        world = WOLF.match(1, backend=BACKEND)
        raw(world.rows)[0] = rows.array[0]
        asked.append((world.observation(seat), [int(actions[k]) for k in range(count)]))
        return int(actions[count - 1])

    monkeypatch.setattr(collect, "chosen_action", last)
    batch, (made, games, _moves) = watched(BACKEND)
    assert made == len(asked) > 30 and games == 2
    for row in range(made):
        seen, legal = asked[row]
        assert np.array_equal(batch.inputs[row, : len(seen)], seen)
        assert np.flatnonzero(batch.legal[row]).tolist() == legal and batch.chosen[row] == legal[-1]


def test_each_choice_has_the_number_and_the_result_of_its_game() -> None:
    batch, (made, games, _moves) = watched("fast", size=2000, games=30)
    facts = batch.labels[:made].astype(float)
    assert games == 30 and not facts[:, LOGP].any() and sorted(set(facts[:, VALUE])) == list(range(30))
    for number in range(30):
        utilities = facts[facts[:, VALUE] == number, TARGET] * UNITS[1] + UNITS[0]
        assert set(np.round(utilities, 6)) <= {0.0, 1.0, 0.5, 0.333333, 0.25} and utilities.max() > 0


def test_a_game_that_does_not_fit_is_left_out() -> None:
    (_, whole), (_, cut) = watched("fast", size=40), watched("fast", size=30)
    assert 0 < cut[0] < whole[0] and (cut[1], whole[1]) == (1, 2)


def test_every_number_has_games_of_its_own() -> None:
    first, other = watched("fast", number=5)[0], watched("fast", number=50)[0]
    assert not np.array_equal(first.inputs, other.inputs)
    assert np.array_equal(first.inputs, watched("fast", number=5)[0].inputs)


def test_searches_choose_with_the_simulations_that_were_asked_for() -> None:
    """A deeper search chooses more often as a still deeper one does; the games part where the choices do."""
    few, more = watched("fast", simulations=2)[0], watched("fast", simulations=300)[0]
    assert np.array_equal(few.inputs[0], more.inputs[0]) and not np.array_equal(few.inputs, more.inputs)


# --- how it is learned ------------------------------------------------------------------------------------------------
def test_the_gradient_is_that_of_the_loss() -> None:
    rng, sizes = np.random.default_rng(1), np.array([6, 8, 8, 4, 5], np.int64)
    legal = rng.random((6, 5)) < 0.7
    legal[:, 2] = True
    inputs, labels = rng.integers(-2, 3, (6, 8)).astype(np.int8), rng.normal(size=(6, 4)).astype(np.float32)
    batch, lesson = Batch(inputs, legal, np.full(6, 2, np.int16), labels), TrainStep(value=0.3)
    learner = ImitationLearner(sizes, rng.normal(0, 0.5, length(sizes)), np.ones(8))

    def loss(flat: np.ndarray) -> float:
        first, b1, second, b2, last, b3 = np.split(flat, np.cumsum([64, 8, 32, 4, 24]))
        near = np.maximum(np.maximum(inputs @ first.reshape(8, 8) + b1, 0) @ second.reshape(8, 4) + b2, 0)
        output = near @ last.reshape(6, 4).T + b3
        error = output[:, -1] - labels[:, TARGET]
        return float((-masked_softmax(output[:, :-1], legal)[1][:, 2] + 0.15 * error * error).mean())

    gradient, news = learner.gradient(Lists(batch), np.arange(6), lesson)
    for k in range(length(sizes)):
        step = np.zeros(length(sizes))
        step[k] = 1e-5
        sides = [loss(learner.flat + sign * step) for sign in (1, -1)]
        assert gradient[k] == pytest.approx((sides[0] - sides[1]) / 2e-5, rel=1e-3, abs=1e-5)
    assert news[0] + 0.15 * news[1] == pytest.approx(loss(learner.flat.astype(float)), rel=1e-4)


def test_a_net_is_judged_by_how_much_surer_it_makes_choices() -> None:
    arena = MimicArena(WOLF, SIZES, 1, "fast", UNITS, 20)
    blank = np.zeros(length(SIZES))
    noise = np.random.default_rng(1).normal(0, 0.3, length(SIZES))
    assert arena.scored(blank, 400, 9) == pytest.approx((0, 0), abs=1e-6)
    part, margin = arena.scored(noise, 400, 9)
    assert part + margin < 0 < margin
    batch, games = arena.trial(20, 9)
    logits = np.where(batch.legal, outputs_of(noise, SIZES, batch.inputs)[:, :-1].astype(float), -np.inf)
    chances = np.exp(logits) / np.exp(logits).sum(axis=1, keepdims=True)
    unknown = -np.log(chances[np.arange(len(batch)), batch.chosen]).mean()
    assert part == pytest.approx(1 - unknown / np.log(batch.legal.sum(axis=1)).mean(), abs=1e-5)
    assert games == 20 and not np.array_equal(batch.inputs[0], arena.trial(20, 0)[0].inputs[0])


def test_who_foresees_every_choice_foresees_all_of_them(monkeypatch: pytest.MonkeyPatch) -> None:
    arena = MimicArena(WOLF, SIZES, 1, "fast", UNITS, 20)
    batch, _games = arena.trial(20, 9)
    sure = np.zeros((len(batch), len(WOLF.rules.ACTIONS) + 1), np.float32)
    sure[np.arange(len(batch)), batch.chosen] = 50
    monkeypatch.setattr(mimic_arena, "outputs_of", lambda *_: sure)
    assert arena.scored(np.zeros(length(SIZES)), 400, 9)[0] == pytest.approx(1, abs=1e-6)


def test_seconds_of_training_make_choices_surer(tmp_path: Path) -> None:
    steps, batch, epochs, search, groups = much((12, 1024, 6, "search:60", 400), (16, 2048, 4, "search:200", 1000))
    plan = dataclasses.replace(
        PLAN, players=(4,), steps=steps, batch=batch, checkpoint_every=steps // 2, epochs=epochs, imitate=search
    )
    trainer = Trainer(plan, "fast")
    trainer.run(tmp_path)
    part, margin = trainer.arenas[0].scored(trainer.checkpoints[-1], groups, 1 << 37)
    assert part - margin > much(0.03, 0.05)
    assert [*trainer.curve[-1]] == ["step", "seconds", "moves", "loss", "error", "foreseen 4", "± 4"]


def test_a_run_cut_off_and_resumed_is_the_run_that_was_not(tmp_path: Path) -> None:
    whole, cut = Trainer(PLAN, "fast"), Trainer(PLAN, "fast")
    whole.run(tmp_path / "whole")
    while cut.done < 4:
        cut.step()
    cut.save(tmp_path / "cut")
    again = resumed(tmp_path / "cut", "fast")
    again.run(tmp_path / "cut")
    assert [net.tobytes() for net in again.checkpoints] == [net.tobytes() for net in whole.checkpoints]


def test_of_a_run_the_net_is_kept_that_knows_choices_best_and_it_plays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(leagues, "GROUPS", 100)
    trainer = Trainer(PLAN, "fast")
    trainer.run(tmp_path)
    trainer.checkpoints[2] = np.random.default_rng(1).normal(0, 0.3, len(trainer.average)).astype(np.float16)
    export(trainer, tmp_path / "mimic.net", "hexdeck train …")
    net = load(tmp_path / "mimic.net")
    assert net.kind == MIMIC and set(net.utility_scale) == {3, 4} and net.about["imitate"] == "search:20"
    assert net.about["chosen"]["step"] != 6
    assert {each["entry"]: each["mean"] for each in net.about["league"]}[6] < -0.02
    assert all(each["house"] is None for each in net.about["league"])
    match = WOLF.match(1, backend=BACKEND)
    assert bot(f"rollout:mimic:9:{tmp_path / 'mimic.net'}", WOLF, 1, BACKEND).choose(
        match.concealed(0), 0
    ) in match.legal_ids(0)


def test_what_a_net_says_is_what_compiled_code_would_say() -> None:
    weights = np.random.default_rng(1).normal(0, 0.3, length(SIZES))
    batch = watched("fast")[0]
    inputs, near, far = (int(size) for size in SIZES[1:4])
    parts = np.split(weights, np.cumsum([inputs * near, near, near * far, far, far * (SIZES[4] + 1)]))
    layer = np.maximum(batch.inputs[:5] @ parts[0].reshape(inputs, near) + parts[1], 0)
    layer = np.maximum(layer @ parts[2].reshape(near, far) + parts[3], 0)
    right = layer @ parts[4].reshape(-1, far).T + parts[5]
    assert outputs_of(weights, SIZES, batch.inputs[:5]) == pytest.approx(right, abs=1e-3)


# --- who thinks with it -----------------------------------------------------------------------------------------------
@pytest.mark.parametrize(("name", "times"), [("rollout:mimic-deal:8", True), ("rollout:house-deal:8", False)])
def test_only_a_net_chooses_again_what_others_have_chosen(
    name: str, times: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    match, given = WOLF.match(3, backend=BACKEND), []

    def counted(g: Any, s: Any, seat: int) -> None:
        given.append(seat)
        g.clear_hidden_choices(s, seat)

    monkeypatch.setattr(rollout, "clear_hidden_choices", counted)
    while match.actor is None or len(match.legal_ids(match.actor)) < 2:
        match.play(match.legal_ids(match.actor)[0])
    bot(name, WOLF, 1, BACKEND).choose(match.concealed(match.actor), match.actor)
    assert set(given) == ({match.actor} if times else set())


def test_a_net_of_ones_own_plays_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the package has one, and where it has none; to the end of the match or of the deal."""
    warm(WOLF.name, "fast")
    file, known = tmp_path / "a 5:10 net.net", WOLF.match(1, backend=BACKEND).concealed(0)
    save(any_net(WOLF.name), file)
    for name in ("rollout:mimic:16", "rollout:mimic-deal:16"):
        ours, shipped = (bot(each, WOLF, 1, "fast").candidates(known, 0, 0) for each in (f"{name}:{file}", name))
        assert ours != shipped
    deals = tmp_path / "deals.net"
    save(any_net(WOLF.name, DEALS), deals)
    by_deals = bot(f"rollout:mimic-deal:16:{deals}", WOLF, 1, "fast").candidates(known, 0, 0)
    both = [
        bot(f"rollout:mimic-deal:16:{one}:{other}", WOLF, 1, "fast").candidates(known, 0, 0)
        for one, other in ((file, deals), (deals, file))
    ]
    assert by_deals != shipped and both[0] == both[1] and both[0] not in (ours, by_deals, shipped)
    odd = tmp_path / "a.net:b.net"
    save(any_net(WOLF.name), odd)
    assert bot(f"rollout:mimic-deal:16:{odd}", WOLF, 1, "fast").candidates(known, 0, 0) == ours
    monkeypatch.setattr("hexdeck.bots.nets.netfile.net_folder", lambda _: tmp_path / "none" / "net")
    assert len(bot(f"rollout:mimic:16:{file}", WOLF, 1, "fast").candidates(known, 0, 1)) == len(ours)
    hearts = hexdeck.game("black-hearts", 4)
    save(any_net(hearts.name), file)
    there = (each for each in random_plies(hearts.match(1, backend=BACKEND), random.Random(1)) if each.acting)
    here = next(each for each in there if len(each.legal_ids(each.acting[0])) == 1)
    forced = bot(f"rollout:mimic:16:{file}", hearts, 1, BACKEND).candidates(
        here.concealed(here.acting[0]), here.actor, 2
    )
    assert forced[0].value is not None


def test_a_net_that_is_for_something_else_is_refused(tmp_path: Path) -> None:
    file, deals = tmp_path / "a 5:10 net.net", tmp_path / "deals.net"
    save(any_net(WOLF.name), file)
    save(any_net(WOLF.name, DEALS), deals)
    for name, wrong, why in (
        ("rollout:mimic:5", deals, "This net estimates what deals are worth"),
        ("rollout:house-deal:5", file, "This net predicts what others would choose"),
        ("rollout:mimic-deal:5", f"{file}:{file}", "names several nets for the same job"),
        ("rollout:house-deal:5", f"{deals}:{deals}", "names several nets for the same job"),
        ("rollout:house-deal:5", f"{deals}:{file}", "This net predicts what others would choose"),
        (
            "rollout:house:5",
            deals,
            "rollout:house:5:.* can't load a net from a file; bots that can: net:FILE.net, think",
        ),
        ("rollout:mimic", file, "can't load a net from a file; .* rollout:mimic:500:FILE"),
        ("search:5", file, "can't load a net from a file"),
    ):
        with pytest.raises(hexdeck.HexdeckError, match=why):
            bot(f"{name}:{wrong}", WOLF, 1, BACKEND)


# --- the command ------------------------------------------------------------------------------------------------------
TRAIN = ["train", "wolf-mans-curse", "--players", "4", "--hidden", "8", "--imitate"]


def test_the_command_imitates_and_goes_on_with_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(leagues, "GROUPS", 40)
    folder, file = str(tmp_path / "run"), tmp_path / "some.net"
    assert main([*TRAIN, "search:10", "--folder", folder, "--steps", "1"]) == 0
    assert "share of choices predicted, by players: 4: " in capsys.readouterr().out
    resume = ["train", "wolf-mans-curse", "--resume", "--folder", folder]
    for wrong in ([], ["--deal-values"], ["--imitate", "search:20"], ["--imitate", "search"]):
        assert main([*resume, *wrong, "--steps", "2"]) == 2
        assert "learns what search:10 chooses; continue it with --imitate search:10." in capsys.readouterr().err
    assert main([*resume, "--imitate", "search:10", "--steps", "2", "--export", str(file)]) == 0
    assert load(file).about["command"] == (
        "hexdeck train wolf-mans-curse --players 4 --seed 1 --hidden 8 --imitate search:10 --steps 1"
        f" && hexdeck train wolf-mans-curse --resume --imitate search:10 --steps 2 --export {file.name}"
    )


@pytest.mark.parametrize(
    "extra",
    [
        ["--values"],
        ["--deal-values"],
        ["--entropy", "0.1"],
        ["--temperature", "0"],
        ["--opponents", "house"],
        ["--magnet", "1"],
    ],
    ids=str,
)
def test_what_an_imitator_has_no_use_for_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], extra: list[str]
) -> None:
    assert main([*TRAIN, "search:10", "--folder", str(tmp_path / "run"), "--steps", "1", *extra]) == 2
    assert "leave out --" in capsys.readouterr().err
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize("name", ["", "house", "search:0", "search:house:10", "net", "searches"])
def test_who_can_not_be_imitated_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str) -> None:
    assert main([*TRAIN, name, "--folder", str(tmp_path / "run"), "--steps", "1"]) == 2
    assert f"--imitate takes a search, such as search:1000, not {name}." in capsys.readouterr().err


def test_a_search_without_a_number_makes_as_many_simulations_as_one_that_plays_along() -> None:
    assert train.imitated(argparse.Namespace(imitate="search")) == "search:1000"
    assert train.imitated(argparse.Namespace(imitate="search:7")) == "search:7"
