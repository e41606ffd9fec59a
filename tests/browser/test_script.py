"""What the page does with its script, and without it: on pages of the gallery, the server feigned."""

from __future__ import annotations

import re
from typing import Any
from urllib.parse import parse_qs

import gallery
import pytest

from hexdeck.engine.game import game_names
from hexdeck.web import pages
from hexdeck.web.contexts import Site

TABLES = [f"{game}-{state}" for game in game_names() for state in ("early", "middle", "late")]


class Feigned:
    """In the place of the server: sends frames, keeps what is posted, answers as told."""

    def __init__(self, page: Any, frames: tuple[str, ...] = (), answer: dict[str, Any] | None = None) -> None:
        self.posts: list[tuple[str, dict[str, list[str]]]] = []
        self.headers: list[dict[str, str]] = []
        self.frames, self.answer = list(frames), answer or {"status": 204}
        page.route(re.compile(r"/stream$"), self.stream)
        page.route(re.compile(r"/table/\w+/(move|explain|rematch|seat/.*|name)$"), self.post)

    def stream(self, route: Any) -> None:
        """All frames at once; the browser comes back for more, and there is none."""
        body = "".join(f"event: table\n{as_data(frame)}\n\n" for frame in self.frames)
        self.frames = []
        route.fulfill(content_type="text/event-stream", body=body or ": nothing\n\n")

    def post(self, route: Any) -> None:
        """Keep it."""
        self.posts.append((route.request.url.rpartition("/")[2], parse_qs(route.request.post_data or "")))
        self.headers.append(route.request.headers)
        route.fulfill(**self.answer)


def as_data(html: str) -> str:
    """A text as lines of an event."""
    return "\n".join(f"data: {line}" for line in html.splitlines())


def main_of(visit, name: str) -> str:
    """The main element of a page of the gallery."""
    page = visit(name, java_script_enabled=False)
    return page.content().partition("<main")[2].partition("</main>")[0].join(("<main", "</main>"))


def newer(html: str, version: int = 9999) -> str:
    """The same at a later version."""
    return re.sub(r'data-version="\d+"', f'data-version="{version}"', html)


def feign(visit, name: str, *frames: str, answer: dict[str, Any] | None = None, **how: Any) -> tuple[Any, Feigned]:
    """A page with a feigned server."""
    made = []
    page = visit(name, before=lambda page: made.append(Feigned(page, frames, answer)), **how)
    return page, made[0]


# --- without script ---------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("name", TABLES)
def test_a_move_is_a_form_without_script(visit, name):
    page, server = feign(visit, f"{name}-light", java_script_enabled=False, answer={"body": "moved"})
    moves = page.locator("button[name=move]:visible")
    if page.locator("#result").count():
        assert moves.count() == 0
        return
    version = page.locator("#table").get_attribute("data-version")
    if moves.count():
        wanted = moves.first.get_attribute("value")
        moves.first.click()
    else:
        boxes = page.locator(".pick input")
        boxes.nth(0).check()
        boxes.nth(1).check()
        wanted = [boxes.nth(k).get_attribute("value") for k in (0, 1)]
        page.locator("#together").click()
    page.wait_for_url("**/move")
    action, fields = server.posts[0]
    assert action == "move"
    assert fields["version"] == [version]
    assert fields.get("move", fields.get("card")) == (wanted if isinstance(wanted, list) else [wanted])


def test_every_page_is_without_inline_script_or_style(shown, visit):
    page = visit(shown.names[0], java_script_enabled=False)
    for name in shown.names:
        html = page.request.get(f"{shown.address}/{name}.html").text()
        assert not re.search(r"<style|\sstyle=|\son\w+=|javascript:|<script(?![^>]*\ssrc=)", html), name


# --- with it ----------------------------------------------------------------------------------------------------------
def test_a_click_posts_a_move_and_stays_on_the_page(visit):
    page, server = feign(visit, "wolf-mans-curse-middle-dark")
    page.locator(".hand .legal").nth(1).click()
    page.wait_for_timeout(100)
    assert server.posts[0][1]["move"] == [page.locator(".hand .legal").nth(1).get_attribute("value")]
    assert server.headers[0]["hexdeck"] == "1"
    assert page.url.endswith("wolf-mans-curse-middle-dark.html")


def test_a_finger_is_told_first_what_it_would_play(visit):
    page, server = feign(visit, "wolf-mans-curse-middle-dark", has_touch=True)
    card = page.locator(".hand .legal").first
    card.tap()
    assert page.locator("#why").inner_text() == f"{card.get_attribute('aria-label')}: tap again to play."
    assert server.posts == []
    card.tap()
    page.wait_for_timeout(100)
    assert len(server.posts) == 1


def test_every_cell_of_the_last_row_takes_two_taps_on_the_same_spot(visit, shown):
    """What the first tap is told moves nothing: the second one lands on the same cell, whatever stands beside it."""
    match = gallery.played("high-handed", 6, 7)
    while not any(move.cell.endswith("8") for move in match.view(0).moves):
        match.go(match.ply + 1) if match.ply < match.length else match.go(0)
    shown.add("placing", pages.table(gallery.table_of(match, Site("en", "dark"))))
    page, server = feign(visit, "placing", has_touch=True)
    cells = page.locator(".cell.open[data-cell$='8']")
    spots = [
        (cell.get_attribute("value"), cell.get_attribute("data-cell"), cell.bounding_box()) for cell in cells.all()
    ]
    assert len(spots) > 3
    lies = page.locator("#mine").bounding_box()
    for value, name, box in spots:
        x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        page.touchscreen.tap(x, y)
        assert name in page.locator("#why").inner_text()
        assert page.locator("#mine").bounding_box() == lies
        page.touchscreen.tap(x, y)
        page.wait_for_timeout(60)
        assert server.posts[-1][1]["move"] == [value]
    assert len(server.posts) == len(spots)


def test_a_refused_move_is_explained_aloud(visit):
    answer = {"status": 409, "content_type": "application/json", "body": '{"error": "The table has moved on."}'}
    page, _ = feign(visit, "wolf-mans-curse-middle-dark", answer=answer)
    page.locator(".hand .legal").first.click()
    page.wait_for_function("document.getElementById('why').textContent === 'The table has moved on.'")
    assert page.locator("#why").get_attribute("role") == "status"


def test_a_card_that_cant_be_played_says_why(visit):
    answer = {
        "status": 200,
        "content_type": "application/json",
        "body": '{"why": "First call or accept.", "rule": "CH-9"}',
    }
    page, server = feign(visit, "cursed-hand-late-dark", answer=answer)
    page.locator(".hand .idle").first.click()
    page.wait_for_function("document.getElementById('why').textContent === 'First call or accept.'")
    assert server.posts[0] == ("explain", {"card": [page.locator(".hand .idle").first.get_attribute("value")]})


def test_two_cards_are_chosen_together_and_named(visit):
    page, server = feign(visit, "black-hearts-early-dark")
    together, boxes = page.locator("#together"), page.locator(".pick input")
    assert together.is_disabled()
    for k in range(3):
        boxes.nth(k).check()
    assert page.locator(".pick input:checked").count() == 2
    assert together.inner_text().startswith("Pass ")
    together.click()
    page.wait_for_timeout(100)
    assert len(server.posts[0][1]["card"]) == 2


def test_keys_go_from_card_to_card_and_play(visit):
    page, server = feign(visit, "wolf-mans-curse-middle-dark")
    cards = page.locator(".hand .legal")
    cards.first.focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowLeft")
    assert page.evaluate("document.activeElement.id") == cards.nth(1).get_attribute("id")
    page.keyboard.press("3")
    assert page.evaluate("document.activeElement.id") == cards.nth(2).get_attribute("id")
    page.keyboard.press("Enter")
    page.wait_for_timeout(100)
    assert server.posts[0][1]["move"] == [cards.nth(2).get_attribute("value")]


def test_a_card_is_dragged_to_the_table(visit):
    page, server = feign(visit, "wolf-mans-curse-middle-dark", viewport={"width": 1440, "height": 900})
    card, felt = page.locator(".hand .legal").first.bounding_box(), page.locator("#felt").bounding_box()
    page.mouse.move(card["x"] + 20, card["y"] + 20)
    page.mouse.down()
    page.mouse.move(card["x"] + 60, card["y"] - 40, steps=4)
    page.mouse.move(felt["x"] + 60, felt["y"] + 60, steps=4)
    page.mouse.up()
    page.wait_for_timeout(150)
    assert [post[0] for post in server.posts] == ["move"]


@pytest.mark.parametrize(("end", "plays"), [("touchEnd", True), ("touchCancel", False)])
def test_a_finger_drags_a_card_to_the_table(visit, end, plays):
    page, server = feign(visit, "wolf-mans-curse-middle-dark", has_touch=True)
    wire = page.context.new_cdp_session(page)
    card, felt = page.locator(".hand .legal").first.bounding_box(), page.locator("#felt").bounding_box()
    spots = [(card["x"] + 20, card["y"] + 20), (card["x"] + 40, card["y"] - 30), (felt["x"] + 60, felt["y"] + 30)]
    for event, (x, y) in zip(("touchStart", "touchMove", "touchMove"), spots, strict=True):
        wire.send("Input.dispatchTouchEvent", {"type": event, "touchPoints": [{"x": x, "y": y}]})
    assert page.locator(".hand .legal").first.evaluate("node => node.style.transform").startswith("translate(")
    wire.send("Input.dispatchTouchEvent", {"type": end, "touchPoints": []})
    page.wait_for_timeout(150)
    assert [post[0] for post in server.posts] == (["move"] if plays else [])
    assert page.locator(".hand .legal").first.get_attribute("style") is None
    assert page.evaluate("scrollY") == 0


def test_a_card_that_is_dropped_back_is_not_played(visit):
    page, server = feign(visit, "wolf-mans-curse-middle-dark", viewport={"width": 1440, "height": 900})
    card = page.locator(".hand .legal").first.bounding_box()
    page.mouse.move(card["x"] + 20, card["y"] + 20)
    page.mouse.down()
    page.mouse.move(card["x"] + 60, card["y"] + 30, steps=4)
    page.mouse.up()
    page.wait_for_timeout(150)
    assert server.posts == []


# --- the stream -------------------------------------------------------------------------------------------------------
WATCH = """window.flown = 0;
  const real = Element.prototype.animate;
  Element.prototype.animate = function (...all) { flown += 1; return real.apply(this, all); };"""


@pytest.mark.parametrize(("motion", "moves"), [("no-preference", True), ("reduce", False)])
def test_the_newest_view_is_shown_and_cards_fly_unless_motion_is_unwanted(visit, motion, moves):
    late = newer(main_of(visit, "hawthorn-late-dark"))
    made: list[Feigned] = []

    def before(page: Any) -> None:
        page.add_init_script(WATCH)
        made.append(Feigned(page, (late,)))

    page = visit("hawthorn-middle-dark", before=before, reduced_motion=motion)
    page.wait_for_function("document.getElementById('table').dataset.version === '9999'")
    page.wait_for_timeout(50)
    assert (page.evaluate("flown") > 0) == moves
    prompt = page.locator("#prompt").inner_text().partition(" 2:")[0]
    assert prompt in re.sub(r"<[^>]+>", "", late).replace("&#39;", "'")


@pytest.mark.parametrize("name", ["black-hearts-early-dark", "hawthorn-middle-dark"])
def test_nothing_flies_when_nothing_has_changed(visit, name):
    """Cards that are chosen together have places too: they are known again in the next frame."""
    same, made = newer(main_of(visit, name)), []

    def before(page: Any) -> None:
        page.add_init_script(WATCH)
        made.append(Feigned(page, (same,)))

    page = visit(name, before=before)
    page.wait_for_function("document.getElementById('table').dataset.version === '9999'")
    page.wait_for_timeout(50)
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


def muted(visit, name: str, clock: bool = True) -> tuple[Any, Feigned]:
    """A page whose streams are mute, and whose clock is ours."""
    made = []

    def before(page: Any) -> None:
        page.add_init_script(MUTE)
        if clock:
            page.clock.install()
        made.append(Feigned(page))

    return visit(name, before=before), made[0]


def test_a_silent_stream_is_noticed_and_opened_again(visit):
    page, _ = muted(visit, "hawthorn-middle-dark")
    page.clock.run_for(30_000)
    page.evaluate("opened[0].say('beat', 'on')")
    page.clock.run_for(30_000)
    assert page.evaluate("opened.length") == 1
    assert page.locator("#why").inner_text() == ""
    page.clock.run_for(30_000)
    assert page.evaluate("opened.length") == 2
    assert "connection is gone" in page.locator("#why").inner_text()


def test_a_network_that_is_back_opens_the_stream_at_once(visit):
    page, _ = muted(visit, "hawthorn-middle-dark")
    page.evaluate("dispatchEvent(new Event('online'))")
    assert page.evaluate("opened.map((each) => each.readyState)") == [2, 1]


def test_a_move_that_gets_no_answer_is_told_and_can_be_made_again(visit):
    soon = "const real = AbortSignal.timeout; AbortSignal.timeout = (ms) => { window.waits = ms; return real(80); };"
    page = visit("wolf-mans-curse-middle-dark", before=lambda page: (page.add_init_script(soon), Feigned(page)))
    page.route(re.compile("/move$"), lambda route: None)  # it hangs
    page.locator(".hand .legal").first.click()
    page.wait_for_function("/did not get through/.test(document.getElementById('why').textContent)")
    assert page.evaluate("waits") == 8000
    page.unroute(re.compile("/move$"))
    server = Feigned(page)
    page.locator(".hand .legal").first.click()
    page.wait_for_timeout(100)
    assert len(server.posts) == 1


def test_a_second_tap_while_a_move_is_on_its_way_is_answered(visit):
    page, _ = feign(visit, "wolf-mans-curse-middle-dark")
    page.route(re.compile("/move$"), lambda route: None)
    page.locator(".hand .legal").first.click()
    page.locator(".hand .legal").nth(1).click()
    assert "on its way" in page.locator("#why").inner_text()


def test_a_move_without_a_frame_after_it_asks_for_the_page(visit):
    page, _ = muted(visit, "wolf-mans-curse-middle-dark")
    late = newer(page.content())
    page.route(re.compile("middle-dark.html$"), lambda route: route.fulfill(body=late, content_type="text/html"))
    with page.expect_response(re.compile("/move$")):
        page.locator(".hand .legal").first.click()
    page.wait_for_timeout(100)
    page.clock.run_for(2500)
    page.wait_for_function("document.getElementById('table').dataset.version === '9999'")


def test_a_table_that_is_no_more_is_told_and_not_waited_for(visit, shown):
    page, _ = muted(visit, "wolf-mans-curse-middle-dark")
    error = (shown.folder / "error-dark.html").read_text(encoding="utf-8")
    page.route(re.compile("middle-dark.html$"), lambda route: route.fulfill(status=404, body=error))
    page.evaluate("opened[0].fail()")
    page.clock.run_for(120_000)
    assert "no such table" in page.locator("#why").inner_text()
    assert page.evaluate("opened.length") == 1


def test_a_rematch_is_gone_to(visit):
    answer = {"content_type": "application/json", "body": '{"go": "/start-dark.html"}'}
    page, server = feign(visit, "hawthorn-over-dark", answer=answer)
    page.get_by_role("button", name="Rematch").click()
    page.wait_for_url("**/start-dark.html")
    assert [post[0] for post in server.posts] == ["rematch"]


def test_a_sign_that_is_touched_is_named(visit):
    page, _ = feign(visit, "hawthorn-middle-dark", has_touch=True)
    page.locator(".plate .counted").first.tap()
    assert page.locator("#why").inner_text() == "Chips"


def test_an_older_view_is_dropped(visit):
    late = main_of(visit, "hawthorn-late-dark")
    page, _ = feign(visit, "hawthorn-middle-dark", newer(late), newer(late, 0))
    page.wait_for_function("document.getElementById('table').dataset.version === '9999'")
    page.wait_for_timeout(200)
    assert page.locator("#table").get_attribute("data-version") == "9999"


@pytest.mark.parametrize("focused", ["#table", ".hand .legal >> nth=1", "#log summary"])
def test_focus_and_what_is_open_are_kept(visit, focused):
    same = newer(main_of(visit, "wolf-mans-curse-middle-dark")).replace("Since your last move", "Since then")
    page, server = feign(visit, "wolf-mans-curse-middle-dark")
    page.locator("#log").evaluate("node => { node.open = true }")
    page.locator(focused).focus()
    before = page.evaluate("document.activeElement.id || document.activeElement.parentElement.id")
    server.frames = [same]
    page.wait_for_function("document.getElementById('table').dataset.version === '9999'", timeout=15_000)
    assert page.evaluate("document.activeElement.id || document.activeElement.parentElement.id") == before
    assert page.locator("#log").evaluate("node => node.open")
    assert page.locator("#news h2").text_content() == "Since then"


def test_cards_chosen_stay_chosen_when_others_move(visit):
    same = newer(main_of(visit, "black-hearts-early-dark"))
    page, server = feign(visit, "black-hearts-early-dark")
    page.locator(".pick input").nth(1).check()
    server.frames = [same]
    page.wait_for_function("document.getElementById('table').dataset.version === '9999'", timeout=15_000)
    assert page.locator(".pick input").nth(1).is_checked()


def test_the_stream_ends_while_the_page_is_hidden(visit):
    script = """Object.defineProperty(document, "hidden", { get: () => window.away ?? false });
      const Real = EventSource; window.sources = [];
      window.EventSource = class extends Real { constructor(...all) { super(...all); sources.push(this); } };
      window.EventSource.CLOSED = 2;"""
    made: list[Feigned] = []

    def before(page: Any) -> None:
        page.add_init_script(script)
        made.append(Feigned(page))

    page = visit("hawthorn-middle-dark", before=before)
    states = "sources.map((source) => source.readyState)"
    assert page.evaluate(states)[-1] < 2
    page.evaluate("away = true; document.dispatchEvent(new Event('visibilitychange'))")
    assert set(page.evaluate(states)) == {2}
    page.evaluate("away = false; document.dispatchEvent(new Event('visibilitychange'))")
    assert page.evaluate(states)[-1] < 2


def test_the_clock_runs_down(visit):
    page, _ = feign(visit, "hawthorn-middle-dark")
    page.wait_for_function("/2:2[0-9]/.test(document.getElementById('clock').children[1].textContent)", timeout=15_000)


def test_a_link_is_copied(visit):
    page = visit("invite-dark")
    page.locator("[data-copy]").click()
    page.wait_for_function("document.getElementById('why').textContent === 'Copied.'")
    assert page.evaluate("getSelection().toString() || document.activeElement.value").startswith("http://")
