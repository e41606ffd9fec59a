"""Reports: fair games give no finding, planted ones do; the command, its page, and what it refuses."""

import re
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest

import hexdeck
from hexdeck.engine.text import Text
from hexdeck.lab import inside
from hexdeck.lab import report as module
from hexdeck.lab.collect import Collected, Desk
from hexdeck.lab.facts import Heard
from hexdeck.lab.findings import fairness, findings
from hexdeck.lab.inside import Choice, Seen, comeback, gap, lead_changes, settled
from hexdeck.lab.measures import Chunk, names, table
from hexdeck.lab.report import Maker, Part, Plan, counts_of, measure_of
from hexdeck.lab.sample import matches
from hexdeck.lab.sections import matter, sections
from hexdeck.lab.stats import Moments, share
from tests.people import Room

GAMES = 20_000
LANE = "interpreted"


# --- findings -------------------------------------------------------------------------------------------------------
def part(rng: np.random.Generator, chances: list[float], starts: bool = False) -> Part:
    """A part of a made-up report: seats win with these chances; the starter is seat 0 or, for all alike, any."""
    game = hexdeck.game("black-hearts", len(chances))
    blank = Desk(game, "random", 0, LANE).gather(0, 1)
    chunk = Chunk(0, *(np.repeat(each, GAMES, axis=0) for each in (blank.results, blank.figures, blank.tally)))
    winner = rng.choice(len(chances), GAMES, p=chances)
    chunk.results[:] = winner[:, None] == np.arange(len(chances))
    chunk.figures[:, 7] = 0 if starts else rng.integers(0, len(chances), GAMES)
    collected = Collected(game, names(game), Moments(len(names(game))))
    collected.take(table(game, chunk, "fast"), chunk)
    return Part(game, collected, Heard(game), (), (), measure_of(game))


def test_fair_games_give_no_finding() -> None:
    rng = np.random.default_rng(5)
    wrong = sum(bool(list(fairness(part(rng, [0.25] * 4), 5))) for _ in range(100))
    assert wrong <= 12  # 5 % of reports at most, and four standard errors


def test_a_planted_advantage_of_a_point_and_a_half_is_found() -> None:
    rng = np.random.default_rng(6)
    chances = [0.265, 0.245, 0.245, 0.245]
    told = [list(fairness(part(rng, chances, starts=True), 5)) for _ in range(20)]
    assert sum(any(each.kind == "beginner" for each in one) for one in told) >= 19
    assert not any(each.text.args.get("seat") == 0 for one in told for each in one)  # the same as who begins
    told = [list(fairness(part(rng, chances), 5)) for _ in range(20)]
    found = [{(each.kind, each.text.args.get("seat")) for each in one} for one in told]
    assert sum(("seat", 0) in one for one in found) >= 19 and not any(("beginner", None) in one for one in found)
    points = Counter(str(each.text.args["points"]) for one in told for each in one if each.text.args.get("seat") == 0)
    assert all(0.5 < float(text.split(" ")[0]) < 2.5 for text in points)


def test_a_planted_disadvantage_is_told_as_less() -> None:
    found = list(fairness(part(np.random.default_rng(7), [0.2, 0.3, 0.25, 0.25]), 5))
    said = {each.text.args["seat"]: str(each.text) for each in found if each.kind == "seat"}
    assert "less often than fair" in said[0] and "more often than fair" in said[1]


# --- tension --------------------------------------------------------------------------------------------------------
def seen(rows: list[list[float]], end: Sequence[float] | np.ndarray, low: int | None = None) -> Seen:
    """A match whose seats had these chances of the place; the chance at its low point came in `low` of FRESH worlds."""
    first, when = np.array(rows), np.arange(len(rows)) / len(rows)
    at_low = None if low is None else share(low, inside.FRESH)
    return Seen(when, first, first, np.array([end, [1 - each for each in end]]), (), at_low)


def test_a_lead_changes_only_where_it_surely_does() -> None:
    assert lead_changes(seen([[0.9, 0.1], [0.45, 0.55], [0.7, 0.3]], [1, 0]), 0) == 0
    assert lead_changes(seen([[0.8, 0.2], [0.1, 0.9], [0.9, 0.1]], [1, 0]), 0) == 2


def test_a_result_is_settled_when_it_stays_so() -> None:
    assert settled(seen([[0.9, 0.1], [0.5, 0.5], [0.85, 0.15], [0.95, 0.05]], [1, 0]), 0) == 0.5
    assert settled(seen([[0.9, 0.1], [0.95, 0.05]], [1, 0]), 0) == 0
    assert settled(seen([[0.9, 0.1], [0.95, 0.05]], [0, 1]), 0) == 1


@pytest.mark.parametrize("players", [2, 4, 6])
@pytest.mark.parametrize("place", [0, 1])
def test_games_without_tension_have_no_lead_changes_and_no_comebacks(players: int, place: int) -> None:
    rng, fair, end = np.random.default_rng(players), 1 / players, np.eye(players)[0]
    changes, back = 0, 0
    for _ in range(400):
        rows = rng.multinomial(inside.WORLDS, [fair] * players, inside.MOMENTS) / inside.WORLDS
        changes += lead_changes(seen(rows.tolist(), end), place)
        chance = 1 - fair if place else fair
        back += comeback(seen(rows.tolist(), end, rng.binomial(inside.FRESH, chance)), place)
    assert changes <= 8 and back <= 2  # a game in fifty


def test_a_comeback_is_from_surely_less_than_half_of_a_fair_chance() -> None:
    rows, end = [[0.1, 0.9, 0.0], [0.9, 0.1, 0.0]], np.eye(3)[0]
    assert comeback(seen(rows, end, 10), 0)  # of 128, where fair is a third
    assert not comeback(seen(rows, end, 30), 0)
    assert comeback(seen(rows, end, 20), 1) and not comeback(seen(rows, end, 60), 1)  # not to lose: two thirds
    assert not comeback(seen(rows, end), 0)


def test_who_did_well_won_alone_or_did_not_lose() -> None:
    rows = np.array([[0.2, 0.3, 0.5], [0.6, 0.1, 0.3]])
    alone, shared = np.array([[1, 0, 0], [0, 0.5, 0.5]]), np.array([[0.5, 0.5, 0], [0, 0, 1]])
    assert np.nanmin(inside.good(rows, alone, 0)) == 0.2 and np.isnan(inside.good(rows, shared, 0)).all()
    assert np.nanmin(inside.good(rows, shared, 1)) == 0.4  # one minus 0.6, of seat 0
    assert np.isnan(inside.good(rows, shared, 1)[:, 2]).all()


def test_low_points_are_judged_in_fresh_worlds() -> None:
    game = hexdeck.game("hawthorn", 2)
    (match,) = matches(game, "house", 5, 1, LANE)
    looks: list[tuple[int, int]] = []
    watcher = inside.Watcher(game, 5, LANE)
    plain = watcher.foresee
    watcher.foresee = lambda *a: looks.append((a[1], len(a))) or plain(*a)  # type: ignore[func-returns-value, method-assign]
    found = watcher.watch(match, 3)
    streams = [stream for stream, _given in looks]
    assert len(set(streams)) == len(streams) and found.low is not None and looks[-1][1] == 3
    assert found.low.count == inside.FRESH and match.over


def test_luck_alone_makes_no_move_better() -> None:
    rng, gaps = np.random.default_rng(1), []
    for _ in range(400):
        won = rng.normal(0, 1, (20, 5))
        gaps.append(gap(won[::2], won[1::2]).mean())
    assert abs(np.mean(gaps)) < 4 * np.std(gaps) / 20
    better = rng.normal([0, 3], 1, (20, 2))
    assert gap(better[::2], better[1::2]).mean() > 1


def test_choices_that_matter_are_counted() -> None:
    made = part(np.random.default_rng(1), [0.5, 0.25, 0.25])
    two = tuple(Seen(np.zeros(2), np.zeros((2, 3)), np.zeros((2, 3)), np.zeros((2, 3)),
                     (Choice(1.0, True), Choice(0.0, k > 1))) for k in range(4))  # fmt: skip
    assert matter(Part(made.game, made.collected, made.heard, two, (), made.measure)).value == 6 / 8


# --- a report -------------------------------------------------------------------------------------------------------
SMALL = Plan(games=60, sample=2, lane=LANE)


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Reports that look at little."""
    for name, few in (("LISTENED", 4), ("NAMED", 2), ("DEALS", 3)):
        monkeypatch.setattr(module, name, few)
    monkeypatch.setattr("hexdeck.lab.inside.MOMENTS", 3)
    monkeypatch.setattr("hexdeck.lab.inside.WORLDS", 4)
    monkeypatch.setattr("hexdeck.lab.inside.TRIALS", 4)


@pytest.mark.usefixtures("quick")
def test_the_same_seed_gives_the_same_report() -> None:
    def told(threads: int) -> list[Text]:
        report = Maker("hawthorn", Plan(games=60, sample=3, lane=LANE, threads=threads)).make([2])
        cells = [cell for each in sections(report, report.parts[0]) for row in each.rows for cell in row]
        return [*(found.text for found in findings(report)), *cells]  # type: ignore[list-item]

    assert told(1) == told(3)


@pytest.mark.usefixtures("quick")
def test_an_interrupted_report_has_what_was_finished() -> None:
    def stop(what: Text, _done: int, _of: int | None) -> None:
        if what.args["players"] == 3:
            raise KeyboardInterrupt

    report = Maker("hawthorn", SMALL, tick=stop).make([2, 3, 4])
    assert report.interrupted and [each.players for each in report.parts] == [2]


@pytest.mark.usefixtures("quick")
def test_one_interrupt_while_games_are_played_ends_a_report(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hexdeck.lab.collect.CHUNK", 20)
    stops = []

    def stop(what: Text, _done: int, _of: int | None) -> None:
        if what.args["players"] == 3 and not stops:
            stops.append(what)
            raise KeyboardInterrupt

    report = Maker("hawthorn", SMALL, tick=stop).make([2, 3, 4])
    assert str(stops[0]) == "3 players: games"
    assert report.interrupted and [each.players for each in report.parts] == [2]


def test_without_numbers_of_players_all_that_can_play_do() -> None:
    assert counts_of("blackstone", [], {}) == list(range(2, 11))
    assert counts_of("blackstone", [], {"deck": "1-1-1"}) == [2, 3]
    assert counts_of("blackstone", [4, 4, 2], {}) == [4, 2]
    with pytest.raises(hexdeck.BadOption, match="can't give"):
        counts_of("blackstone", [], {"deck": "1"})


@pytest.mark.usefixtures("quick")
@pytest.mark.parametrize("lang", ["en", "nl"])
@pytest.mark.parametrize("name", ["blackstone", "cursed-hand"])
def test_the_command_tells_and_writes_a_page(name: str, lang: str, room: Room, tmp_path: Path) -> None:
    file = tmp_path / "report.html"
    said = room.hexdeck(
        "--lang", lang, "report", name, "-n", "2", "3", "--games", "50", "--sample", "2", "--out", str(file)
    )
    assert said.status == 0, said.err
    assert ("Results by seat" if lang == "en" else "Resultaten per plaats") in said.out
    text = file.read_text(encoding="utf-8")
    assert (
        f'<html lang="{lang}">' in text and "<script" not in text and not re.search(r"https?://(?!www\.w3\.org)", text)
    )
    assert text.count("<svg") == 6 and text.count('role="img" aria-label="') == 6 and "#0102" not in text
    ids = re.findall(r' id="([^"]+)"', text)
    assert len(ids) == len(set(ids))
    assert ("Findings" in text, "Bevindingen" in text) == (lang == "en", lang == "nl")


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["--games", "1"], "--games can't be 1; it takes 2 to"),
        (["--threads", "0"], "--threads can't be 0"),
        (["--pace", "0"], "--pace can't be 0"),
        (["--sample", "0"], "--sample can't be 0"),
        (["--players", "11"], "is for 2 to 10 players, not 11"),
        (["--bots", "clever"], "There is no bot clever"),
        (["--option", "colour=red"], "There is no option colour"),
        (["--out", "nowhere/at/all.html"], "can't be written; name a file"),
    ],
)
def test_bad_words_are_refused(words: list[str], why: str, room: Room) -> None:
    said = room.hexdeck("report", "blackstone", *words)
    assert said.status == 2 and why in said.err
