"""The options that `hexdeck play` asks for, and what is said of them, are in the words of the form of a new table."""

import argparse
import json
from collections.abc import Iterator

import pytest

import hexdeck
from hexdeck.cli import play
from hexdeck.cli.command_line import build_parser, chosen_table, spell_out_size
from hexdeck.engine.discovery.finding import game_words, size_names
from hexdeck.engine.errors import BadOption
from hexdeck.engine.options import Choice
from hexdeck.engine.text import Catalogue
from hexdeck.web.html.games import option_groups
from tests.people import Room
from tests.settings import GAMES, every_game
from tests.support import for_each

LANGS = ("en", "nl")


def asked(name: str, lang: str, answers: Iterator[str], monkeypatch: pytest.MonkeyPatch) -> argparse.Namespace:
    """The arguments after the questions about options of a table of four were answered."""
    monkeypatch.setattr("builtins.input", lambda question: (print(question), next(answers))[1])
    arguments = argparse.Namespace(game=name, players=4, option=[], preset="", coach=False, command="play")
    play.ask_options(arguments, game_words(name, lang).words)
    return arguments


@every_game
@pytest.mark.parametrize("lang", LANGS)
def test_each_option_is_shown_and_chosen_in_the_words_of_the_form(name, lang, monkeypatch, capsys) -> None:
    groups = option_groups(name, lang, 4, {})
    fields = [field for _title, group in groups for field in group]
    answers = [answer for number in range(len(fields)) for answer in (str(number + 1), "")]
    assert asked(name, lang, iter([*answers, ""]), monkeypatch).option == []
    shown = " ".join(capsys.readouterr().out.split())
    assert all(title in shown for title, _group in groups)
    for number, field in enumerate(fields, 1):
        assert f" {number} {field.about}: " in f" {shown}" and f"{field.name}=" not in shown
        assert all(f" {words} " in shown for _value, words in field.values) and field.allowed in shown


def test_a_value_is_chosen_by_its_number_and_one_that_cannot_be_is_refused(monkeypatch, capsys) -> None:
    answers = ["2", "2", "1", "99", "nothing", "77", "1", "3", ""]
    assert asked("cursed-hand", "en", iter(answers), monkeypatch).option == ["clean_accept=nobody", "losses=3"]
    shown = " ".join(capsys.readouterr().out.split())
    assert "accepts a clean hand: nobody What do you change?" in shown
    assert "(losses) can't be 99; it takes a whole number from 1 to 9. What" in shown


@every_game
@pytest.mark.parametrize("lang", LANGS)
def test_a_refusal_says_what_is_allowed_in_the_words_of_the_form(name: str, lang: str) -> None:
    translate = game_words(name, lang).words
    forms, english = (
        {field.name: field for _title, group in option_groups(name, each, 4, {}) for field in group}
        for each in (lang, "en")
    )
    for option in hexdeck.game(name).rules.OPTIONS:
        if not isinstance(option, Choice):
            continue
        with pytest.raises(BadOption) as refused:
            hexdeck.game(name, **{option.name: "something else"})
        message = translate(refused.value.text)
        assert message.startswith(f"{option.name} ") and "'something else'" in message
        typed = {value for value, words in english[option.name].values if words == value}  # said once
        for value, words in forms[option.name].values:
            assert (value if value in typed else f"{value} ({words})") in message


def test_an_option_that_needs_another_names_its_value_in_words() -> None:
    with pytest.raises(BadOption) as refused:
        hexdeck.game("blackstone", stakes="open", sit_out=False)
    needed = next(option for option in hexdeck.game("blackstone").rules.OPTIONS if option.name == "sit_out")
    said = game_words("blackstone", "nl").words
    assert said(refused.value.text).count(f"“{said(needed.about)}” (sit_out)") == 1
    assert " aan" in said(refused.value.text) and " on" not in said(refused.value.text)


# --- sizes, such as hawthorn/tiny, are named wherever a command plays a game ------------------------------------------
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
