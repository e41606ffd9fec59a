"""Matches from tables: counted as simulated games are, with time and company; the report links to their replays."""

import html
import random
import re
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

import hexdeck
from hexdeck.engine.text import Catalogue
from hexdeck.lab import tension
from hexdeck.lab.causes import study_causes
from hexdeck.lab.counts import collect, count, games_counted, places_shared
from hexdeck.lab.log import PlayedMatch, Player, SimulationSetup, log_of, matches
from hexdeck.lab.reporting.answers import FINE, LOOK, UNSURE, ReportAnswer
from hexdeck.lab.reporting.figures import sections
from hexdeck.lab.reporting.measures import Example, Finding, Section, questions_of
from hexdeck.lab.reporting.people import COMPANY, SAID, TIME, again, quotes, write_answers
from hexdeck.lab.reporting.played import Group, PlayedMatches, group_matches, told_of_people
from hexdeck.lab.reporting.report import part_of, variants_of
from hexdeck.lab.reporting.tables import TENSION
from hexdeck.lab.tension import LEAST, MatchAnalyser
from hexdeck.simulation.game import Game
from hexdeck.stats import UNKNOWN, holm
from hexdeck.tables.feedback import Feedback
from tests.people import Room
from tests.settings import every_game, much, small_game
from tests.support import for_each
from tests.tables.house import House, housed
from tests.tables.test_archive import filled
from tests.web.serving import get, served

BACKEND = "fast"


@pytest.fixture(autouse=True)
def _backend(monkeypatch: pytest.MonkeyPatch) -> None:
    """With machine code, whatever the environment says."""
    monkeypatch.setenv("HEXDECK_BACKEND", BACKEND)


def kept(game: Game, number: int, players: tuple[str, ...] = (), seconds: float = 10.0) -> PlayedMatch:
    """A simulated match, as if it had been played with so many seconds between events."""
    match = next(matches(SimulationSetup(game, "random", 1, backend=BACKEND), 1, number))
    times = tuple(k * seconds for k in range(match.length))
    return PlayedMatch(match, players or ("person",) * game.players, times, "/replay/here")


@every_game
def test_figures_are_those_of_simulated_games(name: str) -> None:
    game = small_game(name)
    chunk = count(Player(SimulationSetup(game, "random", 3, backend=BACKEND)), 0, 6)
    for number, match in enumerate(matches(SimulationSetup(game, "random", 3, backend=BACKEND), 6)):
        found = games_counted(log_of(match), game.driver("interpreted"))
        assert found.counters[0].tolist() == chunk.counters[number].tolist()
        assert found.kind_counts[0].tolist() == chunk.kind_counts[number].tolist()
        assert match.ply == match.length


def test_a_group_has_the_measures_of_its_games() -> None:
    game = small_game("hawthorn")
    group, plain = Group.of(game), collect(SimulationSetup(game, "random", 1, backend=BACKEND), 5)
    for number in range(5):
        group.add(kept(game, number))
    for name in plain.names:
        assert group.statistics[name] == plain[name]
    assert group.statistics.examples == plain.examples and group.statistics.lengths == plain.lengths


def test_time_is_what_was_stored_without_pauses() -> None:
    game = hexdeck.game("blackstone", 2, rounds=2)
    group, one = Group.of(game), kept(game, 0, seconds=6.0)
    paused = tuple(time + (3600.0 if k >= 4 else 0.0) for k, time in enumerate(one.times))
    group.add(one)
    group.add(PlayedMatch(one.match, one.players, paused))
    events = one.match.length - 1
    assert group.minutes == pytest.approx([events / 10, (events - 1) / 10]) and group.pauses == [0, 1]
    (table,) = TIME.sections(group.part)
    rows = {str(row[0]): str(row[1]) for row in table.rows}
    assert float(rows["minutes from the deal to the end"].split(" ")[0]) == pytest.approx(events / 10 - 0.05, abs=0.1)


def planted(gain: float, games: int = 12) -> Group:
    """A group in which the first seat's person comes out so far ahead of house bots."""
    game = hexdeck.game("blackstone", 3, rounds=2)
    group, rng = Group.of(game), np.random.default_rng(1)
    for number in range(games):
        group.add(kept(game, number))
    group.mixed.clear()
    for number in range(games):
        group.mixed["person"].append((number, gain + float(rng.normal()), 0.4, 1.0))
        group.mixed["house"].append((number, -gain / 2 + float(rng.normal()), 0.3, 1.0))
    return group


def test_people_ahead_of_bots_are_told_and_equal_ones_are_not() -> None:
    def findings(gain: float) -> dict[str, str]:
        group = planted(gain)
        return {each.subject: str(each.text) for each in company(group)}

    assert not findings(0.0)
    found = findings(5.0)
    assert "people do better than the rest" in found["person"] and "house do worse than the rest" in found["house"]
    group = planted(5.0)
    best = max(group.mixed["person"], key=lambda row: row[1])[0]
    assert next(each for each in company(group) if each.subject == "person").example == Example(best)


def company(group: Group) -> list[Finding]:
    told = told_of_people(PlayedMatches([group]).report())
    return [found for _part, found in told.findings if found.kind == "company_gain"]


def test_company_is_counted_only_where_players_differ() -> None:
    game = hexdeck.game("blackstone", 2, rounds=2)
    group = Group.of(game)
    group.add(kept(game, 0, ("person", "person")))
    assert not list(COMPANY.sections(group.part)) and group.same_kind == [True]
    group.add(kept(game, 1, ("person", "house")))
    group.add(kept(game, 2, ("shared", "shared")))
    (rows,) = [section.rows for section in COMPANY.sections(group.part)]
    results = kept(game, 1).match.returns()
    assert [str(row[0]) for row in rows] == ["people", "bots: house"]
    assert group.mixed["person"][0][1] == pytest.approx(results[0] - np.mean(results))
    assert group.same_kind == [True, False, False] and group.mixed["house"][0][0] == 1


def test_matches_are_grouped_and_what_is_left_is_counted() -> None:
    two, three = hexdeck.game("blackstone", 2, rounds=2), hexdeck.game("blackstone", 3, rounds=2)
    other = hexdeck.game("blackstone", 2, rounds=3)
    given = [kept(two, 0), kept(three, 0), kept(two, 1), kept(other, 0), kept(three, 1), kept(two, 2)]
    usual = hexdeck.game("blackstone")
    everything = variants_of(usual, [], {})
    found = group_matches(given, everything)
    assert [(each.game.players, len(each)) for each in found.groups] == [(2, 3), (3, 2)] and found.left["single"] == 1
    said = replace(given[3], said=(Feedback(0, best=4),))
    found = group_matches([*given[:3], said], everything)  # what people say counts, even of a single match
    assert [len(each) for each in found.groups] == [2, 1] and found.left["single"] == 1
    found = group_matches(given, variants_of(usual, [2], {"rounds": "2"}), ["rounds"])
    assert [len(each) for each in found.groups] == [3] and found.left["other"] == 3

    def until_interrupted() -> object:
        yield from given[:3]
        raise KeyboardInterrupt

    found = group_matches(until_interrupted(), everything)  # type: ignore[arg-type]
    assert found.interrupted and [len(each) for each in found.groups] == [2]


def test_tension_is_told_of_enough_matches_as_of_simulated_ones(monkeypatch: pytest.MonkeyPatch) -> None:
    for what, few in (("MOMENTS", 4), ("WORLDS", 6), ("FRESH", 8), ("TRIALS", 4)):
        monkeypatch.setattr(tension, what, much(few, getattr(tension, what)))
    game = hexdeck.game("hawthorn", 2)
    few, enough = Group.of(game), Group.of(game)
    for number in range(LEAST):
        enough.add(kept(game, number))
        if number:
            few.add(kept(game, number))
    for group in (few, enough):
        group.analyse(0.0)
    assert not few.analyses and "tension" not in [each.id for each in tables(few)]
    assert len(enough.analyses) == LEAST == TENSION.measures[0].of_part(enough.part).count
    analyser = MatchAnalyser(SimulationSetup(game))
    for number, (found, match) in enumerate(zip(enough.analyses, enough.first, strict=True)):
        again = analyser.analyse(match, number)
        assert (found.halves == again.halves).all() and found.choices == again.choices
    assert {"choices", "tension"} <= {each.id for each in tables(enough)}


def tables(group: Group) -> list[Section]:
    report = PlayedMatches([group]).report()
    return sections(report, report.parts[0])


# --- the first page ---------------------------------------------------------------------------------------------------
def hawthorn(games: int, *said: Feedback, players: tuple[str, ...] = ("person",) * 3) -> Group:
    game = hexdeck.game("hawthorn", 3)
    group = Group.of(game)
    for number in range(games):
        one = kept(game, number, players)
        group.add(replace(one, said=said))
    return group


def first_page(*groups: Group) -> dict[str, list[ReportAnswer]]:
    told = told_of_people(PlayedMatches(list(groups)).report())
    return {each.question.id: list(each.answers) for each in told.answers}


def test_what_confused_most_is_to_be_looked_at_and_quoted() -> None:
    for share, games, verdict in ((2, 8, LOOK), (0, 24, FINE), (1, 3, UNSURE)):
        said = [Feedback(seat, again=1, confused="the tie" if seat < share else "", at=seat) for seat in range(3)]
        (found,) = first_page(hawthorn(games, *said))["confusing"]
        assert found.verdict == verdict and found.number.value == pytest.approx(100 * share / 3)
        assert ("“the tie”" in str(found.text)) == (share > 0)
        assert ("too few to be sure" in str(found.text)) == (verdict == UNSURE)
    (nobody,) = first_page(hawthorn(3))["confusing"]
    assert nobody.verdict == UNSURE and not nobody.number.count and "Nobody answered" in str(nobody.text)


def test_minutes_are_real_ones_and_dragging_for_most_is_to_be_looked_at() -> None:
    bored = hawthorn(20, Feedback(0, drag=41), Feedback(1, drag=43))
    (found,), (few,) = first_page(bored)["long"], first_page(hawthorn(4))["long"]
    assert found.verdict == LOOK and "(84 to 100) of those who answered said where it dragged." in str(found.text)
    assert found.number.value == pytest.approx(float(np.median(bored.minutes))) and found.number.count == 20
    assert few.verdict == UNSURE
    (pleased,) = first_page(hawthorn(20, Feedback(0, again=1), Feedback(1, again=1)))["long"]
    assert pleased.verdict == FINE


def test_seats_are_compared_only_where_all_have_the_same_kind_of_player() -> None:
    (found,) = first_page(hawthorn(8, players=("person", "house", "house")))["fair"]
    assert found.verdict == UNSURE and "Different kinds of players" in str(found.text)


def test_cards_and_moves_of_played_matches_are_counted_as_those_of_simulated_ones() -> None:
    game = hexdeck.game("hawthorn", 3)
    setup = SimulationSetup(game, "random", 1, backend=BACKEND)
    group, plain = hawthorn(40), study_causes(setup, 40)
    assert group.causes is not None and group.causes.games == plain.games == 40
    assert np.array_equal(group.causes.shares, plain.shares) and np.array_equal(group.causes.turns, plain.turns)
    for mine, other in ((group.causes.cards, plain.cards), (group.causes.actions, plain.actions)):
        names = ("held", "used", "dealt_gain", "used_gain") if mine is group.causes.cards else ("chosen", "gain")
        for name in names:
            for k in range(len(mine.names)):
                one, two = (getattr(each, name).estimate(k) for each in (mine, other))
                assert (one.count, one.value) == (two.count, pytest.approx(two.value, nan_ok=True))
    assert group.causes.cards.examples == plain.cards.examples
    assert {"cards", "actions", "sources-0"} <= {each.id for each in tables(group)}
    assert "cards" not in {each.id for each in tables(hawthorn(5))}


# --- the command ------------------------------------------------------------------------------------------------------
@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Path:
    found = tmp_path_factory.mktemp("tables") / "tables.db"
    filled(f"sqlite:///{found}", 2, 0)
    return found


def test_the_command_reports_and_its_links_lead_to_replays(room: Room, tmp_path: Path) -> None:
    place, page = tmp_path / "tables.db", tmp_path / "page.html"
    ids = filled(f"sqlite:///{place}", 6, 1)
    with served(f"sqlite:///{place}") as server:
        said = room.hexdeck(
            "--lang", "nl", "report", "blackstone", "--database", str(place), "--page", str(page), "--site", server.base
        )
        text = page.read_text(encoding="utf-8")
        links = {html.unescape(link) for link in re.findall(r'href="(http[^"]+)"', text)}
        assert links and all(link.startswith(f"{server.base}/replay/") for link in links)
        for link in sorted(links)[:6]:
            answer = get(link)
            assert answer.status_code == 200 and 'class="' in answer.text
    assert said.status == 0, said.err
    assert "whose match isn't over" in " ".join(said.out.split())
    assert ids[-1] not in text + said.out and "Annabel" not in text + said.out
    assert '<html lang="en">' in text and text.count("<svg") == 3  # two plots, and how long on top


def test_a_link_shows_what_its_row_says(tmp_path: Path, room: Room) -> None:
    place, page = tmp_path / "tables.db", tmp_path / "page.html"
    filled(f"sqlite:///{place}", 3, 0)
    assert room.hexdeck("report", "blackstone", "--database", str(place), "--page", str(page)).status == 0
    chapter = page.read_text(encoding="utf-8").split("What happens in games")[1]
    rows = re.findall(
        r'<tr><th scope="row">(A player [^<]*)</th>(?:(?!</tr>).)*?href="http://[^/]+(/replay/[^"]+)"', chapter
    )
    assert len(rows) > 3
    with served(f"sqlite:///{place}") as server:
        for row, path in rows[:6]:
            answer = get(server.base + html.unescape(path))
            part = max((each.strip(" .:,") for each in re.split("…|some|[Aa] player", html.unescape(row))), key=len)
            assert part in html.unescape(answer.text), (row, path)


def test_who_may_not_watch_gets_no_link(room: Room, tmp_path: Path) -> None:
    place, page = tmp_path / "tables.db", tmp_path / "page.html"

    async def test(house: House) -> None:
        for number in range(2):
            table = await house.table(hexdeck.game("blackstone", 2, rounds=2), watch="nobody")
            await house.play(table, [0], random.Random(number))

    housed(f"sqlite:///{place}", test)
    assert room.hexdeck("report", "blackstone", "--database", str(place), "--page", str(page)).status == 0
    text = page.read_text(encoding="utf-8")
    assert "/replay/" not in text and 'href="http' not in text


@for_each(
    ("words", "why"),
    [
        (["--database", "PLACE", "--games", "5"], "--games and --database don't go together"),
        (["--database", "PLACE", "--appendix"], "--appendix goes with one of --page, --open"),
        (["--database", "PLACE", "--bots", "house"], "--bots and --database don't go together"),
        (["--database", "PLACE", "--choice-seconds", "8"], "--choice-seconds and --database don't go together"),
        (["--database", "PLACE", "--site", "cards.example"], "isn't the address of a server"),
        (["--database", "PLACE", "--players", "11"], "is for 2 to 10 players"),
        (["--database", "PLACE", "--players", "4"], "aren't two comparable matches of blackstone"),
        (["--database", "PLACE", "--option", "colour=red"], "There is no option colour"),
        (["--database", "there-is-none.db"], "There is no file"),
        (["--database", "mysql://here"], "Tables can't be kept in"),
        (["--site", "https://cards.example"], "--site goes with --database"),
    ],
)
def test_bad_words_are_refused(words: list[str], why: str, room: Room, place: Path) -> None:
    said = room.hexdeck("report", "blackstone", *(str(place) if word == "PLACE" else word for word in words))
    assert said.status == 2 and why in " ".join(said.err.split()), said.err


# --- what people said: means over matches, shares with intervals, quotes, findings, Parquet ---------------------------
def part(said):
    return part_of(
        SimulationSetup(hexdeck.game("hawthorn", 3)), played=SimpleNamespace(said=said, mixed={}, minutes=[0.0])
    )


def words(section):
    catalogue = Catalogue("en")
    return [[cell if isinstance(cell, str) else catalogue.words(cell) for cell in row] for row in section.rows]


def findings(said):
    questions = [each for measure in SAID.measures for each in questions_of(part(said), measure)]
    sure = holm([each.p for each in questions])
    return {each.kind: str(each.tell().text) for each, sure in zip(questions, sure, strict=True) if sure}


def test_players_of_one_match_count_as_one():
    alike = [[Feedback(seat, again=answer) for seat in range(4)] for answer in (-1, 1, 0)]
    found = again.of_part(part(alike))
    assert found == again.of_part(part([[Feedback(0, again=answer)] for answer in (-1, 1, 0)]))
    assert (found.count, found.value) == (3, pytest.approx(1 / 3))


def test_only_questions_that_somebody_answered_have_a_row():
    (table,) = SAID.sections(part([[Feedback(0, best=4)], [Feedback(1, words="5")]]))
    assert [row[0] for row in words(table)] == ["named a moment that dragged", "looked up a rule, or were confused"]
    assert str(table.note).startswith("2 players answered, 0 of them whether they would play again.")
    assert not list(SAID.sections(part([[], []])))


def test_words_are_quoted_the_newest_first():
    said = [[Feedback(0, confused="the ace", at=1.0)], [Feedback(1, words="again!", confused="the gift", at=2.0)]]
    (table,) = quotes(part(said))
    assert [row[1] for row in words(table)] == ["“the gift”", "“the ace”", "“again!”"]


@for_each(("answers", "found"), [((-1,) * 9 + (0,), True), ((1, 0, -1, 1, 0, 1, 1, -1), False), ((-1,), False)])
def test_never_again_is_a_finding_where_it_is_sure(answers, found):
    told = findings([[Feedback(0, again=each)] for each in answers])
    assert ("would play again" in told.get("again", "")) == found


def test_dragging_is_a_finding_where_most_surely_say_so():
    slow = [[Feedback(0, drag=1)]] * 12
    assert findings(slow).keys() == {"dragged"}
    assert not findings(slow[:3] + [[Feedback(0, best=1)]] * 3)


def test_bots_say_something_of_the_moments_that_people_named() -> None:
    game = hexdeck.game("hawthorn", 3)
    group, match = Group.of(game), kept(game, 0).match
    first, middle, *_, last = (ply for ply, (seat, _move) in enumerate(match.pairs) if seat >= 0)
    said = (Feedback(0, best=first, drag=middle), Feedback(1, best=first), Feedback(2, lookup=last))
    for number in range(2):
        group.add(replace(kept(game, number), said=() if number else said))
    group.analyse(0.0)
    best, rule = group.moments[0, first, "best"], group.moments[0, last, "lookup"]
    assert len(group.moments) == 3 and best.stake.value > 0 and best.stake.value >= best.lost.value
    assert best.stake.count == tension.JUDGING
    assert best.seat == match.event(first).seat and 0 <= best.before <= 1
    assert rule.after == places_shared(np.array(match.returns()))[0, match.event(last).seat]
    group.moments[0, middle, "drag"] = replace(best, stake=UNKNOWN, lost=UNKNOWN)  # as of a forced move
    table = next(each for each in tables(group) if each.id == "moments")
    assert [row[1] for row in table.rows] == ["2", "1", "1"] and table.examples[0] == Example(0, first)
    assert table.rows[0][0].startswith("best: Seat") and table.rows[1][2:4] == ("no choice", "no choice")
    again = Group.of(game)
    again.add(replace(kept(game, 0), said=said))
    again.analyse(0.0)
    assert again.moments[0, first, "best"] == best


def test_every_answer_is_a_row_of_parquet(tmp_path):
    said = [[Feedback(0, again=1, words="ja"), Feedback(2, drag=7)], [], [Feedback(1, best=1, at=9.0)]]
    assert write_answers([part(said)], tmp_path / "answers.parquet") == 3
    table = pd.read_parquet(tmp_path / "answers.parquet")
    assert list(table["match"]) == [0, 0, 2] and list(table["seat"]) == [1, 3, 2]
    assert table["again"][0] == 1 and table["words"][0] == "ja" and table["best"][2] == 1
    assert write_answers([part([[], []])], tmp_path / "none.parquet") == 0
