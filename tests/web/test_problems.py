"""Reports of what went wrong: what a reader knows and nothing more, for whoever asks, also of a broken table."""

import html
import platform
import re

import pytest

import hexdeck
from hexdeck.web.routes import presenters, site_pages
from hexdeck.web.routes.site_pages import without_secrets
from tests.web.serving import Person, Program, Served, get

FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0"


def seated(site: Served) -> tuple[Person, Person]:
    ann = Person(site.base).begins({"game": "hawthorn", "players": "2", "seat-1": "open", "name": "Wilhelmina"})
    ben = Person(site.base).joins(ann, {"name": "Bartholomew"})
    return ann, ben


def reported(person: Person, table: str, **asked: str) -> str:
    return person.http.get(
        f"/table/{table}/problem", params={"file": "1", **asked}, headers={"user-agent": FIREFOX}
    ).text


def test_a_report_holds_what_mending_wants(site: Served) -> None:
    ann, _ = seated(site)
    text = reported(ann, ann.table, fault="x is undefined at table.js:3:4")
    table = site.state.registry.tables[ann.table]
    for told in (
        f"hexdeck: {hexdeck.__version__}",
        platform.python_version(),
        f"browser: {FIREFOX}",
        "game: hawthorn",
        "x is undefined at table.js:3:4",
        f"table: playing, version {table.version_for(0)}",
        "as seat 0 knows",
        "The log:\n",
        "The position:\n",
    ):
        assert told in text, told
    hand = next(zone.cards for zone in table.view(0).zones if zone.id == "hand-0")
    assert hand and f"{' '.join(hand)}" in text.replace(", ", " ")


def test_a_report_holds_no_token_no_name_no_address_and_no_secret(site: Served) -> None:
    ann, ben = seated(site)
    token, table = ann.token, site.state.registry.tables[ann.table]
    link = f"{site.base}/join/abc.def"
    text = reported(ann, ann.table, fault=f"{token} {link} /carry/{token[:12]} {table.secret.hex()}")
    page = html.unescape(
        ann.get(f"/table/{ann.table}/problem").text.partition("<textarea")[2].partition("</textarea>")[0]
    )
    for secret in (
        token,
        ben.token,
        table.secret.hex(),
        ann.table,
        link,
        "abc.def",
        token[:12],
        "Wilhelmina",
        "Bartholomew",
        site.base,
    ):
        assert secret not in text and secret not in page, secret
    assert "fault: … … … …" in text


def test_a_report_is_made_for_whoever_asks_and_where_the_table_is_broken(site, monkeypatch) -> None:
    ann, _ = seated(site)
    eve, table = Person(site.base), site.state.registry.tables[ann.table]
    text = reported(eve, ann.table)
    assert "as no seat knows it" in text and "game: hawthorn" in text
    alone = Program(site.base)
    alone.creates(game="hawthorn", players=2, watch="nobody")
    assert "table: can't be told of (NotYours)" in reported(eve, alone.table)
    assert "table: can't be told of (NoTable)" in reported(eve, "A" * 12)
    monkeypatch.setattr(site_pages, "table_facts", lambda *_: 1 / 0)
    assert "table: can't be told of (ZeroDivisionError)" in reported(ann, table.id)
    assert "table: none" in get(f"{site.base}/problem?file=1").text


def test_where_something_went_wrong_one_tap_makes_a_report(site: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    ann, _ = seated(site)
    assert "report-problem" not in ann.get("/nothing").text
    monkeypatch.setattr(presenters, "table_page", lambda *_: 1 / 0)
    broken = ann.get(f"/table/{ann.table}")
    assert broken.status_code == 500 and "Something went wrong on the server" in broken.text
    link = re.findall(r'id="report-problem" href="([^"]+)"', broken.text)
    assert link == [f"/table/{ann.table}/problem?fault=500"]
    page = ann.get(link[0])
    assert page.status_code == 200 and "fault: 500" in page.text and "as seat 0 knows it" in page.text
    file = re.findall(r'href="([^"]+)" download', page.text)[0]
    kept = ann.get(html.unescape(file))
    assert kept.headers["content-disposition"].startswith("attachment") and "fault: 500" in kept.text
    assert f'data-problem="/table/{ann.table}/problem"' not in page.text


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        (FIREFOX, FIREFOX),
        ("a\nb\0", "a b"),
        ("x" * 19, "x" * 19),
        ("x" * 20, "…"),
        ("see https://h/join/t?x", "see …"),
        ("at /join/t.1 and /table/abc/problem", "at … and …"),
        ("y " * 999, ("y " * 200).strip()),
    ],
)
def test_what_a_browser_says_is_told_without_secrets(said: str, kept: str) -> None:
    assert without_secrets(said) == kept


def test_the_name_of_a_browser_is_told_without_secrets(site: Served) -> None:
    agent = f"B {'x' * 22} {site.base}/join/abc.def"
    told = Person(site.base).http.get("/problem", params={"file": "1"}, headers={"user-agent": agent}).text
    assert "browser: B … …\n" in told
