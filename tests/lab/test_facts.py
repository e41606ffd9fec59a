"""What is told is counted, what never is is noticed, and sentences are found in the sources."""

import functools
import types

import pytest

import hexdeck
from hexdeck.engine.text import Text, say
from hexdeck.lab.counting.message_counts import MessageCounts, blanked, can_come, flat, needed_options, possible, shown
from hexdeck.lab.counting.sample import matches
from hexdeck.lab.counting.sentences import gaps, sentences
from hexdeck.lab.counting.setup import SimulationSetup
from hexdeck.simulation.game import Game
from tests.settings import every_game, much, settings, small_game

BACKEND = "fast"


@functools.cache
def heard(name: str, seed: int) -> list[tuple[Game, set[str], str]]:
    """What was told in some matches under many options, and how they ended."""
    played = (
        (game, match)
        for game in settings(name)[:10]
        for match in matches(SimulationSetup(game, "random", seed, backend=BACKEND), much(1, 2))
    )
    return [
        (game, {text.key for facts in match.narration() for fact in facts for text in flat([fact.text])}, match.ending)
        for game, match in played
    ]


@every_game
def test_all_that_is_told_could_be_told(name: str) -> None:
    keys = {each.text.key for each in sentences(hexdeck.game(name).table, "narrate")}
    assert all(messages <= keys for _game, messages, _ending in heard(name, 1))


def test_telling_is_counted_match_by_match() -> None:
    game = small_game("hawthorn")
    heard, key = MessageCounts(game), "A pair! {seat} is out and pays {n} chip."
    played = list(matches(SimulationSetup(game, "house", 5, backend=BACKEND), 12))
    often = []
    for match in played:
        heard.add(match)
        often.append(sum(text.key == key for text in match.facts(-1)))
    assert (
        sum(often) > sum(map(bool, often))
        and heard.totals[key] == sum(often)
        and heard.matches_with[key] == sum(map(bool, often))
    )
    assert heard.mean(key).value == pytest.approx(sum(often) / 12)
    assert key not in [text.key for text in heard.never()]


def test_what_never_comes_is_told_unless_it_takes_other_options() -> None:
    stakes, turns, tie = "{seat} stakes.", "{seat} turns up {card}.", "{seat} is dealt {card} again: it is set aside."
    usual, other = never(hexdeck.game("blackstone", 3)), never(hexdeck.game("blackstone", 3, sit_out=True, rounds=2))
    assert tie in usual and turns not in usual  # rare, and in every game
    assert stakes not in usual and "Round {number} begins." not in usual
    assert not any("You" in text.key for text in MessageCounts(hexdeck.game("cursed-hand", 3)).never())
    empty = MessageCounts(hexdeck.game("blackstone", 3, sit_out=True)).never()
    assert stakes in {text.key for text in empty} and stakes not in other


def never(game: Game) -> set[str]:
    """What is never told in a few matches."""
    heard = MessageCounts(game)
    for match in matches(SimulationSetup(game, "house", 5, backend=BACKEND), 3):
        heard.add(match)
    return {text.key for text in heard.never()}


@every_game
def test_what_is_kept_of_options_covers_all_that_can_be_told_and_fits_what_is(name: str) -> None:
    game = hexdeck.game(name)
    there = needed_options(game.definition)
    assert list(there["told"]) == [each.text.key for each in possible(game)]
    assert list(there["ended"]) == list(game.rules.ENDINGS[1:])
    options = {option.name for option in game.rules.OPTIONS}
    assert all(set(names) <= options for each in there.values() for names in each.values() if names)
    for setting, messages, ending in heard(name, much(1, 3)):
        assert all(can_come(setting, "told", key) for key in messages & set(there["told"]))
        assert can_come(setting, "ended", ending)


def test_what_only_one_seat_is_told_is_no_event() -> None:
    game = small_game("hawthorn")
    heard = MessageCounts(game)
    for match in matches(SimulationSetup(game, "house", 5, backend=BACKEND), 3):
        heard.add(match)
    assert "You are dealt {cards}." in heard.to_anybody and "You are dealt {cards}." not in heard.listed()


def test_moves_are_named_as_at_the_table() -> None:
    game = hexdeck.game("blackstone", 3)
    heard = MessageCounts(game)
    for number, match in enumerate(matches(SimulationSetup(game, "random", 5, backend=BACKEND), 6)):
        heard.add_labels(match, number)
    assert str(heard.label("fold")) == "Fold and pay … chips" and heard.label("announce") is None
    assert match.over


def test_numbers_and_names_give_way_to_gaps() -> None:
    text = say("{seat} has {what} of {n}.", seat=1, what=say("a pair"), n=3)
    assert [str(each) for each in flat([text])] == ["A player has … of ….", "a pair"]
    assert blanked(Text("one {n}", {"n": 1}, "many {n}")).plural == "many {n}"


SOURCE = """
from hexdeck.engine.text import say, say_n
GIFTS = (say("Mercy"), say("Second"))
UNUSED = say("never reached")
LOSES = "{seat} loses."
def narrate(before, event, after):
    mine = say("You win.")
    return told(0, mine, say("{seat} wins.", seat=1)) + _more(GIFTS)
def _more(gifts):
    others = [say(LOSES, seat=2), say(gifts[0].key)]
    return told(0, say_n("You get {n}.", "You get {n} of them.", 3), say_n("one", "{n} things", 2)) + others
def prompt():
    return say("not told")
"""


def test_sentences_are_read_from_what_a_function_leads_to(monkeypatch: pytest.MonkeyPatch) -> None:
    module = types.ModuleType("made_up.table")
    exec(SOURCE, vars(module))
    monkeypatch.setattr("inspect.getsource", lambda _module: SOURCE)
    found = {each.text.key: each.private for each in sentences(module, "narrate")}
    assert found == {
        "You win.": True, "{seat} wins.": False, "Mercy": False, "Second": False, "You get {n}.": True, "one": False,
        "{seat} loses.": False,
    }  # fmt: skip


def test_moves_whose_words_say_little_have_an_example() -> None:
    assert str(shown(say("At {cell}", cell="b3"))) == "At … (b3)"
    assert str(shown(say("Pass {cards} on", cards="7"))) == "Pass … on"
    assert str(shown(say("Take a card"))) == "Take a card"


def test_a_player_begins_a_sentence_in_capitals() -> None:
    assert str(Text("A pair! {seat} is out.", gaps("A pair! {seat} is out.", ["seat"]))) == "A pair! A player is out."
    assert str(Text("A card for {seat}.", gaps("A card for {seat}.", ["seat"]))) == "A card for a player."
