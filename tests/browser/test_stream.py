"""What the page does with the news of its stream, and when there is none: against a fake server."""

import re
from typing import Any

import pytest

from hexdeck.web.html import rendering
from tests.browser.fake_server import FakeServer, fake_server, main_of, newer, stop_clock

AGAIN = "dispatchEvent(new Event('online'))"  # the page asks for its stream at once
BREATH = """() => new Promise((done) => {
  const { port1, port2 } = new MessageChannel();
  port1.onmessage = () => done();
  port2.postMessage(0); })"""
WATCH = """window.flown = 0;
  const real = Element.prototype.animate;
  Element.prototype.animate = function (...all) { flown += 1; return real.apply(this, all); };"""


@pytest.mark.usual
@pytest.mark.parametrize(
    ("motion", "moves"), [("no-preference", True), pytest.param("reduce", False, marks=pytest.mark.long)]
)
def test_the_newest_view_is_shown_and_cards_fly_unless_motion_is_unwanted(visit, motion, moves):
    late = newer(main_of(visit, "hawthorn-late-dark"))
    made: list[FakeServer] = []

    def before(page: Any) -> None:
        page.add_init_script(WATCH)
        made.append(FakeServer(page, (late,)))

    page = visit("hawthorn-middle-dark", before=before, reduced_motion=motion)
    page.wait_for_function("() => document.getElementById('table').dataset.version === '9999'")
    page.evaluate(BREATH)
    assert (page.evaluate("flown") > 0) == moves
    prompt = page.locator("#prompt").inner_text().partition(" 2:")[0]
    assert prompt in re.sub(r"<[^>]+>", "", late).replace("&#39;", "'")


@pytest.mark.parametrize("name", ["black-hearts-early-dark", "hawthorn-middle-dark"])
def test_nothing_flies_when_nothing_has_changed(visit, name):
    """Cards that are chosen together have places too: they are known again in the next frame."""
    same, made = newer(main_of(visit, name)), []

    def before(page: Any) -> None:
        page.add_init_script(WATCH)
        made.append(FakeServer(page, (same,)))

    page = visit(name, before=before)
    page.wait_for_function("() => document.getElementById('table').dataset.version === '9999'")
    page.evaluate(BREATH)
    assert page.evaluate("flown") == 0


# streams that say nothing until they are told to: `opened` holds them
MUTE = """window.opened = [];
  window.EventSource = class extends EventTarget {
    static CLOSED = 2;
    constructor(address) { super(); this.readyState = 1; opened.push(this); }
    close() { this.readyState = 2; }
    say(name, data = "") { this.dispatchEvent(Object.assign(new Event(name), { data })); }
    fail() { this.readyState = 2; return this.onerror(); }
  };"""


def animate(page: Any, rate: float) -> None:
    """Have all animations of a page run at a rate; at 0 they stay at their beginning, however late one looks."""
    wire = page.context.new_cdp_session(page)
    wire.send("Animation.enable")
    wire.send("Animation.setPlaybackRate", {"playbackRate": rate})


def muted(visit, name: str, clock: bool = True) -> tuple[Any, FakeServer]:
    """A page that is ready, whose streams are mute, and whose clock is ours; then nothing moves by itself either."""
    made = []

    def before(page: Any) -> None:
        page.add_init_script(MUTE)
        if clock:
            stop_clock(page)
        made.append(FakeServer(page))

    page = visit(name, before=before)
    page.wait_for_function("() => window.opened?.length > 0")
    page.evaluate(f"() => import('/{rendering.address('idiomorph.js')}').then(() => null)")
    if clock:
        animate(page, 0)
    return page, made[0]


@pytest.mark.usual
def test_a_silent_stream_is_noticed_and_opened_again(visit):
    page, server = muted(visit, "hawthorn-middle-dark")
    page.evaluate("opened[0].say('beat', document.documentElement.dataset.build)")
    page.clock.run_for(10_000)
    page.evaluate("opened[0].say('beat', document.documentElement.dataset.build)")
    page.clock.run_for(10_000)
    assert page.evaluate("opened.length") == 1
    with page.expect_response(re.compile("middle-dark.html$")):  # what is new is asked for plainly
        page.clock.run_for(3_000)
    page.wait_for_function("() => opened.length === 2")
    assert page.locator("#why").inner_text() == ""
    page.route(re.compile("middle-dark.html$"), lambda route: route.abort())
    for _ in range(3):
        page.clock.run_for(16_000)
        server.hear_all()
    assert "Connection lost" in page.locator("#why").inner_text()


def test_a_network_that_is_back_opens_the_stream_at_once(visit):
    page, _ = muted(visit, "hawthorn-middle-dark")
    page.evaluate("dispatchEvent(new Event('online'))")
    assert page.evaluate("opened.map((each) => each.readyState)") == [2, 1]


@pytest.mark.usual
def test_a_move_that_gets_no_answer_is_told_and_can_be_made_again(visit):
    page, _ = muted(visit, "wolf-mans-curse-middle-dark")
    page.route(re.compile("/move$"), lambda route: None)  # it hangs
    page.locator(".hand .legal").first.click()
    page.clock.run_for(8_500)
    page.wait_for_function("() => /did not get through/.test(document.getElementById('why').textContent)")
    page.unroute(re.compile("/move$"))
    server = FakeServer(page)
    page.locator(".hand .legal").first.click()
    server.wait_for(1)
    assert len(server.posts) == 1


def test_a_second_tap_while_a_move_is_on_its_way_is_answered(visit):
    page, _ = fake_server(visit, "wolf-mans-curse-middle-dark")
    page.route(re.compile("/move$"), lambda route: None)
    page.locator(".hand .legal").first.click()
    page.locator(".hand .legal").nth(1).click()
    assert "on its way" in page.locator("#why").inner_text()


def test_a_move_without_a_frame_after_it_asks_for_the_page(visit):
    page, server = muted(visit, "wolf-mans-curse-middle-dark")
    late = newer(page.content())
    page.route(re.compile("middle-dark.html$"), lambda route: route.fulfill(body=late, content_type="text/html"))
    with page.expect_response(re.compile("/move$")):
        page.locator(".hand .legal").first.click()
    server.hear_all()
    page.clock.run_for(2500)
    page.wait_for_function("() => document.getElementById('table').dataset.version === '9999'")


def test_a_table_that_is_no_more_is_told_and_not_waited_for(visit, shown):
    page, _ = muted(visit, "wolf-mans-curse-middle-dark")
    error = (shown.folder / "error-dark.html").read_text(encoding="utf-8")
    page.route(re.compile("middle-dark.html$"), lambda route: route.fulfill(status=404, body=error))
    page.evaluate("opened[0].fail()")
    page.clock.run_for(120_000)
    assert "table doesn't exist" in page.locator("#why").inner_text()
    assert page.evaluate("opened.length") == 1


def test_a_rematch_is_gone_to(visit):
    answer = {"content_type": "application/json", "body": '{"go": "/start-dark.html"}'}
    page, server = fake_server(visit, "hawthorn-over-dark", answer=answer)
    page.get_by_role("button", name="Rematch").click()
    page.wait_for_url("**/start-dark.html")
    assert [post[0] for post in server.posts] == ["rematch"]


def test_a_sign_that_is_touched_is_named(visit):
    page, _ = fake_server(visit, "hawthorn-middle-dark", has_touch=True)
    page.locator(".plate .counted").first.tap()
    assert page.locator("#why").inner_text() == "Chips"


def test_an_older_view_is_dropped(visit):
    late = main_of(visit, "hawthorn-late-dark")
    page, _ = fake_server(visit, "hawthorn-middle-dark", newer(late), newer(late, 0))
    page.wait_for_function("() => document.getElementById('table').dataset.version === '9999'")
    page.evaluate(BREATH)
    assert page.locator("#table").get_attribute("data-version") == "9999"


@pytest.mark.usual
@pytest.mark.parametrize(
    "focused",
    [".hand .legal >> nth=1", *(pytest.param(place, marks=pytest.mark.long) for place in ("#table", "#log summary"))],
)
def test_focus_and_what_is_open_are_kept(visit, focused):
    same = newer(main_of(visit, "wolf-mans-curse-middle-dark")).replace("Since your last move", "Since then")
    page, server = fake_server(visit, "wolf-mans-curse-middle-dark")
    page.locator("#log").evaluate("node => { node.open = true }")
    page.locator(focused).focus()
    before = page.evaluate("document.activeElement.id || document.activeElement.parentElement.id")
    server.frames = [same]
    page.evaluate(AGAIN)
    page.wait_for_function("() => document.getElementById('table').dataset.version === '9999'")
    assert page.evaluate("document.activeElement.id || document.activeElement.parentElement.id") == before
    assert page.locator("#log").evaluate("node => node.open")
    assert page.locator("#news h2").text_content() == "Since then"


def test_cards_chosen_stay_chosen_when_others_move(visit):
    same = newer(main_of(visit, "black-hearts-early-dark"))
    page, server = fake_server(visit, "black-hearts-early-dark")
    page.locator(".pick input").nth(1).check()
    server.frames = [same]
    page.evaluate(AGAIN)
    page.wait_for_function("() => document.getElementById('table').dataset.version === '9999'")
    assert page.locator(".pick input").nth(1).is_checked()


def test_the_stream_ends_while_the_page_is_hidden(visit):
    hide = 'Object.defineProperty(document, "hidden", { get: () => window.away ?? false });'

    def hiding(name: str, before: Any) -> Any:
        return visit(name, before=lambda page: (page.add_init_script(hide), before(page)))

    page, _ = muted(hiding, "hawthorn-middle-dark")
    states = "opened.map((each) => each.readyState)"
    assert page.evaluate(states) == [1]
    page.evaluate("away = true; document.dispatchEvent(new Event('visibilitychange'))")
    assert page.evaluate(states) == [2]
    page.evaluate("away = false; document.dispatchEvent(new Event('visibilitychange'))")
    assert page.evaluate(states) == [2, 1]


def test_the_clock_runs_down(visit):
    page, _ = muted(visit, "hawthorn-middle-dark")
    shown = page.locator("#clock > *").nth(1)
    before = shown.inner_text()
    page.clock.run_for(60_000)
    left, then = (
        int(minutes) * 60 + int(seconds)
        for minutes, seconds in re.findall(r"(\d+):(\d\d)", f"{before} {shown.inner_text()}")
    )
    assert 59 <= left - then <= 61


@pytest.mark.parametrize(("name", "begins"), [("invite", "http://"), ("report", "hexdeck: ")])
@pytest.mark.parametrize("may", [True, False])
def test_a_link_and_a_report_are_copied_with_one_tap(visit, name, begins, may):
    allowed = ["clipboard-read", *["clipboard-write"] * may]  # a browser without windows can ask nobody
    page, wrong = visit(f"{name}-dark", permissions=allowed), []
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.locator("[data-copy]").first.click()
    page.wait_for_function("() => document.getElementById('why').textContent === 'Copied.'")
    assert page.evaluate("navigator.clipboard.readText()").startswith(begins) and wrong == []
