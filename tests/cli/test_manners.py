"""`tools/manners.py`: what it prints, and what it refuses."""

import pytest

from tests.compiled import warm
from tests.support import for_each
from tests.tools import tool


@for_each(
    ("words", "why"),
    [
        (["--deals", "1"], "--deals can't be 1; it takes 2 to"),
        (["--levels", "great"], "There is no level great; there are easy, medium, hard, best"),
        (["--tilt", "2", "3"], "--tilt goes with --save"),
        (["--save", "--tilt", "2"], "--tilt takes a number for each manner of hawthorn: 2"),
        (["--save", "--deals", "20"], "on at least 200 deals"),
        (["--save", "--option", "deals=2"], "with the usual options"),
    ],
)
def test_bad_words_are_refused(words: list[str], why: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert tool("manners.py", ["hawthorn", "-n", "2", *words]) == 2
    assert why in capsys.readouterr().err


def test_the_command_prints_what_a_manner_changes(monkeypatch, capsys) -> None:
    warm("hawthorn", "fast")
    monkeypatch.setenv("HEXDECK_BACKEND", "fast")
    monkeypatch.setenv("COLUMNS", "160")
    words = ["hawthorn", "-n", "2", "--levels", "best", "--deals", "40", "--watched", "40"]
    assert tool("manners.py", words) == 0
    bold, careful = capsys.readouterr().out.splitlines()[-2:]
    assert bold.startswith("best:bold ×") and "times as often; told from careful" in bold
    assert careful.startswith("best:careful ×")
