"""Sounds in the browser, with a stubbed AudioContext: which cue makes which, none before a touch, refusals."""

import re
from typing import Any

import pytest

from hexdeck.engine.view import CUES
from tests.browser.beats.test_beats import Watched
from tests.browser.beats.test_moments import NAME, OTHERS, beat
from tests.browser.conftest import visiting
from tests.browser.fake_server import FakeServer, main_of

AUDIO = """window.heard = []; window.contexts = 0; window.stopped = 0; window.shaken = [];
const param = () => ({ value: 0, setValueAtTime() {}, exponentialRampToValueAtTime() {} });
class Node { constructor(kind) { this.kind = kind; this.gain = param(); this.frequency = param(); }
  connect(to) { return to; } disconnect() { stopped += 1; } start(at) { this.at = at; }
  stop(at) { heard.push([this.type ?? this.kind, this.frequency.value, Math.round(at * 1000)]); } }
window.AudioContext = class { state = "suspended"; currentTime = 0; sampleRate = 8000; destination = {};
  constructor() { contexts += 1; if (window.refuses === "made") throw new Error("no"); }
  async resume() { if (window.refuses === "resumed") throw new Error("no");
    if (!window.refuses) this.state = "running"; }
  createGain() { return new Node("gain"); } createOscillator() { return new Node("tone"); }
  createBufferSource() { return new Node("noise"); } createBiquadFilter() { return new Node("band"); }
  createBuffer(n, length) { return { getChannelData: () => new Float32Array(length) }; } };
Object.defineProperty(navigator, "vibrate", { value: (long) => shaken.push(long) });"""
NO_STORE = (
    """Object.defineProperty(window, "localStorage", { get() { throw new DOMException("full", "SecurityError"); } });"""
)


FETCHED = "() => performance.getEntriesByType('resource').map((each) => each.name)"


class Listened(Watched):
    """A page whose sounds are written down; `scripts` come before its own."""

    def __init__(self, visit: Any, *scripts: str, name: str = NAME, ready: str = "#sound:visible") -> None:
        self.wrong: list[str] = []
        super().__init__(visiting(visit, scripts=(AUDIO, *scripts), wrong=self.wrong), name)
        self.page.wait_for_selector(ready)

    def switch(self) -> None:
        before = self.page.locator("#sound").get_attribute("aria-pressed")
        self.page.locator("#sound").click()
        self.page.evaluate("() => import(document.getElementById('live').dataset.sound).then(() => null)")
        self.settle()
        assert self.page.locator("#sound").get_attribute("aria-pressed") != before

    def heard_at(self, cue: str) -> list[list[Any]]:
        self.page.evaluate("heard.length = 0")
        self.version += 1
        self.frame(self.version, beat(self.version - 1, cue, hold=100))
        found: list[list[Any]] = self.page.evaluate("heard")
        self.wait(100)
        return found


@pytest.fixture
def listened(visit) -> Listened:
    page = Listened(visit)
    page.switch()
    return page


def test_each_cue_has_its_sound_or_the_nearest_and_none_is_long(listened):
    heard = {cue: listened.heard_at(cue) for cue in (*CUES, *OTHERS)}
    assert all(heard.values()), [cue for cue, found in heard.items() if not found]
    assert len({str(heard[cue]) for cue in CUES}) == len(CUES)
    assert {str(heard[cue]) for cue in OTHERS} <= {str(heard[cue]) for cue in CUES}
    assert heard["growl"] == heard["bad"] and heard["all-curses"] == heard["feast"] and heard["moon"] == heard["reveal"]
    ends = {cue: max(end for *_, end in found) for cue, found in heard.items()}
    assert all(end <= 250 for cue, end in ends.items() if cue not in {"feast", "all-curses"}) and ends["feast"] > 250
    assert listened.wrong == []


def test_a_second_sound_ends_the_first(listened):
    listened.heard_at("feast")
    stopped = listened.page.evaluate("stopped")
    listened.heard_at("place")
    assert listened.page.evaluate("stopped") == stopped + 1


def test_nothing_sounds_before_a_touch_though_it_was_wanted_last_time(visit):
    page = Listened(visit, "localStorage.setItem('sound', 'on')")
    assert page.page.locator("#sound").get_attribute("aria-pressed") == "true"
    assert page.heard_at("feast") == [] and page.page.evaluate("contexts") == 0
    page.page.keyboard.press("Shift")
    page.page.wait_for_function("() => contexts === 1")
    assert page.heard_at("feast") != []


TOUCHES = {"key": lambda page: page.keyboard.press("ArrowUp"), "pointer": lambda page: page.mouse.click(180, 300)}


@pytest.mark.parametrize("amid", [False, True])
@pytest.mark.parametrize("touch", TOUCHES)
def test_a_television_sounds_after_a_touch_or_a_key_and_not_before(visit, touch, amid):
    """Though sounds are wanted there at once; a key that skips a beat is one as well."""
    page = Listened(visit, name="black-hearts-tv-dark", ready="#sounding:visible")
    page.page.wait_for_load_state("networkidle")
    assert page.heard_at("feast") == [] and page.page.evaluate("contexts") == 0
    assert not [each for each in page.page.evaluate(FETCHED) if "/sound." in each]
    if amid:
        page.frame(page.version + 1, beat(page.version, "place"))
        page.version += 1
    TOUCHES[touch](page.page)
    page.page.wait_for_function("() => contexts === 1")
    page.page.wait_for_selector("#sounding", state="detached")
    page.wait(300)
    assert page.heard_at("feast") != [] and page.wrong == []


def test_the_end_of_a_key_that_was_pressed_on_another_page_is_no_touch(visit):
    untouched = "Object.defineProperty(navigator, 'userActivation', { value: { hasBeenActive: false } })"
    page = Listened(visit, untouched, name="black-hearts-tv-dark", ready="#sounding:visible")
    page.page.keyboard.press("Enter")
    page.wait(300)
    assert page.page.evaluate("contexts") == 0 and page.heard_at("feast") == []


def test_sounds_are_off_until_they_are_asked_for_and_that_is_remembered(visit):
    page = Listened(visit)
    page.page.keyboard.press("Shift")
    assert page.page.locator("#sound").get_attribute("aria-pressed") == "false"
    assert page.heard_at("feast") == [] and page.page.evaluate("contexts") == 0
    page.switch()
    assert page.page.evaluate("[localStorage.getItem('sound'), heard.length > 0]") == ["on", True]
    page.switch()
    assert page.page.evaluate("localStorage.getItem('sound')") == "off" and page.heard_at("feast") == []


@pytest.mark.parametrize("refusal", ["made", "resumed", "never"])
def test_a_browser_that_refuses_stays_silent_and_says_nothing(visit, refusal):
    page = Listened(visit, f"window.refuses = '{refusal}'")
    page.switch()
    assert page.heard_at("feast") == [] and page.wrong == []
    assert page.page.locator("#why").inner_text() == "" and page.is_newest(page.version)


def test_a_store_that_is_refused_costs_only_the_memory(visit):
    page = Listened(visit, NO_STORE)
    page.switch()
    assert page.heard_at("good") != [] and page.wrong == []


def test_ones_turn_sounds_softly_and_shakes_once(listened):
    listened.heard_at("place")
    mine, others = listened.html, listened.html.replace(" data-turn", "")
    listened.html = others
    listened.heard_at("place")
    listened.page.evaluate("heard.length = 0")
    listened.html = mine
    listened.version += 1
    listened.frame(listened.version)
    assert listened.page.evaluate("heard.length") == 2
    assert listened.page.evaluate("shaken") == [40]
    listened.version += 1
    listened.frame(listened.version)
    assert listened.page.evaluate("shaken") == [40]


OVER = "wolf-mans-curse-over-dark"


@pytest.mark.parametrize("wins", [True, False])
@pytest.mark.parametrize("last", ["chips", "all-curses", "bad"])
def test_the_end_sounds_with_its_sheet_by_whether_one_has_won_and_not_twice(visit, listened, wins, last):
    usual = {cue: listened.heard_at(cue) for cue in ("feast", "bad")}
    sheet = re.sub(r'<li class="me( winner)?"', f'<li class="me{" winner" * wins}"', main_of(visit, OVER))
    assert f'<li class="me{" winner" * wins}"' in sheet
    listened.heard_at(last)
    listened.html, listened.version = sheet, listened.version + 1
    listened.page.evaluate("heard.length = 0")
    listened.frame(listened.version)
    listened.wait(1400)
    assert listened.page.evaluate("heard") == []
    listened.wait(200)
    alike = last == ("all-curses" if wins else "bad")
    assert listened.page.evaluate("heard") == ([] if alike else usual["feast" if wins else "bad"])
    listened.version += 1
    listened.page.evaluate("heard.length = 0")
    listened.frame(listened.version)
    listened.wait(2000)
    assert listened.page.evaluate("heard") == []


@pytest.mark.parametrize(("left", "ticks"), [(8, 5), (3, 2), (60, 0)])
def test_the_last_five_seconds_of_ones_own_time_tick(listened, left, ticks):
    listened.html = listened.html.replace('data-left="150"', f'data-left="{left}"')
    assert f'data-left="{left}"' in listened.html
    listened.version += 1
    listened.frame(listened.version)
    listened.page.evaluate("heard.length = 0")
    listened.wait(9000)
    assert len(listened.page.evaluate("heard.filter(([kind]) => kind === 'square')")) == ticks


def test_without_a_script_there_is_no_button(visit):
    page = visit(NAME, before=FakeServer, java_script_enabled=False)
    assert page.locator("#sound").count() == 1 and not page.locator("#sound").is_visible()
