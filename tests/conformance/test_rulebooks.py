"""Rules one can learn from: worked examples that the rules allow, pictures of cards that there are, rulings in full."""

import re

import pytest

import hexdeck
from hexdeck.engine.discovery.definition import definition
from hexdeck.engine.discovery.finding import game_folder
from hexdeck.engine.discovery.rulebook import BACK, EMPTY, PICTURE, STEP, pictures, rules_text, rules_with_tables
from hexdeck.engine.options import Choice, Switch
from hexdeck.engine.play.lookback import stops_of, view_at
from hexdeck.engine.play.worked import passages_by_ply, steps
from hexdeck.games.black_hearts import deck, values
from hexdeck.lab.reporting.rulings import manual
from hexdeck.simulation.game import load
from hexdeck.terminal.rulebook import with_pictures
from hexdeck.web.html.cards import picture, tile
from hexdeck.web.html.rulebook import cited, rules_html
from tests.settings import every_game

LANGS = ("en", "nl")
CITED = re.compile(r"\b[A-Z]{2}-\d+\b")


# --- worked examples --------------------------------------------------------------------------------------------------
@every_game
def test_the_rules_allow_every_event_of_an_example(name: str) -> None:
    match = load(game_folder(name) / "example.json", backend="interpreted")
    assert match.length > 20 and len(set(match.names)) == match.game.players
    assert match.game.options == hexdeck.game(name, match.game.players).options


@every_game
def test_passages_stand_at_stops_the_same_in_both_languages(name: str) -> None:
    match = load(game_folder(name) / "example.json", backend="interpreted")
    english, dutch = (passages_by_ply(game_folder(name), lang) for lang in LANGS)
    plies = list(english)
    assert plies == sorted(plies) == list(dutch) and set(plies) <= set(stops_of(match))
    assert 8 <= len(plies) <= 20 and plies[-1] == match.length
    for ply in plies:
        assert english[ply] != dutch[ply] and 40 < len(english[ply]) < 480 and len(dutch[ply]) < 500, ply
        assert sorted(CITED.findall(english[ply])) == sorted(CITED.findall(dutch[ply])), ply


@every_game
def test_passages_cite_rules_that_the_rules_page_has(name: str) -> None:
    for lang in LANGS:
        known = set(CITED.findall(rules_text(name, lang)))
        prose = " ".join(passages_by_ply(game_folder(name), lang).values())
        assert set(CITED.findall(prose)) <= known
        bare = re.sub(r"\[[A-Z]{2}-\d+\]", "", prose)
        assert not re.search(r"[\[\]*_`]", bare) and len(set(CITED.findall(prose))) >= 5
        assert prose.count("[") == cited(prose, "/rules").count('<a class="rule" href="/rules#')


@every_game
def test_each_step_shows_the_table_with_open_cards(name: str) -> None:
    match = load(game_folder(name) / "example.json", backend="interpreted")
    for step in steps(name, "en"):
        assert step.view == view_at(match, step.ply, None) and not step.view.moves
        assert step.view.names == tuple(match.names)
        for zone in step.view.zones:
            for seat in range(match.game.players):
                own = next(each for each in match.view(seat).zones if each.id == zone.id)
                assert len(own.cards) <= len(zone.cards) or zone.hidden < own.hidden, (step.ply, zone.id)


# --- pictures ---------------------------------------------------------------------------------------------------------
@every_game
def test_rules_have_pictures_of_cards_that_there_are_with_words_in_both_languages(name: str) -> None:
    found = [pictures(rules_text(name, lang)) for lang in LANGS]
    assert [each.rows for each in found[0]] == [each.rows for each in found[1]]
    for own, other in zip(*found, strict=True):
        assert len(own.alt) >= 5 and len(other.alt) >= 5 and (own.alt != other.alt)
        for card in (card for row in own.rows for card in row):
            art = tile(card.code) if own.board else picture(card.code)
            assert card.code in (EMPTY, BACK) or art.symbol != "card-blank", card.code
    places = [block for block in STEP.sub("", rules_text(name, "en")).split("\n\n") if "![" in block]
    assert 3 <= len(places) <= 6 and all(PICTURE.sub("", block).strip() == "" for block in places)


@every_game
@pytest.mark.parametrize("lang", LANGS)
def test_pictures_are_drawn_on_the_page_and_written_in_the_terminal(name: str, lang: str) -> None:
    there = pictures(rules_text(name, lang))
    html, text = rules_html(name, lang, "/static/sprite.svg"), with_pictures(manual(name, lang), False, "LOOK")
    html = re.sub(r'<span class="position".*?</span><span class="caption">', "", html)
    assert html.count('role="img"') == len(there) and "<img" not in html and "<!--" not in html and "&lt;!" not in html
    drawn = [card for each in there for row in each.rows for card in row if card.code != EMPTY]
    assert html.count('"/static/sprite.svg#') == len(drawn)
    assert html.count("shown-card marked") == sum(card.marked for card in drawn)
    assert "](" not in text and "<!--" not in text and text.count("*LOOK*") == 1
    assert all(f"*{each.alt}*" in text for each in there)


def test_a_picture_keeps_its_columns_and_marks_in_text() -> None:
    (board,) = pictures("![two\n7s](board:.,7h,10c/back,x2+,.)")
    assert board.alt == "two 7s" and board.board
    assert board.text(False) == ".     7h    10c\n#     [x2]  ."
    assert board.text(True) == "·     7♥    10♣\n▒     [x2]  ·"
    (row,) = pictures("![a pair](cards:7+,7+)")
    assert row.text(True) == "[7]  [7]" and not row.board


# --- what is printed on the cards -------------------------------------------------------------------------------------
def test_the_values_of_cards_come_from_their_file(monkeypatch: pytest.MonkeyPatch) -> None:
    english, dutch = (rules_with_tables("black-hearts", lang) for lang in LANGS)
    assert (
        "| Curse card | C1 | C2 | C3 | C4 | C5 | C6 |\n" in english and "| Points | 1 | 1 | 2 | 2 | 3 | 4 |" in english
    )
    assert "| Vloekkaart | C1 |" in dutch and "| Cadeaukaart | Hoeveel |" in dutch and "| Vroege vogel | 1 |" in dutch
    changed = values.printed() | {"curse_numbers": "1-1-3", "curse_points": "5-6-7", "gift_copies": "9-1-1-1-1"}
    monkeypatch.setattr(deck, "printed", lambda: changed)
    own = rules_with_tables("black-hearts", "en")
    assert "| Curse card | C1a | C1b | C3 |\n" in own and "| Points | 5 | 6 | 7 |" in own
    assert "| Curse cards, red | 2 | 0 | 1 | 0 | 0 | 0 |" in own and "| Upside down | 9 |" in own


# --- rulings ----------------------------------------------------------------------------------------------------------
@every_game
@pytest.mark.parametrize("lang", LANGS)
def test_every_reading_of_a_rule_is_told_in_the_rules(name: str, lang: str) -> None:
    text = " ".join(rules_text(name, lang).split())
    for option in definition(name).rules.OPTIONS:
        if option.rule and isinstance(option, (Choice, Switch)):
            for value in option.values if isinstance(option, Choice) else ("off", "on"):
                before = text.partition(f"(`{option.name}={value}`)")[0]
                assert before != text and len(before.rpartition("`")[2].split()) > 3, (option.name, value)
        elif option.rule:
            assert f"`{option.name}" in text, option.name
