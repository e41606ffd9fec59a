"""Today's deals in the browser: once, the same for everybody, and unseen by whoever can still play them."""

import random
import re
import threading
from collections.abc import Iterator
from typing import Any

import httpx
import pytest
from starlette.routing import Mount, Route

from hexdeck.engine.discovery.definition import playable
from hexdeck.tables import daily
from tests.support import PATIENCE, Progress, until
from tests.web.serving import Person, Program, Served

DAY = 24 * 3600


@pytest.fixture(scope="module", autouse=True)
def _few(site: Served) -> Iterator[None]:
    site.state.fields._kept.clear()  # of other modules, with other numbers
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(daily, "MATCHES", 8)
        yield
    site.state.fields._kept.clear()


@pytest.fixture
def later(site: Served) -> Iterator[Any]:
    registry, plain = site.state.registry, site.state.registry.clock

    def pass_by(seconds: float) -> None:
        registry.clock = lambda: plain() + seconds

    yield pass_by
    registry.clock = plain


def begins(site: Served, name: str, game: str = "cursed-hand") -> Person:
    return Person(site.base).begins({"name": name}, f"/today/{game}")


def finishes(person: Person, seed: int = 1) -> Person:
    rng, progress = random.Random(seed), Progress()
    while not person.plays(rng, page := person.page()):
        progress.at(re.findall(r'data-version="[^"]*"', page))
    return person


def cards(page: str) -> list[str]:
    return re.findall(r'data-code="([^"]+)"', page)


# --- once a day, the same for all -------------------------------------------------------------------------------------


def test_a_deal_is_begun_once_gone_on_with_and_then_its_result_is_shown(site: Served) -> None:
    ann = begins(site, "Ann")
    table = ann.table
    assert f'href="/table/{table}"' in ann.get("/today").text
    assert ann.post("/today/cursed-hand").headers["location"] == f"/table/{table}"
    assert ann.get("/today/cursed-hand").headers["location"] == "/today"
    ann.plays(random.Random(1))
    assert ann.post("/today/cursed-hand").headers["location"] == f"/table/{table}"
    finishes(ann)
    assert ann.post("/today/cursed-hand").headers["location"] == f"/table/{table}"
    assert "How others did" in ann.get("/today").text and "1 of 6" in ann.get("/").text
    assert "these cards" in until(lambda: done(ann))["compared"]
    page = ann.get("/today/cursed-hand").text
    assert "of 8 medium bots" in page or "All 8" in page or "None of 8" in page or "as all 8" in page


def test_the_end_tells_of_no_matches_of_bots_before_there_are_any(site: Served) -> None:
    ann = finishes(begins(site, "Ann"))
    site.state.fields._kept.clear()
    page = ann.page()
    assert "Bots are about to play with your cards." in page and "0 of 0" not in page


def test_enter_in_the_field_for_a_name_begins_no_deal(site: Served) -> None:
    buttons = re.findall(r'<button[^>]*form="deal"[^>]*>', Person(site.base).get("/today").text)
    assert len(buttons) == 1 + len(playable()) and "disabled" in buttons[0] and "formaction" not in buttons[0]
    assert not [each for each in buttons[1:] if "disabled" in each]


def done(person: Person) -> Any:
    answer = person.get(f"/table/{person.table}/compared").json()
    return answer if answer["done"] else None


@pytest.mark.parametrize("holds", [True, False])
def test_a_button_pressed_twice_at_once_makes_one_table(site: Served, holds: bool) -> None:
    ann, found = begins(site, "Ann", "hawthorn"), list[httpx.Response]()
    if not holds:
        token = ann.token
        ann.post("/tables/leave")
        ann.takes(token)
    both = [threading.Thread(target=lambda: found.append(ann.post("/today/blackstone"))) for _ in range(4)]
    for each in both:
        each.start()
    for each in both:
        each.join(PATIENCE)
    assert len({answer.headers["location"] for answer in found}) == 1 and len(found) == 4


def test_how_others_did_is_still_told_when_the_day_is_over(site: Served, later: Any) -> None:
    ann, ben = finishes(begins(site, "Ann")), finishes(begins(site, "Ben"), 2)
    link = re.search(r'href="(/today/cursed-hand[^"]*)">How others did', ann.page())
    assert link and "Ben" in ann.get(link[1]).text
    later(DAY)
    assert "Ben" in ann.get(link[1]).text and "Ann" in ben.get(link[1]).text
    for stranger, path in (
        (Person(site.base), link[1]),
        (ann, "/today/cursed-hand"),
        (ann, "/today/cursed-hand?day=x"),
    ):
        assert stranger.get(path).headers["location"] == "/today"


def test_what_is_no_game_has_no_deal(site: Served) -> None:
    assert Person(site.base).post("/today/chess").status_code == 404
    assert Person(site.base).get("/today/chess").status_code == 404


# --- unseen by whoever can still play ---------------------------------------------------------------------------------
def looks(site: Served) -> list[str]:
    """Every address at which a table can be looked at; {table} stands for its id."""
    paths = [
        f"{prefix}{route.path}"
        for prefix, routes in (("", site.app.routes), *mounted(site))
        for route in routes
        if isinstance(route, Route) and "{table}" in route.path and "GET" in (route.methods or ())
    ]
    assert len(paths) > 15 and any(path.startswith("/api/") for path in paths)
    return paths


def mounted(site: Served) -> list[tuple[str, Any]]:
    return [(route.path, route.routes) for route in site.app.routes if isinstance(route, Mount)]


def leaks(site: Served, who: Person, table: str) -> list[str]:
    found = []
    for path in looks(site):
        with who.http.stream("GET", path.replace("{table}", table) + "?about=hand&since=0") as answer:
            told = path.endswith("/problem") and answer.status_code == 200 and answer.read()
            if answer.status_code not in {403, 404} and b"be told of (NotYours)" not in (told or b""):
                found.append(f"{path} {answer.status_code}")
    return found


def test_nobody_who_can_still_play_a_deal_sees_anybody_elses_anywhere(site: Served, later: Any) -> None:
    ann, ben, eve = finishes(begins(site, "Ann")), begins(site, "Ben"), Person(site.base)
    cleo = begins(site, "Cleo")
    for who in (ben, eve):
        assert leaks(site, who, ann.table) == []  # finished
        assert leaks(site, who, cleo.table) == []  # going on
    assert leaks(site, ann, cleo.table)  # who has finished may look
    finishes(ben, 2)
    assert ben.get(f"/replay/{ann.table}").status_code == 200
    assert leaks(site, eve, ann.table) == []
    later(DAY)
    assert eve.get(f"/replay/{ann.table}").status_code == eve.get(f"/table/{cleo.table}").status_code == 200


def test_a_leak_would_be_found(site: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    async def anybody(*_: object) -> None:
        return None

    ann, eve = finishes(begins(site, "Ann")), Person(site.base)
    monkeypatch.setattr("hexdeck.web.routes.requests.assert_unseen", anybody)
    assert len(leaks(site, eve, ann.table)) > 5


def test_nobody_takes_a_seat_at_a_deal_by_an_invitation_or_a_code(site: Served) -> None:
    ann = begins(site, "Ann")
    assert ann.get(f"/table/{ann.table}/invite").status_code == 409 and "/invite" not in ann.page()
    program = Program(site.base, ann.token)
    program.table = ann.table
    assert program.post("/seats/1/free").json().get("invitations", {}) == {}
    assert program.state()["seat"] == 0


def test_whoever_still_plays_a_deal_gets_no_seat_that_shows_its_end(site: Served) -> None:
    ann, ben = finishes(begins(site, "Ann")), begins(site, "Ben")
    link = re.search(r"/carry/[\w-]{20,}", ann.get(ann.post(f"/table/{ann.table}/carry").headers["location"]).text)
    assert link and ben.post(link[0]).status_code == 409 and ben.get(f"/replay/{ann.table}").status_code == 403
    finishes(ben, 3)
    assert ben.post(link[0]).status_code == 303


def test_lists_and_the_start_page_tell_nobody_how_others_did_before(site: Served) -> None:
    ann, ben = finishes(begins(site, "Rosalind")), begins(site, "Ben")
    for path in ("/", "/today", "/me", "/tables", "/today/cursed-hand", "/me/file"):
        assert "Rosalind" not in ben.get(path).text, path
    finishes(ben, 2)
    page = ben.get("/today/cursed-hand").text
    assert "Rosalind" in page and f"/replay/{ann.table}" in page and "<small>you</small>" in page


# --- afterwards -------------------------------------------------------------------------------------------------------


def test_only_at_an_own_deal_that_is_over_is_there_something_to_compare(site: Served) -> None:
    ann, eve = begins(site, "Ann"), Person(site.base)
    assert ann.get(f"/table/{ann.table}/compared").status_code == 404
    assert eve.get(f"/table/{ann.table}/compared").status_code == 403
    ann.begins({"game": "hawthorn"}, "/play")
    assert ann.get(f"/table/{ann.table}/compared").status_code == 404


@pytest.mark.parametrize("lang", ["en", "nl"])
def test_all_games_have_a_deal_in_both_languages(site: Served, lang: str) -> None:
    page = Person(site.base, lang).get("/today").text
    assert f'<html lang="{lang}"' in page and all(f'id="deal-{game}"' in page for game in playable())
    assert ("Today&#39;s deals" in page, "De kaarten van vandaag" in page) == (lang == "en", lang == "nl")
