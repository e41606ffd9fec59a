"""The options that people get if they choose none: by Play now, in the form of a new table, and from programs."""

import html
import re

import pytest

import hexdeck
from hexdeck.engine.discovery.definition import first_game, preset, presets
from hexdeck.simulation.game import Game
from tests.settings import GAMES, every_game, options
from tests.web.serving import Person, Program, Served

EVERY = [(name, each.name) for name in GAMES for each in presets(name, 4)]
every_preset = pytest.mark.parametrize(("name", "chosen"), EVERY)


def set_at(site: Served, person: Person | Program) -> Game:
    return site.state.registry.tables[person.table].game


def prefilled(page: str, option: str) -> str:
    found = re.search(rf'<input id="option-{option}"[^>]* value="([^"]*)"', page)
    if found is None:
        field = page[page.index(f'<select id="option-{option}"') :]
        found = re.search(r'value="([^"]*)" selected', field[: field.index("</select>")]) or re.match("()", "")
    assert found, option
    return html.unescape(found[1])


def test_sessions_are_longer_at_tables_where_one_round_or_deal_is_short() -> None:
    assert {name: preset(name).options for name in GAMES if preset(name).options} == {
        "blackstone": {"rounds": 5},
        "hawthorn": {"deals": 3},
        "high-handed": {"first": "lot", "line_hands": "two"},
    }


@every_game
def test_play_now_and_learning_follow_them(name: str, site: Served) -> None:
    for field, wanted in (("game", ""), ("learn", first_game(name))):
        ann = Person(site.base).begins({field: name}, "/play")
        assert set_at(site, ann) == Game.at_table(name, preset=wanted)
    assert first_game("black-hearts") and not Game.at_table("black-hearts", preset="first-game").options["gifts"]


@every_preset
def test_the_form_of_a_new_table_offers_each_by_its_title_and_plays_it(name: str, chosen: str, site: Served) -> None:
    ann, among = Person(site.base), presets(name, 4)
    page = ann.get(f"/new/{name}").text
    told = [page.find(f"<b>{html.escape(str(each.title))}</b> {html.escape(str(each.about))}") for each in among]
    assert told == sorted(told) and (-1 not in told or len(among) == 1) and max(told) < page.index('id="more-options"')
    checked = [each.name for each in among if re.search(rf'value="{each.name}" checked', page)]
    assert checked == ([among[0].name] if len(among) > 1 else [])
    fields = {f"option-{option.name}": prefilled(page, option.name) for option in options(name)}
    assert not any(fields.values()), "what nobody touches is as in the preset"
    ann.begins({"game": name, "players": "4", "preset": chosen, **fields})
    assert set_at(site, ann) == Game.at_table(name, 4, chosen)


def test_the_form_offers_what_so_many_can_play(site: Served) -> None:
    ann = Person(site.base)
    assert ["preset-two-teams" in ann.get(f"/new/high-handed?players={n}").text for n in (3, 4, 5, 6)] == [0, 1, 0, 1]
    assert "preset-" not in ann.get("/new/wolf-mans-curse").text, "there is nothing to choose"


def test_choosing_how_many_play_and_with_whom_keeps_what_was_typed(site: Served) -> None:
    ann, page = Person(site.base), Person(site.base).get("/new/hawthorn").text
    form = page[page.index('class="setting new-table"') : page.rindex("</form>")]
    sending = re.findall(r'<button name="(\w+)" value="(\w*)" formmethod="get" formaction="/new/hawthorn"', form)
    assert sending[:7] == [("players", str(n)) for n in range(2, 9)]
    assert 'id="own-seat">you<' in form and 'id="seat-0"' not in form
    assert sending[7:] == [("where", each) for each in ("", "this", "here", "bots")]
    assert "name" not in form[form.index("<button") : form.index("<button") + 50], "Enter sets up the table"
    bot = re.findall(r'value="(bot:[^"]*)"', form)[0]
    typed = {"name": "Eva", "preset": "one-deal", "seat-1": bot, "option-deals": "2", "hints": "yes"}
    for choice in ({"players": "3"}, {"players": "3", "where": "bots"}):
        kept = ann.http.get("/new/hawthorn", params=typed | choice).text
        assert 'value="Eva"' in kept and 'value="one-deal" checked' in kept and prefilled(kept, "deals") == "2"
        assert 'value="yes" selected>always' in kept and 'id="seat-2"' in kept and 'id="seat-3"' not in kept
        assert (f'value="{bot}" selected' in kept) == ("where" not in choice), "with other company, its seats"


@every_game
def test_what_somebody_sets_in_the_form_counts_more_than_the_preset_and_is_shown_again(name: str, site: Served) -> None:
    ann, chosen = Person(site.base), presets(name, 4)[-1]
    usual = hexdeck.game(name, 4).options
    for option in (each for each in options(name) if each.name in chosen.options):
        typed = {"preset": chosen.name, f"option-{option.name}": option.spell(usual[option.name])}
        ann.begins({"game": name, "players": "4", **typed})
        assert set_at(site, ann).options[option.name] == usual[option.name] != chosen.options[option.name]
        refused = ann.post("/tables", {"game": name, "players": "4", **typed, "option-hand_cards": "x"})
        if name != "blackstone":
            assert refused.status_code == 400 and prefilled(refused.text, option.name) == typed[f"option-{option.name}"]
            assert f'value="{chosen.name}" checked' in refused.text
            assert re.search(r'id="option-hand_cards"[^>]*aria-invalid="true" autofocus', refused.text)
            assert 'id="fault-hand_cards">“' in refused.text and refused.text.count("autofocus") == 1


@pytest.mark.parametrize(
    ("name", "option", "value"),
    [
        ("high-handed", "grandpa_rule", "1"),
        ("high-handed", "uncle_bob_rule", "on"),
        ("high-handed", "uncle_bob", "ask"),
        ("black-hearts", "reversed_ties", "earliest"),
    ],
)
def test_an_option_switches_on_what_it_needs_and_says_so(name: str, option: str, value: str, site: Served) -> None:
    by_name = {each.name: each for each in options(name)}
    needed = by_name[(by_name[option].needs or ("", 0))[0]]
    chosen = "first-game" if name == "black-hearts" else "regular-game"
    ann, form = Person(site.base), {"game": name, "players": "4", "preset": chosen, f"option-{option}": value}
    field = ann.get(f"/new/{name}").text.partition(f'id="option-{option}"')[2].partition('<div class="field">')[0]
    assert f"This switches on “{needed.about}”." in field
    ann.begins(form)
    made = set_at(site, ann).options
    assert made[needed.name] and (made["manual_draw"] if "manual_draw" in made else made["gifts"])
    refused = ann.post("/tables", {**form, f"option-{needed.name}": "off"})
    assert refused.status_code == 400 and f"needs “{needed.about}”" in refused.text


@every_preset
def test_programs_choose_among_them_and_are_told_of_them(name: str, chosen: str, site: Served) -> None:
    one, there = Program(site.base), next(each for each in presets(name) if each.name == chosen)
    for option, value in there.options_for(4).items():
        usual = hexdeck.game(name).options[option]
        made = Game.at_table(name, 4, chosen).options
        assert one.creates(game=name, players=4, preset=chosen)["options"] == made
        if not any(each.needs and each.needs[0] == option for each in options(name)):
            other = one.creates(game=name, players=4, preset=chosen, options={option: usual})
            assert other["options"][option] == usual != value or value == usual
    listed = next(each for each in one.http.get("/games").json()["games"] if each["name"] == name)
    assert {"name": chosen, "title": str(there.title), "about": str(there.about), "options": dict(there.options)} in (
        listed["presets"]
    )
    at_tables = {each["name"]: each["at_tables"] for each in listed["options"]}
    assert at_tables == {**{each.name: each.default for each in options(name)}, **preset(name).options}


def test_a_program_with_a_coach_is_dealt_a_first_game(site: Served) -> None:
    one = Program(site.base)
    assert not one.creates(game="black-hearts", coach=True)["options"]["gifts"]
    assert one.creates(game="black-hearts", coach=True, preset="with-gifts")["options"]["gifts"]
