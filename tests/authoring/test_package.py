"""A game in somebody else's package, found by its entry point, is as good as one of ours."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from hatchling.builders.sdist import SdistBuilder
from hatchling.builders.wheel import WheelBuilder

from hexdeck.authoring import new_game
from tests.settings import GAMES
from tests.support import ran_apart

METADATA = "Metadata-Version: 2.1\nName: someones-games\nVersion: 1.0\n"
TRIED = """
import sys, warnings
warnings.simplefilter("ignore")
import hexdeck
from hexdeck import testing
from hexdeck.cli import main
assert "high-bid" in hexdeck.game_names()
for check in testing.CHECKS:
    if check not in ("backends", "conservation"):  # a compiler's minutes; it lists no cards
        testing.run(check, "high-bid", matches=2)
assert main(["simulate", "high-bid", "--games", "5"]) == 0
from hexdeck.envs.pettingzoo import high_bid_v0
from pettingzoo.test import api_test
api_test(high_bid_v0.env(), num_cycles=20)
import gymnasium, hexdeck.envs.gymnasium
env = gymnasium.make("hexdeck/HighBid-v0", bots="random")
seen, info = env.reset(seed=1)
env.step(int(info["action_mask"].argmax()))
print("played")
"""


def installed(site: Path, modules: dict[str, str]) -> None:
    """What an installer leaves of a package with entry points: games and their modules."""
    info = site / "someones_games-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(METADATA, encoding="utf-8")
    named = "".join(f"{name} = {module}\n" for name, module in modules.items())
    (info / "entry_points.txt").write_text(f"[hexdeck.games]\n{named}", encoding="utf-8")


def tried(site: Path, program: str) -> "subprocess.CompletedProcess[str]":
    path = os.pathsep.join([str(site), *filter(None, [os.environ.get("PYTHONPATH")])])
    env = os.environ | {"PYTHONPATH": path, "HEXDECK_BACKEND": "interpreted"}
    return ran_apart([sys.executable, "-c", program], env=env)


def test_our_package_has_no_tests_and_its_sources_have_all() -> None:
    root = str(Path(__file__).parents[2])
    wheel, sources = (
        {each.distribution_path for each in builder(root).recurse_included_files()}
        for builder in (WheelBuilder, SdistBuilder)
    )
    for game in GAMES:
        folder = f"hexdeck/games/{game.replace('-', '_')}"
        assert f"{folder}/rules.py" in wheel and f"src/{folder}/tests/test_rules.py" in sources
    assert not [path for path in wheel if "/tests/" in path] and "conftest.py" in sources


@pytest.mark.parametrize("module", [pytest.param("high_bid", marks=pytest.mark.long), "someones.games.high_bid"])
def test_it_is_found_checked_simulated_and_an_environment(module: str, tmp_path: Path) -> None:
    folder = new_game("high-bid", tmp_path)
    if "." in module:
        home = tmp_path.joinpath(*module.split(".")[:-1])
        home.mkdir(parents=True)
        shutil.move(folder, home)
    installed(tmp_path, {"high-bid": module})
    ran = tried(tmp_path, TRIED)
    assert ran.stdout.endswith("played\n"), ran.stderr


def test_entry_points_that_lead_nowhere_break_nothing_else(tmp_path: Path) -> None:
    modules = {"high-bid": "nowhere", "low-bid": "json", "no-bid": "os.path", "some-bid": "someones.nowhere"}
    installed(tmp_path, modules)
    program = "from hexdeck.cli import main; main(['games']); main(['simulate', 'hawthorn', '--games', '1'])"
    said = " ".join(tried(tmp_path, program).stdout.split())
    assert all(f"{name} · broken" in said for name in modules)
    assert said.count("is missing.") == 4 and "Hawthorn, 4 players: 1 game:" in said
