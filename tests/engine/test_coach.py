"""Lessons: every kind of decision has one, told once, from what the seat knows, in both languages."""

import random
from collections.abc import Iterator

import pytest

import hexdeck
from hexdeck.engine.discovery.definition import definition
from hexdeck.engine.discovery.finding import game_words
from hexdeck.engine.play.coach import Kind, course_of, kind_at, lesson, scored
from hexdeck.engine.play.game import raw
from hexdeck.engine.play.match import Match
from hexdeck.engine.play.score import score_sheet
from hexdeck.engine.text import Text
from hexdeck.simulation.game import Game
from tests.settings import every_game, every_setting, settings, small_game
from tests.support import cards, play_out, random_step, stage

BACKEND = "interpreted"
MOST = 700  # events of a match that are looked at


def decisions(setting: Game, seed: int) -> Iterator[tuple[Match, int, Kind]]:
    """The decisions of a random match, or of its beginning."""
    match, rng = setting.match(seed, backend=BACKEND), random.Random(seed)
    while not match.over and match.length < MOST:
        for seat in match.acting:
            kind = kind_at(match, seat)
            if kind:
                yield match, seat, kind
        random_step(match, rng)


def spoken(texts: list[Text], name: str, lang: str) -> list[str]:
    words = game_words(name, lang, [f"Player{seat}" for seat in range(10)])
    return [words.words(text) for text in texts]


@every_setting
def test_every_kind_of_decision_that_comes_up_is_explained(setting: Game) -> None:
    lessons, explanations = setting.definition.coach.COURSE.lessons, dict[Kind, str]()  # type: ignore[union-attr]
    for seed in range(2):
        for match, seat, kind in decisions(setting, seed):
            assert kind in lessons, f"nobody explains {kind}"
            if kind not in explanations:
                taught = lessons[kind](match.knowledge(seat), seat)
                for lang in ("en", "nl"):
                    said = spoken([taught.title, *taught.paragraphs], setting.name, lang)
                    assert len(said) == 4 and all(text and "{" not in text for text in said)
                    assert all(text[-1] in ".?!" for text in said[1:])
                explanations[kind] = str(taught.may)


@every_game
def test_no_lesson_is_about_what_never_comes_up(name: str) -> None:
    found, wanted = set[Kind](), set(hexdeck.game(name).definition.coach.COURSE.lessons)  # type: ignore[union-attr]
    for seed in range(40):
        for setting in settings(name):
            if not wanted - found:
                return
            found |= {kind for _match, _seat, kind in decisions(setting, seed)}
    assert wanted == found


@pytest.mark.parametrize("seed", [1, 12])
@every_game
def test_the_same_is_explained_until_the_seat_has_decided_so_once_and_the_aim_comes_first(name: str, seed: int) -> None:
    game, rng = hexdeck.game(name, max(2, definition(name).rules.PLAYERS[0])), random.Random(seed)
    match = game.match(seed, backend=BACKEND)
    heard, lessons = {seat: set() for seat in range(match.game.players)}, match.game.definition.coach.COURSE.lessons  # type: ignore[union-attr,var-annotated]
    while not match.over and match.length < MOST // 3:
        for seat in match.acting:
            kind, taught = kind_at(match, seat), lesson(match, seat)
            assert (taught is not None) is (kind is not None and lessons[kind] not in heard[seat])
            assert taught is None or (taught.aim is not None) is (not heard[seat])
        seat = rng.choice(match.acting)
        heard[seat] |= {lessons[kind] for kind in [kind_at(match, seat)] if kind}
        match.play(seat, rng.choice(match.legal_ids(seat)))
    assert any(heard.values())


@every_game
def test_a_lesson_is_the_same_in_every_world_the_seat_thinks_possible(name: str) -> None:
    differed, looked, rng = 0, 0, random.Random(1)
    for match, seat, kind in decisions(small_game(name), 3):
        if rng.random() < 0.2:
            world = match.resample(seat, rng.getrandbits(60))
            taught = course_of(match).lessons[kind]  # type: ignore[union-attr]
            both = [taught(each.knowledge(seat), seat) for each in (match, world)]
            assert kind_at(world, seat) == kind and both[0] == both[1]
            differed += raw(world.rows)[0].tobytes() != raw(match.rows)[0].tobytes()
            looked += 1
    assert looked and (differed or name == "blackstone")


@every_setting
def test_the_end_is_explained_to_each_seat_by_what_was_counted(setting: Game) -> None:
    match, rng = setting.match(3, backend=BACKEND), random.Random(3)
    assert scored(match, 0) == ()
    play_out(match, rng)
    for lang in ("en", "nl"):
        said = spoken(list(scored(match, 0)), setting.name, lang)
        assert all(text and "{" not in text for text in said)
        seats = [any(f"Player{seat}" in text for text in said) for seat in range(match.game.players)]
        teams = {sum(f"Team {side + 1}" in text for text in said) for side in score_sheet(match).teams}
        assert (len(said) > len(seats) and all(seats)) or teams == {1}


def test_a_game_without_lessons_teaches_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    match = hexdeck.game("hawthorn", 2).match(1, backend=BACKEND)
    monkeypatch.setattr(match.game.definition, "coach", None)
    assert kind_at(match, 0) is None and lesson(match, 0) is None and scored(match, 0) == ()


def test_figures_are_those_of_the_position() -> None:
    match = stage("hawthorn", 2, cards(3, 5, 6, 7, 8, 1, 2, 4, 9, 10), "0: show 3, 1: show 1")
    taught = lesson(match, 1)
    assert taught is not None
    assert str(taught.may) == "Take the top card of the deck for your row, or fold for 1 chip."
    assert "the pot holds 2 chips" in str(taught.why) and "Your row is 1" in str(taught.risk)
