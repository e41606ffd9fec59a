"""One screen for all: what the television's page shows and to whom, how phones join, what their pages are."""

import itertools
import random
import re
from pathlib import Path

import pytest

from tests.support import until
from tests.web.serving import Person, Program, Served, file_in, served

CONTROLS = re.compile(r"<(?:form|button|select|input|summary)\b")


def on_television(site: Served, game: str = "cursed-hand", players: int = 4, **more: str) -> Person:
    tv = Person(site.base)
    seats = {f"seat-{seat}": "open" for seat in range(1, players)}
    answer = tv.post("/tables", {"game": game, "players": str(players), "screen": "this", **seats, **more})
    assert answer.status_code == 303 and answer.headers["location"].endswith("/tv"), answer.text
    tv.table = answer.headers["location"].split("/")[-2]
    return tv


def shown(tv: Person) -> str:
    answer = tv.get(f"/table/{tv.table}/tv")
    assert answer.status_code == 200, answer.text
    return answer.text


def main_of(page: str) -> str:
    return page[page.index("<main") : page.index("</main>")]


def first_frame(tv: Person) -> str:
    with tv.http.stream("GET", f"/table/{tv.table}/tv/stream") as stream:
        lines = stream.iter_lines()
        assert next(lines) == "event: table"
        return "".join(itertools.takewhile(bool, lines))


def code_on(page: str) -> str | None:
    found = re.search(r'class="code"[^>]*>([A-Z]+)<', page)
    return found and found[1]


def join(site: Served, code: str, *names: str) -> list[Person]:
    people = []
    for name in names:
        people.append(Person(site.base))
        people[-1].begins({"name": name}, f"/j/{code}")
    return people


def seats(person: Person) -> list[dict[str, object]]:
    program = Program(person.base, person.token)
    program.table = person.table
    found: list[dict[str, object]] = program.state()["seats"]
    return found


def test_phones_join_by_the_code_on_the_television_until_all_seats_are_taken(site: Served) -> None:
    tv = on_television(site)
    assert not tv.token
    code = code_on(shown(tv))
    assert code and "<svg" in shown(tv).partition('class="qr"')[2][:40]
    people = join(site, code, "Ann", "Ben", "Cleo")
    page = shown(tv)
    assert code_on(page) == code and all(f"<b>{name}</b>" in page for name in ("Ann", "Ben", "Cleo"))
    people += join(site, code, "Dora")
    assert [seat["name"] for seat in seats(people[0])] == ["Ann", "Ben", "Cleo", "Dora"]
    assert [seat["host"] for seat in seats(people[0])] == [True, False, False, False]
    page = shown(tv)
    assert 'id="felt"' in page and code_on(page) is None and code not in page
    for person in people:
        assert 'class="zone fan hand"' in person.page() and 'id="whole-table"' in person.page()
        assert re.search(r'<main id="table"[^>]* as-hand"', person.page())


def test_whoever_comes_first_is_the_host_and_may_start_with_bots_and_the_corner_stays_for_the_others(site) -> None:
    tv = on_television(site)
    code = code_on(shown(tv))
    assert code
    (ann,) = join(site, f"{code}3", "Ann")
    assert (
        seats(ann)[2]["host"] and 'id="start-now"' in ann.page() and f"{site.base}/tv".partition("//")[2] in ann.page()
    )
    assert ann.post(f"/table/{ann.table}/start").status_code == 303
    assert 'id="felt"' in shown(tv) and code_on(shown(tv)) == code
    (ben,) = join(site, code, "Ben")
    assert "Ben" in shown(tv) and ben.table == ann.table


def test_a_television_has_nothing_to_press_at_any_time(site: Served) -> None:
    tv, rng = on_television(site, "hawthorn", 2, **{"option-deals": "1"}), random.Random(3)
    code = code_on(shown(tv))
    assert code and not CONTROLS.search(main_of(shown(tv)))
    ann, ben = join(site, code, "Ann", "Ben")
    assert not CONTROLS.search(main_of(shown(tv))) and "<header" not in shown(tv)
    until(lambda: any([ann.plays(rng), ben.plays(rng)]))
    page = main_of(shown(tv))
    assert 'id="result"' in page and not CONTROLS.search(page.replace('<summary id="result.s">', ""))
    assert not re.search(r"<a\b(?![^>]*hidden)", page)
    for person in (ann, ben):
        at_end = person.page()
        assert "as-hand" not in at_end and "whole-table" not in at_end and 'id="finale"' in at_end  # it says who won
    assert ann.post(f"/table/{ann.table}/rematch").status_code == 303
    following = re.search(r'id="to-rematch" href="(/table/[\w-]+/tv)" hidden', shown(tv))
    assert following and tv.get(following[1]).status_code == 200
    with tv.http.stream("GET", f"/table/{tv.table}/tv/stream") as stream:
        lines = stream.iter_lines()
        with ben.http.stream("GET", f"/table/{ben.table}/stream") as bens:  # who still reads how it ended
            bens_lines = bens.iter_lines()  # the page is closed when they go
            assert next(bens_lines) == "event: table"
            assert any('id="to-rematch" data-waits' in line for line in lines)
            assert 'class="asked" role="status"><b>Ann</b>' in shown(tv)
        assert any('id="to-rematch" href' in line for line in lines)
    assert 'class="asked"' not in shown(tv)
    ann.table = following[1].split("/")[2]
    assert re.search(r'<main id="table"[^>]* as-hand"', ann.page())  # phones stay hands


def test_a_television_shows_whoever_has_a_seat_no_byte_more_than_strangers(site: Served) -> None:
    ann, rng = Person(site.base), random.Random(1)
    ann.begins({"game": "cursed-hand", "players": "3", "seat-1": "open", "seat-2": "open"})
    code = re.search(r'id="join-code">([A-Z]+)<', ann.page())
    assert code
    people = [ann, *join(site, code[1], "Ben", "Cleo")]
    stranger = Person(site.base)
    stranger.table = ann.table
    for _ in range(6):
        for sent in ({shown(person) for person in (*people, stranger)}, {*map(first_frame, (*people, stranger))}):
            assert len(sent) == 1 and 'class="zone fan hand"' not in sent.pop()
        for person in people:
            person.plays(rng)


def test_a_television_looks_on_without_being_counted_and_counts_for_the_pace(site: Served) -> None:
    tv = on_television(site)
    streams = site.state.streams
    with tv.http.stream("GET", f"/table/{tv.table}/tv/stream") as stream:
        lines = stream.iter_lines()
        assert next(lines) == "event: table"
        assert streams.spectators(tv.table) == 0 and streams.pace(tv.table) == 1.0
        code = code_on(shown(tv))
        assert code
        people = join(site, code, "Ann", "Ben", "Cleo", "Dora")
        assert any('id="felt"' in line for line in lines)
        people[0].http.cookies.set("pace", "quick")
        with people[0].http.stream("GET", f"/table/{tv.table}/stream") as hand:
            hand_lines = hand.iter_lines()  # the page is closed when they go
            assert next(hand_lines) == "event: table"
            assert streams.pace(tv.table) == 1.0  # the television's, which all look at
    until(lambda: streams.pace(tv.table) != 1.0)


def test_no_other_name_of_the_server_gets_onto_a_television_that_asked_by_its_own(site: Served) -> None:
    tv, seen = on_television(site), []
    for host in ("other.localhost", ""):  # the first asks by another of its names
        headers = {"host": host} if host else {}
        with tv.http.stream("GET", f"/table/{tv.table}/tv/stream", headers=headers) as stream:
            seen.append(
                next(line for line in stream.iter_lines() if "other.localhost/j" in line or site.base[7:] in line)
            )
    assert "other.localhost/j" in seen[0] and "other.localhost" not in seen[1]


def test_a_television_opens_a_private_table_only_for_those_who_sit_there(site: Served) -> None:
    ann = Person(site.base).begins({"game": "hawthorn", "players": "2", "seat-1": "bot:steady", "watch": "no"})
    for path in (f"/table/{ann.table}/tv", f"/table/{ann.table}/tv/stream"):
        assert Person(site.base).get(path).status_code == 403
    assert 'id="felt"' in shown(ann)


def test_a_code_brings_a_television_to_its_table(site: Served) -> None:
    ann = Person(site.base).begins(
        {"game": "hawthorn", "players": "2", "seat-1": "open", "screen": "another", "name": "Ann"}
    )
    code = re.search(r'id="join-code">([A-Z]+)<', ann.page())
    assert code and f"{site.base}/tv".partition("//")[2] in ann.page()
    tv = Person(site.base)
    assert tv.get(f"/tv?code={code[1]}").headers["location"] == f"/table/{ann.table}/tv"
    tv.table = ann.table
    assert code_on(shown(tv)) == code[1] and "<b>Ann</b>" in shown(tv)
    with tv.http.stream("GET", f"/table/{tv.table}/tv/stream") as stream:
        lines = stream.iter_lines()  # the page is closed when they go
        assert next(lines) == "event: table" and f"{site.base}/tv".partition("://")[2] not in ann.page()
    refused = tv.get("/tv?code=BBBB")
    assert refused.status_code == 404 and 'role="alert"' in refused.text
    assert "screen=this" in tv.get("/tv").text and 'name="where" value="this"' in tv.get("/new/hawthorn").text
    phone = tv.http.get("/new/hawthorn", headers={"user-agent": "Mozilla/5.0 (Linux; Android 15) Mobile"}).text
    assert 'value="this"' not in phone and 'name="where" value="another"' in phone  # it is no big screen


@pytest.mark.parametrize(
    ("given", "said"),
    [({"seat-1": "open", "watch": "no"}, "let anyone watch"), ({"seat-1": "here"}, "device of their own")],
)
def test_a_screen_for_all_that_is_impossible_is_refused(site: Served, given: dict[str, str], said: str) -> None:
    refused = Person(site.base).post("/tables", {"game": "hawthorn", "players": "2", "screen": "this", **given})
    assert refused.status_code == 400 and said in refused.text and 'value="this" checked' in refused.text


def test_without_a_screen_a_seat_must_be_ones_own_and_pages_are_whole(site: Served) -> None:
    ann = Person(site.base).begins({"game": "hawthorn"}, "/play")
    assert "as-hand" not in ann.page() and 'id="whole-table"' not in ann.page()
    answer = Person(site.base).post("/tables", {"game": "hawthorn", "players": "2", "screen": "?", "seat-1": "open"})
    assert answer.headers["location"].endswith("/tv") is False


def test_television_and_code_survive_a_restart(tmp_path: Path) -> None:
    with served(file_in(tmp_path)) as site:
        tv = on_television(site)
        code, table = code_on(shown(tv)), tv.table
        assert code
        (ann,) = join(site, code, "Ann")
        token = ann.token
    with served(file_in(tmp_path)) as site:
        tv = Person(site.base)
        tv.table = table
        assert code_on(shown(tv)) == code and "<b>Ann</b>" in shown(tv)
        join(site, code, "Ben", "Cleo", "Dora")
        again = Person(site.base)
        again.takes(token)
        again.table = table
        assert 'class="zone fan hand"' in again.page() and 'id="felt"' in shown(tv)
