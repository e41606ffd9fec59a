"""Uncle Bob in the browser (HH-19): *Accuse* is a button beside a player until their next turn, and stops nobody."""

import random
import re

from hexdeck.games.high_handed.rules import ASK
from tests.web.serving import Person, Served

BOB = {
    "manual_draw": "on",
    "uncle_bob_rule": "on",
    "rows": "5",
    "columns": "5",
    "ranks": "6",
    "hand_cards": "3",
    "first": "first_seat",
}


def pressed(person: Person) -> dict[str, str]:
    return dict(re.findall(r'<button form="saying"[^>]* id="aside-(\d)" aria-pressed="(\w+)"', person.page()))


def test_an_accusation_is_a_button_beside_the_player_until_their_next_turn(site: Served) -> None:
    ann, ben, rng = Person(site.base), Person(site.base), random.Random(1)
    options = {f"option-{name}": value for name, value in BOB.items()}
    ann.begins({"game": "high-handed", "players": "2", "seat-1": "open", "name": "Ann", **options})
    ben.joins(ann, {"name": "Ben"})
    people, table = (ann, ben), site.state.registry.tables[ann.table]
    assert table.match is not None
    while not table.match.struct.suspect[0]:
        s, seat = table.match.struct, table.acting[0]
        if s.phase == ASK:
            move = {"version": table.version_for(seat), "move": "draw" if s.due else "end turn"}
            people[seat].post(f"/table/{ann.table}/move", move)
        else:
            people[seat].plays(rng)
    assert (pressed(ann), pressed(ben)) == ({}, {"0": "false"})
    assert table.acting == (1,)  # the table goes on
    before = ann.page()
    assert ben.post(f"/table/{ann.table}/aside", {"said": "0"}).status_code == 303 and pressed(ben) == {"0": "true"}
    assert ann.page() == before  # nobody else can tell
    assert ben.post(f"/table/{ann.table}/aside", {"unsaid": "0"}).status_code == 303 and pressed(ben) == {"0": "false"}
    assert ann.post(f"/table/{ann.table}/aside", {"said": "1"}).status_code == 409
    assert ben.post(f"/table/{ann.table}/aside", {"said": "x"}).status_code == 400
