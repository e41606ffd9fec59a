"""Chat over HTTP: by forms without scripts, by the API, and what is refused."""

import pytest

from tests.web.serving import Person, Program, Served

NASTY = '<img src=x onerror="alert(1)">{{ 7*7 }}</li>&'


@pytest.fixture
def pair(site: Served) -> tuple[Person, Person]:
    ann = Person(site.base).begins({"game": "hawthorn", "players": "2", "name": "Ann", "seat-1": "open"})
    ben = Person(site.base, "nl").joins(ann, {"name": "Ben"})
    return ann, ben


def say(person: Person, **fields: str) -> int:
    """Post a message by a form; returns the status."""
    return person.post(f"/table/{person.table}/say", fields).status_code


def test_a_phrase_is_read_by_each_in_a_language_of_their_own(pair: tuple[Person, Person]) -> None:
    ann, ben = pair
    assert say(ann, phrase="luck") == 303
    assert "Good luck!</span>" in ann.page() and "Succes!</span>" in ben.page()


def test_what_is_said_is_shown_as_it_was_typed_and_nothing_else(pair: tuple[Person, Person]) -> None:
    ann, ben = pair
    assert say(ben, words=NASTY) == 303
    for page in (ann.page(), ben.page()):
        assert "&lt;img src=x onerror=&#34;alert(1)&#34;&gt;{{ 7*7 }}&lt;/li&gt;&amp;" in page
        assert "<img" not in page


def test_who_watches_reads_and_says_nothing(pair: tuple[Person, Person], site: Served) -> None:
    ann, _ = pair
    say(ann, words="Hello out there")
    eve = Person(site.base)
    eve.table = ann.table
    assert "Hello out there" in eve.page() and f"/table/{ann.table}/say" not in eve.page()
    assert say(eve, words="Boo") == 403 and "Boo" not in ann.page()


def test_the_host_silences_by_a_form_and_the_guest_is_told(pair: tuple[Person, Person]) -> None:
    ann, ben = pair
    assert 'id="mute-1"' in ann.page() and 'id="mute-0"' not in ben.page()
    for seat in (0, 1):
        assert ben.post(f"/table/{ben.table}/seat/{seat}/mute", {"muted": "yes"}).status_code == 403
    assert ann.post(f"/table/{ann.table}/seat/1/mute", {"muted": "yes"}).status_code == 303
    assert "De host heeft je gedempt." in ben.page() and say(ben, phrase="ha") == 403
    assert ben.post(f"/table/{ben.table}/seat/1/mute", {"muted": "no"}).status_code == 403
    assert ann.post(f"/table/{ann.table}/seat/1/mute", {"muted": "no"}).status_code == 303
    assert say(ben, phrase="ha") == 303


def test_phrases_only(pair: tuple[Person, Person]) -> None:
    ann, ben = pair
    assert 'id="words"' in ben.page()
    assert ann.post(f"/table/{ann.table}/words", {"on": "no"}).status_code == 303
    assert 'id="words"' not in ben.page() and 'id="phrase-ha"' in ben.page()
    assert say(ben, words="but") == 403


def test_against_bots_there_is_nobody_to_talk_to(site: Served) -> None:
    ann = Person(site.base).begins({"game": "hawthorn"}, "/play")
    assert 'id="talk"' not in ann.page()


def test_programs_read_and_people_among_them_talk(site: Served) -> None:
    ann, rob = Program(site.base), Program(site.base)
    begun = ann.creates(game="hawthorn", players=2, seats=["you", "open"])
    rob.joins(begun["invitations"]["1"], bot="house")
    frames = rob.frames()
    version = next(frames)["version"]
    assert ann.post("/say", {"phrase": "hello"}).status_code == 200
    heard = next(frames)
    assert (heard["version"], heard["messages"][-1]["phrase"], heard["words"]) == (version, "hello", True)
    assert rob.post("/say", {"phrase": "hello"}).status_code == 403
    assert ann.post("/seats/1/mute", {"muted": True}).json()["seats"][1]["muted"]
    assert ann.post("/words", {"on": False}).json()["words"] is False
    assert ann.post("/say", {"words": 7}).status_code == 400
