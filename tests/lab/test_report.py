"""Reports: fair games give no finding, planted ones do; the command, its page, and what it refuses."""

import re
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import hexdeck
from hexdeck.engine.discovery.finding import game_names
from hexdeck.engine.text import Text
from hexdeck.lab import studies, tension
from hexdeck.lab.counts import Chunk, GameStatistics, count, metric_table
from hexdeck.lab.kernels import STARTER
from hexdeck.lab.log import Player, SimulationSetup
from hexdeck.lab.messages import MessageCounts
from hexdeck.lab.reporting import report as module
from hexdeck.lab.reporting.answers import LOOK, answered
from hexdeck.lab.reporting.figures import sections
from hexdeck.lab.reporting.findings import (
    ANSWERED,
    findings,
    largest,
    levers,
    never_ended,
    seldom,
    together,
    unsure_bots,
)
from hexdeck.lab.reporting.findings import Tests as Asked
from hexdeck.lab.reporting.measures import Finding
from hexdeck.lab.reporting.page import page, told
from hexdeck.lab.reporting.report import Plan, Report, ReportMaker, ReportPart, comparisons, variants_of
from hexdeck.lab.reporting.tables import power, seats
from hexdeck.lab.tension import MatchAnalysis
from hexdeck.simulation.game import Game
from tests.people import Room
from tests.settings import much
from tests.support import for_each

GAMES = 20_000
BACKEND = "fast"


# --- findings -------------------------------------------------------------------------------------------------------
def part(
    rng: np.random.Generator, chances: list[float], starts: bool = False, games: int = GAMES, head: float = 0.0
) -> ReportPart:
    """A part of a made-up report: seats win with these chances; the starter is seat 0 or, for all alike, any.

    `head`: a head start of the first seat, so small that it never decides who comes first.
    """
    game = hexdeck.game("high-handed", len(chances))  # the rules say who starts
    blank = count(Player(SimulationSetup(game, "random", 0, backend=BACKEND)), 0, 1)
    chunk = Chunk(0, *(np.repeat(each, games, axis=0) for each in (blank.results, blank.counters, blank.kind_counts)))
    winner = rng.choice(len(chances), games, p=chances)
    chunk.results[:] = winner[:, None] == np.arange(len(chances))
    chunk.results[:, 0] += head
    chunk.counters[:, STARTER] = 0 if starts else rng.integers(0, len(chances), games)
    statistics = GameStatistics.of(game)
    statistics.add(metric_table(game, chunk), chunk)
    return ReportPart(game, statistics, MessageCounts(game), game.measure, ("house",) * len(chances))


def sure(*parts: ReportPart) -> list[Finding]:
    return Asked(report_of(*parts)).sure(parts)


def report_of(*parts: ReportPart) -> Report:
    return Report(Plan(), parts)


def test_a_head_start_in_results_is_found_though_all_come_first_alike() -> None:
    found = sure(part(np.random.default_rng(5), [0.25] * 4, head=0.05))
    assert {each.kind for each in found} == {"above"}
    assert re.match(r"With 4 players, seat 1 ends 0\.04\d* .* points above the mean of the table", str(found[0].text))
    assert [each.size for each in found] == sorted((each.size for each in found), reverse=True)


def test_games_are_played_for_as_many_questions_as_are_asked() -> None:
    parts = [part(np.random.default_rng(6), [1 / n] * n, games=50) for n in (4, 4)]
    weights = [(each.kind, each.weight) for one in parts for each, _sure in Asked(report_of(*parts)).of(one)]
    seats_ = {weight for kind, weight in weights if kind in ("first", "above", "begins_first", "beginner")}
    assert [sum(weight for _kind, weight in weights) / weight for weight in seats_] == [
        pytest.approx(comparisons([4, 4]))
    ]


@pytest.mark.parametrize("counts", [[4], [3, 4, 5, 6]])
@pytest.mark.parametrize("starts", [True, False])
def test_a_default_report_finds_a_planted_advantage_of_one_point(counts: list[int], starts: bool) -> None:
    rng, tests, runs = np.random.default_rng(6), comparisons(counts), much(10, 40)
    games, chances = Plan().needed(4, tests), [0.26, *[0.74 / 3] * 3]
    fair = [part(rng, [1 / n] * n, starts, 400) for n in counts if n != 4]  # asked about too
    runs_found = [sure(part(rng, chances, starts, games), *fair) for _ in range(runs)]
    found = [{(each.kind, each.subject) for each in one} for one in runs_found]
    wanted, other = ("begins_first", ""), ("first", "0")
    wanted, other = (wanted, other) if starts else (other, wanted)  # where seat 1 always begins, that is what is told
    assert sum(wanted in one for one in found) >= much(0.5, 0.65) * runs  # 80 %, and some standard errors
    assert sum(other in one for one in found) <= (0 if starts else much(1, 2))
    points = Counter(each.value for one in runs_found for each in one if (each.kind, each.subject) == ("first", "0"))
    assert all(0.5 < float(text.split(" ")[0]) < 2 for text in points)


def test_where_bots_differ_their_differences_are_the_finding() -> None:
    one = replace(part(np.random.default_rng(7), [0.4, 0.3, 0.3]), bots=("house", "random", "random"))
    found = sure(one)
    assert [each.kind for each in found] == ["first"] * 3 and {each.subject for each in found} == {"0", "1", "2"}
    assert "the house bot in seat 1 comes first in 4" in str(found[0].text) and "below the fair" in str(found[1].text)
    assert not list(unsure_bots(one, Asked(report_of(one))))
    alike = replace(part(np.random.default_rng(7), [1 / 3] * 3), bots=one.bots)
    (equal,) = unsure_bots(alike, Asked(report_of(alike)))
    assert not sure(alike) and equal in findings(Asked(report_of(alike)))
    assert equal.kind == "bots" and "aren't clearly better or worse: no seat is further than 1." in str(equal.text)
    table = seats(one, power(one, 4))
    assert str(table.rows[1][0]) == "Seat 2, random bot" and "had different bots" in str(table.note)
    same = replace(one, bots=("random",) * 3)
    assert {each.kind for each in sure(same)} == {"first", "above"}
    assert "4 times in 5" in str(seats(same, power(same, 4)).note)


def test_shared_first_places_are_told_where_the_first_place_decides() -> None:
    one = part(np.random.default_rng(7), [0.25] * 4)
    assert "shared first place" in str(seats(one, power(one, 4)).note)
    loser = replace(one, game=hexdeck.game("cursed-hand", 4))
    assert loser.place and "shared first place" not in str(seats(loser, power(loser, 4)).note)


def test_what_is_the_same_with_several_numbers_of_players_is_one_finding() -> None:
    rng = np.random.default_rng(7)
    parts = [part(rng, [0.6, *[0.4 / (n - 1)] * (n - 1)], starts=True) for n in (3, 4, 5)]
    (found,) = [each for each in sure(*parts) if each.kind == "begins_first"]
    assert found.players == (5, 3, 4)  # the largest first, whose game is shown
    assert re.fullmatch(
        r"Whoever starts comes first more often than fair: [34]\d\..* percentage points with 5 players; also with 3 "
        r"and 4\.",
        found.text,
    )
    (one,) = [each for each in sure(parts[0]) if each.kind == "begins_first"]
    assert one.players == (3,) and "above the fair 33.3 %." in one.text


def test_what_an_answer_tells_is_no_finding_too_unless_it_is_of_bots() -> None:
    one = part(np.random.default_rng(7), [0.4, 0.3, 0.3])
    assert sure(one) and not [each for each in findings(Asked(report_of(one))) if each.kind in ANSWERED]
    differ = replace(one, bots=("house", "random", "random"))
    assert {each.kind for each in findings(Asked(report_of(differ)))} >= {"first"}


def test_with_which_other_players_something_is_found_is_told_by_ranges() -> None:
    found = [Finding("tied", (n,), "", value=f"{n} %", size=n) for n in (3, 4, 5, 7, 9, 10, 12)]
    assert largest(found) == "12 % with 12 players; also with 3 to 5, 7, 9 and 10"
    assert largest(found[:1]) == "3 % with 3 players" and together(found, "").players[0] == 12


@for_each(("game", "judged"), [("high-handed", True), ("cursed-hand", False)])
def test_how_a_starter_fares_is_told_where_it_is_judged(game: str, judged: bool) -> None:
    one = replace(part(np.random.default_rng(7), [1 / 3] * 3), game=hexdeck.game(game, 3))
    answer = answered(Asked(report_of(one)))[0].main
    starter = r", the starter [\d.]+ %" if judged else ""
    seats_win = f"seats {'win' if judged else 'lose'}"
    assert re.fullmatch(rf"{seats_win} [\d.]+ to [\d.]+ %{starter} \(fair: 33.3 %\)", answer.value)


def test_options_that_mend_something_stand_behind_it_by_name() -> None:
    for name in game_names():
        known = {option.name for option in hexdeck.game(name).rules.OPTIONS}
        for options in hexdeck.game(name).hints.STUDY.levers.values():
            assert {*options} <= known
    one = part(np.random.default_rng(7), [0.4, 0.3, 0.3])
    card = answered(Asked(report_of(one)))[0].main
    assert card.verdict == LOOK and card.text.endswith(". Try: hexdeck compare high-handed --players 3 --vary blind")
    starts = replace(one, game=hexdeck.game("blackstone", 3))
    command = " Try: hexdeck compare blackstone --players 3 {}--vary {}".format
    assert levers(starts, "start_first") == command("", "draw_cap drawing rounds")
    assert not levers(starts, "fair")
    assert levers(starts, "tied") == " Tables play with rounds=5: look there first."
    turned = replace(one, game=hexdeck.game("blackstone", 3, rounds=5, draw_cap=True))
    assert levers(turned, "start_first") == command("--option rounds=5 --option draw_cap=on ", "drawing")
    assert not levers(turned, "tied")


# --- choices, luck and skill ------------------------------------------------------------------------------------------
def weighed(spread: float, games: int = 20) -> ReportPart:
    """A part whose choices bring about so much; results differ by about 0.43 from game to game."""
    rng = np.random.default_rng(3)
    choices = [tuple(rng.normal(spread, 0.02, 12).tolist()) for _ in range(games)]
    looked = tuple(MatchAnalysis(np.zeros(2), np.full((2, 2, 2, 4), 0.25), np.zeros((2, 4)), each) for each in choices)
    return replace(part(rng, [0.25] * 4), analyses=looked)


def test_choices_that_bring_little_are_a_finding_and_others_are_not() -> None:
    assert [each.kind for each in sure(weighed(0.02))] == ["weight"]
    assert not sure(weighed(0.2))  # none of them surely better, and yet they weigh
    assert not sure(weighed(0.02, games=9))  # too few to tell


# --- what never comes -------------------------------------------------------------------------------------------------
def test_what_never_comes_is_a_finding_only_where_it_can_come_and_enough_was_played() -> None:
    game = hexdeck.game("blackstone", 3)
    chunk = count(Player(SimulationSetup(game, "random", 0, backend=BACKEND)), 0, 300)
    statistics = GameStatistics.of(game)
    statistics.add(metric_table(game, chunk), chunk)
    counts = MessageCounts(game, matches=300)
    one = ReportPart(game, statistics, counts, game.measure, ("random",) * 3)
    report = Report(Plan(), (one,))
    assert not list(never_ended(report.parts))
    assert not list(seldom(replace(report, parts=(replace(one, statistics=GameStatistics.of(game)),))))


# --- a report -------------------------------------------------------------------------------------------------------
SMALL = Plan(games=much(40, 60), sample=2, backend=BACKEND)


def hawthorn(*players: int) -> list[Game]:
    return [hexdeck.game("hawthorn", count) for count in players]


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, few in (("LISTENED", 4), ("NAMED", 2), ("DEALS", 3)):
        monkeypatch.setattr(module, name, few)
    monkeypatch.setattr("hexdeck.lab.tension.MOMENTS", 3)
    monkeypatch.setattr("hexdeck.lab.tension.WORLDS", 4)
    monkeypatch.setattr("hexdeck.lab.tension.FRESH", much(8, tension.FRESH))
    monkeypatch.setattr("hexdeck.lab.tension.TRIALS", 4)


@pytest.mark.usefixtures("quick")
def test_the_same_seed_gives_the_same_report() -> None:
    def texts(threads: int) -> list[Text]:
        report = ReportMaker(hawthorn(2), replace(SMALL, sample=3, threads=threads)).make()
        cells = [cell for each in sections(report, report.parts[0]) for row in each.rows for cell in row]
        return [*(found.text for found in findings(Asked(report))), *cells]  # type: ignore[list-item]

    assert texts(1) == texts(3)


@pytest.mark.usefixtures("quick")
@pytest.mark.parametrize("sample", [2, None])
def test_every_phase_says_how_much_of_it_is_done(sample: int | None) -> None:
    done: dict[str, list[float]] = {}

    def tick(what: Text, more: int, of: int | None) -> None:
        assert of, str(what)
        done.setdefault(str(what), [0, of])[0] += more

    report = ReportMaker(hawthorn(2), replace(SMALL, sample=sample, seconds=0.1), tick=tick).make()
    page(told(report), tick)
    phases = [
        "2 players: games",
        "2 players: counting what happens",
        "2 players: estimating chances",
        "2 players: bots of other levels",
    ]
    assert {*done} == {*phases, "drawing"} and [*done][-1] == "drawing"
    assert all(0 < part <= whole for part, whole in done.values())


@pytest.mark.usefixtures("quick")
def test_one_interrupt_while_games_are_played_ends_a_report(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hexdeck.lab.counts.CHUNK", 20)
    stops = []

    def stop(what: str, _done: int, _of: int | None) -> None:
        if what.startswith("3 players") and not stops:
            stops.append(what)
            raise KeyboardInterrupt

    report = ReportMaker(hawthorn(2, 3, 4), SMALL, tick=stop).make()
    assert str(stops[0]) == "3 players: games"
    assert report.interrupted and [(each.players, len(each.statistics)) for each in report.parts] == [
        (2, SMALL.games),
        (3, 20),
    ]
    html = page(told(report))
    assert "3 players" in html and "4 players" not in html and "Interrupted" in html


@pytest.mark.usefixtures("quick")
def test_what_was_played_until_an_interrupt_is_told_even_if_nothing_was_finished(monkeypatch) -> None:
    monkeypatch.setattr("hexdeck.lab.counts.CHUNK", 20)
    stops = iter([KeyboardInterrupt])

    def stop(_what: str, _done: int, _of: int | None) -> None:
        for each in stops:
            raise each

    report = ReportMaker(hawthorn(2, 3), SMALL, tick=stop).make()
    (part,) = report.parts
    assert report.interrupted and (part.players, len(part.statistics)) == (2, 20)
    assert part.messages.matches == 1 and len(part.duels) == 3 and not part.analyses
    assert "Interrupted: only what was finished is in it." in page(told(report))


@pytest.mark.usefixtures("quick")
def test_what_goes_wrong_with_one_number_of_players_is_raised(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_given: object) -> None:
        raise ArithmeticError

    monkeypatch.setattr(studies, "duel", broken)
    with pytest.raises(ArithmeticError):
        ReportMaker(hawthorn(2, 3), SMALL).make()


def test_slow_games_are_as_many_as_tell_a_share_to_one_point() -> None:
    game, expected = hexdeck.game("hawthorn", 4), []
    maker = ReportMaker([game], Plan(threads=2), tick=lambda _what, _done, of: expected.append(of))
    with ThreadPoolExecutor(2) as pool:
        found = maker.play(game, pool, seconds=0)
    widest = max(each.margin for each in found.estimates("first"))
    assert 0.0098 < widest <= 0.01
    assert 0.8 * len(found) < expected[-2] < 1.2 * len(found)


def test_without_numbers_of_players_all_that_can_play_do() -> None:
    usual = hexdeck.game("blackstone")
    assert [each.players for each in variants_of(usual, [], {})] == list(range(2, 11))
    assert [each.players for each in variants_of(usual, [], {"deck": "1-1-1"})] == [2, 3]
    assert variants_of(usual, [4, 4, 2], {}) == [hexdeck.game("blackstone", players) for players in (4, 2)]
    with pytest.raises(hexdeck.BadOption, match="can't give"):
        variants_of(usual, [], {"deck": "1"})


@pytest.mark.usefixtures("quick")
@pytest.mark.parametrize("name", ["cursed-hand", pytest.param("blackstone", marks=pytest.mark.long)])
def test_the_command_tells_and_writes_a_page(name: str, room: Room, tmp_path: Path) -> None:
    file = tmp_path / "report.html"
    said = room.hexdeck(
        "--lang", "nl", "report", name, "-n", *much("3", "23"), "--games", "50", "--sample", "2", "--page", str(file)
    )
    assert said.status == 0, said.err
    assert ("Results by seat" in said.out) == much(True, False)  # the tables of one number of players
    assert re.search(r"^(Look at|Can't tell yet:|Fine:) \w", said.out, re.MULTILINE)
    text = file.read_text(encoding="utf-8")
    assert '<html lang="en">' in text and "<script" not in text and not re.search(r"https?://(?!www\.w3\.org)", text)
    assert much(4, 7) <= text.count("<svg") == text.count('role="img" aria-label="') and "#0102" not in text
    assert "Fair?" in said.out and text.count('id="answer-') == 5
    labels = re.findall(r'aria-label="([^"]+)"', text)
    assert all(re.search(r": .*\d", each) for each in labels[1:])
    ids = re.findall(r' id="([^"]+)"', text)
    assert len(ids) == len(set(ids))
    assert "Findings" in text
    assert f"hexdeck report {name} --players 3 --seed 0 --games 50 --sample 2" in text
    assert f"hexdeck {hexdeck.__version__}" in text


@for_each(
    ("words", "why"),
    [
        (["--games", "1"], "--games can't be 1; it takes 2 to"),
        (["--threads", "0"], "--threads can't be 0"),
        (["--choice-seconds", "0"], "--choice-seconds can't be 0"),
        (["--sample", "0"], "--sample can't be 0"),
        (["--players", "11"], "is for 2 to 10 players, not 11"),
        (["--bots", "clever"], "There is no bot clever"),
        (["--option", "colour=red"], "There is no option colour"),
        (["--page", "nowhere/at/all.html"], "can't be written; name a file"),
        (["--data", "nowhere/at/all.json"], "can't be written; name a file"),
        (["--appendix"], "--appendix goes with one of --page, --open; give that too"),
    ],
)
def test_bad_words_are_refused(words: list[str], why: str, room: Room) -> None:
    said = room.hexdeck("report", "blackstone", *words)
    assert said.status == 2 and why in said.err
