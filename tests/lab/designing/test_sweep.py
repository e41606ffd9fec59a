"""Sweeps: which values are tried, that effects are those of a comparison, charts, what is refused or interrupted."""

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import hexdeck
from hexdeck.engine.errors import BadOption, HexdeckError
from hexdeck.engine.options import by_name
from hexdeck.engine.text import Catalogue
from hexdeck.lab.counts import CARDS, FIRST, RECKONED, RESULT, Chunk, chunks, collect, metric_names, minutes, reckoned
from hexdeck.lab.effects import EffectFile, EffectStudy, Sweeper, Untried, nearby_values, swept, trials
from hexdeck.lab.log import SimulationSetup
from hexdeck.lab.pairs import DIFFERS, STARTER, Effect, Shift, compare
from hexdeck.lab.reporting.charts import Bar, tornado_lines
from hexdeck.stats import Estimate, share
from tests.compiled import warm
from tests.people import Room
from tests.settings import every_game, much
from tests.support import for_each

HAWTHORN = hexdeck.game("hawthorn", 3)
MEASURES = ("seats", "minutes", "turns", "lead_changes", "drama")
SETUP = SimulationSetup(HAWTHORN, "house", 3, backend="fast")
MINUS = "\N{MINUS SIGN}"
FEW = ["hawthorn", "-n", "3", "--games", "40", "--sample", "2", "--threads", "1"]


@pytest.fixture(scope="module", autouse=True)
def _compiled() -> None:
    warm("hawthorn", "fast")


@pytest.fixture
def fast(room: Room) -> Room:
    room.monkeypatch.setenv("HEXDECK_BACKEND", "fast")
    return room


# --- what is tried ----------------------------------------------------------------------------------------------------
@every_game
def test_every_option_is_tried_at_other_values_that_it_allows(name: str) -> None:
    game = hexdeck.game(name)
    found = trials(game)
    assert {each.option.name for each in found} == {option.name for option in game.rules.OPTIONS}
    assert all(each.option.parse(each.value) == each.value != game.options[each.option.name] for each in found)
    assert len({each.change for each in found}) == len(found)


def test_of_numbers_a_short_range_is_tried_whole_and_a_long_one_nearby() -> None:
    for now, low, high, tried in ((2, 0, 4, [0, 1, 2, 3, 4]), (8, 1, 64, [7, 9]), (100, 1, 10_000, [50, 200])):
        option = replace(by_name(HAWTHORN.rules.OPTIONS, ["chips"])["chips"], low=low, high=high)
        assert [*nearby_values(option, now, 3)] == tried
    assert [each.change for each in trials(HAWTHORN, ["chips"])] == ["chips=50", "chips=200"]
    assert [each.change for each in trials(HAWTHORN, ["deals"])] == ["deals=2"]  # none is not a number of deals
    few = [each.change for each in trials(hexdeck.game("high-handed", 3), ["grandpa_rule"])]
    assert few == ["grandpa_rule=1-2-3"]  # seats count from 1 where people read them


def test_what_is_asked_for_is_tried_once() -> None:
    asked = trials(HAWTHORN, ["fold_price=own", "fold_price", "chips=7"])
    assert [each.change for each in asked] == ["fold_price=own", "chips=7"]


@for_each(
    ("asked", "said"),
    [
        ("chip", r"no option chip \(did you mean chips\?\)"),
        ("chips=0", r"\(chips\) can't be 0"),
        ("fold_price=table", "is how the game is played already"),
        ("fold_price=", "fold_price can't be '': it takes table"),
        ("deck=tiny", "can't give 3 players 5 cards"),
    ],
)
def test_what_cant_be_tried_is_refused_in_one_sentence(asked: str, said: str, fast: Room) -> None:
    with pytest.raises(BadOption, match=said):
        trials(HAWTHORN, [asked])
    told = fast.hexdeck("compare", *FEW, "--vary", asked)
    assert told.status == 2 and told.out == "" and told.err.count("\n") == 1 and re.search(said, told.err)


# --- what is measured -------------------------------------------------------------------------------------------------
def effects(asked: list[str], pairs: int = 400, threads: int = 1) -> list[Effect]:
    setup = SimulationSetup(HAWTHORN, "house", 3, threads, "fast")
    found = Sweeper(setup, pairs, 3).sweep(trials(HAWTHORN, asked), len(asked))
    return [each for each in found if isinstance(each, Effect)]


def test_effects_are_those_of_a_comparison_whatever_was_tried_before() -> None:
    last = effects(["chips=50", "deals=2", "fold_price=own"])[-1]
    found = compare(SETUP, HAWTHORN.variant(fold_price="own"), least=400, most=400)
    assert last.shifts["turns"] == Shift(found.change("turns").before.value, found.change("turns").difference)
    change = found.change((FIRST, last.who))
    assert last.shifts["seats"].before == change.before.value
    assert last.shifts["seats"].difference.value == change.difference.value
    assert effects(["deals=2", "chips=50", "fold_price=own"], threads=3)[-1] == last


def test_minutes_are_those_of_the_model_and_their_margin_that_of_pairs() -> None:
    (found,) = effects(["fold_price=own"])
    own = HAWTHORN.variant(fold_price="own")
    each = [
        minutes(collect(SimulationSetup(game, "house", 3, backend="fast"), 400), CARDS).total
        for game in (HAWTHORN, own)
    ]
    shift = found.shifts["minutes"]
    assert (shift.before, shift.before + shift.difference.value) == pytest.approx(tuple(each))
    wanted = [metric_names(HAWTHORN).index((name, 0)) for name in RECKONED]
    sides = [
        np.concatenate([rows for _chunk, rows in chunks(setup, 400)])[:, wanted]
        for setup in (SETUP, SimulationSetup(own, "house", 3, backend="fast"))
    ]
    rng, drawn = np.random.default_rng(1), []
    for _ in range(much(200, 1000)):
        at = rng.integers(0, 400, 400)
        usual, changed = (reckoned(3, rows[at].mean(0), CARDS).total for rows in sides)
        drawn.append(changed - usual)
    assert 1.96 * float(np.std(drawn)) == pytest.approx(shift.difference.margin, rel=0.15)


def test_a_value_that_goes_only_with_another_is_tried_beside_it() -> None:
    warm("blackstone", "fast")
    game = hexdeck.game("blackstone", 3)
    sweeper = Sweeper(SimulationSetup(game, backend="fast"), 40, 2)
    usual, found = sweeper.sweep([*trials(game, ["chips=50"]), *trials(game, ["stakes"])], 2)
    assert isinstance(usual, Effect) and isinstance(found, Effect)
    assert (usual.beside, found.beside) == ("", "sit_out=on")
    alone = Sweeper(SimulationSetup(game.variant(sit_out=True), backend="fast"), 40, 2)
    (same,) = alone.sweep(trials(alone.setup.game, ["stakes"]), 1)
    assert isinstance(same, Effect) and same.shifts == found.shifts


def test_a_value_that_cant_be_played_says_why_and_the_others_are_measured() -> None:
    found = [*Sweeper(SETUP, 10, 2).sweep(trials(HAWTHORN, ["deck", "chips"]), 5)]
    assert [isinstance(each, Untried) for each in found] == [True, False, False, False, False]
    assert isinstance(found[0], Untried) and found[0].change == "deck=tiny" and "5 cards each" in str(found[0].why)


# --- what is said -----------------------------------------------------------------------------------------------------
def made_up(*given: tuple[str, float, float]) -> EffectStudy:
    made = []
    for value, change, margin in given:
        shift = Shift(0.25, Estimate(change, change - margin, change + margin, 1000))
        differs = {DIFFERS[0]: Shift(0.0, share(1000 if margin else 0, 1000))}
        made.append(Effect(f"chips={value}", 1000, dict.fromkeys(MEASURES, shift) | differs, 0))
    return swept(SETUP, 1000, 10, made, len(made))


def finding(found: EffectStudy, name: str) -> str:
    return str(found.findings[[section.id for section in found.tables].index(name)])


def test_only_what_is_certain_for_all_values_together_is_a_finding() -> None:
    one = made_up(("1", 0.05, 0.01), ("2", -0.09, 0.01), ("3", 0.011, 0.01), ("4", 0.0, 0.0))
    assert finding(one, "turns") == (
        f"Length: turns of a match: clearly changed by chips=2 ({MINUS}0.09 ±0.01), chips=1 (+0.05 ±0.01) only."
    )
    assert f"chips=2 (seat 1 {MINUS}9.0 ±1.0)" in finding(one, "seats")
    none = made_up(("3", 0.011, 0.01), ("4", 0.0, 0.02))
    assert "no value clearly changes it; none changes it by more than 0.029." in finding(none, "turns")
    many = finding(made_up(*[(str(k), k / 100, 0.001) for k in range(1, 6)]), "drama")
    assert "most by chips=5" in many and "2 other values clearly change it" in many
    assert [(bar.name, bar.sure) for bar in one.bars["turns"]] == [
        ("chips=2", True),
        ("chips=1", True),
        ("chips=3", False),
    ]
    *measures, last = one.findings
    assert len(one.tables[0].rows) == 4 and len(measures) == len(one.tables) == len(MEASURES)
    assert str(last) == "Without any effect in 1,000 pairs of games: chips=4."  # it has no bar
    assert len(none.findings) == len(MEASURES)  # the pairs of this one differ


def test_noise_makes_no_finding_in_nineteen_of_twenty_sweeps() -> None:
    rng, runs, wrong = np.random.default_rng(2), much(100, 2000), 0
    for _ in range(runs):
        noise = [(str(k), float(rng.normal(0, 1)), 1.96) for k in range(20)]
        wrong += any("clearly changed by" in str(each) for each in made_up(*noise).findings)
    assert wrong / runs <= 0.05


def test_an_option_that_matters_is_found_and_one_that_doesnt_is_not() -> None:
    said = finding(swept(SETUP, 400, 3, effects(["chips=200", "deals=2"]), 2), "minutes")
    assert "clearly changed by deals=2 (+" in said and "chips" not in said


def test_a_value_that_pays_one_seat_and_changes_no_place_is_a_finding() -> None:
    def paid(setup: SimulationSetup, games: int, **how: Any) -> Iterator[tuple[Chunk, np.ndarray]]:
        for chunk, rows in chunks(setup, games, **how):
            won = np.where((np.arange(3) == 1) & (setup.game.options["chips"] == 200), 3.0, 0.0)
            made = replace(chunk, results=chunk.results + won)
            columns = [k for k, name in enumerate(metric_names(setup.game)) if name[0] == RESULT]
            more = rows.copy()
            more[:, columns] = made.results
            yield made, more

    sweeper = Sweeper(SETUP, 400, 0, paid)
    found = [each for each in sweeper.sweep(trials(HAWTHORN, ["chips=200"]), 1) if isinstance(each, Effect)]
    said = swept(SETUP, 400, 0, found, 1)
    assert "no value clearly changes it" in finding(said, "seats")
    assert finding(said, "results").endswith("clearly changed by chips=200 (seat 2 +3) only.")
    (table,) = (each for each in said.tables if each.id == "results")
    before = collect(SETUP, 400)[RESULT, 1].scaled(HAWTHORN.measure.scale).value + HAWTHORN.measure.shift
    assert float(table.rows[0][1].replace(MINUS, "-")) == pytest.approx(before, abs=0.06)


# --- charts -----------------------------------------------------------------------------------------------------------
ENGLISH = Catalogue("en")
BARS = [
    Bar("deals=2", Estimate(4.0, 3.0, 5.0, 9), "+4 ±1", True),
    Bar("chips=<1>", Estimate(-2.0, -9.0, 5.0, 9), f"{MINUS}2 ±7", False),
]


def test_a_terminal_shows_bars_to_both_sides() -> None:
    assert tornado_lines(BARS, 40) == [
        "deals=2              │███████████ +4 ±1",
        f"chips=<1>      ░░░░░░│            {MINUS}2 ±7",
    ]
    assert tornado_lines(BARS, 40, fancy=False)[1] == f"chips=<1>      ------|            {MINUS}2 ±7"
    assert max(map(len, tornado_lines(BARS, 60))) <= 60 and tornado_lines([], 60) == []


# --- the command ------------------------------------------------------------------------------------------------------
def test_an_interrupted_sweep_goes_on_where_it_stopped(fast: Room, tmp_path: Path) -> None:
    words = ["compare", *FEW, "--vary", "chips", "fold_price", "deck=1-2-3-4-5-6-7-8-9-9"]
    whole = fast.hexdeck(*words, "--json").out
    file, measured, presses = tmp_path / "sweep", Sweeper.measure, iter([False, True])
    tried: list[str] = []

    def stop(self: Sweeper, trial: Any, *how: Any) -> Effect:
        if next(presses, False):
            raise KeyboardInterrupt
        tried.append(trial.change)
        return measured(self, trial, *how)

    fast.monkeypatch.setattr(Sweeper, "measure", stop)
    said = fast.hexdeck(*words, "--resume", str(file))
    assert said.status == 130 and "Interrupted: only what was finished is in it." in said.out
    assert "the same command resumes where it stopped" in said.err and tried == ["chips=50"]
    assert [json.loads(line)["change"] for line in file.read_text().splitlines()[1:]] == ["chips=50"]
    again = fast.hexdeck(*words, "--resume", str(file), "--json")
    assert (
        again.status == 0
        and again.out == whole
        and tried == ["chips=50", "chips=200", "fold_price=own", "deck=1-2-3-4-5-6-7-8-9-9"]
    )
    other = fast.hexdeck(*words, "--seed", "9", "--resume", str(file))
    assert other.status == 2 and "isn't of this run (different seed)" in other.err


@for_each(("who", "told"), [(STARTER, True), (1, False)])
def test_who_starts_is_told_with_what_that_says_of_starting(who: int, told: bool) -> None:
    shifts = {"seats": Shift(0.3, Estimate(-0.05, -0.06, -0.04, 400))}
    (seats, *_rest) = swept(SETUP, 400, 1, [Effect("fold_price=own", 400, shifts, who)], 1).findings
    assert "clearly changed by fold_price=own" in seats and ("isn't what starting is worth" in seats) is told


def test_an_effect_on_a_single_game_is_kept_with_its_open_interval(tmp_path: Path) -> None:
    one = Effect("deals=2", 1, {"drama": Shift.of(np.zeros(1), np.ones(1))})
    EffectFile(tmp_path / "sweep", SETUP, 1, 1).add(one)
    assert EffectFile(tmp_path / "sweep", SETUP, 1, 1).effects == {"deals=2": one}
    assert one.shifts["drama"].difference.high == np.inf


def test_a_row_that_was_changed_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "sweep"
    EffectFile(file, SETUP, 1, 1).add(Effect("deals=2", 1, {"drama": Shift.of(np.zeros(1), np.ones(1))}))
    file.write_text(file.read_text("utf-8").replace('"value": 1.0', '"value": 2.0'), "utf-8")
    with pytest.raises(HexdeckError, match=r"Line 2 of .* is damaged"):
        EffectFile(file, SETUP, 1, 1)


def test_a_sweep_prints_charts_and_writes_a_page(fast: Room, tmp_path: Path) -> None:
    page = tmp_path / "sweep.html"
    said = fast.hexdeck("compare", *FEW, "--vary", "deals", "deck", "--page", str(page))
    assert said.status == 0 and "deals=2" in said.out and "│███" in said.out
    assert "deck=tiny can't be measured alone" in " ".join(said.out.split())
    assert "hexdeck compare hawthorn --players 3 --vary deals deck --games 40 --sample 2" in page.read_text("utf-8")


def test_no_more_games_are_looked_into_than_are_played(fast: Room) -> None:
    said = fast.hexdeck("compare", *FEW, "--games", "3", "--sample", "9", "--vary", "fold_price")
    assert ", 3 of them looked into" in " ".join(said.out.split())


@for_each("name", ["page", "data"])
def test_what_is_kept_is_not_written_over(name: str, fast: Room, tmp_path: Path) -> None:
    file = str(tmp_path / "sweep")
    said = fast.hexdeck("compare", *FEW, "--vary", "--resume", file, f"--{name}", file)
    assert (said.status, said.err) == (2, f"hexdeck: --resume and --{name} can't be the same file; name two.\n")
