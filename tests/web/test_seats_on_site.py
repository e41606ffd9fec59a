"""Seats over HTTP: freed, taken twice at once, hosts replaced, choices taken back, clocks that wait for a page."""

import re
from pathlib import Path
from typing import Any

import pytest

from hexdeck.tables import commands
from tests.support import until
from tests.web.serving import Person, Program, Served, file_in, served


def seated(site: Served, players: int = 3, **setup: Any) -> list[Program]:
    ann = Program(site.base)
    begun = ann.creates(game="hawthorn", players=players, seats=["you", *["open"] * (players - 1)], **setup)
    others = [Program(site.base) for _ in range(players - 1)]
    for other, link in zip(others, begun["invitations"].values(), strict=True):
        other.joins(link)
    return [ann, *others]


def page_of(site: Served, program: Program) -> Person:
    person = Person(site.base)
    person.takes(program.token)
    person.table = program.table
    return person


# --- taking back ------------------------------------------------------------------------------------------------------
def test_a_program_takes_its_choice_back_while_others_choose(site: Served) -> None:
    programs = seated(site)
    ann = programs[0]
    state = ann.state()
    assert ann.post("/retract", {"version": state["version"]}).status_code == 409
    chosen = ann.post("/move", {"move": state["view"]["moves"][0]["name"], "version": state["version"]}).json()
    assert not chosen["view"]["moves"]
    back = ann.post("/retract", {"version": chosen["version"]})
    assert back.status_code == 200 and back.json()["view"]["moves"] == state["view"]["moves"]
    assert ann.post("/retract", {"version": chosen["version"]}).status_code == 409
    assert ann.post("/retract", {}).status_code == 400
    for program in programs:
        state = program.state()
        move = {"move": state["view"]["moves"][-1]["name"], "version": state["version"]}
        assert program.post("/move", move).status_code == 200
    assert ann.post("/retract", {"version": ann.state()["version"]}).status_code == 409


def test_a_page_offers_to_take_a_choice_back_as_long_as_it_can_be(site: Served) -> None:
    programs = seated(site)
    ann = page_of(site, programs[0])
    assert 'id="take-back"' not in ann.page()
    version, move = (re.search(rf'name="{name}" value="([^"]*)"', ann.page()) for name in ("version", "move"))
    assert version and move
    assert ann.post(f"/table/{ann.table}/move", {"version": version[1], "move": move[1]}).status_code == 303
    page = ann.page()
    assert 'id="take-back"' in page
    version = re.search(r'name="version" value="(\d+)"', page)
    assert version and ann.post(f"/table/{ann.table}/retract", {"version": version[1]}).status_code == 303
    assert 'id="take-back"' not in ann.page() and 'name="move"' in ann.page()


# --- freeing ----------------------------------------------------------------------------------------------------------
def test_who_was_sent_away_sees_and_does_nothing_more(site: Served) -> None:
    ann, ben, cleo = seated(site)
    watching, old = page_of(site, ben), {}
    with watching.http.stream("GET", f"/table/{ben.table}/stream") as stream:
        frames, lines = ben.frames(), stream.iter_lines()
        old = next(frames)
        assert next(lines) == "event: table" and old["seat"] == 1
        assert cleo.post("/seats/1/free").status_code == 403
        freed = ann.post("/seats/1/free")
        assert freed.status_code == 200 and list(freed.json()["invitations"]) == ["1"]
        assert not [frame for frame in frames if frame["seat"] == 1]
        assert all("event: table" not in line for line in lines)
    assert ben.get().status_code == 403
    assert 'id="bot-1"' not in watching.page()
    dora = Program(site.base)
    dora.joins(freed.json()["invitations"]["1"], name="Dora")
    assert dora.state()["seats"][1]["name"] == "Dora"


def test_another_becomes_host_when_the_host_is_away(tmp_path: Path) -> None:
    with served(file_in(tmp_path)) as site:
        ann, ben, _ = seated(site)
        guest = page_of(site, ben)
        assert ben.post("/host").status_code == 409 and 'id="be-host"' not in guest.page()
        site.state.streams.began -= commands.HOST_AWAY + 1
        later = site.state.registry.clock() + commands.HOST_AWAY + 1
        site.state.registry.clock = lambda: later
        with ann.http.stream("GET", f"/tables/{ann.table}/stream") as stream:
            lines = stream.iter_lines()  # held: without it the stream is hung up
            next(lines)
            assert ben.post("/host").status_code == 409  # the host looks on
        until(lambda: not site.state.streams.present(ann.table, 0))
        site.state.streams.left_at.clear()
        until(lambda: 'id="be-host"' in guest.page())
        assert guest.post(f"/table/{ben.table}/host").status_code == 303
        assert [seat["host"] for seat in ben.state()["seats"]] == [False, True, False]


def test_an_invitation_leads_who_followed_it_before_back_to_the_table(site: Served) -> None:
    ann, ben, eve = (Person(site.base) for _ in range(3))
    ann.begins({"game": "hawthorn", "players": "3", "seat-1": "open", "seat-2": "open"})
    link = ann.invitations()[0]
    ben.sits_down(ben.post(link))
    for who in (ann, ben):
        assert who.sits_down(who.get(link)) == ann.table
    assert "Somebody has already taken this seat." in eve.get(link).text


def test_a_page_that_waits_has_a_place_for_what_is_refused_and_lost(site: Served) -> None:
    ann = Person(site.base).begins({"game": "hawthorn", "players": "2", "seat-1": "open"})
    assert '<p class="why" id="why" role="status"></p>' in ann.page()


# --- clocks -----------------------------------------------------------------------------------------------------------


def test_who_waits_on_the_page_sees_the_links_and_the_guest_come(site: Served) -> None:
    ann = Person(site.base).begins({"game": "hawthorn", "players": "2", "seat-1": "open", "clock": "brisk"})
    with ann.http.stream("GET", f"/table/{ann.table}/stream") as stream:
        lines, seen = stream.iter_lines(), []
        for line in lines:
            seen.append(line)
            if "/join/" in line:
                break
        link = re.search(r"/join/[\w.-]+", seen[-1])
        assert link and any('id="unreachable"' in line for line in seen) and "<svg" not in seen[-1]
        assert f'value="{site.base}{link[0]}"' in seen[-1]
        Person(site.base).begins({"name": "Ben"}, link[0])
        for line in lines:
            if 'id="play"' in line:
                break
    state = Program(site.base, ann.token)
    state.table = ann.table
    until(lambda: state.state()["seats"][0]["due"] < site.state.registry.clock() + 41)
    stranger = Person(site.base)
    assert "/join/" not in stranger.get(f"/table/{ann.table}").text


@pytest.mark.parametrize("lang", ["nl", "en"])
def test_guests_read_in_the_language_of_the_table_until_they_choose_one(site: Served, lang: str) -> None:
    other = {"nl": "en", "en": "nl"}[lang]
    ann = Person(site.base).begins({"game": "hawthorn", "players": "2", "seat-1": "open", "lang": lang})
    guest = Person(site.base, other)
    link = ann.invitations()[0]
    assert f'<html lang="{lang}"' in guest.get(link).text
    guest.sits_down(guest.post(link))
    assert f'<html lang="{lang}"' in guest.page() and f'<html lang="{other}"' in guest.get("/").text
    said = guest.post(f"/table/{guest.table}/explain", {"action": "?"}, headers={"hexdeck": "1"}).json()["error"]
    assert ("geen" in said) == (lang == "nl"), said
    guest.post("/settings", {"lang": other, "back": "/"})
    assert f'<html lang="{other}"' in guest.page()
    own = Person(site.base, other).begins({"game": "hawthorn"}, "/play")
    assert f'<html lang="{other}"' in own.page()


def test_a_language_that_there_is_not_is_refused(site: Served) -> None:
    answer = Program(site.base).http.post("/tables", json={"game": "hawthorn", "lang": "fr"})
    assert answer.status_code == 400 and "en, nl" in answer.json()["error"]
    form = Person(site.base).post("/tables", {"game": "hawthorn", "players": "2", "lang": "fr"})
    assert form.status_code == 400 and "en, nl" in form.text


def test_bots_are_told_of_in_words(site: Served) -> None:
    ann = Person(site.base, "nl")
    fields = {"game": "hawthorn", "players": "4", "seat-1": "bot:house", "seat-2": "bot:search:200", "seat-3": "open"}
    ann.begins(fields)
    for page in (ann.page(), Person(site.base, "nl").get(ann.invitations()[0]).text):
        assert "uit gewoonte" in page and "denkt vooruit" in page
        assert "<small>house" not in page and "<small>search" not in page
