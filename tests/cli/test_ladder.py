"""`hexdeck tournament --ladder`: what it prints, and what it refuses."""

import json
import re
from pathlib import Path

import pytest

from hexdeck.bots.players import levels
from tests.compiled import warm
from tests.people import Room
from tests.support import for_each

SAVED = "tournament", "hawthorn", "levels", "--ladder", "-n", "2", "--save"


def test_the_command_prints_ratings_and_shares(room: Room) -> None:
    warm("cursed-hand", "fast")
    room.monkeypatch.setenv("HEXDECK_BACKEND", "fast")
    bots = "random", "rollout:10", "house"
    said = room.hexdeck("tournament", "cursed-hand", *bots, "--ladder", "-n", "2", "--deals", "5")
    assert said.status == 0 and max(map(len, said.out.splitlines())) <= 80
    assert "Elo rating" in said.out and re.search(r"rollout:10 │ +random .* house │ rollout:10 ", said.out, re.DOTALL)


@for_each(
    ("words", "why"),
    [
        (["house"], "two bots or more"),
        (["house", "clever"], "There is no bot clever"),
        (["levels", "--deals", "0"], "--deals can't be 0; it takes 2 to"),
        (["levels", "--minutes", "0"], "--minutes can't be 0"),
        (["house", "random", "--save"], "name levels alone"),
        (["levels", "--save", "--option", "deals=2"], "leave out --option"),
        (["levels", "--save", "--deals", "2"], "--save needs at least 200 deals"),
    ],
)
def test_bad_words_are_refused(words: list[str], why: str, room: Room) -> None:
    said = room.hexdeck("tournament", "hawthorn", *words, "--ladder")
    assert said.status == 2 and why in said.err


def test_what_is_kept_says_how_it_was_measured(room: Room, tmp_path: Path) -> None:
    warm("hawthorn", "fast")
    kept = {"levels": {"*": {"gentle": "gentle", "steady": "house"}}}
    (tmp_path / "levels.json").write_text(json.dumps(kept), encoding="utf-8")
    room.monkeypatch.setenv("HEXDECK_BACKEND", "fast")
    room.monkeypatch.setattr(levels, "levels_file", lambda game: tmp_path / "levels.json")
    levels.read.cache_clear()
    room.monkeypatch.setattr(levels, "ENOUGH", 3)
    assert room.hexdeck(*SAVED, "--deals", "3", "--seed", "5").status == 0
    levels.read.cache_clear()
    measured = json.loads((tmp_path / "levels.json").read_text(encoding="utf-8"))["measured"]["2"]
    assert measured["command"] == "hexdeck tournament hawthorn levels --ladder --players 2 --deals 3 --seed 5 --save"
    wanted = [("gentle", "random"), ("gentle", "steady"), ("steady", "gentle")]
    assert [(row["one"], row["others"]) for row in measured["contests"]] == wanted
    assert measured["bots"] == kept["levels"]["*"]
    assert [path.name for path in tmp_path.iterdir()] == ["levels.json"]


def test_a_place_that_cannot_be_written_is_refused_before_playing(room: Room, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    room.monkeypatch.setattr(levels, "levels_file", lambda game: tmp_path / "file" / "levels.json")
    levels.read.cache_clear()
    room.monkeypatch.setattr("hexdeck.research.rating.ladder", lambda *_: pytest.fail("played"))
    said = room.hexdeck(*SAVED)
    levels.read.cache_clear()
    assert said.status == 2 and "The levels of hawthorn can't be stored here" in said.err


def test_names_of_bots_stay_as_they_are(room: Room) -> None:
    """No part of one becomes a picture, though `:house:` names one; where it is narrow none loses its end."""
    warm("hawthorn", "fast")
    room.monkeypatch.setenv("HEXDECK_BACKEND", "fast")
    said = room.hexdeck("tournament", "hawthorn", "random", "rollout:house:5", "--ladder", "-n", "2", "--deals", "2")
    assert said.status == 0 and "rollout:house:5" in said.out
    room.monkeypatch.setenv("COLUMNS", "60")
    narrow = room.hexdeck("tournament", "hawthorn", "random", "rollout:house:5", "--ladder", "-n", "2", "--deals", "2")
    assert narrow.status == 0 and narrow.out != said.out and "…" not in narrow.out
