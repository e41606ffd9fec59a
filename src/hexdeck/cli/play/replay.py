"""`hexdeck replay FILE`: steps through a recorded match, or through one that bots play in a simulation."""

from __future__ import annotations

import argparse
import sys
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from hexdeck.bots.players.names import kept
from hexdeck.cli.figures import alone, check_figures, give, head
from hexdeck.cli.help_pages import default
from hexdeck.cli.parser import (
    Several,
    add_game_arguments,
    add_json,
    chosen_game,
    chosen_seat,
    spell_out_size,
    whole_name,
)
from hexdeck.engine.errors import BadOption, HexdeckError
from hexdeck.engine.text import Catalogue, _, say

if TYPE_CHECKING:
    from hexdeck.engine.beat import Beat
    from hexdeck.engine.play.match import Match
    from hexdeck.terminal.screen import Screen

ABOUT = say("step through a recorded match, or one that bots play")
EXAMPLES = "hexdeck replay match.json --seat 1", "hexdeck replay hawthorn --number 7 --players 3"


def add(parser: argparse.ArgumentParser, t: Any) -> None:
    """`hexdeck replay FILE [--seat K] [--ply N]`, `hexdeck replay GAME --number N [--seed S] [--bots …] …`."""
    about = say("record of a match; with --number, the name of a game")
    parser.add_argument("file", metavar=t(say("FILE")), help=t(about))
    parser.add_argument(
        "--seat", type=int, metavar="K",
        help=t(say("show what this seat saw, counted from 1 (default: what everybody saw)")),
    )  # fmt: skip
    parser.add_argument(
        "--ply", type=int, metavar="N", help=t(say("show only the position after N events (default: the whole match)"))
    )
    parser.add_argument(
        "--number", type=int, metavar="N",
        help=t(say("show this game, counted from 0, of those that simulate and report play with the same seed "
                   "(default: the match in FILE)")),
    )  # fmt: skip
    add_game_arguments(parser, t)
    parser.add_argument(
        "--bots", nargs="+", type=kept, action=Several, metavar=t(say("NAME")),
        help=t(default(say("bots that play: one for all seats, or one for each"), "house")),
    )  # fmt: skip
    about = default(say("random seed: the same seed deals the same cards"), 0)
    parser.add_argument("--seed", type=int, metavar="N", help=t(about))
    parser.add_argument(
        "--record",
        metavar=t(say("FILE")),
        help=t(say("write the simulated game to this file, as a record (default: no file)")),
    )
    add_json(parser, t)


def run(arguments: argparse.Namespace, words: Catalogue) -> int:
    """Show the match: step by step at a terminal, through a pipe as a list of what happened."""
    from rich.console import Console

    from hexdeck.engine.discovery.catalogues import game_words
    from hexdeck.terminal.screen import Screen

    check_figures(arguments)
    match = chosen_match(arguments)
    chosen = chosen_seat(arguments.seat, match.game.players)
    seat = -1 if chosen is None else chosen
    console = Console(highlight=False, markup=False, emoji=False)
    match.names = tuple(named(match, words))
    own = game_words(match.game.name, words.lang, match.names)
    if arguments.json is not None:
        give(figures(match, seat, arguments.ply, own), arguments, own)
    if alone(arguments):
        return 0
    screen = Screen.of(console, own, match.game.table.ABOUT.title)
    if arguments.ply is not None:
        match.go(arguments.ply)
        show(console, screen, match, seat, 0)
    elif sys.stdin.isatty() and console.is_terminal:
        step(console, screen, match, seat)
    else:
        tell_all(console, screen, match, seat)
    return 0


def figures(match: Match, seat: int, ply: int | None, own: Catalogue) -> dict[str, Any]:
    """The position after so many events, at the end where none is given, and all that was told, as a seat saw it."""
    match.go(match.length if ply is None else ply)
    told = [[own.words(fact.text) for fact in facts if fact.heard_by(seat)] for facts in match.narration()[: match.ply]]
    return head("replay", match.game) | {
        "seat": None if seat < 0 else seat, "ply": match.ply, "length": match.length, "over": match.over,
        "returns": [*match.returns()] if match.over else None, "narration": told, "view": match.view(seat).data(),
    }  # fmt: skip


def named(match: Match, words: Catalogue) -> list[str]:
    """The players' names; seats without one are counted from 1, as people do."""
    numbered = [words.words(say("Seat {number}", number=seat + 1)) for seat in range(match.game.players)]
    return [*match.names, *numbered[len(match.names) :]]


def chosen_match(arguments: argparse.Namespace) -> Match:
    """The match of the record, or the simulated one; raises HexdeckError."""
    if arguments.number is None:
        for name in ("players", "option", "bots", "seed", "record"):
            if getattr(arguments, name):
                text = _("--{name} is for a simulated game; give its --number too.")
                raise BadOption(say(text, name=name))
        from hexdeck.simulation.game import load

        return load(arguments.file, backend="interpreted")
    return simulated(arguments)


def simulated(arguments: argparse.Namespace) -> Match:
    """The game of a number that bots play, at its end; also written as a record if asked for."""
    from hexdeck.engine.play.driver import quickest_backend
    from hexdeck.lab.log import SimulationSetup, matches

    arguments.game, bots = whole_name(arguments.file), arguments.bots or ["house"]
    spell_out_size(arguments)
    game = chosen_game(arguments)
    setup = SimulationSetup(game, bots, arguments.seed or 0, backend=quickest_backend(game.definition))
    match = next(matches(setup, 1, arguments.number))
    if arguments.record is not None:
        seats = [{"name": f"{name} {seat}", "bot": name} for seat, name in enumerate(bots * game.players, 1)]
        try:
            match.record(seats=seats[: game.players]).save(arguments.record)
        except OSError as error:
            why = _("{file} can't be written: {why}.")
            raise HexdeckError(say(why, file=arguments.record, why=error.strerror or "")) from None
    return match


def show(console: Any, screen: Screen, match: Match, seat: int, since: int) -> None:
    """Print the position, with the lines of the log since a ply."""
    from hexdeck.engine.play.score import headlines

    view = replace(match.view(seat), moves=())  # a number typed here is a ply
    news = match.facts(seat, since)
    if match.over:
        result = screen.result(view, match.returns(), headlines(match, seat))
        lines = screen.end(view, news, result, 1)
    else:
        lines = screen.draw(view, news)
    for line in lines:
        console.print(line, soft_wrap=True)


def tell_all(console: Any, screen: Screen, match: Match, seat: int) -> None:
    """Print everything that happened, and the end."""
    match.go(match.length)
    for ply in range(match.length):
        for fact in [fact.text for fact in match.narration()[ply] if fact.heard_by(seat)]:
            console.print(f"{ply + 1:>4}  {screen.say(fact)}", soft_wrap=True)
    show(console, screen, match, seat, match.length)


def step(console: Any, screen: Screen, match: Match, seat: int) -> None:
    """Step forward, beat by beat, and back until the person leaves."""
    from hexdeck.terminal.rulebook import ask

    match.go(next_told(match, 0, 1, seat))
    since = 0
    steps: list[Beat | None] = []  # what is shown next: beats that lead to the position; None: the position
    while True:
        console.clear()
        beat = steps.pop(0) if steps else None
        if beat:
            show_beat(console, screen, match, seat, beat)
        else:
            show(console, screen, match, seat, since)
        keys = say("ply {ply} of {length} · Enter next · b back · e end · a number jumps there · q quit",
                   ply=match.ply, length=match.length)  # fmt: skip
        typed = ask(screen.say(keys) + "  ")
        if typed == "q":
            return
        if typed == "l":
            for line in [line for fact in match.facts(seat) for line in screen.wrapped(fact)]:
                console.print(line, soft_wrap=True)
            ask("")
        elif typed or not steps:
            since = match.ply
            steps = go_on(match, seat, typed)
            since = min(since, max(0, match.ply - 1))


def go_on(match: Match, seat: int, typed: str) -> list[Beat | None]:
    """Go where what was typed leads; returns what to show then: for a step forward its beats, at last the position."""
    from hexdeck.engine.play.story import beats

    since = match.ply
    if typed.isdecimal():
        match.go(min(int(typed[:9]), match.length))
    else:
        match.go(match.length if typed == "e" else next_told(match, match.ply, -1 if typed == "b" else 1, seat))
    return [None] if typed else [*beats(match, seat, since)[:-1], None]


def show_beat(console: Any, screen: Screen, match: Match, seat: int, beat: Beat) -> None:
    """Print the table as it is at a beat."""
    view = replace(match.view(seat), zones=beat.zones, moves=(), acting=(), over=False, outcome_texts=())
    if beat.line:
        view = replace(view, prompt=beat.line)
    for line in screen.draw(view, []):
        console.print(line, soft_wrap=True)


def next_told(match: Match, ply: int, way: int, seat: int) -> int:
    """The nearest ply in a direction at which the seat was told something; else the first or last."""
    at = match.ply
    match.go(match.length)
    narration = match.narration()
    match.go(at)
    ply += way
    while 0 < ply < match.length and not any(fact.heard_by(seat) for fact in narration[ply - 1]):
        ply += way
    return max(0, min(ply, match.length))
