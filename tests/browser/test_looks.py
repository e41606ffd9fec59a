"""What people see, in a real browser: accessible, no sideways scrolling, large enough to touch."""

import random
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import axe_playwright_python
import gallery
import pytest

import hexdeck
from hexdeck.bots.advice.analysis import Decision
from hexdeck.cli.analyse import page as written
from hexdeck.engine.discovery.definition import definition
from hexdeck.engine.discovery.finding import game_names, game_words
from hexdeck.engine.play.coach import course_of, kind_at
from hexdeck.engine.play.match import Match
from hexdeck.engine.play.score import score_sheet
from hexdeck.engine.study import CHIPS
from hexdeck.engine.text import say
from hexdeck.engine.view import Move
from hexdeck.web.html import games, rendering, table_page
from hexdeck.web.html.games import rules_html
from hexdeck.web.html.rendering import FOLDER, Site, TablePage
from hexdeck.web.routes import presenters
from tests.browser.conftest import Shown
from tests.settings import every_game
from tests.support import play_out

TABLES = [
    f"{game}-{state}" for game in game_names() for state in ("early", "middle", "late", "watched", "over", "replay")
]
LEARNED = [f"{game}-{page}" for game in game_names() for page in ("rules", "example")]
WIDE = "() => document.documentElement.scrollWidth"
KINDS = [
    "start",
    "new",
    "waiting",
    "cursed-hand-middle",
    "black-hearts-tv",
    "curtain",
    "hawthorn-over",
    "hawthorn-rules",
]
SMALL = """() => [...document.querySelectorAll("button, summary, select, input:not([type=hidden]), a.button, a.plain")]
  .filter((node) => node.offsetParent && node.checkVisibility() && !node.closest(".pick"))
  .map((node) => [node.id || node.textContent.trim(), node.closest("label") ?? node])
  .map(([name, node]) => [name, node.getBoundingClientRect()])
  .filter(([, box]) => box.width && (box.width < 43.5 || box.height < 43.5))
  .map(([name, box]) => [name, box.width, box.height])"""


@pytest.fixture(scope="module")
def axe() -> str:
    return (Path(axe_playwright_python.__file__).parent / "axe.min.js").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def phone(browser) -> Iterator[Any]:
    context = browser.new_context(viewport={"width": 360, "height": 640}, java_script_enabled=True)
    yield context.new_page()
    context.close()


def violations(page: Any, axe: str, asked: dict[str, Any]) -> list[Any]:
    page.evaluate(axe)
    found = page.evaluate("asked => axe.run(document, asked)", {"resultTypes": ["violations"]} | asked)["violations"]
    return [(each["id"], [node["html"][:160] for node in each["nodes"]][:3]) for each in found]


def assert_accessible(page: Any, shown: Shown, axe: str, name: str) -> None:
    page.goto(f"{shown.address}/{name}.html")
    assert page.evaluate(WIDE) <= 360, name
    page.locator("details").evaluate_all("all => all.forEach((node) => { node.open = true })")
    # the pages of both themes differ in their theme only, so that all but colours is looked for in one of them
    assert violations(page, axe, {"runOnly": ["color-contrast"]} if name.endswith("-dark") else {}) == [], name


@pytest.mark.usual
@pytest.mark.parametrize(
    "name", [*(f"{kind}-light" for kind in KINDS), "hawthorn-rules-light", "wolf-mans-curse-middle-dark"]
)
def test_axe_finds_nothing(phone, shown, axe, name):
    assert_accessible(phone, shown, axe, name)


def test_axe_finds_nothing_on_any_page(phone, shown, axe):
    dark = [name for name in shown.names if name.endswith("-dark")]
    for name in [name for name in shown.names if name.endswith("-light")] + dark[::2]:
        assert_accessible(phone, shown, axe, name)


@pytest.mark.parametrize("size", ["1280x800", "844x390"])
@pytest.mark.parametrize("name", ["black-hearts-middle-light", "blackstone-over-dark", "coached-light"])
def test_axe_finds_nothing_on_a_desktop_and_on_a_phone_on_its_side(visit, axe, name, size):
    wide, high = map(int, size.split("x"))
    page = visit(name, viewport={"width": wide, "height": high})
    page.evaluate("for (const id of ['bell', 'sound']) document.getElementById(id).hidden = false")
    assert violations(page, axe, {}) == []


@pytest.mark.parametrize("players", [4, 8])
def test_every_number_of_a_wide_score_sheet_can_be_read_on_a_phone(phone, shown: Shown, players: int):
    match, rng = hexdeck.game("wolf-mans-curse", players).match(2, backend="interpreted"), random.Random(2)
    play_out(match, rng)
    match.names = tuple(f"Wilhelmina {seat}" for seat in range(players))
    sheet = score_sheet(match)
    sums = tuple(tuple(11 + total[seat] for total in sheet.totals) for seat in range(players))
    columns = presenters.columns_of((), players)
    lines = tuple(
        rendering.ScoreLine(row.number, tuple(zip(*map(zip, row.gains, row.totals), strict=True))) for row in sheet.rows
    )
    ids, titles = zip(*sheet.titles, strict=True)
    widest = rendering.Scores(columns, ids, lines, sums, (), (), False, False, sheet.unit, titles)
    html = table_page.table(replace(gallery.table_of(match, Site("en")), scores=widest))
    phone.goto(f"{shown.address}/{shown.add(f'sheet-{players}', html)}.html")
    cut = "all => all.filter((cell) => cell.scrollWidth > cell.clientWidth).length"
    assert phone.locator("#sheets tfoot td").count() == 4 * players
    assert phone.locator("#sheets td").evaluate_all(cut) == 0
    assert phone.evaluate("() => document.documentElement.scrollWidth") == 360


@pytest.fixture(scope="module")
def analysis(tmp_path_factory) -> str:
    """The address of a page that `hexdeck analyse` writes."""
    match = hexdeck.game("hawthorn", 2).match(1, backend="interpreted", names=["Ann", "Bob"])
    asked = say("Choose the first card of your row. All are turned up together; the lowest goes first.")
    better = say("Another player holds a lower card in {n} of 100 possible deals, and can go first.", n=81)
    worths = [-3.0, 4.0, 12.0, -58.0]
    found = [
        Decision(7 * k, asked, say("this"), say("that"), better, False, worth, worth - 1, 1.0, 0.5)
        for k, worth in enumerate(worths)
    ]
    file = tmp_path_factory.mktemp("analysis") / "page.html"
    file.write_text(written(match, 0, found, CHIPS, game_words("hawthorn", "nl", match.names)), encoding="utf-8")
    return file.as_uri()


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("width", [360, 1200])
def test_an_analysis_can_be_read_on_any_screen(browser, axe, analysis: str, width: int, theme: str):
    context = browser.new_context(viewport={"width": width, "height": 800}, color_scheme=theme)
    shown = context.new_page()
    shown.goto(analysis)
    right = shown.evaluate(
        """() => Math.max(document.documentElement.scrollWidth, ...[...document.querySelectorAll("main :not(thead *)")]
          .map((node) => node.getBoundingClientRect().right))"""
    )
    plot, span = (shown.locator(each).first.bounding_box() for each in (".plot svg", ".plot text"))
    found = violations(shown, axe, {})
    context.close()
    assert right <= width and plot["height"] >= 150 and plot["x"] >= span["x"] + span["width"]
    assert span["x"] >= 0 and span["height"] >= 12
    assert found == []


TOUCHED = [*TABLES[1::6], *TABLES[5::6], *LEARNED]


@pytest.mark.parametrize("name", [*TOUCHED, "start", "new", "waiting", "hinted", "coached", "scored", "analysed"])
def test_everything_can_be_touched(phone, shown, name):
    phone.goto(f"{shown.address}/{name}-light.html")
    assert phone.evaluate(SMALL) == []


CUT = """() => [...document.querySelectorAll("[id^=seat-]")].flatMap((select) => {
  const pen = document.createElement("canvas").getContext("2d");
  const { font, paddingLeft, paddingRight } = getComputedStyle(select);
  pen.font = font;
  const room = select.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight) - 20;
  return [...select.options].map((each) => each.text).filter((text) => pen.measureText(text).width > room);
})"""


def test_who_sits_on_a_seat_is_chosen_by_words_that_are_not_cut_off(visit):
    page = visit("new-light")
    assert page.locator("[id^=seat-]").count() == 2
    assert page.evaluate(CUT) == []
    page.locator("#how-well summary").click()
    assert "Hard: " in page.locator(".levels").inner_text()


@pytest.mark.parametrize("name", [name for name in TABLES if name.startswith("high-handed")][:3])
def test_cells_of_a_board_of_eight_fit_a_phone(visit, name):
    boxes = visit(f"{name}-dark").evaluate(
        """() => [...document.querySelectorAll('.cell')].map((cell) => cell.getBoundingClientRect())
          .map((box) => [box.left, box.right, box.height])"""
    )
    assert len(boxes) == 64
    assert min(left for left, _, _ in boxes) >= 0
    assert max(right for _, right, _ in boxes) <= 360
    assert min(height for _, _, height in boxes) >= 43.5


SEEN = """() => Object.fromEntries([...document.querySelectorAll("#middle .zone, .board, .hand")].map((zone) => {
  const box = zone.getBoundingClientRect(), over = zone.closest("#mine") ? "#seats" : "#mine, #seats";
  const spots = [...Array(64).keys()].map((k) =>
    [box.left + box.width * (k % 8 + 0.5) / 8, box.top + box.height * ((k >> 3) + 0.5) / 8]);
  const seen = spots.filter(([x, y]) => {
    const top = x >= 0 && y >= 0 && x < innerWidth && y < innerHeight && document.elementFromPoint(x, y);
    return top && !top.closest(over);
  });
  return [zone.id, seen.length / spots.length];
}))"""


def own_turns(game: str, players: int) -> Iterator[TablePage]:
    match = gallery.played(game, players, 11)
    for part in (0, 0.2, 0.45, 0.65, 0.85):
        gallery.turn(match, part)
        if not match.over:
            yield gallery.table_of(match, Site("en", "dark"))


SIZES = [(most, size) for most in (0, 1) for size in ("390x844", "844x390")]


@pytest.mark.parametrize(("game", "most", "size"), [(game, *how) for game in game_names() for how in SIZES])
def test_what_is_played_is_seen_together_with_the_own_hand(visit, shown, game, most, size):
    """On a phone, upright and on its side."""
    wide, high = map(int, size.split("x"))
    page = visit(shown.names[0], viewport={"width": wide, "height": high})
    hidden, looked = [], 0
    for turn in own_turns(game, definition(game).rules.PLAYERS[most]):
        page.goto(
            f"{shown.address}/{shown.add(f'turn-{game}-{len(turn.seats)}-{turn.version}', table_page.table(turn))}.html"
        )
        seen = page.evaluate(SEEN)
        looked += len(seen)
        least = dict.fromkeys(seen, 0.85)
        hidden += [(turn.version, name, part) for name, part in seen.items() if part < least[name]]
        assert page.evaluate("document.documentElement.scrollWidth") <= wide
    assert looked
    assert hidden == []


def test_the_hand_leaves_the_table_in_sight_on_a_phone(visit, shown):
    """What is one's own, what is asked, the buttons and the hand leave more than half of the screen."""
    page, covered = visit(shown.names[0], java_script_enabled=False), {}
    for game in game_names():
        for turn in own_turns(game, definition(game).rules.PLAYERS[1]):
            name = shown.add(f"turn-{game}-{len(turn.seats)}-{turn.version}", table_page.table(turn))
            page.goto(f"{shown.address}/{name}.html")
            covered[game, turn.version] = page.locator("#mine").bounding_box()["height"] / 640
    assert {key: part for key, part in covered.items() if not 0 < part < 0.5} == {}


CODES = "all => all.map((node) => node.dataset.code)"
LIES = """() => Object.fromEntries(["hint", "coach", "hand", "prompt", "actions"].map((id) => {
  const box = document.querySelector(`#${id}, .${id}`)?.getBoundingClientRect();
  return [id, box && [box.left, box.top, box.right, box.bottom]];
}))"""


def taught(match: Match, site: Site) -> TablePage:
    """The page of seat 0 where its coach explains something first."""
    course = course_of(match)
    for ply in range(match.length):
        match.go(ply)
        kind = kind_at(match, 0) if 0 in match.acting else None
        if course and kind:
            lesson = replace(course.lessons[kind](match.knowledge(0), 0), aim=course.aim)
            return replace(gallery.table_of(match, site), hints=True, coached=True, lesson=lesson)
    raise AssertionError(match.game.name)


@every_game
def test_hint_and_coach_lie_over_the_felt_of_a_phone_on_its_side_and_the_best_cards_are_ringed(visit, shown, name):
    match, site = gallery.played(name, 4, 7), Site("en", "dark")
    hinted = gallery.hinted(match, site)
    best, cards = match.view(0).moves[0], name in {"black-hearts", "wolf-mans-curse", "hawthorn", "cursed-hand"}
    found, ringed = {}, []
    for state, page in (("coached", taught(match, site)), ("plain", replace(hinted, hint=None)), ("hinted", hinted)):
        page_name = shown.add(f"{state}-{name}", table_page.table(page))
        opened = visit(page_name, viewport={"width": 844, "height": 390})
        found[state], ringed = opened.evaluate(LIES), opened.locator(".advised").evaluate_all(CODES)
    below = [part for part in ("hand", "prompt", "actions") if found["plain"][part] and any(found["plain"][part])]
    assert [found["plain"][part] for part in below] == [found["hinted"][part] for part in below]
    for box, state in (("hint", "hinted"), ("coach", "coached")):
        _, top, right, bottom = found[state][box]
        for part in below:
            assert right <= found[state][part][0] or bottom <= found[state][part][1], (box, part)
        assert top >= 0 and bottom <= 390
    assert ringed and (not cards or sorted(ringed) == sorted(codes_of(best)))


def codes_of(move: Move) -> tuple[str, ...]:
    args = move.label.args
    codes: tuple[str, ...] = (args.get("cards") or args["card"]).codes
    return codes


def test_the_hand_stays_in_sight(visit):
    page = visit("black-hearts-middle-dark")
    page.evaluate("() => window.scrollTo(0, 150)")
    mine = page.locator("#mine").bounding_box()
    assert mine["y"] + mine["height"] <= 641


def test_own_script_is_short():
    lines = {
        file.name: len(file.read_text(encoding="utf-8").splitlines())
        for file in FOLDER.glob("*.js")
        if file.name != "idiomorph.js"
    }
    assert lines["table.js"] + lines["hint.js"] <= 400  # without which a table doesn't go on by itself
    assert lines["moments.js"] + lines["sound.js"] < 300  # without which it is only still
    assert lines["workshop.js"] <= 120  # without which Measure asks for figures
    assert sum(lines.values()) < 1300


@pytest.mark.parametrize("lang", ["en", "nl"])
def test_rules_can_be_linked_to_by_their_ids(lang):
    for game in game_names():
        html = rules_html(game, lang, "")
        for option in (field for _title, group in games.option_groups(game, lang, 4, {}) for field in group):
            assert not option.rule or f'id="{option.rule}"' in html, (game, option.rule)
