"""How easy bots err: which of their decisions count, and what is made of them."""

from pathlib import Path

import pytest

import hexdeck
from hexdeck.bots.advice import errors
from tests.compiled import warm


def test_decisions_are_told_apart_by_habit_and_habits_are_summed_up(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    game = hexdeck.game("hawthorn", 2)
    rows = [(0, True, 2.0), (0, True, 4.0), (0, False, 0.0), (1, False, 0.0)]
    found = errors.habits(game, rows)
    assert [(each.decisions, each.choices, each.errors) for each in found[:2]] == [(4, 3, 2), (4, 1, 0)]
    assert found[0].name == "fear" and found[0].cost == 3.0 and round(found[0].margin, 2) == 1.96
    monkeypatch.setattr(errors, "file_of", lambda _game: tmp_path / "easy_errors.json")
    assert errors.kept(game) == {}
    errors.keep(game, found, 1, 7)
    assert errors.kept(game)["habits"][0]["errors"] == 2 and errors.kept(game)["seed"] == 7


def test_the_same_matches_give_the_same_decisions_and_each_has_a_habit() -> None:
    warm("hawthorn", "fast")
    game = hexdeck.game("hawthorn", 2)
    found = [*errors.rows_of(game, 3, 2)]
    assert found == [*errors.rows_of(game, 3, 1), *errors.rows_of(game, 4, 1)] and len(found) >= 4
    assert {habit for habit, _wrong, _cost in found} <= {0, 1, 2, 3}
    assert all(cost == 0 for _habit, wrong, cost in found if not wrong)
