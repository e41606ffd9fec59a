"""How much each ruling matters: every reading is measured as comparisons are, stored, and told on a page."""

import functools
import json
from pathlib import Path

import pytest
import rulings

import hexdeck
from hexdeck.engine.discovery.finding import game_words
from hexdeck.engine.options import Choice, Switch
from hexdeck.lab.effects import companion, readings
from hexdeck.lab.log import SimulationSetup
from hexdeck.lab.pairs import DIFFERS, compare
from tests.compiled import warm
from tests.settings import every_game, possible

HAWTHORN, OWN = hexdeck.game("hawthorn", 3), hexdeck.game("hawthorn", 3, fold_price="own")


@every_game
def test_every_reading_of_a_rule_is_one(name: str) -> None:
    asked = {(option.name, value) for option, value in readings(hexdeck.game(name))}
    for option in hexdeck.game(name).rules.OPTIONS:
        if isinstance(option, (Choice, Switch)) and option.rule:
            assert sum(each == option.name for each, _value in asked) >= 1, option.name
            assert (option.name, option.default) not in asked


@every_game
def test_what_is_stored_covers_the_readings_and_is_told(name: str) -> None:
    usual = hexdeck.game(name, 4)
    asked = readings(usual)
    playable = [
        (option.name, value)
        for option, value in asked
        if possible(name, 4, {option.name: value}) or companion(usual, option, value)
    ]
    assert [(each.option, each.value) for each in rulings.effects(usual.definition)] == playable
    chapter = rulings.chapter(name)
    assert "How much each ruling matters" in chapter and chapter.count("\n- ") == len(asked)
    catalogue, lines = game_words(name, "en"), chapter.splitlines()
    for option, value in asked:
        line = next(line for line in lines if f"`{option.name}={value}`" in line)
        assert f"[{option.rule}]" in line
        for reading in (value, rulings.default_value(option)):
            said = catalogue.words(rulings.value_text(usual.definition, option, reading))
            assert said in line, (option.name, reading)


def test_rulings_are_measured_as_a_comparison_does() -> None:
    warm("hawthorn", "fast")
    found = {each.option: each for each in rulings.measured(HAWTHORN, 400, 0)}
    own = compare(SimulationSetup(HAWTHORN), OWN, least=400, most=400)
    assert found["fold_price"].differs[0] == own.share_of_pairs(DIFFERS).value > 0.2
    assert found["fold_price"].decisions[0] == pytest.approx(own.change("decisions").difference.value)
    assert "It never mattered: at most " in str(rulings.effect_text(found["empty_hand"]))


def test_a_reading_that_needs_another_is_measured_with_it(monkeypatch: pytest.MonkeyPatch) -> None:
    warm("high-handed", "fast")
    game = hexdeck.game("high-handed", 2)
    one = [each for each in readings(game) if each[0].name == "uncle_bob_rule"]
    monkeypatch.setattr(rulings, "readings", lambda _game: one)
    (found,) = rulings.measured(game, 10, 0)
    assert (found.beside, found.pairs) == ("manual_draw=on", 10)
    a, b = (hexdeck.game("high-handed", 2, manual_draw=True, uncle_bob_rule=on) for on in (False, True))
    own = compare(SimulationSetup(a), b, least=10, most=10)
    assert found.decisions[0] == pytest.approx(own.change("decisions").difference.value) and found.decisions[0] > 10
    assert str(rulings.effect_text(found)).startswith(
        "It only works together with `manual_draw=on`, so both games of a pair have"
    )
    assert rulings.from_row(json.loads(json.dumps(rulings.row_of(found)))).beside == "manual_draw=on"


def test_effects_are_stored_as_they_were_measured(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rulings, "file_of", lambda _game: tmp_path / "rulings.json")
    monkeypatch.setattr(rulings, "stored", functools.cache(rulings.stored.__wrapped__))
    found = rulings.measured(HAWTHORN, 50, 0)
    rulings.store(HAWTHORN.definition, 3, "one", found)
    rulings.store(HAWTHORN.definition, 2, "other", found[:1])
    loaded = json.loads((tmp_path / "rulings.json").read_text(encoding="utf-8"))
    assert list(loaded) == ["3", "2"] and loaded["2"]["command"] == "other"
    loaded_effects = rulings.effects(HAWTHORN.definition)
    assert [rulings.row_of(each) for each in loaded_effects] == [rulings.row_of(each) for each in found]
