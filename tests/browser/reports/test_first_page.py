"""A report as a designer reads it: the first page, games to see in the page itself, and what is printed."""

import re

import numpy as np
import pytest

from hexdeck.lab.reporting.page import page, told
from hexdeck.lab.reporting.report import Plan, Report, ReportPart
from hexdeck.lab.tension import MatchAnalysis
from tests.lab.test_report import part

PAGE = re.compile(rb"/Type\s*/Page\b")
MOST = 6  # printed pages, without the appendix


def unfair(players: int) -> ReportPart:
    """A part in which every seat stands out, so that there is much to tell; whoever leads halfway always wins."""
    chances = np.linspace(1, 2, players)
    made = part(np.random.default_rng(players), (chances / chances.sum()).tolist(), games=4000)
    half, end = np.full((2, 2, 1, players), 0.1), np.eye(players)[:2]
    half[:, 0, :, 0] = 0.6
    object.__setattr__(made, "analyses", tuple(MatchAnalysis(np.array([0.5]), half, end, ()) for _ in range(40)))
    return made


@pytest.fixture(scope="module")
def report() -> Report:
    return Report(Plan(("random",), backend="fast"), tuple(map(unfair, range(2, 7))))


def test_a_report_prints_on_six_pages_its_appendix_on_more_and_see_shows_a_game(browser, shown, report):
    opened = browser.new_context(viewport={"width": 1000, "height": 1300}).new_page()
    counts = []
    for appendix in (False, True):
        html = page(told(report), appendix=appendix)
        name = shown.add(f"report-{appendix}", html)
        opened.goto(f"{shown.address}/{name}.html")
        counts.append(len(PAGE.findall(opened.pdf(format="A4"))))
    assert counts[0] <= MOST < counts[1]
    panel = opened.locator("#answer-runaway button").get_attribute("popovertarget")
    assert not opened.locator(f"#{panel}").is_visible()
    opened.locator("#answer-runaway button").click()
    assert opened.locator(f"#{panel}").is_visible() and opened.locator(f"#{panel} li").count() > 20
    opened.keyboard.press("Escape")
    assert not opened.locator(f"#{panel}").is_visible()
    opened.set_viewport_size({"width": 360, "height": 740})
    assert opened.evaluate("() => document.documentElement.scrollWidth") <= 360
    opened.context.close()
