"""A game that isn't there yet needs no code of any adapter: none names a game, and a new folder is enough."""

import re
import shutil
import sys
from pathlib import Path

import hexdeck
from tests.settings import GAMES
from tests.support import for_each, ran_apart

PACKAGE = Path(hexdeck.__file__).parent
ADAPTERS = sorted([*(PACKAGE / "envs").rglob("*.py"), *(PACKAGE / "engine").glob("*batch.py")])


@for_each("path", ADAPTERS)
def test_no_adapter_names_a_game(path: Path) -> None:
    code = re.sub(r'"""(?s:.*?)"""', "", path.read_text(encoding="utf-8"))
    for name in GAMES:
        assert not re.search(name.replace("-", "[-_ ]?"), code, re.IGNORECASE), name


NEW = """
import warnings
warnings.simplefilter("ignore")
import hexdeck
from hexdeck.envs.pettingzoo import new_game_v2
import hexdeck.envs.pettingzoo.new_game_v2 as same
from pettingzoo.test import api_test, parallel_api_test
assert same is new_game_v2
api_test(new_game_v2.env(), num_cycles=10)
parallel_api_test(new_game_v2.parallel_env(), num_cycles=10)
batch = hexdeck.game("new-game").batch(4)
batch.step(batch.random())
import gymnasium
import hexdeck.envs.gymnasium
env = gymnasium.make("hexdeck/NewGame-v2", bots="random")
seen, info = env.reset(seed=1)
env.step(int(info["action_mask"].argmax()))
many = gymnasium.make_vec("hexdeck/NewGame-v2", num_envs=2, bots="random")
seen, info = many.reset(seed=1)
many.step(info["action_mask"].argmax(1))
import pyspiel
import hexdeck.envs.open_spiel
state = pyspiel.load_game("python_hexdeck_new_game(players=3)").new_initial_state()
state.apply_action(state.legal_actions()[0])
print("played")
"""


def test_a_new_folder_is_in_every_form(tmp_path: Path) -> None:
    shutil.copytree(PACKAGE, tmp_path / "hexdeck", ignore=shutil.ignore_patterns("__pycache__", "web", "tables"))
    folder = tmp_path / "hexdeck" / "games" / "new_game"
    shutil.copytree(tmp_path / "hexdeck" / "games" / "blackstone", folder)
    for file in folder.rglob("*.py"):
        file.write_text(
            file.read_text(encoding="utf-8").replace("games.blackstone", "games.new_game"), encoding="utf-8"
        )
    environment = {"PYTHONPATH": str(tmp_path), "HEXDECK_BACKEND": "interpreted", "HOME": str(tmp_path)}
    ran = ran_apart([sys.executable, "-c", NEW], env=environment)
    assert ran.stdout.endswith("played\n"), ran.stderr
