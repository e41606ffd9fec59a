"""Screens fit 80 × 24 at every ply, and can be read without colour and without anything beyond ASCII."""

import os
import random
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

import hexdeck
from hexdeck.engine.game import Game, game_module
from hexdeck.engine.match import Match
from hexdeck.engine.text import Seat, Text, say
from hexdeck.engine.view import Move, View, Zone
from hexdeck.terminal.catalogues import game_words
from hexdeck.terminal.screen import Screen
from tests.people import ANY_MOVES, Room
from tests.settings import GAMES, every_game, every_setting

GOLDEN = Path(__file__).parent / "golden"
NAMES = ["Wolfgang Amadeus", "Ada", "Bram", "Cleopatra", "Dirk", "Elsa", "Finn", "Gwendolyn", "Hugo", "Iris"]
COUNTS = [
    (name, players)
    for name in GAMES
    for players in range(game_module(name, "rules").PLAYERS[0], game_module(name, "rules").PLAYERS[1] + 1)
]


def screen(match: Match, lang: str = "en", colour: bool = True, fancy: bool = True, height: int = 24) -> Screen:
    """A screen of 80 columns for a match."""
    words = game_words(match.game.name, lang, match.names)
    return Screen(words, words.words(match.game.table.TITLE), 80, height, colour, fancy)


def screens(game: Game, seed: int, names: Sequence[str], **how: bool | str | int) -> Iterator[tuple[str, list[str]]]:
    """What every seat that acts is shown in a random match, and how it ends for everybody."""
    match, rng = game.match(seed, lane="interpreted", names=names[: game.players]), random.Random(seed)
    read = [0] * game.players
    drawn = screen(match, **how)  # type: ignore[arg-type]
    while not match.over:
        for seat in match.acting:
            lines = drawn.draw(match.view(seat), match.facts(seat, read[seat]))
            yield f"ply {match.ply}, seat {seat}", [line.plain for line in lines]
        seat = rng.choice(match.acting)
        read[seat] = match.ply
        match.play(seat, rng.choice(match.legal_ids(seat)))
    for seat in range(-1, game.players):
        lines = drawn.end(match.view(seat), match.facts(seat, read[seat]), match.returns(), 3)
        yield f"end, seat {seat}", [line.plain for line in lines]


def assert_fits(where: str, lines: list[str]) -> None:
    """80 columns; 24 lines with the one for the answer, or with those that tell where the record is."""
    below = 3 if where.startswith("end") else 1
    assert len(lines) + below <= 24, f"{where}: {len(lines)} lines\n" + "\n".join(lines)
    wide = [line for line in lines if len(line) > 80]
    assert not wide, f"{where}: {wide}"


# --- 80 × 24 ----------------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("fancy", [True, False], ids=["fancy", "ascii"])
@pytest.mark.parametrize("lang", ["en", "nl"])
@pytest.mark.parametrize(("name", "players"), COUNTS)
def test_every_screen_fits(name: str, players: int, lang: str, fancy: bool) -> None:
    for seed in range(2):
        for where, lines in screens(hexdeck.game(name, players), seed, NAMES, lang=lang, fancy=fancy, colour=fancy):
            assert_fits(where, lines)


@every_setting
def test_every_screen_fits_with_every_option(setting: Game) -> None:
    for where, lines in screens(setting, 3, NAMES, lang="nl"):
        assert_fits(where, lines)


@every_game
def test_where_there_is_room_news_and_empty_lines_stay(name: str) -> None:
    shown = list(screens(hexdeck.game(name, 3), 1, NAMES))
    assert all("" in lines for _, lines in shown)
    first = hexdeck.game(name, 3).match(1, lane="interpreted", names=NAMES[:3])
    told = first.facts(first.actor)
    lines = [line.plain for line in screen(first, height=60).draw(first.view(first.actor), told)]
    assert sum(line.startswith("  · ") for line in lines) == len(told)


def test_old_news_give_way_and_say_so() -> None:
    match = hexdeck.game("cursed-hand", 2).match(1, lane="interpreted", names=NAMES[:2])
    news = [Text(f"News {k}.") for k in range(50)]
    lines = [line.plain for line in screen(match).draw(match.view(0), news)]
    assert len(lines) == 23
    kept = [line for line in lines if "News" in line]
    assert kept == [f"  · News {k}." for k in range(50 - len(kept), 50)] and len(kept) >= 4
    assert "  … l shows the whole log" in lines


def cramped(height: int) -> list[str]:
    """A table of many seats on a screen of so many lines."""
    match = hexdeck.game("cursed-hand", 6).match(1, lane="interpreted", names=NAMES[:6])
    news = [Text(f"News {k}.") for k in range(9)]
    return [line.plain for line in screen(match, height=height).draw(match.view(0), news)]


def test_where_there_is_little_room_empty_lines_go_first_then_drawn_cards_then_news() -> None:
    heights = {height: cramped(height) for height in (30, 23, 19, 15)}
    assert "" in heights[30] and any("┌" in line for line in heights[30])
    assert "" not in heights[23] and any("┌" in line for line in heights[23])
    assert not any("┌" in line for line in heights[19]) and sum("News" in line for line in heights[19]) >= 3
    assert not any("News" in line for line in heights[15])
    for height, lines in heights.items():
        assert len(lines) <= height - 1
        assert "10  Put the 10" in lines[-1] and "Choose" in " ".join(lines)


# --- what is drawn ----------------------------------------------------------------------------------------------------
def view(*zones: Zone, moves: Sequence[Move] = (), players: int = 2) -> View:
    """A view of a made-up table from seat 0."""
    return View("x", 0, 0, players, (0,), False, say("Your turn."), zones, tuple(moves), (), (), ("Ann", "Ben"))


def plain(width: int = 80, fancy: bool = True, colour: bool = False) -> Screen:
    """A screen for made-up tables."""
    return Screen(game_words("cursed-hand", "en", ("Ann", "Ben")), "X", width, 24, colour, fancy)


def drawn(on: Screen, *zones: Zone, moves: Sequence[Move] = ()) -> list[str]:
    """Its lines."""
    return [line.plain.rstrip() for line in on.draw(view(*zones, moves=moves), [])]


def test_of_a_long_list_of_moves_only_the_ends_of_runs_are_shown() -> None:
    match = hexdeck.game("blackstone", 3, drawing="announced").match(1, lane="interpreted", names=NAMES[:3])
    seat = match.actor
    lines = [line.plain for line in screen(match).draw(match.view(seat), [])]
    most = len(match.legal(seat)) - 1
    assert len(lines) == 23 or len(lines) < 20
    shown = " ".join(" ".join(lines).split())
    assert f" 1 Draw 1 card, no more … {most} Draw {most} cards, no more {most + 1} Fold " in shown


def test_a_row_too_long_for_a_line_shows_each_kind_once() -> None:
    many = Zone("row", say("Row"), None, "row", tuple("7" * 9 + "8" * 15 + "9"))
    assert "  Row [7]×9 [8]×15 [9]" in drawn(plain(), many)
    assert "  Row [7]x9 [8]x15 [9]" in drawn(plain(fancy=False), many)
    assert "  Row " + "[7]" * 9 in drawn(plain(), Zone("row", say("Row"), None, "row", tuple("7" * 9)))


def test_a_hand_too_wide_to_be_drawn_stands_in_a_line() -> None:
    hand = Zone("hand", say("Hand"), 0, "fan", tuple("7" * 40))
    assert "  Hand [7]×40" in drawn(plain(), hand)


def test_backs_counts_and_notes_are_shown() -> None:
    zones = [
        Zone("a", say("Hand"), 1, "fan", hidden=3), Zone("b", say("Deck"), None, "pile", hidden=20),
        Zone("c", say("Chips"), 1, "count", count=0), Zone("d", say("Row"), 0, "row", ("3", "10"), count=13),
        Zone("e", say("Ghost"), None, "fan", ("2",), hidden=2, note=say("passed by {seat}", seat=Seat(1))),
        Zone("f", say("Empty"), None, "row"), Zone("g", say("Pile"), None, "pile", ("2", "3", "3")),
    ]  # fmt: skip
    lines = "\n".join(drawn(plain(), *zones))
    for part in (
        "  Ben Hand ▒▒▒ 3   Chips 0", "Deck ▒▒▒▒▒▒▒▒ 20", "▸ Ann Row [3][10] (13)", "Ghost [2]▒▒ 2 · passed by Ben",
        "Empty –", "Pile 2, 3×2",
    ):  # fmt: skip
        assert part in lines, lines


def test_the_seat_whose_screen_it_is_is_named_and_marked_when_it_acts() -> None:
    assert "▸ Ann" in "\n".join(drawn(plain())) and "▸ Ben" not in "\n".join(drawn(plain()))
    assert "> Ann" in "\n".join(drawn(plain(fancy=False)))


def test_moves_stand_in_columns_and_long_ones_wrap() -> None:
    short = [Move(k, f"take {k} {k}", Text(f"Take {k}")) for k in range(12)]
    lines = drawn(plain(), moves=short)
    assert [line.count("Take") for line in lines[-3:]] == [4, 4, 4]
    long = [Move(0, "a", Text("word " * 30)), Move(1, "b", Text("B"))]
    assert all(len(line) <= 80 for line in drawn(plain(), moves=long))


def test_nothing_beyond_ascii_is_drawn_where_the_terminal_knows_no_more() -> None:
    for name in GAMES:
        for where, lines in screens(hexdeck.game(name, 3), 1, NAMES, fancy=False, colour=False):
            assert all(line.isascii() for line in lines), (where, lines)


@every_game
def test_no_colour_loses_no_word(name: str) -> None:
    bright, dull = (screens(hexdeck.game(name, 3), 2, NAMES, colour=colour, height=60) for colour in (True, False))
    for (where, one), (_, other) in zip(bright, dull, strict=True):
        assert words(one) == words(other), where


def words(lines: list[str]) -> list[str]:
    """What stands in lines, however it is set off."""
    return re.findall(r"[^\s\[\]]+", " ".join(lines).replace("]", "] "))


# --- as snapshots -----------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("lang", ["en", "nl"])
@every_game
def test_a_whole_match_looks_as_it_did(name: str, lang: str, room: Room) -> None:
    """To renew what is expected: UPDATE_GOLDEN=1 make test ARGS="tests/terminal -k looks_as_it_did"."""
    said = room.hexdeck("play", name, "-n", "3", "--seed", "12", "--lang", lang, typed=ANY_MOVES)
    shown = re.sub(r"\S*finished\S*", "FILE", said.out.replace("\n" + str(room.home), " " + str(room.home)))
    path = GOLDEN / f"{name}.{lang}.txt"
    if os.environ.get("UPDATE_GOLDEN"):
        path.parent.mkdir(exist_ok=True)
        path.write_text(shown, encoding="utf-8")
    assert shown == path.read_text(encoding="utf-8")
