"""The trainer: its gradients are right, it learns, it goes on where it stopped, the better net is exported."""

import dataclasses
import functools
import shlex
import shutil
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

import hexdeck
from hexdeck.bots.nets.netfile import is_net_of, load, net_sizes, shipped
from hexdeck.cli import main
from hexdeck.cli.command_line import build_parser
from hexdeck.cli.train import commands, trainer_of
from hexdeck.engine.text import Catalogue
from hexdeck.research.training import trainer as train
from hexdeck.research.training.arena import FRESH, Arena, lineup_with
from hexdeck.research.training.collect import HOUSE, SEARCH
from hexdeck.research.training.learn import Learner
from hexdeck.research.training.trainer import Trainer, TrainingPlan, csv, export, hunted, resumed, spread, training_file
from tests.support import for_each

TINY = {"hand_cards": 3}
PLAN = TrainingPlan("cursed-hand", (2, 3), TINY, steps=6, hidden=(8, 8), batch=512, checkpoint_every=2, minibatch=128)
SIZES = net_sizes(hexdeck.game("cursed-hand").rules, 16, 16)


# --- whole runs -------------------------------------------------------------------------------------------------------
def test_another_seed_makes_another_net() -> None:
    nets = []
    for seed in (1, 2):
        trainer = Trainer(dataclasses.replace(PLAN, seed=seed), "fast")
        trainer.step()
        nets.append(trainer.learner.flat)
    assert not np.array_equal(*nets)


def test_two_nets_from_one_seed_are_equal_as_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    quick_to_export(monkeypatch)
    plan = dataclasses.replace(PLAN, steps=0, decisions=3000)
    for name in ("one", "other"):
        trainer = Trainer(plan, "fast")
        trainer.run(tmp_path / name)
        assert 3000 <= trainer.moves < 6000 and trainer.progress == 1
        export(trainer, tmp_path / f"{name}.net", "hexdeck train …")
    assert (tmp_path / "one.net").read_bytes() == (tmp_path / "other.net").read_bytes()


def test_opponents_sit_in_their_share_of_the_games_and_no_one_else_does() -> None:
    rng = np.random.default_rng(1)
    assert not lineup_with(100, 3, (), 0.5, rng).any()
    table = lineup_with(20_000, 3, (HOUSE, SEARCH, SEARCH), 0.6, rng)
    assert set(np.unique(table)) == {0, HOUSE, SEARCH} and (table == 0).any(axis=1).all()
    met = [(table == code).any(axis=1).mean() for code in (HOUSE, SEARCH)]
    assert met == pytest.approx([0.18, 0.36], abs=0.02)  # of a few games it gets no seat


def test_a_step_learns_from_what_was_played_before_it() -> None:
    """The next batch is played while it learns, by the net as it was: learning changes nothing of what is played."""
    trainer = Trainer(PLAN, "fast")
    before = trainer.playing
    assert np.array_equal(before.weights, trainer.learner.weights())
    first = trainer._batch(before).result()[1]
    trainer.step()
    assert trainer.playing.numbers == [counts.games for counts in first]
    assert np.array_equal(trainer.playing.weights, before.weights)
    assert not np.array_equal(trainer.learner.weights(), before.weights)


def test_the_magnet_is_the_net_as_it_was_at_the_last_copy() -> None:
    trainer, flats = Trainer(dataclasses.replace(PLAN, magnet_every=2), "fast"), []
    for step in range(4):
        flats.append(trainer.learner.flat.copy())
        trainer.step()
        assert trainer.learner.magnet is not None
        assert np.array_equal(trainer.learner.magnet, flats[step - step % 2])
    free = Trainer(dataclasses.replace(PLAN, magnet=0.0), "fast")
    free.step()
    assert free.learner.magnet is None


def test_the_entropy_bonus_falls_to_its_floor(monkeypatch: pytest.MonkeyPatch) -> None:
    given: list[float] = []
    monkeypatch.setattr(
        Learner, "learn", lambda self, lists, how, *_: given.append(how.entropy) or np.zeros(len(self.metrics))
    )
    trainer = Trainer(dataclasses.replace(PLAN, entropy=0.16, entropy_floor=0.01, checkpoint_every=99), "fast")
    for _ in range(8):
        trainer.step()
    assert given[0] == 0.16 and given[3] == pytest.approx(0.04) and given[6:] == pytest.approx([0.01, 0.01])


def test_two_searches_do_not_play_along() -> None:
    with pytest.raises(hexdeck.BadOption, match="name one of search:5, search:20"):
        Trainer(dataclasses.replace(PLAN, opponents=("search:5", "search:20")), "fast")


@for_each(
    "name",
    ["solved", "net", "house:3", "house:", "search:", "search:0", "search:x", "search:1000001", "search:" + "9" * 5000],
)
def test_who_cannot_play_along_is_refused(name: str) -> None:
    near = r"( \(did you mean (house|search)\?\))?"
    with pytest.raises(hexdeck.BadOption, match=f"{name} can't be an opponent in training{near}; easy, house, random"):
        Trainer(dataclasses.replace(PLAN, opponents=(name,)), "fast")


def test_checkpoints_are_told_once_each_and_the_end_of_a_run_shorter_than_one(tmp_path, monkeypatch) -> None:
    monkeypatch.setattr(train, "TRIAL", 20)
    monkeypatch.setattr(train, "CHECKS", 4)
    for backend, every, wanted in (("fast", 2, [2, 4]), ("interpreted", 50, [5])):
        told: list[float] = []
        plan = dataclasses.replace(PLAN, players=(2,), steps=5, checkpoint_every=every, batch=64, minibatch=32)
        trainer = Trainer(plan, backend)
        trainer.run(tmp_path / backend, lambda row, told=told: told.append(row["step"]))  # type: ignore[misc]
        assert told == wanted and len(trainer.checkpoints) == len(wanted)
        assert len(resumed(training_file(tmp_path / backend, "cursed-hand"), backend).checkpoints) == len(wanted)


def test_a_run_that_ends_by_the_clock_leaves_its_arenas_to_whoever_exports(tmp_path, monkeypatch) -> None:
    waited, rest = list[int](), Trainer._wait
    monkeypatch.setattr(Trainer, "_wait", lambda trainer: waited.append(trainer.done) or rest(trainer))
    monkeypatch.setattr(Trainer, "progress", property(lambda trainer: trainer.done / 3))  # between two checkpoints
    trainer = Trainer(dataclasses.replace(PLAN, steps=0, minutes=1), "fast")
    trainer.run(tmp_path / "run")
    assert waited[-1] == 3 and trainer.playing.made and trainer.playing.made.done()


# --- the export -------------------------------------------------------------------------------------------------------


@pytest.mark.long
def test_of_two_policies_the_one_is_kept_from_which_less_is_gained(monkeypatch: pytest.MonkeyPatch) -> None:
    """A trained net and one that always plays the same way of a few."""
    monkeypatch.setattr(train, "HUNT", 3000)
    monkeypatch.setattr(train, "GROUPS", 1000)
    monkeypatch.setattr("hexdeck.research.training.exploit.DEALS", 200)
    trainer = Trainer(dataclasses.replace(PLAN, players=(2,), steps=40, batch=4096, minibatch=256), "fast")
    weak = hunted(trainer, 0, trainer.learner.weights())
    for _ in range(40):
        trainer.step()
    better = hunted(trainer, 1, trainer.learner.weights(trainer.average))
    assert (weak.entry, better.entry) == (0, 1) and weak.mean + weak.margin < better.mean - better.margin < 0.1
    assert weak.house is not None and better.house is not None and weak.house < better.house


def test_nets_are_judged_on_deals_that_they_were_not_trained_on(monkeypatch, tmp_path) -> None:
    met: list[np.ndarray] = []

    def contest(
        _arena: Arena, table: np.ndarray, _nets: object, _temperatures: object, numbers: np.ndarray, *_streams: object
    ) -> np.ndarray:
        met.append(numbers)
        return np.random.default_rng(1).normal(size=table.shape)

    monkeypatch.setattr(Arena, "contest", contest)
    quick_to_export(monkeypatch)
    trainer = Trainer(PLAN, "fast")
    trainer.run(tmp_path / "run")
    checked = np.concatenate(met)
    export(trainer, tmp_path / "some.net", "")
    judged = np.unique(np.concatenate(met))
    judged = judged[judged >= 2 * FRESH]
    assert max(trainer.playing.numbers) < FRESH <= checked.min() <= checked.max() < 2 * FRESH and len(judged) >= 20


def test_entries_are_spread_over_the_second_half() -> None:
    assert spread(1, 10) == [0]
    assert spread(4, 10) == [2, 3]
    assert spread(40, 5) == [20, 25, 30, 34, 39]


def quick_to_export(monkeypatch: pytest.MonkeyPatch) -> None:
    """Exploiters that choose among checkpoints learn and are tried for a moment only."""
    monkeypatch.setattr(train, "GROUPS", 40)
    monkeypatch.setattr(train, "HUNT", 200)
    monkeypatch.setattr("hexdeck.research.training.exploit.DECISIONS", 600)
    monkeypatch.setattr("hexdeck.research.training.exploit.DEALS", 4)


def test_the_best_of_a_run_is_exported_with_its_story(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    quick_to_export(monkeypatch)
    trainer = Trainer(PLAN, "fast")
    with pytest.raises(hexdeck.HexdeckError, match="no checkpoint yet; one is saved after every 2 steps"):
        export(trainer, tmp_path / "some.net", "")
    trainer.run(tmp_path / "run")
    export(trainer, tmp_path / "some.net", "hexdeck train …")
    net = load(tmp_path / "some.net")
    best = max(net.about["league"], key=lambda each: each["mean"])
    at = [row["step"] for row in trainer.curve].index(best["entry"])
    assert net.weights.astype(np.float16).tobytes() == trainer.checkpoints[at].tobytes()
    assert net.about["chosen"]["step"] == best["entry"] and net.about["command"] == "hexdeck train …"
    assert net.about["seed"] == 1
    # all of them: the defaults may be others where it plays
    assert net.about["options"] == dict(hexdeck.game("cursed-hand", 2, **TINY).options)
    assert (tmp_path / "some.csv").read_text() == csv(trainer.curve)


# --- the command ------------------------------------------------------------------------------------------------------
ARGUMENTS = ["train", "hawthorn", "--players", "2", "--hidden", "8", "--resume"]


def test_the_command_trains_and_the_same_command_resumes(tmp_path, capsys, monkeypatch) -> None:
    quick_to_export(monkeypatch)
    monkeypatch.setattr("hexdeck.research.training.trainer.TrainingPlan", functools.partial(TrainingPlan, batch=2048))
    arguments = [*ARGUMENTS, str(tmp_path / "run"), "--steps", "1"]
    assert main(arguments) == 0
    capsys.readouterr()
    assert main(arguments) == 0
    assert "is already at step 1: there is nothing left to train" in " ".join(capsys.readouterr().out.split())
    file, resume = tmp_path / "some.net", ["--resume", str(tmp_path / "run")]
    assert main(["train", "hawthorn", *resume, "--steps", "50", "--export", str(file)]) == 0
    assert capsys.readouterr().out.startswith("step 50, ")
    about = load(file).about
    assert about["ends"] == [[0, 1, 0.0], [1, 50, 0.0]] and about["hidden"] == [8, 8] and about["steps"] == 50
    assert about["command"] == (
        "hexdeck train hawthorn --players 2 --seed 1 --hidden 8 --entropy 0.1 --entropy-floor 0.02 --magnet 0.1"
        f" --steps 1 && hexdeck train hawthorn --steps 50 --export {file.name}"
    )
    assert main(["train", "cursed-hand", *resume]) == 2
    assert "isn't of this run (different game)" in capsys.readouterr().err


def test_a_run_cut_off_between_its_last_step_and_the_export_is_exported_by_the_same_command(tmp_path, monkeypatch):
    quick_to_export(monkeypatch)
    monkeypatch.setattr("hexdeck.research.training.trainer.TrainingPlan", functools.partial(TrainingPlan, batch=2048))
    file = tmp_path / "some.net"
    command = [*ARGUMENTS, str(tmp_path / "run"), "--steps", "1", "--export", str(file)]
    with monkeypatch.context() as patch:
        patch.setattr(train, "export", lambda *_: (_ for _ in ()).throw(KeyboardInterrupt))
        assert main(command) == 130
    before = (tmp_path / "run").read_bytes()
    assert not file.exists() and main(command) == 0
    assert load(file).about["steps"] == 1 and (tmp_path / "run").read_bytes() == before


def test_the_command_of_a_net_begins_the_same_run(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    plan = TrainingPlan(
        "cursed-hand",
        (2, 4),
        {"hand_cards": 3, "losses": 2},
        7,
        1200,
        0.0,
        (16, 16),
        opponents=("house", "search:20"),
        opponent_share=0.25,
        entropy=0.0123456789,
        entropy_floor=0.001,
        magnet=0.05,
    )
    trainer, made = SimpleNamespace(plan=plan, ends=[[0, 1200, 0.0]]), []
    monkeypatch.setattr(train, "Trainer", made.append)
    command = commands(trainer, tmp_path / "a net.net")  # type: ignore[arg-type]
    arguments = build_parser(Catalogue("en")).parse_args(shlex.split(command)[1:])
    arguments.resume = tmp_path / "run"
    trainer_of(arguments, hexdeck.game("cursed-hand"))
    assert made == [plan] and arguments.export == Path("a net.net")


@for_each(
    "more",
    [
        ["--players", "3"],
        ["--option", "chips=9"],
        ["--seed", "1"],
        ["--entropy", "0.05"],
        ["--hidden", "64"],
        ["--opponents", "house"],
        ["--magnet", "0.2"],
        ["--opponents", "house", "--opponent-share", "0.25"],
        ["--entropy-floor", "0.01"],
    ],
)
def test_a_run_that_goes_on_keeps_what_it_began_with(more, tmp_path, capsys, monkeypatch) -> None:
    plan = TrainingPlan("hawthorn", (2, 4), {}, 7, minutes=1.0, hidden=(8, 8), magnet=0.1)
    monkeypatch.setattr(train, "stored_run", lambda _file, **_end: (plan, ({}, {})))
    training_file(tmp_path / "run", "hawthorn").add({})
    assert main(["train", "hawthorn", "--resume", str(tmp_path / "run"), "--steps", "3", *more]) == 2
    assert "keeps its original settings: leave out " in (said := capsys.readouterr().err) and more[0] in said


def test_a_size_has_a_run_of_its_own_and_resumes_no_other(tmp_path, capsys, monkeypatch) -> None:
    plan = TrainingPlan("cursed-hand", (2,), {}, steps=3)
    monkeypatch.setattr(train, "stored_run", lambda _file, **_end: (plan, ({}, {})))
    monkeypatch.chdir(tmp_path)
    training_file(Path("cursed-hand-tiny-training.jsonl"), "cursed-hand").add({})
    assert main(["train", "cursed-hand/tiny", "--players", "2", "--steps", "3"]) == 2
    assert "cursed-hand-tiny-training.jsonl keeps its original settings: leave out /tiny," in capsys.readouterr().err


def test_places_that_cannot_be_written_are_refused_before_training(tmp_path, capsys, monkeypatch) -> None:
    monkeypatch.setattr(train, "Trainer", lambda _plan: pytest.fail("trained"))
    file = tmp_path / "file"
    file.write_text("")
    for name in ("taken.csv", "folder.net"):
        (tmp_path / name).mkdir()
    for place in (tmp_path, tmp_path / "folder.net", file / "some.net", tmp_path / "none" / "some.net"):
        assert main([*ARGUMENTS, str(tmp_path / "run"), "--export", str(place)]) == 2
        why = (
            "is a folder; name a file, such as" if place.is_dir() else "can't be written; name a file in a folder that"
        )
        assert f"{place} {why} " in capsys.readouterr().err
    place = tmp_path / "taken.net"
    assert main([*ARGUMENTS, str(tmp_path / "run"), "--export", str(place)]) == 2
    assert f"The net can't be written to {place}; choose another file." in capsys.readouterr().err
    for place in (tmp_path / "some.csv", tmp_path / "some.txt"):
        assert main([*ARGUMENTS, str(tmp_path / "run"), "--export", str(place)]) == 2
        assert f"must end in .net; {place} doesn't." in capsys.readouterr().err
    for place in (tmp_path, file / "run"):
        assert main([*ARGUMENTS, str(place)]) == 2
        why = (
            "is a folder; name a file, such as" if place.is_dir() else "can't be written; name a file in a folder that"
        )
        assert f"{place} {why} " in capsys.readouterr().err
    assert sorted(path.name for path in tmp_path.iterdir()) == ["file", "folder.net", "taken.csv"]


def test_a_net_takes_the_place_of_no_other_file(tmp_path, capsys, monkeypatch) -> None:
    monkeypatch.setattr(train, "Trainer", lambda _plan: pytest.fail("trained"))
    (tmp_path / "notes.net").write_text("of mine")
    shutil.copy(next(iter(shipped(hexdeck.game("cursed-hand")))), tmp_path / "other.net")
    for name in ("notes.net", "other.net"):
        assert main([*ARGUMENTS, str(tmp_path / "run"), "--export", str(tmp_path / name)]) == 2
        assert "already exists and isn't a net of hawthorn" in capsys.readouterr().err
    assert is_net_of(tmp_path / "other.net", "cursed-hand")


@for_each(
    ("extra", "sentence"),
    [
        (["--steps", "1", "--minutes", "1"], "--minutes and --steps don't go together"),
        (["--hidden", "6"], "multiple of 4"),
        (["--players", "1"], "for 2 to 8 players"),
        (["--entropy", "0.01", "--entropy-floor", "0.02"], "--entropy-floor can't be more than --entropy, 0.01"),
        (["--opponent-share", "1", "--opponents", "search:5"], "--opponent-share can't be"),
        (["--opponent-share", "0.5"], "--opponent-share goes with --opponents"),
        (["--option", "chips=0"], "can't be 0"),
        (["--option", "players=3"], "no option players"),
        (["--option", "name=x"], "no option name"),
    ],
)
def test_arguments_that_make_no_sense_are_refused(tmp_path, capsys, extra, sentence) -> None:
    assert main([*ARGUMENTS, str(tmp_path / "run"), *extra]) == 2
    assert sentence in capsys.readouterr().err
