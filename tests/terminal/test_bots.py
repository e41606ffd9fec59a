"""Bots at the terminal are compiled as soon as machine code is there, and keep nobody waiting until then."""

from collections.abc import Sequence

import pytest
from rich.console import Console

import hexdeck
from hexdeck.engine.discovery.finding import game_words
from hexdeck.terminal.display import Chair
from hexdeck.terminal.session import Session


def session(levels: Sequence[str], seed: int | None = None) -> Session:
    """A session of Wolf-Man's Curse: a person, then bots."""
    game = hexdeck.game("wolf-mans-curse", len(levels) + 1)
    chairs = [Chair("Anna", None), *(Chair(f"Bot {k}", level) for k, level in enumerate(levels))]
    console = Console(width=200, file=None, record=True)
    match = game.match(5, backend="interpreted")
    return Session(match, chairs, game_words(game.name, "en", [chair.name for chair in chairs]), console, 0, seed=seed)


@pytest.fixture
def compiled(monkeypatch: pytest.MonkeyPatch) -> dict[str, bool]:
    there = {"there": False}
    monkeypatch.setenv("HEXDECK_BACKEND", "fast")
    monkeypatch.setattr("hexdeck.engine.play.game.is_compiled", lambda _rules: there["there"])
    return there


def test_bots_that_play_games_out_wait_for_machine_code_and_play_by_rules_of_thumb_until_then(compiled, capsys) -> None:
    found = session(["best", "gentle"])
    assert {seat: each[:2] for seat, each in found.bots.items()} == {
        1: ("house", "interpreted"),
        2: ("gentle", "interpreted"),
    }
    found.bot_turn(1)
    found.bot_turn(2)
    assert capsys.readouterr().out.count("Bots play by rules of thumb until the game is compiled") == 1
    compiled["there"] = True
    thinker = found.bot_of(1)
    assert found.bots[1][:2] == (hexdeck.bots.players.named.resolved("best", found.match.game), "fast")
    assert thinker is found.bot_of(1)


def test_with_a_seed_each_bot_plays_itself_and_so_it_does_where_the_slow_backend_was_chosen(compiled, monkeypatch):
    found = session(["best", "gentle"], seed=7)
    assert found.bots[1][0] == hexdeck.bots.players.named.resolved("best", found.match.game) != "house"
    monkeypatch.setenv("HEXDECK_BACKEND", "interpreted")
    assert session(["best", "gentle"]).bots[1][0] != "house"
