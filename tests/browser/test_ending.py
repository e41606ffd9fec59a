"""The end of a match on its page: the table stays in sight, a band comes over the hand; and faults."""

from typing import Any

import pytest

from tests.browser.beats.test_beats import steps
from tests.browser.conftest import visiting
from tests.browser.fake_server import FakeServer, main_of, newer
from tests.browser.test_stream import BREATH, muted

RUNNING, OVER = "hawthorn-late-dark", "hawthorn-over-dark"
STATE = """() => {
  const sheet = document.getElementById("result"), style = getComputedStyle(sheet);
  const moves = sheet.getAnimations().map((each) => [each.animationName, each.effect.getComputedTiming().delay]);
  return { open: document.getElementById("because").open, seen: style.visibility === "visible", moves };
}"""
BROKEN = """setTimeout(() => { setTimeout(() => { window.broke = true; }); throw new Error("second"); }, 50);
Promise.reject(new Error("at http://host/join/secret/x.js:3"));"""
PLACES = """() => ["seats", "held"].map((id) => document.getElementById(id).getBoundingClientRect())
  .flatMap(({ top, left }) => [top, left])
  .concat(document.getElementById("felt").getBoundingClientRect().bottom)"""
BUTTONS = """() => [...document.querySelectorAll("#result > .next .button, #because > summary")]
  .map((node) => node.getBoundingClientRect().top)"""
TOP = "() => document.getElementById('felt').getBoundingClientRect().top"


def ended(visit: Any, **how: Any) -> Any:
    page, _ = muted(visiting(visit, **how), RUNNING)
    page.evaluate("data => opened[0].say('table', data)", newer(main_of(visit, OVER)))
    page.wait_for_selector("#result", state="attached")
    return page


@pytest.mark.parametrize(("motion", "name"), [("no-preference", "sheet-rises"), ("reduce", "sheet-appears")])
def test_the_felt_stays_in_sight_before_the_sheet_comes_whatever_motion_is_wanted(visit, motion, name):
    page = ended(visit, reduced_motion=motion)
    found = page.evaluate(STATE)
    assert not found["open"] and not found["seen"]
    assert found["moves"] == [[name, 1500]]
    page.evaluate("document.getElementById('result').getAnimations().forEach((each) => each.finish())")
    assert page.evaluate(STATE)["seen"]


def test_the_sheet_waits_for_the_beats_and_nothing_moves_when_it_comes(visit):
    page, _ = muted(visit, RUNNING)
    version, top = int(page.locator("#table").get_attribute("data-version")), page.evaluate(TOP)
    page.evaluate("data => opened[0].say('beats', data)", steps(version, "the last card", hold=300))
    page.evaluate("data => opened[0].say('table', data)", newer(main_of(visit, OVER)))
    page.wait_for_selector("#table.telling")
    assert not page.locator("#result").count()
    page.clock.run_for(400)
    page.wait_for_selector("#result", state="attached")
    assert not page.evaluate(STATE)["seen"] and page.evaluate(TOP) == pytest.approx(top, abs=1)


@pytest.mark.parametrize("size", ["360x640", "390x844", "844x390", "1280x800"])
@pytest.mark.parametrize("game", ["hawthorn", "cursed-hand", "high-handed"])
def test_seats_and_hand_keep_their_places_at_the_end(visit, game, size):
    wide, high = map(int, size.split("x"))
    page, _ = muted(visiting(visit, viewport={"width": wide, "height": high}), f"{game}-late-dark")
    lay = page.evaluate(PLACES)
    page.evaluate("data => opened[0].say('table', data)", newer(main_of(visit, f"{game}-over-dark")))
    page.wait_for_selector("#result", state="attached")
    assert page.evaluate(PLACES) == pytest.approx(lay, abs=2)


@pytest.mark.parametrize(("motion", "count"), [("no-preference", 4), ("reduce", 0)])
def test_totals_run_up_from_nothing_when_the_list_comes_unless_little_motion_is_wanted(visit, motion, count):
    page = ended(visit, reduced_motion=motion)
    assert not page.locator(".roll").count()
    page.clock.run_for(1500)
    runs = [roll.locator("i").all_text_contents() for roll in page.locator(".roll").all()]
    totals = page.locator(".account b").all_text_contents()
    assert [(run[0], run[-1]) for run in runs] == [("0", total) for total in totals][:count] and len(totals) == 4


def test_a_turning_point_is_asked_for_by_a_page_that_saw_the_end_and_by_one_that_watches(visit):
    answer = {"content_type": "application/json", "body": '{"done": true, "turning": "<p>It turned.</p>"}'}
    for watching in (False, True):
        page, server = muted(visit, RUNNING)
        page.route("**/turning", lambda route: route.fulfill(**answer))
        if watching:
            page.evaluate("document.getElementById('table').classList.add('watching')")
        page.evaluate("data => opened[0].say('table', data)", newer(main_of(visit, OVER)))
        page.wait_for_selector("#turning", state="attached")
        for _ in range(12 if watching else 2):
            page.clock.run_for(1000)
            server.hear_all()
        page.wait_for_function("() => document.getElementById('turning').textContent === 'It turned.'")


@pytest.mark.parametrize("size", ["360x640", "844x390", "1280x720"])
def test_no_button_moves_when_the_turning_point_comes(visit, size):
    wide, high = map(int, size.split("x"))
    told = (
        "<p><b>The turning point</b><br>You chose this; that would have brought 7.9 more. <a>Show this moment</a></p>"
    )
    page = ended(visit, viewport={"width": wide, "height": high})
    page.route("**/turning", lambda route: route.fulfill(json={"done": True, "turning": told}))
    page.evaluate("document.getElementById('result').getAnimations().forEach((each) => each.finish())")
    page.locator("#because > summary").click()
    lay = page.evaluate(BUTTONS)
    page.clock.run_for(2000)
    page.wait_for_selector("#turning p")
    assert len(lay) == 3 and page.evaluate(BUTTONS) == pytest.approx(lay, abs=1)


def test_a_page_that_is_loaded_after_the_end_shows_the_band_at_once_also_without_script(visit):
    for how in ({}, {"java_script_enabled": False}):
        page = visit(OVER, before=FakeServer, **how)
        assert page.locator("#finale h2").is_visible() and not page.locator("#turning").is_visible()
        page.locator("#because > summary").click()
        assert page.locator(".told-at-end .more").is_visible()
    assert page.evaluate(STATE)["moves"] == []


def test_what_tells_why_a_match_ended_so_opens_above_the_band_and_stays_as_it_is(visit):
    page = ended(visit, viewport={"width": 390, "height": 844})
    page.evaluate("document.getElementById('result').getAnimations().forEach((each) => each.finish())")
    page.locator("#because > summary").click()
    band, told = (page.locator(each).bounding_box() for each in ("#result", ".told-at-end"))
    assert told["y"] + told["height"] == pytest.approx(band["y"], abs=3) and told["y"] > 0
    page.evaluate("data => opened[0].say('table', data)", newer(main_of(visit, OVER), 10_000))
    page.wait_for_function("() => document.getElementById('table').dataset.version === '10000'")
    assert page.evaluate(STATE)["open"]
    page.keyboard.press("Escape")
    assert not page.evaluate(STATE)["open"] and page.locator("#result > .next").is_visible()


def test_a_script_that_fails_offers_a_report_once_and_the_page_goes_on(visit):
    page = visit(RUNNING, before=FakeServer)
    page.evaluate("setTimeout(() => { throw new Error('from elsewhere') })")
    page.evaluate(BREATH)
    assert page.locator("#report-problem").count() == 0
    (visit.folder / "static" / "broken.js").write_text(BROKEN)
    page.add_script_tag(url="/static/broken.js", type="module")
    page.wait_for_selector("#report-problem")
    page.wait_for_function("() => window.broke")
    assert page.locator(".trouble").count() == 1
    address = page.locator("#report-problem").get_attribute("href")
    assert (
        address.startswith("/table/a1b2c3/problem?fault=")
        and "secret" not in address
        and "host" not in address
        and "broken.js" in address
    )
    page.evaluate("dispatchEvent(new Event('online'))")
    assert page.locator("#felt").is_visible() and page.locator("#play button").count() > 0
