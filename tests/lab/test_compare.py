"""Pairs: the same in the mean as games apart, surer, and where nothing differs nothing is found; what rulings do."""

import functools
import io
import json
from pathlib import Path

import numpy as np
import pytest
import rulings
from rich.console import Console

import hexdeck
from hexdeck.cli.output import show_table
from hexdeck.engine.discovery.finding import game_words
from hexdeck.engine.options import Choice, Switch
from hexdeck.lab.counts import FIRST, RESULT, Chunk, collect, count, metric_names, metric_table
from hexdeck.lab.effects import (
    asked,
    companion,
    compared,
    differences,
    labels,
    look_into,
    looked_changes,
    readings,
    studied_changes,
)
from hexdeck.lab.kernels import COUNTERS, HISTORY, STARTER
from hexdeck.lab.log import Player, SimulationSetup, matches
from hexdeck.lab.messages import MessageCounts
from hexdeck.lab.pairs import DIFFERS, PLACE_DIFFERS, RESULT_DIFFERS, Comparison, compare
from hexdeck.lab.reporting.measures import Section
from hexdeck.lab.reporting.wording import longer_at_tables
from tests.compiled import warm
from tests.people import Room
from tests.settings import every_game, much, possible, small_game
from tests.support import for_each

BACKEND = "fast"
HAWTHORN, OWN = hexdeck.game("hawthorn", 3), hexdeck.game("hawthorn", 3, fold_price="own")


@pytest.fixture(scope="module", autouse=True)
def _compiled() -> None:
    warm("hawthorn", "fast")


# --- what pairs are ---------------------------------------------------------------------------------------------------
def test_paired_differences_are_the_differences_of_means() -> None:
    found = compare(SimulationSetup(HAWTHORN, seed=3), OWN, least=1500, most=1500)
    apart = [collect(SimulationSetup(game, "house", 3), 1500) for game in (HAWTHORN, OWN)]
    for name in [(RESULT, 0), (FIRST, 2), ("decisions", 0)]:
        change = found.change(name)
        assert change.difference.value == pytest.approx(apart[1][name].value - apart[0][name].value)
        assert (change.before.value, change.after.value) == pytest.approx([each[name].value for each in apart])


def test_pairs_are_surer_than_games_apart() -> None:
    found = compare(SimulationSetup(HAWTHORN), OWN, least=3000, most=3000)
    change = found.change((RESULT, 1))
    apart = (change.before.margin**2 + change.after.margin**2) ** 0.5
    assert change.difference.margin < 0.8 * apart
    assert change.saved == pytest.approx((apart / change.difference.margin) ** 2, rel=0.01)


def test_a_game_doesnt_differ_from_itself() -> None:
    found = compare(SimulationSetup(HAWTHORN), HAWTHORN, least=500, most=500)
    assert found.share_of_pairs(DIFFERS).value == found.share_of_pairs(RESULT_DIFFERS).value == 0
    assert all(found.change(name).difference.value == 0 for name in found.compared)
    said = [*differences(found, labels(found))]
    assert found.change((FIRST, 0)).difference.high <= found.share_of_pairs(PLACE_DIFFERS).high < 5 / 500
    assert len(said) == 4 and "nobody's share changes by more than" in said[0]
    assert said[1].replace("Before", "After") == said[2]


def test_games_that_went_differently_are_those_with_other_events_or_results() -> None:
    found = compare(SimulationSetup(HAWTHORN, seed=2), OWN, least=60, most=60)
    runs = [
        [(each.events, each.returns()) for each in matches(SimulationSetup(game, "house", 2), 60)]
        for game in (HAWTHORN, OWN)
    ]
    differ = [one != other for one, other in zip(*runs, strict=True)]
    assert 0 < sum(differ) < 60 and found.share_of_pairs(DIFFERS).value == pytest.approx(sum(differ) / 60)
    result = [one[1] != other[1] for one, other in zip(*runs, strict=True)]
    place = [first(one[1]) != first(other[1]) for one, other in zip(*runs, strict=True)]
    assert sum(result) > sum(place) > 0
    assert [found.share_of_pairs(each).value for each in (RESULT_DIFFERS, PLACE_DIFFERS)] == [
        sum(result) / 60,
        sum(place) / 60,
    ]
    said = [*differences(found, labels(found))][-1]
    texts = [f"somebody: {100 * sum(result) / 60:.0f}", f"a different winner: {100 * sum(place) / 60:.0f}"]
    assert all(each in said for each in texts)


def first(results: tuple[float, ...]) -> list[bool]:
    return [each == max(results) for each in results]


@pytest.mark.parametrize(("precision", "least", "most", "count"), [(0.5, 100, 5000, 500), (0.0001, 100, 4000, 4000)])
def test_it_stops_when_it_is_precise_enough(precision: float, least: int, most: int, count: int) -> None:
    found = compare(SimulationSetup(HAWTHORN), OWN, precision=precision, least=least, most=most)
    assert len(found) == count and (found.precision <= precision) is (precision == 0.5)


def test_an_interrupt_leaves_what_was_finished() -> None:
    def stop(_done: int, _of: int) -> None:
        raise KeyboardInterrupt

    assert len(compare(SimulationSetup(HAWTHORN), OWN, precision=0.0001, most=100_000, progress=stop)) == 1000


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Somebody presses Ctrl-C once, after the first pairs."""
    presses = iter([KeyboardInterrupt])

    def stop(_done: int, _of: int) -> None:
        for press in presses:
            raise press

    monkeypatch.setattr("hexdeck.lab.counts.CHUNK", 10)
    monkeypatch.setattr("hexdeck.cli.compare.compare", lambda *a, **k: compare(*a, **{**k, "progress": stop}))


@pytest.mark.usefixtures("impatient")
def test_an_interrupted_comparison_says_so(room: Room) -> None:
    said = room.hexdeck("compare", "hawthorn", "-n", "3", "--b", "fold_price=own", "--games", "50")
    assert said.status == 130
    assert "Interrupted: only what was finished is in it." in said.out and "10 pairs of games." in said.out


# --- what is found ----------------------------------------------------------------------------------------------------
def made_up(rng: np.random.Generator, often: float, gain: float, pairs: int = 4000) -> Comparison:
    """Pairs of made-up games: in the second variant somebody else comes first in so many of them.

    `gain`: in how many of these that is seat 0; in the others anybody.
    """
    game = hexdeck.game("black-hearts", 4)
    found, kinds = Comparison(SimulationSetup(game), small_game("black-hearts", 4)), len(metric_names(game))
    other, winner = rng.random(pairs) < often, rng.integers(0, 4, pairs)
    again = np.where(rng.random(pairs) < gain, 0, rng.integers(0, 4, pairs))
    sides = []
    for seat, differ in (winner, np.zeros(pairs, bool)), (np.where(other, again, winner), other):
        chunk = Chunk(
            0,
            (seat[:, None] == np.arange(4)).astype(float),
            np.zeros((pairs, COUNTERS), np.int64),
            np.zeros((pairs, 2), np.int32),
        )
        chunk.counters[:, STARTER], chunk.counters[:, HISTORY] = -1, differ
        sides.append((chunk, metric_table(game, chunk)))
        assert sides[-1][1].shape[1] == kinds
    found.add(*sides)
    return found


def test_a_planted_change_is_found_and_held_by_its_interval() -> None:
    rng, name, runs = np.random.default_rng(4), (FIRST, 0), much(80, 200)
    held = [made_up(rng, 0.02, 1.0).change(name).difference for _ in range(runs)]
    assert sum(each.significant(0.0, 10) for each in held) > much(0.96, 0.98) * runs
    assert sum(each.low <= 0.015 <= each.high for each in held) > much(0.89, 0.91) * runs


@pytest.mark.parametrize("differ", [0.001, 0.02, 0.5])
def test_changes_that_favour_nobody_are_not_found(differ: float) -> None:
    rng, runs, wrong, counts = np.random.default_rng(4), much(60, 200), 0, MessageCounts(HAWTHORN)
    for _ in range(runs):
        found = made_up(rng, differ, 0.0)
        assert found.share_of_pairs(PLACE_DIFFERS).value <= differ * 1.5 + 0.002
        wrong += any(found.change((FIRST, seat)).difference.significant(0.0, 4) for seat in range(4))
    assert wrong <= much(0.13, 0.09) * runs  # 5 % of comparisons, and some standard errors
    assert "nobody's share changes" in next(differences(made_up(rng, 0.0, 0.0), counts))


def test_a_change_without_effect_is_called_one_in_one_run_of_twenty_over_all_its_questions() -> None:
    """Both variants are the same game, and the games of a pair have nothing in common."""
    pairs, runs, wrong, families = 300, much(4, 200), 0, set[int]()
    for run in range(runs):
        setups = [SimulationSetup(HAWTHORN, seed=2 * run + side, backend=BACKEND) for side in (0, 1)]
        found = Comparison(setups[0], OWN)
        found.setups = setups[0], setups[1]
        sides = [count(Player(setup), 0, pairs) for setup in setups]
        found.add(*((chunk, metric_table(HAWTHORN, chunk)) for chunk in sides))
        looks = look_into(found, 15)
        beside = [*looked_changes(*looks), *studied_changes(found, *looks)]
        families.add(len(asked(found, MessageCounts(HAWTHORN), beside)))
        wrong += any(" instead of " in text for text in differences(found, MessageCounts(HAWTHORN), beside))
    assert wrong <= much(1, 10) and min(families) > 25


def test_a_seat_that_is_swapped_and_what_games_are_looked_into_for_are_told_the_largest_first(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HEXDECK_BACKEND", BACKEND)
    words = ["compare", "hawthorn", "-n", "3", "--seat", "2=random", "--games", "400", "--sample", "30", "--json"]
    said = room.hexdeck(*words)
    assert said.status == 0, said.err
    data = json.loads(said.out)
    (part,) = data["parts"]
    assert part["changed_bots"] == ["house", "random", "house"] and "After (seat 2=random): the" in data["findings"][-2]
    same = compare(SimulationSetup(HAWTHORN), HAWTHORN, bots=part["changed_bots"], least=400, most=400)
    alone = collect(SimulationSetup(HAWTHORN, part["changed_bots"]), 400)
    assert same.change((FIRST, 1)).after == alone[FIRST, 1] and same.change((FIRST, 1)).difference.high < -0.2
    told = [text for text in data["findings"] if " instead of " in text]
    first, second = (next(k for k, text in enumerate(told) if what in text) for what in ("“Take a", "eat 1, mean"))
    assert first < second and any(row["measure"] == "kingmaking" for row in part["measures"])


def test_a_difference_is_what_comes_after_minus_what_was_before() -> None:
    found = compare(SimulationSetup(HAWTHORN, backend=BACKEND), OWN, least=40, most=40)
    changes = [*looked_changes(*look_into(found, 40))]
    assert {"swing", "settled", "drama"} <= {change.name[0] for change in changes}
    for change in changes:
        assert change.difference.value == pytest.approx(change.after.value - change.before.value), change.name
        assert change.difference.low <= change.difference.value <= change.difference.high


@pytest.mark.parametrize("turned", [False, True])
def test_moves_that_only_one_variant_has_are_told(turned: bool) -> None:
    games = [hexdeck.game("blackstone", 3), hexdeck.game("blackstone", 3, drawing="announced")]
    a, b = games[::-1] if turned else games
    found = compare(SimulationSetup(a, backend=BACKEND), b, least=much(10, 30), most=much(10, 30))
    (shown,) = compared(found, labels(found)).tables
    cells = {str(row[0]): [str(each) for each in row[1:3]] for row in shown.rows}
    lost = cells["“Draw one more card”, times a game"]
    assert lost[not turned].startswith("0") and float(lost[turned].split()[0]) > 1


# --- the commands -----------------------------------------------------------------------------------------------------
def test_it_is_said_where_tables_play_longer() -> None:
    three = hexdeck.game("hawthorn", 3, deals=3)
    said = "Tables play with deals=3; here it is deals=1. To measure what they play, add --option deals=3."
    assert longer_at_tables(HAWTHORN, OWN) == [said]
    assert [*longer_at_tables(three), *longer_at_tables(HAWTHORN, three)] == []
    assert longer_at_tables(hexdeck.game("cursed-hand")) == []
    both = longer_at_tables(hexdeck.game("high-handed"))[0]
    assert both.endswith(", add --option first=lot --option line_hands=two.")


def test_no_figure_of_a_table_is_cut() -> None:
    heads = "measure", "before", "after", "difference", "gain from pairing"
    rows = (("how it ends: all deals were played " * 3, *["100 %, at least 99.90 %"] * 3, "× 1,042"),)
    console = Console(file=io.StringIO(), width=60)
    show_table(console, Section("changes", "What changes", heads, rows))
    text = console.file.getvalue()
    assert max(map(len, text.splitlines())) <= 60 and text.count("99.90") == 3 and "…" not in text


def test_the_commands_tell(room: Room, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HEXDECK_BACKEND", BACKEND)
    file, games = tmp_path / "compare.html", much("15", "60")
    typed = f"compare hawthorn -n 3 --b fold_price=own --games {games} --page"
    words = [*typed.split(), str(file)]
    said = room.hexdeck(*words)
    assert said.status == 0, said.err
    assert "What changes" in said.out and "fold_price=own" in said.out and "Tables play with deals=3" in said.out
    page = file.read_text(encoding="utf-8")
    assert "<table>" in page and "hexdeck compare hawthorn --players 3" in page and f"--games {games}" in page
    assert "(--precision) it would take about" in said.out and "seed 0" in said.out
    assert "--sample 200 also looks into 200 pairs" in page and "kingmaking" not in page


@for_each(
    ("words", "why"),
    [
        (["compare", "hawthorn"], "Both variants are the same"),
        (["compare", "hawthorn", "--b", "fold_price=mine"], "fold_price can't be 'mine': it takes table (on"),
        (["compare", "hawthorn", "--b", "fold"], "fold isn't an option, but a value of one: write empty_hand=fold."),
        (["compare", "hawthorn", "--b", "colour=red"], "There is no option colour"),
        (["compare", "hawthorn", "--seat", "5=random"], "There is no seat 5; seats are 1 to 4"),
        (["compare", "hawthorn", "--seat", "2=cleverest"], "There is no bot cleverest"),
        (["compare", "hawthorn", "--seat", "2=house"], "Both variants are the same"),
        (["compare", "hawthorn", "--b", "fold_price=own", "--precision", "0"], "--precision can't be 0"),
    ],
)
def test_bad_words_are_refused(words: list[str], why: str, room: Room) -> None:
    said = room.hexdeck(*words)
    assert said.status == 2 and why in said.err


def test_how_little_nobody_gains_holds_for_everybody_together_and_is_no_more_than_all() -> None:
    found = made_up(np.random.default_rng(2), 0.5, 0.0)
    gaps = [*found.gains.values()]
    alone, together = (
        max(max(-each.low, each.high) for each in some)
        for some in (gaps, [each.simultaneous(len(gaps)) for each in gaps])
    )
    said = points_of(next(differences(found, MessageCounts(found.a))))
    assert 100 * alone + 0.1 < said == pytest.approx(100 * together, abs=0.06)
    few_pairs = made_up(np.random.default_rng(2), 1.0, 0.0, pairs=2)
    few = next(differences(few_pairs, MessageCounts(few_pairs.a)))
    assert points_of(few) <= 100


def points_of(sentence: str) -> float:
    return float(sentence.split(" percentage points", maxsplit=1)[0].rsplit(maxsplit=1)[-1])


# --- how much each ruling matters -------------------------------------------------------------------------------------
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
        "It only matters together with `manual_draw=on`, so both games of a pair have"
    )
    assert rulings.from_row(json.loads(json.dumps(rulings.row_of(found)))).beside == "manual_draw=on"


def test_a_reading_that_changes_no_result_is_measured_in_the_match_that_tables_play(monkeypatch) -> None:
    """Who may sit out a round has no reason to in the only one."""
    warm("blackstone", "fast")
    game = hexdeck.game("blackstone", 4)
    one = [each for each in readings(game) if each[0].name == "sit_out"]
    monkeypatch.setattr(rulings, "readings", lambda _game: one)
    (found,) = rulings.measured(game, 200, 0)
    assert found.beside == "rounds=5" and found.result[0] > 0
    stored = {each.option: each for each in rulings.effects(game.definition)}["sit_out"]
    assert stored.beside == "rounds=5" and stored.result[1] > 0


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
