"""The tutorial is done word for word, and its game is played on all three screens."""

import os
import random
import re
import shlex
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from hexdeck import authoring as own_game
from hexdeck import testing
from hexdeck.engine.discovery import finding
from hexdeck.engine.discovery.definition import forget
from hexdeck.web.html import rendering
from tests.people import ANY_MOVES, Room
from tests.settings import much
from tests.support import ran_apart, until
from tests.terminal.full.people import before, new_session
from tests.terminal.full.test_matches import by_keys
from tests.web.serving import Person, file_in, served

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "tutorials" / "your_own_game.md").read_text(encoding="utf-8")
FENCED = re.compile(r"^```(?P<lang>\w+)(?: (?P<what>\S+))?\n(?P<body>.*?)^```$", re.MULTILINE | re.DOTALL)
MOST = 150  # lines of both files


def test_two_files_of_few_lines_are_a_game() -> None:
    lines = [len((own_game.TEMPLATE / file).read_text(encoding="utf-8").splitlines()) for file in finding.FILES]
    assert sum(lines) <= MOST


def edit(body: str, file: Path) -> None:
    old, new = ("".join(line[1:] + "\n" for line in body.splitlines() if line[0] == sign) for sign in "-+")
    text = file.read_text(encoding="utf-8")
    if old not in text:  # the line goes on
        old, new = old.rstrip("\n"), new.rstrip("\n")
    assert text.count(old) == 1, old
    file.write_text(text.replace(old, new), encoding="utf-8")
    forget()


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.chdir(tmp_path)
    with monkeypatch.context() as patch:
        patch.setenv(finding.PATH, "")
        yield tmp_path
    forget()


def test_what_the_tutorial_says_works_word_for_word(room: Room, folder: Path) -> None:
    room.monkeypatch.setenv("HEXDECK_BACKEND", much("interpreted", "fast"))
    for check in much(("rules", "commits", "knowledge", "stops", "backends"), ()):  # test_checks.py has them
        room.monkeypatch.setitem(testing.CHECKS, check, lambda _walks: None)
    done = []
    for block in FENCED.finditer(PAGE):
        lang, what, body = block["lang"], block["what"] or "", block["body"]
        done.append(lang)
        if lang == "sh":
            for line in body.splitlines():
                words = [much("20", word) if word in {"200", "500"} else word for word in shlex.split(line)[1:]]
                if set(words) & much({"serve", "report"}, {"serve"}):  # a report takes half a minute
                    continue
                said = room.hexdeck(*words, typed=ANY_MOVES)
                assert said.status == (1 if what == "fails" else 0), f"{line}\n{said.out}{said.err}"
                assert not what or "depends on what it doesn't know" in " ".join(said.out.split())
        elif lang == "diff":
            edit(body, folder / what)
        elif lang == "python" and what:
            (folder / what).write_text(body, encoding="utf-8")
            forget()
        elif lang == "python":
            words = [sys.executable, "-c", body]
            ran = ran_apart(words, env=dict(os.environ))
            assert ran.stdout.endswith("played\n"), ran.stderr
        elif lang == "text":
            assert body in (folder / "high_bid" / "rules.py").read_text(encoding="utf-8")
    assert [done.count(lang) for lang in ("sh", "diff", "text", "python")] == [9, 18, 6, 2]
    said = room.hexdeck("--game-path", "high_bid", "play", "high-bid", "--seed", "1", typed=ANY_MOVES)
    assert said.status == 0 and "The prize is " in said.out and " takes the prize." in said.out
    left = room.hexdeck("--game-path", "high_bid", "play", "high-bid", typed=["q"])
    assert f"hexdeck --game-path {folder / 'high_bid'} play high-bid --resume" in left.out.replace("\n", " ")
    assert (folder / "high_bid" / "test_game.py").read_text(encoding="utf-8").count("high-bid") == 1


def look_anew() -> None:
    caches = (rendering.contents, rendering.address, rendering.symbols)
    for kept in caches:
        kept.cache_clear()


@pytest.mark.long
def test_its_game_is_played_on_all_three_screens(room: Room, folder: Path) -> None:
    own_game.new_game("high-bid", folder)
    room.monkeypatch.setenv(finding.PATH, str(folder))
    said = room.hexdeck("play", "high-bid", "--players", "3", "--seed", "1", "--pause", "0", typed=ANY_MOVES)
    assert said.status == 0 and "won (" in said.out and "The match is over." in said.out

    at = new_session("high-bid")
    before(at, by_keys)
    assert at.match.over

    with served(file_in(folder)) as site:
        look_anew()
        ann, dice = Person(site.base), random.Random(1)
        page = ann.get("/").text
        assert "High Bid" in page and 'id="play-high-bid"' in page and "#art-high-bid" in page
        sprite = re.search(r"/static/sprite[^#\"]*", page)
        assert sprite and 'id="art-high-bid"' in ann.get(sprite[0]).text
        seats = {"seat-1": "bot:random", "seat-2": "bot:random"}
        ann.begins({"game": "high-bid", "players": "3", "name": "Ann", **seats})
        until(lambda: ann.plays(dice))
        end = ann.page()
        assert "/record" in end and re.search(r"(won|shared the first place) \(", end), end
    look_anew()
