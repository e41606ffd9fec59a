"""Rules on paper and examples to step through: two sides of A4, readable letters, keys."""

import re

import gallery
import pytest

from hexdeck.engine.discovery.finding import game_names
from hexdeck.engine.rulebook import steps
from hexdeck.web.html import pages
from hexdeck.web.html.rendering import DealPromise, Site

PAGE = re.compile(rb"/Type\s*/Page\b")
WIDE = 718  # pixels: A4 without its margins
SMALL = """() => [...document.querySelectorAll("#main *")].filter((node) => node.offsetParent && [...node.childNodes]
  .some((child) => child.nodeType === 3 && child.data.trim()))
  .map((node) => [node.className || node.tagName, parseFloat(getComputedStyle(node).fontSize) * .75])
  .filter(([, points]) => points < 7.99)"""
SHOWN = """() => [...document.querySelectorAll(".site, .skip, .foot, form, .button, .poster")]
  .filter((node) => node.offsetParent).map((node) => node.className || node.tagName)"""


PRINTED = [("en", "light"), ("en", "dark"), ("nl", "light"), ("nl", "dark")]


@pytest.mark.parametrize(("lang", "theme"), PRINTED)
def test_rules_print_on_two_sides_with_nothing_too_small_or_in_the_way(browser, shown, lang, theme):
    context = browser.new_context(viewport={"width": WIDE, "height": 1050})
    page, sides = context.new_page(), {}
    for game in game_names():
        html = pages.rules(Site(lang, theme), game, DealPromise("", ""))
        name = shown.add(f"{game}-printed", html)
        page.goto(f"{shown.address}/{name}.html")
        page.emulate_media(media="print")
        sides[game] = len(PAGE.findall(page.pdf(format="A4", prefer_css_page_size=True)))
        assert page.evaluate(SMALL) == [] and page.evaluate(SHOWN) == [], game
        assert page.evaluate("() => document.documentElement.scrollWidth") <= WIDE, game
        assert page.evaluate("() => getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
        for drawn in ("[role=img]", ".position"):
            assert page.locator(f"{drawn} svg.shown-card").first.bounding_box()["width"] > 15, drawn
        page.emulate_media(media="screen")
    context.close()
    assert sides and {game: count for game, count in sides.items() if not 1 <= count <= 2} == {}


def stepping(visit, game: str, **how):
    """The first step of an example, and a server that gives the others."""
    asked = []

    def answer(route) -> None:
        asked.append(int(route.request.url.rpartition("step=")[2]))
        html = gallery.worked(game, Site("en", "light"), asked[-1])
        route.fulfill(content_type="text/html", body=html)

    def before(page) -> None:
        page.route(re.compile(r"/rules/.*/example\?step="), answer)

    page = visit("first-step", before, **how)
    return page, asked


@pytest.mark.parametrize("game", ["high-handed", "cursed-hand"])
def test_arrows_and_buttons_step_through_an_example(visit, shown, game):
    shown.add("first-step", gallery.worked(game, Site("en", "light"), 1))
    page, asked = stepping(visit, game)
    count = len(steps(game, "en"))

    def at(step: int) -> None:
        page.wait_for_function(f"() => document.getElementById('table').dataset.step === '{step}'")
        passage = steps(game, "en")[step - 1].passage.partition(" [")[0]
        assert passage in page.locator("#told").inner_text()
        assert page.locator("#where").inner_text() == f"{step} / {count}"

    at(1)
    page.keyboard.press("ArrowRight")
    at(2)
    page.locator("#step-after").click()
    at(3)
    assert page.url.endswith(f"/rules/{game}/example?step=3")
    assert page.locator("#settings [name=back]").get_attribute("value") is not None
    page.keyboard.press("ArrowLeft")
    at(2)
    page.keyboard.press("End")
    at(count)
    page.locator("#step").focus()
    page.keyboard.press("ArrowLeft")
    at(count - 1)
    page.locator("#step-first").click()
    at(1)
    assert asked == [2, 3, 2, count, count - 1, 1]


def test_without_a_script_the_steps_are_links_and_a_form(visit, shown):
    shown.add("first-step", gallery.worked("hawthorn", Site("en", "light"), 1))
    page, _asked = stepping(visit, "hawthorn", java_script_enabled=False)
    page.locator("#step-after").click()
    assert page.locator("#where").inner_text().startswith("2 / ")
    page.locator("#step-last").click()
    page.locator("#go").click()
    assert page.locator("#where").inner_text() == "{0} / {0}".format(len(steps("hawthorn", "en")))
