"""Whole matches as they were when somebody last looked: `python tools/playthroughs.py` writes them anew."""

import playthroughs
import pytest

from tests.settings import GAMES


@pytest.mark.parametrize("name", playthroughs.cases())
def test_a_match_goes_as_it_went(name: str) -> None:
    case = playthroughs.cases()[name]
    assert playthroughs.playthrough(case) == case.file.read_text(encoding="utf-8")


def test_every_game_has_one() -> None:
    assert {case.game for case in playthroughs.cases().values()} == {*GAMES}


def test_no_text_is_left_over() -> None:
    files = {case.file for case in playthroughs.cases().values()}
    assert {text for file in files for text in file.parent.glob("*.txt")} == files
