"""`hexdeck puzzles` asks puzzles at the terminal; `tools/mine_puzzles.py` mines with bounds, and resumes."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from mine_puzzles import COMMAND, Miner

from hexdeck.cli import main, run_tool
from hexdeck.puzzles import Puzzle, load, shipped
from tests.support import for_each

MINING = ("hawthorn", "--players", "4", "--bot", "house", "--seed", "1")
Capture = pytest.CaptureFixture[str]


def typed(monkeypatch: pytest.MonkeyPatch, *lines: str) -> None:
    """What somebody types, then the end of input."""
    left: Iterator[str] = iter(lines)

    def read(_prompt: str = "") -> str:
        try:
            return next(left)
        except StopIteration:
            raise EOFError from None

    monkeypatch.setattr("builtins.input", read)


def mine(*words: object) -> int:
    """Mine; returns the exit status."""
    return run_tool(COMMAND, [*MINING, *map(str, words)])


def test_mining_tells_what_it_finds_and_goes_on(tmp_path: Path, capsys: Capture) -> None:
    file = tmp_path / "mine.json"
    for matches in (3, 5):
        assert mine("--games", matches - len(done(file)), "--count", "99", "--resume", file) == 0
        said = capsys.readouterr().out
        assert f"after {matches} matches of this seed" in said and ("a puzzle of" in said) == (matches == 3)


def done(file: Path) -> range:
    return range(sum(load(file).done.values()) if file.exists() else 0)


def test_a_bound_out_of_range_is_refused(capsys: Capture) -> None:
    assert mine("--count", "0") == 2
    assert "--count can't be 0" in capsys.readouterr().err


def test_an_interrupt_keeps_what_was_found(tmp_path: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    puzzles = Miner.puzzles

    def interrupted(miner: Miner, number: int) -> Iterator[Puzzle]:
        if number == 2:
            raise KeyboardInterrupt
        return puzzles(miner, number)

    monkeypatch.setattr(Miner, "puzzles", interrupted)
    file = tmp_path / "mine.json"
    assert mine("--count", "99", "--resume", file) == 130
    assert "the same command resumes" in capsys.readouterr().err and len(done(file)) == 2


@for_each(
    ("words", "why"),
    [
        (("there.json",), "can't be used: its puzzles are of hawthorn"),
        (("nowhere.json",), "There is no file nowhere.json"),
        (("--players", "9"), "The puzzles of blackstone are for 2, 3 or 4 players, not 9."),
    ],
)
def test_what_cannot_be_is_refused(words, why, tmp_path, capsys, monkeypatch) -> None:
    monkeypatch.chdir(tmp_path)
    shipped("hawthorn").save(tmp_path / "there.json")
    assert main(["puzzles", "blackstone", *words]) == 2
    assert why in capsys.readouterr().err


def test_a_server_refuses_a_file_that_is_none(tmp_path: Path, capsys: Capture) -> None:
    (tmp_path / "bad.json").write_text("[]")
    assert main(["serve", "--no-browser", "--port", "0", "--puzzles", str(tmp_path / "bad.json")]) == 2
    assert "can't be used: it is no file of puzzles" in capsys.readouterr().err


@pytest.mark.parametrize("lang", ["en", "nl"])
def test_puzzles_are_asked_and_explained_at_the_terminal(lang, capsys, monkeypatch) -> None:
    first, second = shipped("hawthorn").puzzles[:2]
    typed(monkeypatch, "nonsense", first.best, "", next(iter(second.costs)), "q")
    assert main(["--lang", lang, "puzzles", "hawthorn"]) == 0
    said = capsys.readouterr().out
    words = {
        "en": ("One move is clearly the best", "Type the key", "Right: ", "Not this time", "chips less"),
        "nl": ("Eén zet is duidelijk de beste", "Typ wat er voor", "Goed: ", "Deze keer niet", "fiches minder"),
    }[lang]
    assert all(each in said for each in words)
    assert ("1 of 1 solved" if lang == "en" else "1 van 1 opgelost") in said or "1 of 2" in said or "1 van 2" in said
    assert said.index(words[0]) < said.index(words[2])
