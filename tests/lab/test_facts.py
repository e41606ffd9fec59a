"""What is told is counted, what never is is noticed, and sentences are found in the sources."""

import functools
from collections import Counter

import pytest

import hexdeck
from hexdeck.engine.play.match import Match
from hexdeck.lab.log import SimulationSetup, matches
from hexdeck.lab.messages import MessageCounts, can_come, flat, needed_options, possible, sentences, wordy
from hexdeck.lab.reporting.wording import english
from hexdeck.simulation.game import Game
from tests.settings import every_game, much, settings, small_game
from tests.support import for_each

BACKEND = "fast"


@functools.cache
def heard(name: str, seed: int) -> list[tuple[Game, set[str], str]]:
    played = (
        (game, match)
        for game in settings(name)[:10]
        for match in matches(SimulationSetup(game, "random", seed, backend=BACKEND), much(1, 2))
    )
    return [(game, messages(match), match.ending) for game, match in played]


def messages(match: Match) -> set[str]:
    """The keys of the sentences of a match, of those that have words of their own."""
    texts = flat(fact.text for facts in match.narration() for fact in facts)
    return {text.key for text in texts if wordy(text.key)}


@for_each(("name", "word"), [("hawthorn", "The pot!"), ("wolf-mans-curse", "Hanged"), ("cursed-hand", "Cursed!")])
def test_what_only_takes_the_stage_is_not_said_to_have_never_come(name: str, word: str) -> None:
    assert word not in {text.key for text in possible(hexdeck.game(name))}


@every_game
def test_all_that_is_told_could_be_told(name: str) -> None:
    keys = {text.key for text in sentences(hexdeck.game(name).table, "caption")}
    assert all(messages <= keys for _game, messages, _ending in heard(name, 1))


def test_telling_is_counted_match_by_match() -> None:
    game = small_game("hawthorn")
    heard, key = MessageCounts(game), "A pair! {seat} is out and pays {chips}."
    played = list(matches(SimulationSetup(game, "house", 5, backend=BACKEND), 12))
    often = []
    for match in played:
        heard.add(match)
        often.append(sum(text.key == key for text in match.facts(-1)))
    assert sum(often) > sum(map(bool, often)) and heard.often[key] == Counter(filter(None, often))
    assert heard.mean(key).value == pytest.approx(sum(often) / 12)
    assert key not in [text.key for text in heard.never()]


@pytest.mark.parametrize("name", ["hawthorn", "blackstone"])
def test_a_number_of_things_is_left_open_in_words(name: str) -> None:
    counts = MessageCounts(game := small_game(name))
    for number, match in enumerate(matches(SimulationSetup(game, "random", 5, backend=BACKEND), 6)):
        counts.add_labels(match, number)
    label = counts.label("fold")
    assert label is not None and english(label) == "Fold and pay some chips"


def test_what_never_comes_is_told_unless_it_takes_other_options() -> None:
    stakes, turns, tie = "{seat} stakes.", "{seat} turns up {card}.", "{seat} is dealt {card} again: it is set aside."
    usual, other = never(hexdeck.game("blackstone", 3)), never(hexdeck.game("blackstone", 3, sit_out=True, rounds=2))
    assert tie in usual and turns not in usual  # rare, and in every game
    assert stakes not in usual and "Round {number} begins." not in usual
    assert not any("You" in text.key for text in MessageCounts(hexdeck.game("cursed-hand", 3)).never())
    empty = MessageCounts(hexdeck.game("blackstone", 3, sit_out=True)).never()
    assert stakes in {text.key for text in empty} and stakes not in other


def never(game: Game) -> set[str]:
    heard = MessageCounts(game)
    for match in matches(SimulationSetup(game, "house", 5, backend=BACKEND), 3):
        heard.add(match)
    return {text.key for text in heard.never()}


@every_game
def test_what_is_kept_of_options_covers_all_that_can_be_told_and_fits_what_is(name: str) -> None:
    game = hexdeck.game(name)
    there = needed_options(game.definition)
    assert set(there["told"]) == {text.key for text in possible(game)}
    assert list(there["ended"]) == list(game.rules.ENDINGS[1:])
    options = {option.name for option in game.rules.OPTIONS}
    assert all(set(names) <= options for each in there.values() for names in each.values() if names)
    for setting, messages, ending in heard(name, much(1, 3)):
        assert all(can_come(setting, "told", key) for key in messages & set(there["told"]))
        assert can_come(setting, "ended", ending)
