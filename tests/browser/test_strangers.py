"""Strangers' browsers and networks: missing functions, streams that are held back, many windows, an upgrade."""

import random
import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest

import hexdeck
from hexdeck.web.html import rendering
from tests.browser.conftest import Shown, visiting
from tests.browser.fake_server import FakeServer, fake_server, main_of, newer
from tests.browser.test_live import play, set_table, site, someone  # noqa: F401 - fixtures
from tests.browser.test_stream import muted, stop_clock
from tests.settings import every_game, soonest

GONE = {  # what one of the supported browsers lacks, or refuses, or does only under TLS; and how it is taken away
    "AbortSignal.timeout": "delete AbortSignal.timeout",
    "Array.at": "delete Array.prototype.at",
    "AudioContext": "delete window.AudioContext",
    "BroadcastChannel": "delete window.BroadcastChannel",
    "FormData's submitter": "window.FormData = class extends FormData { constructor(form) { super(form); } }",
    "Notification": "delete window.Notification",
    "PushManager": "delete window.PushManager",
    ":has()": """const NAMES = ["querySelector", "querySelectorAll", "matches"];
    for (const kind of [Document, Element]) for (const name of NAMES) {
      const real = kind.prototype[name];
      const checked = function (text) {
        if (text.includes(":has(")) throw new SyntaxError(text);
        return real.call(this, text);
      };
      if (real) kind.prototype[name] = checked;
    }""",
    "aria attributes as properties": "delete Element.prototype.ariaHidden; delete Element.prototype.ariaPressed",
    "clipboard": "delete Navigator.prototype.clipboard",
    "getNotifications": "delete window.ServiceWorkerRegistration?.prototype.getNotifications",
    "history.state": "Object.defineProperty(history, 'state', { get: () => undefined })",
    "localStorage": "Object.defineProperty(window, 'localStorage', { get: () => { throw new DOMException('no'); } })",
    "navigationPreload": "delete window.NavigationPreloadManager",
    "requestSubmit": "delete HTMLFormElement.prototype.requestSubmit",
    "serviceWorker": "delete Navigator.prototype.serviceWorker",
    "share": "delete Navigator.prototype.share",
    "structuredClone": "delete window.structuredClone",
    "submitter": "delete SubmitEvent.prototype.submitter",
    "wakeLock": "delete Navigator.prototype.wakeLock",
}
ALL = ";\n".join(script for name, script in GONE.items() if name != "submitter")
KINDS = {  # of moves: the page, and what is pressed on it, one after the other
    "a card": ("wolf-mans-curse-middle-dark", [".hand .legal"]),
    "cards together": ("black-hearts-early-dark", [".pick input >> nth=0", ".pick input >> nth=1", "#together"]),
    "a cell": ("high-handed-middle-dark", [".hand .legal, .cell.open"]),
    "a button": ("cursed-hand-late-dark", [".moves button[name=move]"]),
}
PAGES = ("start", "new", "join", "code", "invite", "rules", "problem", "today", "day", "day-going", "me", "waiting")
SCRIPTED = ("cursed-hand-example", "hawthorn-over", "hawthorn-replay", "hawthorn-tv", "analysing", "coached", "curtain")


def plays(visit: Callable[..., Any], script: str, kind: str) -> None:
    """A move of a kind reaches the server without an error, by the script or by the plain form."""
    name, presses = KINDS[kind]
    wrong: list[str] = []
    page, server = fake_server(visiting(visit, scripts=[script], wrong=wrong), name)
    wanted = [page.locator(press).first.get_attribute("value") for press in presses]
    for press in presses:
        page.locator(press).first.click()
    server.wait_for(1)
    [(action, fields)] = server.posts
    assert action == "move" and wrong == []
    assert fields.get("move", fields.get("card")) == [value for value in wanted if value]


@pytest.mark.usual
@pytest.mark.parametrize("kind", ["a card", pytest.param("cards together", marks=pytest.mark.long)])
def test_a_browser_without_any_newer_function_plays(visit, kind):
    plays(visit, ALL, kind)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", GONE)
def test_every_kind_of_move_is_made_without_a_newer_function(visit, name, kind):
    plays(visit, GONE[name], kind)


@pytest.mark.parametrize("name", GONE)
def test_every_kind_of_page_works_without_a_newer_function(visit, name):
    wrong: list[str] = []
    for page_name in (*PAGES, *SCRIPTED):
        page = visit(f"{page_name}-dark", before=FakeServer, scripts=[GONE[name]], wrong=wrong)
        page.wait_for_load_state("load")
        page.evaluate("() => fetch('/last').then(() => null)")
        assert wrong == [], page_name
        page.close()


# --- scripts that don't come ------------------------------------------------------------------------------------------
NEWEST = "() => document.getElementById('table').dataset.version === '9999'"
LOADED = ("app", "connection", "ears", "ending", "hint", "idiomorph", "moments", "table", "trouble", "turn", "words")


@pytest.mark.usual
def test_without_its_morph_a_table_moves_on_keeps_what_is_typed_and_tries_again(visit):
    morph = re.compile(r"/idiomorph\.\w+\.js")

    def before(page: Any) -> None:
        page.add_init_script(MUTE_HERE)
        page.route(morph, lambda route: route.abort())
        FakeServer(page)

    page, table = visit("talking-dark", before=before), main_of(visit, "talking-dark")
    page.wait_for_function("() => opened.length")
    page.evaluate("() => { document.getElementById('words').value = 'Well pl'; }")
    for version in (9998, 9999):
        plate = page.locator(".plate").first.element_handle()
        page.evaluate("html => opened[0].say('table', html)", newer(table, version))
        page.wait_for_function(NEWEST.replace("9999", str(version)))
        assert plate.evaluate("node => node.isConnected") == (version == 9999)
        assert page.evaluate("document.getElementById('words').value") == "Well pl"
        page.unroute(morph)


@pytest.mark.usual
def test_without_its_morph_the_workshop_shows_its_figures(visit, shown):
    html = """<!doctype html><div id="live" data-stream="/figures"></div><p id="why"></p><div id="figures"></div>
    <script type="module" src="/%s"></script>"""
    name = shown.add("figures-alone", html % rendering.address("figures.js"))

    def before(page: Any) -> None:
        page.add_init_script(MUTE_HERE)
        page.route(re.compile(r"/idiomorph\.\w+\.js"), lambda route: route.abort())

    page = visit(name, before=before)
    page.wait_for_function("() => opened.length")
    for figures in ("a tenth", "a fifth"):
        page.evaluate("text => opened[opened.length - 1].say('figures', text)", figures)
        page.wait_for_function("text => document.getElementById('figures').textContent === text", arg=figures)


@pytest.mark.parametrize(
    "script", [pytest.param(name, marks=pytest.mark.usual if name == "connection" else ()) for name in LOADED]
)
def test_a_move_is_made_and_seen_where_a_script_doesnt_load(visit, script):
    name, servers = "wolf-mans-curse-middle-dark", []
    late = newer((visit.folder / f"{name}.html").read_text(encoding="utf-8"))

    def before(page: Any) -> None:
        stop_clock(page)
        page.route(re.compile(rf"/{script}\.\w+\.js"), lambda route: route.abort())
        servers.append(FakeServer(page, answer={"body": late, "content_type": "text/html"} if plain else None))

    plain = script in ("connection", "table")  # then the form does it, and its answer is the page
    page = visit(name, before=before)
    page.wait_for_load_state("load")
    if script != "trouble":
        assert page.locator(".trouble").count() == (script != "idiomorph")
    page.route(re.compile("middle-dark.html$"), lambda route: route.fulfill(body=late, content_type="text/html"))
    page.locator(".hand .legal").first.click()
    servers[0].wait_for(1)
    if not plain:
        page.clock.run_for(2_500)
    page.wait_for_function(NEWEST)


# --- older styles -----------------------------------------------------------------------------------------------------
LATER = re.compile(  # what style sheets say that Chrome 90 or Safari 15 doesn't know
    r"(?i)(?<=@)container|(?<=:)has\(|(?<=\d)(?:cqw|cqh|dvh)\b|color-mix|subgrid|clip(?=;)|container(?=-type|: )"
    r"|(?<![-\w])(?:translate|rotate|scale)(?=: )"
)
SMALL_PHONE, UPRIGHT, DESK = ({"width": w, "height": h} for w, h in ((320, 568), (390, 844), (1280, 800)))
APART = """() => {
  const range = document.createRange(), felt = document.getElementById("stage") ?? document.querySelector(".board");
  range.selectNodeContents(document.getElementById("prompt"));
  const said = range.getBoundingClientRect();
  return [...document.querySelectorAll(".moves .button, .hand .card"), felt].filter((node) => {
    const { left, right, top, bottom } = node.getBoundingClientRect();
    const over = said.bottom > top + 1 && said.top < bottom - 1 && said.right > left + 1 && said.left < right - 1;
    return over || left < -1 || right > innerWidth + 1;
  }).map((node) => node.outerHTML.slice(0, 80));
}"""
NESTED = """() => {
  const nested = (rule) => rule.selectorText && rule.cssRules.length ? [rule.selectorText] : within(rule);
  const within = (rule) => [...rule.cssRules ?? []].flatMap(nested);
  return [...document.styleSheets].flatMap(within);
}"""


def older(page: Any) -> None:
    """From before it is loaded: a page has style sheets of which an older browser knows no newer part."""

    def fulfil(route: Any) -> None:
        sheet = LATER.sub(lambda match: f"x{match[0]}", route.fetch().text())
        route.fulfill(body=sheet, content_type="text/css")

    page.route("**/*.css", fulfil)


@pytest.mark.usual
@soonest("black-hearts")
def test_a_table_in_an_older_browser_fits_and_nothing_lies_over_what_is_asked(visit, name):
    for state in ("middle", "late"):
        page = visit(f"{name}-{state}-dark", before=older)
        for size in (SMALL_PHONE, UPRIGHT, DESK):
            page.set_viewport_size(size)
            assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0, (state, size)
            assert page.evaluate(APART) == [], (state, size)
        assert page.evaluate(NESTED) == [], "older browsers drop what is nested"


@every_game
def test_a_whole_match_is_played_in_an_older_browser(name, someone):  # noqa: F811
    page = someone(viewport=UPRIGHT)
    page.add_init_script(f"{ALL};\n{GONE['submitter']}")
    older(page)
    set_table(page, name, [])
    page.wait_for_selector("#prompt")
    play([page], random.Random(name))
    assert page.locator(".fates li").count() == hexdeck.game(name).players
    assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
    page.get_by_role("button", name="Rematch").click(trial=True)


# --- what lies between a browser and the server -----------------------------------------------------------------------
@pytest.mark.usual
def test_an_answer_of_something_on_the_way_is_no_success(visit):
    """A gate of a hotel, or a virus scanner, answers a move with a page of its own."""
    page, server = fake_server(visit, "wolf-mans-curse-middle-dark", answer={"body": "<h1>Welcome</h1>"})
    page.locator(".hand .legal").first.click()
    server.wait_for(1)
    page.wait_for_function("() => /did not get through/.test(document.getElementById('why').textContent)")


def test_a_page_of_something_on_the_way_ends_nothing(visit):
    page, server = muted(visit, "wolf-mans-curse-middle-dark")
    page.route(re.compile("middle-dark.html$"), lambda route: route.fulfill(status=403, body="<h1>Log in</h1>"))
    page.evaluate("opened[0].fail()")
    server.hear_all()
    for _ in range(4):
        page.clock.run_for(20_000)
        server.hear_all()
    assert page.evaluate("opened.length") > 1 and page.locator("#table .plate").count()


@pytest.mark.usual
def test_a_stream_that_is_held_back_delays_nothing_for_long(visit):
    """Nothing at all comes through, as from a scanner that waits for the whole: what is new is there within seconds."""
    page, _ = muted(visit, "wolf-mans-curse-middle-dark")
    late = newer(page.content())
    page.route(re.compile("middle-dark.html$"), lambda route: route.fulfill(body=late, content_type="text/html"))
    page.clock.run_for(6_000)
    page.wait_for_function("() => document.getElementById('table').dataset.version === '9999'")


def test_a_stream_that_fails_is_asked_for_less_and_less_often(visit):
    page, server = muted(visit, "wolf-mans-curse-middle-dark")
    counts = []
    for _ in range(6):
        for _ in range(20):
            page.evaluate("opened[opened.length - 1].readyState === 1 && opened[opened.length - 1].fail()")
            server.hear_all()
            page.clock.run_for(1_000)
        counts.append(page.evaluate("opened.length"))
    first, last = counts[0], counts[-1] - counts[-2]
    assert first > last and last <= 2


@pytest.mark.usual
@pytest.mark.parametrize("jump", [pytest.param(-86_400_000, marks=pytest.mark.long), 7_200_000])
def test_a_clock_that_is_set_changes_no_clock_of_the_table(visit, jump):
    page, _ = muted(visit, "hawthorn-middle-dark")
    page.clock.run_for(2_000)
    seconds = "() => document.querySelector('#clock .ticks').textContent.split(':').reduce((m, s) => 60 * m + 1 * s)"
    before = page.evaluate(seconds)
    page.evaluate(f"() => {{ const real = Date.now; Date.now = () => real() + {jump}; }}")
    page.clock.run_for(3_000)
    assert 2 <= before - page.evaluate(seconds) <= 4
    assert page.evaluate("opened.length") == 2  # as after a sleep, the page makes sure of what it shows


# --- windows ----------------------------------------------------------------------------------------------------------
@pytest.fixture
def windows(browser: Any, shown: Shown) -> Iterator[Callable[[str], Any]]:
    """Opens windows of one browser, whose streams are mute."""
    context = browser.new_context()

    def opened(name: str) -> Any:
        page = context.new_page()
        page.add_init_script(MUTE_HERE)
        stop_clock(page)
        FakeServer(page)
        page.goto(f"{shown.address}/{name}.html")
        return page

    yield opened
    context.close()


MUTE_HERE = """window.opened = [];
  window.EventSource = class extends EventTarget {
    constructor(address) { super(); this.readyState = 1; opened.push(this); }
    close() { this.readyState = 2; }
    say(name, data = "") { this.dispatchEvent(Object.assign(new Event(name), { data })); }
  };"""
STREAMS = "() => opened.filter((each) => each.readyState === 1).length"


@pytest.mark.usual
def test_windows_of_one_table_share_a_stream(visit, windows):
    first, second = (windows("hawthorn-middle-dark") for _ in range(2))
    second.wait_for_function(f"() => opened.length && ({STREAMS})() === 0")
    late = newer(main_of(visit, "hawthorn-late-dark"))
    first.evaluate("html => opened[0].say('table', html)", late)
    for page in (first, second):
        page.wait_for_function("() => document.getElementById('table').dataset.version === '9999'")
    first.close()
    second.wait_for_function(f"() => ({STREAMS})() === 1")  # it takes over


def test_a_window_too_many_has_no_stream_and_still_moves_on(shown, windows):
    html = (shown.folder / "hawthorn-middle-dark.html").read_text(encoding="utf-8")
    names = [shown.add(f"window-{number}-dark", html.replace("/stream", f"/stream?{number}")) for number in range(5)]
    pages = [windows(name) for name in names[:4]]
    last = windows(names[4])
    last.wait_for_function(f"() => opened.length && ({STREAMS})() === 0")
    assert [page.evaluate(STREAMS) for page in pages] == [1] * 4
    late = newer(last.content())
    last.route(re.compile("window-4-dark.html$"), lambda route: route.fulfill(body=late, content_type="text/html"))
    last.clock.run_for(6_000)
    last.wait_for_function("() => document.getElementById('table').dataset.version === '9999'")
    last.wait_for_function(f"() => ({STREAMS})() === 0")  # once the others, silent too, are back
    pages[0].close()
    last.wait_for_function(f"() => ({STREAMS})() === 1")


# --- phones -----------------------------------------------------------------------------------------------------------
FIELDS = "input:not([type=checkbox], [type=radio], [type=hidden], [type=range]), select, textarea"
SMALL = f"""() => [...document.querySelectorAll({FIELDS!r})]
  .map((node) => [node.id, parseFloat(getComputedStyle(node).fontSize)]).filter(([, size]) => size < 16)"""


@pytest.mark.usual
@pytest.mark.parametrize(
    "name",
    ["problem", *(pytest.param(name, marks=pytest.mark.long) for name in ("talking", *PAGES, *SCRIPTED))],
)
def test_no_field_is_so_small_that_a_phone_zooms_in(visit, name):
    assert visit(f"{name}-dark", viewport={"width": 390, "height": 844}).evaluate(SMALL) == []


# --- an upgrade -------------------------------------------------------------------------------------------------------
@pytest.mark.usual
@pytest.mark.parametrize(("name", "waits"), [("hawthorn-watched-dark", False), ("cursed-hand-middle-dark", True)])
def test_a_page_across_an_upgrade_is_loaded_anew_once_between_turns(visit, name, waits):
    page, server = muted(visit, name, clock=False)
    assert ("turn" in page.evaluate("({...document.getElementById('table').dataset})")) == waits
    page.evaluate("window.old = true")
    page.evaluate(f"opened[0].say('beat', '{rendering.build()}')")
    server.hear_all()
    assert page.evaluate("window.old")
    page.evaluate("opened[0].say('beat', 'another')")
    if waits:
        server.hear_all()
        assert page.evaluate("window.old")
        passed = newer(main_of(visit, name)).replace(" data-turn", "", 1)
        page.evaluate("html => opened[0].say('table', html)", passed)
    page.wait_for_function("() => !window.old && window.opened?.length")
    page.evaluate("window.old = true; opened[0].say('beat', 'another')")  # from a server that is behind: not again
    server.hear_all()
    assert page.evaluate("window.old")
