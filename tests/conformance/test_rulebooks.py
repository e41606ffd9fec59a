"""Rules one can learn from: worked examples that the rules allow, pictures of cards that there are, rulings in full."""

import io
import json
import re
import tomllib
from html import unescape
from typing import Any

import docs_pages
import pytest
from markdown_it import MarkdownIt
from markupsafe import escape
from rich.console import Console
from rich.markdown import Markdown
from rulings import chapter
from specs import FOLDER

import hexdeck
from hexdeck.engine.discovery.definition import definition
from hexdeck.engine.discovery.finding import game_folder
from hexdeck.engine.options import Choice, Option, Switch
from hexdeck.engine.play.story import stops_of, view_at
from hexdeck.engine.rulebook import (
    BACK,
    EMPTY,
    PICTURE,
    STEP,
    TYPED,
    blocks,
    example_views,
    passages_by_ply,
    pictured,
    pictures,
    rules_text,
    rules_with_tables,
    ruling,
    step_pictures,
    steps,
)
from hexdeck.games.black_hearts import deck, values
from hexdeck.lab.effects import readings
from hexdeck.simulation.game import load
from hexdeck.terminal.rulebook import rules_markdown
from hexdeck.web.html.games import cited, option_groups, rules_html
from hexdeck.web.html.rendering import picture, tile
from hexdeck.web.paper import Sheets, blocks_of, flow
from tests.settings import GAMES, every_game

LANGS = ("en", "nl")
CITED = re.compile(r"\b[A-Z]{2}-\d+\b")
SENTENCES = re.compile(r"[.!?…]”? +[A-ZÉ“]")  # where one ends and another begins
READABLE = 8.5  # points


# --- worked examples --------------------------------------------------------------------------------------------------
@every_game
def test_the_rules_allow_every_event_of_an_example(name: str) -> None:
    match = load(game_folder(name) / "example.json", backend="interpreted")
    assert match.length > 20 and len(set(match.names)) == match.game.players
    usual = hexdeck.game(name, match.game.players).options  # those that a record has: it may be older than others
    assert usual.items() >= json.loads((game_folder(name) / "example.json").read_text())["options"].items()


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
def test_the_bare_file_tells_what_the_page_shows(name: str, lang: str) -> None:
    """Where comments are hidden and nothing is drawn, as on GitHub: with minutes, tables and captions."""
    bare = (game_folder(name) / f"rules.{lang}.md").read_text(encoding="utf-8")
    shown = re.sub(r"!\[(.+)\]\(.+\)", r"* \1", rules_with_tables(name, lang))
    assert re.sub(r"<!-- .*?-->", "", bare).split() == shown.split()


@every_game
@pytest.mark.parametrize("lang", LANGS)
def test_pictures_are_drawn_on_the_page_and_written_in_the_terminal(name: str, lang: str) -> None:
    there = pictures(rules_text(name, lang))
    html, text = rules_html(name, lang, "/static/sprite.svg"), rules_markdown(name, lang, False)
    html = re.sub(r'<span class="position".*?</span><span class="caption">', "", html)
    assert html.count('role="img"') == len(there) and "<img" not in html and "<!--" not in html and "&lt;!" not in html
    assert html.count('class="step"') == 5
    drawn = [card for each in there for row in each.rows for card in row if card.code != EMPTY]
    assert html.count('"/static/sprite.svg#') == len(drawn)
    assert html.count("shown-card marked") == sum(card.marked for card in drawn)
    assert "](" not in text and "<!--" not in text and text.count(f"`hexdeck rules {name} --example`") == 1
    assert all(f"*{each.alt}*" in text for each in there)


@every_game
@pytest.mark.parametrize("lang", LANGS)
def test_the_five_moments_show_what_the_example_shows_everywhere(name: str, lang: str) -> None:
    """In the browser, on the docs site and at the terminal, before the set-up."""
    moments, views = step_pictures(rules_text(name, lang)), example_views(name)
    html, page = rules_html(name, lang, ""), docs_pages.rules_page(name, lang)
    plain, fancy = (rules_markdown(name, lang, each) for each in (False, True))
    quotes = re.findall(r"(?:^> .*\n)+", plain, re.MULTILINE)
    assert len(moments) == 5 and html.count('class="step"') == page.count('class="step"') == 5
    assert html.count('class="position"') == page.count('class="position"') == 5 and "](step:" not in page + plain
    symbols = re.findall(r'href="#([^"]+)"', page)
    assert symbols and all(page.count(f' id="{symbol}"') == 1 for symbol in symbols), "the page holds what it draws"
    for moment, quote in zip(moments, quotes, strict=False):
        told = quote.replace("\u00a0", " ")
        assert f"*{moment.caption}*" in quote and all(f"*{moment.caption}*" in each for each in (plain, fancy))
        assert escape(moment.caption) in html and escape(moment.caption) in page
        for zone, _ in pictured(views[moment.ply], moment):
            assert zone.shape == "board" or str(zone.count if zone.shape == "count" else zone.cards[-1]) in told
    assert plain.index(moments[-1].caption) < plain.index("\n## ", plain.index("90 se"))


@every_game
def test_every_ruling_of_ours_is_named_where_the_rules_page_says_what_is_ours(name: str) -> None:
    ours = tomllib.loads((game_folder(name) / "spec.toml").read_text(encoding="utf-8"))["ours"]
    assert len(ours) >= 3 and len(set(ours)) == len(ours)
    for lang, begins in zip(LANGS, ("Ours: ", "Van ons: "), strict=True):
        before, part = rules_text(name, lang).split(f"\n{begins}")
        lines = [" ".join(line.split()) for line in re.findall(r"^- (?:.+\n)+?(?=- |\n)", part, re.MULTILINE)]
        assert [CITED.findall(line) for line in lines] == [[rule] for rule in ours], lang
        assert all(re.fullmatch(r"- .{20,}[.] \[\S+\]", line) for line in lines), lines
        assert set(ours) <= set(CITED.findall(before)), "the rules themselves say it too"


@every_game
def test_a_ruling_with_two_readings_is_one_of_ours(name: str) -> None:
    """What was measured as another reading is ours, but for what the sheet itself offers as a choice."""
    ours = tomllib.loads((game_folder(name) / "spec.toml").read_text(encoding="utf-8"))["ours"]
    offered = {"BH-6", "HH-3", "HH-10", "HH-17"}  # gifts or none, who begins, which pile, how many games
    assert {option.rule for option, _ in readings(hexdeck.game(name))} <= {*ours, *offered}


@every_game
def test_no_figures_of_rulings_stand_before_a_family(name: str) -> None:
    """How much each ruling matters is on the game's page for researchers."""
    page = (FOLDER / f"{name}.md").read_text(encoding="utf-8")
    assert chapter(name) in page
    for text in (rules_html(name, "en", ""), rules_markdown(name, "en", True), docs_pages.rules_page(name, "en")):
        assert "percentage points" not in text and "The figures come from" not in text


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
    monkeypatch.setattr(deck, "printed_values", lambda: changed)
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


# --- every sentence, in every form ------------------------------------------------------------------------------------
ENTRY = re.compile(r"- |(\d+)\. ")


def written(text: str) -> list[str]:
    """What a rules page says, in blocks: its headings, paragraphs and entries of lists, each in one line.

    A line begins an entry only where one can begin: at the margin, and if numbered, with 1 or the next number.
    """
    out: list[str] = []
    number, open_block = 0, False
    for line in text.splitlines():
        found = ENTRY.match(line)
        if found and (found[1] is None or int(found[1]) == number + 1):
            out.append(line[found.end() :])
            number, open_block = int(found[1] or 0), True
        elif not line.strip() or line.startswith(("#", "![", "|")):
            out += [line.lstrip("# ")] if line.startswith("#") else []
            number, open_block = 0 if line.startswith("#") else number, False
        elif open_block:
            out[-1] += f" {line.strip()}"
        else:
            out.append(line)
            open_block = True
    return [plain(block) for block in out if plain(block)]


def plain(text: str) -> str:
    """Words and signs alone: without marks, ids of rules and the gaps between lines."""
    text = re.sub(r"\s*\[[A-Z]{2}-\d+\]", "", re.sub(r"<!--.*?-->|[*`_]", "", text))
    return " ".join(text.replace("\u00a0", " ").split())


def of_html(html: str) -> str:
    html = re.sub(r'\s*(?:<span id="[^"]*"></span>)*<span class="rule">.*?</span>', "", html)
    return plain(unescape(re.sub(r"<[^>]+>", "", re.sub(r"</?(?:p|li|h\d|td|th|br)>", " ", html))))


def of_terminal(name: str, lang: str) -> str:
    console = Console(width=2_000, file=io.StringIO(), color_system=None)
    console.print(Markdown(rules_markdown(name, lang, False)))
    return plain(console.file.getvalue())  # type: ignore[attr-defined]


def of_paper(name: str, lang: str, monkeypatch: pytest.MonkeyPatch) -> str:
    """What is drawn on the pages of the PDF, line by line."""
    told: list[str] = []
    draw = Sheets._render_styled_text_line  # of fpdf, with which all text is drawn

    def line(sheets: Sheets, text: Any, *more: Any, **others: Any) -> bool:
        page = sheets.pages[sheets.page]
        before, ended = len(page.contents), draw(sheets, text, *more, **others)
        if len(page.contents) > before:  # not where it is only measured
            told.append("".join(fragment.string for fragment in text.fragments))
        return ended

    monkeypatch.setattr(Sheets, "_render_styled_text_line", line)
    sheets = Sheets("a4", name, lang)
    sheets.add_page()
    flow(sheets, [*blocks_of(name, lang)], READABLE)
    sheets.close()
    return plain(" ".join(told))


def lost(blocks: list[str], shown: str) -> list[str]:
    return [block for block in blocks if block not in shown]


@every_game
@pytest.mark.parametrize("lang", LANGS)
def test_every_sentence_of_the_rules_is_shown_as_it_is_written(name, lang, monkeypatch) -> None:
    """In the browser, on the docs site, at the terminal and on paper."""
    told = written(rules_text(name, lang))
    assert len(told) > 40
    assert not lost(told, of_html(rules_html(name, lang, "")))
    assert not lost(told, of_html(MarkdownIt("commonmark").enable("table").render(docs_pages.rules_page(name, lang))))
    assert not lost(told, of_terminal(name, lang))
    assert not lost(told[:-1], of_paper(name, lang, monkeypatch)), "the last explains the ids, which paper hasn't"


@every_game
@pytest.mark.parametrize("lang", LANGS)
def test_the_box_of_an_option_is_a_block_of_the_rules(name: str, lang: str) -> None:
    """One sentence written for it, in full, but for what one would type to choose it."""
    there = {TYPED.sub("", block) for block in blocks(rules_text(name, lang))}
    for option in definition(name).rules.OPTIONS:
        box = ruling(name, lang, option)
        assert bool(box) == bool(option.rule), option.name
        assert not box or (box in there and box.endswith((".", ".”")) and "=" not in box and "`" not in box), box
        assert not SENTENCES.search(box) and not re.search(r"\b(above|hierboven)\b", box), box
        assert option.rule in (rulings := rules_of(name, lang, option)) or not option.rule, (option.name, rulings)
    boxes = [box for option in definition(name).rules.OPTIONS if (box := ruling(name, lang, option))]
    assert len({*boxes}) == len(boxes)
    fields = [field for _, found in option_groups(name, lang, 4, {}) for field in found]
    assert {field.name: field.ruling for field in fields} == {
        option.name: ruling(name, lang, option) for option in definition(name).rules.OPTIONS
    }


def rules_of(name: str, lang: str, option: Option) -> list[str]:
    return [
        id for block in blocks(rules_text(name, lang)) if f"`{option.name}=" in block for id in CITED.findall(block)
    ]


def test_an_id_that_begins_a_line_leaves_no_gap_at_the_terminal() -> None:
    for lang in LANGS:
        for name in GAMES:
            assert not re.search(r"[a-z]\s[.,;:)]", rules_markdown(name, lang, False)), (name, lang)


def test_a_number_that_begins_a_line_is_missed_where_a_list_swallows_it() -> None:
    swallowed = "- In a graveyard it is just a\n  1. [CH-4]\n- And on.\n"
    html = MarkdownIt("commonmark").render(swallowed)
    assert lost(written(swallowed), of_html(html)) == ["In a graveyard it is just a 1."]
    assert not lost(written("1. One.\n2. Two\n   lines.\n"), "One. Two lines.")
