"""Worked examples over HTTP: every step of every game, in both languages, there and back without a script."""

import re

import pytest

from hexdeck.engine.rulebook import steps
from hexdeck.web import paper
from hexdeck.web.routes import site_pages
from tests.settings import every_game
from tests.web.serving import Person, Served


def words(html: str) -> str:
    (passage,) = re.findall(r'<div class="told"[^>]*>(.*?)</div>', html, re.DOTALL)
    return " ".join(re.sub(r"<[^>]+>", "", passage).split())


@every_game
@pytest.mark.parametrize("lang", ["en", "nl"])
def test_an_example_can_be_stepped_through_by_its_links(site: Served, name: str, lang: str) -> None:
    person = Person(site.base)
    rules = person.get(f"/rules/{name}", lang).text
    assert f'href="/rules/{name}/example"' in rules
    address, seen = f"/rules/{name}/example", []
    for step in steps(name, lang):
        page = person.get(address, lang)
        assert page.status_code == 200 and f'href="/rules/{name}"' in page.text
        seen.append(words(page.text))
        bare = re.sub(r"\[([A-Z]{2}-\d+)\]", r"\1", step.passage)
        assert seen[-1].replace("&#39;", "'") == bare
        for rule in re.findall(r"[A-Z]{2}-\d+", step.passage):
            assert f'href="/rules/{name}#{rule}"' in page.text and f'id="{rule}"' in rules
        (address,) = re.findall(r'id="step-after"[^>]* href="([^"]+)"', page.text)
    assert len(set(seen)) == len(seen) and address.endswith(f"step={len(seen)}")
    assert re.search(r'id="step-before"[^>]* href="([^"]+)"', page.text)[1].endswith(f"step={len(seen) - 1}")


def test_a_step_that_there_is_not_is_the_nearest_and_the_settings_lead_back(site: Served) -> None:
    person = Person(site.base)
    count = len(steps("hawthorn", "en"))
    for asked, step in (("0", 1), ("", 1), ("99999", count), ("x", 1), ("-3", 1), ("2", 2)):
        page = person.get(f"/rules/hawthorn/example?step={asked}").text
        assert f'data-step="{step}"' in page.partition('id="table"')[2][:200], asked
        assert f'name="back" value="/rules/hawthorn/example?step={step}"' in page
    assert person.get("/rules/whist/example").status_code == 404


def test_a_game_without_an_example_says_so(site: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hexdeck.web.routes.site_pages.steps", lambda _name, _lang: [])
    monkeypatch.setattr("hexdeck.web.html.pages.has_example", lambda _name: False)
    page = Person(site.base).get("/rules/hawthorn/example")
    assert page.status_code == 404 and "This game has no example to step through." in page.text
    assert "/rules/hawthorn/example" not in Person(site.base).get("/rules/hawthorn").text


def test_the_rules_lead_to_a_pdf_of_rules_and_cards(site: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    person, asked, honest = Person(site.base), list[tuple[str, ...]](), paper.document

    def made(name: str, lang: str, size: str, _parts: tuple[str, ...], variant: None) -> bytes:
        assert variant is None
        asked.append((name, lang, size))
        return honest(name, lang, size, paper.PARTS if len(asked) == 1 else ("scores",))  # one whole is enough

    monkeypatch.setattr(paper, "document", made)
    monkeypatch.setattr(site_pages, "printed", site_pages.printed.__wrapped__)
    assert 'href="/rules/hawthorn/print"' in person.get("/rules/hawthorn", "en").text
    answers = [person.get(f"/rules/hawthorn/print{size}", "en") for size in ("", "?paper=letter")]
    assert all(each.headers["content-type"] == "application/pdf" and each.content[:5] == b"%PDF-" for each in answers)
    assert asked == [("hawthorn", "en", "a4"), ("hawthorn", "en", "letter")]
    assert [b"/MediaBox [0 0 612.00 792.00]" in each.content for each in answers] == [False, True]
    assert person.get("/rules/no-game/print", "en").status_code == 404
