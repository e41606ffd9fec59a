"""Rules pages that a family can start from: how to play in 90 seconds, in five pictures; then what is needed first."""

import re

import pytest

from hexdeck.engine.discovery.finding import game_folder
from hexdeck.engine.rulebook import STEP, example_views, passages_by_ply, rules_text, rules_with_tables, step_pictures
from hexdeck.web.html.games import rules_html
from tests.settings import every_game

LANGS = ("en", "nl")
FIRST = {"en": "How to play in 90 seconds", "nl": "Het spel in 90 seconden"}
EXAMPLE = {"en": "An example", "nl": "Een voorbeeld"}
PRINT = {"en": "Small print", "nl": "Kleine lettertjes"}
MACHINES = re.compile(
    r"(?i)\b(rewards?|utility|score of a match|your score is|(?<!\w)-1\b|\u22121\b|je score is|share 1|deelt? 1)"
)
both_languages = pytest.mark.parametrize("lang", LANGS)


def read_aloud(text: str) -> int:
    """How many words of a text are read aloud: none of pictures, tables' lines and rule ids."""
    bare = re.sub(r"!\[[^\]]*\]\([^)]*\)|<!--.*?-->|\[[A-Z]{2}-\d+\]|^\|[-|]+\|$", "", text, flags=re.MULTILINE)
    return sum(re.search(r"\w", word) is not None for word in bare.split())


@every_game
@both_languages
def test_a_page_begins_with_how_to_play_in_ninety_seconds_and_five_pictures(name: str, lang: str) -> None:
    head, first, *_rest = re.split(r"^## ", rules_text(name, lang), flags=re.MULTILINE)
    assert read_aloud(head) < 90
    title, opening, more, drawn = (part.strip() for part in re.split(r"\n\n", first.strip()))
    assert title == FIRST[lang] and 80 <= read_aloud(opening) <= 105 and re.fullmatch(r"\*[^*]+\*", more)
    assert len(step_pictures(drawn)) == 5 and STEP.sub("", drawn).split() == []


@every_game
@both_languages
def test_five_minutes_of_reading_aloud_are_enough_to_play(name: str, lang: str) -> None:
    text = rules_with_tables(name, lang)
    to_play, example, rest = text.partition(f"\n## {EXAMPLE[lang]}\n")
    assert example and 400 < read_aloud(to_play) <= 750
    assert "`" not in to_play and "### " not in to_play  # no codes and no exceptions before one can play
    assert f"\n### {PRINT[lang]}\n" in rest and "\n## " not in rest.partition("\n### ")[2]


@every_game
@both_languages
def test_a_family_is_told_nothing_of_rewards(name: str, lang: str) -> None:
    prose = " ".join(passages_by_ply(game_folder(name), lang).values())
    assert MACHINES.findall(rules_text(name, lang)) == MACHINES.findall(prose) == []


@every_game
def test_pictures_show_the_same_zones_of_the_example_in_both_languages(name: str) -> None:
    english, dutch = (step_pictures(rules_text(name, lang)) for lang in LANGS)
    plies = [each.ply for each in english]
    assert plies == sorted(set(plies)) and set(plies) <= set(example_views(name))
    for own, other in zip(english, dutch, strict=True):
        assert (own.ply, own.zones) == (other.ply, other.zones) and own.caption != other.caption
        ids = {zone.id.partition("-")[0] for zone in example_views(name)[own.ply].zones}
        assert {zone for zone, _lit in own.zones} <= ids, own.ply
        assert all(20 < len(each.caption) < 125 for each in (own, other)), own.ply


@every_game
@both_languages
def test_ids_stand_once_before_what_they_number_and_small_print_is_marked(name: str, lang: str) -> None:
    html = rules_html(name, lang, "")
    anchors = re.findall(r'<a id="([A-Z]{2}-\d+)">', html)
    ids = set(re.findall(r"\[([A-Z]{2}-\d+)\]", rules_text(name, lang)))
    assert sorted(anchors) == sorted(ids) and not re.search(r"\[[A-Z]{2}-\d+\]", html)
    assert re.search(r'<(?:p|li)>(?:\n<p>)?<a id="[A-Z]{2}-1"></a>', html)
    assert html.count('<section class="small"><h3>') == html.count("<h3>") == 3
