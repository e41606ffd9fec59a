"""Real tables in a real browser: whole games, and everything that can happen to a seat."""

import contextlib
import random
import re
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import TimeoutError as TooLate

import hexdeck
from tests.settings import data, every_game
from tests.support import Progress, until
from tests.web.proxy import proxied
from tests.web.serving import BACKEND, Served, file_in, served

PICTURES = Path(__file__).parents[2] / "build" / "pictures"  # what a run leaves to look at
PHONE = {"viewport": {"width": 360, "height": 640}}
SOON = 5_000  # milliseconds
NEWER = "version => { const now = document.getElementById('table')?.dataset.version; return now && now !== version }"


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HEXDECK_BACKEND", BACKEND)
        with served(file_in(Path(tmp_path_factory.mktemp("site")))) as server:
            yield server


@pytest.fixture
def someone(browser: Any, site: Served) -> Iterator[Any]:
    """Makes people: a browser of their own each, whose errors fail the test. Nothing moves unless they want it to."""
    contexts, wrong = [], []

    def made(**how: Any) -> Any:
        context = browser.new_context(base_url=site.base, **{"reduced_motion": "reduce"} | how)
        contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: wrong.append(str(error)))
        page.on("console", lambda line: wrong.append(line.text) if line.type in {"error", "warning"} else None)
        return page

    yield made
    for context in contexts:
        context.close()
    assert [line for line in wrong if "ERR_" not in line and "status of 4" not in line] == []


def set_table(page: Any, game: str, seats: list[str], players: int | None = None, **options: Any) -> str:
    """Create a table by its form, with small options and these; returns its address."""
    players = players or hexdeck.game(game).players
    page.goto(f"/new/{game}?players={players}")
    page.fill("#name", "Anna")
    for number, seat in enumerate([*seats, *["bot:gentle"] * players][: players - 1], 1):
        page.select_option(f"#seat-{number}", seat)
    page.locator("details.options, details.options details").evaluate_all(
        "all => all.forEach((each) => { each.open = true })"
    )
    for name, value in (data(game).get("small", {}) | options).items():
        field = page.locator(f"#option-{name}")
        wanted = {True: "on", False: "off"}.get(value, value) if isinstance(value, bool) else value
        wanted = "-".join(map(str, wanted)) if isinstance(wanted, (list, tuple)) else str(wanted)
        (field.select_option if field.evaluate("node => node.tagName") == "SELECT" else field.fill)(wanted)
    page.get_by_role("button", name=re.compile("Set up the table|Tafel maken")).click()
    page.wait_for_url("**/table/*")
    return str(page.url)


def invite(page: Any, number: int = 0) -> str:
    page.goto(f"{page.url}/invite")
    link: str = page.locator(".invites input").nth(number).input_value()
    page.get_by_role("link", name="To the table").click()
    return link


def join(page: Any, link: str, name: str) -> None:
    page.goto(link)
    page.fill("#name", name)
    page.get_by_role("button", name="Take this seat").click()
    page.wait_for_url("**/table/*")


def version(page: Any) -> str:
    return str(page.locator("#table").get_attribute("data-version"))


def ply(page: Any) -> int:
    return int(page.locator("#table").get_attribute("data-ply"))


def over(page: Any) -> bool:
    return bool(page.locator("#result").count())


def why(page: Any) -> None:
    """Open what the band at the end has one press further; it comes when the felt was in sight for a while."""
    page.locator("#because > summary").click()


def moves(page: Any, dice: random.Random, wait: bool = True) -> bool:
    """A move, if the page offers any: whatever can be clicked. What vanishes meanwhile is tried again by the caller."""
    before, boxes = version(page), page.locator(".pick input")
    offered = page.locator(".hand .legal[name=move], .cell.open, .moves button[name=move]")
    count = offered.count()
    if not count and boxes.count() < 2:
        return False
    with contextlib.suppress(TooLate):
        if boxes.count() and not (count and dice.random() < 0.5):
            for k in dice.sample(range(boxes.count()), 2):
                boxes.nth(k).click(timeout=SOON)
            page.locator("#together").click(timeout=SOON)
        else:
            offered.nth(dice.randrange(count)).click(timeout=SOON)
        if wait:
            page.wait_for_function(NEWER, arg=before, timeout=SOON)
    return True


def play(people: list[Any], dice: random.Random) -> None:
    progress = Progress()
    while not all(over(page) for page in people):
        progress.at([version(page) for page in people])
        moved = [moves(page, dice) for page in people if not over(page)]
        if not any(moved):
            people[0].wait_for_timeout(20)


@every_game
def test_two_people_and_bots_play_a_whole_game(name, someone):
    anna, bob = someone(reduced_motion="no-preference"), someone(reduced_motion="no-preference", **PHONE)
    set_table(anna, name, ["open"])
    assert anna.locator(".waiting").count()
    join(bob, invite(anna), "Bob")
    anna.wait_for_selector("#prompt")
    for page in (anna, bob):
        page.screenshot(path=PICTURES / f"{name}-dealt-{page.viewport_size['width']}.png")
    play([anna, bob], random.Random(name))
    for page in (anna, bob):
        why(page)
        fates = page.locator(".fates li")
        assert fates.count() == hexdeck.game(name).players
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        page.screenshot(path=PICTURES / f"{name}-over-{page.viewport_size['width']}.png")
    assert "Bob" in anna.locator("#fates").inner_text()


KEEP_TURNS = """
document.addEventListener("turn", ({ detail }) => { (window.turns ??= []).push(detail.isTurn); });
document.addEventListener("settled", () => setTimeout(() => {
  const mine = "turn" in document.getElementById("table").dataset, said = document.title.startsWith("Your turn");
  (window.titles ??= []).push(mine === said);
}));
"""


def test_a_page_says_whose_turn_it_is_through_a_whole_game(someone):
    """By what the stream sends, which is only what has changed."""
    anna, bob = someone(), someone()
    for page in (anna, bob):
        page.add_init_script(KEEP_TURNS)
    set_table(anna, "blackstone", ["open"], 2)
    join(bob, invite(anna), "Bob")
    anna.wait_for_selector("#prompt")
    play([anna, bob], random.Random(2))
    for page in (anna, bob):
        turns, titles = page.evaluate("[window.turns, window.titles]")
        assert len(turns) > 2 and all(now != before for before, now in pairwise(turns)) and not turns[-1]
        assert all(titles)


def test_a_game_below_a_path_behind_tls(browser, tmp_path, monkeypatch):
    monkeypatch.setenv("HEXDECK_BACKEND", BACKEND)
    with served(file_in(tmp_path), prefix="/at/home") as site, proxied(site.port, prefix="/at/home") as proxy:
        context = browser.new_context(base_url=f"{proxy.base}/at/home/", ignore_https_errors=True)
        page, wrong = context.new_page(), list[str]()
        page.on("pageerror", lambda error: wrong.append(str(error)))
        page.goto("./")
        page.locator("#play-hawthorn").click()
        page.wait_for_selector("#prompt")
        assert page.url.startswith(f"{proxy.base}/at/home/table/")
        dice, before = random.Random(3), version(page)
        while int(version(page)) < int(before) + 10_000 and not over(page):
            if not moves(page, dice):
                page.wait_for_timeout(20)
        assert wrong == []
        context.close()


def test_a_page_goes_on_by_itself_when_the_server_stops_and_starts_again(browser, tmp_path, monkeypatch):
    monkeypatch.setenv("HEXDECK_BACKEND", BACKEND)
    first = Served(file_in(tmp_path))
    context = browser.new_context(base_url=first.base)
    anna = context.new_page()
    anna.goto("/")
    anna.locator("#play-hawthorn").click()
    anna.wait_for_selector("#prompt")
    anna.wait_for_selector(".hand .legal, .pick, .moves button, .cell.open")
    hand, before = anna.locator(".hand").inner_text(), version(anna)
    first.stop()
    anna.wait_for_function("() => document.getElementById('why').textContent !== ''")
    second = Served(file_in(tmp_path), port=first.port)
    try:
        assert second.port == first.port
        anna.wait_for_function("() => document.getElementById('why').textContent === ''")
        assert anna.locator(".hand").inner_text() == hand
        assert int(version(anna)) >= int(before)  # the others may have chosen meanwhile
        before, dice, progress = version(anna), random.Random(6), Progress()
        while version(anna) == before:
            progress.at(before)
            if not moves(anna, dice):
                anna.wait_for_timeout(20)
    finally:
        context.close()
        second.stop()


def test_who_watches_sees_the_table_and_no_hand(someone):
    anna, guest = someone(), someone()
    guest.goto(set_table(anna, "hawthorn", [], 3))
    assert guest.locator(".plate").count() == 3
    assert guest.locator(".plate.me, .legal, .hand").count() == 0
    before, dice, progress = version(guest), random.Random(3), Progress()
    while version(guest) == before:
        progress.at(version(anna))
        if not moves(anna, dice):
            anna.wait_for_timeout(20)


def test_looking_back_ply_by_ply_and_from_any_seat(someone):
    anna = someone()
    set_table(anna, "cursed-hand", [], 2)
    play([anna], random.Random(4))
    anna.get_by_role("link", name="Watch replay").click()
    anna.wait_for_url("**/replay/*")
    anna.locator("#step-first").click()
    anna.wait_for_function("() => location.hash === '#' + document.getElementById('table')?.dataset.ply")
    dealt = ply(anna)
    assert dealt > 4  # the cards are dealt: chance is passed over
    assert "You" not in anna.locator("#told").inner_text()
    anna.locator("#step-after").click()
    anna.wait_for_function(f"() => location.hash === '#{dealt + 1}'")
    anna.select_option("#seat", "1")
    anna.wait_for_function("() => location.search === '?seat=1'")
    other = someone()
    other.goto(anna.url)
    other.wait_for_function(f"() => document.getElementById('table')?.dataset.ply === '{dealt + 1}'")
    assert other.locator("#seat").input_value() == "1"
    link = anna.locator("#link").input_value()
    assert link.startswith(anna.url.partition("/replay")[0]) and link.endswith(f"?seat=1#{dealt + 1}")
    # the address follows the page, and the page the address; what is too much is put right
    anna.evaluate("location.hash = '#9999'")
    anna.wait_for_function("() => location.hash === '#' + document.getElementById('table')?.dataset.ply")
    assert ply(anna) > dealt
    end = ply(anna)
    # another language, the same moment
    anna.locator("#settings summary").click()
    anna.get_by_label("Nederlands").check()
    anna.get_by_role("button", name="Save").click()
    anna.wait_for_selector("html[lang=nl]")
    assert (ply(anna), anna.locator("#seat").input_value()) == (end, "1")
    for name in ("Naar de tafel", "Regels"):
        assert anna.get_by_role("link", name=name).count()


def test_words_for_a_rematch_are_kept_by_enter_and_what_is_typed_is_not_lost_when_others_add_theirs(someone, site):
    anna, ben = someone(), someone()
    address = set_table(anna, "cursed-hand", ["open"], 2, losses=1)
    ben.goto(invite(anna))
    ben.get_by_role("button", name="Take this seat").click()
    ben.wait_for_url("**/table/*")
    play([anna, ben], random.Random(5))
    for page in (anna, ben):
        why(page)
        page.locator(".result .adding summary").click()
    anna.fill("#contribution", "half a sen")
    ben.fill("#contribution", "rain")
    ben.press("#contribution", "Enter")
    anna.wait_for_selector("#added")
    assert anna.input_value("#contribution") == "half a sen" and "rain" not in anna.content()
    assert anna.locator(".result .adding").evaluate("node => node.open") and anna.url == address
    anna.get_by_role("button", name="Rematch").click()
    anna.wait_for_url(lambda url: url != address)
    table = site.state.registry.tables[anna.url.rpartition("/")[2]]
    ben.locator("#to-rematch").click()
    for page in (anna, ben):
        page.wait_for_selector("#prompt")
    assert sorted(seat.contribution for seat in table.seats) == ["half a sen", "rain"]


def test_play_now_pressed_twice_is_one_table_and_the_page_that_is_come_back_to_has_a_promise_of_its_own(someone, site):
    anna, before = someone(), len(site.state.registry.tables)
    anna.goto("/")
    shown = anna.locator(".adding code").inner_text
    anna.locator(".adding summary").click()
    first = shown()
    anna.fill("#contribution", "sun")
    anna.press("#contribution", "Enter")  # begins no game: which one?
    anna.dblclick("#play-hawthorn")
    anna.wait_for_url("**/table/*")
    table = site.state.registry.tables[anna.url.rpartition("/")[2]]
    assert (table.commitment, table.seats[0].contribution) == (first, "sun")
    anna.wait_for_selector("#prompt")
    assert len(site.state.registry.tables) == before + 1
    anna.go_back()
    anna.wait_for_function(f"() => document.querySelector('.adding code')?.textContent.trim() != '{first}'")
    anna.locator("#play-hawthorn").click()
    anna.wait_for_url("**/table/*")


def test_the_first_page_sends_less_than_60_kilobytes_and_a_table_less_than_90(someone):
    """Everything that goes over the wire for it but type, headers included, in a browser that has nothing yet."""
    first, table = someone(), someone()
    address = set_table(first, "wolf-mans-curse", [])
    for page, path, most in ((someone(), "/", 60_000), (table, address, 90_000)):
        begun, sent = {}, {}
        wire = page.context.new_cdp_session(page)
        wire.send("Network.enable")
        wire.on(
            "Network.requestWillBeSent",
            lambda each, begun=begun: begun.update(
                {each["requestId"]: each["request"]["url"]} if each["type"] != "EventSource" else {}
            ),
        )
        wire.on(
            "Network.loadingFinished",
            lambda each, sent=sent: sent.update({each["requestId"]: each["encodedDataLength"]}),
        )
        page.goto(path)
        page.wait_for_function("() => performance.getEntriesByType('resource').length > 5")
        until(lambda page=page, begun=begun, sent=sent: page.wait_for_timeout(1) or begun.keys() <= sent.keys())
        assert len(sent) >= 3
        assert most / 3 < sum(sent[request] for request, url in begun.items() if not url.endswith(".woff2")) < most


def test_dutch_and_night_are_kept(someone):
    anna = someone()
    anna.goto("/")
    anna.locator("#settings summary").click()
    anna.get_by_label("Nederlands").check()
    anna.get_by_label("Dark").check()
    anna.get_by_role("button", name="Save").click()
    assert anna.locator("html").get_attribute("lang") == "nl"
    assert anna.locator("html").get_attribute("data-theme") == "dark"
    anna.goto("/rules/hawthorn")
    assert anna.locator("html").get_attribute("lang") == "nl"


# --- a first game -----------------------------------------------------------------------------------------------------
def test_a_newcomer_learns_a_game_from_the_screen_alone_and_sees_how_it_went(someone, site):
    ann = someone(**PHONE)
    ann.goto("/")
    ann.locator("#learn-hawthorn").click()
    ann.wait_for_url("**/table/*")
    assert "The last one in wins the pot." in ann.locator(".coach").inner_text()
    ann.keyboard.press("h")
    ann.wait_for_selector("#hint li")
    assert "The best moves, judging only by what you know:" in ann.locator("#hint").inner_text()
    assert ann.evaluate("document.documentElement.scrollWidth <= innerWidth")
    ann.screenshot(path=PICTURES / "coached-360.png")
    play([ann], random.Random(1))
    why(ann)
    assert "fewer than at the start." in ann.locator("#scored").inner_text()
    ann.get_by_role("link", name="Analysis").click()
    ann.wait_for_selector('#analysis[data-done="1"]')
    assert "judged by what could be known at the time" in ann.locator("#analysis").inner_text()
    ann.screenshot(path=PICTURES / "analysis-360.png")
