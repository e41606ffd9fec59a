"""Screens fit 80 × 24 at every ply, and can be read without colour and without anything beyond ASCII."""

import os
import random
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from rich.console import Console

import hexdeck
from hexdeck.engine.discovery.definition import definition
from hexdeck.engine.discovery.finding import game_words
from hexdeck.engine.play.match import Match
from hexdeck.engine.play.score import headlines
from hexdeck.engine.text import Cards, Seat, Text, say
from hexdeck.engine.view import Move, View, Zone
from hexdeck.simulation.game import Game
from hexdeck.terminal.screen import Screen
from tests.people import ANY_MOVES, Room, Written
from tests.settings import GAMES, covered, every_game, every_setting, much

GOLDEN = Path(__file__).parent / "golden"
NAMES = ["Wolfgang Amadeus", "Ada", "Bram", "Cleopatra", "Dirk", "Elsa", "Finn", "Gwendolyn", "Hugo", "Iris"]
LARGE = ", with a large board"
COUNTS = [
    (name, players)
    for name in GAMES
    for least, most in [definition(name).rules.PLAYERS]
    for players in much([most], range(least, most + 1))
]


def screen(match: Match, lang: str = "en", colour: bool = True, fancy: bool = True, height: int = 24) -> Screen:
    words = game_words(match.game.name, lang, match.names)
    return Screen(words, words.words(match.game.table.ABOUT.title), 80, height, colour, fancy)


def screens(game: Game, seed: int, names: Sequence[str], **how: bool | str | int) -> Iterator[tuple[str, list[str]]]:
    """What seats that act are shown in a random match, in a share of its positions, and how it ends for everybody."""
    match, rng = game.match(seed, backend="fast", names=names[: game.players]), random.Random(seed)
    shown, share = random.Random(seed), much(0.15, 1.0)
    read = [0] * game.players
    drawn = screen(match, **how)  # type: ignore[arg-type]
    while not match.over:
        for seat in match.acting if shown.random() < share else ():
            lines = drawn.draw(match.view(seat), match.facts(seat, read[seat]))
            yield f"ply {match.ply}, seat {seat}{large(match.view(seat))}", [line.plain for line in lines]
        seat = rng.choice(match.acting)
        read[seat] = match.ply
        match.play(seat, rng.choice(match.legal_ids(seat)))
    for seat in range(-1, game.players):
        result = drawn.result(match.view(seat), match.returns(), headlines(match, seat))
        lines = drawn.end(match.view(seat), match.facts(seat, read[seat]), result, 3)
        yield f"end, seat {seat}{large(match.view(seat))}", [line.plain for line in lines]


def large(view: View) -> str:
    boards = [zone for zone in view.zones if zone.shape == "board"]
    return LARGE if any(zone.columns > 8 or len(zone.rows) > 8 for zone in boards) else ""


def assert_fits(where: str, lines: list[str]) -> None:
    """80 columns; 24 lines with the one for the answer, or with those that tell where the record is."""
    if where.endswith(LARGE):
        return
    below = 3 if where.startswith("end") else 1
    assert len(lines) + below <= 24, f"{where}: {len(lines)} lines\n" + "\n".join(lines)
    wide = [line for line in lines if len(line) > 80]
    assert not wide, f"{where}: {wide}"


# --- 80 × 24 ----------------------------------------------------------------------------------------------------------
@covered(("count", "how"), COUNTS, [("en", True), ("nl", False)])
def test_every_screen_fits(count: tuple[str, int], how: tuple[str, bool]) -> None:
    (name, players), (lang, fancy) = count, how
    for where, lines in screens(hexdeck.game(name, players), players, NAMES, lang=lang, fancy=fancy, colour=fancy):
        assert_fits(where, lines)


def test_nothing_beyond_ascii_is_drawn_where_the_terminal_knows_no_more() -> None:
    for name in GAMES:
        for where, lines in screens(hexdeck.game(name, 3), 1, NAMES, fancy=False, colour=False):
            assert all(line.isascii() for line in lines), (where, lines)


@every_setting
def test_every_screen_fits_with_every_option(setting: Game) -> None:
    for where, lines in screens(setting, 3, NAMES, lang="nl"):
        assert_fits(where, lines)


@every_game
def test_where_there_is_room_news_and_empty_lines_stay(name: str) -> None:
    shown = list(screens(hexdeck.game(name, 3), 1, NAMES, height=36))
    assert all("" in lines for _, lines in shown)
    first = hexdeck.game(name, 3).match(1, backend="fast", names=NAMES[:3])
    facts = first.facts(first.actor)
    lines = [line.plain for line in screen(first, height=60).draw(first.view(first.actor), facts)]
    assert sum(line.startswith("  · ") for line in lines) == len(facts)


def test_old_news_give_way_and_say_so() -> None:
    match = hexdeck.game("cursed-hand", 2).match(1, backend="fast", names=NAMES[:2])
    news = [Text(f"News {k}.") for k in range(50)]
    lines = [line.plain for line in screen(match).draw(match.view(0), news)]
    assert len(lines) == 23
    kept = [line for line in lines if "News" in line]
    assert kept == [f"  · News {k}." for k in range(50 - len(kept), 50)] and len(kept) >= 4
    assert "  … l shows the whole log" in lines


def test_where_there_is_little_room_empty_lines_go_first_then_drawn_cards_then_news() -> None:
    match = hexdeck.game("cursed-hand", 6).match(1, backend="fast", names=NAMES[:6])
    news = [Text(f"News {k}.") for k in range(9)]
    heights = {
        height: [line.plain for line in screen(match, height=height).draw(match.view(0), news)]
        for height in (30, 23, 19, 15)
    }
    assert [height for height, lines in heights.items() if "" in lines] == [30]
    assert [height for height, lines in heights.items() if any("┌" in line for line in lines)] == [30, 23]
    assert sum("News" in line for line in heights[19]) >= 3 and not any("News" in line for line in heights[15])
    for height, lines in heights.items():
        assert len(lines) <= height - 1
        assert "10  Start your graveyard with the 10" in lines[-1] and "Choose" in " ".join(lines)


# --- what is drawn ----------------------------------------------------------------------------------------------------
def view(*zones: Zone, moves: Sequence[Move] = (), players: int = 2) -> View:
    return View("x", 0, 0, players, (0,), False, say("Your turn."), zones, tuple(moves), (), (), ("Ann", "Ben"))


def plain(width: int = 80, fancy: bool = True, colour: bool = False) -> Screen:
    return Screen(game_words("cursed-hand", "en", ("Ann", "Ben")), "X", width, 24, colour, fancy)


def drawn(on: Screen, *zones: Zone, moves: Sequence[Move] = ()) -> list[str]:
    return [line.plain.rstrip() for line in on.draw(view(*zones, moves=moves), [])]


def test_of_a_long_list_of_moves_only_the_ends_of_runs_are_shown() -> None:
    match = hexdeck.game("blackstone", 3, drawing="announced").match(1, backend="fast", names=NAMES[:3])
    seat = match.actor
    lines = [line.plain for line in screen(match).draw(match.view(seat), [])]
    most = len(match.legal(seat)) - 1
    assert len(lines) == 23 or len(lines) < 20
    shown = " ".join(" ".join(lines).split())
    assert f" 1 Draw exactly 1 card … {most} Draw exactly {most} cards {most + 1} Fold " in shown


def test_what_is_too_long_for_a_line_shows_each_kind_once() -> None:
    many = Zone("row", say("Row"), None, "row", tuple("7" * 9 + "8" * 15 + "9"))
    assert "  Row [7]×9 [8]×15 [9]" in drawn(plain(), many)
    assert "  Row [7]x9 [8]x15 [9]" in drawn(plain(fancy=False), many)
    assert "  Row " + "[7]" * 9 in drawn(plain(), Zone("row", say("Row"), None, "row", tuple("7" * 9)))
    assert "  Hand [7]×40" in drawn(plain(), Zone("hand", say("Hand"), 0, "fan", tuple("7" * 40)))


def test_backs_counts_and_notes_are_shown() -> None:
    zones = [
        Zone("a", say("Hand"), 1, "fan", hidden=3),
        Zone("b", say("Deck"), None, "pile", hidden=20),
        Zone("c", say("Chips"), 1, "count", count=0),
        Zone("d", say("Row"), 0, "row", ("3", "10"), count=13),
        Zone("e", say("Ghost"), None, "fan", ("2",), hidden=2, note=say("passed by {seat}", seat=Seat(1))),
        Zone("f", say("Empty"), None, "row"),
        Zone("g", say("Pile"), None, "pile", ("2", "3", "3")),
    ]
    lines = "\n".join(drawn(plain(), *zones))
    for part in (
        "  Ben Hand ▒▒▒ 3   Chips 0",
        "Deck ▒▒▒▒▒▒▒▒ 20",
        "▸ Ann Row [3][10] (13)",
        "Ghost [2]▒▒ 2 · passed by Ben",
        "Empty –",
        "Pile 2, 3×2",
    ):
        assert part in lines, lines


def test_a_trick_tells_whose_each_card_is_and_breaks_between_cards() -> None:
    trick = Zone("trick", say("Trick"), None, "row", ("7h", "10c", "11"), owners=(1, 0, 1))
    assert "  Trick Ben 7♥  Ann 10♣  Ben 11" in drawn(plain(), trick)
    assert "  Trick Ben 7h  Ann 10c  Ben 11" in drawn(plain(fancy=False), trick)
    more = Zone("trick", say("Trick"), None, "row", ("7h",), hidden=2, owners=(1,), note=say("turned"))
    assert "  Trick Ben 7♥ ▒▒ 2 · turned" in drawn(plain(), more)
    assert "  Trick Ben 7♥ · turned" in drawn(plain(), replace(more, hidden=0))
    assert "  Trick –" in drawn(plain(), Zone("trick", say("Trick"), None, "row"))
    trick = Zone("trick", say("Trick"), None, "row", ("7h", "10c", "9d"), owners=(1, 0, 1), note=say("turned"))
    row = Zone("row", say("Row"), None, "row", ("2",) * 15)
    lines = drawn(plain(), row, trick)
    assert lines.index("  Trick Ben 7♥  Ann 10♣  Ben 9♦ · turned") == lines.index("  Row " + "[2]" * 15) + 1
    trick = Zone("trick", say("Trick"), None, "row", ("10h",) * 8, owners=tuple(range(8)))
    long = Screen(game_words("cursed-hand", "en", NAMES), "X", 80, 24, False, True)
    lines = [line.plain for line in long.draw(view(trick, players=8), []) if "10♥" in line.plain]
    assert len(lines) == 2 and all(len(line) <= 80 for line in lines)
    assert lines[0] == "  Trick Wolfgang Amadeus 10♥  Ada 10♥  Bram 10♥  Cleopatra 10♥  Dirk 10♥"


def test_long_notes_break_between_words_and_long_rows_and_piles_between_cards() -> None:
    note = say("of tied strongest cards the first one wins, and of all others none at all, ever, in this round")
    lines = drawn(plain(), Zone("gift", say("Gift"), None, "row", ("E",), note=note))
    assert "  Gift [E] · of tied strongest cards the first one wins, and of all others none" in lines
    assert "  at all, ever, in this round" in lines
    codes = tuple(f"{letter}{number}" for letter in "CFR" for number in range(1, 10))
    for shape, fancy, first, last in (
        ("pile", True, "  Long C1×2, C2, ", "(28) · of all"),
        ("pile", False, "  Long C1x2, C2, ", "(28) - of all"),
        ("row", True, "  Long [C1]×2 [C2] ", "(28) · of all"),
        ("row", False, "  Long [C1]x2 [C2] ", "(28) - of all"),
    ):
        zone = Zone("long", say("Long"), None, shape, (*codes, "C1"), count=28, note=say("of all"))
        lines = [line for line in drawn(plain(fancy=fancy), zone) if line.startswith("  ") and "Ben" not in line]
        assert len(lines) > 1 and all(len(line) <= 80 for line in lines), lines
        assert lines[0].startswith(first) and lines[-1].endswith(last)


def test_cards_have_suits_in_zones_hands_and_sentences() -> None:
    zones = Zone("h", say("Hand"), 0, "fan", ("7h", "10c", "x2")), Zone("r", say("Row"), None, "row", ("Kd", "Joker"))
    pile = Zone("p", say("Pile"), None, "pile", ("2s", "2s"))
    prompt = say("You see {cards}.", cards=Cards(("As", "Qh")))
    for fancy, parts in (
        (True, ("│ 7♥││10♣││ x2│", "Row [K♦][Joker]   Pile 2♠×2", "You see A♠ and Q♥.")),
        (False, ("Hand [7h][10c][x2]", "Row [Kd][Joker]   Pile 2sx2", "You see As and Qh.")),
    ):
        lines = [line.plain for line in plain(fancy=fancy).draw(replace(view(*zones, pile), prompt=prompt), [])]
        assert all(part in "\n".join(lines) for part in parts), lines


def test_suits_are_symbols_where_the_terminal_can_show_them() -> None:
    for encoding, sentence in (("utf-8", "Take 7♥"), ("ascii", "Take 7h"), ("latin-1", "Take 7h")):
        shown = Screen.of(Console(file=Written(encoding)), game_words("cursed-hand", "en"), say("X"))
        assert shown.say(say("Take {card}", card=Cards(("7h",)))) == sentence


def test_a_replay_shows_suits_and_the_board(lay_cards: Game, room: Room) -> None:
    match = lay_cards.match(1, backend="interpreted", names=("Ann", "Ben"))
    for seat, name in ((0, "play 7h"), (0, "cell 5"), (1, "play 2s")):
        match.play(seat, name)
    match.record().save(room.home / "x.json")
    said = room.hexdeck("replay", str(room.home / "x.json"), "--seat", "2")
    assert said.status == 0 and "   3  You take the 2♠." in said.out
    assert " 2     7♥\n" in said.out and "Ben" in said.out and "·" not in said.out.partition(" 1")[2][:40]


def test_hearts_and_diamonds_are_red() -> None:
    row = Zone("r", say("Row"), None, "row", ("Kd", "7s", "7"))
    hand = Zone("h", say("Hand"), 0, "fan", ("7h", "10c"))
    lines = plain(colour=True).draw(view(row, hand), [])
    styles = {line.plain[span.start : span.end].strip(): str(span.style) for line in lines for span in line.spans}
    assert styles["K♦"] == "bold red on white" and styles["7♠"] == styles["7"] == "bold black on white"
    assert styles["7♥"] == "bold red" and "10♣" not in styles
    trick = plain(colour=True).draw(view(replace(row, owners=(0, 1, 0))), [])
    assert "Ann K♦  Ben 7♠  Ann 7" in "\n".join(line.plain for line in trick)


def test_wide_cards_are_drawn_too_and_the_seat_whose_screen_it_is_is_marked_when_it_acts() -> None:
    shown = "\n".join(drawn(plain(), Zone("hand", say("Hand"), 0, "fan", ("moon", "7"))))
    assert "  ┌────┐┌────┐  Hand\n  │moon││ 7  │\n  └────┘└────┘\n" in shown
    assert "▸ Ann" in shown and "▸ Ben" not in shown
    assert "> Ann" in "\n".join(drawn(plain(fancy=False)))


def test_moves_stand_in_columns_and_long_ones_wrap() -> None:
    short = [Move(k, f"take {k} {k}", Text(f"Take {k}")) for k in range(12)]
    lines = drawn(plain(), moves=short)
    assert [line.count("Take") for line in lines[-3:]] == [4, 4, 4]
    long = [Move(0, "a", Text("word " * 30)), Move(1, "b", Text("B"))]
    assert all(len(line) <= 80 for line in drawn(plain(), moves=long))


@every_game
def test_no_colour_loses_no_word(name: str) -> None:
    bright, dull = (screens(hexdeck.game(name, 3), 2, NAMES, colour=colour, height=60) for colour in (True, False))
    for (where, one), (_, other) in zip(bright, dull, strict=True):
        assert words(one) == words(other), where


def words(lines: list[str]) -> list[str]:
    return re.findall(r"[^\s\[\]]+", " ".join(lines).replace("]", "] "))


# --- as snapshots -----------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("lang", ["en", pytest.param("nl", marks=pytest.mark.long)])
@every_game
def test_a_whole_match_looks_as_it_did(name: str, lang: str, room: Room) -> None:
    """To renew what is expected: UPDATE_GOLDEN=1 make test ARGS="tests/terminal -k looks_as_it_did"."""
    said = room.hexdeck("play", name, "-n", "3", "--seed", "12", "--bots", "house", "--lang", lang, typed=ANY_MOVES)
    shown = re.sub(r"\S*finished\S*", "FILE", said.out.replace("\n" + str(room.home), " " + str(room.home)))
    path = GOLDEN / f"{name}.{lang}.txt"
    if os.environ.get("UPDATE_GOLDEN"):
        path.parent.mkdir(exist_ok=True)
        path.write_text(shown, encoding="utf-8")
    assert shown == path.read_text(encoding="utf-8")
