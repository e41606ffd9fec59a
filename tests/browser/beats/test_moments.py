"""Moments in the browser: every cue moves something, by the compositor alone, within its beat; words and chips fly."""

import json
import re
from typing import Any

import gallery
import pytest

from hexdeck.engine.discovery.finding import game_names
from hexdeck.engine.play.story import BeatMaker, moments
from hexdeck.engine.view import CUES
from hexdeck.web.html.rendering import FOLDER
from tests.browser.beats.test_beats import Watched
from tests.browser.conftest import visiting
from tests.browser.fake_server import main_of, newer
from tests.browser.test_stream import animate, muted

NAME = "wolf-mans-curse-middle-dark"
OTHERS = (
    "moon",
    "last-night",
    "growl",
    "torches",
    "rope",
    "bullet",
    "verdict",
    "pass",
    "upside-down",
    "early-bird",
    "little-one",
    "second",
    "mercy",
    "forgiven",
    "all-curses",
    "double",
    "lift",
    "steal",
    "accuse",
)
MOVED = frozenset({"translate", "rotate", "scale", "transform", "opacity"})
LONGEST = 900  # milliseconds
LAST = " ".join(f"zone-hand-0.{number}" for number in range(5))
LIT = "zone-face zone-face.0 zone-tonight.0 zone-hand-0.0 zone-month zone-pile plate-1"
RUNNING = """() => document.getAnimations().map((each) => ({
  of: each.animationName ?? "", on: each.effect.target.id || `${each.effect.target.getAttribute("class")}`,
  ends: each.effect.getComputedTiming().endTime, moves: [...new Set(each.effect.getKeyframes().flatMap((frame) =>
    Object.keys(frame).filter((name) => !["offset", "computedOffset", "easing", "composite"].includes(name))))] }))"""


def beat(follows: int, cue: str, hold: int = 1800, more: str = "", lit: str = LIT, part: str = "") -> str:
    head = f'<template data-hold="{hold}" data-lit="{lit}" data-cue="{cue}" {more}>'
    return f'<div data-follows="{follows}">{head}<p class="line">told</p>{part}</template></div>'


def ready(visit: Any, name: str = NAME) -> Watched:
    watched = Watched(visit, name)
    watched.page.wait_for_load_state("networkidle")
    return watched


def begun(visit: Any, cue: str, name: str = NAME, **how: Any) -> Any:
    watched = ready(visit, name)
    watched.frame(watched.version + 1, beat(watched.version, cue, **how))
    return watched


# --- style sheets -----------------------------------------------------------------------------------------------------
def animated(css: str) -> set[str]:
    css = re.sub(r"/\*.*?\*/", "", css, flags=re.DOTALL)
    bodies = [found[1] for found in re.finditer(r"@keyframes [\w-]+ \{((?:[^{}]*\{[^{}]*\})*[^{}]*)\}", css)]
    moved = {name for body in bodies for name in re.findall(r"([a-z-]+)\s*:", body)}
    return moved | {found[1] for found in re.finditer(r"transition: ([a-z-]+)", css)} - {"none"}


def test_what_moves_is_drawn_without_layout_or_paint() -> None:
    css = (FOLDER / "moments.css").read_text(encoding="utf-8")
    assert css.count("@keyframes") > 20 and animated(css) <= MOVED


@pytest.mark.parametrize(
    "planted", ["@keyframes x { 50% { scale: 2; box-shadow: 0 0 9px } }", "p { transition: width .2s }"]
)
def test_what_would_need_it_is_found(planted: str) -> None:
    assert animated(planted) - MOVED


HIGH_UP = re.compile(r"(?:^|[\s},])((?:body|main|html|#table|\.play|\.room|#felt|\.felt)[^\s,{>+~]*:has\([^{]*)")


def test_no_rule_asks_what_the_whole_page_or_table_has() -> None:
    """Each change of the table would have all of it styled anew, several times in a beat."""
    for sheet in ("style.css", "table.css", "moments.css", "coach.css", "ending.css", "screen.css"):
        assert HIGH_UP.findall((FOLDER / sheet).read_text(encoding="utf-8")) == [], sheet


def test_a_rule_that_asks_so_is_found() -> None:
    assert HIGH_UP.findall("p { }\nbody:has(> .pieces) .prompt { }") and HIGH_UP.findall("a, .play:has(.felt) b { }")


def test_every_cue_of_our_games_is_known_here() -> None:
    found = set()
    for game in game_names():
        match = gallery.played(game, None, 7)
        match.go(match.length)
        found |= {each.cue for each in BeatMaker(match.game, match.driver, moments(match)).beats(0)}
    assert len(found) > 12 and found <= {*CUES, *OTHERS, ""}


# --- each cue ---------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("cue", [*CUES, *OTHERS])
def test_each_cue_moves_something_by_the_compositor_and_no_longer_than_its_beat(visit, cue):
    watched = begun(visit, cue)
    running = watched.page.evaluate(RUNNING)
    own = [each for each in running if each["of"] not in {"", "nod", "glow"}] + [
        each for each in running if "piece" in each["on"]
    ]
    assert own or cue in {"chips", "flip"}, cue
    assert {name for each in running for name in each["moves"]} <= MOVED
    assert all(each["ends"] <= LONGEST + 5 for each in running), running


def test_what_moves_at_the_edge_makes_the_page_no_wider(visit):
    """Where it did, all of the page was painted anew in each frame."""
    page = begun(visit, "curse", lit=LAST).page
    page.evaluate("document.getAnimations().forEach((each) => { each.pause(); each.currentTime = 60; })")
    grown = page.locator(".hand .card.lit").last.evaluate("node => getComputedStyle(node).scale")
    assert float(grown) > 1.02 and page.evaluate("document.documentElement.scrollWidth <= innerWidth")


@pytest.mark.parametrize("cue", ["growl", "good", "bad"])
def test_a_short_beat_has_short_movement(visit, cue):
    running = begun(visit, cue, hold=150).page.evaluate(RUNNING)
    of_css = [each for each in running if each["of"]]
    assert of_css and all(each["ends"] <= 151 for each in of_css), of_css


@pytest.mark.parametrize(("cue", "signs"), [("feast", 14), ("moon", 1), ("growl", 1)])
def test_signs_fly_over_the_table_and_are_gone_afterwards(visit, cue, signs):
    watched = begun(visit, cue)
    assert watched.page.locator(".pieces .piece").count() == signs
    watched.wait(1800)
    assert watched.page.locator(".pieces > *").count() == 0


@pytest.mark.parametrize(
    ("cue", "symbol"), [("upside-down", "upside-down"), ("second", "second-to-the-crown"), ("mercy", "mercy")]
)
def test_a_gift_is_shown_large_over_the_table_and_goes_back_to_its_place(visit, cue, symbol):
    watched = ready(visit, "black-hearts-middle-dark")
    emblem = f'<dt><svg class="emblem" viewBox="0 0 100 140"><use href="#gift-{symbol}"></use></svg></dt><dd></dd>'
    watched.page.evaluate(
        """html => Object.assign(document.getElementById("zone-gift"),
      { className: "counted pictured", innerHTML: html })""",
        emblem,
    )
    felt = watched.page.locator("#felt").evaluate("node => node.outerHTML")
    watched.frame(watched.version + 1, beat(watched.version, cue, lit="zone-gift", part=felt))
    large = watched.page.locator(".gift .card")
    assert large.locator("use").first.get_attribute("href").endswith(f"#gift-{symbol}")
    running = [each for each in watched.page.evaluate(RUNNING) if each["on"] in {"card", "art"}]
    assert len(running) >= 3 and all(each["ends"] <= 1800 and {*each["moves"]} <= MOVED for each in running)
    seen = []
    for time in (0, 1000, 1799):
        watched.page.evaluate(f"document.getAnimations().forEach((e) => {{ e.pause(); e.currentTime = {time}; }})")
        seen.append(large.bounding_box())
    assert seen[1]["height"] >= 150 and max(seen[0]["height"], seen[2]["height"]) < 60
    stage, there = (watched.page.locator(place).bounding_box() for place in ("#stage", "#zone-gift"))
    for at, size in (("x", "width"), ("y", "height")):
        assert stage[at] < seen[1][at] + seen[1][size] / 2 < stage[at] + stage[size], "over what lies in the middle"
    assert all(there["x"] - 30 < each["x"] < there["x"] + there["width"] for each in (seen[0], seen[2]))
    assert all(there["y"] - 30 < each["y"] < there["y"] + there["height"] for each in (seen[0], seen[2]))
    watched.page.evaluate("document.getAnimations().forEach((each) => each.finish())")
    watched.wait(1800)
    assert watched.page.locator(".pieces > *").count() == 0


def test_the_same_cue_on_the_same_card_moves_it_anew(visit):
    watched = ready(visit)
    twice = beat(watched.version, "bad").replace("</div>", "") + beat(0, "bad").partition(">")[2]
    watched.frame(watched.version + 1, twice)
    shaking = "document.getAnimations().find((each) => each.animationName === 'shake')"
    watched.page.evaluate(f"window.first = {shaking}")
    watched.wait(1800)
    assert watched.page.evaluate(f"first && {shaking} && {shaking} !== first")


def test_less_motion_is_a_fade_of_120_ms_and_the_words_stay(visit):
    watched = ready(visiting(visit, reduced_motion="reduce"))
    watched.frame(watched.version + 1, beat(watched.version, "torches", more='data-said="Fold." data-by="plate-1"'))
    running = watched.page.evaluate(RUNNING)
    assert running and all(each["ends"] <= 120 and each["moves"] == ["opacity"] for each in running), running
    assert (
        watched.page.locator(".pieces .piece").count() == 0 and watched.page.locator(".speech").inner_text() == "Fold."
    )


# --- cards, chips, numbers, words -------------------------------------------------------------------------------------
def test_a_card_turns_from_its_back_to_its_face(visit):
    watched = begun(visit, "flip", lit="zone-face.0")
    backs = watched.page.locator(".turning")
    assert backs.count() == 1 and backs.locator("use").get_attribute("href").endswith("#card-back")
    watched.wait(1800)
    assert watched.page.locator(".turning").count() == 0


def test_what_lies_open_before_a_seat_that_is_lit_does_not_turn(visit):
    watched = begun(visit, "flip", "hawthorn-late-dark", lit="zone-deck plate-1 plate-2 plate-3")
    assert watched.page.locator(".plate.lit .card[data-code]").count() > 0
    assert watched.page.locator(".plate .turning").count() == 0


def test_the_table_darkens_with_each_card_of_a_called_hand_that_turns_up(visit):
    watched = ready(visit, "cursed-hand-middle-dark")
    felt, seen = watched.page.locator("#felt").evaluate("node => node.outerHTML"), []
    for up in (1, 2, 3):
        cards = "".join(
            f'<li class="slot"><span class="card" id="zone-ghost.{k}" data-code="{k + 2}"></span></li>'
            for k in range(up)
        )
        part = re.sub(
            r'(id="zone-ghost".*?<ul class="cards">).*?</ul>', rf"\1{cards}</ul>", felt, count=1, flags=re.DOTALL
        )
        watched.version += 1
        lit = f"zone-ghost.{up - 1}"
        watched.frame(watched.version, beat(watched.version - 1, "flip", hold=140, lit=lit, part=part))
        watched.page.evaluate("document.getAnimations().forEach((each) => each.finish())")
        seen.append(float(watched.page.locator(".veil").evaluate("node => getComputedStyle(node).opacity")))
        watched.wait(140)
    assert 0 < seen[0] < seen[1] < seen[2] < 0.6


def test_a_card_that_flies_lands_where_it_lies(visit):
    watched = ready(visit, "hawthorn-middle-dark")
    felt = "html => new DOMParser().parseFromString(html, 'text/html').getElementById('felt').outerHTML"
    later = watched.page.evaluate(felt, main_of(visit, "hawthorn-late-dark"))
    watched.frame(watched.version + 1, beat(watched.version, "place", part=later))
    places = "() => [...document.querySelectorAll('.card')].map((node) => JSON.stringify(node.getBoundingClientRect()))"
    begun = watched.page.evaluate(places)
    watched.page.evaluate("document.getAnimations().forEach((each) => each.finish())")
    landed = watched.page.evaluate(places)
    watched.page.evaluate("document.getAnimations().forEach((each) => each.cancel())")
    assert landed == watched.page.evaluate(places) != begun


def test_a_card_comes_from_the_deck_that_has_fewer_then(visit):
    watched = ready(visit, "blackstone-middle-dark")
    felt = watched.page.locator("#felt").evaluate("node => node.outerHTML")
    (left,) = re.findall(r'id="zone-deck\.n".*?aria-hidden="true">(\d+)<', felt, re.DOTALL)
    fewer = felt.replace(f'aria-hidden="true">{left}<', f'aria-hidden="true">{int(left) - 1}<')
    card = '<li class="slot"><span class="card" id="zone-centre.99" data-code="x"><svg class="art"></svg></span></li>'
    more = re.sub(r'(id="zone-centre".*?<ul class="cards">)', rf"\1{card}", fewer, count=1, flags=re.DOTALL)
    deck = watched.page.locator("#zone-deck .card.back").last.bounding_box()
    watched.frame(watched.version + 1, beat(watched.version, "place", lit="zone-centre.99 plate-1", part=more))
    came = watched.page.evaluate("""() => { const each = document.getElementById("zone-centre.99");
      const fly = each.getAnimations().find((one) => !one.animationName); fly.pause(); fly.currentTime = 0;
      each.getAnimations().filter((one) => one !== fly).forEach((one) => one.cancel());
      const box = each.getBoundingClientRect(); return [box.x + box.width / 2, box.y + box.height / 2]; }""")
    assert abs(came[0] - deck["x"] - deck["width"] / 2) < 3 and abs(came[1] - deck["y"] - deck["height"] / 2) < 3


CUT_NUMBERS = """() => [...document.querySelectorAll(".roll")].filter((roll) => {
  const [one, other] = [roll, document.querySelector("#zone-pot b")].map((node) => getComputedStyle(node));
  const range = document.createRange(), room = roll.getBoundingClientRect();
  range.selectNodeContents(roll.querySelector("i:last-child"));
  return range.getBoundingClientRect().width > room.width + 1 || one.fontWeight !== other.fontWeight;
}).map((roll) => roll.outerHTML)"""


def test_chips_fly_from_the_seat_to_the_pot_and_numbers_run(visit):
    watched = ready(visit, "blackstone-middle-dark")
    score = watched.page.evaluate("(document.getElementById('score') ?? document.getElementById('felt')).outerHTML")
    chips = re.search(r'id="zone-chips-1".*?<b>(\d+)</b>', score, re.DOTALL)
    pot = re.search(r'id="zone-pot".*?<b>(\d+)</b>', score, re.DOTALL)
    assert chips and pot
    paid = score.replace(chips[0], chips[0].replace(f"<b>{chips[1]}<", f"<b>{int(chips[1]) - 5}<"))
    paid = paid.replace(pot[0], pot[0].replace(f"<b>{pot[1]}<", f"<b>{int(pot[1]) + 5}<"))
    watched.frame(watched.version + 1, beat(watched.version, "chips", lit="zone-chips-1 zone-pot", part=paid))
    assert watched.page.locator(".piece.coin").count() == 5
    assert watched.page.locator(".gain").all_inner_texts() == ["+5"]
    assert watched.page.locator(".roll").first.locator("i").last.inner_text() == str(int(chips[1]) - 5)
    assert watched.page.evaluate(CUT_NUMBERS) == []


MORE = """() => { const felt = document.getElementById("felt").cloneNode(true);
  for (const node of felt.querySelectorAll(".counted[id]:not(.icon-hand) dd > b"))
    node.textContent = Number(node.textContent) + 5;
  return felt.outerHTML; }"""
OVER_NAMES = """() => { const gains = [...document.querySelectorAll(".gain")];
  return gains.length && gains.filter((gain) => [0.1, 0.3, 0.7, 0.99].some((part) => {
    for (const each of gain.getAnimations()) each.currentTime = part * each.effect.getComputedTiming().endTime;
    const a = gain.getBoundingClientRect();
    const names = [...document.querySelectorAll(".plate .who b, #middle :is(.title, dt), #felt :is(.card, .heap)")]
      .filter((each) => each.checkVisibility({ visibilityProperty: true }));
    return names.map((each) => each.getBoundingClientRect()).some((b) =>
      b.left < a.right && b.right > a.left && b.top < a.bottom - 2 && b.bottom > a.top + 2); })).length === 0; }"""


@pytest.mark.parametrize("size", ["390x844", "844x390", "1280x720"])
@pytest.mark.parametrize(
    "name",
    ["blackstone-middle-dark", "hawthorn-middle-dark", "hawthorn-late-dark", "wolf-mans-curse-middle-dark"],
)
def test_what_is_gained_is_told_over_no_name_no_title_and_no_card(visit, name, size):
    wide, high = map(int, size.split("x"))
    watched = ready(visiting(visit, viewport={"width": wide, "height": high}), name)
    more = watched.page.evaluate(MORE)
    watched.frame(watched.version + 1, beat(watched.version, "chips", part=more))
    assert watched.page.evaluate(OVER_NAMES)


def at(watched: Watched, time: int) -> None:
    watched.page.evaluate(f"document.getAnimations().forEach((each) => {{ each.pause(); each.currentTime = {time}; }})")


def test_points_come_from_the_cards_that_scored_and_are_counted_when_they_are_there(visit):
    watched = ready(visit, "high-handed-middle-dark")
    ids = watched.page.locator(".cell.taken").evaluate_all("nodes => nodes.slice(0, 2).map((node) => node.id)")
    scored = beat(watched.version, "good", hold=400, lit=" ".join(ids)).removesuffix("</div>")
    more = beat(0, "chips", hold=600, lit="zone-score-1", part=watched.page.evaluate(MORE)).partition(">")[2]
    watched.frame(watched.version + 1, scored + more)
    assert watched.page.locator(".pieces > .line").count() == 1
    watched.wait(400)
    number, gain = (watched.page.locator(each).first for each in ("#zone-score-1 b", ".gain"))
    cells = [watched.page.locator(f"#{each}".replace(".", "\\.")).bounding_box() for each in ids]
    at(watched, 0)
    box, middle = gain.bounding_box(), cells[1]
    assert abs(box["x"] + box["width"] / 2 - middle["x"] - middle["width"] / 2) < 2
    assert watched.page.locator(".piece.coin").count() == 0
    at(watched, 299)
    box, there = gain.bounding_box(), number.bounding_box()
    assert abs(box["x"] - there["x"]) < 60 and abs(box["y"] - there["y"]) < 60
    rolls = "() => [...document.querySelectorAll('.roll > *')].map((node) => getComputedStyle(node).translate)"
    assert {*watched.page.evaluate(rolls)} <= {"none", "0px"}


def test_a_word_on_the_stage_is_never_wider_than_the_screen_and_seats_keep_their_old_numbers(visit):
    watched = ready(visiting(visit, viewport={"width": 390, "height": 844}), "hawthorn-middle-dark")
    old = watched.page.locator("#zone-chips-1 b").inner_text()
    stage = '<div class="decisive red"><p class="whom"></p><p class="word">Far too many cards!</p></div>'
    more = stage + watched.page.evaluate(MORE)
    watched.frame(watched.version + 1, beat(watched.version, "bad", lit="zone-chips-1 plate-1", part=more))
    at(watched, 0)
    assert watched.page.locator(".decisive .word").bounding_box()["width"] <= 390
    at(watched, 900)
    number = watched.page.locator("#zone-chips-1 b")
    assert number.evaluate("node => getComputedStyle(node).opacity") == "0"
    place, kept = number.bounding_box(), watched.page.locator(".pieces > .roll:not(.decisive ~ .roll)")
    shown = [(each.inner_text(), each.bounding_box()) for each in kept.all()]
    assert any(
        text == old and abs(box["x"] - place["x"]) < 20 and abs(box["y"] - place["y"]) < 20 for text, box in shown
    )


HIGHER = """() => { const felt = document.getElementById("felt").cloneNode(true);
  felt.querySelector("#zone-grave-1 .title b").textContent = 99;
  return felt.outerHTML; }"""
SHOWN = """() => { for (const each of document.getAnimations()) { each.pause(); each.currentTime = 300; }
  const roll = document.querySelector(".roll").getBoundingClientRect(), [one] = document.querySelectorAll(".roll i");
  return [one.textContent, one.getBoundingClientRect().top - roll.top]; }"""


def test_a_row_is_counted_when_its_card_has_landed(visit):
    watched = ready(visit, "cursed-hand-late-dark")
    was = watched.page.locator("#zone-grave-1 .title b").inner_text()
    watched.frame(watched.version + 1, beat(watched.version, "place", part=watched.page.evaluate(HIGHER)))
    assert watched.page.evaluate(SHOWN) == [was, 0] and watched.page.locator(".gain").count() == 0


def test_a_seat_says_what_it_does_for_the_beat_and_as_plain_text(visit):
    said = "I &lt;b&gt;fold&lt;/b&gt;."
    watched = begun(visit, "place", more=f'data-said="{said}" data-by="plate-1"')
    bubble, seat = watched.page.locator(".speech"), watched.page.locator("#plate-1").bounding_box()
    assert bubble.inner_text() == "I <b>fold</b>."
    box = bubble.bounding_box()
    assert seat["x"] - box["width"] - 8 < box["x"] < seat["x"] + seat["width"] + 8
    facts = watched.page.locator("#facts").bounding_box()  # nothing counted there is covered
    lowest = max(seat["y"] + seat["height"], facts["y"] + facts["height"])
    assert seat["y"] - box["height"] - 8 < box["y"] < lowest + 8
    watched.wait(1800)
    assert bubble.count() == 0


def test_a_skip_takes_all_that_flies_away(visit):
    watched = begun(visit, "torches", more='data-said="Fold." data-by="plate-1"')
    watched.page.keyboard.press("Escape")
    watched.settle()
    assert watched.page.locator(".pieces > *").count() == 0


def test_nothing_that_flies_is_read_aloud_or_can_be_hit(visit):
    page = begun(visit, "feast").page
    pieces = page.locator(".pieces")
    assert pieces.get_attribute("aria-hidden") == "true"
    assert pieces.evaluate("node => getComputedStyle(node).pointerEvents") == "none"


# --- nothing is laid out or painted anew ------------------------------------------------------------------------------
FRAMES = "async count => { for (let k = 0; k < count; k += 1) await new Promise(requestAnimationFrame); }"


def traced(browser: Any, page: Any, frames: int) -> list[str]:
    """What the page's renderer does in the next frames: the names of what it lays out and paints."""
    browser.start_tracing(page=page, categories=["devtools.timeline"])
    page.evaluate(FRAMES, frames)
    events = json.loads(browser.stop_tracing())["traceEvents"]
    return [each["name"] for each in events if each["name"] in {"Layout", "Paint"}]


@pytest.mark.parametrize(
    ("cue", "later", "still"),
    [(cue, "", True) for cue in ("growl", "torches", "curse", "feast", "flip", "chips")]
    + [("place", "hawthorn-late-dark", True), ("", "", False)],
)  # "later": cards fly to where they lie on that page; else numbers run
def test_no_layout_and_no_paint_after_the_first_frame_of_a_moment(visit, browser, cue, later, still):
    page, _ = muted(visit, later.replace("late", "middle") or NAME, clock=False)
    page.wait_for_function("() => window.opened?.length > 0 && document.querySelector('.pieces')")
    page.evaluate("document.getElementById('clock')?.remove()")
    animate(page, 0.001)
    felt = "html => new DOMParser().parseFromString(html, 'text/html').getElementById('felt').outerHTML"
    part = page.evaluate(felt, main_of(visit, later)) if later else page.evaluate(MORE)
    version = int(page.locator("#table").get_attribute("data-version"))
    page.evaluate("data => opened.at(-1).say('beats', data)", beat(version, cue, hold=2_000_000, part=part))
    page.evaluate(
        "data => opened.at(-1).say('table', data)",
        newer(page.locator("#table").evaluate("node => node.outerHTML"), version + 1),
    )
    page.evaluate(FRAMES, 4)
    assert page.evaluate("document.getAnimations().some((each) => !each.animationName)") or not cue
    if not still:
        page.evaluate(
            "setInterval(() => { document.querySelector('.lit').style.marginLeft = `${Date.now() % 9}px`; }, 50)"
        )
    assert (traced(browser, page, 60) == []) == still


def test_a_moment_styles_little_of_the_page_anew(visit, browser):
    page, _ = muted(visit, NAME, clock=False)
    page.wait_for_function("() => window.opened?.length > 0 && document.querySelector('.pieces')")
    version, whole = int(page.locator("#table").get_attribute("data-version")), page.locator("body *").count()
    news = newer(page.locator("#table").evaluate("node => node.outerHTML"), version + 1)
    browser.start_tracing(page=page, categories=["devtools.timeline"])
    page.evaluate(
        "data => opened.at(-1).say('beats', data)", beat(version, "growl", more='data-said="Grr" data-by="plate-1"')
    )
    page.evaluate("data => opened.at(-1).say('table', data)", news)
    page.locator(".caption").wait_for()
    events = json.loads(browser.stop_tracing())["traceEvents"]
    styled = [each["args"].get("elementCount", 0) for each in events if each["name"] == "UpdateLayoutTree"]
    print(whole, styled)
    assert 0 < sum(styled) < whole, (styled, whole)
