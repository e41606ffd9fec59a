"""Hints at tables: where they are allowed, for whom, how often; they never change anything."""

import functools
import random
import re
import threading

import pytest

import hexdeck
from hexdeck.bots.advice import hints
from hexdeck.bots.worlds import Worlds
from tests.settings import every_game
from tests.support import PATIENCE, until
from tests.web.serving import Limits, Person, Program, Served, file_in, served

SCRIPT = {"hexdeck": "1"}


@pytest.fixture(scope="module")
def backend() -> str:
    """Rules that need no machine code: what is asked is when there are hints, not how good they are."""
    return "interpreted"


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hints, "GAMES", {"interpreted": 3})
    monkeypatch.setattr(hints, "Worlds", functools.partial(Worlds, count=4))
    monkeypatch.setattr("hexdeck.web.routes.advice.PATIENCE", PATIENCE)


def playing(site: Served, game: str = "hawthorn", **fields: str) -> Person:
    ann = Person(site.base).begins({"game": game, **fields}, "/tables" if fields else "/play")
    until(
        lambda: not site.state.registry.tables[ann.table].played_by_server
    )  # a bot's choice would change what is asked
    return ann


def hint(person: Person, **how: dict[str, str]) -> tuple[int, str]:
    answer = person.post(f"/table/{person.table}/hint", **how)
    return answer.status_code, answer.text


@every_game
def test_who_plays_at_once_gets_a_hint_without_script_and_the_table_stays_as_it_is(name: str, site: Served) -> None:
    ann = Person(site.base)
    game = hexdeck.game(name)
    ann.begins(
        {
            "game": name,
            "players": str(game.players),
            "hints": "yes",
            **{f"seat-{k}": "open" for k in range(1, game.players)},
        }
    )
    ann.post(f"/table/{ann.table}/start")
    live = site.state.registry.tables[ann.table]
    while 0 not in live.acting:
        ann.page()
    before = live.match and live.match.struct.history
    status, page = hint(ann)
    assert status == 200 and "The best moves, judging only by what you know:" in page
    assert 2 <= len(re.findall(r"<li><b>", page)) <= 3
    assert 0 in live.acting and before == (live.match and live.match.struct.history)


def test_one_with_bots_has_hints_and_several_people_only_where_the_host_says_so(site: Served) -> None:
    alone = playing(site)
    assert "get-hint" in alone.page() and "Hints are allowed at this table." in alone.page()
    assert hint(alone, headers=SCRIPT)[0] == 200
    for given, allowed in ({}, False), ({"hints": "yes"}, True), ({"hints": "no"}, False):
        table = playing(site, players="2", **{"seat-1": "open", **given})
        table.post(f"/table/{table.table}/start")
        assert ("get-hint" in table.page()) is allowed
        assert ("No hints at this table." in table.page()) is not allowed
        status, said = hint(table, headers=SCRIPT)
        assert status == (200 if allowed else 403)
        assert allowed or "Hints aren&#39;t allowed" in said or "Hints aren't allowed" in said


def test_guests_are_told_whether_there_are_hints(site: Served) -> None:
    ann = playing(site, players="2", **{"seat-1": "open", "hints": "yes"})
    (link,) = ann.invitations()
    guest = Person(site.base).begins({"name": "Bob"}, link)
    assert "Hints are allowed at this table." in guest.page()


def test_programs_are_told_the_same_in_numbers(site: Served) -> None:
    ann = Program(site.base)
    state = ann.creates(game="hawthorn", players=2, seats=["you", "house"])
    assert state["hints"] is True
    until(
        lambda: not site.state.registry.tables[ann.table].played_by_server
    )  # a bot's choice would make another version
    hinted = ann.post("/hint").json()
    legal = {move["id"]: move["label"] for move in ann.state()["view"]["moves"]}
    worths = [each["value"] for each in hinted["hints"]]
    assert worths == sorted(worths, reverse=True) and hinted["version"] == ann.state()["version"]
    assert all(legal[each["id"]] == each["label"] and each["margin"] >= 0 for each in hinted["hints"])


def test_nobody_is_helped_whose_turn_it_is_not(site: Served) -> None:
    ann = Program(site.base)
    ann.creates(game="hawthorn", players=2, seats=["you", "open"], hints=True)
    assert ann.post("/hint").status_code == 409  # nothing is dealt
    ann.post("/start")
    ann.moves(random.Random(1))
    watching = Program(site.base)
    watching.table = ann.table
    assert watching.post("/hint").status_code == 403
    stranger = Person(site.base)
    assert stranger.post(f"/table/{ann.table}/hint").status_code == 403


def test_hints_are_not_asked_for_without_end(tmp_path) -> None:
    with served(file_in(tmp_path), Limits(hints=(0.001, 3))) as site:
        ann = playing(site)
        assert [hint(ann, headers=SCRIPT)[0] for _ in range(5)] == [200, 200, 200, 429, 429]
        assert hint(playing(site), headers=SCRIPT)[0] == 200  # another seat


def test_a_hint_that_takes_too_long_keeps_nobody_waiting_and_is_there_later(site, monkeypatch) -> None:
    ann, may = playing(site), threading.Event()
    honest = hints.advised
    monkeypatch.setattr("hexdeck.tables.advice.advised", lambda *asked: may.wait() and honest(*asked))
    monkeypatch.setattr("hexdeck.web.routes.advice.PATIENCE", 0.05)
    status, said = hint(ann, headers=SCRIPT)
    assert status == 503 and "ask again" in said
    assert ann.get("/healthz").status_code == 200
    may.set()
    monkeypatch.setattr("hexdeck.web.routes.advice.PATIENCE", PATIENCE)
    assert hint(ann, headers=SCRIPT)[0] == 200


def test_the_same_question_is_thought_about_once(site: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    ann, asked = playing(site), list[object]()
    honest = hints.advised
    monkeypatch.setattr("hexdeck.tables.advice.advised", lambda *each: asked.append(each) or honest(*each))
    assert hint(ann, headers=SCRIPT) == hint(ann, headers=SCRIPT)
    assert len(asked) == 1
