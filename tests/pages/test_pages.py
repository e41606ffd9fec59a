"""Pages as text: from views alone, in both languages, every card with a picture, nothing that a name can break."""

from __future__ import annotations

import dataclasses
import re
from typing import Any

import gallery
import pytest
import sprite

from hexdeck.engine.game import game_module, game_names
from hexdeck.engine.text import Cards, Catalogue, say
from hexdeck.engine.view import Move, View, Zone
from hexdeck.web import cards, choice, pages
from hexdeck.web.arrange import arranged
from hexdeck.web.assets import FOLDER, address, find
from hexdeck.web.contexts import Over, SeatLine, Site, TablePage

SITE = Site()


def made_up(moves: tuple[Move, ...] = (), seat: int = 0, **more: Any) -> View:
    """A view of no game: a hand of four, another's hidden hand, a board, a pot with a long note."""
    zones = (
        Zone("hand-0", say("Hand"), 0, "fan", ("7", "7", "10", "Qh"), note=say("chosen: {card}", card=Cards(("7",)))),
        Zone("hand-1", say("Hand"), 1, "fan", hidden=9),
        Zone("chips-1", say("Chips"), 1, "count", count=12),
        Zone("board", say("Board"), None, "board", ("", "Ks", "", ""), columns=2),
        Zone("pot", say("Pot"), None, "count", count=3, note=say("what all have paid until now, and more")),
        Zone("trick", say("Trick"), None, "row", ("Qh",), owners=(1,)),
    )
    view = View(
        "cursed-hand", seat, 5, 2, (0,) if moves else (1,), False, say("Play."), zones, moves, (), (), ("A", "B")
    )
    return dataclasses.replace(view, **more)


def move(id: int, name: str, *codes: str, **more: Any) -> Move:
    """A move of cards."""
    return Move(id, name, say("Play {cards}", cards=Cards(codes)) if codes else say(name), **more)


def page(view: View, **more: Any) -> TablePage:
    """A page with that view."""
    seats = (SeatLine(0, "A", "person"), SeatLine(1, "B", "bot", "sharp"))
    return TablePage(SITE, "t", 5, view, seats, 0, **more)


# --- what is chosen ---------------------------------------------------------------------------------------------------
def test_a_card_plays_its_move_and_the_rest_are_buttons():
    view = made_up((move(0, "play 7", "7"), move(1, "play 10", "10"), move(2, "fold")))
    assert {code: each.id for code, each in choice.single(view).items()} == {"7": 0, "10": 1}
    assert [each.id for each in choice.others(view)] == [2]


def test_a_card_that_could_be_two_moves_is_no_button_but_both_moves_are():
    view = made_up((move(0, "play 7", "7"), move(1, "show 7", "7")))
    assert choice.single(view) == {}
    assert [each.id for each in choice.others(view)] == [0, 1]


def test_cards_that_are_not_held_are_listed_as_words():
    view = made_up((move(0, "steal Ks", "Ks"),))
    assert [each.id for each in choice.others(view)] == [0]


def test_cards_go_together_only_as_often_as_they_are_held():
    view = made_up((move(0, "pass 7 7", "7", "7"), move(1, "pass 10 10", "10", "10"), move(2, "pass 7 10", "7", "10")))
    assert sorted(each.id for each in choice.together(view).values()) == [0, 2]
    assert choice.chosen(view, "", ["10", "7"]).id == 2
    assert choice.chosen(view, "", ["10"]) is None
    assert choice.chosen(view, "pass 7 7").id == 0
    assert choice.chosen(view, "pass 8 8") is None


def test_cells_take_moves_onto_them():
    view = made_up((move(0, "cell 1", zone="board", cell="a1", points=4),))
    assert {cell: each.id for cell, each in choice.cells(view, view.zones[3]).items()} == {"a1": 0}
    assert choice.others(view) == []
    html = pages.table_main(page(view))
    assert re.search(r'<button class="cell open scores"[^>]* value="cell 1"', html)
    assert html.count('class="points">4<') == 1


@pytest.mark.parametrize("game", ["black-hearts", "cursed-hand", "hawthorn"])
def test_a_card_that_cant_be_played_means_actions_that_are_forbidden(game):
    """In these games there are times when a card of the hand plays nothing: it still means actions of the game."""
    match = gallery.played(game, None, 3)
    asked = 0
    for ply in range(0, match.length, max(1, match.length // 12)):
        match.go(ply)
        for seat in match.acting:
            hand, single = choice.hand_of(match.view(seat)), choice.single(match.view(seat))
            for code in set(hand.cards if hand else ()) - set(single):
                found = choice.meant(match, seat, code)
                asked += 1
                assert found, (ply, seat, code)
                assert any(match.forbids(seat, id) for id in found) or choice.together(match.view(seat))
    assert asked


# --- how it is arranged -----------------------------------------------------------------------------------------------
def test_what_a_zone_is_noted_for_is_marked_once():
    all_ = arranged(page(made_up()), Catalogue(), 10)
    assert [slot.marked for slot in all_.hand.slots] == [True, False, False, False]


def test_a_hidden_hand_is_counted_beside_its_name_and_drawn_with_few_backs():
    plate = arranged(page(made_up()), Catalogue(), 10).plates[1]
    assert [(place.id, place.count) for place in plate.counts] == [("zone-chips-1", 12), ("zone-hand-1.count", 9)]
    assert [(place.backs, place.hidden, place.drawn) for place in plate.places] == [(5, 9, True)]


def test_long_notes_stand_on_the_table_and_not_in_the_score():
    all_ = arranged(page(made_up()), Catalogue(), 10)
    assert [place.id for place in all_.facts] == ["zone-pot"]
    assert all_.counts == ()


def test_cards_of_a_trick_say_whose_they_are():
    assert [slot.whose for slot in arranged(page(made_up()), Catalogue("en", (), ("A", "B")), 9).middle[0].slots] == [
        "B"
    ]


@pytest.mark.parametrize("game", game_names())
def test_ids_are_by_place_and_never_twice(game):
    match = gallery.played(game, None, 5)
    for ply in (0, match.length // 2, match.length):
        match.go(ply)
        html = pages.table(gallery.table_of(match, SITE))
        ids = re.findall(r'\sid="([^"]+)"', html)
        assert sorted(ids) == sorted(set(ids))


def test_names_are_written_as_they_are_and_never_as_markup():
    evil = "<b>\"&'{x}</b>"
    match = gallery.played("hawthorn", None, 5)
    match.names = (evil, *match.names[1:])
    seats = (SeatLine(0, evil, "person"), *(SeatLine(k, "B", "bot") for k in range(1, 4)))
    shown = dataclasses.replace(gallery.table_of(match, SITE), seats=seats)
    html = pages.table(shown)
    assert evil not in html
    assert "&lt;b&gt;" in html


# --- words ------------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("game", game_names())
def test_a_dutch_page_has_no_english_left(game):
    """Every sentence of the page itself is another one in Dutch, unless it is the same in both."""
    match = gallery.played(game, None, 5)
    match.go(match.length // 2)
    texts = []
    for lang in ("en", "nl"):
        html = pages.table(gallery.table_of(match, Site(lang)))
        texts.append([each.strip() for each in re.findall(r">([^<]+)<", html) if each.strip()])
    same = {one for one, other in zip(*texts, strict=True) if one == other and " " in one}
    title = game_module(game, "table").TITLE.key[:4]
    assert {one for one in same if not one.startswith(title) and not re.fullmatch(r"\w+: \w+", one)} == set()


@pytest.mark.parametrize(
    ("code", "en", "nl"), [("7h", "7 of hearts", "harten 7"), ("Qs", "queen of spades", "schoppen vrouw")]
)
def test_cards_are_read_aloud(code, en, nl):
    assert (cards.aloud(code, "en"), cards.aloud(code, "nl")) == (en, nl)


def test_the_result_leads_on():
    over = made_up(over=True, fates=(say("won"), say("lost")))
    html = pages.table_main(page(over, over=Over("r1", "00ff")))
    assert 'href="/replay/r1"' in html and 'form="rematch"' in html and "00ff" in html
    again = pages.table_main(page(over, over=Over("r1", "00ff", "t2")))
    assert 'href="/table/t2"' in again and 'form="rematch"' not in again


def test_a_prefix_is_before_every_address():
    match = gallery.played("hawthorn", None, 5)
    html = pages.table(gallery.table_of(match, Site(prefix="/cards")))
    addresses = re.findall(r'(?:href|src|action|data-stream|data-morph)="([^"#]+)', html)
    assert len(addresses) > 20
    assert [each for each in addresses if not each.startswith("/cards/")] == []


# --- pictures ---------------------------------------------------------------------------------------------------------
def test_the_sprite_is_what_the_sources_draw(capsys):
    assert sprite.main(["--check"]) == 0


@pytest.mark.parametrize("game", game_names())
def test_every_card_of_every_game_has_a_picture(game):
    seen = set()
    for seed in range(3):
        match = gallery.played(game, None, seed)
        for ply in range(0, match.length, max(1, match.length // 20)):
            match.go(ply)
            views = [match.view(seat) for seat in range(match.game.players)]
            seen |= {(code, zone.shape) for view in views for zone in view.zones for code in zone.cards if code}
    pictures = {code: (cards.tile if shape == "board" else cards.picture)(code) for code, shape in seen}
    assert len(pictures) >= 9
    assert {code for code, picture in pictures.items() if picture.symbol == "card-blank" or picture.written} == set()
    assert f"art-{game}" in cards.symbols()


def test_a_card_nobody_drew_is_written():
    assert cards.picture("ZZ9") == cards.Picture("card-blank", "ZZ9")
    assert cards.picture("C2b") == cards.Picture("card-C2", "b")


def test_files_are_known_by_their_contents():
    for file in FOLDER.iterdir():
        if file.suffix in {".css", ".js", ".svg"}:
            assert find(address(file.name).removeprefix("static/"))[0] == file
    assert find("style.0123456789ab.css") is None
    assert find("../style.0123456789ab.css") is None


@pytest.mark.parametrize("game", game_names())
def test_lengths_are_said(game):
    least, most = game_module(game, "table").MINUTES
    assert 1 <= least < most <= 120
