"""Leaving for good in the browser: the pages say what is deleted, the buttons delete it, and nobody else can."""

import html
import re
from dataclasses import replace

import pytest

from hexdeck.tables.runner import Retention
from tests.support import for_each
from tests.web.serving import Person, Served, get

FIELDS = {"game": "hawthorn", "players": "2", "seat-1": "open"}


def seated(site: Served, name: str = "Annabel") -> Person:
    return Person(site.base).begins(FIELDS | {"name": name})


def joined(ann: Person, name: str = "Benedict") -> Person:
    return Person(ann.base).joins(ann, {"name": name})


def path(person: Person, what: str = "leave") -> str:
    return f"/table/{person.table}/{what}"


def test_who_leaves_is_gone_and_the_others_see_another_name(site: Served) -> None:
    ann = seated(site)
    ben = joined(ann)
    assert ben.post(f"/table/{ben.table}/say", {"words": "see you at nine"}).status_code == 303
    assert path(ben) in ben.page()
    page = html.unescape(ben.get(path(ben)).text)
    assert "a bot plays" in page and "Delete the table" not in page
    assert ben.post(path(ben)).headers["location"] == "/tables"
    for text in (ann.page(), get(f"{site.base}/table/{ann.table}").text):
        assert "Annabel" in text and "Benedict" not in text and "see you at nine" not in text
    assert "Annabel" not in ben.get("/tables").text and ben.post(path(ben)).status_code == 403
    assert (
        ann.get(path(ann)).text.count("<form method=") >= 1 and "the whole table is deleted" in ann.get(path(ann)).text
    )
    assert ann.post(path(ann)).status_code == 303 and ann.get(f"/table/{ann.table}").status_code == 404


def test_only_the_host_deletes_a_table_and_strangers_nothing(site: Served) -> None:
    ann = seated(site)
    ben, eve = joined(ann), Person(site.base)
    for person, status in ((eve, 403), (ben, 403)):
        assert person.post(f"/table/{ann.table}/delete").status_code == status
    assert eve.post(f"/table/{ann.table}/leave").status_code == eve.get(f"/table/{ann.table}/leave").status_code == 403
    assert "As the host you can delete" in ann.get(path(ann)).text
    with ben.http.stream("GET", f"/table/{ann.table}/stream") as stream:
        frames = stream.iter_raw()
        assert next(frames)
        assert ann.post(path(ann, "delete")).headers["location"] == "/tables"
        for _ in frames:  # it ends by itself
            pass
    assert ben.get(f"/table/{ann.table}").status_code == 404


@pytest.mark.parametrize("lang", ["en", "nl"])
def test_the_page_about_privacy_is_at_the_foot_in_both_languages(site: Served, lang: str) -> None:
    ann = Person(site.base, lang)
    for where in ("/", "/tables", "/about", "/rules/hawthorn", "/new/hawthorn"):
        assert re.search(r'<footer class="foot">.*href="/privacy"', ann.get(where).text), where
    page = html.unescape(ann.get("/privacy").text)
    assert f'<html lang="{lang}"' in page and "Privacy</h1>" in page
    assert ("no accounts" in page, "geen accounts" in page) == (lang == "en", lang == "nl")


@for_each(
    ("keep", "said", "unsaid"),
    [
        (Retention(0), "Tables stay until somebody deletes them.", "is deleted after"),
        (Retention(1), "after 1 hour. Other tables stay", "where nothing happens"),
        (
            Retention(0, 90),
            "deleted after 90 days. A table whose match is over is deleted after 90 days.",
            "stay until",
        ),
        (
            Retention(2.5, 30, 0),
            "after 3 hours. A table where nothing happens is deleted after 30 days. Other",
            "is over is",
        ),
    ],
)
def test_it_says_how_long_this_server_keeps_tables(keep, said, unsaid, site, monkeypatch) -> None:
    monkeypatch.setattr(site.state, "settings", replace(site.state.settings, keep=keep))
    page = get(f"{site.base}/privacy").text
    assert said in page and unsaid not in page
