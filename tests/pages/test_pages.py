"""Pages as text: from views alone, in both languages, with a picture for every card, and safe from names."""

import dataclasses
import re
from types import SimpleNamespace
from typing import Any

import gallery
import pytest
import sprite

import hexdeck
from hexdeck.bots.advice.analysis import Decision
from hexdeck.engine.discovery.definition import definition
from hexdeck.engine.discovery.finding import game_names
from hexdeck.engine.options import Choice
from hexdeck.engine.play.score import decision_line, places_of
from hexdeck.engine.play.story import beats, deciding_places
from hexdeck.engine.study import CHIPS
from hexdeck.engine.text import Cards, Catalogue, Seat, say, say_n
from hexdeck.engine.view import Move, View, Zone
from hexdeck.tables import live
from hexdeck.tables.player_names import LONGEST_NAME
from hexdeck.web.html import games, pages, rendering, table_page
from hexdeck.web.html.rendering import (
    FOLDER,
    Clock,
    DealPromise,
    Over,
    SeatLine,
    Site,
    TablePage,
    TurningPoint,
    address,
    contents,
    find,
    names,
    sentence_html,
)
from hexdeck.web.html.table_page import arrange
from hexdeck.web.routes import presenters
from tests.settings import every_game
from tests.support import for_each

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
    return Move(id, name, say("Play {cards}", cards=Cards(codes)) if codes else say(name), **more)


def page(view: View, **more: Any) -> TablePage:
    seats = (SeatLine(0, "A", "person"), SeatLine(1, "B", "bot", "sharp"))
    return TablePage(SITE, "t", 5, view, seats, 0, **more)


# --- what is chosen ---------------------------------------------------------------------------------------------------
def test_a_card_plays_its_move_and_the_rest_are_buttons():
    view = made_up((move(0, "play 7", "7"), move(1, "play 10", "10"), move(2, "fold")))
    assert {code: each.id for code, each in live.moves_by_card(view).items()} == {"7": 0, "10": 1}
    assert [each.id for each in live.other_moves(view, live.moves_by_card(view), live.moves_by_cards(view))] == [2]


def test_a_card_that_could_be_two_moves_is_no_button_but_both_moves_are():
    view = made_up((move(0, "play 7", "7"), move(1, "show 7", "7")))
    assert live.moves_by_card(view) == {}
    assert [each.id for each in live.other_moves(view, live.moves_by_card(view), live.moves_by_cards(view))] == [0, 1]


def test_cards_that_are_not_held_are_listed_as_words():
    view = made_up((move(0, "steal Ks", "Ks"),))
    assert [each.id for each in live.other_moves(view, live.moves_by_card(view), live.moves_by_cards(view))] == [0]


def test_cards_go_together_only_as_often_as_they_are_held():
    view = made_up((move(0, "pass 7 7", "7", "7"), move(1, "pass 10 10", "10", "10"), move(2, "pass 7 10", "7", "10")))
    assert sorted(each.id for each in live.moves_by_cards(view).values()) == [0, 2]
    assert live.find_move(view, "", ["10", "7"]).id == 2
    assert live.find_move(view, "", ["10"]) is None
    assert live.find_move(view, "pass 7 7").id == 0
    assert live.find_move(view, "pass 8 8") is None


def test_cells_take_moves_onto_them():
    view = made_up((move(0, "cell 1", zone="board", cell="a1", points=4),))
    assert {cell: each.id for cell, each in live.moves_by_cell(view, view.zones[3]).items()} == {"a1": 0}
    assert live.other_moves(view, live.moves_by_card(view), live.moves_by_cards(view)) == []
    html = table_page.table_main(page(view))
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
            hand, single = live.hand_of(match.view(seat)), live.moves_by_card(match.view(seat))
            for code in set(hand.cards if hand else ()) - set(single):
                found = live.actions_meant(match, seat, code)
                asked += 1
                assert found, (ply, seat, code)
                assert any(match.illegal_reason(seat, id) for id in found) or live.moves_by_cards(match.view(seat))
    assert asked


# --- how it is arranged -----------------------------------------------------------------------------------------------
def test_what_a_zone_is_noted_for_is_marked_once():
    all_ = arrange(page(made_up()), Catalogue(), 10)
    assert [slot.marked for slot in all_.hand.slots] == [True, False, False, False]


def test_a_hidden_hand_is_counted_beside_its_name_and_drawn_with_as_many_backs():
    plate = arrange(page(made_up()), Catalogue(), 10).seats[1]
    assert [(place.id, place.count) for place in plate.counts] == [("zone-chips-1", 12), ("zone-hand-1.count", 9)]
    assert [(place.backs, place.hidden, place.drawn) for place in plate.zones] == [(9, 9, True)]


def test_seats_sit_around_the_table_from_the_readers_left_each_once():
    match = hexdeck.game("hawthorn", 4).match(seed=1, backend="interpreted")
    match.names = gallery.NAMES[:4]
    sat = {
        me: dataclasses.replace(gallery.table_of(match, SITE, me), me=me, view=match.view(-1 if me is None else me))
        for me in (None, 0, 2)
    }
    sides = {me: arrange(each, Catalogue(), 10) for me, each in sat.items()}
    assert {me: [seat.line.number for seat in shown.others] for me, shown in sides.items()} == {
        None: [0, 1, 2, 3],
        0: [1, 2, 3],
        2: [3, 0, 1],
    }
    assert [seat.line.number for seat in sides[2].everybody] == [3, 0, 1, 2] and sides[None].mine is None
    html = table_page.table_main(sat[2])
    assert [html.count(f'id="plate-{seat}"') for seat in range(4)] == [1, 1, 1, 1]
    assert [zone.id for zone in sides[2].mine.zones] == ["zone-row-2"] and html.count('id="zone-hand-2"') == 1


def test_a_zone_has_an_empty_place_for_each_card_that_is_still_to_come():
    match = hexdeck.game("wolf-mans-curse", 4).match(seed=1, backend="interpreted")
    tonight = next(zone for zone in arrange(page(match.view(0)), Catalogue(), 10).stage if zone.id == "zone-tonight")
    assert (len(tonight.slots), tonight.empty) == (0, 4)
    zone = next(zone for zone in match.view(0).zones if zone.id == "tonight")
    lying = dataclasses.replace(zone, cards=("3c", "4c"), owners=(1, 2))
    assert arrange(page(made_up(zones=(lying,))), Catalogue("en", (), ("A", "B", "C")), 9).stage[0].empty == 2


def test_cards_of_a_trick_say_whose_they_are():
    assert [slot.whose for slot in arrange(page(made_up()), Catalogue("en", (), ("A", "B")), 9).stage[0].slots] == ["B"]


@pytest.mark.parametrize("game", game_names())
def test_ids_are_by_place_and_never_twice(game):
    match = gallery.played(game, None, 5)
    for ply in (0, match.length // 2, match.length):
        match.go(ply)
        html = table_page.table(gallery.table_of(match, SITE))
        ids = re.findall(r'\sid="([^"]+)"', html)
        assert sorted(ids) == sorted(set(ids))


def test_names_are_written_as_they_are_and_never_as_markup():
    evil = "<b>\"&'{x}</b>"
    match = gallery.played("hawthorn", None, 5)
    match.names = (evil, *match.names[1:])
    seats = (SeatLine(0, evil, "person"), *(SeatLine(k, "B", "bot") for k in range(1, 4)))
    shown = dataclasses.replace(gallery.table_of(match, SITE), seats=seats)
    html = table_page.table(shown)
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
        html = table_page.table(gallery.table_of(match, Site(lang)))
        texts.append([each.strip() for each in re.findall(r">([^<]+)<", html) if each.strip()])
    same = {one for one, other in zip(*texts, strict=True) if one == other and " " in one}
    title = definition(game).table.ABOUT.title.key[:4]
    assert {one for one in same if not one.startswith(title) and not re.fullmatch(r"\w+: \w+", one)} == set()


@for_each(("code", "en", "nl"), [("7h", "7 of hearts", "harten 7"), ("Qs", "queen of spades", "schoppen vrouw")])
def test_cards_are_read_aloud(code, en, nl):
    assert [rendering.spoken_name(code, Catalogue(lang)) for lang in ("en", "nl")] == [en, nl]


def test_the_result_leads_on():
    over = made_up(over=True, outcome_texts=(say("won"), say("lost")))
    html = table_page.table_main(page(over, over=Over("r1", "00ff", rematch_promise="ab" * 32)))
    assert 'href="/replay/r1"' in html and 'form="rematch"' in html and "00ff" in html
    assert f"<code>{'ab' * 32}</code>" in html and 'formaction="/table/t/contribution"' in html
    again = table_page.table_main(page(over, over=Over("r1", "00ff", "t2")))
    assert 'href="/table/t2"' in again and 'form="rematch"' not in again


LEAD = say_n("{n} chip", "{n} chips", 12)


@for_each(
    ("won", "teams", "me", "lead", "told"),
    [
        ((False, True), (), 0, None, "B wins!"),
        ((True, False), (), 0, None, "You win!"),
        ((True, False), (), None, None, "A wins!"),
        ((True, True), (), 0, None, "You share the win!"),
        ((True, True), (), None, None, "A and B share the win!"),
        ((False, False), (), 0, None, "Nobody has won."),
        ((True, True), (1, 1), 0, None, "Team 2 wins!"),
        ((True, True), (0, 1), 0, None, "You share the win!"),
        ((), (), 0, None, "Nobody has won."),
        ((False, True), (), 0, LEAD, "B wins by 12 chips!"),
        ((True, False), (), 0, LEAD, "You win by 12 chips!"),
        ((True, True), (1, 1), 0, LEAD, "Team 2 wins by 12 chips!"),
        ((True, True), (), 0, LEAD, "You share the win!"),
    ],
)
def test_the_headline_of_the_result_says_who_won_and_by_what(won, teams, me, lead, told):
    ending = Over("r1", won=won, lead=lead)
    over = page(made_up(over=True, outcome_texts=(say("x"), say("y"))), over=ending, team_of=teams)
    html = table_page.table_main(dataclasses.replace(over, me=me))
    assert f'<h2 id="result.t">{told}</h2>' in html


CAUSES = {  # of an end: by what the headline says, what was told at the end
    "reached": "A total has reached 13",
    "won all Curse cards": "has won all Curse cards",
    "turned up two black stones": "A second black stone!",
    "won the last pot": "is the last one in and wins the pot",
    "was the last one in": "the pot",
}


@pytest.mark.parametrize("game", ["black-hearts", "blackstone", "hawthorn"])
def test_the_end_says_its_cause(game):
    for seed in range(1, 9):
        match = gallery.played(game, None, seed)
        match.go(match.length)
        line = str(decision_line(match, -1))
        told = next(told for words, told in CAUSES.items() if words in line)
        assert told in " ".join(map(str, match.facts(-1)[-6:]))


def test_on_a_board_what_scored_for_the_winner_keeps_the_light_and_says_what_it_brought():
    match = gallery.played("high-handed", None, 7)
    match.go(match.length)
    winner = match.returns().index(max(match.returns()))
    html = table_page.table_main(gallery.table_of(match, SITE))
    lit = re.findall(r'class="cell taken on lit" id="zone-(board\.\d+)"', html)
    good = [beat for beat in beats(match, -1) if beat.cue == "good" and beat.seats == (winner,)]
    assert len(lit) > 1 and set(lit) <= {spot for beat in good for spot in beat.light}
    brought = [int(points) for points in re.findall(r'<b class="points">\+(\d+)</b>', html)]
    assert sum(brought) == match.struct.score[winner] and len(brought) == len(good)
    best = dict(re.findall(r"<b>(\w+)</b>(?: <small>you</small>)? <small class=\"best\">([^<]+)", html))
    assert best[match.names[winner]] == str(max(good, key=lambda beat: beat.line.args["points"]).line)


def test_the_cards_that_decided_a_match_keep_the_light():
    match = hexdeck.game("cursed-hand", 3).match(seed=0, names=("A", "B", "C"))
    assert deciding_places(match, match.view(-1)) == ()  # nobody has moved
    while not match.over:
        match.play(match.actor, match.legal_ids(match.actor)[-1])
    for seat in range(-1, 3):
        shown = gallery.table_of(match, SITE, None if seat < 0 else seat)
        lit = re.findall(r'class="card lit" id="zone-(grave-\d)\.\d" data-code="(\w+)"', table_page.table_main(shown))
        assert len(lit) == 2 and lit[0] == lit[1], lit  # the pair, in one graveyard
        large = table_page.table_main(shown).partition('class="deciding"')[2].partition("</div>")[0]
        assert large.count('class="card lit"') == 2 and '<span class="lost">' in large


def test_a_called_ghost_hand_takes_the_stage_with_who_called_what_it_costs_and_whom():
    match, seen = gallery.played("cursed-hand", 3, 7), []
    match.go(match.length)
    page, shown = gallery.table_of(match, SITE, None), beats(match, -1)
    stages = re.findall(r'<div class="decisive.*?</div>', table_page.steps(page, shown, 0), re.DOTALL)
    for beat, stage in zip((beat for beat in shown if beat.spotlight), stages, strict=True):
        names = " → ".join(f"<b>{match.names[seat]}</b>" for seat in beat.seats)
        assert names in re.sub(r'<span class="head">.*?</span>(?=<b>)', "", stage, flags=re.DOTALL)
        if found := re.search(r" (\S+ )?[Gg]raveyard: (.+) = (\d+)</p>", stage):
            assert sum(map(int, found[2].split(" + "))) == int(found[3])
            seen.append((" wrongly." in stage, len(beat.seats)))
    assert {*seen} == {(True, 1), (False, 2)}  # whoever calls wrongly pays for it


def test_many_who_share_a_win_are_counted():
    seats = tuple(SeatLine(number, f"P{number}", "person") for number in range(5))
    over = dataclasses.replace(page(made_up(over=True), over=Over("r1", won=(True,) * 5)), seats=seats)
    assert str(table_page.headlines(over)[0]) == "5 players share the win!"
    html = table_page.table_main(over)
    faces = html.partition('class="winners"')[2].partition("<h2")[0]
    assert faces.count('class="face') == 4 and "+1" in faces


@for_each(
    ("won", "first", "then"),
    [((True, True, False), "A and B share the win!", "C is cursed"), ((False, True, False), "B wins!", "C is cursed")],
)
def test_what_decided_a_match_comes_after_who_won(won, first, then):
    seats = tuple(SeatLine(number, name, "bot", "sharp") for number, name in enumerate("ABC"))
    shown = page(
        made_up(over=True, outcome_texts=(say("x"),) * 3), over=Over("r1", won=won, decided=say("C is cursed"))
    )
    html = table_page.table_main(dataclasses.replace(shown, seats=seats, me=None))
    assert f'<h2 id="result.t">{first}</h2>' in html and f"{then}</p>" in html
    assert html.partition('class="winners"')[2].partition("<h2")[0].count('class="face"') == sum(won)


@for_each(
    ("places", "won", "told"),
    [
        ((2, 1, 3), (False, True, False), "Your place: 2 of 3"),
        ((1, 2, 2), (True, False, False), ""),
        ((2, 1, 2), (False, True, False), ""),
        ((3, 1, 2), (False, True, False), "Your place: 3 of 3"),
        ((2, 1, 2, 4), (False, True, False, False), "Your place: 2 of 4, shared"),
        ((), (), ""),
    ],
)
def test_the_readers_place_is_told_where_it_says_something(places, won, told):
    standing = table_page.final_place(page(made_up(over=True), over=Over("r1", places=places, won=won)))
    assert (str(standing) if standing else "") == told
    teams = page(made_up(over=True), over=Over("r1", places=places, won=won), team_of=(0, 1, 0, 1))
    assert table_page.final_place(teams) is None


def test_the_end_is_a_band_on_the_table_that_says_why_when_asked_with_its_turning_point_if_there_is_one():
    decision = Decision(41, say("?"), say("Call"), say("Accept"), None, False, 8.0, 2.0, 6.0, 1.0)
    html = {}
    for turning in (None, TurningPoint(0, decision, CHIPS, 3), TurningPoint(1, decision, CHIPS)):
        ending = Over("r1", "00ff", won=(False, True), turning=turning)
        whole = table_page.table(page(made_up(over=True, outcome_texts=(say("x"), say("y"))), over=ending))
        assert '<section class="result" id="result"' in whole and '<details class="because" id="because">' in whole
        assert " data-playing" not in whole
        html[turning.seat if turning else None] = whole.partition('id="turning"')[2].partition("</div>")[0]
    assert html[None].count("<p>") == 0
    assert "You chose “Call”; “Accept” would have brought 6.0 ±1.0 chips more." in html[0]
    assert "<small>Game 3</small>" in html[0] and 'href="/replay/t?seat=0&amp;ply=41"' in html[0]
    assert "B chose “Call”" in html[1] and "<small>" not in html[1]
    assert " data-playing" in table_page.table(
        page(made_up())
    )  # who sees the last move looks at the felt a while first


def test_the_first_page_has_one_loud_button_for_each_game_and_no_hash_before_them():
    html = pages.start(SITE, DealPromise("ticket", "ab" * 32), tables=2)
    games, rest = html.partition('<ul class="games">')[2].split("</ul>", 1)
    assert games.count('class="button"') == games.count("<li") == len(game_names())
    assert "ab" * 4 not in html.partition("</ul>")[0] and f"<code>{'ab' * 32}</code>" in rest
    assert "ab" * 4 not in rest.partition("<summary>")[2].partition("</summary>")[0]


@pytest.mark.parametrize("prints", [True, False])
def test_the_first_page_and_the_rules_lead_to_print_where_the_server_prints(prints, monkeypatch) -> None:
    monkeypatch.setattr(pages, "PRINTS", prints)
    assert ("To print a game" in pages.start(SITE, DealPromise("", ""))) is prints
    assert ("/rules/hawthorn/print" in pages.rules(SITE, "hawthorn", DealPromise("", ""))) is prints


def test_links_to_the_site_have_a_description_and_a_picture_where_the_site_knows_its_name():
    promise = DealPromise("ticket", "ab" * 32)
    for known in ("", "https://cards.example/at"):
        html = pages.start(dataclasses.replace(SITE, prefix="/at", own_base=known, base="http://evil"), promise)
        assert html.count('<meta name="description" content="Card games') == 1 and "evil" not in html
        assert html.count("og:image") == bool(known)
    assert f'content="{known}/{address("preview.png")}"' in html
    assert 1_000 < len(contents("preview.png")) < 60_000 and contents("preview.png")[16:24].hex() == "000004b000000276"


def test_a_table_is_set_by_who_plays_and_the_rest_is_folded():
    html = pages.new_table(SITE, "hawthorn", 3, {}, DealPromise("ticket", "ab" * 32), {})
    form = html.partition('class="setting new-table"')[2].partition("</form>")[0]
    while "<details" in form:  # the innermost first
        before, _, inside = form.rpartition("<details")
        form = before + inside.partition("</details>")[2]
    assert re.findall(r'<(?:select|input) id="([\w-]+)"', form) == ["name", "seat-1", "name-1", "seat-2", "name-2"]
    others = 'formmethod="get"', 'aria-hidden="true"'  # they ask for the form anew, or are what Enter presses
    assert len([each for each in re.findall("<button[^>]*>", form) if not any(other in each for other in others)]) == 1


def test_the_result_is_by_places_with_the_winners_marked_and_the_reader_only_as_such():
    over = made_up(over=True, outcome_texts=(say("lost"), say("won")))
    html = table_page.table_main(page(over, over=Over("r1", places=(2, 1), won=(False, True))))
    lines = re.findall(r'<li class="([^"]*)">(.*?)</li>', html.partition('class="fates"')[2].partition("</ol>")[0])
    assert [classes.split() for classes, _ in lines] == [["winner"], ["me"]]
    assert ">B<" in lines[0][1] and 'aria-label="winner"' in lines[0][1]
    assert ">A<" in lines[1][1] and "winner" not in lines[1][1]


@for_each(
    ("returns", "seats"),
    [
        ((3.0, -1.0, 2.0), (2, 1, 2, 2)),
        ((1.0, 1.0, -2.0), (2, 2, 2, 2)),
        ((1.0, 1.0, 1.0), (0, 1, 2, 0)),
        ((0.0, 1.0, 0.0), (0, 0, 2, 0)),
    ],
)
def test_a_match_turned_at_a_seat_that_lost_it(returns, seats, monkeypatch):
    """The reader's own, or for who won and for the public the best of the others."""
    monkeypatch.setattr(presenters, "winners", lambda match: tuple(each == max(returns) for each in match.returns()))
    table: Any = SimpleNamespace(match=SimpleNamespace(returns=lambda: returns))
    assert tuple(presenters.turning_seat(table, seat) for seat in (0, 1, 2, -1)) == seats


@for_each(("returns", "expected"), [((1.0, -1.0, 1.0), (1, 3, 1)), ((0.0, 5.0, 2.5), (3, 1, 2)), ((), ())])
def test_places_are_shared_by_equals(returns, expected):
    assert places_of(returns) == expected


def test_whose_seat_a_bot_plays_is_told_and_offered_it_back():
    mine = (SeatLine(0, "A", "bot", "house", owner=True), SeatLine(1, "B", "person"))
    html = table_page.table_main(dataclasses.replace(page(made_up()), seats=mine))
    asked = html.partition('id="mine"')[2].partition("</section>")[0]
    assert "A bot plays for you." in asked and "Play." not in asked
    assert '<button class="button" id="return">Take my seat back' in asked
    assert 'action="/table/t/seat/0/back"' in asked
    assert "stood-in" in html
    bots = (SeatLine(0, "A", "bot", "house"), SeatLine(1, "B", "person"))
    assert 'id="return"' not in table_page.table_main(dataclasses.replace(page(made_up()), seats=bots))


def test_a_bot_is_called_by_its_level_in_the_readers_language():
    seats = (SeatLine(0, "A", "person"), SeatLine(1, "B", "bot", "steady"))
    for lang, named in (("en", "Medium"), ("nl", "Gemiddeld")):
        html = table_page.table_main(dataclasses.replace(page(made_up()), seats=seats, site=Site(lang)))
        assert f"<small>{named}</small>" in html
        assert "house" not in html


def test_the_cell_that_the_log_names_last_is_lit():
    log = (say("{card} at {cell}", card=Cards(("Ks",)), cell="a1"), say("at {cell}", cell="b1"), say("And so on."))
    cells = arrange(page(made_up(log=log)), Catalogue(), 10).boards[0].slots
    assert [cell.cell for cell in cells if cell.lit] == ["b1"]
    assert "latest-cell" in table_page.table_main(page(made_up(log=log)))


def test_a_board_has_letters_and_numbers_on_its_edges():
    html = table_page.table_main(page(made_up()))
    letters, numbers = (
        re.search(rf'<ol class="{name}[^>]*>(.*?)</ol>', html)[1] for name in ("letters", "numbers-down")
    )
    assert re.findall(r"<li>(\w)</li>", letters) == ["a", "b"]
    assert re.findall(r"<li>(\w)</li>", numbers) == ["1", "2"]


def test_that_somebody_has_chosen_is_no_news_but_stays_in_the_log():
    log = (say("{seat} has chosen.", seat=Seat(1)), say("B wins."))
    all_ = arrange(dataclasses.replace(page(made_up(log=log)), news=2), Catalogue(), 10)
    assert all_.news == ("B wins.",)
    assert len(all_.log) == 2


def test_a_spectator_has_made_no_move():
    html = table_page.table_main(dataclasses.replace(page(made_up(log=(say("B wins."),), seat=-1)), me=None, news=1))
    assert "What happened last" in html and "Since your last move" not in html


@pytest.mark.parametrize("game", game_names())
def test_nobody_who_watches_is_one_of_the_others(game):
    match = gallery.played(game, None, 3)
    for ply in range(match.length):
        match.go(ply)
        assert "others" not in str(match.view(-1).prompt) or "too many" in str(match.view(-1).prompt)


def test_cards_that_say_little_have_their_picture_in_a_sentence_and_stay_harmless():
    text = say("{who} plays {cards}.", who="<b>", cards=Cards(("C2", "7h", "9", "<i>")))
    html = sentence_html(Catalogue(suits=True), text, "/s.svg")
    assert html.count("<use ") == 1 and 'href="/s.svg#card-C2"/></svg><span class="sr">C</span>2</span>' in html
    assert "7♥, 9 and &lt;i&gt;" in html and "&lt;b&gt;" in html


def test_signs_are_explained_once_each():
    match = gallery.played("hawthorn", None, 5)
    match.go(match.length // 2)
    html = table_page.table(gallery.table_of(match, SITE))
    signs = re.findall(r"<dd>([^<]+)</dd>", html.partition('id="signs"')[2])
    assert sorted(signs) == sorted(set(signs)) and "Chips" in signs
    assert 'title="Chips"' in html


@for_each("lang", ["en", "nl"])
@for_each("game", game_names())
def test_options_are_in_words_and_the_rare_ones_last(game, lang):
    """No value is shown as the engine calls it; what the cards are comes last, folded away."""
    groups, options = games.option_groups(game, lang, 4, {}), definition(game).rules.OPTIONS
    fields = [field for _title, group in groups for field in group]
    assert {field.name for field in fields} == {option.name for option in options}
    named = definition(game).table.WORDS
    assert set(named) >= {value for option in options if isinstance(option, Choice) for value in option.values}
    shown = {label for field in fields for _, label in field.values}
    assert not {label for label in shown if "_" in label}


def test_names_are_asked_for_as_long_as_they_are_kept():
    assert f'maxlength="{LONGEST_NAME}"' in pages.new_table(SITE, "hawthorn", 3, {}, DealPromise("", ""), {})
    assert f'maxlength="{LONGEST_NAME}"' in table_page.table_main(page(made_up()))


def test_a_clock_says_whose_time_it_shows():
    for whose in ("B", ""):
        html = table_page.table_main(page(made_up(), clock=Clock("brisk", 33, whose)))
        clock = html.partition('id="clock"')[2].partition("</p>")[0]
        assert "0:33" in clock
        assert ('<span class="whose">B</span>' in clock) == bool(whose)


@for_each(
    ("left", "seen", "said"),
    [(86_399, "23:59:59", "23 hours"), (3600, "1:00:00", "1 hour"), (3599, "59:59", "3,599 seconds")],
)
def test_a_clock_of_days_shows_hours(left, seen, said):
    html = table_page.table_main(page(made_up(), clock=Clock("daily", left)))
    clock = html.partition('id="clock"')[2].partition("</p>")[0]
    assert f">{seen}<" in clock and f">{said}<" in clock


def test_only_who_has_a_seat_finds_a_bell_and_where_to_ask_for_their_turn():
    own = page(made_up(), turn=True, push_key="KEY")
    mine, watching = table_page.table(own), table_page.table(dataclasses.replace(own, me=None, turn=False))
    for there in ('id="bell"', 'data-turn-at="', 'data-push-key="KEY"', " data-turn "):
        assert there in mine and there not in watching
    assert "data-push" not in table_page.table(dataclasses.replace(own, push_key=""))


def test_a_prefix_is_before_every_address():
    match = gallery.played("hawthorn", None, 5)
    html = table_page.table(gallery.table_of(match, Site(prefix="/cards")))
    addresses = re.findall(r'(?:href|src|action|data-stream|data-morph|data-turn-at|data-my-icon)="([^"#]+)', html)
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
    pictures = {code: (rendering.tile if shape == "board" else rendering.picture)(code) for code, shape in seen}
    assert len(pictures) >= 9
    assert {code for code, picture in pictures.items() if picture.symbol == "card-blank" or picture.written} == set()
    assert f"art-{game}" in rendering.symbols()


def test_a_card_nobody_drew_is_written():
    assert rendering.picture("ZZ9") == rendering.CardPicture("card-blank", "ZZ9")
    assert rendering.picture("C2b") == rendering.CardPicture("card-C2", "b")


def test_files_are_known_by_their_contents():
    for name in names():
        if name.endswith((".css", ".js", ".svg")):
            assert find(address(name).removeprefix("static/"))[0] == contents(name)
    assert find("style.0123456789ab.css") is None
    assert find("../style.0123456789ab.css") is None


# --- what is in force -------------------------------------------------------------------------------------------------
def test_every_gift_is_a_card_of_its_own_and_what_is_in_force_is_shown_as_one():
    gifts = definition("black-hearts").table
    for effect in (*gifts.EFFECTS, gifts.EARLIEST_TOO):
        assert rendering.emblem("gift", effect.key) in rendering.symbols()
    assert len({rendering.emblem("gift", effect.key) for effect in gifts.EFFECTS}) == 5
    zones = [Zone("gift", say("Gift"), None, "count", note=note) for note in (gifts.EFFECTS[0], say("none in force"))]
    for lang in ("en", "nl"):
        views = (made_up(game="black-hearts", zones=(zone,)) for zone in zones)
        shown, none = (table_page.table_main(dataclasses.replace(page(view), site=Site(lang))) for view in views)
        assert "#gift-upside-down" in shown and "#gift-" not in none


# --- the colour of each game's night ----------------------------------------------------------------------------------
def light_of(colour: list[float]) -> float:
    """The relative luminance of a colour, as the accessibility guidelines have it."""
    parts = [part / 3294.6 if part <= 10 else ((part / 255 + 0.055) / 1.055) ** 2.4 for part in colour]
    return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]


def colour_of(name: str, style: str) -> list[float]:
    found = re.search(rf"--{name}: (#[0-9a-f]{{6}})", style)
    assert found
    return [int(found[1][k : k + 2], 16) for k in (1, 3, 5)]


@pytest.mark.parametrize("game", game_names())
def test_words_can_be_read_on_the_felt_of_each_game(game):
    """Axe doesn't look at gradients: the middle of the felt is where it is lightest, by day and by night."""
    style = (FOLDER / "table.css").read_text(encoding="utf-8")
    tint = re.search(r"--tint: (\d+)%", style)
    assert tint
    nights = contents("nights.css").decode()
    night = colour_of("night", nights.partition(f".night-{game} ")[2])
    part = int(tint[1]) / 100
    felt = [a * (1 - part) + b * part for a, b in zip(colour_of("deep", style), night, strict=True)]
    for ink in ("ink", "soft", "lit", "bad"):
        light, dark = sorted((light_of(felt), light_of(colour_of(ink, style))), reverse=True)
        assert (light + 0.05) / (dark + 0.05) >= 4.5, (ink, felt)


@every_game
def test_no_page_has_the_marks_between_its_parts(name: str) -> None:
    """A control character between the seats of a list is text that a screen reader finds there."""
    site = Site("en", "light")
    found = [*gallery.tables(name, site, None, 7), *gallery.others(site)]
    assert len(found) > 20
    assert [page for page, html in found if re.search(r"[\x00-\x08\x0b-\x1f\x7f]", html)] == []
