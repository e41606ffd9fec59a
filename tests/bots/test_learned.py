"""Nets play what they learned: whole weights only, for the players and options that their files name."""

import dataclasses
import shlex
from pathlib import Path

import numpy as np
import pytest

import hexdeck
from hexdeck.bots.nets.netfile import POLICY, Net, load, save, shipped
from hexdeck.bots.players.levels import levels_of
from hexdeck.bots.players.named import bot, bots_of, playing_now
from hexdeck.bots.players.netbot import NetBot
from hexdeck.cli import main
from tests.bots.made import any_net
from tests.settings import GAMES, all_settings, every_game
from tests.support import for_each

BACKEND = "interpreted"
SHIPPED = [path for name in GAMES for path in shipped(hexdeck.game(name))]
FEW = hexdeck.game("cursed-hand", 4, hand_cards=5)


def some_net(**about: object) -> Net:
    """A net of random weights for Cursed Hand."""
    return dataclasses.replace(any_net("cursed-hand"), about=about)


@for_each("weight", [np.nan, np.inf, -np.inf])
def test_a_net_with_weights_that_are_no_numbers_is_refused(tmp_path: Path, weight: float) -> None:
    net, path = some_net(), tmp_path / "some.net"
    net.weights[7] = weight
    save(net, path)
    with pytest.raises(hexdeck.HexdeckError, match=r"The net some\.net is damaged: some of its weights are infinite"):
        load(path)
    save(dataclasses.replace(some_net(), utility_scale={4: (0.5, weight)}), path)
    with pytest.raises(hexdeck.HexdeckError, match=r"The net some\.net is damaged"):
        load(path)


@for_each("about", [{"players": "4"}, {"players": ["4"]}, {"options": []}])
def test_a_file_whose_players_or_options_are_none_is_no_net(tmp_path: Path, about: dict[str, object]) -> None:
    save(some_net(**about), tmp_path / "some.net")
    with pytest.raises(hexdeck.HexdeckError, match="is not a net of hexdeck, or it is damaged"):
        load(tmp_path / "some.net")


@for_each("options", [{"hand_cards": "many"}, {"nosuch": 1}])
def test_a_net_of_options_that_the_game_has_not_is_one_of_another_version(
    tmp_path: Path, options: dict[str, object]
) -> None:
    save(some_net(options=options), tmp_path / "some.net")
    with pytest.raises(hexdeck.HexdeckError, match=r"some\.net was trained for another version of cursed-hand"):
        load(tmp_path / "some.net")


# --- players ----------------------------------------------------------------------------------------------------------
def test_a_net_plays_for_the_numbers_of_players_that_it_learned_for(tmp_path: Path) -> None:
    path = tmp_path / "some.net"
    save(some_net(players=[5, 3]), path)
    for kind in (f"net:{path}", f"think:4:{path}", f"rollout:net:4:{path}"):
        assert bot(kind, hexdeck.game("cursed-hand", 3), 1, BACKEND)
        with pytest.raises(hexdeck.HexdeckError, match="This net learned for 3, 5 players, not for 4"):
            bot(kind, hexdeck.game("cursed-hand", 4), 1, BACKEND)
    save(some_net(), path)  # as older files are: nothing says for how many it learned
    assert bot(f"net:{path}", hexdeck.game("cursed-hand", 6), 1, BACKEND)


def test_the_command_refuses_a_net_for_two_at_a_table_of_four(capsys: pytest.CaptureFixture[str]) -> None:
    two = next(path for path in SHIPPED if path.parts[-3:] == ("cursed_hand", "net", "two.net"))
    assert main(["ladder", "cursed-hand", "--players", "4", "--bots", "house", f"net:{two}", "--deals", "2"]) == 2
    assert "This net learned for 2 players, not for 4." in capsys.readouterr().err


@for_each("path", SHIPPED)
def test_a_shipped_net_says_truly_what_it_learned(path: Path) -> None:
    net = load(path)
    usual = dict(hexdeck.game(net.game, net.about["players"][0]).options)
    assert sorted(net.about["players"]) == sorted(net.utility_scale)
    assert net.about["options"] in ({}, usual)  # older files name only what differs
    words = shlex.split(net.about["command"].split(" && ")[0])
    at = words.index("--players") + 1
    named = words[at : next(k for k in range(at, len(words)) if words[k].startswith("--"))]
    assert [*map(int, named)] == net.about["players"] and "--option" not in words


@for_each("path", SHIPPED)
def test_the_command_in_a_shipped_net_names_no_folder_of_a_machine(path: Path) -> None:
    words = shlex.split(load(path).about["command"])
    assert Path(words[words.index("--export") + 1]).name == path.name
    assert not any(word.startswith(("/", "~")) for word in words)


# --- options ----------------------------------------------------------------------------------------------------------
@for_each("kind", ["net", "net:0.5", "think:4", "rollout:net:4"])
def test_a_net_that_is_named_is_refused_under_options_that_it_never_met(kind: str) -> None:
    wanted = r"This net learned with hand_cards=\S+, not with hand_cards=5; use another bot, such as house\."
    with pytest.raises(hexdeck.BadOption, match=wanted):
        bot(kind, FEW, 1, BACKEND)
    assert bot(kind, hexdeck.game("cursed-hand", 4, losses=3, tied_losers="one_at_random"), 1, BACKEND)


@for_each("kind", ["rollout:mimic:4", "rollout:house-deal:4", "rollout:mimic-deal:4"])
def test_nets_that_others_think_with_are_refused_likewise(kind: str) -> None:
    with pytest.raises(hexdeck.BadOption, match="This net learned with gifts=on, not with gifts=off"):
        bot(kind, hexdeck.game("black-hearts", 4, gifts=False), 1, BACKEND)


def test_where_no_net_applies_none_is_offered_and_others_play() -> None:
    assert {"net", "think"}.isdisjoint(bots_of(FEW)) and {"net", "think"} <= set(bots_of(FEW.usual()))
    assert levels_of(FEW)["best"] == "search:1000" and bot("best", FEW, 1, BACKEND).name == "search"
    assert bot("rollout:4", FEW, 1, BACKEND).name == "rollout"
    assert playing_now("net:1", FEW, BACKEND) == "house"  # at a table that was begun when it was let in


def test_a_net_of_ones_own_plays_the_options_that_it_learned(tmp_path: Path) -> None:
    path = tmp_path / "some.net"
    save(some_net(players=[4], options={"hand_cards": 5}), path)
    assert bot(f"net:{path}", FEW, 1, BACKEND)
    with pytest.raises(hexdeck.BadOption, match="This net learned with hand_cards=5, not with hand_cards="):
        bot(f"net:{path}", FEW.usual(), 1, BACKEND)
    save(some_net(players=[4]), path)  # as older files are: nothing says which options it learned with
    assert bot(f"net:{path}", FEW, 1, BACKEND) and NetBot(FEW, 1, BACKEND, net=load(path)).net.kind == POLICY


@every_game
def test_every_level_can_play_under_all_settings(name: str) -> None:
    for setting in all_settings(name):
        for level in {*levels_of(setting).values()}:
            if level.startswith(("net", "think", "rollout")):
                assert bot(level, setting, 1, BACKEND)
