"""What happened is told beat by beat at the terminal: each sentence in its time, all of them once, in the old order."""

import io
import random

import pytest
from rich.console import Console

import hexdeck
from hexdeck.engine.discovery.finding import game_words
from hexdeck.engine.play.match import Match
from hexdeck.engine.play.story import beats
from hexdeck.engine.text import Text
from hexdeck.engine.view import length
from hexdeck.terminal import display as telling
from hexdeck.terminal.display import Chair, Display
from hexdeck.terminal.session import Session
from tests.settings import every_game
from tests.support import for_each


def displayed(match: Match) -> tuple[Display, io.StringIO]:
    out = io.StringIO()
    names = [f"Bot {seat}" for seat in range(match.game.players)]
    chairs = [Chair("You"), *(Chair(name, "house") for name in names[1:])]
    return Display(match, chairs, game_words(match.game.name, "en", names), Console(file=out, width=100)), out


def slept(monkeypatch: pytest.MonkeyPatch, out: io.StringIO) -> list[tuple[float, int]]:
    found: list[tuple[float, int]] = []

    def sleep(seconds: float) -> None:
        found.append((seconds, out.getvalue().count("\n")))

    monkeypatch.setattr(telling.time, "sleep", sleep)
    return found


@every_game
@for_each("pause", [0.0, 0.7, 1.4])
def test_every_sentence_is_told_once_in_order_and_for_as_long_as_its_beats(name, pause, monkeypatch) -> None:
    match, rng = hexdeck.game(name, 3).match(seed=4, backend="fast"), random.Random(4)
    for _ in range(40):
        if match.over:
            break
        since = match.ply
        match.play(match.actor, rng.choice(match.legal_ids(match.actor)))
        display, out = displayed(match)
        steps, printed = beats(match, 0, since), list[Text]()
        with monkeypatch.context() as patch:
            found = slept(patch, out)
            patch.setattr(display, "print_log", printed.extend)
            telling.tell(display, 0, since, pause)
        told, lasts = list(match.facts(0, since)), length(steps) / 1000 * pause / 0.7
        assert [text for text in printed if text in told] == told
        assert all(text in [beat.line for beat in steps] for text in printed if text not in told)
        waited = max(lasts, pause if told else 0.0) if pause else 0.0
        assert sum(seconds for seconds, _ in found) == pytest.approx(waited)


def test_the_sentences_of_a_night_come_one_by_one(monkeypatch: pytest.MonkeyPatch) -> None:
    match = hexdeck.game("wolf-mans-curse", 3).match(seed=4, backend="fast")
    for seat in (0, 1):
        match.play(seat, match.legal_ids(seat)[0])
    since = match.ply
    match.play(2, match.legal_ids(2)[0])
    display, out = displayed(match)
    found = slept(monkeypatch, out)
    telling.tell(display, 0, since, 0.7)
    seconds, lines = zip(*found, strict=True)
    assert seconds[:4] == (1.1, 0.6, 1.1, 1.1)
    assert lines[0] < lines[1] < lines[2] < lines[3]


def test_ones_own_move_is_told_where_more_than_one_thing_happens(monkeypatch: pytest.MonkeyPatch) -> None:
    match, out = hexdeck.game("wolf-mans-curse", 3).match(seed=4, backend="fast"), io.StringIO()
    chairs = [Chair("You"), Chair("Ben", "house"), Chair("Cleo", "house")]
    session = Session(match, chairs, game_words(match.game.name, "en", ("You", "Ben", "Cleo")), Console(file=out))
    session.interactive = True
    found = slept(monkeypatch, out)
    for seat in (1, 2):
        match.play(seat, match.legal_ids(seat)[0])
    session.tell_own(match.ply - 1)
    assert not found and not out.getvalue()
    since = match.ply
    match.play(0, match.legal_ids(0)[0])
    session.tell_own(since)
    assert len(found) >= 4 and "is strongest" in " ".join(out.getvalue().split())
