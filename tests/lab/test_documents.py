"""The pages about what is written and about programs as players say what is so."""

import json
import re
import sys
from pathlib import Path

import pytest
from schemas import FIELDS, FILE, page

import hexdeck
from hexdeck.bots.players.programs import Loss, end_message, turn_message
from hexdeck.engine.text import say
from hexdeck.lab import store
from hexdeck.lab.reporting.tables import MEASURES
from hexdeck.research.tournament import TournamentSetup, tournament
from tests.settings import GAMES, small_game

PROTOCOL = (Path(__file__).parents[2] / "docs" / "reference" / "protocol.md").read_text(encoding="utf-8")


@pytest.fixture(autouse=True)
def _backend(monkeypatch: pytest.MonkeyPatch) -> None:
    """With machine code, whatever the environment says."""
    monkeypatch.setenv("HEXDECK_BACKEND", "fast")


def test_the_page_about_files_is_as_they_are() -> None:
    text = FILE.read_text(encoding="utf-8")
    assert text == page(), "python tools/schemas.py"
    for meaning in (*store.GAMES.values(), *store.MADE.values()):
        assert meaning in text
    names = [measure.name for measure in MEASURES]
    assert len({*names}) == len(names)
    for name, meaning in (*FIELDS.items(), *((measure.name, measure.meaning) for measure in MEASURES)):
        assert f"| `{name}` | {meaning}" in text


def fields(part: str) -> set[str]:
    return set(re.findall(r"^\| `(\w+)` \|", part, re.MULTILINE))


@pytest.mark.parametrize("name", GAMES)
def test_every_field_of_a_line_is_told_and_no_other(name: str) -> None:
    line, view = PROTOCOL.split("\nThe view:\n")
    match = small_game(name).match(seed=1, backend="fast")
    for data in (turn_message(match, match.actor, 0), end_message(match, 0, 1, Loss(1, say("the program ended")))):
        assert set(data) == fields(line) and set(data["view"]) == fields(view)
        assert json.loads(json.dumps(data)) == data
        rows = re.findall(r"^\| `(zones|moves)`(.*)$", view, re.MULTILINE)
        listed = {key: set(re.findall(r"`(\w+)`", row)) for key, row in rows}
        assert set(listed) == {"zones", "moves"}
        for key, names in listed.items():
            assert all(set(each) == names for each in data["view"][key]), key


def test_the_program_of_the_page_plays_whole_games(tmp_path: Path) -> None:
    source = re.search(r"```python\n(.*?)```", PROTOCOL, re.DOTALL)
    assert source is not None
    (tmp_path / "bot.py").write_text(source[1], encoding="utf-8")
    bots = "random", f"run:{sys.executable} {tmp_path / 'bot.py'}"
    found = tournament(TournamentSetup(hexdeck.game("hawthorn", 2), bots), 2)
    assert not found.forfeits(bots[1]) and all(each.returns for each in found.games)


def test_an_answer_is_as_the_page_says() -> None:
    answer = re.search(r"```json\n(.*?)```", PROTOCOL, re.DOTALL)
    assert answer is not None and list(json.loads(answer[1])) == ["move"]
