"""Positions from outside: only what is one is taken, in every backend, and nothing else changes the match."""

import numpy as np
import pytest

import hexdeck
from hexdeck.engine.play.game import raw
from tests.positions import whole
from tests.settings import every_game


@every_game
def test_bytes_that_are_no_position_are_refused_and_change_nothing(name: str) -> None:
    match = hexdeck.game(name, 3).match(1, backend="interpreted")
    before, size, dice = whole(match), raw(match.rows).shape[1], np.random.default_rng(1)
    wild = [np.full(size, byte, np.uint8) for byte in (0, 0x7F, 0x80, 0xFF)]
    for bytes_ in [*wild, *(dice.integers(0, 256, size, np.uint8) for _ in range(5))]:
        with pytest.raises(hexdeck.HexdeckError, match=f"^These bytes aren't a position of {name} with these players"):
            match.load_position(bytes_)
        assert whole(match) == before


@every_game
def test_a_position_of_the_game_is_taken_and_that_of_another_is_not(name: str) -> None:
    match, other = (hexdeck.game(name, players).match(2, backend="interpreted") for players in (3, 4))
    fresh = hexdeck.game(name, 3).match(by_hand=True, backend="interpreted")
    fresh.load_position(raw(match.rows)[0].copy())
    assert fresh.concealed(0) == match.concealed(0) and fresh.legal_ids(0) == match.legal_ids(0)
    with pytest.raises(hexdeck.HexdeckError, match="aren't a position"):
        fresh.load_position(raw(other.rows)[0].copy())


def test_names_and_notes_that_no_file_can_hold_are_refused() -> None:
    game = hexdeck.game("hawthorn", 3)
    with pytest.raises(hexdeck.BadOption, match="names of a match"):
        game.match(1, names=["\ud800", "b", "c"], backend="interpreted")
    with pytest.raises(hexdeck.HexdeckError, match="A record can hold only text"):
        game.match(1, backend="interpreted").record(note="\ud800")


def test_what_is_typed_is_shown_on_one_line() -> None:
    with pytest.raises(hexdeck.UnknownGame, match=r"^There is no game a b; there are"):
        hexdeck.game("a\nb")
    with pytest.raises(hexdeck.BadOption, match=r"^There is no option a b; there are"):
        hexdeck.game("hawthorn", **{"a\nb": 1})
    deep: list[object] = []
    for _ in range(100_000):
        deep = [deep]
    with pytest.raises(hexdeck.BadOption, match=r"\(chips\) can't be list"):
        hexdeck.game("hawthorn", chips=deep)
