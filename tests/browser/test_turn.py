"""One's turn on a page that is in front or not: title, icon, sound, calls, a screen that stays awake; all stubbed."""

import random
from collections.abc import Callable
from typing import Any

import pytest

from tests.browser.beats.test_beats import AWAY, HIDE, NAME, Watched
from tests.browser.conftest import visiting
from tests.browser.test_sound import AUDIO
from tests.support import until
from tests.web.serving import token_cookie
from tests.web.test_push import is_turn, seated, turn_of_ben

STUBS = """window.away = false; window.shown = []; window.calls = []; window.locks = 0; window.asked = 0;
window.said = { turn: false, over: false }; window.polls = 0;
const real = window.fetch, answered = () => ({ ok: true, json: async () => ({ ...said }) });
window.fetch = async (address, how) => (/\\/turn$/.test(address) ? (polls += 1, answered()) : real(address, how));
Document.prototype.hasFocus = () => !away;
const close = () => { shown = []; }, worker = {
  async showNotification(text, how) { calls.push([text, how.data]); shown = [how.tag]; },
  pushManager: { async getSubscription() { return window.push ?? null; },
    async subscribe(how) { if (window.noService) throw new DOMException("none", "AbortError");
      return window.push = subscription(how); } },
  async getNotifications({ tag }) { return shown.filter((each) => each === tag).map(() => ({ close })); } };
const bytes = (key) => Uint8Array.from(atob(key.replace(/-/g, "+").replace(/_/g, "/")), (each) => each.charCodeAt(0));
window.subscription = (how) => ({ options: { applicationServerKey: bytes(how.applicationServerKey).buffer },
  toJSON: () => ({ endpoint: "https://push.example/1", keys: { p256dh: "P", auth: "A" } }),
  async unsubscribe() { window.push = null; } });
Object.defineProperty(ServiceWorkerContainer.prototype, "ready", { get: () => Promise.resolve(worker) });
window.Notification = class { static permission = window.answer === "granted" ? "default" : "denied";
  static async requestPermission() { asked += 1; return Notification.permission = window.answer; } };
class Lock extends EventTarget { held = true;
  async release() { if (this.held) { this.held = false; locks -= 1; this.dispatchEvent(new Event("release")); } } }
Object.defineProperty(navigator, "wakeLock", { value: { async request() { locks += 1; return new Lock(); } } });"""


class Called(Watched):
    """A page that isn't in front when the test says so; `answer`: to whether it may call."""

    def __init__(self, visit: Callable[..., Any], *, answer: str = "granted") -> None:
        super().__init__(visiting(visit, scripts=(f"window.answer = '{answer}';", STUBS, HIDE, AUDIO)))
        self.mine = self.html
        self.show(turn=False)

    def said(self, *, turn: bool = False, over: bool = False) -> None:
        self.page.evaluate("news => { said = news; }", {"turn": turn, "over": over})

    def show(self, *, turn: bool) -> None:
        self.html = self.mine if turn else self.mine.replace(" data-turn", "")
        self.version += 1
        self.frame(self.version)

    def leave(self, *, away: bool = True) -> None:
        self.page.evaluate(AWAY.format("true" if away else "false"))
        self.settle()

    @property
    def sign(self) -> tuple[str, bool]:
        return self.page.title(), "mark-turn" in self.page.locator("link[rel=icon]").get_attribute("href")

    @property
    def polls(self) -> int:
        return int(self.page.evaluate("polls"))

    def found(self, what: str) -> Any:
        return self.page.evaluate(what)


@pytest.mark.usual
def test_title_and_icon_say_whose_turn_it_is_and_go_back(visit):
    page = Called(visit)
    usual = page.sign
    page.show(turn=True)
    title, called = page.sign
    assert title.startswith("Your turn · ") and called
    page.show(turn=False)
    assert page.sign == usual and not usual[1] and "Your turn" not in usual[0]


def test_a_page_that_opens_at_ones_turn_says_so_without_a_sound(visit):
    page = visit(NAME)
    assert page.title().startswith("Your turn · ")


def test_a_page_that_is_not_in_front_asks_and_says_it_in_its_title_and_back(visit):
    page = Called(visit)
    usual = page.sign
    page.wait(5000)
    assert page.polls == 0  # in front the stream tells it
    page.leave()
    page.wait(5000)
    assert page.polls == 1 and page.sign == usual
    page.said(turn=True)
    page.wait(5000)
    assert page.sign != usual
    page.said()
    page.wait(7000)
    assert page.sign == usual


def test_it_asks_less_and_less_often_and_not_after_the_end(visit):
    page = Called(visit)
    page.leave()
    for _ in range(20):
        page.wait(5000)
    early = page.polls
    for _ in range(20):
        page.wait(60_000)
    assert 10 <= early <= 20 and 10 <= page.polls - early <= 45
    page.said(over=True)
    page.wait(61_000)
    asked = page.polls
    page.wait(300_000)
    assert page.polls == asked


def test_ones_turn_sounds_while_the_page_is_not_in_front(visit):
    page = Called(visit)
    page.page.locator("#sound").click()
    page.page.evaluate("() => import(document.getElementById('live').dataset.sound).then(() => null)")
    page.settle()
    page.found("heard.length = 0")
    page.leave()
    page.said(turn=True)
    page.wait(5000)
    assert page.found("heard.length") == 2
    page.wait(20_000)
    assert page.found("heard.length") == 2


# --- calls ------------------------------------------------------------------------------------------------------------
def test_nobody_is_asked_for_leave_before_the_button_is_pressed_and_nobody_is_called(visit):
    page = Called(visit)
    page.leave()
    page.said(turn=True)
    page.wait(5000)
    assert page.found("[asked, calls.length]") == [0, 0]
    assert page.page.locator("#bell").get_attribute("aria-pressed") == "false"


def test_a_call_comes_once_a_turn_says_only_that_it_is_time_and_goes_with_the_turn(visit):
    page = Called(visit)
    page.page.locator("#bell").click()
    page.settle()
    assert page.found("asked") == 1 and page.page.locator("#bell").get_attribute("aria-pressed") == "true"
    page.show(turn=True)
    assert page.found("calls") == []  # who looks isn't called
    page.show(turn=False)
    page.leave()
    page.said(turn=True)
    page.wait(5000)
    page.wait(20_000)
    assert page.found("calls") == [["It's your turn.", "a1b2c3"]] and page.found("shown.length") == 1
    page.said()
    page.wait(20_000)
    assert page.found("shown") == []
    page.said(turn=True)
    page.wait(20_000)
    assert page.found("calls.length") == 2
    page.leave(away=False)
    page.settle()
    assert page.found("shown") == []  # who has come needs no call


def test_calls_are_off_again_when_the_button_says_so_and_that_is_remembered(visit):
    page = Called(visit)
    for wanted in ("on", "off"):
        page.page.locator("#bell").click()
        page.settle()
        assert page.found("localStorage.getItem('bell')") == wanted
    page.leave()
    page.said(turn=True)
    page.wait(5000)
    assert page.found("calls") == []


def test_a_browser_that_refuses_is_told_of_and_the_rest_works(visit):
    page = Called(visit, answer="denied")
    page.page.locator("#bell").click()
    page.settle()
    assert "blocks messages" in page.page.locator("#why").inner_text()
    assert page.page.locator("#bell").get_attribute("aria-pressed") == "false"
    page.show(turn=True)
    assert page.sign[0].startswith("Your turn")


@pytest.mark.parametrize(
    "gone", ["delete window.Notification", "Object.defineProperty(window, 'isSecureContext', { value: false })"]
)
def test_where_the_browser_cannot_call_there_is_no_button(visit, gone):
    page = visit(NAME, scripts=[gone])
    page.wait_for_selector("#sound:visible")
    assert page.locator("#bell").count() == 1 and not page.locator("#bell").is_visible()


def test_who_watches_has_no_button(visit):
    page = visit("wolf-mans-curse-watched-dark")
    assert page.locator("#bell").count() == 0 and "Your turn" not in page.title()


# --- calls by a push service, while no page is open -------------------------------------------------------------------
KEY = "BP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A8"


def with_service(visit: Callable[..., Any]) -> Called:
    page = Called(visit)
    page.page.route("**/table/x/push", page.server.post)
    page.found(
        f"Object.assign(document.getElementById('live').dataset, {{ pushKey: '{KEY}', pushAt: '/table/x/push' }})"
    )
    return page


def test_the_button_tells_the_server_where_calls_go_and_when_no_more(visit):
    page = with_service(visit)
    for number in (1, 2):
        page.page.locator("#bell").click()
        page.server.wait_for(number)
        page.settle()
    told = {"endpoint": ["https://push.example/1"], "p256dh": ["P"], "auth": ["A"]}
    assert page.server.posts == [("push", told | {"on": ["yes"]}), ("push", told | {"on": ["no"]})]
    assert page.found("window.push") is None


def test_where_the_server_calls_the_page_does_not_call_too(visit):
    page = with_service(visit)
    page.page.locator("#bell").click()
    page.server.hear_all()
    page.settle()
    page.leave()
    page.said(turn=True)
    page.wait(5000)
    assert page.sign[0].startswith("Your turn") and page.found("calls") == []


@pytest.mark.parametrize(
    "wrong", ["window.noService = true", "document.getElementById('live').dataset.pushAt = '/nothing'"]
)
def test_without_a_push_service_the_page_calls_as_long_as_it_is_open(visit, wrong):
    page = with_service(visit)
    page.found(wrong)
    page.page.locator("#bell").click()
    page.server.hear_all()
    page.settle()
    page.leave()
    page.said(turn=True)
    page.wait(5000)
    assert page.found("calls.length") == 1


def test_a_subscription_for_another_key_is_made_anew(visit):
    page = with_service(visit)
    page.found("window.push = subscription({ applicationServerKey: 'AAAA' })")
    page.page.locator("#bell").click()
    page.server.hear_all()
    page.settle()
    assert page.found("push.options.applicationServerKey.byteLength") == 65 and len(page.server.posts) == 1


# --- the screen -------------------------------------------------------------------------------------------------------
def test_the_screen_stays_awake_while_the_match_is_lively_and_the_page_in_front(visit):
    page = Called(visit)
    assert page.found("locks") == 1
    page.leave()
    assert page.found("locks") == 0
    page.leave(away=False)
    assert page.found("locks") == 1
    page.wait(400_000)
    assert page.found("locks") == 0  # nothing happens any more
    page.show(turn=True)
    assert page.found("locks") == 1
    page.mine = page.mine.replace('class="', 'class="done ', 1)
    page.show(turn=False)
    assert page.found("locks") == 0


def test_a_clock_of_days_runs_in_hours(visit):
    page = Called(visit)
    page.mine = page.mine.replace('data-left="150"', 'data-left="86400"')
    page.show(turn=True)
    page.wait(2000)
    assert page.found("document.querySelector('#clock .ticks').textContent") in {"23:59:57", "23:59:58", "23:59:59"}


# --- at a real server -------------------------------------------------------------------------------------------------
def test_a_page_that_is_not_in_front_learns_of_its_turn_from_the_server_and_of_its_end(browser, site):
    ann, ben = seated(site.base)
    rng = random.Random(1)
    while is_turn(ben):
        ben.plays(rng)
    context = browser.new_context(base_url=site.base)
    context.add_cookies([{"name": token_cookie(site.base), "value": ben.token, "url": site.base}])
    context.add_init_script("window.away = false;" + HIDE)
    page = context.new_page()
    page.goto(f"/table/{ben.table}")
    page.wait_for_selector("#bell:visible")
    assert "Your turn" not in page.title()
    page.evaluate(AWAY.format("true"))
    turn_of_ben(ann, ben)
    until(lambda: page.wait_for_timeout(10) or page.title().startswith("Your turn"))
    ben.post(f"/table/{ben.table}/seat/1/bot")
    until(lambda: page.wait_for_timeout(10) or not page.title().startswith("Your turn"))
    context.close()
