"""The examples learn: a net of our own in a batch, and a public library's learner in PettingZoo's form."""

import csv
import itertools
import subprocess
import sys
from importlib import util
from itertools import islice
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

import hexdeck
from tests.support import ran_apart

ROOT = Path(__file__).parents[2]


def example(name: str) -> ModuleType:
    spec = util.spec_from_file_location(name, ROOT / "examples" / f"{name}.py")
    assert spec and spec.loader
    module = util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def ran(*command: str) -> subprocess.CompletedProcess[str]:
    return ran_apart([sys.executable, *command], cwd=ROOT)


@pytest.mark.long
def test_self_play_learns() -> None:
    """From nothing, in so many rounds, it gains far more over the house bot than before."""
    play = example("self_play")
    play.ENVS, play.STEPS = 128, 32
    game = hexdeck.game("cursed-hand", 2, deck="3-3-3-3", hand_cards=2)
    nets = list(islice(play.learning(game), 41))
    (before, less), (after, more) = (play.judged(game, net, 1 << 20, 400) for net, _ in (nets[0], nets[-1]))
    assert after - more > before + less
    assert nets[0][1] == 0 and nets[-1][1] > 40 * 128 * 16  # most decisions are learned from, also of long matches


def test_what_the_house_bot_gains_over_itself_is_nothing() -> None:
    """The judgement is of a seat against a house bot in the same seat on the same deals."""
    play, game = example("self_play"), hexdeck.game("black-hearts", 4)
    usual = game.simulate(200, "house", seed=play.JUDGED).returns
    assert (usual.mean(0) > 0.1).all()  # a share of a win: zero would be no yardstick
    net = play.Net(game.observation_size, len(game.rules.ACTIONS), np.random.default_rng(1))
    gain, margin = play.judged(game, net, 0, 200)
    assert gain + margin < 0  # a net that has learned nothing is worse, though its mean result is above zero


def test_decisions_of_a_match_that_goes_on_have_the_result_that_was_expected_last() -> None:
    play = example("self_play")
    steps = [
        {
            "seats": np.array([seat]),
            "ends": np.array([end]),
            "rewards": np.array([[won, -won]], np.float32),
            "hopes": np.array([hope], np.float32),
        }
        for seat, end, won, hope in (
            (0, False, 0, 0.1),
            (1, True, 3, 0.2),
            (0, False, 0, 0.3),
            (1, False, 0, 0.4),
            (0, False, 0, 0.5),
        )
    ]
    play.settled(steps, 2.0)
    assert [bool(step["known"][0]) for step in steps] == [True, True, True, False, False]
    assert [round(float(step["results"][0]), 3) for step in steps] == [3, -3, 1.0, 0.8, 1.0]


def test_self_play_tells_its_curve_as_it_goes_and_keeps_its_net(tmp_path, monkeypatch, capsys) -> None:
    """A minute of learning, of which every round takes twenty seconds."""
    play, curve, policy = example("self_play"), tmp_path / "curve.csv", tmp_path / "net.npz"
    play.ENVS, play.STEPS, play.MATCHES, play.FINAL = 16, 8, 20, 20
    monkeypatch.setattr(play.time, "perf_counter", itertools.count(1000, 20).__next__)
    flags = ["hawthorn", "--minutes", "1", "--every", "40", "--curve", str(curve), "--policy", str(policy)]
    monkeypatch.setattr(sys, "argv", ["self_play.py", *flags])
    play.main()
    rows, told = list(csv.DictReader(curve.read_text().splitlines())), capsys.readouterr().out
    assert [row["seconds"] for row in rows] == ["20", "40", "60"] and int(rows[-1]["decisions"]) > 0
    assert told.count("decisions:") == 3 and "beaten" not in told.rpartition("On 20 deals not looked at before")[0]
    assert told.strip().endswith(("house is beaten.", "house is not beaten."))
    assert np.load(policy)["part0"].shape[0] == hexdeck.game("hawthorn").observation_size


@pytest.mark.parametrize("name", ["self_play", "public_learner"])
def test_an_example_says_in_a_line_what_is_wrong(name: str, tmp_path: Path) -> None:
    for flags, why in ((["hearts"], "There is no game hearts"), (["hawthorn", "--players", "9"], "is for 2 to")):
        done = ran(f"examples/{name}.py", *flags)
        assert done.returncode == 2 and why in done.stderr and "Traceback" not in done.stderr


def test_a_public_learner_plays_and_is_judged(tmp_path: Path) -> None:
    pytest.importorskip(
        "sb3_contrib", reason="pip install '.[envs,learn]' in Hexdeck's folder brings the library of the example"
    )
    kept, net = tmp_path / "policy.zip", tmp_path / "net.onnx"
    words = "--steps", "256", "--matches", "40", "--policy", str(kept), "--onnx", str(net)
    done = ran("examples/public_learner.py", "hawthorn", *words)
    assert done.returncode == 0, done.stderr
    assert len(hexdeck.game("hawthorn", 2).simulate(2, f"onnx:{net}")) == 2
    assert done.stdout.startswith("256 decisions; gain over a random player among random: ") and kept.stat().st_size


def test_without_the_library_the_example_says_how_to_get_it(tmp_path: Path) -> None:
    (tmp_path / "sb3_contrib.py").write_text("raise ModuleNotFoundError('no', name='sb3_contrib')")
    code = f"import sys, runpy; sys.path.insert(0, {str(tmp_path)!r}); sys.argv[1:] = ['hawthorn', '--matches', '2']; "
    done = ran("-c", code + "runpy.run_path('examples/public_learner.py', run_name='__main__')")
    assert (
        done.returncode == 2
        and "sb3_contrib is not installed; pip install '.[envs,learn]' in Hexdeck's folder" in done.stderr
    )
