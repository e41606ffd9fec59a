"""Games on paper: rules on two sides, whole decks, boards that fit, and the same bytes each time."""

import re

from hexdeck.cli import main
from hexdeck.engine.discovery.definition import definition
from hexdeck.engine.discovery.finding import game_names, game_words
from hexdeck.engine.play.game import GameSetup
from hexdeck.engine.play.match import Match
from hexdeck.engine.rulebook import PrintedCard, printed
from hexdeck.testing import inventory
from hexdeck.web import paper
from hexdeck.web.paper import (
    BOARD_SQUARE,
    LARGEST,
    SIDES,
    SIZES,
    Heading,
    Passage,
    Sheets,
    add_board,
    add_rules,
    blocks_of,
    flow,
    lines,
)
from tests.settings import covered, much
from tests.support import for_each

READABLE = 8.5  # points
FACES = re.compile(r"card-[JQK][cshd]|gift-.*")  # what kernels don't list: the face pile of Wolf-Man's Curse, and gifts


@covered(("game", "lang", "size"), game_names(), ["nl", "en"], [*SIZES])
def test_the_rules_fill_two_sides_in_letters_that_can_be_read(game, lang, size):
    """In a usual run most games aren't fitted: letters that can just be read need no more than two sides."""
    sheets = Sheets(size, game, lang)
    if game == much("cursed-hand", game):
        letters = add_rules(sheets, game, lang)
    else:
        sheets.add_page()
        flow(sheets, list(blocks_of(game, lang)), letters := READABLE)
    sheets.close()
    assert sheets.page <= SIDES == 2 and LARGEST >= letters >= READABLE


def texts(game, lang):
    return [block.text for block in blocks_of(game.name, lang, game) if isinstance(block, (Passage, Heading))]


def test_a_variant_lists_what_differs_and_marks_where_it_stands():
    game = GameSetup.named("hawthorn", 3, fold_price="own", deck="0-12-9")
    for lang, first, mark in (
        ("en", "**1** – “The price of folding is the lowest card”: in your own row; in the printed game", "(change 1)"),
        ("nl", "**1** – “De prijs van passen is de laagste kaart”: in je eigen rij; in het gedrukte", "(wijziging 1)"),
    ):
        told = texts(game, lang)
        at = next(k for k, text in enumerate(told) if text.startswith(first))
        assert at < 6 and told[at + 1].startswith("**2** – ")
        marked = [text for text in told if mark in text]
        assert any("fold_price=own" in text for text in marked) and 1 < len(marked) < 8
    assert not any("change 1" in text for text in texts(GameSetup.named("hawthorn", 3), "en"))
    assert [(card.symbol, card.copies) for card in printed(game.definition, game.options).cards] == [
        ("card-2", 12),
        ("card-3", 9),
    ]
    hearts = GameSetup.named("black-hearts", 3, gift_copies="2-1-1-1-2")
    assert "The cards to be cut out are those of the printed game." in texts(hearts, "en")


def test_a_passage_goes_on_in_the_next_column_cut_in_no_bold_words():
    sheets, width, text = Sheets("a4", "", "en"), 40.0, "One **two three four five six seven** eight nine ten. " * 4
    sheets.add_page()
    passage = Passage(text.strip(), small=False, mark="•")
    whole, cuts = passage.place(sheets, 10, width), set()
    for room in range(int(whole)):
        if halves := passage.halves(sheets, 10, width, room):
            head, rest = halves
            cuts.add(head.text)
            assert f"{head.text} {rest.text}" == passage.text and head.text.count("**") % 2 == 0
            assert head.place(sheets, 10, width) <= room and rest.mark.isspace()
    sheets.close()
    assert len(cuts) > 2
    assert passage.halves(sheets, 10, width, 0) is None


@for_each("game", game_names())
def test_the_printed_deck_is_the_deck_of_the_rules(game):
    rules = definition(game).rules
    begun = Match(GameSetup.named(game, min(4, rules.PLAYERS[1])), by_hand=True, backend="interpreted").struct
    listed = inventory(rules, begun)
    listed.pop("chips", 0)
    lists_all = game == "high-handed"
    cards = [card for card in printed(definition(game)).cards if lists_all or not FACES.fullmatch(card.symbol)]
    assert sum(card.copies for card in cards) == sum(listed.values())
    if game != "blackstone":  # its kernel counts all but the tens together
        assert sorted(card.copies for card in cards) == sorted(listed.values()) or game == "wolf-mans-curse"


def test_wolf_mans_curse_prints_all_face_cards():
    symbols = {card.symbol for card in printed(definition("wolf-mans-curse")).cards}
    assert {f"card-{rank}{suit}" for rank in "JQK" for suit in "cshd"} <= symbols


def test_a_score_sheet_has_a_line_for_each_deal_and_part():
    for game in game_names():
        sheet = printed(definition(game)).scores
        labels = lines(sheet, game_words(game, "en"))
        assert len(labels) == len(set(labels)) == sheet.lines * max(1, len(sheet.parts))


@for_each("size", SIZES)
def test_backs_lie_behind_the_faces_of_a_page_that_is_turned(size):
    sheets = Sheets(size, "", "en")
    sheets.close()
    sheets.add_page()
    faces = list(paper.places(sheets, 3, 3, 1.0))
    behind = list(paper.backs(sheets, 3, 3, 1.0, 9))
    turned = [(sheets.w - x - paper.WIDTH, y) for x, y in faces]
    assert behind == turned
    assert sorted((round(x, 3), y) for x, y in behind) == sorted((round(x, 3), y) for x, y in faces)
    assert all(x > 0 and x + paper.WIDTH < sheets.w and y > 0 and y + paper.HEIGHT < sheets.h for x, y in faces)


@for_each("size", SIZES)
def test_cards_that_lie_on_the_board_fit_its_squares(size):
    from hexdeck.web.paper import ON_BOARD

    assert paper.HEIGHT * ON_BOARD < BOARD_SQUARE
    sheets, words = Sheets(size, "", "en"), game_words("high-handed", "en")
    add_board(sheets, definition("high-handed").deck.printed().board, BOARD_SQUARE, words)
    sheets.close()
    assert sheets.page == 4


def test_nine_cards_a_page_each_with_their_backs():
    sheets = Sheets("a4", "", "en")
    paper.add_cards(sheets, [PrintedCard("card-7", 10)], game_words("hawthorn", "en"))
    sheets.close()
    assert sheets.page == 4


def test_a_document_is_the_same_bytes_each_time():
    make = paper.document
    assert make("hawthorn", "en", "a4", ("scores",)) == make("hawthorn", "en", "a4", ("scores",))
    assert make("hawthorn", "en", "a4", ("scores",)) != make("hawthorn", "nl", "a4", ("scores",))


def test_the_command_writes_where_it_is_told(tmp_path, capsys):
    target = tmp_path / "cards.pdf"
    assert main(["print", "blackstone", str(target), "--part", "cards"]) == 0
    assert target.read_bytes().startswith(b"%PDF-")
    assert "full size" in capsys.readouterr().out
    behind = tmp_path / "behind.pdf"
    assert main(["print", "blackstone", "--part", "scores", "--paper", "letter", str(behind)]) == 0 and behind.exists()
    assert main(["print", "blackstone", "--paper", "letter", str(behind), "two.pdf"]) == 2
    assert "doesn't take two.pdf" in capsys.readouterr().err
    assert main(["print", "blackstone", str(tmp_path / "none" / "x.pdf"), "--part", "scores"]) == 2
