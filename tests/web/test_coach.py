"""The coached first game: begun on the first page, explained once, left at any time, the same after a reload."""

import random
import re

from hexdeck.simulation.game import Game
from tests.settings import every_game
from tests.support import until
from tests.web.serving import Person, Program, Served, play_on


def learning(site: Served, game: str) -> Person:
    ann = Person(site.base)
    assert f'id="learn-{game}"' in ann.get("/").text
    ann.begins({"learn": game, "name": "Ada"}, "/play")
    return ann


def lesson(page: str) -> str:
    found = re.search(r'<details class="coach" id="coach-([\w-]+)" open>', page)
    return found[1] if found else ""


@every_game
def test_a_first_game_is_explained_kind_by_kind_to_its_end(name: str, site: Served) -> None:
    ann, rng, lessons, end = learning(site, name), random.Random(name), list[str](), False
    live = site.state.registry.tables[ann.table]
    assert {seat.level.partition(":")[0] for seat in live.seats if seat.kind == "bot"} == {"gentle"}
    while not end:
        page = ann.page()
        taught = lesson(page)
        if taught and taught not in lessons[-1:]:
            assert ("You are Ada." in page) is (not lessons)  # with the aim, at first
            assert taught not in lessons, "told twice"
            lessons.append(taught)
        if taught:
            assert lesson(ann.page()) in {taught, ""}, "gone after a reload, but for a move of others"
        end = ann.plays(rng, page)  # a move of what was read: a later page may explain another
    assert lessons or "Blackstone" in page
    page = ann.page()
    assert 'id="scored"' in page and "How it was scored" in page and "Ada" in page.partition('id="scored"')[2]


def test_the_coach_is_silenced_and_asked_again(site: Served) -> None:
    ann = learning(site, "cursed-hand")
    path = f"/table/{ann.table}/coach"
    assert lesson(ann.page())
    assert ann.post(path, {"on": "no"}).status_code == 303
    page = ann.page()
    assert not lesson(page) and "Explain each kind of decision" in page
    assert ann.post(path, {"on": "yes"}).status_code == 303
    assert lesson(ann.page())


def test_others_are_not_taught_nor_told_of_it(site: Served) -> None:
    ann = Program(site.base)
    begun = ann.creates(game="hawthorn", players=2, seats=["you", "open"], coach=True)
    bob = Person(site.base).begins({"name": "Bob"}, f"/join/{begun['invitations']['1']}")
    assert not lesson(bob.page()) and "Explain each kind of decision" in bob.page()
    assert bob.post(f"/table/{bob.table}/coach", {"on": "yes"}).status_code == 303
    assert lesson(bob.page()) == "the-first-card-of-your-row"
    assert "Explanations are on." not in str(ann.state()["view"]["log"])
    stranger = Person(site.base)
    assert stranger.post(f"/table/{bob.table}/coach", {"on": "yes"}).status_code == 403


def test_a_table_without_a_coach_explains_nothing(site: Served) -> None:
    ann = Person(site.base).begins({"game": "wolf-mans-curse"}, "/play")
    assert not lesson(ann.page())


def test_a_rematch_is_no_first_game(site: Served) -> None:
    ann, rng = learning(site, "hawthorn"), random.Random(2)
    until(lambda: ann.plays(rng))
    again = ann.post(f"/table/{ann.table}/rematch").headers["location"].rpartition("/")[2]
    live = site.state.registry.tables[again]
    assert live.game == Game.at_table("hawthorn") and not any(seat.coached for seat in live.seats)


def test_what_was_explained_stays_explained_when_the_table_is_read_anew(site: Served) -> None:
    ann, rng = learning(site, "high-handed"), random.Random(3)
    first = until(lambda: lesson(ann.page()))
    until(lambda: ann.plays(rng) or lesson(ann.page()) not in {first, ""})
    second = lesson(ann.page())
    site.state.registry.forget(ann.table)
    assert lesson(ann.page()) == second != first


def test_programs_are_told_what_the_coach_says(site: Served) -> None:
    one, rng = Program(site.base), random.Random(4)
    one.creates(game="hawthorn", players=2, options={"deals": 1}, coach=True)
    assert Program(site.base).http.get(f"/tables/{one.table}/lesson").status_code == 403
    first = until(lambda: (found := one.get("/lesson").json())["lesson"] and found)
    assert first["coached"] and first["lesson"]["title"] and first["lesson"]["aim"] and first["scored"] == []
    play_on([one], rng)
    last = one.get("/lesson").json()
    assert last["lesson"] is None and len(last["scored"]) > 1
