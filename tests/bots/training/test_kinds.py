"""What nets of every kind share: what they learn from, gradients, runs that go on, and the command."""

import dataclasses
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import hexdeck
from hexdeck.bots.nets.inference import length
from hexdeck.bots.nets.netfile import DEALS, MIMIC, POLICY, VALUES, load, net_sizes
from hexdeck.bots.training import league as leagues
from hexdeck.bots.training import trainer as train
from hexdeck.bots.training.collect import ADVANTAGE, LOGP, RANDOM, SCORE, TARGET
from hexdeck.bots.training.kinds import KINDS
from hexdeck.bots.training.league import export
from hexdeck.bots.training.learn import Batch, Learner, Lists, TrainStep, masked_softmax
from hexdeck.bots.training.plan import Plan
from hexdeck.bots.training.run_files import CURVE
from hexdeck.bots.training.trainer import Trainer, resumed
from hexdeck.cli import main
from tests.bots.made import by_the_book
from tests.settings import much
from tests.support import for_each

SHORT = {"steps": 6, "hidden": (8, 8), "batch": 512, "checkpoint_every": 2, "minibatch": 128}
ITSELF = Plan("cursed-hand", (2, 3), {"hand_cards": 3}, **SHORT)
PLANS = {
    POLICY: ITSELF,
    "opponents": dataclasses.replace(ITSELF, opponents=("house", "search:5"), opponent_share=0.4),
    VALUES: dataclasses.replace(ITSELF, kind=VALUES),
    DEALS: Plan("black-hearts", (3, 4), {}, kind=DEALS, **SHORT),
    MIMIC: Plan("wolf-mans-curse", (3, 4), {}, kind=MIMIC, imitate="search:5", **SHORT),
}
GAMES = {
    POLICY: hexdeck.game("cursed-hand", 2, hand_cards=3), VALUES: hexdeck.game("cursed-hand", 2, hand_cards=3),
    DEALS: hexdeck.game("black-hearts", 4), MIMIC: hexdeck.game("wolf-mans-curse", 4),
}  # fmt: skip


@pytest.fixture(autouse=True)
def _small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Few games judge nets."""
    monkeypatch.setattr(train, "CHECKS", much(40, 1000))
    monkeypatch.setattr(train, "TRIAL", much(200, 2000))


# --- what is learned from ---------------------------------------------------------------------------------------------
def recorded(kind: str, backend: str = "fast", size: int = 500, number: int = 5, games: int = 8) -> tuple[Batch, Any]:
    """What a net of random weights learns from in a few games."""
    game, sizes = GAMES[kind], net_sizes(GAMES[kind].rules, 8, 4, kind)
    arena, batch = KINDS[kind].arena(game, sizes, 1, backend, np.array([0.5, 2.0, 0.9]), 6), Batch.empty(sizes, size)
    net = np.random.default_rng(1).normal(0, 0.3, length(sizes))
    lineup = np.zeros((games, game.players), np.int64)
    return batch, arena.collect(lineup, [net], number, batch, [0.2])


@pytest.mark.parametrize("kind", KINDS)
def test_both_backends_record_the_same(kind: str) -> None:
    games = {DEALS: much(2, 8), MIMIC: much(1, 2)}.get(kind, 8)
    judge, fast = recorded(kind, "interpreted", games=games), recorded(kind, "fast", games=games)
    assert judge[1] == fast[1] and judge[1].games == games and judge[1].decisions > 4
    for ours, theirs in zip(dataclasses.astuple(judge[0]), dataclasses.astuple(fast[0]), strict=True):
        assert np.array_equal(ours, theirs)


@pytest.mark.parametrize("kind", KINDS)
def test_a_game_that_does_not_fit_is_left_out(kind: str) -> None:
    whole, made = recorded(kind)
    cut, fewer = recorded(kind, size=made.decisions * 2 // 3)
    assert 0 < fewer.decisions <= len(cut) and 0 < fewer.games < made.games
    assert np.array_equal(cut.inputs[: fewer.decisions], whole.inputs[: fewer.decisions])


@pytest.mark.parametrize("kind", KINDS)
def test_every_number_has_games_of_its_own(kind: str) -> None:
    first, other, again = (recorded(kind, number=number)[0] for number in (5, 50, 5))
    assert not np.array_equal(first.inputs, other.inputs) and np.array_equal(first.inputs, again.inputs)


# --- how it is learned ------------------------------------------------------------------------------------------------
def loss(learner: Learner, kind: str, batch: Batch, how: TrainStep, flat: np.ndarray) -> float:
    """The loss as it is written in the papers, in double precision."""
    said = by_the_book(learner.sizes, flat, batch.inputs * learner.scale.astype(float))
    target, rows = batch.labels[:, TARGET].astype(float), np.arange(len(batch))
    if kind == VALUES:
        return float(((said[:, 0] + batch.labels[:, SCORE] - target) ** 2).mean() / 2)
    chances, logs = masked_softmax(said[:, :-1], batch.legal)
    off = how.value * ((said[:, -1] - target) ** 2).mean() / 2
    if kind == MIMIC:
        return float(off - logs[rows, batch.chosen].mean())
    held = learner.flat if learner.magnet is None else learner.magnet
    near = masked_softmax(by_the_book(learner.sizes, held, batch.inputs * learner.scale.astype(float))[:, :-1],
                          batch.legal)[1]  # fmt: skip
    ratio, advantage = np.exp(logs[rows, batch.chosen] - batch.labels[:, LOGP]), batch.labels[:, ADVANTAGE]
    gain = np.minimum(ratio * advantage, np.clip(ratio, 1 - how.clip, 1 + how.clip) * advantage).mean()
    noise = np.where(batch.legal, chances * np.where(batch.legal, logs, 0), 0).sum(axis=1).mean()
    apart = np.where(batch.legal, chances * np.where(batch.legal, logs - near, 0), 0).sum(axis=1).mean()
    return float(off - gain + how.entropy * noise + how.magnet * apart)


@pytest.mark.parametrize(("kind", "magnet"), [(POLICY, 0.0), (POLICY, 0.4), (VALUES, 0.0), (MIMIC, 0.0)])
def test_the_gradient_is_that_of_the_loss(kind: str, magnet: float) -> None:
    sizes, rng = np.array([6, 8, 8, 4, 0 if kind == VALUES else 5], np.int64), np.random.default_rng(3)
    learner = KINDS[kind].learner(sizes, rng.normal(0, 0.5, length(sizes)), rng.uniform(0.5, 2, 8))
    learner.magnet = rng.normal(0, 0.5, length(sizes)).astype(np.float32) if magnet else None
    batch, how = batch_of(sizes, 40), TrainStep(entropy=0.3, magnet=magnet, value=0.3)
    lists = Lists(batch)
    learner.anchor(lists, learner.magnet)
    gradient = learner.gradient(lists, np.arange(40), how)[0]
    for k in range(length(sizes)):
        step = np.zeros(length(sizes))
        step[k] = 1e-5
        sides = [loss(learner, kind, batch, how, learner.flat + sign * step) for sign in (1, -1)]
        assert gradient[k] == pytest.approx((sides[0] - sides[1]) / 2e-5, rel=1e-3, abs=1e-5)


def batch_of(sizes: np.ndarray, count: int) -> Batch:
    """Made-up decisions."""
    rng = np.random.default_rng(1)
    legal = rng.random((count, sizes[4])) < 0.5
    legal[:, :1] = True
    chosen = np.array([rng.choice(np.flatnonzero(row)) if len(row) else 0 for row in legal], np.int16)
    facts = rng.normal(size=(count, 4)).astype(np.float32)
    facts[:, LOGP] = np.log(1 / np.maximum(1, legal.sum(axis=1))) + rng.normal(0, 0.3, count)
    return Batch(rng.integers(-2, 3, (count, sizes[1])).astype(np.int8), legal, chosen, facts)


# --- whole runs -------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("way", PLANS)
def test_a_run_cut_off_and_resumed_is_the_run_that_was_not(way: str, tmp_path: Path) -> None:
    whole, cut = Trainer(PLANS[way], "fast"), Trainer(PLANS[way], "fast")
    whole.run(tmp_path / "whole")
    while cut.done < 4:
        cut.step()
    cut.save(tmp_path / "cut")
    again = resumed(tmp_path / "cut", "fast")
    assert (again.done, again.plan, type(again.learner)) == (4, PLANS[way], KINDS[again.plan.kind].learner)
    again.run(tmp_path / "cut")
    assert again.learner.flat.tobytes() == whole.learner.flat.tobytes()
    assert [net.tobytes() for net in again.checkpoints] == [net.tobytes() for net in whole.checkpoints]
    timeless = [[row | {"seconds": 0} for row in each.curve] for each in (again, whole)]
    assert timeless[0] == timeless[1]
    assert len((tmp_path / "cut" / CURVE).read_text().splitlines()) == 1 + 3


@pytest.mark.parametrize("kind", [DEALS, MIMIC])
def test_of_a_run_the_net_is_kept_that_foresees_most(
    kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(leagues, "GROUPS", 40)
    trainer = Trainer(PLANS[kind], "fast")
    trainer.run(tmp_path)
    trainer.checkpoints[2] = np.random.default_rng(1).normal(0, 0.3, len(trainer.average)).astype(np.float16)
    export(trainer, tmp_path / "some.net", "hexdeck train …")
    net = load(tmp_path / "some.net")
    assert net.kind == kind and set(net.utility_scale) == {3, 4} and net.about["chosen"]["step"] != 6
    assert {each["entry"]: each["mean"] for each in net.about["league"]}[6] < -0.02
    scored = {DEALS: "error,explained 3,± 3,explained 4,", MIMIC: "loss,error,foreseen 3,± 3,foreseen 4,"}
    assert (tmp_path / "some.csv").read_text().startswith(f"step,seconds,moves,{scored[kind]}")


@pytest.mark.long
@pytest.mark.parametrize(
    ("kind", "learning"),
    [
        (POLICY, {"steps": 40, "checkpoint_every": 20, "entropy": 0.02}),
        (VALUES, {"steps": 24, "checkpoint_every": 12, "ema_decay": 0.9}),
    ],
)
def test_seconds_of_training_beat_random_play_and_the_untrained_net(
    kind: str, learning: dict[str, Any], tmp_path: Path
) -> None:
    plan = Plan("hawthorn", (2,), {}, hidden=(16, 16), batch=4096, kind=kind, **learning)
    trainer = Trainer(plan, "fast")
    temperature = float(kind == POLICY)
    before = trainer.arenas[0].against(trainer.learner.weights(), temperature, 1000, RANDOM)
    trainer.run(tmp_path)
    after = trainer.arenas[0].against(trainer.checkpoints[-1], temperature, 1000, RANDOM)
    assert after[0] - after[1] > max(0.0, before[0] + before[1])


@pytest.mark.long
@pytest.mark.parametrize(
    ("kind", "learning", "groups"),
    [
        (DEALS, {"steps": 12, "batch": 8192, "checkpoint_every": 6}, 400),
        (MIMIC, {"steps": 16, "batch": 2048, "checkpoint_every": 8, "epochs": 4, "imitate": "search:200"}, 1000),
    ],
)
def test_seconds_of_training_foresee_something(
    kind: str, learning: dict[str, Any], groups: int, tmp_path: Path
) -> None:
    trainer = Trainer(dataclasses.replace(PLANS[kind], players=(4,), **learning), "fast")
    trainer.run(tmp_path)
    part, margin = trainer.arenas[0].scored(trainer.checkpoints[-1], groups, 1 << 37)
    assert part - margin > 0.05


# --- the command ------------------------------------------------------------------------------------------------------
WAYS = {
    VALUES: ("hawthorn", "2", ["--values"], " --temperature 0.1 --opponents house --opponent-share 0.5 --values"),
    DEALS: ("black-hearts", "4", ["--deal-values"], " --deal-values"),
    MIMIC: ("wolf-mans-curse", "4", ["--imitate", "search:10"], " --imitate search:10"),
}
TOLD = {
    VALUES: "step 1, ", DEALS: "variance of results explained, by players: 4: ",
    MIMIC: "share of choices predicted, by players: 4: ",
}  # fmt: skip


@pytest.mark.parametrize("kind", WAYS)
def test_the_command_trains_each_kind_and_goes_on_with_it(
    kind: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for what in ("GROUPS", "FEWER"):
        monkeypatch.setattr(leagues, what, 40)
    monkeypatch.setattr("hexdeck.bots.training.plan.Plan", lambda *given, **how: Plan(*given, **how | {"batch": 512}))
    (game, players, how, told), folder, file = WAYS[kind], str(tmp_path / "run"), tmp_path / "some.net"
    start = ["train", game, "--players", players, "--hidden", "8", "--folder"]
    assert main([*start, folder, *how, "--steps", "1"]) == 0
    assert TOLD[kind] in capsys.readouterr().out
    resume, flag = ["train", game, "--resume", "--steps", "2", "--folder"], " ".join(how)
    for other in ([], *([each] for each in ("--values", "--deal-values") if each not in how)):
        assert main([*resume, folder, *other]) == 2
        assert f"continue it with {flag}" in capsys.readouterr().err
    assert main([*resume, folder, *how, "--export", str(file)]) == 0
    net = load(file)
    assert net.kind == kind and net.about["command"] == (
        f"hexdeck train {game} --players {players} --seed 1 --hidden 8{told} --steps 1"
        f" && hexdeck train {game} --resume {flag} --steps 2 --export some.net"
    )
    if kind == VALUES:
        assert main([*start, str(tmp_path / "other"), "--steps", "1"]) == 0
        assert main([*resume, str(tmp_path / "other"), "--values"]) == 2
        assert "continue it without --values" in capsys.readouterr().err


USELESS = (["--values"], ["--entropy", "0.1"], ["--temperature", "0"], ["--opponents", "house"], ["--magnet", "1"])


@for_each(
    ("given", "said"),
    [
        *((["--deal-values", *extra], "With --deal-values only house bots play") for extra in USELESS),
        *((["--imitate", "search:10", *extra], "leave out --") for extra in (*USELESS, ["--deal-values"])),
        *(
            (["--imitate", name], f"--imitate takes a search, such as search:1000, not {name}.")
            for name in ("", "house", "search:0", "search:house:10", "net", "searches")
        ),
        (["--values", "--entropy", "0.1"], "With --values a net learns no policy: leave out --entropy"),
        (["--values", "--magnet", "0.1"], "With --values a net learns no policy: leave out --magnet"),
        (["--temperature", "0.1"], "--temperature is for training with --values"),
        (["--values", "--temperature", "-1"], "--temperature takes a number from 0 to 10"),
    ],
)
def test_what_a_kind_has_no_use_for_is_refused(
    given: list[str], said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "run"
    command = ["train", "black-hearts", "--players", "4", "--hidden", "8", "--steps", "1", "--folder", str(folder)]
    assert main([*command, *given]) == 2
    assert said in capsys.readouterr().err and not folder.exists()
