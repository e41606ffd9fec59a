"""The workshop on a server: figures, limits, cancellation, mistakes told at their fields, tables of variants."""

import argparse
import asyncio
import html
import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, urlencode

import httpx
import pytest

import hexdeck
from hexdeck.cli.serve import has_workshop
from hexdeck.engine.play.game import GameSetup
from hexdeck.lab.sharing import LARGEST, from_link
from hexdeck.lab.workshop import Inquiry
from hexdeck.tables.errors import TooMany
from hexdeck.web import paper
from hexdeck.web.routes import site_pages
from hexdeck.web.routes import workshop as routes
from hexdeck.web.server import workshop
from hexdeck.web.server.settings import Limits
from hexdeck.web.server.workshop import Look, Variant, Workshop, read_wish
from tests.loops import alone, in_a_loop
from tests.settings import every_game
from tests.support import PATIENCE, for_each, until
from tests.web.serving import Person, Served, file_in, get, served

NOTES = "import sys\nfor line in sys.stdin: open(sys.argv[1], 'a').write(line)"  # a process that notes what it is told
SAYS = "import sys\nprint(sys.argv[1], flush=True)\nsys.stdin.read()"  # one that says a line
HOUSE = ("house",) * 3


def asked(**options: Any) -> Inquiry:
    return Inquiry(GameSetup.named("hawthorn", 3, **options), HOUSE)


# --- addresses --------------------------------------------------------------------------------------------------------
@every_game
def test_an_address_is_the_whole_variant(name: str) -> None:
    usual = GameSetup.at_table(name, 4)
    for game in (usual, *changed(usual)):
        variant = Variant(game, ("house", "random", "house", "house"))
        wish = read_wish(name, variant.query)
        assert (wish.variant, wish.faults) == (variant, {})
        assert wish.base == (None if game == usual else usual)
        pinned = read_wish(name, wish.query(pins=[variant], against="0"))
        assert (pinned.pins, pinned.variant) == ((variant,), variant)
    assert Variant(usual, ("house",) * 4).query == "players=4"


def changed(usual: GameSetup) -> Iterator[GameSetup]:
    for option in usual.rules.OPTIONS:
        for typed in ("1", "on", "off", "1-1-1-1-1", "1-1-1-1-1-1"):
            try:
                yield usual.variant(**{option.name: typed})
            except hexdeck.BadOption:
                continue


def test_a_variant_is_compared_with_a_pin_only_where_cards_can_be_the_same() -> None:
    pins = urlencode([("pin", "players=3&option-chips=50"), ("pin", "players=4"), ("pin", "option-chips=x")])
    wish = read_wish("hawthorn", f"players=3&option-chips=20&{pins}&against=0")
    assert [pin.game.players for pin in wish.pins] == [3, 4]
    assert wish.base is not None and wish.base.options["chips"] == 50
    assert [each.against for each in wish.asked[1:]] == [None, None]
    assert read_wish("hawthorn", f"players=3&option-chips=20&{pins}&against=1").base == GameSetup.at_table(
        "hawthorn", 3
    )
    assert read_wish("hawthorn", f"players=3&{pins}&against=9&bot=nobody").faults
    assert str(read_wish("hawthorn", "players=9").faults["players"]) == "hawthorn is for 2 to 8 players, not 9."


def test_options_that_cannot_be_played_together_are_told_at_one_of_them() -> None:
    wish = read_wish("high-handed", "players=6&option-rows=1&option-columns=1")
    assert wish.variant is None
    assert set(wish.faults) <= {"rows", "columns", "players"} and len(wish.faults) == 1


# --- limits and cancellation ------------------------------------------------------------------------------------------
def told(notes: Path) -> list[dict[str, str]]:
    return [json.loads(line) for line in notes.read_text().splitlines()] if notes.exists() else []


def test_whatever_nobody_looks_at_stops(tmp_path: Path) -> None:
    one, other, notes = asked(), asked(chips=50), tmp_path / "notes"

    async def visits() -> None:
        place = Workshop(Limits(), (sys.executable, "-c", NOTES, str(notes)))
        with place.looking([one, other], "here"), place.looking([one], "there"):
            assert place.process is not None
        assert not place.looks
        place.leave(place.begin([one], "here"))
        await asyncio.to_thread(until, lambda: len(told(notes)) == 6)
        process = place.process
        place.close()
        assert process.poll() is not None

    alone(visits())
    keys = [one.key, other.key]
    assert told(notes) == [
        {"start": keys[0]},
        {"start": keys[1]},
        {"stop": keys[0]},
        {"stop": keys[1]},
        {"start": keys[0]},
        {"stop": keys[0]},
    ]


def test_one_address_and_all_together_have_so_many_variants_and_no_more(tmp_path: Path) -> None:
    several = [asked(chips=chips) for chips in range(10, 16)]

    async def visits() -> None:
        limits = Limits(measured=4, measured_each=3, looks=3)
        place = Workshop(limits, (sys.executable, "-c", NOTES, str(tmp_path / "notes")))
        with place.looking(several[:3], "here"):
            with pytest.raises(TooMany, match="at your address"):
                place.begin(several[3:4], "here")
            with place.looking(several[:1], "here"):  # the same again is no more
                pass
            with place.looking(several[3:4], "there"), pytest.raises(TooMany, match="full"):
                place.begin(several[4:5], "elsewhere")
            with place.looking(several[4:5], "elsewhere"):  # who left makes room
                pass
        place.close()

    alone(visits())


@in_a_loop
async def test_a_process_that_ends_is_told_of_and_begun_again(tmp_path: Path) -> None:
    place = Workshop(Limits(), (sys.executable, "-c", "pass"))
    with place.looking([asked()], "here") as look:
        async with asyncio.timeout(PATIENCE):
            await look.news.wait()
        assert "has stopped" in str(place.jobs[asked().key].refused)
    place.command = (sys.executable, "-c", SAYS, json.dumps({"of": asked().key, "refused": "No."}))
    with place.looking([asked()], "here") as look:
        assert place.jobs[asked().key].refused is None
        async with asyncio.timeout(PATIENCE):
            await look.news.wait()
        assert str(place.jobs[asked().key].refused) == "No."
    place.close()


@in_a_loop
async def test_on_a_busy_computer_rules_are_not_taken_to_have_no_end(monkeypatch: pytest.MonkeyPatch) -> None:
    spent, passed, looks = [0.0], [0.0], list[None]()
    monkeypatch.setattr(workshop, "times_of", lambda _process: (looks.append(None), spent[0], passed[0])[1:])
    place = Workshop(Limits(), (sys.executable, "-c", "import sys; sys.stdin.read()"), drafts=True)
    place.patience = 0.01
    for clock, longest in ((spent, place.patience), (passed, workshop.LONGEST)):
        with place.looking([asked()], "here") as look:
            passed[0] += workshop.LONGEST
            looks.clear()
            await asyncio.to_thread(until, lambda: len(looks) > 10 or place.jobs[asked().key].refused)
            assert place.jobs[asked().key].refused is None
            clock[0] += longest + 1
            async with asyncio.timeout(PATIENCE):
                await look.news.wait()
            assert place.jobs[asked().key].refused == workshop.ENDLESS
        place.restart()
    place.close()


def test_a_stream_that_is_left_measures_no_more(site: Served, tmp_path: Path) -> None:
    place = site.app.state.workshop
    with httpx.stream("GET", f"{site.base}/workshop/high-handed/stream?players=6", timeout=PATIENCE) as answer:
        lines = answer.iter_lines()  # kept: the connection ends with it
        assert next(line for line in lines if line == "event: figures")
        assert len(place.looks) == 1
    until(lambda: not place.looks)
    with served(file_in(tmp_path)) as other:
        with httpx.stream("GET", f"{other.base}/workshop/hawthorn/stream", timeout=PATIENCE) as answer:
            events = answer.iter_lines()
            next(events)
            process = until(lambda: other.app.state.workshop.process)
            other.server.should_exit = True
            assert [*events][-2:] == ["data: {}", ""]  # the stream ends with the server
        until(lambda: process.poll() is not None)


# --- pages ------------------------------------------------------------------------------------------------------------
def test_without_a_script_figures_come_with_the_page(site: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    workshop, lingering = site.app.state.workshop, list[Look]()

    def linger(look: Look, seconds: float) -> None:
        assert seconds == routes.LINGERS
        for earlier in lingering:
            workshop.leave(earlier)
        lingering[:] = [look]

    monkeypatch.setattr(workshop, "linger", linger)
    ann = Person(site.base)
    page = ann.get("/workshop/hawthorn?players=3").text
    assert "The first games are being played" in page and 'id="headline"' not in page
    asked = "/workshop/hawthorn?players=3&option-fold_price=own&measure=1"
    page = until(lambda: "pairs of games" in (text := ann.get(asked).text) and text)
    assert 'http-equiv="refresh"' in page
    assert "Compared with the game as it is" in page and "Pairs that go differently" in page
    (last,) = lingering
    assert last in workshop.looks
    site.state.registry.loop.call_soon_threadsafe(workshop.leave, last)
    until(lambda: last not in workshop.looks)


def field(page: str, name: str) -> str:
    begin = page.index(f'data-option="{name}"')
    return page[begin : page.index("As the game is: ", begin)]


@pytest.mark.parametrize(
    ("game", "query", "name", "why"),
    [
        ("hawthorn", "option-chips=0", "chips", "(chips) can't be 0; it takes a whole number from 1 to 10,000."),
        ("black-hearts", "option-gift_copies=9&option-gift_copies=x", "gift_copies", "(gift_copies) can't be"),
        ("blackstone", "option-deck=99", "deck", "(deck) can't be '99'; it takes pairs, tiny"),
    ],
)
def test_a_mistake_is_told_at_its_field(site: Served, game: str, query: str, name: str, why: str) -> None:
    answer = Person(site.base).get(f"/workshop/{game}?players=4&{query}&measure=1")
    assert answer.status_code == 400
    there = html.unescape(field(answer.text, name))
    assert re.search(rf'<p class="fault" id="fault-{name}">[^<]*{re.escape(why)}', there)
    assert 'aria-invalid="true"' in there and f"fault-{name}" in re.findall(r'aria-describedby="([^"]*)"', there)[-1]
    assert answer.text.count("autofocus") == 1 and "autofocus" in there
    stream = get(f"{site.base}/workshop/{game}/stream?players=4&{query}").text
    assert why in json.loads(stream.partition("data: ")[2].partition("\n")[0])["faults"][name]


def test_several_numbers_have_a_cell_each_with_what_was_typed(site: Served) -> None:
    typed = urlencode([("option-curse_points", each) for each in ("1", "", "2", "77", "3", "4")])
    page = Person(site.base).get(f"/workshop/black-hearts?{typed}").text
    values = re.findall(r'name="option-curse_points"[^>]* value="([^"]*)"', page)
    assert values == ["1", "2", "77", "3", "4", ""]
    usual = Person(site.base).get("/workshop/blackstone").text
    assert re.findall(r'name="option-deck"[^>]* value="([^"]*)"', usual) == [str(each) for each in range(1, 11)]


def test_a_variant_is_played_at_a_table_with_its_options_and_bots(site: Served) -> None:
    ann = Person(site.base)
    page = ann.get("/workshop/hawthorn?players=3&option-chips=50&bot-1=sharp").text
    variant = html.unescape(re.findall(r'id="variant-query" value="([^"]*)"', page)[0])
    promise = re.findall(r'form="play" name="promise"[^>]* value="([^"]*)"', page)[0]
    ann.begins({"variant": variant, "promise": promise}, "/workshop/hawthorn/play")
    table = site.state.registry.tables[ann.table]
    assert table.game == hexdeck.game("hawthorn", 3, chips=50, deals=3)
    assert [seat.kind for seat in table.seats] == ["person", "bot", "bot"]
    assert table.seats[1].level == "sharp" and table.seats[2].level == "steady"
    again = ann.post("/workshop/hawthorn/play", {"variant": variant, "promise": promise})
    assert again.status_code == 409 and "Workshop" in again.text  # a promise is good for one deal
    wrong = ann.post("/workshop/hawthorn/play", {"variant": "option-chips=0"})
    assert dict(parse_qsl(wrong.headers["location"].partition("?")[2])) == {"option-chips": "0"}


def test_pins_stand_beside_and_can_be_left(site: Served) -> None:
    pin = urlencode({"pin": "players=3&option-chips=50"})
    page = html.unescape(Person(site.base).get(f"/workshop/hawthorn?players=3&option-chips=20&{pin}").text)
    links = re.findall(r'href="/workshop/hawthorn\?([^"]*)"', page)
    assert "players=3&option-chips=50" in links  # to the pin alone
    assert any("against=0" in link for link in links)
    assert "players=3&option-chips=20" in links  # without it
    assert any(link.count("pin=") == 2 for link in links)  # this one too


def test_a_server_may_have_no_workshop(tmp_path: Path, site: Served) -> None:
    assert 'href="/workshop"' in Person(site.base).get("/").text
    assert 'href="/workshop/hawthorn"' in Person(site.base).get("/rules/hawthorn").text
    with served(file_in(tmp_path), workshop=False) as closed:
        ann = Person(closed.base)
        assert "/workshop" not in ann.get("/").text + ann.get("/rules/hawthorn").text + ann.get("/new/hawthorn").text
        for path in ("/workshop", "/workshop/hawthorn", "/workshop/hawthorn/stream"):
            answer = ann.get(path)
            assert answer.status_code == 404 and "--workshop on" in answer.text
        assert ann.post("/workshop/hawthorn/play").status_code == 404
        assert closed.app.state.workshop.process is None


@for_each(
    ("given", "names", "is_open"),
    [(None, [], True), (None, ["cards.example.org"], False), ("on", ["cards.example.org"], True), ("off", [], False)],
)
def test_it_is_open_at_home_and_elsewhere_if_asked_for(given: str | None, names: list[str], is_open: bool) -> None:
    assert has_workshop(argparse.Namespace(workshop=given, allow_host=names)) == is_open


# --- sharing ----------------------------------------------------------------------------------------------------------
OWN = "players=3&option-fold_price=own"


def measured(site: Served, ann: Person, query: str) -> str:
    """The page of a variant that has figures."""
    return until(lambda: 'id="share"' in (text := ann.get(f"/workshop/hawthorn?{query}&measure=1").text) and text)


def test_a_variant_is_shared_by_a_link_and_by_a_file_played_printed_and_made_again(
    site: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    def document(_name: str, _lang: str, size: str, _parts: Any, variant: GameSetup) -> bytes:
        return f"{variant.options['fold_price']} on {size}".encode()

    monkeypatch.setattr(paper, "document", document)
    monkeypatch.setattr(site_pages, "printed", site_pages.printed.__wrapped__)
    ann, ben = Person(site.base), Person(site.base)
    assert ann.get(f"/workshop/hawthorn/file?{OWN}&option-chips=77").status_code == 404  # nothing is measured
    measured(site, ann, OWN)
    link = ann.get(f"/workshop/hawthorn/share?{OWN}").headers["location"]
    file = ann.get(f"/workshop/hawthorn/file?{OWN}")
    assert file.headers["content-disposition"] == 'attachment; filename="hawthorn-variant.json"'
    assert json.loads(file.text)["options"]["fold_price"] == "own"
    opened = ben.post("/shared", {"text": file.text})
    assert opened.status_code == 303 and opened.headers["location"].startswith("/shared?it=")
    page = html.unescape(ben.get(link).text)
    figures = from_link(link).figures
    assert "The price of folding is the lowest card: in your own row" in page
    assert f"Made with hexdeck {hexdeck.__version__}, seed 0: {figures.games:,} games." in page
    assert all(text in page for text in (*(row.value for row in figures.rows), *figures.found))
    assert ben.get(re.findall(r'id="print" href="([^"]*)"', page)[0]).text == "own on a4"
    again = until(lambda: "They agree" in (text := html.unescape(ben.get(f"{link}&again=1").text)) and text)
    assert f"They agree: all {len(figures.rows)} figures are the same." in again
    assert 'http-equiv="refresh"' not in again
    for letters, status in ((LARGEST, 303), (LARGEST + 1, 400), (LARGEST * 4, 413)):
        text = file.text + " " * (letters - len(file.text.encode()))
        answer = ben.post("/shared", {"text": text})
        assert answer.status_code == status
        assert (
            status == 303
            or f"at most {64 * 1024:,} bytes" in answer.text
            or f"more than {LARGEST:,} bytes" in answer.text
        )
    edited = json.loads(file.text)
    edited["figures"]["rows"][0] |= {"value": "50 %", "title": "<b>Seat</b>"}
    link = ben.post("/shared", {"text": json.dumps(edited)}).headers["location"]
    page = until(lambda: "They don&#39;t agree" in (text := ben.get(f"{link}&again=1").text) and text)
    assert "<b>Seat</b>" not in page
    ben.begins(
        {
            "variant": html.unescape(re.findall(r'name="variant" value="([^"]*)"', page)[0]),
            "promise": re.findall(r'name="promise"[^>]* value="([^"]*)"', page)[0],
        },
        "/workshop/hawthorn/play",
    )
    assert site.state.registry.tables[ben.table].game.options["fold_price"] == "own"


@for_each(
    ("text", "why"), [("{", "is damaged"), ("", "is damaged"), ('{"what": "variant", "hexdeck": "7"}', "is damaged")]
)
def test_a_broken_file_is_refused_in_one_sentence(site: Served, text: str, why: str) -> None:
    answer = Person(site.base).post("/shared", {"text": text})
    assert answer.status_code == 400 and why in html.unescape(answer.text)
    page = Person(site.base).get("/shared?it=x", "nl")
    assert page.status_code == 400 and '<html lang="en"' in page.text  # the page is in one language, as all there
    assert 'name="text"' in Person(site.base).get("/shared").text
