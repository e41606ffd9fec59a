"""Calibration finds an error that is put into hints, plays out what is really there, and goes on where it stopped."""

from pathlib import Path
from typing import Any

import calibrate as calibration
import easy_mistakes as habits
import numpy as np
import pytest
from calibrate import CalibrationLog, Calibrator, Row, errors_by_kind, tenths, whole_error

import hexdeck
from hexdeck.bots.advice import hints
from hexdeck.engine.study import CHIPS
from tests.compiled import warm

BACKEND = "interpreted"


@pytest.fixture(autouse=True)
def _small(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HEXDECK_BACKEND", BACKEND)
    monkeypatch.setattr(hints, "GAMES", {BACKEND: 12})


def rows(calibrator: Calibrator, count: int) -> list[Row]:
    return [row for number in range(count) if (row := calibrator.position(number))]


def test_an_error_that_is_put_into_hints_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    game = hexdeck.game("hawthorn", 2, chips=3)
    before = whole_error(rows(Calibrator(game, "house", 4), 6), game.measure)
    original = calibration.evaluated

    def boasting(*arguments: Any) -> dict[int, tuple[float, float | None]]:
        return {action: (value + 2.0, margin) for action, (value, margin) in original(*arguments).items()}

    monkeypatch.setattr(calibration, "evaluated", boasting)
    after = whole_error(rows(Calibrator(game, "house", 4), 6), game.measure)
    assert after.mean == pytest.approx(before.mean + 2.0) and after.brought == before.brought


def test_bots_that_are_asked_and_bots_that_are_compiled_bring_the_same() -> None:
    game = hexdeck.game("cursed-hand", 2, hand_cards=3)
    ways = [calibration.CompiledPlayer(game, "random", 1.0, 5), calibration.AskedPlayer(game, "random", 5)]
    results = []
    for way in ways:
        found = []
        for number in range(12):
            way.play_to(number, 1)
            known, seat = way.known()
            assert np.frombuffer(known, game.rules.STRUCT)["acting"][0] >> seat & 1
            found.append(way.play_out(seat, legal(game, known, seat)[:1], 10, 10 * number)[0])
        results.append(np.mean(found))
    assert abs(results[0] - results[1]) < 0.6  # of 2, over 120 games each


def legal(game: Any, known: bytes, seat: int) -> list[int]:
    match = game.match(1, backend=BACKEND)
    match.rows.array[0] = np.frombuffer(known, np.uint8)
    match.refresh()
    found: list[int] = match.legal_ids(seat)
    return found


def test_tenths_and_kinds_hold_every_move_once() -> None:
    made: list[Row] = [[("take", k / 10, 0.0), ("fold", -k / 10, 0.0)] for k in range(50)]
    parts = tenths(made, CHIPS)
    assert [each.moves for each in parts] == [10] * 10
    assert [each.said for each in parts] == sorted(each.said for each in parts)
    kinds = errors_by_kind(made, CHIPS)
    assert kinds["take"].mean == pytest.approx(2.45) == -kinds["fold"].mean
    assert whole_error(made, CHIPS).mean == pytest.approx(0) and whole_error(made, CHIPS).moves == 100


def test_a_run_goes_on_where_it_was_interrupted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []

    def position(_self: Calibrator, number: int) -> Row:
        asked.append(number)
        return [("take", number / 10, 0.0)]

    monkeypatch.setattr(Calibrator, "position", position)
    game, file = hexdeck.game("hawthorn", 2), tmp_path / "log"
    calibration.calibration(game, "house", 3, 2, 1, CalibrationLog(file, game, "house", 2, 1))
    file.write_text(file.read_text(encoding="utf-8") + "[3, [[", encoding="utf-8")  # cut off
    found = calibration.calibration(game, "house", 5, 2, 1, CalibrationLog(file, game, "house", 2, 1))
    assert asked == [0, 1, 2, 3, 4]
    assert [row[0][1] for row in found] == pytest.approx([0, 0.1, 0.2, 0.3, 0.4])
    assert len(CalibrationLog(file, game, "house", 2, 1).rows) == 5
    assert calibration.summary(game, "house", found, 2, 1)["error"][:2] == [5, pytest.approx(0.2)]
    with pytest.raises(hexdeck.HexdeckError, match="different seed"):
        CalibrationLog(file, game, "house", 2, 2)


def test_a_measurement_takes_the_place_of_an_earlier_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(calibration, "calibration_file", lambda _game: tmp_path / "calibration.json")
    game, made = hexdeck.game("hawthorn", 2), [[("take", k / 10, 0.0)] for k in range(20)]
    for by, seed in (("net", 1), ("house", 1), ("net", 2)):
        calibration.keep(game, calibration.summary(game, by, made, 5, seed))
    assert [(each["by"], each["seed"]) for each in calibration.kept(game)] == [("house", 1), ("net", 2)]


def test_corrected_chances_add_up_to_what_a_match_gives_and_are_true_where_told_ones_are_too_sure(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Of four seats one wins, or two share it; the chances that are told are too sure, and too high together."""
    rng, rows = np.random.default_rng(3), []
    for chances in rng.dirichlet(np.ones(4), 6000):
        won, told = rng.multinomial(2, chances) / 2, 1 / (1 + np.exp(-0.42) * (1 / chances - 1) ** 1.35)
        rows.append([[[float(said), float(share)]] for said, share in zip(told, won, strict=True)])
    monkeypatch.setattr(calibration, "measured_as", lambda *_: {})
    found = calibration.correction(hexdeck.game("wolf-mans-curse", 4), "best", rows, 1)
    told, corrected, came, _half = found["sums"]
    assert told > 105 and came == 100 == pytest.approx(corrected, abs=1.5)
    assert max(abs(told - came) for told, _corrected, came, _half in found["fifths"]) > 4
    assert all(abs(corrected - came) < 2 and half < 2 for _told, corrected, came, half in found["fifths"])
    assert calibration.holds(found)
    true = [[[[said, float(rng.random() < said)]] for said in rng.random(2)] for _match in range(4000)]
    found = calibration.correction(hexdeck.game("wolf-mans-curse", 4), "best", true, 1)
    assert not calibration.holds(found)


def test_matches_are_watched_again_from_where_they_were_interrupted(tmp_path: Path) -> None:
    game, file = hexdeck.game("cursed-hand", 2, hand_cards=3), tmp_path / "log"
    whole = calibration.watched(game, "random", 4, 7, None)
    assert calibration.watched(game, "random", 2, 7, file) == whole[:2]
    assert calibration.watched(game, "random", 4, 7, file) == whole
    assert all(0 <= told <= 1 and came in (0, 1) for row in whole for seat in row for told, came in seat)
    assert any(whole[0]) and all(len(seat) <= calibration.CHOICES for row in whole for seat in row)


def test_decisions_are_told_apart_by_habit_and_habits_are_summed_up(monkeypatch, tmp_path) -> None:
    game = hexdeck.game("hawthorn", 2)
    rows = [(0, True, 2.0), (0, True, 4.0), (0, False, 0.0), (1, False, 0.0)]
    found = habits.habits(game, rows)
    assert [(each.decisions, each.choices, each.mistakes) for each in found[:2]] == [(4, 3, 2), (4, 1, 0)]
    assert found[0].name == "fear" and found[0].cost == 3.0 and round(found[0].margin, 2) == 12.71
    monkeypatch.setattr(habits, "file_of", lambda _game: tmp_path / "easy_mistakes.json")
    assert habits.kept(game) == {}
    habits.keep(game, found, 1, 7)
    assert habits.kept(game)["habits"][0]["mistakes"] == 2 and habits.kept(game)["seed"] == 7


def test_the_same_matches_give_the_same_decisions_and_each_has_a_habit() -> None:
    warm("hawthorn", "fast")
    game = hexdeck.game("hawthorn", 2)
    found = [*habits.rows_of(game, 3, 2)]
    assert found == [*habits.rows_of(game, 3, 1), *habits.rows_of(game, 4, 1)] and len(found) >= 4
    assert {habit for habit, _wrong, _cost in found} <= {0, 1, 2, 3}
    assert all(cost == 0 for _habit, wrong, cost in found if not wrong)
