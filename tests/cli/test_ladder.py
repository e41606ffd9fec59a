"""`hexdeck ladder`: what it prints, and what it refuses."""

import re

import pytest

from tests.compiled import warm
from tests.people import Room


@pytest.mark.parametrize("lang", ["en", "nl"])
def test_the_command_prints_ratings_and_shares(lang: str, room: Room) -> None:
    warm("hawthorn", "fast")
    room.monkeypatch.setenv("HEXDECK_LANE", "fast")
    said = room.hexdeck("--lang", lang, "ladder", "hawthorn", "-n", "2", "--bots", "house", "random", "--groups", "5")
    assert said.status == 0 and max(map(len, said.out.splitlines())) <= 80
    assert ("rating" if lang == "en" else "waardering") in said.out and re.search(r"random │ +house", said.out)


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["--bots", "house"], "at least two bots"),
        (["--bots", "house", "clever"], "There is no bot clever"),
        (["--groups", "0"], "--groups can't be 0; it takes 1 to"),
    ],
)
def test_bad_words_are_refused(words: list[str], why: str, room: Room) -> None:
    said = room.hexdeck("ladder", "hawthorn", *words)
    assert said.status == 2 and why in said.err
