"""The first page answers: what is green, amber or grey by its criterion, in words and pictures, with games to see."""

import re
import shlex
from collections import Counter
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import hexdeck
from hexdeck.engine.discovery.finding import game_words
from hexdeck.lab.causes import CauseStudy, study_causes
from hexdeck.lab.counts import STARTER_FIRST, collect
from hexdeck.lab.log import SimulationSetup, matches
from hexdeck.lab.messages import MessageCounts
from hexdeck.lab.reporting import answers, shape, tables
from hexdeck.lab.reporting.answers import FINE, LOOK, QUESTIONS, UNSURE, WORDS, ReportAnswer, answered
from hexdeck.lab.reporting.figures import of_report
from hexdeck.lab.reporting.findings import Tests as Asked
from hexdeck.lab.reporting.measures import Example, Finding, Hypothesis, questions_of
from hexdeck.lab.reporting.page import Replays, page, told
from hexdeck.lab.reporting.report import Plan, Report, ReportPart, part_of
from hexdeck.lab.reporting.tables import longest
from hexdeck.lab.studies import Duel, StartStudy
from hexdeck.lab.tension import MatchAnalysis
from hexdeck.stats import Estimate
from tests.lab.test_report import part, report_of, sure
from tests.settings import much

FAIR = [0.25] * 4


def made(chances: list[float], games: int = 20_000, seed: int = 1, **how: Any) -> ReportPart:
    return part(np.random.default_rng(seed), chances, games=games, **how)


def read(one: ReportPart) -> Asked:
    return Asked(report_of(one))


# --- criteria ---------------------------------------------------------------------------------------------------------
def test_seats_that_differ_are_to_be_looked_at_fair_ones_are_fine_and_few_games_cannot_tell() -> None:
    for chances, games, verdict in (
        ([0.3, 0.24, 0.23, 0.23], 20_000, LOOK),
        (FAIR, 20_000, FINE),
        (FAIR, 60, UNSURE),
        ([0.3, 0.24, 0.23, 0.23], 60, UNSURE),
        ([0.255, 0.245, 0.25, 0.25], 200_000, FINE),
    ):
        one = made(chances, games)
        found = answers.fair(read(one), one)
        assert found.verdict == verdict, (chances, games)
        assert found.number.low <= found.number.value <= found.number.high
    uneven, few = made([0.3, 0.24, 0.23, 0.23]), made(FAIR, 60)
    told = str(answers.fair(read(uneven), uneven).text)
    assert re.search(r"With 4 players, seat 1 .* above the (fair 25.0 %\.|mean of the table, on average\.)$", told)
    assert str(answers.fair(read(few), few).text).endswith("60 games are too few to tell whether that is luck.")


def test_games_are_played_on_where_they_were_too_few_to_tell_whether_seats_are_fair() -> None:
    setup = SimulationSetup(hexdeck.game("hawthorn", 3))
    few = replace(report_of(part_of(setup, collect(setup, 30))), plan=Plan())
    more = answers.settled(few, lambda *_: None, seconds=0.2).parts[0].statistics
    assert len(more) > 30 and more.lengths.total() == len(more)
    assert len(answers.settled(replace(few, plan=Plan(games=30)), lambda *_: None).parts[0].statistics) == len(more)


def test_who_starts_counts_where_players_have_no_say_in_that() -> None:
    one = made([0.3, 0.7 / 3, 0.7 / 3, 0.7 / 3], starts=True)
    found = answers.fair(read(one), one)
    assert found.verdict == LOOK and found.example == Example(one.statistics.examples[STARTER_FIRST, 0])
    assert "With 4 players, whoever starts (assigned by the rules) " in found.text


def test_results_count_though_all_come_first_alike() -> None:
    one, slight = made(FAIR, head=0.05), made(FAIR, 40_000, head=0.02)
    assert answers.fair(read(one), one).verdict == LOOK
    assert {each.kind for each in sure(slight)} == {"above"} and answers.fair(read(slight), slight).verdict == FINE


def test_what_starting_is_worth_is_a_finding_and_the_answer_is_of_games_as_played() -> None:
    one, study = replace(made(FAIR), game=hexdeck.game("hawthorn", 4)), StartStudy()
    starters, first_wins, tied = (
        np.tile([0, 1, 1, 1], 50),
        np.tile([1.0, 0.0, 0.0, 0.0], (200, 1)),
        np.ones((200, 4), bool),
    )
    study.games = 400
    study.add(np.arange(200), tied, starters, first_wins)
    with_start = replace(one, starts=study)
    assert not sure(with_start)  # the starter wins as often as the others
    study.add(np.arange(200, 400), tied, np.zeros(200, int), first_wins)
    found, gain = sorted(sure(replace(with_start)), key=lambda each: each.kind)
    assert (
        gain.kind == "start_gain"
        and found.kind == "start_first"
        and "starting helps" in str(found.text)
        and found.example == Example(0)
    )
    with_start = replace(with_start)  # of which nothing is estimated yet
    answer = answers.fair(read(with_start), with_start)
    assert answer.verdict == LOOK and answers.fair(read(one), one).verdict == FINE
    assert re.fullmatch(
        r"With 4 players, starting helps: where the next card after a tie decided who starts \(400 of the first 400 "
        r"games\), starters came first 5.* percentage points more often than the others\. Players can steer who .*=.*|"
        r".* Tables play with deals=3: look there first\.",
        answer.text,
    )
    assert answer.number == answers.fair(read(one), one).number and answer.example == Example(0)  # of seats alone
    assert answer.value.startswith("starting helps; seats win ") and answer.value.endswith(" (fair: 25.0 %)")


def test_fair_games_are_seldom_to_be_looked_at() -> None:
    looked = [answers.fair(read(one), one).verdict for one in (made(FAIR, 4000, seed) for seed in range(much(30, 100)))]
    assert looked.count(LOOK) <= much(4, 10)


def test_different_bots_tell_nothing_of_seats() -> None:
    one = replace(made([0.4, 0.3, 0.3]), bots=("house", "random", "random"))
    assert answers.fair(read(one), one).verdict == UNSURE


def test_long_tails_and_long_waits_are_to_be_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(answers, "WAIT", 1000)
    one = made(FAIR, 400)
    plain = answers.long(read(one), one)
    assert plain.verdict == FINE and plain.number.low <= plain.number.value <= plain.number.high
    one.statistics.lengths.clear()
    one.statistics.lengths.update(Counter([20] * 340 + [90] * 60))
    dragging = answers.long(read(one := replace(one)), one)  # of which nothing is estimated yet
    assert (
        dragging.verdict == LOOK
        and "one game in twenty takes" in str(dragging.text)
        and dragging.example == longest(one)
    )
    monkeypatch.setattr(answers, "SHORT", dragging.number.high)
    short = answers.long(read(one := replace(one)), one)
    assert short.verdict == FINE and "seconds pass between" in short.text and short.example is None
    monkeypatch.setattr(answers, "WAIT", 0.01)
    waiting = made(FAIR, 400)
    assert "seconds pass between" in str(answers.long(read(waiting), waiting).text)
    assert answers.long(read(waiting), waiting).verdict == LOOK
    assert answers.long(read(few := made(FAIR, 60)), few).verdict == UNSURE


def dueled(games: tuple[float, float, float] | None) -> ReportPart:
    share, sure = Estimate(0.5, 0.45, 0.55, 200), None if games is None else Estimate(*games, 200)
    return replace(made(FAIR, 400), duels=(Duel("house", "random", share, np.full((2, 200), 0.5), sure),))


def test_luck_is_to_be_looked_at_where_it_takes_many_games_to_tell() -> None:
    verdicts = {
        games: answers.skill(read(one := dueled(games)), one).verdict
        for games in ((80, 70, 92), (5, 4, 6), (80, 40, 120), None)
    }
    assert list(verdicts.values()) == [LOOK, FINE, UNSURE, LOOK]
    found = answers.skill(read(one := dueled((5, 4, 6))), one)
    assert "With 4 players, the house bot is ahead of random play after 5 (4 to 6) games." in found.text
    assert (found.number.value, found.short) == (5, "5 (4 to 6)")
    assert answers.skill(read(none := made(FAIR, 400)), none).verdict == UNSURE


def test_luck_between_sane_players_is_to_be_looked_at_too() -> None:
    one = dueled((5, 4, 6))
    for games, verdict, text in (
        ((1400, 900, 2200), LOOK, "it takes about 1,400 games to tell the house bot from an easy one: mostly luck."),
        ((70, 50, 95), FINE, "ahead of random play after 5 (4 to 6) games, of easy bots after about 70."),
        ((6, 5, 7), FINE, "after 5 (4 to 6) games."),  # easy bots play at random, nearly
        ((210, 50, 900), FINE, "of easy bots after about 210."),
    ):
        easy = replace(one.duels[0], others="gentle", games=Estimate(*games, 200))
        found = answers.skill(read(both := replace(one, duels=(*one.duels, easy))), both)
        assert found.verdict == verdict and found.text.endswith(text), found


def used(one: ReportPart, *rows: tuple[str, float, bool, bool], games: int = 500) -> ReportAnswer:
    """The answer about cards and moves: family, share used, whether surely a finding, and whether it may be one."""
    study = CauseStudy(one.game, (), None, None, _results=[np.zeros((games, 4))])  # type: ignore[arg-type]
    one = replace(one, causes=study)
    reading = read(one)
    asked = []
    for k, (family, value, certain, may) in enumerate(rows):
        found, name = Estimate(value, value, value, 9), f"part {k}"
        told = Finding(family, (4,), name, what=name, value=f"{value:.0%}", example=Example(k))
        question = Hypothesis(0.0, lambda told=told: told, 1.0, family, found, may)  # type: ignore[misc]
        asked.append((question, certain))
    reading.__dict__["answered"] = [asked]
    return answers.unused(reading, one)


def test_dead_cards_and_moves_are_to_be_looked_at() -> None:
    one, alive = made(FAIR, 400), [("chosen", 0.5, False, False)] * 11
    found = used(one, *alive, ("used", 0.01, True, True))
    assert found.verdict == LOOK and "part 11 is a dead card" in found.text
    assert found.value == "1 of 12 cards and kinds of moves are hardly ever used"
    assert used(one, *alive).value == "all 11 cards and kinds of moves are used"
    assert found.example == Example(11)
    assert "So is “part 12”." in str(used(one, *alive, ("used", 0.01, True, True), ("chosen", 0.0, True, True)).text)
    assert used(one, *alive, ("used", 0.04, False, True)).verdict == FINE  # one may be, and that is less than a tenth
    assert str(used(one, *alive, ("used", 0.04, False, True)).short) == "0 to 1 of 12"
    assert used(one, *alive, *[("used", 0.04, False, True)] * 3).verdict == UNSURE
    assert str(used(one, *alive, ("used", np.nan, False, True)).text).endswith(
        "is used, but part 11 came up too seldom to tell how often."
    )
    assert used(one, *alive, ("used", 0.01, True, True), games=60).verdict == UNSURE


def led(lasting: float, games: int = 200) -> ReportPart:
    rng, half = np.random.default_rng(3), np.array([[[[0.7, 0.1, 0.1, 0.1]]] * 2] * 2)
    looks = []
    for _ in range(games):
        winner = 0 if rng.random() < lasting else 1
        end = np.array([np.arange(4) == winner, np.arange(4) == 3], float)
        looks.append(MatchAnalysis(np.array([0.5]), half, end, ()))
    return replace(made(FAIR, 4000), analyses=tuple(looks))


def test_leads_that_last_longer_than_usual_are_to_be_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    found = {lasting: answers.runaway(read(one := led(lasting)), one) for lasting in (0.95, 0.5)}
    assert [each.verdict for each in found.values()] == [LOOK, FINE]
    assert found[0.95].usual == pytest.approx(58, abs=2)
    for few in (led(0.6, 12), led(0.95, 5)):
        assert answers.runaway(read(few), few).verdict == UNSURE
    monkeypatch.setattr(shape, "has_winner", lambda _part: False)
    tied = answers.runaway(read(one := led(0.5)), one)
    assert tied.verdict == UNSURE and tied.text.endswith(" First place is too often shared to tell.")


# --- the page ---------------------------------------------------------------------------------------------------------
@pytest.fixture(scope="module")
def report() -> Report:
    parts = made([0.4, 0.6], 4000), made([1 / 3] * 3), made(FAIR, 40)
    return Report(Plan(("random",), backend="fast"), parts)


def test_every_answer_says_its_verdict_in_words_and_every_link_leads_somewhere(report: Report) -> None:
    html = page(told(report), appendix=True)
    for question in QUESTIONS:
        card = html[html.index(f'id="answer-{question.id}"') :].split("</article>")[0]
        assert str(question.title) in card and question.criterion
        assert any(words.replace("'", "&#39;") in card for words in WORDS.values())
    panels = set(re.findall(r'popovertarget="([^"]+)"', html))
    assert panels and all(html.count(f'id="{panel}"') == 1 for panel in panels)
    assert all(f"{n} players</text>" in html for n in (2, 3, 4))
    assert html.count("<details") == html.count(" open>") == 4
    assert " open>" not in page(told(replace(report, parts=report.parts[-1:])))


def test_the_figures_have_the_answers_of_all_numbers_of_players(report: Report) -> None:
    rows = of_report(told(report))["answers"]
    assert {(each["question"], each["players"]) for each in rows} == {(q.id, n) for q in QUESTIONS for n in (2, 3, 4)}
    fair = {each["players"]: each["verdict"] for each in rows if each["question"] == "fair"}
    assert fair == {2: LOOK, 3: FINE, 4: UNSURE}
    assert next(each.main.verdict for each in answered(Asked(report))) == LOOK


# --- games to see -----------------------------------------------------------------------------------------------------
def test_a_replay_in_the_page_is_the_game_of_its_command() -> None:
    game = hexdeck.game("hawthorn", 3)
    plan = Plan(("random",), seed=4, backend="fast")
    setup = plan.setup(game)
    one = ReportPart(game, collect(setup, 20), MessageCounts(game), game.measure, ("random",) * 3)
    replays = Replays(plan)
    link = replays.link(one, Example(7, 5))
    assert link is not None and list(replays.panels) == [link.panel] and replays.link(one, Example(7, 5)) == link
    shown, match = replays.panels[link.panel], next(matches(setup, 1, 7))
    words = game_words("hawthorn", "en", ("Seat 1", "Seat 2", "Seat 3")).words
    told = [words(fact.text) for facts in match.narration() for fact in facts if fact.heard_by(-1)]
    assert "Seat 3" in " ".join(told) and "Seat 0" not in " ".join(told)
    assert [text for text, _of in shown["lines"]] == told and sum(of for _text, of in shown["lines"]) >= 1
    assert len(shown["tables"]) == 2 and shlex.split(shown["command"])[:2] == ["hexdeck", "replay"]
    assert "--number 7" in shown["command"] and len(replays.panels) == 1


def test_the_example_of_a_card_shows_what_is_said_of_it(monkeypatch: pytest.MonkeyPatch) -> None:
    setup = SimulationSetup(hexdeck.game("hawthorn", 3), "house", 2, backend="fast")
    study = study_causes(setup, 60)
    played = ReportPart(setup.game, collect(setup, 60), MessageCounts(setup.game), setup.game.measure, causes=study)
    monkeypatch.setattr(tables, "ENOUGH", 10)
    signs = set[float]()
    for question in questions_of(played, tables.CARDS_USED.measures[2]):
        finding, sign = question.tell(), np.sign(question.found.value)
        assert finding.kind == "dealt_gain" and finding.example is not None
        result, first = study.results[finding.example.number], next(matches(setup, 1, finding.example.number))
        assert ((result - result.mean()) * sign > 0).any()
        assert any(finding.subject in str(first.view(seat).text()) or first.over for seat in range(3))
        signs.add(float(sign))
    assert signs == {-1, 1}
