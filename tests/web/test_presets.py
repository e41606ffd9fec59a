"""The options that people get if they choose none: by Play now, in the form of a new table, and from programs."""

import html
import re

import pytest

import hexdeck
from hexdeck.engine.discovery.definition import preset
from hexdeck.simulation.game import Game
from tests.settings import GAMES, every_game, options
from tests.web.serving import Person, Program, Served

PRESETS = [(name, option, value) for name in GAMES for option, value in preset(name).items()]
every_preset = pytest.mark.parametrize(("name", "option", "value"), PRESETS)


def set_at(site: Served, person: Person | Program) -> Game:
    """The game of the table that somebody sits at."""
    return site.state.registry.tables[person.table].game


def prefilled(page: str, option: str) -> str:
    """What stands in the field of an option."""
    found = re.search(rf'<input id="option-{option}"[^>]* value="([^"]*)"', page)
    if found is None:
        field = page[page.index(f'<select id="option-{option}"') :]
        found = re.search(r'value="([^"]*)" selected', field[: field.index("</select>")])
    assert found, option
    return html.unescape(found[1])


def test_what_tables_play_otherwise() -> None:
    """Sessions are longer where one round or deal is short; High Handed is as people play it (HH-3, HH-13)."""
    assert {name: preset(name) for name in GAMES if preset(name)} == {
        "blackstone": {"rounds": 5}, "hawthorn": {"deals": 3}, "high-handed": {"first": "lot", "line_hands": "two"},
    }  # fmt: skip


@every_game
def test_play_now_and_learning_follow_it(name: str, site: Served) -> None:
    for field in ("game", "learn"):
        ann = Person(site.base)
        ann.sits_down(ann.post("/play", {field: name}))
        assert set_at(site, ann) == Game.at_table(name)


@every_game
def test_the_form_of_a_new_table_holds_it_and_sets_it(name: str, site: Served) -> None:
    ann = Person(site.base)
    page = ann.get(f"/new/{name}").text
    fields = {f"option-{option.name}": prefilled(page, option.name) for option in options(name)}
    ann.sits_down(ann.post("/tables", {"game": name, "players": "4", **fields}))
    assert set_at(site, ann) == Game.at_table(name, 4)


@every_preset
def test_what_somebody_chooses_in_the_form_is_obeyed_and_shown_again(
    name: str, option: str, value: int, site: Served
) -> None:
    ann, usual = Person(site.base), hexdeck.game(name).options[option]
    ann.sits_down(ann.post("/tables", {"game": name, "players": "3", f"option-{option}": str(usual)}))
    assert set_at(site, ann).options[option] == usual != value
    refused = ann.post("/tables", {"game": name, "players": "3", f"option-{option}": str(usual), "option-chips": "x"})
    assert refused.status_code == 400 and prefilled(refused.text, option) == str(usual)


@every_preset
def test_programs_set_tables_alike_and_are_told_of_it(name: str, option: str, value: int, site: Served) -> None:
    one, usual = Program(site.base), hexdeck.game(name).options[option]
    assert one.creates(game=name, players=2)["options"][option] == value
    assert one.creates(game=name, players=2, options={option: usual})["options"][option] == usual
    listed = next(each for each in one.http.get("/games").json()["games"] if each["name"] == name)["options"]
    options = {each["name"]: (each["default"], each["at_tables"]) for each in listed}
    assert options[option] == (usual, value)
    assert all(there == preset(name).get(each, default) for each, (default, there) in options.items())
