"""Beats on the wire: frames say what they follow, bots wait for pages, and a person sets the pace."""

import contextlib
import random
import re
import threading
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from hexdeck.tables import live as tables_live
from hexdeck.tables.live import LiveTable
from tests.support import PATIENCE, until
from tests.web.serving import Person, Program, Served, file_in, served

GAME = "wolf-mans-curse"


@pytest.fixture(scope="module")
def slow(tmp_path_factory: pytest.TempPathFactory, _backend: None) -> Iterator[Served]:
    with served(file_in(Path(tmp_path_factory.mktemp("slow"))), pause=0.05) as server:
        yield server


def seated(site: Served) -> Person:
    return Person(site.base).begins({"game": GAME, "name": "Ann"}, "/play")


def set_first_look(monkeypatch: pytest.MonkeyPatch, seconds: float) -> None:
    monkeypatch.setattr(tables_live, "FIRST_LOOK", seconds)


def live(site: Served, person: Person) -> LiveTable:
    return site.state.registry.tables[person.table]


class Reader:
    """Reads a stream: for each frame the version, what its beats follow, and how many there are."""

    def __init__(self, person: Person) -> None:
        self.frames: list[tuple[int, int | None, int]] = []
        self.texts: list[str] = []
        self.ended = False
        threading.Thread(target=self._read, args=(person,), daemon=True).start()
        until(lambda: self.frames)

    def _read(self, person: Person) -> None:
        with (
            contextlib.suppress(httpx.HTTPError),
            person.http.stream("GET", f"/table/{person.table}/stream", timeout=PATIENCE) as answer,
        ):
            text = ""
            for part in answer.iter_text():
                if self.ended:
                    return
                text += part
                if "event: table" in text and text.endswith("\n\n"):
                    follows = re.search(r'data-follows="(\d+)"', text)
                    version = re.search(r'data-version="(\d+)"', text)
                    self.texts.append(text)
                    self.frames.append(
                        (int(version[1]) if version else -1, follows and int(follows[1]), text.count("<template"))
                    )
                    text = ""


def test_frames_follow_the_one_before_and_the_first_follows_nothing(slow: Served) -> None:
    ann, stranger = seated(slow), Person(slow.base)
    stranger.table = ann.table
    ann.page()
    readers = [Reader(ann), Reader(stranger)]
    until(lambda: ann.plays(random.Random(1)) or live(slow, ann).version >= 6)
    until(lambda: all(frame[0] >= 6 for reader in readers for frame in reader.frames[-1:]))
    for reader in readers:
        first, *later = reader.frames
        assert first[1:] == (None, 0)
        assert any(steps > 1 for _, _, steps in later)
        versions = [version for version, _, _ in reader.frames]
        assert all(follows in {None, before} for before, (_, follows, _) in zip(versions, later, strict=False))
        reader.ended = True
    steps = [{version: steps for version, _, steps in reader.frames if steps} for reader in readers]
    assert all(steps[0][version] == steps[1][version] for version in steps[0].keys() & steps[1].keys())


def test_nothing_in_beats_can_be_played_or_tells_whose_turn_it_is(slow: Served) -> None:
    ann = seated(slow)
    ann.page()
    reader = Reader(ann)
    until(lambda: ann.plays(random.Random(1)) or any(steps for _, _, steps in reader.frames))
    shown = next(text for text in reader.texts if "<template" in text).partition("event: table")[0]
    assert "<button" not in shown and 'form="play"' not in shown and "acting" not in shown
    reader.ended = True


def test_bots_wait_for_a_page_and_with_nobody_there_for_a_while(slow: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    set_first_look(monkeypatch, 1e6)
    ann, ben = seated(slow), seated(slow)
    ann.page()
    assert not live(slow, ann).seen  # what is asked for isn't open yet
    reader = Reader(ann)
    until(lambda: live(slow, ann).version > 1)
    assert reader.frames[0][0] == live(slow, ben).version == 1
    set_first_look(monkeypatch, 0.0)
    until(lambda: live(slow, ben).version > 1)
    reader.ended = True


def test_bots_wait_no_longer_for_who_comes_back_to_a_page_without_a_script(slow, monkeypatch) -> None:
    set_first_look(monkeypatch, 1e6)
    ann = seated(slow)
    for _ in range(2):
        ann.page()
    until(lambda: live(slow, ann).version > 1)


def test_a_person_sets_the_pace_and_it_is_remembered(slow: Served) -> None:
    ann = seated(slow)
    assert 'data-pace="1"' in ann.page()
    for pace, factor in (("slow", 1.6), ("quick", 0.5), ("never", 0.5)):
        ann.post("/settings", {"pace": pace, "back": "/"})
        assert f'data-pace="{factor}"' in ann.page()
    reader = Reader(ann)
    assert live(slow, ann).pace == 0.5
    reader.ended = True


def test_a_person_turns_bots_remarks_off_and_it_is_remembered(site: Served) -> None:
    ann = seated(site)
    for choice, quiet in (("", False), ("off", True), ("maybe", True), ("on", False)):
        ann.post("/settings", {"remarks": choice, "back": "/"})
        assert ("data-quiet" in re.findall("<html[^>]*>", ann.page())[0]) is quiet


def test_a_replay_tells_step_by_step_what_happened_since_the_stop_before(site: Served) -> None:
    ann, rng = seated(site), random.Random(1)
    until(lambda: ann.plays(rng))
    found = growls = 0
    for seat in ("open", "-1", "0"):
        for step in range(1, 6):
            page = ann.get(f"/replay/{ann.table}?seat={seat}&step={step}").text
            ply, before = (
                re.search(
                    r'id="table"[^>]*data-ply="(\d+)"', ann.get(f"/replay/{ann.table}?seat={seat}&step={at}").text
                )
                for at in (step, step - 1)
            )
            assert "<template" not in page and ply and before
            told = ann.get(f"/replay/{ann.table}?seat={seat}&step={step}&from={before[1]}").text
            assert "<template" not in told or f'data-follows="{before[1]}"' in told
            found += told.count("<template")
            growls += told.count('data-said="Grrr!"')
            assert "<template" not in ann.get(f"/replay/{ann.table}?seat={seat}&step={step}&from={ply[1]}").text
    assert found > 5 and growls > 0


def test_programs_ask_for_beats(site: Served) -> None:
    ann, stranger = Program(site.base), Program(site.base)
    ann.creates(game=GAME, players=3, seats=["you", "random", "random"])
    stranger.table, rng, found = ann.table, random.Random(1), 0
    while (state := ann.moves(rng))["state"] != "over":
        told, public = (who.get(f"/beats?since={state['version'] - 1}").json() for who in (ann, stranger))
        assert told["follows"] == state["version"] - 1 and told["version"] >= state["version"]
        if told["version"] == public["version"]:  # else a bot moved in between
            assert sum(beat["hold"] for beat in told["beats"]) == sum(beat["hold"] for beat in public["beats"])
        now = ann.state()
        if told["beats"] and now["version"] == told["version"]:
            assert told["beats"][-1]["zones"] == now["view"]["zones"]
        found += len(told["beats"])
        for since in ("", "x", "-1", str(10**6), str(state["version"] + 50)):
            assert ann.get(f"/beats?since={since}").json()["beats"] == []
    assert found


def test_where_bots_do_not_wait_there_are_no_beats(site: Served) -> None:
    ann = seated(site)
    ann.page()
    reader = Reader(ann)
    until(lambda: ann.plays(random.Random(1)) or live(site, ann).version >= 6)
    assert live(site, ann).pace == 0 and not any(steps for _, _, steps in reader.frames)
    reader.ended = True
