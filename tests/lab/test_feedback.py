"""What people said of matches, in reports: means over matches, shares with intervals, quotes, findings, Parquet."""

from types import SimpleNamespace

import pandas as pd

import hexdeck
from hexdeck.engine.text import Catalogue
from hexdeck.lab.reporting.feedback.section import answer_rows, feedback, feedback_findings, grade, write_answers
from hexdeck.tables.storage.feedback import Feedback
from tests.support import for_each


def group(said):
    """As much of a group as is asked for."""
    return SimpleNamespace(game=hexdeck.game("hawthorn", 3), said=said)


def words(section):
    """The cells of a section in English."""
    catalogue = Catalogue("en")
    return [[cell if isinstance(cell, str) else catalogue.words(cell) for cell in row] for row in section.rows]


def test_players_of_one_match_count_as_one():
    alike = [[Feedback(seat, fun=fun) for seat in range(4)] for fun in (2, 4, 3)]
    assert grade(alike, "fun") == grade([[Feedback(0, fun=fun)] for fun in (2, 4, 3)], "fun")
    assert grade(alike, "fun").count == 3


def test_a_question_that_nobody_answered_says_so():
    (table,) = feedback([[Feedback(0, fun=4)], [Feedback(1, fun=5)]])
    rows = {row[0]: row[1:] for row in words(table)}
    assert rows["fair, from 1 to 5"][0] == rows["too long"][0] == "no answer"
    assert not list(feedback([[], []]))


def test_words_are_quoted_the_newest_first():
    said = [[Feedback(0, confused="the ace", at=1.0)], [Feedback(1, words="again!", confused="the gift", at=2.0)]]
    _table, quotes = feedback(said)
    assert [row[1] for row in words(quotes)] == ["“the gift”", "“the ace”", "“again!”"]


@for_each(("grades", "found"), [((1, 2, 1, 2, 1, 2, 1, 1), True), ((3, 2, 4, 3, 2, 5, 3, 3), False), ((1,), False)])
def test_dull_is_a_finding_where_it_is_sure(grades, found):
    findings = list(feedback_findings(group([[Feedback(0, fun=each)] for each in grades]), 1))
    assert bool(findings) == found
    if found:
        assert "had little fun" in Catalogue("en").words(findings[0].text)


def test_too_long_is_a_finding_where_most_surely_say_so():
    long = [[Feedback(0, length=1)]] * 12
    assert [each.kind for each in feedback_findings(group(long), 1)] == ["feedback 1"]
    assert not list(feedback_findings(group(long[:3] + [[Feedback(0, length=0)]] * 3), 1))


def test_every_answer_is_a_row_of_parquet(tmp_path):
    said = [[Feedback(0, fun=5, words="ja"), Feedback(2, length=-1)], [], [Feedback(1, fair=1, at=9.0)]]
    assert write_answers([group(said)], tmp_path / "answers.parquet") == 3
    table = pd.read_parquet(tmp_path / "answers.parquet")
    assert list(table["match"]) == [0, 0, 2] and list(table["seat"]) == [1, 3, 2]
    assert table["fun"][0] == 5 and table["words"][0] == "ja" and table["fair"][2] == 1
    assert answer_rows([group([[], []])]) == []
