"""`hexdeck analyse`: what a seat could expect at each decision and what its moves cost, printed and as a page."""

import functools
import random
import re
import xml.dom.minidom
from dataclasses import replace
from pathlib import Path

import pytest

import hexdeck
from hexdeck.bots.advice import analysis, hints
from hexdeck.bots.advice.analysis import (
    COSTLY,
    SAME,
    Decision,
    cost_text,
    costliest,
    decision_plies,
    decisions,
    summary,
    turning_point,
)
from hexdeck.bots.players.kinds import SolvedBot
from hexdeck.bots.players.roster import bot
from hexdeck.bots.worlds import Worlds
from hexdeck.engine.play.match import Match
from hexdeck.engine.play.record import Record
from hexdeck.engine.study import CHIPS
from hexdeck.engine.text import say
from tests.people import ANY_MOVES, Room
from tests.settings import GAMES, data, every_game, much
from tests.support import cards, for_each, play

BACKEND = "interpreted"
QUICK = ("--games", "4")
ADDRESS = re.compile(r"https?:|//|\bsrc=|\bhref=|url\(|@import|<script|<link", re.IGNORECASE)


@pytest.fixture(autouse=True)
def _few_worlds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(analysis, "Worlds", functools.partial(Worlds, count=8))


def blundered() -> tuple[Match, int]:
    """A match at Hawthorn in which Ann plays a pair on purpose though another card makes none; and when."""
    match = hexdeck.game("hawthorn", 2, hand_cards=3).match(by_hand=True, backend=BACKEND, names=["Ann", "Bob"])
    play(match, cards(9, 10, 9, 8, 3, 7), "0: show 9, 1: show 10, 0: take, card 1, 1: take, card 2")
    ply = match.length
    play(match, "0: play 9")
    while not match.over:
        play(match, "1: fold" if match.acting == (1,) else "0: fold")
    return match, ply


def finished(name: str, path: Path, ann: str = "Ann") -> Path:
    """The record of a match of house bots, seat 0 of which passes for a person."""
    game = hexdeck.game(name, data(name)["players"][0])
    match = game.match(5, backend=BACKEND)
    seats = [bot("house", game, seat, BACKEND) for seat in range(game.players)]
    while not match.over:
        seat = match.acting[0]
        match.play(seat, seats[seat].choose(match.concealed(seat), seat))
    chairs = [{"name": ann}, *({"name": f"Bot {k}", "bot": "house"} for k in range(1, game.players))]
    Record.of(match, chairs).save(path)
    return path


def decided(**how: object) -> Decision:
    asked = Decision(3, say("Which?"), say("this"), say("that"), None, False, 0.5, 0.2, 0.3, 0.1)
    return replace(asked, **how)  # type: ignore[arg-type]


# --- what is found ----------------------------------------------------------------------------------------------------
def test_a_plainly_bad_move_costs_most() -> None:
    match, ply = blundered()
    found = list(decisions(match, 0, decision_plies(match, 0), games=60))
    worst = costliest(found)[0]
    assert (worst.ply, worst.verdict, str(worst.best)) == (ply, COSTLY, "Play the 3")
    assert worst.cost > worst.margin > 0 and worst.cost == pytest.approx(worst.best_value - worst.played_value)


def test_nothing_is_judged_by_hindsight() -> None:
    match, ply = blundered()
    short = match.copy()
    short.go(ply + 1)
    short.cut()
    now, then = (next(iter(decisions(each, 0, [ply], games=8))) for each in (match, short))
    assert now == then
    match.go(ply)
    world = match.resample(0, 3)
    world.play(0, "play 9")
    other = next(iter(decisions(world, 0, [0], games=8)))
    assert (other.best_value, other.played_value, other.cost, other.margin) == (
        now.best_value,
        now.played_value,
        now.cost,
        now.margin,
    )


def test_exactly_best_moves_cost_nothing_where_a_game_is_solved(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hints, "SOLVING", (BACKEND,))
    match, found = hexdeck.game("blackstone", 3).match(100, backend=BACKEND), []
    solved, rng = SolvedBot(match.game), random.Random(1)
    while not match.over:
        seat = match.actor
        best = solved.choose(match.concealed(seat), seat)
        match.play(seat, best if seat else rng.choice(match.legal_ids(seat)))
    for seat in (1, 2):
        found += list(decisions(match, seat, decision_plies(match, seat), games=4))
    assert len(found) > 3 and {each.verdict for each in found} == {SAME}
    poor = list(decisions(match, 0, decision_plies(match, 0), games=4))
    assert {each.margin for each in poor} == {None} and {each.verdict for each in poor} >= {COSTLY}
    worst = costliest(poor)[0]
    assert "±" not in str(cost_text(worst, CHIPS)) and worst.cost == pytest.approx(
        worst.best_value - worst.played_value
    )
    assert "Results without ± are exact" in " ".join(map(str, summary(match, 0, poor)))


def test_what_is_too_close_to_call_is_no_move_that_cost_most_and_no_turning_point() -> None:
    sure, unsure, little = decided(cost=0.2), decided(cost=0.9, margin=1.0), decided(cost=0.15)
    free = decided(cost=0.0), decided(cost=-0.2), decided(same=True)
    assert costliest([unsure, *free, little, sure]) == [sure, little]
    assert turning_point([unsure, *free, little, sure]) == sure
    assert costliest([unsure, *free]) == [] and turning_point([unsure, *free]) is None


# --- what is printed --------------------------------------------------------------------------------------------------
@every_game
def test_a_match_is_told_in_80_columns(name: str, room: Room, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = finished(name, tmp_path / "r.json")
    looked = slice(0, 5, much(4, 2))
    monkeypatch.setattr(analysis, "decision_plies", lambda match, seat: decision_plies(match, seat)[looked])
    for lang in much([("en", "nl")[GAMES.index(name) % 2]], ["en", "nl"]):
        said = room.hexdeck("analyse", str(path), *QUICK, "--lang", lang)
        assert (said.status, said.err) == (0, "")
        assert all(len(line) <= 80 for line in said.out.splitlines())
        assert ("Expected result" in said.out) == (lang == "en") and "Ann" in said.out
        assert ("Verwachte uitslag" in said.out) == (lang == "nl")


def test_the_worst_move_is_told_with_what_was_better(room: Room, tmp_path: Path) -> None:
    match, ply = blundered()
    match.record().save(tmp_path / "r.json")
    said = room.hexdeck("analyse", str(tmp_path / "r.json"), "--seat", "1", "--games", "60")
    assert "clearly better move" in said.out and "The end: Ann ended with" in said.out
    head = said.out[said.out.index("The moves that cost most:") :]
    assert re.search(rf"^ +{ply}  Play a card from your hand", head, re.MULTILINE)
    assert "Ann chose: Play the 9: a pair, and you're out" in head and "Better: Play the 3" in head
    assert re.search(r"The choice cost [\d.]+ ±[\d.]+ chips\.", head)
    assert f"--seat 1 --ply {ply} shows the table" in " ".join(head.split())


def test_without_a_seat_the_first_person_is_meant_and_any_bot_may_propose(room: Room, tmp_path: Path) -> None:
    path = finished("hawthorn", tmp_path / "r.json")
    assert "the moves of Ann," in room.hexdeck("analyse", str(path), *QUICK).out
    assert "the moves of Bot 1," in room.hexdeck("analyse", str(path), *QUICK, "--seat", "2", "--bot", "house").out


def test_who_gave_no_name_is_told_of_by_number_in_any_language(room: Room, tmp_path: Path) -> None:
    """A record keeps "You" as a name; "the moves of You" would be nobody's English."""
    for you in ("You", "Jij"):
        path = finished("hawthorn", tmp_path / "r.json", you)
        printed = room.hexdeck("analyse", str(path), *QUICK, "--page", str(tmp_path / "r.html")).out
        assert "the moves of Player 1," in printed and "The end: Player 1 " in printed and f"{you}." not in printed
        assert "<h1>Hawthorn: the match of Player 1</h1>" in (tmp_path / "r.html").read_text("utf-8")


def test_an_unfinished_match_can_be_analysed(room: Room) -> None:
    room.hexdeck("play", "hawthorn", "--seed", "3", typed=ANY_MOVES[:12])
    said = room.hexdeck("analyse", str(room.saved()[0]), *QUICK)
    assert said.status == 0 and "The match isn't finished." in said.out and "The end:" not in said.out


# --- the page ---------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("lang", ["en", "nl"])
def test_the_page_needs_nothing_else_and_takes_no_name_for_markup(lang: str, room: Room, tmp_path: Path) -> None:
    path, file = finished("hawthorn", tmp_path / "r.json", "<b>&A"), tmp_path / "page.html"
    said = room.hexdeck("analyse", str(path), *QUICK, "--page", str(file), "--lang", lang)
    text = file.read_text(encoding="utf-8")
    assert said.status == 0 and str(file) in said.err.replace("\n", "")
    assert text.startswith("<!DOCTYPE html>") and f'<html lang="{lang}">' in text
    found = xml.dom.minidom.parseString(text.partition("\n")[2])
    assert not ADDRESS.search(text) and "prefers-color-scheme: dark" in text
    assert not found.getElementsByTagName("b") and "&lt;b&gt;&amp;A" in text
    match = hexdeck.load(path, backend=BACKEND)
    assert len(found.getElementsByTagName("tr")) == 1 + len(decision_plies(match, 0))
    assert len(found.getElementsByTagName("polyline")) == 1


# --- bad input --------------------------------------------------------------------------------------------------------
@for_each(
    ("words", "sentence"),
    [
        (["--seat", "9"], "There is no seat 9; seats are 1 to"),
        (["--seat", "0"], "There is no seat 0; seats are 1 to"),
        (["--games", "1"], "--games can't be 1; it takes 2 to 1,000,000."),
        (["--bot", "nobody"], "There is no bot nobody; the levels are easy"),
        (["--page", "."], ". is a folder; name a file, such as out."),
    ],
)
def test_what_makes_no_sense_is_refused(words: list[str], sentence: str, room: Room, tmp_path: Path) -> None:
    said = room.hexdeck("analyse", str(finished("hawthorn", tmp_path / "r.json")), *words)
    assert (said.status, said.out) == (2, "") and sentence in said.err and said.err.count("\n") == 1


def test_a_page_never_takes_the_place_of_the_record_nor_makes_folders(room: Room, tmp_path: Path) -> None:
    path = finished("hawthorn", tmp_path / "r.json")
    before = path.read_bytes()
    for place, why in (
        (path, "RECORD and --page can't be the same file"),
        (tmp_path / "none" / "x", "can't be written"),
    ):
        said = room.hexdeck("analyse", str(path), *QUICK, "--page", str(place))
        assert said.status == 2 and why in said.err
    assert path.read_bytes() == before and [each.name for each in tmp_path.iterdir()] == ["r.json"]
