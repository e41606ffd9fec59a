"""What people said of matches, in reports: means over matches, shares with intervals, quotes, findings, Parquet."""

from types import SimpleNamespace

import pandas as pd

import hexdeck
from hexdeck.engine.text import Catalogue
from hexdeck.lab.log import SimulationSetup
from hexdeck.lab.reporting.measures import questions_of
from hexdeck.lab.reporting.people import FUN, SAID, quotes, write_answers
from hexdeck.lab.reporting.report import part_of
from hexdeck.stats import holm
from hexdeck.tables.feedback import Feedback
from tests.support import for_each


def part(said):
    """A part of which only what people said is known."""
    return part_of(
        SimulationSetup(hexdeck.game("hawthorn", 3)), played=SimpleNamespace(said=said, mixed={}, minutes=[0.0])
    )


def words(section):
    """The cells of a section in English."""
    catalogue = Catalogue("en")
    return [[cell if isinstance(cell, str) else catalogue.words(cell) for cell in row] for row in section.rows]


def findings(said):
    """What is surely so of what people said, by measure."""
    questions = [each for measure in SAID.measures for each in questions_of(part(said), measure)]
    sure = holm([each.p for each in questions])
    return {each.kind: str(each.tell().text) for each, sure in zip(questions, sure, strict=True) if sure}


def test_players_of_one_match_count_as_one():
    alike = [[Feedback(seat, fun=fun) for seat in range(4)] for fun in (2, 4, 3)]
    found = FUN.of_part(part(alike))
    assert found == FUN.of_part(part([[Feedback(0, fun=fun)] for fun in (2, 4, 3)])) and found.count == 3


def test_only_questions_that_somebody_answered_have_a_row():
    (table,) = SAID.sections(part([[Feedback(0, fun=4)], [Feedback(1, fun=5)]]))
    assert [row[0] for row in words(table)] == ["fun, from 1 to 5", "confused"]
    assert str(table.note).startswith("2 players answered: on fun 2, on fairness 0, on length 0.")
    assert not list(SAID.sections(part([[], []])))


def test_words_are_quoted_the_newest_first():
    said = [[Feedback(0, confused="the ace", at=1.0)], [Feedback(1, words="again!", confused="the gift", at=2.0)]]
    (table,) = quotes(part(said))
    assert [row[1] for row in words(table)] == ["“the gift”", "“the ace”", "“again!”"]


@for_each(("grades", "found"), [((1, 2, 1, 2, 1, 2, 1, 1), True), ((3, 2, 4, 3, 2, 5, 3, 3), False), ((1,), False)])
def test_dull_is_a_finding_where_it_is_sure(grades, found):
    told = findings([[Feedback(0, fun=each)] for each in grades])
    assert ("had little fun" in told.get("fun", "")) == found


def test_too_long_is_a_finding_where_most_surely_say_so():
    long = [[Feedback(0, length=1)]] * 12
    assert findings(long).keys() == {"too_long"}
    assert not findings(long[:3] + [[Feedback(0, length=0)]] * 3)


def test_every_answer_is_a_row_of_parquet(tmp_path):
    said = [[Feedback(0, fun=5, words="ja"), Feedback(2, length=-1)], [], [Feedback(1, fair=1, at=9.0)]]
    assert write_answers([part(said)], tmp_path / "answers.parquet") == 3
    table = pd.read_parquet(tmp_path / "answers.parquet")
    assert list(table["match"]) == [0, 0, 2] and list(table["seat"]) == [1, 3, 2]
    assert table["fun"][0] == 5 and table["words"][0] == "ja" and table["fair"][2] == 1
    assert write_answers([part([[], []])], tmp_path / "none.parquet") == 0
