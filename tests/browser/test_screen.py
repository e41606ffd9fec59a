"""The television as the table and phones as hands, in a real browser: five contexts, one match."""

import contextlib
import re
from dataclasses import replace
from typing import Any

import gallery
import pytest
from playwright.sync_api import TimeoutError as TookTooLong

from hexdeck.engine.discovery.definition import definition
from hexdeck.engine.discovery.finding import game_names
from hexdeck.web.html import table_page
from hexdeck.web.html.rendering import Site
from hexdeck.web.routes.presenters import qr_code
from tests.browser.fake_server import stop_clock
from tests.browser.test_live import site, someone, version  # noqa: F401 - fixtures
from tests.support import until
from tests.web.serving import Served

TELEVISION = {"viewport": {"width": 1920, "height": 1080}}
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True}
NAMES = ("Ann", "Ben", "Cleo", "Dora")
OUTSIDE = """() => [...document.querySelectorAll(".who b, .counted b, .middle .card, .cell, #prompt, .corner")]
  .map((node) => [node.id || node.className || node.textContent, node.getBoundingClientRect()])
  .filter(([, { width, top, left, right, bottom }]) =>
    width && (top < -1 || left < -1 || right > innerWidth + 1 || bottom > innerHeight + 1))
  .map(([name]) => name)"""
COVERED = """() => { const corner = document.getElementById("corner").getBoundingClientRect();
  return [...document.querySelectorAll(".card, .cell, .who b, #prompt, .counted b")].filter((node) => {
    const { width, left, right, top, bottom } = node.getBoundingClientRect();
    return width && right > corner.left && left < corner.right && bottom > corner.top && top < corner.bottom;
  }).length; }"""


def begun(tv: Any, game: str) -> str:
    """A new table, shown by a television; returns the code that it shows."""
    tv.goto("/tv")
    tv.get_by_role("link", name=game).click()
    tv.get_by_role("button", name="Set up the table").click()
    tv.wait_for_url("**/tv")
    return str(tv.locator("#join-code").inner_text())


def follow(phone: Any, address: str, name: str) -> None:
    phone.goto(address)
    phone.fill("#name", name)
    phone.get_by_role("button", name="Take this seat").click()


def tapped(phone: Any) -> bool:
    """Tap the first card that can be played; False, since that may not be all."""
    with contextlib.suppress(TookTooLong):  # it may be gone by now
        phone.locator(".hand .legal").first.tap(timeout=1000)
    return False


def test_four_phones_that_scan_the_code_of_a_television_become_hands(
    someone: Any,  # noqa: F811
    site: Served,  # noqa: F811
) -> None:
    tv, phones = someone(**TELEVISION), [someone(**PHONE) for _ in NAMES]
    code = begun(tv, "Cursed Hand")
    address = f"{site.base}/j/{code}"
    drawn = re.search(r' d="([^"]+)"', qr_code(address).rpartition("<path")[2])
    assert drawn and tv.locator(".come .qr path").last.get_attribute("d") == drawn[1]
    for phone, name in zip(phones, NAMES, strict=True):
        follow(phone, address, name)
    for phone in phones:
        phone.locator(".hand .card").first.wait_for()
    tv.locator("#felt").wait_for()
    assert tv.locator(".hand, form, button, select, input").count() == 0 and not tv.locator("#corner").is_visible()
    assert [*map(str.strip, tv.locator(".who b").all_inner_texts())] == list(NAMES)
    for phone in phones:
        assert not phone.locator("#felt").is_visible()
    phones[0].locator("#whole-table summary").tap()
    assert phones[0].locator("#felt").is_visible()
    phones[0].locator(".hand .legal").first.wait_for()
    before = version(tv)
    until(lambda: version(tv) != before or tapped(phones[0]))  # a tap that meets a beat only skips that
    until(lambda: version(phones[1]) == version(tv))
    assert phones[0].locator("#felt").is_visible()


@pytest.mark.usual
def test_a_television_that_lost_its_network_shows_what_happened_meanwhile(
    someone: Any,  # noqa: F811
    site: Served,  # noqa: F811
) -> None:
    tv, ann, ben = someone(**TELEVISION), someone(**PHONE), someone(**PHONE)
    tv.goto("/new/hawthorn?players=2&screen=this")
    tv.get_by_role("button", name="Set up the table").click()
    tv.wait_for_url("**/tv")
    code = tv.locator("#join-code").inner_text()
    streams, table = site.state.streams, tv.url.split("/")[-2]
    until(lambda: table in streams.by_table and list(streams.by_table[table].screens))  # its script has begun to listen
    tv.context.set_offline(True)
    site.state.registry.loop.call_soon_threadsafe(lambda: [each.end() for each in streams.by_table[table].screens])
    tv.get_by_text("Connection lost").wait_for()
    for phone, name in ((ann, "Ann"), (ben, "Ben")):
        follow(phone, f"/j/{code}", name)
        phone.wait_for_url("**/table/*")
    ann.locator(".hand .card").first.wait_for()
    assert tv.locator("#felt").count() == 0
    tv.context.set_offline(False)
    tv.locator("#felt").wait_for()
    until(lambda: version(tv) == version(ann))
    before = version(tv)
    until(lambda: version(tv) != before or tapped(ann) or tapped(ben))
    until(lambda: version(tv) == version(ann) == version(ben))


def test_a_code_is_typed_on_the_first_page_and_a_link_is_shared_or_copied_with_one_tap(
    someone: Any,  # noqa: F811
) -> None:
    ann, ben = someone(**PHONE), someone(**PHONE)
    ann.add_init_script("navigator.share = (what) => { window.shared = what; return Promise.resolve(); }")
    ann.goto("/new/hawthorn?players=2")
    ann.fill("#name", "Ann")
    ann.select_option("#seat-1", "open")
    ann.get_by_role("button", name="Set up the table").click()
    ann.locator("#share").tap()
    shared = ann.wait_for_function("() => window.shared").json_value()
    code = ann.locator("#join-code").inner_text()
    assert shared["url"].endswith(f"/j/{code}") and code in shared["text"] and "Ann" in shared["text"]
    ben.goto("/")
    ben.fill("#code", code.lower())
    ben.get_by_role("button", name="Join", exact=True).tap()
    ben.fill("#name", "Ben")
    ben.get_by_role("button", name="Take this seat").tap()
    ben.locator(".hand .card").first.wait_for()
    ben.goto("/new/hawthorn")
    assert ben.input_value("#name") == "Ben"


@pytest.mark.parametrize("size", [(1920, 1080), (1280, 720), (3840, 2160), (960, 540), (390, 844), (768, 1024)])
def test_on_a_television_all_fits_and_names_can_be_read_from_afar(visit, shown, size) -> None:
    wide, high = size
    page = visit(shown.names[0], viewport={"width": wide, "height": high}, java_script_enabled=False)
    for game in game_names():
        for players in sorted({definition(game).rules.PLAYERS[0], min(6, definition(game).rules.PLAYERS[1])}):
            match = gallery.played(game, players, 7)
            gallery.turn(match, gallery.PLIES["middle"])
            name = shown.add(f"tv-{game}-{players}", table_page.television(gallery.on_screen(match, Site("en"))))
            page.goto(f"{shown.address}/{name}.html")
            assert page.evaluate(OUTSIDE) == [], (game, players)
            assert page.evaluate(COVERED) == 0, (game, players)
            smallest = page.locator(".who b").evaluate_all(
                "all => Math.min(...all.map((each) => parseFloat(getComputedStyle(each).fontSize)))"
            )
            assert smallest >= (0.03 * high if wide > high else 13), (game, players)


NOTED = """() => { const note = document.getElementById("sounding"); note.hidden = false;
  const over = note.getBoundingClientRect();
  return [...document.querySelectorAll("html, h1, .poster, .come, .comers b, .prompt")].filter((node) => {
    const { width, left, right, top, bottom } = node.getBoundingClientRect();
    const met = node !== document.documentElement && left < over.right && right > over.left && top < over.bottom;
    return width && (met || bottom > innerHeight + 1 || right > innerWidth + 1 || node.scrollHeight > innerHeight);
  }).map((node) => node.className || node.tagName); }"""


@pytest.mark.parametrize("size", [(1920, 1080), (1280, 720), (3840, 2160), (960, 540), (390, 844), (768, 1024)])
def test_a_television_that_waits_shows_who_has_come_and_the_code_with_nothing_over_them(visit, size) -> None:
    page = visit("waiting-tv-dark", viewport={"width": size[0], "height": size[1]}, java_script_enabled=False)
    assert page.evaluate(NOTED) == []


SEEN = """() => [...document.querySelectorAll(".hand .card")].map((node) => node.getBoundingClientRect())
  .map(({ left, width }, k, all) => (k + 1 < all.length ? all[k + 1].left - left : width) / width)"""


@pytest.mark.parametrize("size", [(390, 844), (844, 390)])
def test_a_phone_as_a_hand_shows_each_card_and_of_the_table_only_a_board(visit, shown, size) -> None:
    page = visit(shown.names[0], viewport={"width": size[0], "height": size[1]}, java_script_enabled=False)
    for game in game_names():
        page.goto(f"{shown.address}/{game}-hand-dark.html")
        seen = page.evaluate(SEEN)
        assert all(part > 0.5 for part in seen), (game, seen)
        assert (
            page.locator("#seats").is_hidden()
            and page.locator(".board").count() == page.locator(".board:visible").count()
        )
        assert page.locator("#prompt").is_visible()
        page.locator("#whole-table summary").click()
        assert page.locator("#seats .who").first.is_visible(), game


def test_a_television_leaves_the_end_in_sight_for_a_while_though_one_player_has_asked_for_a_rematch(visit, shown):
    ended = gallery.on_screen(gallery.played("cursed-hand", 3, 7), Site("en"))
    assert ended.over
    gone = tuple(replace(line, here=False) for line in ended.seats)
    asked = replace(ended, over=replace(ended.over, rematch="next", rematch_by=1))
    for name, page in (("read", asked), ("left", replace(asked, seats=gone))):
        shown.add(f"tv-{name}", table_page.television(page).replace('"/table/next/tv"', '"#next"'))
    tv = visit("tv-read", stop_clock, viewport={"width": 1920, "height": 1080})
    tv.clock.run_for(9000)
    assert tv.locator(".asked b").inner_text() == gallery.NAMES[1] and tv.evaluate("location.hash") == ""
    tv.clock.run_for(1500)
    assert tv.evaluate("location.hash") == "#next"
    tv.goto(f"{shown.address}/tv-left.html")
    assert tv.evaluate("location.hash") == "#next"


HIT = """() => [...document.querySelectorAll(".hand .card")].map((node) => {
  const { x, y, width, height } = node.getBoundingClientRect();
  return node.contains(document.elementFromPoint(x + width / 2, y + height / 2)); })"""


def test_on_a_phone_as_a_hand_the_middle_of_each_of_seven_cards_is_its_own(visit, shown):
    match = gallery.played("cursed-hand", 2, 7)
    match.go(14)
    name = shown.add("seven-cards", table_page.table(replace(gallery.table_of(match, Site("en")), hand=True)))
    assert visit(name).evaluate(HIT) == [True] * 7
