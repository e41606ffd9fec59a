"""Whole matches as they were when somebody last looked: `python tools/playthroughs.py` writes them anew."""

from pathlib import Path

import playthroughs
import pytest

import hexdeck

FOLDER = Path(__file__).parent


@pytest.mark.parametrize("name", playthroughs.cases())
def test_a_match_goes_as_it_went(name: str) -> None:
    written = (FOLDER / f"{name}.txt").read_text(encoding="utf-8")
    assert playthroughs.playthrough(playthroughs.cases()[name]) == written


def test_every_game_has_one() -> None:
    assert {case[0] for case in playthroughs.cases().values()} == set(hexdeck.game_names())
