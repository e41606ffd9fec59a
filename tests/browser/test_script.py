"""What the page does with its script, and without it: on pages of the gallery, against a fake server."""

import re

import gallery
import pytest

from hexdeck.engine.discovery.finding import game_names
from hexdeck.web.html import table_page
from hexdeck.web.html.rendering import Site
from tests.browser.conftest import visiting
from tests.browser.fake_server import fake_server, main_of, newer
from tests.browser.test_stream import BREATH, muted

STATES = ("early", "middle", "late")
TABLES = [
    pytest.param(name := f"{game}-{state}", marks=pytest.mark.usual if name == "cursed-hand-late" else ())
    for game in game_names()
    for state in STATES
]


# --- without script ---------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("name", TABLES)
def test_a_move_is_a_form_without_script(visit, name):
    page, server = fake_server(visit, f"{name}-light", java_script_enabled=False, answer={"body": "moved"})
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


def test_every_page_is_without_inline_script_or_style(shown):
    for name in shown.names:
        html = (shown.folder / f"{name}.html").read_text(encoding="utf-8")
        assert not re.search(r"<style|\sstyle=|\son\w+=|javascript:|<script(?![^>]*\ssrc=)", html), name


# --- with it ----------------------------------------------------------------------------------------------------------
@pytest.mark.usual
def test_a_click_posts_a_move_and_stays_on_the_page(visit):
    page, server = fake_server(visit, "wolf-mans-curse-middle-dark")
    page.locator(".hand .legal").nth(1).click()
    server.wait_for(1)
    assert [post[1]["move"] for post in server.posts] == [[page.locator(".hand .legal").nth(1).get_attribute("value")]]
    assert server.headers[0]["hexdeck"] == "1"
    assert page.url.endswith("wolf-mans-curse-middle-dark.html")


@pytest.mark.usual
def test_a_finger_is_told_first_what_it_would_play(visit):
    page, server = fake_server(visit, "wolf-mans-curse-middle-dark", has_touch=True)
    card = page.locator(".hand .legal").first
    card.tap()
    assert page.locator("#why").inner_text() == f"{card.get_attribute('aria-label')}: tap again to play."
    assert server.posts == []
    card.tap()
    server.wait_for(1)
    assert len(server.posts) == 1


def test_the_same_view_again_between_two_taps_takes_nothing_back(visit):
    page, server = muted(visiting(visit, has_touch=True), "wolf-mans-curse-middle-dark")
    card = page.locator(".hand .legal").first
    card.tap()
    page.evaluate("data => opened[0].say('table', data)", main_of(visit, "wolf-mans-curse-middle-dark"))
    for _ in range(3):
        page.evaluate(BREATH)
    card.tap()
    server.wait_for(1)


def test_every_cell_of_the_last_row_takes_two_taps_on_the_same_spot(visit, shown):
    """What the first tap is told moves nothing: the second one lands on the same cell, whatever stands beside it."""
    match = gallery.played("high-handed", 6, 7)
    while not any(move.cell.endswith("8") for move in match.view(0).moves):
        match.go(match.ply + 1) if match.ply < match.length else match.go(0)
    shown.add("placing", table_page.table(gallery.table_of(match, Site("en", "dark"))))
    page, server = fake_server(visit, "placing", has_touch=True)
    cells = page.locator(".cell.open[data-cell$='8']")
    spots = [
        (cell.get_attribute("value"), cell.get_attribute("data-cell"), cell.bounding_box()) for cell in cells.all()
    ]
    assert len(spots) > 3
    lies = page.locator("#mine").bounding_box()
    for number, (value, name, box) in enumerate(spots, 1):
        x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        page.touchscreen.tap(x, y)
        assert name in page.locator("#why").inner_text()
        assert page.locator("#mine").bounding_box() == lies
        page.touchscreen.tap(x, y)
        server.wait_for(number)
        assert server.posts[-1][1]["move"] == [value]
    assert len(server.posts) == len(spots)


def test_a_refused_move_is_explained_aloud(visit):
    answer = {"status": 409, "content_type": "application/json", "body": '{"error": "The table has moved on."}'}
    page, _ = fake_server(visit, "wolf-mans-curse-middle-dark", answer=answer)
    page.locator(".hand .legal").first.click()
    page.wait_for_function("() => document.getElementById('why').textContent === 'The table has moved on.'")
    assert page.locator("#why").get_attribute("role") == "status"


def test_a_card_that_cant_be_played_says_why(visit):
    answer = {
        "status": 200,
        "content_type": "application/json",
        "body": '{"why": "First call or accept.", "rule": "CH-9"}',
    }
    page, server = fake_server(visit, "cursed-hand-late-dark", answer=answer)
    page.locator(".hand .idle").first.click()
    page.wait_for_function("() => document.getElementById('why').textContent === 'First call or accept.'")
    assert server.posts[0] == ("explain", {"card": [page.locator(".hand .idle").first.get_attribute("value")]})


def test_two_cards_are_chosen_together_and_named(visit):
    page, server = fake_server(visit, "black-hearts-early-dark")
    together, boxes = page.locator("#together"), page.locator(".pick input")
    assert together.is_disabled()
    for k, words in enumerate(("1 of 2", "Pass ", "Pass ")):
        boxes.nth(k).check()
        assert together.inner_text().startswith(words)
    assert page.locator(".pick input:checked").count() == 2
    together.click()
    server.wait_for(1)
    assert len(server.posts[0][1]["card"]) == 2


@pytest.mark.usual
def test_keys_go_from_card_to_card_and_play(visit):
    page, server = fake_server(visit, "wolf-mans-curse-middle-dark")
    cards = page.locator(".hand .legal")
    cards.first.focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowLeft")
    assert page.evaluate("document.activeElement.id") == cards.nth(1).get_attribute("id")
    page.keyboard.press("3")
    assert page.evaluate("document.activeElement.id") == cards.nth(2).get_attribute("id")
    page.keyboard.press("Enter")
    server.wait_for(1)
    assert server.posts[0][1]["move"] == [cards.nth(2).get_attribute("value")]


def test_a_card_then_its_cell_are_chosen_by_keys_that_skip_what_is_taken(visit, shown):
    match = gallery.played("high-handed", 2, 7)
    match.go(match.length // 2)
    while not (match.acting == (0,) and any(move.cell for move in match.view(0).moves)):
        match.go(match.ply + 1)
    placing, version = gallery.table_of(match, Site("en", "dark")), match.ply
    match.go(version - 1)
    shown.add("choosing", table_page.table(gallery.table_of(match, Site("en", "dark"))))
    page, server = muted(visit, "choosing")
    focused = "document.activeElement.dataset.cell ?? document.activeElement.closest('#held, #actions, .ask')?.id"
    page.locator("main").focus()
    page.keyboard.press("Tab")
    assert page.evaluate(focused) == "held"  # the hand comes first
    page.evaluate("data => opened[0].say('table', data)", table_page.table_main(placing))
    page.wait_for_selector(".cell.open")
    cells = {
        cell: k for k, cell in enumerate(page.locator(".cell").evaluate_all("all => all.map((e) => e.dataset.cell)"))
    }
    free = page.locator(".cell.open").evaluate_all("all => all.map((each) => each.dataset.cell)")
    page.wait_for_function(f"() => {focused} === '{free[0]}'")
    for key, there in (("ArrowRight", free[1]), ("ArrowLeft", free[0]), ("Tab", free[1])):
        page.keyboard.press(key)
        assert page.evaluate(focused) == there
    below = f".cell.open[data-cell^={free[1][0]}]:not([data-cell='{free[1]}'])"
    page.locator(below).evaluate_all("all => all.forEach((each) => each.classList.replace('open', 'taken'))")
    for _ in range(8):  # to the nearest of the next row, where a column has no other cell
        page.keyboard.press("ArrowDown")
        assert page.evaluate(focused) in free
    assert cells[page.evaluate(focused)] // 8 == cells[free[-1]] // 8
    last = page.evaluate(focused)
    page.keyboard.press("Enter")
    server.wait_for(1)
    assert server.posts[0][1]["move"] == [next(m.name for m in placing.view.moves if m.cell == last)]


def test_a_card_is_dragged_to_the_table(visit):
    page, server = fake_server(visit, "wolf-mans-curse-middle-dark", viewport={"width": 1440, "height": 900})
    card, felt = page.locator(".hand .legal").first.bounding_box(), page.locator("#felt").bounding_box()
    page.mouse.move(card["x"] + 20, card["y"] + 20)
    page.mouse.down()
    page.mouse.move(card["x"] + 60, card["y"] - 40, steps=4)
    page.mouse.move(felt["x"] + 60, felt["y"] + 60, steps=4)
    page.mouse.up()
    server.wait_for(1)
    assert [post[0] for post in server.posts] == ["move"]


@pytest.mark.usual
@pytest.mark.parametrize(
    ("end", "plays"), [("touchEnd", True), pytest.param("touchCancel", False, marks=pytest.mark.long)]
)
def test_a_finger_drags_a_card_to_the_table(visit, end, plays):
    page, server = fake_server(visit, "wolf-mans-curse-middle-dark", has_touch=True)
    wire = page.context.new_cdp_session(page)
    card, felt = page.locator(".hand .legal").first.bounding_box(), page.locator("#felt").bounding_box()
    spots = [(card["x"] + 20, card["y"] + 20), (card["x"] + 40, card["y"] - 30), (felt["x"] + 60, felt["y"] + 30)]
    for event, (x, y) in zip(("touchStart", "touchMove", "touchMove"), spots, strict=True):
        wire.send("Input.dispatchTouchEvent", {"type": event, "touchPoints": [{"x": x, "y": y}]})
    assert page.locator(".hand .legal").first.evaluate("node => node.style.transform").startswith("translate(")
    wire.send("Input.dispatchTouchEvent", {"type": end, "touchPoints": []})
    server.wait_for(plays)
    assert [post[0] for post in server.posts] == (["move"] if plays else [])
    assert page.locator(".hand .legal").first.get_attribute("style") is None
    assert page.evaluate("scrollY") == 0


def test_a_card_that_is_dropped_back_is_not_played(visit):
    page, server = fake_server(visit, "wolf-mans-curse-middle-dark", viewport={"width": 1440, "height": 900})
    card = page.locator(".hand .legal").first.bounding_box()
    page.mouse.move(card["x"] + 20, card["y"] + 20)
    page.mouse.down()
    page.mouse.move(card["x"] + 60, card["y"] + 30, steps=4)
    page.mouse.up()
    server.hear_all()
    assert server.posts == []


# --- hints and the coach ----------------------------------------------------------------------------------------------
HINT = {"status": 200, "content_type": "application/json", "body": '{"hint": "<ol><li>Play this</li></ol>"}'}


def test_h_asks_for_a_hint_and_again_puts_it_away(visit):
    page, server = fake_server(visit, "coached-light", answer=HINT)
    page.keyboard.press("h")
    page.wait_for_selector("#hint li")
    assert server.posts[0][0] == "hint" and server.headers[0]["hexdeck"] == "1"
    page.keyboard.press("h")
    assert page.locator("#hint").inner_text() == "" and len(server.posts) == 1


def test_a_letter_that_is_typed_asks_for_nothing(visit):
    page, server = fake_server(visit, "coached-light", answer=HINT)
    page.locator("#beside > summary").click()
    page.locator("#people summary").first.click()
    page.locator("#people #name").press("h")
    server.hear_all()
    assert server.posts == []


def test_a_hint_stays_while_the_question_does_and_goes_with_it(visit):
    same, other = (newer(main_of(visit, "coached-light"), version) for version in (9998, 9999))
    other = other.replace('id="prompt" role="status">', 'id="prompt" role="status">Something else. ')
    for frame, kept in ((same, 1), (other, 0)):
        page, server = fake_server(visit, "coached-light", answer=HINT)
        page.locator("#get-hint").click()
        page.wait_for_selector("#hint li")
        server.frames.append(frame)
        page.evaluate("dispatchEvent(new Event('online'))")
        version = "9998" if kept else "9999"
        page.wait_for_selector(f'#table[data-version="{version}"]')
        assert page.locator("#hint li").count() == kept


def test_a_lesson_is_closed_by_keys_and_stays_closed(visit):
    page, server = fake_server(visit, "coached-light")
    page.locator("details.coach summary").focus()
    page.keyboard.press("Enter")
    server.frames.append(newer(main_of(visit, "coached-light")))
    page.evaluate("dispatchEvent(new Event('online'))")
    page.wait_for_selector('#table[data-version="9999"]')
    assert page.locator("details.coach").get_attribute("open") is None


def test_the_coach_is_silenced_by_keys(visit):
    page, server = fake_server(visit, "coached-light")
    page.locator("details.coach button").focus()
    page.keyboard.press("Enter")
    server.wait_for(1)
    assert server.posts == [("coach", {"on": ["no"]})]
