"""The puzzles of the day on the site: asked, answered once, explained, counted, and forgotten when asked to."""

import html
import re
from datetime import timedelta
from pathlib import Path

import pytest

from hexdeck.puzzles import DAYS, Collection, Puzzle, seat_names, shipped
from hexdeck.tables.daily import date_at
from hexdeck.tables.live import hand_of
from hexdeck.web.html import pages
from hexdeck.web.html.pages import PuzzleLine
from hexdeck.web.html.rendering import Site
from hexdeck.web.html.table_page import cards_in_note
from tests.web.serving import Person, Served, file_in, served


def of_today(site: Served) -> tuple[str, tuple[Puzzle, ...]]:
    day = date_at(site.state.registry.clock())
    return day.isoformat(), site.app.state.puzzles.pool.of_day(day)


def wrong(puzzle: Puzzle) -> str:
    return next(iter(puzzle.costs))


def answered(person: Person, path: str, move: str) -> str:
    answer = person.post(path, {"move": move})
    assert answer.status_code == 303 and answer.headers["location"] == path
    return html.unescape(person.get(path).text)


def test_three_a_day_are_asked_and_the_start_page_leads_there(site: Served) -> None:
    ann, (day, found) = Person(site.base), of_today(site)
    assert 'href="/puzzles"' in ann.get("/").text
    page = html.unescape(ann.get("/puzzles").text)
    assert re.search(r"These are of [A-Z]\w+day \d+ [A-Z]\w+, by this server's clock; time zone: ", page)
    assert page.count("Solve it") == len(found) == 3
    for number, puzzle in enumerate(found, 1):
        one = html.unescape(ann.get(f"/puzzles/{day}/{number}").text)
        offered = {*re.findall(r'name="move" value="([^"]+)"', one)}
        assert offered == {puzzle.best, *puzzle.costs}
        assert "one move is clearly the best" in one and "What happened last" in one


def test_no_card_is_marked_as_noted_ones_are_at_a_table_for_it_would_look_like_the_answer() -> None:
    for puzzle in shipped("black-hearts").puzzles:
        view = puzzle.match().view(puzzle.seat)
        hand = hand_of(view, view.zones)
        if hand and cards_in_note(hand):
            page = one_page(puzzle)
            assert "legal" in page and "marked" not in page
            return
    raise AssertionError("no card is noted in any puzzle")


def one_page(puzzle: Puzzle, lang: str = "en") -> str:
    names, lines = seat_names(puzzle, "You"), (PuzzleLine(puzzle.game, puzzle.players, None),)
    return pages.puzzle(Site(lang), "2026-11-26", 1, lines, puzzle.match().view(puzzle.seat), names)


def test_an_answer_is_judged_explained_and_counted_once(site: Served) -> None:
    ann, (day, found) = Person(site.base), of_today(site)
    right, other = f"/puzzles/{day}/1", f"/puzzles/{day}/2"
    told = answered(ann, right, found[0].best)
    assert "Right: " in told and "What each move brings" in told and "your move" in told
    assert len(re.findall(r"<li[^>]*><b>", told)) == len(found[0].costs) + 1 and 'name="move"' not in told
    told = answered(ann, other, wrong(found[1]))
    assert "Not this time" in told and "less than" in told
    assert "Not this time" in answered(ann, other, found[1].best)  # the first answer counts
    page = html.unescape(ann.get("/puzzles").text)
    assert "You have solved 1 of 2 puzzles" in page and page.count("Solve it") == 1 and "not solved" in page
    assert "You have solved" not in Person(site.base).get("/puzzles").text


def test_what_is_no_puzzle_or_no_move_is_refused(site: Served) -> None:
    ann, (day, _found) = Person(site.base), of_today(site)
    today = date_at(site.state.registry.clock())
    closed = [today + timedelta(1), today - timedelta(DAYS)]
    for path in (*(f"{each}/1" for each in closed), f"{day}/4", f"{day}/0", f"{day}/x", "yesterday/1", "2026-13-40/1"):
        assert ann.get(f"/puzzles/{path}").status_code == 404, path
        assert ann.post(f"/puzzles/{path}", {"move": "take"}).status_code == 404, path
    assert ann.get(f"/puzzles/{today - timedelta(DAYS - 1)}/1").status_code == 200
    for move in ("", "fly", "0"):
        assert ann.post(f"/puzzles/{day}/1", {"move": move}).status_code == 400
    assert "You have solved" not in ann.get("/puzzles").text


def test_answers_are_forgotten_by_themselves_and_with_all_tables(site: Served) -> None:
    ann, (day, found) = Person(site.base), of_today(site)
    path = f"/puzzles/{day}/1"
    for forget in ("/puzzles/forget", "/tables/leave"):
        answered(ann, path, found[0].best)
        assert "You have solved 1 of 1" in ann.get("/puzzles").text
        assert ann.post(forget).status_code == 303
        assert "You have solved" not in ann.get("/puzzles").text and 'name="move"' in ann.get(path).text


def test_a_seat_and_the_puzzles_belong_to_the_same_browser(site: Served) -> None:
    """Whoever answers first and then sits down keeps the token, and the count; a made-up token is never kept."""
    ann, eve, (day, found) = Person(site.base), Person(site.base), of_today(site)
    answered(ann, f"/puzzles/{day}/1", found[0].best)
    ann.begins({"game": "hawthorn"}, "/play")
    assert "You have solved 1 of 1" in ann.get("/puzzles").text and ann.page()
    made_up = "a" * 22
    eve.takes(made_up)
    eve.post(f"/puzzles/{day}/1", {"move": found[0].best})
    assert made_up not in [cookie.value for cookie in eve.http.cookies.jar if cookie.domain]


def test_answers_survive_a_restart(tmp_path: Path) -> None:
    with served(file_in(tmp_path)) as one:
        ann, (day, found) = Person(one.base), of_today(one)
        told = answered(ann, f"/puzzles/{day}/3", wrong(found[2]))
    with served(file_in(tmp_path)) as other:
        ben = Person(other.base)
        ben.takes(ann.token)
        assert html.unescape(ben.get(f"/puzzles/{day}/3").text) == told
        assert "You have solved 0 of 1" in ben.get("/puzzles").text


def test_a_server_without_puzzles_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hexdeck.puzzles.own_puzzles", lambda _game: ())
    with served(file_in(tmp_path)) as site:
        assert "This server has no puzzles." in Person(site.base).get("/puzzles").text


def test_a_file_of_the_keeper_adds_puzzles(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    one = shipped("hawthorn").puzzles[0]
    Collection("hawthorn", [one]).save(tmp_path / "mine.json")
    monkeypatch.setattr("hexdeck.puzzles.own_puzzles", lambda _game: ())
    with served(file_in(tmp_path), puzzles=(str(tmp_path / "mine.json"),)) as site:
        assert Person(site.base).get("/puzzles").text.count("Solve it") == 1
