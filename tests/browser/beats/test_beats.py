"""What the page does with beats: shows them in their time, where they follow what it shows, until somebody taps."""

from typing import Any

import pytest

from tests.browser.conftest import visiting
from tests.browser.fake_server import FakeServer, main_of, newer
from tests.browser.test_stream import BREATH, muted

NAME = "wolf-mans-curse-middle-dark"
HIDE = "Object.defineProperty(document, 'hidden', { get: () => away, configurable: true });"
AWAY = "away = {}; document.dispatchEvent(new Event('visibilitychange'))"


def steps(follows: int, *lines: str, hold: int = 1000, part: str = "") -> str:
    """Beats as the stream sends them: a sentence each, and a seat in the light; `part`: a part of the page."""
    beats = "".join(
        f'<template data-hold="{hold}" data-lit="plate-1" data-cue="flip"><p class="line">{line}</p>{part}</template>'
        for line in lines
    )
    return f'<div data-follows="{follows}">{beats}</div>'


class Watched:
    """A page whose stream says what the test says, with a clock of ours; the view it shows has a known version."""

    def __init__(self, visit: Any, name: str = NAME) -> None:
        self.page, self.server = muted(visit, name)
        self.version = int(self.page.locator("#table").get_attribute("data-version"))
        self.html = main_of(visit, name)

    def frame(self, version: int, beats: str = "") -> None:
        if beats:
            self.page.evaluate("data => opened.at(-1).say('beats', data)", beats)
        self.page.evaluate("data => opened.at(-1).say('table', data)", newer(self.html, version))
        self.settle()

    def settle(self) -> None:
        """Let the page do what it has to do now: it takes a breath between reading and showing, as this does."""
        for _ in range(3):
            self.page.evaluate(BREATH)

    def wait(self, milliseconds: int) -> None:
        self.page.clock.run_for(milliseconds)
        self.settle()

    @property
    def shown(self) -> tuple[str, bool, int]:
        said, version = self.page.locator("#prompt").inner_text(), self.page.locator("#table")
        return said, "telling" in version.get_attribute("class"), int(version.get_attribute("data-version"))

    def is_newest(self, version: int) -> bool:
        said, telling, found = self.shown
        return not telling and found == version and "beat" not in said and not self.page.locator(".lit").count()


@pytest.fixture
def watched(visit) -> Watched:
    return Watched(visit)


@pytest.mark.usual
def test_beats_are_shown_in_their_time_before_the_newest_view(watched):
    now = watched.version
    watched.frame(now + 1, steps(now, "beat one", "beat two"))
    assert watched.shown == ("beat one", True, now)
    assert watched.page.locator(".plate.lit").get_attribute("id") == "plate-1"
    assert watched.page.locator("#table").get_attribute("data-cue") == "flip"
    watched.wait(990)
    assert watched.shown[0] == "beat one"
    watched.wait(20)
    assert watched.shown == ("beat two", True, now)
    watched.wait(1000)
    assert watched.is_newest(now + 1)


@pytest.mark.parametrize(("pace", "lasts"), [("0.5", 500), ("1.6", 1600)])
def test_a_person_sets_the_pace(watched, pace, lasts):
    watched.page.evaluate("pace => { document.getElementById('live').dataset.pace = pace }", pace)
    watched.frame(watched.version + 1, steps(watched.version, "beat"))
    watched.wait(lasts - 20)
    assert watched.shown[1]
    watched.wait(40)
    assert watched.is_newest(watched.version + 1)


def test_reduced_motion_keeps_the_holds(visit):
    watched = Watched(visiting(visit, reduced_motion="reduce"))
    watched.frame(watched.version + 1, steps(watched.version, "beat"))
    watched.wait(900)
    assert watched.shown[1]


@pytest.mark.parametrize("follows", [-1, 1])
def test_beats_that_follow_another_view_are_left_out(watched, follows):
    """Whoever joins, or comes back, sees the newest view at once."""
    watched.frame(watched.version + 2, steps(watched.version + follows, "beat"))
    assert watched.is_newest(watched.version + 2)


def test_beats_of_the_next_move_wait_for_their_turn(watched):
    now = watched.version
    watched.frame(now + 1, steps(now, "beat one"))
    watched.frame(now + 2, steps(now + 1, "beat two"))
    assert watched.shown == ("beat one", True, now)
    watched.wait(1000)
    assert watched.shown[:2] == ("beat two", True)
    watched.wait(1000)
    assert watched.is_newest(now + 2)


def test_a_move_without_beats_during_one_shows_the_newest_view_at_once(watched):
    now = watched.version
    watched.frame(now + 1, steps(now, "beat one", "beat two"))
    watched.frame(now + 3)
    assert watched.is_newest(now + 3)


def test_the_same_view_again_cuts_no_beat_short(watched):
    """It is sent again when somebody comes or goes."""
    now = watched.version
    watched.frame(now + 1, steps(now, "beat one"))
    watched.frame(now + 1)
    assert watched.shown == ("beat one", True, now)
    watched.wait(1000)
    assert watched.is_newest(now + 1)


def test_the_first_tap_only_skips_and_hits_nothing_for_a_moment(watched):
    card, now = watched.page.locator(".hand .legal").first, watched.version
    box = card.bounding_box()
    tap = lambda: watched.page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)  # noqa: E731
    watched.frame(now + 1, steps(now, "beat one", "beat two"))
    tap()
    watched.settle()
    assert watched.is_newest(now + 1)
    watched.wait(200)
    tap()
    watched.server.hear_all()
    assert watched.server.posts == []
    watched.wait(100)
    with watched.page.expect_response("**/move"):
        tap()
    assert [name for name, _ in watched.server.posts] == ["move"]


def test_a_long_press_that_skips_hits_nothing_either(watched):
    box, now = watched.page.locator(".hand .legal").first.bounding_box(), watched.version
    watched.frame(now + 1, steps(now, "beat one"))
    watched.page.mouse.move(box["x"] + 20, box["y"] + 20)
    watched.page.mouse.down()
    watched.wait(900)
    watched.page.mouse.up()
    watched.wait(900)
    watched.server.hear_all()
    assert watched.is_newest(now + 1) and watched.server.posts == []


def test_a_key_skips_and_plays_nothing(watched):
    now = watched.version
    watched.page.locator(".hand .legal").first.focus()
    watched.frame(now + 1, steps(now, "beat one"))
    watched.page.keyboard.press("Tab")
    assert watched.shown[0] == "beat one"
    at = watched.page.evaluate("document.activeElement.id")
    watched.page.keyboard.press("ArrowRight")
    watched.settle()
    assert watched.is_newest(now + 1) and watched.page.evaluate("document.activeElement.id") == at
    watched.page.keyboard.press("Enter")
    watched.server.hear_all()
    assert watched.server.posts == []
    watched.wait(300)
    watched.page.keyboard.press("ArrowRight")
    assert watched.page.evaluate("document.activeElement.id") != at


def test_who_plays_by_keys_can_go_on_after_a_beat(watched):
    now = watched.version
    watched.page.locator(".hand .legal").first.focus()
    watched.frame(now + 1, steps(now, "beat one", part='<div class="held" id="held"></div>'))
    assert watched.page.evaluate("document.activeElement === document.body")
    watched.wait(1000)
    assert watched.page.evaluate("document.activeElement.matches('.hand .legal')")


def test_a_stream_that_is_cut_between_two_beats_ends_in_the_newest_view(watched):
    now = watched.version
    watched.frame(now + 1, steps(now, "beat one", "beat two"))
    watched.page.evaluate("opened[0].fail()")  # and it looks plainly
    watched.wait(3_000)  # more than any pause that chance gives, less than the next stream's patience
    assert watched.page.evaluate("opened.length") == 2 and watched.is_newest(now + 1)
    watched.frame(now + 1)
    assert watched.is_newest(now + 1) and watched.page.locator("#why").inner_text() == ""


def test_a_tab_that_slept_through_twenty_moves_shows_the_newest_view(watched):
    now = watched.version
    watched.page.evaluate(f"window.away = false; {HIDE}")
    watched.frame(now + 1, steps(now, "beat one", "beat two"))
    watched.page.evaluate(AWAY.format("true"))
    watched.settle()
    assert watched.is_newest(now + 1)
    watched.page.evaluate(AWAY.format("false"))
    watched.frame(now + 20)
    assert watched.is_newest(now + 20)


def test_a_burst_of_moves_after_a_sleep_is_not_told_one_by_one(watched):
    now = watched.version
    for version in range(now, now + 20):
        watched.frame(version + 1, steps(version, f"beat {version}", hold=1100))
    watched.wait(7000)
    assert watched.is_newest(now + 20)


def test_a_page_opened_twice_shows_the_same_in_both(visit):
    for watched in (Watched(visit), Watched(visit)):
        watched.frame(watched.version + 1, steps(watched.version, "beat one"))
        assert watched.shown[:2] == ("beat one", True)
        watched.wait(1000)
        assert watched.is_newest(watched.version + 1)


CURTAIN = '<main id="table" class="curtain" data-shared data-version="{}"><p id="prompt">Hand it on.</p></main>'


def test_a_device_is_covered_after_the_beats_or_at_once_without_any(watched):
    now = watched.version
    watched.html = CURTAIN.format(0)
    watched.frame(now + 1, steps(now, "beat one"))
    watched.frame(now + 1)
    assert watched.shown == ("beat one", True, now)
    watched.wait(1000)
    assert watched.page.locator("#table.curtain").count() == 1 and watched.page.locator(".card").count() == 0


@pytest.mark.usual
@pytest.mark.parametrize("more", [0, pytest.param(1, marks=pytest.mark.long)])
def test_a_device_that_is_covered_during_a_beat_is_covered_at_once(watched, more):
    now = watched.version
    watched.frame(now + 1, steps(now, "beat one"))
    watched.html = CURTAIN.format(0)
    watched.frame(now + 1 - more)
    assert watched.page.locator("#table.curtain").count() == 1 and watched.page.locator(".card").count() == 0


def test_a_page_without_a_table_yet_goes_to_the_newest_view(watched):
    """As where people still sit down: the deal is no beat there."""
    now, wrong = watched.version, []
    watched.page.on("pageerror", lambda error: wrong.append(str(error)))
    watched.page.evaluate("document.getElementById('room').remove()")
    watched.frame(now + 1, steps(now, "beat"))
    assert watched.is_newest(now + 1) and watched.page.locator("#felt").count() == 1 and wrong == []


def test_no_script_is_needed(visit):
    page = visit(NAME, before=FakeServer, java_script_enabled=False)
    assert page.locator("template").count() == 0 and page.locator(".hand .legal").count() > 0
