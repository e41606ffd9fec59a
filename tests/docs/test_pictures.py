"""The README is short, shows what it tells, and its pictures are of the program as it is."""

import json
import re
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

import hexdeck
from hexdeck.engine.discovery import definition
from hexdeck.engine.discovery.finding import game_names

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
FOLDER = ROOT / "docs" / "pictures"
SMALL = 400_000  # bytes of a picture at most


def plain() -> str:
    return re.sub(r"```.*?```", "", README, flags=re.DOTALL)


def test_the_readme_is_short() -> None:
    assert len(plain().split()) <= 750 and README.count("\n") <= 110


def test_to_play_to_playtest_and_to_research_take_few_lines_and_two_blocks_at_most() -> None:
    parts = dict(re.findall(r"^## (.*?)\n(.*?)(?=^## )", README, re.MULTILINE | re.DOTALL))
    for name in ("Play", "Playtest", "Research"):
        lines = [line for line in parts[name].splitlines() if line and not line.startswith("<!--")]
        assert len(lines) <= 16 and parts[name].count("```") in {2, 4}, name


def test_each_game_stands_in_it_with_its_poster_players_and_minutes() -> None:
    rows = dict(
        re.findall(
            r"^\| <img src=\"docs/pictures/([\w-]+)\.png\".*?\| \[\*\*.*?\*\*\]\(\S+\) \| (.*)$", README, re.MULTILINE
        )
    )
    assert list(rows) == definition.soonest_learned()
    for name, row in rows.items():
        players, minutes, sentence, _ = (part.strip() for part in row.split("|"))
        least, most = hexdeck.game(name).definition.table.ABOUT.minutes
        low, high = hexdeck.game(name).definition.rules.PLAYERS
        assert players == f"{low}–{high}" and minutes == f"{least} / {most}" and sentence.endswith(".")


def test_its_pictures_are_there_and_small() -> None:
    named = re.findall(r"docs/pictures/[\w.-]+", README)
    assert len([each for each in named if f"{Path(each).stem}" not in game_names()]) >= 4
    for each in named:
        assert (ROOT / each).stat().st_size <= SMALL, each


def test_nothing_is_installed_by_a_name_from_an_index() -> None:
    pages = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *(ROOT / "docs").rglob("*.md")]
    for page in (page for page in pages if "_build" not in page.parts):
        assert not re.search(r"pip install ['\"]?hexdeck\b(?!-)", page.read_text(encoding="utf-8")), page


@pytest.mark.long
def test_pictures_are_of_the_program_as_it_is(tmp_path: Path) -> None:
    import pictures

    kept = json.loads((FOLDER / "contents.json").read_text(encoding="utf-8"))
    assert {*pictures.all_pictures()} == {*kept}
    quick = [name for name in kept if not name.startswith("report-")]  # a report takes minutes, and has its own tests
    with ThreadPoolExecutor(1) as apart:  # a browser of other tests may have a loop in this thread
        made = apart.submit(pictures.make, tmp_path, quick).result()
    for name, contents in made.items():
        assert contents == kept[name], f"{name} shows something else than it did: look at it, and run make pictures"
