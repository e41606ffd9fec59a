"""Runs that were cut off go on as if they hadn't been; files of runs that don't fit are refused, and none is lost."""

import dataclasses
import itertools
import json
import shlex
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import hexdeck
from hexdeck.bots.nets.netfile import DEALS, MIMIC, POLICY, Net, fingerprint, net_sizes, save, shipped_net
from hexdeck.bots.players.roster import nets_of
from hexdeck.cli import main
from hexdeck.files import row_of_state, state_of_row
from hexdeck.research.training import exploit as hunt
from hexdeck.research.training import trainer as train
from hexdeck.research.training.exploit import Exploiter, ExploitPlan, Hunt, Watching
from hexdeck.research.training.learn import Learner, first_weights
from hexdeck.research.training.trainer import Trainer, TrainingPlan, resumed, training_file
from tests.settings import much
from tests.support import for_each

TINY = hexdeck.game("cursed-hand", 2, hand_cards=3)
PLAN = TrainingPlan(
    "cursed-hand", (2,), {"hand_cards": 3}, steps=5, hidden=(8, 8), batch=512, checkpoint_every=2, minibatch=128
)


def changed(path: Path, change: Callable[[dict[str, Any]], object]) -> Path:
    """A copy of a file whose facts and arrays are changed, but not their checksum."""
    header, row = map(json.loads, path.read_text().splitlines())
    change(row)
    other = path.with_name("other")
    other.write_text(f"{json.dumps(header)}\n{json.dumps(row)}\n")
    return other


@pytest.fixture(scope="module")
def trained(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file, trainer = tmp_path_factory.mktemp("run") / "run", Trainer(PLAN, "fast")
    for _ in range(2):
        trainer.step()
    trainer.save(file)
    return file


@pytest.fixture(scope="module")
def hunted(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The file of a hunt for a bot that thinks: choices that were watched, a net that imitates, an exploiter."""
    file = tmp_path_factory.mktemp("hunt") / "run"
    with pytest.MonkeyPatch.context() as patch:
        quick(patch)
        Hunt(TINY, THINKING, "fast", file).run()
    return file


THINKING = ExploitPlan("search:4", steps=1, seeds=1, groups=4, choices=300)


def quick(patch: pytest.MonkeyPatch) -> None:
    patch.setattr("hexdeck.research.training.exploit.DECISIONS", 400)
    patch.setattr("hexdeck.research.training.trainer.CHECKS", 8)
    patch.setattr("hexdeck.research.training.exploit.TRIAL", 50)
    patch.setattr("hexdeck.research.training.exploit.DEALS", 4)
    patch.setattr("hexdeck.research.training.exploit.IMITATION_EPOCHS", 1)
    patch.setattr("hexdeck.research.training.exploit.trial_of", lambda *_: np.full(4, 0.25))


@pytest.fixture
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    quick(monkeypatch)


# --- files that don't fit ---------------------------------------------------------------------------------------------
CHANGES: dict[str, Callable[[dict[str, Any]], object]] = {
    "a number": lambda row: row["facts"].update(seconds=0.5),
    "an array": lambda row: row["arrays"].update(next_array=["<f4", [1], ""]),
    "a type": lambda row: first(row, "flat").__setitem__(0, "<i4"),
    "a shape": lambda row: first(row, "flat")[1].append(1),
    "one letter": lambda row: first(row, "flat").__setitem__(2, "A" + first(row, "flat")[2][1:]),
    "nothing there": lambda row: row["arrays"].pop(next(name for name in row["arrays"] if "square" in name)),
    "no checksum": lambda row: row.pop("checksum"),
}


def first(row: dict[str, Any], part: str) -> list[Any]:
    array: list[Any] = next(array for name, array in row["arrays"].items() if part in name)
    return array


@for_each("what", CHANGES)
@pytest.mark.usefixtures("_quick")
def test_a_file_that_was_changed_is_refused(what: str, trained: Path, hunted: Path) -> None:
    with pytest.raises(hexdeck.HexdeckError, match=r"Line 2 of .* is damaged"):
        run_from(changed(trained, CHANGES[what]))
    with pytest.raises(hexdeck.HexdeckError, match=r"Line 2 of .* is damaged"):
        Hunt(TINY, THINKING, "fast", changed(hunted, CHANGES[what]))


@for_each(
    "change",
    [
        lambda facts, _arrays: facts["plan"].update(hidden=[16, 16]),
        lambda facts, _arrays: facts["plan"].update(learned="by heart"),
        lambda facts, _arrays: facts["plan"].pop("players"),
        lambda facts, _arrays: facts.pop("moves"),
        lambda _facts, arrays: arrays.pop("square"),
        lambda _facts, arrays: arrays.update(mean=arrays["mean"].astype(np.float64)),
    ],
)
def test_a_state_that_cannot_be_is_refused(change, trained, tmp_path) -> None:
    (row,) = training_file(trained, "cursed-hand").rows
    state = state_of_row(row)
    change(*state)
    training_file(tmp_path / "run", "cursed-hand").replace(row_of_state(*state))
    with pytest.raises(hexdeck.HexdeckError, match=r"Line 2 of .* is damaged"):
        run_from(tmp_path / "run")


def run_from(path: Path) -> Trainer:
    return resumed(training_file(path, "cursed-hand"), "fast")


# --- nets -------------------------------------------------------------------------------------------------------------
def random_net(path: Path, seed: int, hidden: int = 8) -> Path:
    sizes = net_sizes(TINY.rules, hidden, hidden)
    weights = first_weights(sizes, 20.0, np.random.default_rng(seed))
    save(Net("cursed-hand", sizes, weights.astype(np.float64), {2: (0.0, 1.0)}, {}), path)
    return path


@for_each("name", ["net:{}", "think:4:{}"])
@pytest.mark.usefixtures("_quick")
def test_a_hunt_does_not_go_on_against_another_net(name: str, tmp_path: Path) -> None:
    net, file = tmp_path / "a.net", tmp_path / f"run {len(name)}"
    plan = dataclasses.replace(THINKING, bot=name.format(random_net(net, 1)), choices=100)
    Hunt(TINY, plan, "fast", file).save()
    Hunt(TINY, plan, "fast", file)
    for seed, hidden in ((2, 8), (1, 12)):
        random_net(net, seed, hidden)
        with pytest.raises(hexdeck.HexdeckError, match=r"isn't of this run \(different nets\)"):
            Hunt(TINY, plan, "fast", file)


def test_the_nets_that_a_bot_plays_by_are_known() -> None:
    wolf, cursed = hexdeck.game("wolf-mans-curse", 4), hexdeck.game("cursed-hand", 2)
    for game, name, kinds in (
        (cursed, "house", []),
        (cursed, "search:9", []),
        (cursed, "net:0.5", [POLICY]),
        (cursed, "best", [POLICY, MIMIC]),
        (cursed, "think:9", [POLICY, MIMIC]),
        (cursed, "rollout:mimic:9", [MIMIC]),
        (cursed, "rollout:9", [POLICY]),
        (cursed, "rollout:house:9", []),
        (wolf, "rollout:mimic-deal:9", [MIMIC, DEALS]),
        (wolf, "rollout:house-deal:9", [DEALS]),
        (cursed, "rollout", [POLICY]),
    ):
        found = nets_of(name, game)
        assert [net.kind for net in found] == kinds, name
        assert fingerprint(found) == fingerprint(shipped_net(game, kind) for kind in kinds)
    assert nets_of("value", cursed) == []


def test_a_fingerprint_is_that_of_all_that_a_net_computes_by() -> None:
    net = shipped_net(hexdeck.game("cursed-hand", 2))
    others = [
        dataclasses.replace(net, weights=net.weights + 1e-3),
        dataclasses.replace(net, kind=MIMIC),
        dataclasses.replace(net, utility_scale={2: (0.5, 1.0)}),
        dataclasses.replace(net, sizes=net.sizes[::-1]),
    ]
    assert len(set(fingerprint([net, *others]))) == 5
    assert fingerprint([dataclasses.replace(net, about={})]) == fingerprint([net])


# --- what is kept -----------------------------------------------------------------------------------------------------
@pytest.mark.usefixtures("_quick")
def test_learners_beyond_those_that_are_asked_for_stay_in_the_file(tmp_path: Path) -> None:
    file, plan = tmp_path / "run", ExploitPlan("house", steps=1, seeds=3, groups=4)
    whole = Hunt(TINY, plan, "fast", file).run()
    fewer = Hunt(TINY, dataclasses.replace(plan, seeds=1, steps=2), "fast", file)
    gain = fewer.run()
    assert len(gain.curves) == 1 and fewer.exploiters[0].done == 2
    again = Hunt(TINY, plan, "fast", file)
    assert [each.done for each in again.exploiters] == [2, 1, 1]
    assert [each.trials for each in again.exploiters[1:]] == whole.curves[1:]


@for_each(("given", "floor"), [(["0"], 0.0), (["0.01"], 0.01), (["0.05"], 0.02)])
def test_entropy_falls_no_lower_than_it_begins(given, floor, monkeypatch, tmp_path) -> None:
    made: list[TrainingPlan] = []
    monkeypatch.setattr("hexdeck.research.training.trainer.Trainer", lambda plan: made.append(plan) or 1 / 0)
    with pytest.raises(ZeroDivisionError):
        main(["train", "cursed-hand", "--steps", "1", "--resume", str(tmp_path / "run"), "--entropy", *given])
    assert (made[0].entropy, made[0].entropy_floor) == (float(given[0]), floor)


COMMAND = ["train", "cursed-hand", "--players", "2", "--option", "hand_cards=3", "--hidden", "8"]


def interrupted_at(gradients: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """From now on Ctrl-C comes in the middle of a step of learning: once so many gradients were followed."""
    real, left = Learner.descend, [gradients]

    def descend(self: Learner, gradient: np.ndarray, rate: float) -> None:
        if not left[0]:
            raise KeyboardInterrupt
        left[0] -= 1
        real(self, gradient, rate)

    monkeypatch.setattr(Learner, "descend", descend)


# --- training ---------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("gradients", much([3, 21], [0, 3, 8, 21, 30]))
@pytest.mark.usefixtures("_quick")
def test_training_cut_off_within_a_step_goes_on_as_if_it_had_not_been(gradients, tmp_path, monkeypatch) -> None:
    whole = Trainer(PLAN, "fast")
    whole.run(tmp_path / "whole")
    assert whole.learner.steps == 40  # eight gradients a step
    cut = Trainer(PLAN, "fast")
    with monkeypatch.context() as patch:
        interrupted_at(gradients, patch)
        with pytest.raises(KeyboardInterrupt):
            cut.run(tmp_path / "cut")
    again = run_from(tmp_path / "cut")
    assert again.done == cut.done == gradients // 8 and len(again.curve) == len(again.checkpoints)
    for one in (again, cut):  # what was interrupted can go on by itself, too
        one.run(tmp_path / "cut")
        assert one.learner.flat.tobytes() == whole.learner.flat.tobytes()
        assert [net.tobytes() for net in one.checkpoints] == [net.tobytes() for net in whole.checkpoints]


@pytest.mark.usefixtures("_quick")
def test_training_is_saved_by_the_clock_between_checkpoints(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    plan, done, clock = dataclasses.replace(PLAN, steps=4, checkpoint_every=50), list[int](), itertools.count()
    write = Trainer._write
    monkeypatch.setattr(train, "time", SimpleNamespace(perf_counter=lambda: 0.0, monotonic=lambda: next(clock)))
    monkeypatch.setattr(
        Trainer, "_write", lambda self, file, state: done.append(state[0]["done"]) or write(self, file, state)
    )
    Trainer(plan, "fast").run(tmp_path / "seldom")
    assert done == [4]
    monkeypatch.setattr(train, "OFTEN", 1.5)  # and the clock goes on by one each time that it is looked at
    Trainer(plan, "fast").run(tmp_path / "often")
    assert done == [4, 2, 4]


@pytest.mark.usefixtures("_quick")
def test_the_interrupted_command_says_how_to_continue_and_that_does(tmp_path, capsys, monkeypatch) -> None:
    monkeypatch.setattr(train.TrainingPlan, "batch", 512)
    file = tmp_path / "a run"
    command = [*COMMAND, "--steps", "3", "--resume", str(file)]
    with monkeypatch.context() as patch:
        real, left = Trainer.step, [2]

        def step(self: Trainer) -> np.ndarray:
            left[0] -= 1
            if left[0] < 0:
                raise KeyboardInterrupt
            return real(self)

        patch.setattr(Trainer, "step", step)
        assert main([*command, "--data", str(tmp_path / "a.json")]) == 130
    assert "Interrupted: the same command resumes where it stopped." in capsys.readouterr().err
    figures = json.loads((tmp_path / "a.json").read_text())
    assert figures["interrupted"] and figures["step"] == 2 and file.is_file()
    assert main(command) == 0
    assert "step 3," in capsys.readouterr().out and run_from(file).done == 3


# --- hunts ------------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("gradients", much([0, 5], [0, 1, 5]))
@pytest.mark.usefixtures("_quick")
def test_a_hunt_cut_off_within_a_step_goes_on_as_if_it_had_not_been(gradients, tmp_path, monkeypatch) -> None:
    plan = ExploitPlan("house", steps=3, groups=6, seeds=2)
    whole = Hunt(TINY, plan, "fast").run()
    with monkeypatch.context() as patch:
        interrupted_at(gradients, patch)
        part = Hunt(TINY, plan, "fast", tmp_path / "run").run()
        assert part.interrupted and np.isfinite(part.mean)
    again = Hunt(TINY, plan, "fast", tmp_path / "run")
    assert again.exploiters and again.exploiters[0].done < 3
    gain = again.run()
    for what in ("mean", "margin", "games", "temperature", "seed", "interrupted"):
        assert getattr(gain, what) == getattr(whole, what), what
    assert [each.mean for each in gain.curves[0]] == [each.mean for each in whole.curves[0]]
    for one, other in zip(again.exploiters, Hunt(TINY, plan, "fast", tmp_path / "run").exploiters, strict=True):
        assert np.array_equal(one.average, other.average) and one.average.any()


@pytest.mark.parametrize(
    ("where", "what"), [(hunt, "imitated"), (hunt, "Exploiter"), (Exploiter, "step"), (Exploiter, "try_average")]
)
@pytest.mark.usefixtures("_quick")
def test_a_hunt_is_saved_whatever_it_was_doing(where, what, tmp_path, monkeypatch) -> None:
    plan, file = THINKING, tmp_path / "run"

    def interrupt(*_given: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(where, what, interrupt)
        with pytest.raises(KeyboardInterrupt) if what != "step" else pytest.MonkeyPatch.context():
            Hunt(TINY, plan, "fast", file).run()
    again = Hunt(TINY, plan, "fast", file)
    assert again.watching and len(again.watching.batch) > 250
    assert (again.imitation is None) == (what == "imitated")
    assert len(again.exploiters) == (where is Exploiter)


def test_a_match_that_is_watched_is_taken_in_whole_or_not_at_all(monkeypatch: pytest.MonkeyPatch) -> None:
    watching = Watching(TINY, "house", 1, "fast")
    watching.match()
    made = len(watching.made)

    def interrupt(*_given: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(np, "append", interrupt)
        with pytest.raises(KeyboardInterrupt):
            watching.take_in(apart=True)
    assert len(watching.made) == made and len(watching.batch) == len(watching.apart) == 0


@pytest.mark.parametrize(("where", "what", "learned"), [(Hunt, "_exploiter", False), (Exploiter, "step", True)])
@pytest.mark.usefixtures("_quick")
def test_an_interrupted_exploit_tells_what_it_has_and_how_to_go_on(where, what, learned, tmp_path, capsys, monkeypatch):
    game = "--players 2 --option hand_cards=3 --bot house"
    command = shlex.split(f"exploit cursed-hand {game} --steps 1 --seeds 1 --deals 4")
    kept = [*command, "--resume", str(tmp_path / "run")]
    with monkeypatch.context() as patch:
        patch.setattr(where, what, lambda *_: (_ for _ in ()).throw(KeyboardInterrupt))
        assert main(command) == 130
        said = capsys.readouterr()
        assert ("95\u00a0%, 4 deals" in said.out) == learned
        assert "Interrupted: with --resume FILE, the same command would resume where it stopped." in said.err
        assert main(kept) == 130
        assert "Interrupted: the same command resumes where it stopped." in capsys.readouterr().err
    assert main(kept) == 0
