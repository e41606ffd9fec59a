"""Names of earlier versions are answered with the present ones, and nothing else is changed by that."""

import inspect

import pytest

import hexdeck
from hexdeck.engine.play.match import Match

GAME = hexdeck.game("hawthorn", 3)


def test_an_argument_under_its_old_name_is_told_the_new_one() -> None:
    for take, *given in (GAME.match, 1), (Match, GAME, 1), (GAME.simulate, 1), (GAME.batch, 2), (hexdeck.load, {}):
        with pytest.raises(hexdeck.HexdeckError, match=r"^lane is now called backend\.$"):
            take(*given, lane="interpreted")
    with pytest.raises(hexdeck.HexdeckError, match=r"^lane is now called backend\.$"):
        GAME.driver(lane="interpreted")
    with pytest.raises(hexdeck.HexdeckError, match=r"^lanes is now called envs\.$"):
        GAME.batch(lanes=2)


def test_a_method_under_its_old_name_is_told_the_new_one() -> None:
    match = GAME.match(1, backend="interpreted")
    for old, new in (
        ("forbids", "illegal_reason"), ("redeal", "resample"), ("told", "narration"), ("sight", "seat_views"),
        ("look", "refresh"), ("stand", "load_position"), ("begin_in", "load_trusted_position"),
    ):  # fmt: skip
        with pytest.raises(AttributeError, match=f"^{old} is now called {new}\\.$"):
            getattr(match, old)
    with GAME.batch(2, seed=1, backend="interpreted") as batch, pytest.raises(AttributeError, match="now called envs"):
        _ = batch.lanes
    with pytest.raises(AttributeError, match="'Match' object has no attribute 'lanes'"):
        _ = match.lanes
    with pytest.raises(AttributeError, match=r"^fates is now called outcome_texts\.$"):
        _ = match.view(0).fates


def test_the_variable_under_its_old_name_is_told_the_new_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HEXDECK_LANE", "fast")
    with pytest.raises(hexdeck.HexdeckError, match=r"^HEXDECK_LANE is now called HEXDECK_BACKEND\.$"):
        GAME.match(1)


def test_signatures_are_still_shown() -> None:
    assert "backend" in inspect.signature(Match).parameters and "backend" in inspect.signature(hexdeck.load).parameters
