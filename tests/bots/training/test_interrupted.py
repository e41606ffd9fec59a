"""Ctrl-C loses no whole step of training or of a hunt, whenever it comes; what goes on is the run that wasn't cut."""

import dataclasses
import itertools
import json
import re
import shlex
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

import hexdeck
from hexdeck.bots.training import hunt, imitation
from hexdeck.bots.training import trainer as train
from hexdeck.bots.training.exploit import Exploiter
from hexdeck.bots.training.hunt import ExploitPlan, Hunt
from hexdeck.bots.training.imitation import Watching
from hexdeck.bots.training.learn import Learner
from hexdeck.bots.training.plan import Plan
from hexdeck.bots.training.run_files import STATE
from hexdeck.bots.training.trainer import Trainer, resumed
from hexdeck.cli import main
from tests.settings import much

TINY = hexdeck.game("cursed-hand", 2, hand_cards=3)
PLAN = Plan(
    "cursed-hand", (2,), {"hand_cards": 3}, steps=5, hidden=(8, 8), batch=512, checkpoint_every=2, minibatch=128
)
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


@pytest.fixture
def _small(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hexdeck.bots.training.sparring.DECISIONS", 400)
    monkeypatch.setattr("hexdeck.bots.training.exploit.DEALS", 4)
    monkeypatch.setattr(train, "CHECKS", 8)


# --- training ---------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("gradients", much([3, 21], [0, 3, 8, 21, 30]))
@pytest.mark.usefixtures("_small")
def test_training_cut_off_within_a_step_goes_on_as_if_it_had_not_been(
    gradients: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = Trainer(PLAN, "fast")
    whole.run(tmp_path / "whole")
    assert whole.learner.steps == 40  # eight gradients a step
    cut = Trainer(PLAN, "fast")
    with monkeypatch.context() as patch:
        interrupted_at(gradients, patch)
        with pytest.raises(KeyboardInterrupt):
            cut.run(tmp_path / "cut")
    again = resumed(tmp_path / "cut", "fast")
    assert again.done == cut.done == gradients // 8 and len(again.curve) == len(again.checkpoints)
    for one in (again, cut):  # what was interrupted can go on by itself, too
        one.run(tmp_path / "cut")
        assert one.learner.flat.tobytes() == whole.learner.flat.tobytes()
        assert [net.tobytes() for net in one.checkpoints] == [net.tobytes() for net in whole.checkpoints]


@pytest.mark.usefixtures("_small")
def test_training_is_saved_by_the_clock_between_checkpoints(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    plan, done, clock = dataclasses.replace(PLAN, steps=4, checkpoint_every=50), list[int](), itertools.count()
    write = Trainer._write
    monkeypatch.setattr(train, "time", SimpleNamespace(perf_counter=lambda: 0.0, monotonic=lambda: next(clock)))
    monkeypatch.setattr(
        Trainer, "_write", lambda self, folder, state: done.append(state[0]["done"]) or write(self, folder, state)
    )
    Trainer(plan, "fast").run(tmp_path / "seldom")
    assert done == [4]
    monkeypatch.setattr(train, "OFTEN", 1.5)  # and the clock goes on by one each time that it is looked at
    Trainer(plan, "fast").run(tmp_path / "often")
    assert done == [4, 2, 4]


@pytest.mark.usefixtures("_small")
def test_the_interrupted_command_says_how_to_continue_and_that_does(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(train.Plan, "batch", 512)
    folder, games = tmp_path / "a run", tmp_path / "games"
    games.mkdir()
    monkeypatch.setenv("HEXDECK_GAME_PATH", str(games))
    with monkeypatch.context() as patch:
        real, left = Trainer.step, [2]

        def step(self: Trainer) -> np.ndarray:
            left[0] -= 1
            if left[0] < 0:
                raise KeyboardInterrupt
            return real(self)

        patch.setattr(Trainer, "step", step)
        assert main([*COMMAND, "--steps", "3", "--folder", str(folder), "--json", str(tmp_path / "a.json")]) == 130
    said = capsys.readouterr().err
    command = re.search(r"Interrupted at step 2, which is saved; continue with:\nhexdeck (.*)\n", said)
    assert command and f"--game-path {games}" in command[1]
    figures = json.loads((tmp_path / "a.json").read_text())
    assert figures["interrupted"] and figures["step"] == 2 and (folder / STATE).is_file()
    assert main(shlex.split(command[1])) == 0
    assert "step 3," in capsys.readouterr().out and resumed(folder).done == 3


# --- hunts ------------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("gradients", much([0, 5], [0, 1, 5]))
@pytest.mark.usefixtures("_small")
def test_a_hunt_cut_off_within_a_step_goes_on_as_if_it_had_not_been(
    gradients: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
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
@pytest.mark.usefixtures("_small")
def test_a_hunt_is_saved_whatever_it_was_doing(
    where: object, what: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("hexdeck.bots.training.sparring.trial_of", lambda *_: np.full(4, 0.25))
    monkeypatch.setattr(imitation, "EPOCHS", 1)
    plan, file = ExploitPlan("search:4", steps=1, seeds=1, groups=4, choices=300), tmp_path / "run"

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


@pytest.mark.parametrize(("where", "what", "learned"), [(Hunt, "_begun", False), (Exploiter, "step", True)])
@pytest.mark.usefixtures("_small")
def test_an_interrupted_exploit_tells_what_it_has_and_how_to_go_on(
    where: type,
    what: str,
    learned: bool,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    command = ["exploit", "cursed-hand", "--players", "2", "--option", "hand_cards=3", "--bot", "house", "--steps", "1",
               "--seeds", "1", "--deals", "4"]  # fmt: skip
    kept = [*command, "--save", str(tmp_path / "run")]
    with monkeypatch.context() as patch:
        patch.setattr(where, what, lambda *_: (_ for _ in ()).throw(KeyboardInterrupt))
        assert main(command) == 130
        said = capsys.readouterr()
        assert ("95\u00a0%, 4 deals" in said.out) == learned
        assert "Interrupted: with --save FILE, the same command would resume where it stopped." in said.err
        assert main(kept) == 130
        assert "Interrupted: the same command resumes where it stopped." in capsys.readouterr().err
    assert main(kept) == 0
