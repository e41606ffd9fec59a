"""Names that a designer types for the cards of a fork: kept by a form, shown with the cards, and doing nothing else."""

import html
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import hexdeck
from hexdeck.authoring import fork_game
from hexdeck.engine.discovery import finding
from hexdeck.engine.discovery.definition import definition, forget, wrong_with
from hexdeck.engine.discovery.finding import game_words
from hexdeck.engine.rulebook import printed
from hexdeck.terminal.screen import Screen
from hexdeck.web import paper
from hexdeck.web.html import rendering, workshop
from tests.settings import every_game
from tests.support import for_each
from tests.web.serving import Person, Served, file_in, served

NAMES = {str(number): f"<b>[{number}]*{{x}}" for number in range(1, 11)}  # what would do harm where it isn't escaped


@pytest.fixture(name="games")
def _games(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    with monkeypatch.context() as patch:
        patch.setenv(finding.PATH, str(tmp_path / "games"))
        (tmp_path / "games").mkdir()
        fork_game("hawthorn", "my-own", tmp_path / "games")
        forget()
        yield tmp_path / "games"
    forget()
    rendering.forget_art()


@pytest.fixture(name="site")
def _site(games: Path, tmp_path: Path) -> Iterator[Served]:
    with served(file_in(tmp_path), forks=str(games)) as server:
        yield server


def kept(games: Path) -> dict[str, str]:
    return {code: game_words("my-own", "nl").named(code).strip() for code in workshop.nameable("my-own")}


def test_names_are_kept_by_a_form_as_other_names_are(site: Served, games: Path) -> None:
    ann = Person(site.base)
    assert 'name="name-10" value=""' in ann.get("/workshop/my-own?players=2").text
    typed = {
        "variant": "players=2",
        "name-7": " The \x1b[31m\n Crow ",
        "name-10": "W" * 40,
        "name-99": "x",
        "name-1": " ",
    }
    saved = ann.post("/workshop/my-own/names", typed)
    assert saved.headers["location"] == "/workshop/my-own?players=2#names"
    assert kept(games) == dict.fromkeys(NAMES, "") | {"7": "The [31m Crow", "10": "W" * 16}
    assert 'name="name-7" value="The [31m Crow"' in ann.get("/workshop/my-own?players=2").text
    assert "these signs are missing" not in ann.get("/workshop/my-own?players=2").text
    ann.post("/workshop/my-own/names", {"name-7": "Krähe 漢 😀 漢"})
    told = "On paper these signs are missing, since the type has none: 漢 😀"
    assert told in ann.get("/workshop/my-own?players=2").text
    ann.post("/workshop/my-own/names", {"name-7": "Jackdaw"})
    assert kept(games) == dict.fromkeys(NAMES, "") | {"7": "Jackdaw"}


def test_a_renamed_card_is_shown_at_the_table_in_the_log_and_on_paper_and_nothing_in_it_does_anything(
    site: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    ann = Person(site.base)
    ann.post("/workshop/my-own/names", {f"name-{code}": name for code, name in NAMES.items()})
    ann.begins({"game": "my-own", "players": "2", "seat-1": "bot:house"})
    page = ann.page()
    assert "<b>[" not in page
    shown = set(re.findall(r'<span class="called" aria-hidden="true">([^<]*)</span>', page))
    assert shown and {html.unescape(name) for name in shown} <= set(NAMES.values())
    labels = re.findall(r'aria-label="(Start your row[^"]*)"', page)
    assert labels and all("&lt;b&gt;[" in label for label in labels)
    told = re.findall(r"You are dealt [^.]*\.", page)
    assert told and told[0].count("&lt;b&gt;[") == 5
    words: list[str] = []
    monkeypatch.setattr(paper, "foot", lambda _sheets, text, *_place: words.append(text))
    paper.document("my-own", "en", "a4", ("cards",))
    assert set(words) == set(NAMES.values())


def test_a_renamed_card_is_shown_in_the_terminal_and_in_text(games: Path) -> None:
    folder = games / "my_own" / "locale"
    (folder / "cards.toml").write_text(
        "".join(f'{code} = "{name}"\n' for code, name in NAMES.items()), encoding="utf-8"
    )
    forget()
    match = hexdeck.game("my-own", 2).match(seed=1)
    view = match.view(0)
    hand = next(zone for zone in view.zones if zone.shape == "fan").cards
    screen = Screen(game_words("my-own", "en"), "My Own", width=200)
    drawn = "\n".join(line.plain for line in screen.draw(view, view.log))
    for text in (view.text(), drawn):
        assert all(text.count(f"{code}\u00a0{NAMES[code]}") >= 2 for code in hand)  # in the hand, in the moves


def test_words_on_a_card_stand_after_its_name() -> None:
    card = printed(definition("black-hearts")).cards[0]
    assert card.words is not None
    assert str(paper.rulebook.named(card, "Fate").words) == f"Fate: {card.words}"


@every_game
def test_the_cards_of_every_game_can_be_named(name: str) -> None:
    codes = workshop.nameable(name)
    assert len(codes) >= 10 and len(codes) <= 90  # fields of a form


@for_each("names", ["7 = 7", '7 = ""', '7 = "12345678901234567"', '7 = "\\u001b"', "7", '[a]\n7 = "x"'])
def test_names_that_are_none_are_told_in_one_sentence(games: Path, names: str) -> None:
    (games / "my_own" / "locale" / "cards.toml").write_text(names, encoding="utf-8")
    forget()
    wrong: Any = wrong_with("my-own")
    assert "cards.toml can't be read: " in str(wrong) and "\n" not in str(wrong)
    assert wrong_with("hawthorn") is None
