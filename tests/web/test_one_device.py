"""Several people on one device: a curtain between them, and nothing behind it in any page or stream."""

import contextlib
import dataclasses
import random
import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from hexdeck.engine.play.game import raw
from hexdeck.engine.text import say
from hexdeck.tables import live
from hexdeck.tables.advice import HintResult
from hexdeck.tables.live import COVERED, LiveTable, hand_over, next_to_decide, seats_sharing, viewing_seat
from hexdeck.web.routes import advice, api, presenters, requests
from tests.settings import Options, data, every_game, much, random_game, soonest
from tests.web.serving import Person, Program, Served
from tests.web.test_secrecy import everything, first_frame

HOLDER = 0


class Device(Person):
    """A browser on which several people play."""

    def __init__(self, site: Served, game: str, chairs: list[str], **options: Any) -> None:
        super().__init__(site.base)
        self.site = site
        seats = {f"seat-{number}": chair for number, chair in enumerate(chairs, 1)}
        names = {f"name-{number}": f"Nr{number}" for number in range(1, len(chairs) + 1)}
        players = str(len(chairs) + 1)
        given = {"game": game, "players": players, "name": "Ann", **seats, **names}
        self.begins(given | {f"option-{key}": value for key, value in options.items()})

    @property
    def live(self) -> LiveTable:
        return self.site.state.registry.tables[self.table]

    def take(self, seat: int | str) -> int:
        return self.post(f"/table/{self.table}/hand", {"seat": str(seat)}).status_code

    def takers(self) -> list[int]:
        """Who may take the device, as the curtain says; empty where there is none."""
        return [int(seat) for seat in re.findall(r'id="take-(\d+)"', self.page())]

    def on(self, rng: random.Random) -> None:
        """A move of whoever is to make one; behind a curtain they take the device first.

        Meanwhile the server may have gone on: it answers for people who are only asked aside.
        """
        version = self.live.version
        if takers := self.takers():
            assert self.take(rng.choice(takers)) == 303 or self.live.version > version
        else:
            self.plays(rng)


@pytest.fixture
def three(site: Served) -> Device:
    return Device(site, "hawthorn", ["here", "here"])


def hand_of(page: str) -> bool:
    return 'class="zone fan hand"' in page


def test_the_device_goes_round_and_nobody_sees_a_hand_before_they_took_it(three: Device) -> None:
    assert three.takers() == [0] and "Pass the device to Ann" in three.page() and not hand_of(three.page())
    assert three.take(1) == 409  # it isn't Nr1's turn to look
    assert three.post(f"/table/{three.table}/move", {"version": "1", "move": "bid 1"}).status_code == 409
    assert three.take(0) == 303
    assert three.takers() == [] and "Ann" in three.page()
    three.plays(random.Random(1))
    assert three.takers() == [1] and "Pass the device to Nr1" in three.page()
    assert three.take(1) == 303 and hand_of(three.page())
    own = three.http.cookies["name"]
    assert three.post(f"/table/{three.table}/name", {"name": "Zoë"}).status_code == 303 and three.live.names[1] == "Zoë"
    assert three.http.cookies["name"] == own  # the next table is set up by whose device it is
    assert three.take("") == 303 and three.takers() == [1]  # they cover their cards
    assert three.take(7) == 403


def test_a_page_of_who_had_the_device_before_moves_for_nobody_else(three: Device) -> None:
    three.take(0)
    old = dict(re.findall(r'type="hidden" name="(version|seat)" value="(\d+)"', three.page()))
    assert old["seat"] == "0"
    three.plays(random.Random(1))
    three.take(1)
    theirs = re.findall(r'name="move" value="([^"]+)"', three.page())[0]
    assert three.post(f"/table/{three.table}/move", {**old, "move": theirs}).status_code == 409
    assert 1 in three.live.acting
    assert three.post(f"/table/{three.table}/move", {**old, "seat": "1", "move": theirs}).status_code == 303


def test_there_is_no_curtain_where_the_same_person_decides_again(site: Served) -> None:
    ann = Device(site, "hawthorn", ["bot:random", "here"])
    rng, kept, handed = random.Random(3), 0, 0
    while ann.live.state == "playing" and (kept < 3 or handed < 3):
        face, before = ann.live.seats[HOLDER].face, ann.live.stored_plies
        if takers := ann.takers():
            handed += 1
            ann.take(takers[0])
            continue
        wanted = next_to_decide(ann.live, HOLDER)
        if wanted is None:  # a bot thinks
            continue
        assert wanted == face
        kept += 1
        ann.plays(rng)
        assert ann.live.stored_plies > before
    assert kept >= 3 and handed >= 3


@soonest("blackstone", "cursed-hand")
def test_people_on_one_device_play_a_whole_game_by_forms(name: str, site: Served) -> None:
    small = {key: str(value).lower() for key, value in data(name).get("small", {}).items()}
    players = random_game(name, random.Random(1)).players
    ann, rng = Device(site, name, ["here"] * (players - 1), **small), random.Random(name)
    for _ in range(4000):
        if ann.live.state == "over":
            break
        ann.on(rng)
    assert ann.live.state == "over" and "/record" in ann.page()


def sent(person: Device) -> dict[str, Any]:
    """All that the device is sent while somebody has it in hand, or nobody."""
    program = Program(person.base, person.token)
    program.table = person.table
    return {
        "page": everything(person.get(f"/table/{person.table}")),
        "stream": first_frame(person.http, f"/table/{person.table}/stream", b"\n\n"),
        "API": everything(program.get()),
        "API stream": first_frame(program.http, f"/tables/{program.table}/stream", b"\n"),
        "fairness": everything(person.get(f"/table/{person.table}/fair")),
    }


@contextlib.contextmanager
def world(live: LiveTable, seat: int, rng: random.Random) -> Iterator[bool]:
    """The table in a random world that a seat thinks possible; tells whether it differs."""
    assert live.match is not None
    match = live.match
    true = raw(match.rows)[0].copy()
    other = raw(match.resample(seat, rng.getrandbits(60)).rows)[0].copy()
    raw(match.rows)[0] = other
    match.refresh()
    live.cache.clear()
    yield not (other == true).all()
    raw(match.rows)[0] = true
    match.refresh()
    live.cache.clear()


def leaks(site: Served, name: str, most: int, *wanted: str) -> tuple[int, set[str]]:
    """How many worlds differed, and what told them apart; each as whoever has the device in hand knows it.

    `wanted`: channels of which no more is asked once each has told them apart.
    """
    rng, found, worlds, players = random.Random(name), set(), 0, random_game(name, random.Random(1)).players
    sets: list[Options] = [{}, *data(name)["hiding"]]
    for number in range(40):
        chosen = {key: str(value).lower() for key, value in sets[number % len(sets)].items()}
        ann = Device(site, name, ["here"] * (players - 1), **chosen)
        for _ in range(60):
            if ann.live.state != "playing" or worlds >= most or (wanted and found >= {*wanted}):
                break
            ann.on(rng)
            if ann.live.state == "playing" and rng.random() < 0.3:
                truth = sent(ann)
                with world(ann.live, HONEST(ann.live, HOLDER), rng) as differs:
                    other = sent(ann)
                worlds += differs
                found |= {channel for channel in truth if differs and truth[channel] != other[channel]}
        if worlds >= most or (wanted and found >= {*wanted}):
            break
    return worlds, found


HONEST = viewing_seat


@pytest.fixture
def still(site: Served, monkeypatch: pytest.MonkeyPatch) -> Served:
    monkeypatch.setattr(site.state.registry, "clock", lambda: 1e9)
    monkeypatch.setattr(site.state.streams, "present", lambda _table, _seat: False)
    return site


@every_game
def test_no_byte_tells_what_the_one_with_the_device_does_not_know(name: str, still: Served) -> None:
    worlds, found = leaks(still, name, much(5, 8))
    assert worlds == much(5, 8) and not found


def test_a_curtain_that_shows_the_next_hand_is_found(still: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    def careless(table: LiveTable, holder: int) -> int:
        wanted = next_to_decide(table, holder)
        return holder if wanted is None else wanted

    for module in (live, requests, presenters, api):
        monkeypatch.setattr(module, "viewing_seat", careless)
    _, found = leaks(still, "hawthorn", 12, "page", "stream", "API")
    assert {"page", "stream", "API"} <= found


def test_others_do_not_notice_that_the_device_goes_round(site: Served) -> None:
    ann, bob = Device(site, "hawthorn", ["here", "open"]), Program(site.base)
    token = ann.invitations()[0].rpartition("/")[2]
    bob.joins(token)
    before = bob.state()
    ann.take(ann.takers()[0])
    ann.take("")
    assert bob.state() == before and len(ann.live.entries) > before["version"] + 1
    assert bob.post("/seats/1/bot").status_code == 403


@pytest.mark.parametrize("to", ["", "1"])
def test_a_hint_that_comes_after_the_device_was_handed_on_is_kept_back(to, site, monkeypatch) -> None:
    ann = Device(site, "cursed-hand", ["here"])
    program = Program(site.base, ann.token)
    program.table = ann.table

    async def slow(_place: Any, id: str, seat: int) -> HintResult:
        live = site.state.registry.tables[id]
        version = live.version_for(seat)
        await site.state.registry.change(id, hand_over(HOLDER, COVERED, 0.0))
        if to:  # as if it went to the other one, whose turn it is too
            live.seats = (dataclasses.replace(live.seats[0], face=int(to)), *live.seats[1:])
        return HintResult((), (say("Ann only"),), version)

    monkeypatch.setattr(advice, "hint_of", slow)
    ask: dict[str, Callable[[], Any]] = {
        "page": lambda: ann.post(f"/table/{ann.table}/hint"),
        "script": lambda: ann.post(f"/table/{ann.table}/hint", headers={"hexdeck": "1"}),
        "API": lambda: program.http.post(f"/tables/{ann.table}/hint"),
    }
    for channel, asked in ask.items():
        ann.live.seats = (dataclasses.replace(ann.live.seats[0], face=0), *ann.live.seats[1:])
        answer = asked()
        assert answer.status_code == 409 and "Ann only" not in answer.text, channel


def test_a_freed_seat_is_played_elsewhere(three: Device) -> None:
    assert three.post(f"/table/{three.table}/seat/2/free").status_code == 303
    (link,) = three.invitations()
    eve = Person(three.base).begins({"name": "Eve"}, link)
    assert seats_sharing(three.live.seats, HOLDER) == (0, 1) and three.live.names[2] == "Eve"
    assert "Pass the device" not in eve.page()


def test_who_takes_the_seat_of_a_holder_gets_none_of_the_others_on_that_device(site, monkeypatch) -> None:
    ann, bob = Device(site, "hawthorn", ["here", "open"]), Person(site.base)
    bob.joins(ann, {"name": "Bob"})
    ann.post(f"/table/{ann.table}/seat/1/bot")
    assert bob.post(f"/table/{bob.table}/seat/1/back").status_code == 403
    later = site.state.registry.clock() + 1e4
    monkeypatch.setattr(site.state.registry, "clock", lambda: later)
    monkeypatch.setattr(site.state.streams, "began", site.state.streams.began - 1e4)
    assert bob.post(f"/table/{bob.table}/host").status_code == 303  # Ann is away
    for change in ("back", "bot"):  # what is hers to say of those on her device, though she isn't host
        assert ann.post(f"/table/{ann.table}/seat/1/{change}").status_code == 303
    assert bob.post(f"/table/{bob.table}/seat/0/free").status_code == 303
    assert ann.take(1) == 403 and not hand_of(ann.page())
    Person(site.base).joins(bob, {"name": "Eve"})
    assert ann.live.seats[1].kind == "bot" and seats_sharing(ann.live.seats, 0) == (0,)


def test_a_rematch_keeps_them_on_the_device_with_the_cards_covered(site: Served) -> None:
    ann, rng = Device(site, "hawthorn", ["here", "bot:random"], deals="1"), random.Random(4)
    while ann.live.state == "playing":
        ann.on(rng)
    ann.sits_down(ann.post(f"/table/{ann.table}/rematch"))
    assert seats_sharing(ann.live.seats, 1) == (1, 2) and ann.live.names[1:] == ("Ann", "Nr1")
    assert ann.takers() and not hand_of(ann.page())


def test_a_clock_and_programs_have_no_part_in_it(site: Served) -> None:
    given = {"game": "hawthorn", "players": "2", "seat-1": "here", "clock": "brisk"}
    answer = Person(site.base).post("/tables", given)
    assert answer.status_code == 400 and "There is no clock" in answer.text
    refused = Program(site.base).http.post("/tables", json={"game": "hawthorn", "players": 2, "seats": ["you", "here"]})
    assert refused.status_code == 400 and "only works in the browser" in refused.text
