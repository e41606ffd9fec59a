"""What somebody has played: counted from their seats, carried along, fetched as a file, deleted."""

import html
import json
import re

import pytest

from hexdeck.engine.text import say
from hexdeck.tables import daily, holders
from hexdeck.tables.entries import Result
from tests.web.serving import Person, Served
from tests.web.test_daily import begins, finishes

QUICK = {"game": "cursed-hand", "players": "2", "name": "Ann", "seat-1": "bot:gentle"}


@pytest.fixture(autouse=True)
def _few(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(daily, "MATCHES", 4)


def played(site: Served, times: int) -> Person:
    ann = Person(site.base)
    for seed in range(times):
        ann.begins(QUICK)
        finishes(ann, seed)
    return ann


def row(page: str, label: str) -> str:
    found = re.search(rf'data-label="{label}">(.*?)</td>', page, re.DOTALL)
    assert found
    return re.sub(r"<[^>]*>", "", found[1]).strip()


def test_few_matches_say_nothing_and_more_of_them_a_range(site: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    ann = played(site, 2)
    assert row(ann.get("/me").text, "Played") == "2" and row(ann.get("/me").text, "In the long run") == "too few to say"
    monkeypatch.setattr(holders, "ENOUGH", 2)
    low, high = map(int, re.findall(r"\d+", row(ann.get("/me").text, "In the long run")))
    assert 0 <= low < high <= 100 and high - low > 30  # two matches say little


def test_the_best_match_is_one_that_was_won_however_much_was_lost_with() -> None:
    lost, won = (Result((is_won,), (1,), (points,), (say("x"),), 0.0) for is_won, points in ((False, 9.0), (True, 1.0)))
    found = holders.tally("hawthorn", [(0, "lost", lost), (0, "won", won)])
    assert (found.won, found.best_at) == (1, "won")


def test_a_match_that_a_bot_played_for_them_counts_for_nobody(site: Served) -> None:
    ann = played(site, 1)
    ann.begins(QUICK)
    ann.post(f"/table/{ann.table}/seat/0/bot")
    ann.post(f"/table/{ann.table}/seat/0/back")
    finishes(ann, 5)
    assert row(ann.get("/me").text, "Played") == "1"


def test_nobody_sees_anything_of_others(site: Served) -> None:
    played(site, 1)
    page = Person(site.base).get("/me").text
    assert "finished a match yet" in page and "not played yet" in page


def test_all_seats_go_to_another_device_by_a_link_that_works_once(site: Served) -> None:
    ann, phone, eve = begins(site, "Ann"), Person(site.base), Person(site.base)
    assert Person(site.base).post("/me/carry").status_code == 403  # who has none carries none
    first = ann.table
    ann.begins(QUICK)
    link = re.search(r"/bring/[\w-]{20,}", ann.get(ann.post("/me/carry").headers["location"]).text)
    assert link
    assert phone.get(link[0]).status_code == 200 and phone.post(link[0]).headers["location"] == "/me"
    assert eve.get(link[0]).status_code == eve.post(link[0]).status_code == 404
    listed = phone.get("/tables").text
    assert first in listed and ann.table in listed and first in ann.get("/tables").text
    assert phone.post("/today/cursed-hand").headers["location"] == f"/table/{first}"  # one person with two devices


def test_whoever_has_only_answered_puzzles_takes_the_answers_along(site: Served) -> None:
    ann, phone = Person(site.base), Person(site.base)
    path = re.search(r"/puzzles/[\d-]+/1", ann.get("/puzzles").text)
    assert path
    move = re.search(r'name="move" value="([^"]+)"', ann.get(path[0]).text)
    assert move and ann.post(path[0], {"move": html.unescape(move[1])}).status_code == 303
    link = re.search(r"/bring/[\w-]{20,}", ann.get(ann.post("/me/carry").headers["location"]).text)
    assert link and phone.post(link[0]).status_code == 303
    assert "of 1 puzzle" in phone.get("/puzzles").text and "of 1 puzzle" in ann.get("/puzzles").text


def test_the_file_has_what_is_theirs_and_nothing_of_others(site: Served) -> None:
    ann = Person(site.base).begins({"game": "hawthorn", "players": "2", "name": "Annabel", "seat-1": "open"})
    ben = Person(site.base).joins(ann, {"name": "Benedict"})
    for who, words in ((ann, "hello"), (ben, "and to you")):
        who.post(f"/table/{who.table}/say", {"words": words})
    answer = ann.get("/me/file")
    assert "attachment" in answer.headers["content-disposition"] and answer.headers["cache-control"] == "no-store"
    text, (table,) = answer.text, json.loads(answer.text)["tables"]
    assert table["name"] == "Annabel" and [each["words"] for each in table["messages"]] == ["hello"]
    assert "Benedict" not in text and "and to you" not in text
    assert json.loads(Person(site.base).get("/me/file").text)["tables"] == []


def kinds_of_cookies(person: Person) -> set[str]:
    return {name.partition("-")[0] for name in person.http.cookies}


def test_all_of_it_is_deleted(site: Served) -> None:
    ann, ben = finishes(begins(site, "Annabel")), finishes(begins(site, "Ben"), 2)
    assert "Annabel" in ben.get("/today/cursed-hand").text
    link = re.search(r"/bring/[\w-]{20,}", ann.get(ann.post("/me/carry").headers["location"]).text)
    assert {"hexdeck", "name", "bundle"} <= kinds_of_cookies(ann)
    assert ann.post("/tables/leave").status_code == 303
    assert not {"hexdeck", "name", "bundle"} & kinds_of_cookies(ann) and "Annabel" not in ann.get("/today").text
    assert "Annabel" not in ben.get("/today/cursed-hand").text
    assert link and Person(site.base).post(link[0]).status_code == 404
    assert json.loads(ann.get("/me/file").text)["tables"] == []
