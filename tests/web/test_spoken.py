"""What a table is asked by a key: answers from the reader's own view, with script and without, in both languages."""

import html
import random
import re

import pytest

import hexdeck
from hexdeck.web.html.rendering import SeatLine, Site, TablePage
from hexdeck.web.html.table_page import ABOUT, spoken, with_full_stop
from tests.settings import every_game
from tests.support import random_plies
from tests.web.serving import Person, Served

LANGS = "en", "nl"


@every_game
def test_every_question_has_an_answer_at_every_ply(name: str) -> None:
    match, found = hexdeck.game(name).match(seed=2, by_hand=True), dict[str, set[str]]()
    seats = tuple(SeatLine(seat, f"P{seat}", "person") for seat in range(match.game.players))
    for at in random_plies(match, random.Random(1), 40):
        for seat in range(-1, match.game.players):
            page = TablePage(Site(LANGS[at.ply % 2]), "t", 1, at.view(seat), seats, me=None if seat < 0 else seat)
            for about in ABOUT:
                said = spoken(page, about)
                assert said == said.strip() and said[-1] in ".!?…" and "{" not in said
                assert not re.search(r"[\dAJQK][♣♠♥♦]", said), said  # one spelling of cards
                found.setdefault(about, set()).add(said)
    assert all(len(answers) > 1 for answers in found.values())


def test_cards_are_told_to_their_seat_alone_and_as_they_are_read_aloud() -> None:
    match = hexdeck.game("wolf-mans-curse").match(seed=2)
    seats = tuple(SeatLine(seat, f"P{seat}", "person") for seat in range(match.game.players))
    pages = [
        TablePage(Site("en"), "t", 1, match.view(seat), seats, me=None if seat < 0 else seat) for seat in (0, 1, -1)
    ]
    mine, hers, public = (spoken(page, "hand") for page in pages)
    assert " of " in mine and " of " in hers and mine != hers and public == "none."
    assert [with_full_stop(each) for each in ("A", "A.", "A!")] == ["A.", "A.", "A!"]


@pytest.mark.parametrize("lang", LANGS)
def test_the_answer_comes_alone_to_a_script_and_above_the_page_to_others(site: Served, lang: str) -> None:
    ann = Person(site.base, lang).begins({"game": "hawthorn", "players": "2", "seat-1": "open"})
    Person(site.base).joins(ann, {"name": "Ben"})
    path = f"/table/{ann.table}/spoken?about="
    for about, (key, _name) in ABOUT.items():
        said = ann.http.get(path + about, headers={"hexdeck": "1"}).json()["said"]
        page = ann.get(path + about).text
        assert html.escape(said, quote=False) in html.unescape(page).replace("&", "&amp;") and said
        assert f'value="{about}" aria-keyshortcuts="{key}"' in page
    assert ann.get(path + "secrets").status_code == 400
