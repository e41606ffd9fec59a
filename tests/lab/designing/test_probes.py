"""Probes: how their lines are read, that bots are bent as the line says and no further, and what is said of it."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import hexdeck
from hexdeck.bots.players.simulation_bots import seated
from hexdeck.engine.errors import BadOption
from hexdeck.engine.play.probe_lines import parsed
from hexdeck.engine.study import CHIPS
from hexdeck.lab.effects import brings
from hexdeck.lab.log import Player, SimulationSetup
from hexdeck.lab.pairs import (
    APPLIED_TIMES,
    CHANGED_TIMES,
    GAIN,
    PLACE,
    TOUCHED,
    Shift,
    chosen,
    judged,
    play_bent,
    ready_made,
    study_probes,
)
from hexdeck.lab.reporting.tables import PROBES
from hexdeck.stats import Estimate
from tests.compiled import warm
from tests.lab.designing.test_estimators import BORING, PROBE, probed
from tests.lab.test_report import part, sure
from tests.people import Room
from tests.settings import every_game, much
from tests.support import for_each

HAWTHORN = hexdeck.game("hawthorn", 3)
FOLD, TAKE = HAWTHORN.rules.FOLD, HAWTHORN.rules.TAKE
NOTHING = "fold when hand > 100"  # never holds
MINUS = "\N{MINUS SIGN}"


@pytest.fixture
def fast(room: Room) -> Room:
    warm("hawthorn", "fast")
    room.monkeypatch.setenv("HEXDECK_BACKEND", "fast")
    return room


# --- lines ------------------------------------------------------------------------------------------------------------
def test_a_line_says_what_is_allowed_and_when() -> None:
    (clause,) = parsed("fold or show 1* when rows[0-9] >= 4 and round=3 and pot[2] != 7 and hand<2", HAWTHORN)
    assert {HAWTHORN.rules.ACTIONS[k] for k in clause.allowed} == {"fold", "show 1", "show 10"}
    at = HAWTHORN.rules.SLICES
    pairs = [*zip(clause.conditions, ("rows", "round", "pot", "hand"), strict=True)]
    assert [each.begin - at[name][0] for each, name in pairs] == [0, 0, 2, 0]
    assert [each.end - at[name][0] for each, name in pairs] == [10, 1, 3, 10]
    assert [(each.low, each.high, each.holds) for each in clause.conditions[1:3]] == [(3, 3, True), (7, 7, False)]
    assert clause.conditions[0].low == 4 and clause.conditions[3].high == 1
    assert parsed("fold when round == 3", HAWTHORN) == parsed("  fold   when round=3 ", HAWTHORN)


def test_words_of_a_line_may_stand_for_several_actions() -> None:
    names = HAWTHORN.rules.ACTIONS
    (every,) = parsed("show", HAWTHORN)
    assert {names[k] for k in every.allowed} == {name for name in names if name.startswith("show ")}
    one, other = parsed("never fold; play 1 or play 2", HAWTHORN)
    assert every.conditions == () and set(range(len(names))) - one.allowed == {FOLD} and len(other.allowed) == 2
    hearts = hexdeck.game("black-hearts", 3)
    (two,) = parsed("pass curse-* curse-*", hearts)
    assert {hearts.rules.ACTIONS[k] for k in two.allowed} >= {"pass curse-1 curse-2"} and len(two.allowed) == 15


@for_each(
    ("line", "said"),
    [
        (
            "flod",
            "column 1: there is no action “flod” (did you mean fold?); actions begin with show, take, fold, play.",
        ),
        ("show 12", "column 6: there is no action “show 12” (did you mean show 2?)"),
        (
            "fold if pot > 3",
            "column 6: there is no action “fold if”; after an action comes “or”, “when”, “;” or the end.",
        ),
        ("fold or", "column 8: here comes an action; actions begin with show, take, fold, play."),
        ("fold when rowz > 3", "column 11: a seat doesn't see “rowz” (did you mean rows?)."),
        ("fold when", "column 10: here comes what a seat sees: hand, unseen,"),
        ("fold when rows[0-80] > 3", "column 16: in the brackets of rows comes a number from 0 to 79, or two with -"),
        ("fold when rows[3 > 3", "column 18: expected “]”."),
        ("fold when pot 3", "column 15: pot is compared by < <= = != >= >."),
        ("fold when pot > pot", "column 17: pot is compared with a whole number."),
        ("fold when pot > 3 or take", "column 19: after a condition comes “and”, “;” or the end."),
        ("fold > 3", "column 6: after an action comes “or”, “when”, “;” or the end."),
        ("fold when (pot) > 3", "column 11: “(” means nothing; there are words, numbers and < <= = != >= > [ ] ;."),
        ("__import__('os')", "column 11: “(” means nothing"),
        ("", "column 1: here comes an action"),
    ],
)
def test_a_line_that_cant_be_read_is_refused_at_its_column(line: str, said: str) -> None:
    with pytest.raises(BadOption) as refused:
        parsed(line, HAWTHORN)
    assert f"The probe can't be read at {said}" in str(refused.value)


@every_game
def test_the_probes_of_a_game_come_up_and_change_what_bots_choose(name: str) -> None:
    warm(name, "fast")
    for players in {hexdeck.game(name).players, hexdeck.game(name).rules.PLAYERS[0]}:
        game = hexdeck.game(name, players)
        probes = ready_made(game)
        assert 2 <= len(probes) <= 4 and len({probe.name for probe in probes}) == len(probes)
        for found in study_probes(SimulationSetup(game, seed=1, backend="fast"), probes, much(60, 600)):
            assert all(found.shifts[name].difference.value for name in found.shifts if name != PLACE), found.change


# --- bending ----------------------------------------------------------------------------------------------------------
def bent(backend: str, line: str, bots: Any = "house", game: Any = HAWTHORN, games: int = 12) -> Any:
    if backend != "interpreted":
        warm(game.name, backend)
    player = Player(SimulationSetup(game, bots, 5, backend=backend))
    return play_bent(player, parsed(line, game), 3, np.arange(games) % game.players)


def test_games_that_a_probe_never_touches_are_those_of_the_simulation() -> None:
    for bots in ("house", ["gentle", "random", "house"]):
        won, counts = bent("fast", NOTHING, bots)
        assert (won == HAWTHORN.simulate(12, bots, 5, first=3, backend="fast").returns).all() and not counts.any()


@pytest.mark.parametrize("line", ["fold when round >= 3", "never fold; show 5 or show 6 or show 7"])
def test_machine_code_bends_as_plain_python_does(line: str) -> None:
    (one, counted), (other, also) = bent("fast", line), bent("interpreted", line)
    assert (one == other).all() and (counted == also).all() and counted.any()


def test_the_bent_seat_does_what_the_line_says_and_the_others_as_before() -> None:
    games, changed = 60, 0
    won, counts = bent("fast", "fold when round >= 2", games=games)
    for k in range(games):
        match, seat = HAWTHORN.match(seed=5, number=3 + k, backend="fast"), k % 3
        bots, forced = seated(HAWTHORN, ["house"] * 3, 5, "fast"), 0
        for bot in bots:
            bot.begin(3 + k)
        while not match.over:
            at, legal = match.actor, match.legal_ids(match.actor)
            action = bots[at].choose(match.concealed(at), at)
            if at == seat and len(legal) > 1 and match.struct.round >= 2 and action != FOLD:
                action, forced = FOLD, forced + 1
            match.play(at, action)
        assert tuple(match.returns()) == tuple(won[k]) and counts[k, 1] == forced
        changed += forced
    assert changed > games / 4


def test_a_probe_is_a_paired_difference_of_each_seat_in_turn() -> None:
    warm("hawthorn", "fast")
    setup = SimulationSetup(HAWTHORN, seed=5, threads=2, backend="fast")
    (found,) = study_probes(setup, chosen(HAWTHORN, ["never-fold"]), 600)
    player, seats = Player(setup), np.arange(600) % 3
    whole = HAWTHORN.simulate(600, "house", 5, backend="fast").returns
    won, _counts = play_bent(player, parsed("never fold", HAWTHORN), 0, seats)
    rows = (won - whole)[np.arange(600), seats]
    gain = found.shifts[GAIN].difference
    assert gain.value == pytest.approx(rows.mean()) and found.pairs == 600
    assert gain.margin == pytest.approx(1.96 * rows.std(ddof=1) / 600**0.5, rel=0.03)
    assert found.shifts[TOUCHED].difference.value == pytest.approx((_counts[:, 1] > 0).mean())


# --- what is sure -----------------------------------------------------------------------------------------------------
def test_probes_that_bring_nothing_are_called_sure_in_one_run_of_twenty_at_most() -> None:
    rng, runs = np.random.default_rng(2), much(100, 2000)
    wrong = sum(any(each.sure for each in judged([probed(rng, 0.0) for _ in range(4)])) for _ in range(runs))
    assert wrong / runs <= much(0.07, 0.06)
    assert sum(judged([probed(rng, 0.0), probed(rng, 0.5)])[1].sure for _ in range(20)) == 20


def test_what_a_probe_brings_is_said_in_a_sentence() -> None:
    rng = np.random.default_rng(3)
    cost, gain, none = judged([probed(rng, -1.0), probed(rng, 1.0), probed(rng, 0.0)])
    one = replace(part(rng, [0.5, 0.5], games=10), probes=(cost, gain), measure=CHIPS)
    assert str(brings(cost, one)).startswith(f"{PROBE.doing} costs 1.") and "gains" in str(brings(gain, one))
    assert "makes no sure difference" in str(brings(none, one))
    often = {PLACE: Shift(0.5, Estimate(0.09, 0.08, 0.1, 9))}
    said, more = (brings(replace(each, shifts=each.shifts | often), one) for each in (cost, gain))
    assert ", though it comes first more often (+9.0 ±1.0 percentage points)." in said and "though" not in more
    never, idle = (
        {**cost.shifts, name: Shift(0.0, Estimate(0.0, 0.0, 0.0, 9))} for name in (APPLIED_TIMES, CHANGED_TIMES)
    )
    assert "never came up" in str(brings(replace(cost, shifts=never), one))
    assert "the bot plays so already" in str(brings(replace(cost, shifts=idle), one))
    (section,) = PROBES.sections(one)
    assert len(section.rows) == 2 and str(section.rows[0][2]).startswith(MINUS) and PROBE.line in str(section.note)


def test_a_report_finds_ways_of_playing_that_beat_its_bots_and_no_others() -> None:
    rng = np.random.default_rng(4)
    parts = [
        replace(part(rng, [0.5, 0.5]), probes=(probed(rng, gain), replace(probed(rng, 0.0), change=BORING.key)))
        for gain in (1.0, 1.0, -1.0)
    ]
    (found,) = sure(*parts)
    assert found.players == (2, 2) and "beats playing as these bots do: it gains" in str(found.text)


# --- the command ------------------------------------------------------------------------------------------------------
FEW = ["hawthorn", "-n", "3", "--games", "200", "--threads", "1"]


def test_the_command_prints_findings_and_writes_page_and_figures(fast: Room, tmp_path: Path) -> None:
    page, figures = tmp_path / "probe.html", tmp_path / "probe.json"
    said = fast.hexdeck("compare", *FEW, "--probe", "--page", str(page), "--data", str(figures))
    assert said.status == 0 and said.out.count(" • ") == 4 and "Never folding" in said.out
    html, found = page.read_text("utf-8"), json.loads(figures.read_text())
    assert "hexdeck compare hawthorn --players 3 --probe --games 200" in html and "Probes: Hawthorn" in html
    assert [each["probe"] for each in found["probes"]] == [probe.name for probe in ready_made(HAWTHORN)]
    asked = fast.hexdeck("compare", *FEW, "--probe", "never-fold", "fold when round >= 3", "--json")
    named, own = json.loads(asked.out)["probes"]
    assert named == found["probes"][2] and own["probe"] is None and own["gain"] == found["probes"][1]["gain"]


def test_manners_are_told_as_probes_are_and_are_not_measured_again(fast: Room, tmp_path: Path) -> None:
    page, file = tmp_path / "manners.html", tmp_path / "manners.jsonl"
    words = ["compare", "hawthorn", "-n", "2", "--bots", "net:0.4", "--manner", "--games", "120", "--resume", str(file)]
    said = fast.hexdeck(*words, "--page", str(page))
    assert said.status == 0 and said.out.count(" • Being ") == 2 and "A bot like that folds" in said.out, said.err
    html = page.read_text("utf-8")
    assert "--manner --games 120 --bots net:0.4" in html and "Manners: Hawthorn" in html
    fast.monkeypatch.setattr("hexdeck.lab.pairs.play_mannered", lambda *_how: pytest.fail("played again"))
    found = json.loads(fast.hexdeck(*words, "--json").out)["probes"]
    assert [each["probe"] for each in found] == ["bold", "careful"]
    assert found[0]["times"]["value"] < 1 < found[1]["times"]["value"]


@for_each(
    ("words", "said"),
    [
        (["--probe", "nevr-fold"], "There is no probe “nevr-fold” (did you mean never-fold?); ready-made are fold-"),
        (["--probe", "fold when rowz > 3"], "The probe can't be read at column 11: a seat doesn't see “rowz”"),
        (["--probe", "--bots", "rollout"], "Probes bend the bots house, easy and random, which play in compiled code"),
        (["--manner", "--bots", "random"], "random has no manners in hawthorn with 3 players"),
        (["--manner", "rude", "--bots", "best"], "In hawthorn there is no manner rude; there are bold, careful"),
        (["--manner", "--probe"], "--probe and --manner don't go together"),
    ],
)
def test_what_cant_be_probed_is_refused_in_one_sentence(words: list[str], said: str, fast: Room) -> None:
    told = fast.hexdeck("compare", *FEW, *words)
    assert told.status == 2 and told.out == "" and told.err.count("\n") == 1 and said in told.err


def test_an_interrupted_study_shows_what_was_finished(fast: Room) -> None:
    played, presses = play_bent, iter([False, True])

    def stop(*how: Any) -> Any:
        if next(presses, False):
            raise KeyboardInterrupt
        return played(*how)

    fast.monkeypatch.setattr("hexdeck.lab.pairs.play_bent", stop)
    said = fast.hexdeck("compare", *FEW, "--probe")
    assert said.status == 130 and "Interrupted: only what was finished is in it." in said.out
    assert said.out.count("Folding on the first turn") == 1 and "Never folding" not in said.out
