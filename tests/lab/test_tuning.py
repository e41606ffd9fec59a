"""Tuning: a planted optimum is found, also among more rule sets than can be tried, and never told by its own cards."""

import html
import re
import shlex
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import hexdeck
from hexdeck.cli import main
from hexdeck.engine.errors import BadOption
from hexdeck.lab import tension, tuning
from hexdeck.lab.log import SimulationSetup
from hexdeck.lab.tension import MatchAnalyser
from hexdeck.lab.tuning import Aim, Race, RuleSet, Space, tune, tuned

FEW = "deals=2", "deals=3", "deals=4", "deals=5", "fold_price", "empty_hand", "tiebreak_cards"
CHIPS = tuple(f"chips={10 * k}" for k in range(1, 5))
HANDS = tuple(f"hand_cards={k}" for k in range(2, 6))
THOUSAND = *FEW, *CHIPS, *HANDS  # 5 × 2 × 2 × 2 × 5 × 5
MANY = *THOUSAND, "deck"


def setup(seed: int = 0) -> SimulationSetup:
    """Hawthorn for two."""
    return SimulationSetup(hexdeck.game("hawthorn", 2), seed=seed, backend="interpreted")


def planted(options: dict[str, Any], noise: float = 3.0) -> Callable[..., Callable[[Aim], np.ndarray]]:
    """Games whose “minutes” are off from 10 by the number of options that aren't as planted, and noise by the cards."""

    def counted(of: SimulationSetup, first: int, games: int, _rule_set: Any) -> Callable[[Aim], np.ndarray]:
        off = sum(of.game.options[name] != value for name, value in options.items())
        cards = [np.random.default_rng([int(of.seed), number]).normal() for number in range(first, first + games)]
        return lambda _aim: (10 + off + noise * np.array(cards))[:, None]

    return counted


@pytest.mark.parametrize(
    ("typed", "low", "high", "sense"),
    [
        ("seats within 1 point", -np.inf, 1, 0),
        ("minutes 15 to 20.5", 15, 20.5, 0),
        ("Turns  at least 30", 30, np.inf, 0),
        ("dead time at most 5", -np.inf, 5, 0),
        ("comebacks more", -np.inf, np.inf, 1),
        ("ties less", -np.inf, np.inf, -1),
    ],
)
def test_aims_are_read(typed: str, low: float, high: float, sense: int) -> None:
    aim = Aim.read(typed)
    assert (aim.low, aim.high, aim.sense) == (low, high, sense)


@pytest.mark.parametrize("typed", ["", "fun more", "minutes", "minutes 20 to 15", "seats within", "turns at most x"])
def test_other_aims_are_refused_in_a_sentence(typed: str) -> None:
    with pytest.raises(BadOption) as raised:
        Aim.read(typed)
    assert "\n" not in str(raised.value) and str(raised.value).endswith(".")


@pytest.mark.parametrize("seed", range(3))
def test_a_planted_optimum_among_a_thousand_rule_sets_is_found(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    space, rng = Space(setup().game, THOUSAND), np.random.default_rng(seed)
    assert space.size == 1000
    best = {name: values[rng.integers(len(values))] for name, values in space.values.items()}
    monkeypatch.setattr(tuning, "counted", planted(best))
    monkeypatch.setattr(tuning, "FIRST", 20)
    tuning_run = tune(setup(seed), [Aim.read("minutes at most 10.5")], THOUSAND, 320)
    first = tuning_run.race.ranked(tuning_run.left)[0]
    assert {name: first.game.options[name] for name in best} == best and tuning_run.tried == 1000


def test_kingmaking_is_judged_and_what_no_game_shows_is_never_met(monkeypatch: pytest.MonkeyPatch) -> None:
    for few, worlds in {"MOMENTS": 3, "TRIALS": 4, "WORLDS": 2, "FRESH": 2}.items():
        monkeypatch.setattr(tension, few, worlds)
    three = SimulationSetup(hexdeck.game("hawthorn", 3), backend="interpreted")
    aims = [Aim.read(text) for text in ("kingmaking at most 100", "drama less", "out at most 100", "swing at most 100")]
    known = tune(three, aims, ["fold_price"], 40)
    assert np.isfinite([each.values for each in known.left]).all()
    rows = tuned(known).fields["rule_sets"]
    assert [each["verdicts"] for each in rows] == [["met", "", "met", "met"]] * len(rows)
    monkeypatch.setattr(tuning, "look_for", lambda *_for: MatchAnalyser.chances)  # which judges no choice
    study = tuned(tune(three, [aims[0], Aim.read("out less")], ["fold_price"], 40))
    (table,) = study.tables
    assert {cell for row in table.rows for cell in row[1:]} == {"too few games"}
    assert [each["verdicts"] for each in study.fields["rule_sets"]] == [["perhaps", ""]] * len(table.rows)
    assert study.findings[0].startswith("No rule set clearly meets") and not any(
        "Least out" in text for text in study.findings
    )


def test_what_goes_alike_at_first_may_differ_in_more_games(monkeypatch: pytest.MonkeyPatch) -> None:
    def counted(of: SimulationSetup, first: int, games: int, _rule_set: Any) -> Callable[[Aim], np.ndarray]:
        rare = of.game.options["empty_hand"] == "draw"
        return lambda _aim: np.array([[10.0 - rare * (number >= 30)] for number in range(first, first + games)])

    monkeypatch.setattr(tuning, "counted", counted)
    monkeypatch.setattr(tuning, "FIRST", 20)
    found = tune(setup(), [Aim.read("minutes less")], FEW, 160)
    assert found.left[0].options == ("empty_hand=draw",)


def test_what_clearly_misses_an_aim_comes_after_what_may_meet_all() -> None:
    race = Race(setup(), [Aim.read("minutes at most 10"), Aim.read("ties at most 10")])
    near, perhaps, far = (RuleSet(setup().game, ()) for _k in range(3))
    for rule_set, minutes, ties in (near, 10.5, 10.0), (perhaps, 10.0, 30.0), (far, 100.0, 10.0):
        rule_set.values = np.array([minutes, ties])
        rule_set.drawn = np.column_stack([np.full(100, minutes), np.linspace(2 * ties - 60, 60, 100)])
    assert race.ranked([far, near, perhaps]) == [perhaps, near, far]


def test_among_more_rule_sets_than_can_be_tried_it_goes_on_from_the_best(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tuning, "MOST", 30)
    monkeypatch.setattr(tuning, "FIRST", 20)
    best = {"deals": 4, "fold_price": "own", "empty_hand": "draw", "chips": 20, "hand_cards": 3}
    monkeypatch.setattr(tuning, "counted", planted(best, noise=1.0))
    found = tune(setup(1), [Aim.read("minutes less")], MANY, 160)
    first = found.race.ranked(found.left)[0]
    assert {name: first.game.options[name] for name in best} == best and found.tried < found.space.size / 3


def test_what_is_told_was_played_on_cards_that_nothing_was_chosen_by(monkeypatch: pytest.MonkeyPatch) -> None:
    numbers = set[int]()

    def counted(of: SimulationSetup, first: int, games: int, _rule_set: Any) -> Callable[[Aim], np.ndarray]:
        numbers.update(range(first, first + games))
        return planted({"fold_price": "own"})(of, first, games, _rule_set)

    monkeypatch.setattr(tuning, "counted", counted)
    found = tune(setup(), [Aim.read("minutes less")], ["fold_price"], 400)
    assert numbers >= set(range(400, 800)) and found.race.begin == 400
    assert {len(rule_set.data[0]) for rule_set in found.left} == {400}


def test_aims_that_contradict_each_other_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    def counted(of: SimulationSetup, first: int, games: int, _rule_set: Any) -> Callable[[Aim], np.ndarray]:
        long = of.game.options["deals"]
        return lambda aim: np.full((games, 1), float(long if aim.measure == "turns" else -long))

    monkeypatch.setattr(tuning, "counted", counted)
    study = tuned(tune(setup(), [Aim.read("turns at least 4"), Aim.read("minutes at least -2")], FEW, 200))
    assert any("contradict each other" in text for text in study.findings)
    assert study.findings[0].startswith("No rule set clearly meets all aims.")


def test_the_command_plays_and_tells(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.setenv("HEXDECK_BACKEND", "interpreted")
    monkeypatch.setattr(tuning, "LOOKED", 200)
    asked = "tune", "hawthorn", "--players", "2", "--games", "200", "--vary", "deals=2", "--want", "minutes at least 4"
    assert main([*asked, "--want", "drama more"]) == 0
    text = " ".join(capsys.readouterr().out.split())
    assert "deals=2 clearly meets the aim." in text and "Most drama: " in text and "as it is" in text
    assert "With deals=2, the seats have " in text and "As the game is, the seats have" in text
    assert "Tables play with deals=3; here it is deals=1." in text
    page = tmp_path / "page.html"
    assert main([*asked, "--want", "turns more", "--page", str(page)]) == 0
    (again,) = re.findall("hexdeck (tune [^<]+)", html.unescape(page.read_text(encoding="utf-8")))
    assert again.count("--want") == 2 and main(shlex.split(again)) == 0
    assert main(["tune", "hawthorn"]) == 2
    assert 'such as --want "seats within 1".' in capsys.readouterr().err
