"""Sizes, such as hawthorn/tiny, are named wherever a command plays a game."""

import argparse
import json

import pytest

import hexdeck
from hexdeck.cli.options import build_parser, chosen_table, spell_out_size
from hexdeck.engine.discovery.finding import size_names
from hexdeck.engine.text import Catalogue
from tests.people import Room
from tests.settings import GAMES
from tests.support import for_each


def parsed(line: str) -> argparse.Namespace:
    arguments = build_parser(Catalogue("en"), line.split(maxsplit=1)[0]).parse_args(line.split())
    spell_out_size(arguments)
    return arguments


@for_each("words", ["simulate hawth/tiny -n 3", "simulate hawthorn/TINY -n 3 -o chips=100"])
def test_a_size_is_named_in_place_of_a_game(words: str, room: Room) -> None:
    spelled = ["simulate", "hawthorn", "-n", "3", "-o", "deck=1-2-2-1", "-o", "hand_cards=1"]
    sized, same = (json.loads(room.hexdeck(*each, "--games", "3", "--json").out) for each in (words.split(), spelled))
    assert {**sized, "seconds": 0} == {**same, "seconds": 0}


def test_an_option_beside_a_size_counts() -> None:
    given = parsed("simulate hawthorn/tiny -n 2 -o hand_cards=1")
    assert hexdeck.game("hawthorn/tiny", 2, hand_cards=1).options["deck"] == "1-2-2-1"
    assert given.option[-1] == "hand_cards=1" and given.game == "hawthorn" and given.players == 2


@pytest.mark.parametrize("name", GAMES)
def test_games_lists_the_sizes_and_each_is_played(name: str, room: Room) -> None:
    listed = " ".join(room.hexdeck("games", name).out.split())
    assert json.loads(room.hexdeck("games", name, "--json").out)["games"][0]["sizes"] == [*size_names(name)]
    for size in size_names(name):
        assert size in listed
        assert json.loads(room.hexdeck("simulate", size, "--games", "2", "--json").out)["game"] == name


def test_a_size_at_a_table_keeps_its_own_options() -> None:
    assert chosen_table(parsed("play blackstone")).options["rounds"] == 5  # what people have there
    assert chosen_table(parsed("play blackstone/tiny")) == hexdeck.game("blackstone/tiny")
    assert chosen_table(parsed("play blackstone/full")) == chosen_table(parsed("play blackstone"))
    assert hexdeck.Game.at_table("blackstone/tiny") == hexdeck.game("blackstone/tiny")


def test_where_a_command_takes_several_numbers_of_players_one_goes_with_a_size() -> None:
    assert parsed("report hawthorn/tiny").players == [2] and parsed("train hawthorn/tiny -n 3").players == [3]
    assert parsed("report hawthorn/full -n 3 4").players == [3, 4] and parsed("train hawthorn/full").players == []


def test_replay_plays_a_game_of_a_size(room: Room) -> None:
    said = room.hexdeck("replay", "blackstone/tiny", "--number", "3")
    assert said.status == 0 and "The match is over" in said.out
