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
        (["--manners", "rude"], "there is no manner rude"),
        (["--levels", "medium"], "medium has no manners"),
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
    words = ["hawthorn", "-n", "2", "--levels", "best", "--manners", "bold", "--deals", "60"]
    assert tool("manners.py", words) == 0
    said = capsys.readouterr().out
    assert "Being bold" in said and " often" in said and "each manner on 120 pairs of games" in said
