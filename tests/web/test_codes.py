"""Codes of a few letters that bring guests to a table, and the names that guests have."""

import html
import random
import re
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest

from hexdeck.bots.players.levels import BOT_NAMES
from hexdeck.cli import connect, main
from hexdeck.cli.connect import Client, Refused, parse_invitation_link
from hexdeck.tables import codes
from hexdeck.tables.codes import parse_code
from hexdeck.tables.errors import NoTable
from hexdeck.web.server.middleware import RateLimiter
from hexdeck.web.server.settings import Limits
from tests.support import for_each, until
from tests.web.serving import PLENTY, Person, Program, Served, carried_by, file_in, served


def host_of(site: Served, seats: int = 2, **more: str) -> tuple[Person, str]:
    """Somebody whose table has so many open seats, and the code that their page shows."""
    ann = Person(site.base)
    asked = {f"seat-{seat}": "open" for seat in range(1, seats + 1)}
    ann.begins({"game": "hawthorn", "players": str(seats + 1), "name": "Ann", **asked, **more})
    return ann, code_on(ann.page())


def code_on(page: str) -> str:
    found = re.search(r'id="join-code">([A-Z]+)<', page)
    assert found, page
    return found[1]


def names(person: Person) -> list[str]:
    program = Program(person.base, person.token)
    program.table = person.table
    return [seat["name"] for seat in program.state()["seats"]]


def test_whoever_has_the_name_of_somebody_there_is_told_and_may_change_it(site: Served) -> None:
    ann, code = host_of(site, 2)
    other = Person(site.base)
    asked = other.post(f"/j/{code}", {"name": "ann", "contribution": "of hers"})
    assert 'role="alert"' in asked.text and 'value="ann 2"' in asked.text and 'value="of hers"' in asked.text
    assert names(ann).count("ann 2") == 0
    other.begins({"name": "ann 2"}, f"/j/{code}")
    assert "ann 2" in names(ann) and other.post(f"/j/{code}", {"name": "ann 2"}).status_code == 303  # pressed twice


def test_a_name_of_two_alphabets_is_refused_wherever_one_chooses_it(site: Served) -> None:
    (ann, code), mixed = host_of(site, 2), {"name": "\u0410nn"}
    joining = Person(site.base).post(f"/j/{code}", mixed | {"contribution": "of hers"})
    assert 'value="of hers"' in joining.text
    setting = Person(site.base).post("/tables", {"game": "hawthorn", "players": "2"} | mixed)
    renaming = ann.post(f"/table/{ann.table}/name", mixed)
    program = Program(site.base).http.post(f"/codes/{code}/join", json=mixed | {"bot": "mine"})
    for answer in (joining, setting, renaming, program):
        assert "Letters of two alphabets can't be mixed in a name." in html.unescape(answer.text)
    assert (setting.status_code, renaming.status_code, program.status_code) == (400, 400, 400)
    assert "\u0410nn" not in names(ann)


# --- the letters ------------------------------------------------------------------------------------------------------
def test_no_two_letters_can_be_confused_and_none_make_words() -> None:
    assert not set(codes.LETTERS) & set("AEIOUYQ0123456789") and len(set(codes.LETTERS)) == len(codes.LETTERS)
    for pair in ("CG", "MN", "OQ", "IL", "UV"):
        assert len(set(pair) & set(codes.LETTERS)) < 2
    assert {len(codes.new_code(0)) for _ in range(20)} == {5}


def test_the_more_tables_are_open_the_longer_is_a_code_so_that_guessing_takes_as_many_tries() -> None:
    lengths = [len(codes.new_code(others)) for others in (0, 10, 100, 1_000, 20_000)]
    assert lengths == sorted(lengths) and lengths[-1] > lengths[0]
    for others, length in zip((0, 10, 100, 1_000, 20_000), lengths, strict=True):
        assert len(codes.LETTERS) ** length / (others + 1) >= codes.EACH


def test_a_code_cant_be_guessed_in_a_day_at_the_allowed_rate() -> None:
    rate, burst = Limits().codes
    tries = burst + rate * 24 * 3600
    assert tries / codes.EACH < 0.01


@for_each(
    ("typed", "read"),
    [
        ("KTRBF", ("KTRBF", None)),
        (" ktr bf ", ("KTRBF", None)),
        ("k-t.rbf2", ("KTRBF", 1)),
        ("kt rbf 12", ("KTRBF", 11)),
        ("\u201cKTRBF\u201d", ("KTRBF", None)),
        ("\u00ab KTRBF2 \u00bb.", ("KTRBF", 1)),
        ("(KT\u200bR\u00adBF)", ("KTRBF", None)),
        *(
            (around.replace("_", "KTRBF"), ("KTRBF", None))
            for around in ("_!", "*_*", "_?", "_:", "#_", "_\u2026", "\u3010_\u3011")
        ),
        ("_KTRBF_", ("KTRBF", None)),
        ("KT\u2013RBF", ("KTRBF", None)),
        ("KT\u2010RBF", ("KTRBF", None)),
        ("\uff2b\uff34\uff32\uff22\uff26", ("KTRBF", None)),
        ("KTRBF\ufe0f", ("KTRBF", None)),
        ("KTRBF\0", ("KTRBF", None)),
        ("Code KTRBF", ("KTRBF", None)),
        ("Dr. X: Code: KT RBF", ("KTRBF", None)),
        ("Code ktrbf at 18:30", ("KTRBF", None)),
        ("Thx: KTRBF.", ("KTRBF", None)),
        ("Not HGLMP but KTRBF", ("KTRBF", None)),
        ("http://h/j?code=KTRBF", ("KTRBF", None)),
        ("from https://h/j?code=KTRBF2&x=1", ("KTRBF", 1)),
    ],
)
def test_a_code_is_read_as_people_type_it(typed: str, read: tuple[str, int | None]) -> None:
    assert parse_code(typed) == read


@for_each(
    "typed",
    ["", "1", "KTRBF0", "KTRBF100", "K!RB", "Å" * 5, "K" * 80, "https://h/j", "https://h/bring", "a name", "KTRB"],
)
def test_what_is_no_code_is_refused(typed: str) -> None:
    with pytest.raises(NoTable):
        parse_code(typed)


# --- joining ----------------------------------------------------------------------------------------------------------
def test_a_code_leads_one_guest_after_the_other_to_a_free_seat_and_looking_takes_none(site: Served) -> None:
    ann, code = host_of(site)
    ben, cleo, dora = (Person(site.base) for _ in range(3))
    for guest, called in ((ben, "Ben"), (cleo, "Cleo Q")):
        found = guest.get(f"/j?code={code.lower()}")
        assert found.status_code == 303 and found.headers["location"] == f"/j/{code}"
        for _ in range(2):
            assert f'action="/j/{code}"' in guest.get(f"/j/{code}").text
        assert guest.sits_down(guest.post(f"/j/{code}", {"name": called})) == ann.table
    assert names(ann) == ["Ann", "Ben", "Cleo Q"]
    assert cleo.sits_down(cleo.get(f"/j/{code}")) == ann.table  # whoever sits there is led back
    assert "Every seat is taken." in dora.get(f"/j/{code}").text
    assert dora.post(f"/j/{code}").status_code == 409


def test_links_may_be_typed_in_place_of_a_code_and_a_seat_moves_into_an_installed_page_by_one(site: Served) -> None:
    ann, code = host_of(site)
    carried = re.search(r"http[^\s\"]*/carry/[\w-]+", carried_by(ann))
    bundle = re.search(r"http[^\s\"]*/bring/[\w-]+", ann.get(ann.post("/me/carry").headers["location"]).text)
    assert carried and bundle
    links = (
        carried[0],
        bundle[0],
        site.base + ann.invitations()[0],
        f"{site.base}/j/{code}",
        f"{site.base}/table/{ann.table}",
    )
    for link in links:
        for typed in (
            f" {link} ",
            f"<{link}>.",
            f"\u201e{link}\u201c",
            f"({link[:9]}\u2060{link[9:]}),",
            f"Ann: {link}!  Come",
            f"*{link}*",
        ):
            answer = Person(site.base).http.get("/j", params={"code": typed})
            assert answer.status_code == 303 and site.base + answer.headers["location"] == link, typed
    longest = re.search(r'id="code"[^>]*maxlength="(\d+)"', Person(site.base).get("/j").text)
    assert longest and int(longest[1]) > max(map(len, links))
    elsewhere = Person(site.base).http.get("/j", params={"code": "https://example.org/settings?back=/join/x y"})
    assert elsewhere.status_code == 404  # nothing else is gone to


def test_a_friend_who_opens_a_waiting_table_or_a_used_invitation_is_told_how_to_sit_down(site: Served) -> None:
    ann, _ = host_of(site, 1, hold="yes")
    link, friend = ann.invitations()[0], Person(site.base)
    page = friend.get(f"/table/{ann.table}").text
    assert 'name="code"' in page and "open the invitation" in page
    assert 'name="code"' not in ann.page()
    Person(site.base).joins(ann)
    used = friend.get(link).text
    assert "ask Ann to free the seat" in used and "Continue on another device" in used
    closed, _ = host_of(site, 1, watch="no")
    answer = friend.get(f"/table/{closed.table}")
    assert answer.status_code == 403 and "open your invitation" in answer.text


def test_guests_who_come_at_once_get_a_seat_each_as_long_as_there_are_seats(site: Served) -> None:
    ann, code = host_of(site, 3)
    guests = [Person(site.base) for _ in range(6)]

    def comes(number: int) -> int:
        return guests[number].post(f"/j/{code}", {"name": f"Guest {number}"}).status_code

    with ThreadPoolExecutor(6) as pool:
        assert sorted(pool.map(comes, range(6))) == [303, 303, 303, 409, 409, 409]
    assert len(set(names(ann))) == 4 and all(re.fullmatch(r"Ann|Guest \d", name) for name in names(ann))


def test_a_number_after_the_code_means_that_seat(site: Served) -> None:
    ann, code = host_of(site, 3)
    assert all(f">{code}{seat}<" in ann.page() for seat in (2, 3, 4))
    Person(site.base).begins({"name": "Ben"}, f"/j/{code}4")
    assert names(ann)[3] == "Ben"
    assert "already taken" in Person(site.base).get(f"/j/{code}4").text
    assert Person(site.base).post(f"/j/{code}4").status_code == 409
    assert Person(site.base).get(f"/j/{code}9").status_code == 404


def test_a_program_comes_by_the_shared_link_too(site: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    ann, code = host_of(site, 3)

    def join(typed: str) -> int:
        start, invited = parse_invitation_link(f"{site.base}/j/{typed}?x=1")
        return int(Client(start).join(invited, f"Bot {typed}", "house")["seat"])

    assert [join(code.lower()), join(f"{code}3")] == [1, 2]
    monkeypatch.setattr(connect, "play", lambda *_: {"view": {"names": (), "outcomes": ()}})
    assert main(["connect", f"{site.base}/j/{code}", "--bot", "house", "--name", "Robot"]) == 0
    assert names(ann)[1:] == [f"Bot {code.lower()}", f"Bot {code}3", "Robot"]
    for typed, status in ((code, 409), (f"{code}9", 404), ("BCDFG", 404)):
        with pytest.raises(Refused) as refused:
            join(typed)
        assert refused.value.status == status


@pytest.mark.parametrize("dealt", [False, True])
def test_whoever_was_removed_does_not_come_back_by_the_code_and_the_others_are_shown_a_new_one(site, dealt) -> None:
    ann, code = host_of(site)
    ben = Person(site.base).begins({"name": "Ben"}, f"/j/{code}")
    if dealt:
        ann.post(f"/table/{ann.table}/start")
    assert ann.post(f"/table/{ann.table}/seat/1/free").status_code == 303
    for path in (f"/j/{code}", f"/j/{code}2"):
        assert ben.get(path).status_code == ben.post(path).status_code == 404
    fresh = code_on(ann.get(f"/table/{ann.table}/invite").text if dealt else ann.page())
    assert fresh != code
    Person(site.base).begins({"name": "Cleo Q"}, f"/j/{fresh}")
    assert names(ann)[1] == "Cleo Q"


def test_a_code_is_good_only_while_the_table_is_open(site: Served) -> None:
    ann, code = host_of(site, **{"option-deals": "1"})
    assert "You take over" not in Person(site.base).get(f"/j/{code}").text
    assert ann.post(f"/table/{ann.table}/start").status_code == 303
    late = Person(site.base).get(f"/j/{code}").text  # bots keep the seats
    assert f"You take over from {names(ann)[1]} (a bot), with its cards and its score." in late
    assert late.count("Your seat") == 1
    rng = random.Random(1)
    until(lambda: ann.plays(rng))
    refused = Person(site.base).get(f"/j/{code}")
    assert refused.status_code == 404 and "No open table has this code" in refused.text
    host_of(site)  # with a new code, codes of matches that are over are free again
    assert not site.state.registry.store.submit(lambda connection: codes.known_code(connection, ann.table)).result()


def test_a_wrong_code_is_told_with_the_field_to_type_it_again(site: Served) -> None:
    for path in ("/j/BBBB", "/j?code=no+code!", "/j/x"):
        refused = Person(site.base).get(path)
        assert refused.status_code == 404 and 'name="code"' in refused.text and 'role="alert"' in refused.text
    assert 'name="code"' in Person(site.base).get("/").text


def test_an_address_that_tries_many_wrong_codes_is_refused_even_with_the_right_one(tmp_path: Path) -> None:
    with served(file_in(tmp_path), replace(PLENTY, codes=(0.0001, 3))) as site:
        ann, code = host_of(site, 3)
        for _ in range(8):  # a household behind one address: right codes count for nothing
            assert Person(site.base).get(f"/j/{code}").status_code == 200
        ben = Person(site.base)
        answers = [ben.get(f"/j/B{letter}") for letter in "BDFG"]
        assert [answer.status_code for answer in answers] == [404, 404, 404, 429]
        assert all('name="code"' in answer.text for answer in answers)  # where the next one is typed
        assert ben.get(f"/j/{code}").status_code == ben.post(f"/j/{code}").status_code == 429
        assert names(ann)[1] != "Ben" and ann.get(f"/table/{ann.table}").status_code == 200


def test_what_is_given_back_never_exceeds_the_burst() -> None:
    now = [0.0]
    limiter = RateLimiter(0.1, 2, lambda: now[0])
    assert limiter.allows("a") and limiter.allows("a") and not limiter.allows("a")
    limiter.give_back("a")
    assert limiter.allows("a") and not limiter.allows("a")
    now[0] = 1e6
    for _ in range(5):
        limiter.give_back("a")
    assert [limiter.allows("a") for _ in range(3)] == [True, True, False]


def test_only_those_at_the_table_are_shown_its_code(site: Served) -> None:
    ann, code = host_of(site)
    stranger = Person(site.base)
    for path in (f"/table/{ann.table}", f"/table/{ann.table}/tv"):
        assert code not in stranger.get(path).text
    assert "content-encoding" not in ann.get(f"/table/{ann.table}").headers  # its length would tell
    assert stranger.get(f"/table/{ann.table}/invite").status_code == 403


def test_the_page_of_invitations_draws_a_code_for_a_table_with_bots(site: Served) -> None:
    ann = Person(site.base).begins({"game": "hawthorn"}, "/play")
    assert not site.state.registry.tables[ann.table].code
    code = code_on(ann.get(f"/table/{ann.table}/invite").text)
    assert code == code_on(ann.get(f"/table/{ann.table}/invite").text)
    ben = Person(site.base)
    assert ben.sits_down(ben.post(f"/j/{code}")) == ann.table


def test_the_message_that_is_shared_names_who_invites_the_game_and_the_code(site: Served) -> None:
    ann, code = host_of(site)
    shared = re.search(r'data-share="join-link"[^>]*data-text="([^"]*)"', ann.page())
    assert shared and all(word in html.unescape(shared[1]) for word in ("Ann", "Hawthorn", code))
    assert f'id="join-link" readonly value="{site.base}/j/{code}"' in ann.page()


# --- names ------------------------------------------------------------------------------------------------------------
@for_each(("lang", "called"), [("en", "Guest"), ("nl", "Gast")])
def test_guests_without_a_name_are_called_so_and_never_like_a_bot(site: Served, lang: str, called: str) -> None:
    ann = Person(site.base, lang).begins(
        {"game": "hawthorn", "players": "4", "seat-1": "open", "seat-2": "open", "seat-3": "bot:steady"}
    )
    code = code_on(ann.page())
    for name in ("", " \u200b "):
        Person(site.base, lang).begins({"name": name}, f"/j/{code}")
    assert names(ann)[:3] == [called, f"{called} 2", f"{called} 3"] and names(ann)[3] in BOT_NAMES
    assert not set(names(ann)[:3]) & set(BOT_NAMES)


def test_a_guest_keeps_their_name_though_an_open_seat_has_it(site: Served) -> None:
    ann, code = host_of(site, 3)
    other = names(ann)[2]
    Person(site.base).begins({"name": other}, f"/j/{code}")
    assert names(ann)[1] == other and len(set(names(ann))) == 4


def test_a_name_once_chosen_is_kept_for_the_next_table(site: Served) -> None:
    ann, code = host_of(site)
    assert 'id="name" name="name" maxlength="16" autocomplete="nickname" placeholder="Guest" value="Ann"' in (
        ann.get("/new/hawthorn").text
    )
    ben = Person(site.base).begins({"name": "Zoë; 王"}, f"/j/{code}")
    assert 'value="Zoë; 王"' in ben.get("/new/hawthorn").text
    ben.begins({"game": "hawthorn"}, "/play")
    assert names(ben)[0] == "Zoë; 王"
    assert ben.post(f"/table/{ben.table}/name", {"name": "Zoë"}).status_code == 303
    other, other_code = host_of(site)
    assert 'value="Zoë"' in ben.get(f"/j/{other_code}").text
    ben.http.cookies.set("name", "%00%ff" + "<b>" * 200)
    assert "<b><b>" not in ben.get(f"/j/{other_code}").text
    assert other.table
