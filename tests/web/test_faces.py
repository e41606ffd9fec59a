"""Faces at the seats: a bot's by its name, a person's initial; levels in words for newcomers; nobody is told more."""

import random
import re
from dataclasses import replace

import gallery
import pytest

from hexdeck.bots.players.bot_names import TITLES
from hexdeck.bots.players.levels import BOT_NAMES, LEVELS
from hexdeck.engine.discovery.finding import game_names
from hexdeck.web.html import table_page
from hexdeck.web.html.rendering import HUES, SeatLine, Site, coloured, likeness, symbols
from tests.support import until
from tests.web.serving import Person, Served

LARGEST = 90 * 1024  # bytes of a table's page, as it is written


def face(name: str, kind: str = "bot", **more: bool) -> str:
    found = likeness(SeatLine(0, name, kind, **more))
    return found.symbol or found.initial


def test_every_name_of_a_bot_has_a_face_of_its_own() -> None:
    faces = {face(name) for name in BOT_NAMES}
    assert len(faces) == len(BOT_NAMES) and faces <= symbols()


@pytest.mark.parametrize("name", ["Robo", "ada", "Ὀδυσσεύς", "<b>", "", "🂡"])
def test_any_other_bot_has_one_of_them_and_always_the_same(name: str) -> None:
    assert face(name) in symbols() and face(name) == face(name)


@pytest.mark.parametrize(("name", "initial"), [("Anna", "A"), ("émile", "É"), (" Bram", "B"), ("", "?"), ("<b>", "<")])
def test_a_person_has_an_initial_though_they_are_called_like_a_bot(name: str, initial: str) -> None:
    assert face(name, "person") == face(name, "bot", owner=True) == initial
    assert 0 <= likeness(SeatLine(0, name, "person")).hue < HUES


def test_names_are_told_apart_by_colours() -> None:
    assert len({likeness(SeatLine(0, name, "person")).hue for name in BOT_NAMES}) > HUES // 2


def test_colours_at_a_table_differ_also_from_those_of_bots() -> None:
    lines = [
        SeatLine(0, "Anna", "person"),
        SeatLine(1, "Ben", "person"),
        SeatLine(2, "", "open"),
        SeatLine(3, "Dirk", "bot"),
    ]
    assert len({likeness(line).hue for line in (*lines[:2], lines[3])}) == 1
    anna, ben, _open, dirk = map(likeness, coloured(lines))
    assert dirk == likeness(lines[3]) and len({anna.hue, ben.hue, dirk.hue}) == 3
    many = coloured(SeatLine(k, "Anna", "person") for k in range(HUES + 2))
    assert len({likeness(line).hue for line in many}) == HUES


def plate(html: str, seat: int) -> str:
    found = re.search(rf'id="plate-{seat}"[^>]*>.*?</(?:li|dl|div)>', html, re.DOTALL)
    assert found
    return found[0]


def test_a_seat_shows_its_face_and_its_level_in_a_newcomers_words() -> None:
    match = gallery.played(game_names()[0], 4, 7)
    page = gallery.table_of(match, Site("nl"))
    html = table_page.table(page)
    assert 'href="/static/sprite' in plate(html, 1) and "#face-bram" in plate(html, 1)
    assert re.search(r'<small class="grade">Moeilijk</small>', plate(html, 1))
    assert '<span class="face hue-' in plate(html, 0) and "grade" not in plate(html, 0)
    stood_in = replace(page.seats[1], owner=True)
    again = plate(table_page.table(replace(page, seats=(page.seats[0], stood_in, *page.seats[2:]))), 1)
    assert "#face-" not in again and ">B</span>" in again
    assert tuple(TITLES) == LEVELS


def test_who_reads_is_never_away_though_no_stream_is_open() -> None:
    """As where there is no script."""
    page = gallery.table_of(gallery.played(game_names()[0], 4, 7), Site("en"))
    gone = tuple(replace(line, kind="person", here=False) for line in page.seats)
    html = table_page.table(replace(page, seats=gone))
    assert page.me == 0 and "icon-away" not in plate(html, 0) and "icon-away" in plate(html, 1)


def test_a_replay_has_the_faces_of_its_table(site: Served) -> None:
    ann, rng = Person(site.base), random.Random(1)
    ann.begins({"game": "hawthorn", "name": "Ann"}, "/play")
    until(lambda: ann.plays(rng))
    names = [seat.name for seat in site.state.registry.tables[ann.table].seats]
    html = ann.get(f"/replay/{ann.table}").text
    assert ">A</span>" in plate(html, names.index("Ann")) and html.count("#face-") == len(names) - 1


def test_where_nobody_is_known_all_have_initials() -> None:
    match = gallery.played(game_names()[0], 4, 7)
    match.go(match.length // 2)
    html = gallery.replayed(match, Site("en"))
    assert "#face-" not in html and "grade" not in html


def test_people_choose_a_level_in_a_newcomers_words(site: Served) -> None:
    html = Person(site.base).get("/new/hawthorn").text
    assert "Bot · Easy<" in html and "Bot · Best<" in html


@pytest.mark.parametrize("game", game_names())
def test_the_page_of_a_table_stays_small(game: str) -> None:
    match = gallery.played(game, None, 7)
    for part in (0.1, 0.5, 0.9):
        gallery.turn(match, part)
        assert len(table_page.table(gallery.table_of(match, Site("en"))).encode()) < LARGEST
