"""What was saved when plans, flags and arguments had other names opens and goes on; the old names answer with the new.

`old/*.npz` are runs of training that were saved after five of six steps, by a trainer that learned in another way.
"""

import shutil
from pathlib import Path

import pytest

import hexdeck
from hexdeck.bots.nets.netfile import load
from hexdeck.bots.nets.renamed_keys import FLAGS, KEYS, with_present_flags
from hexdeck.bots.players.named import bot
from hexdeck.bots.players.netbot import NetBot
from hexdeck.bots.training.plan import Plan
from hexdeck.bots.training.run_files import STATE
from hexdeck.bots.training.trainer import resumed
from hexdeck.cli import main
from hexdeck.cli.research import exploit, ladder
from tests.support import for_each

OLD = Path(__file__).parent / "old"
TINY = {"hand_cards": 3}


@for_each("name", ["adversary", "values"])
def test_a_run_that_an_earlier_trainer_began_is_refused_in_a_sentence(name: str, tmp_path: Path) -> None:
    shutil.copy(OLD / f"{name}.npz", tmp_path / STATE)
    with pytest.raises(hexdeck.HexdeckError, match="was begun by another version of hexdeck, or it is damaged; start"):
        resumed(tmp_path, "fast")


def test_a_stored_net_plays_and_tells_its_story_in_the_names_of_today() -> None:
    net, game = load(OLD / "values.net"), hexdeck.game("cursed-hand", 2, **TINY)
    assert net.about["temperature"] == 0.3 and net.about["opponents"] == ["house"] and "heat" not in net.about
    assert net.about["command"] == (
        "hexdeck train cursed-hand --players 2 --temperature 0.3 --opponents house --values --steps 6"
    )
    match = game.match(1, backend="interpreted")
    player = bot(f"value:{OLD / 'values.net'}", game, 1, "interpreted")
    assert player.choose(match.concealed(match.actor), match.actor) in match.legal_ids(match.actor)


def test_a_stored_command_of_several_parts_has_the_flags_of_today() -> None:
    command = "hexdeck train hawthorn --deals --counter 0.9 && hexdeck train hawthorn --resume --deals --steps 2"
    assert with_present_flags(command) == (
        "hexdeck train hawthorn --deal-values --opponent-share 0.9"
        " && hexdeck train hawthorn --resume --deal-values --steps 2"
    )


@for_each(
    ("command", "old", "new"),
    [
        (command, old, new)
        for command, flags in (("train", FLAGS), ("ladder", ladder.FLAGS), ("exploit", exploit.FLAGS))
        for old, new in flags.items()
    ],
)
def test_an_old_flag_names_the_new_one(command: str, old: str, new: str, capsys: pytest.CaptureFixture[str]) -> None:
    for values in ([], ["5"], ["house", "search:5"]):
        assert main([command, "hawthorn", old, *values]) == 2
        assert capsys.readouterr().err.strip() == f"hexdeck: {old} is now called {new}."


@for_each(("old", "new"), KEYS.items())
def test_an_old_argument_of_a_plan_names_the_new_one(old: str, new: str) -> None:
    with pytest.raises(hexdeck.HexdeckError, match=f"^{old} is now called {new}.$"):
        Plan("hawthorn", (2,), {}, **{old: 1})


def test_heat_is_now_called_temperature() -> None:
    with pytest.raises(hexdeck.HexdeckError, match=r"^heat is now called temperature\.$"):
        NetBot(hexdeck.game("cursed-hand"), heat=0.5)  # type: ignore[call-arg]
